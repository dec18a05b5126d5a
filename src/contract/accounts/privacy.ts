/** Erasure of what is kept of one of an organization's visitors. */
import { type Static, Type } from "@sinclair/typebox";
import { id, optional, shape, shown, text } from "../schema";
import { email } from "./auth";

export const PrivacyErasureInput = shape(
  {
    visitorId: optional(
      shown(
        "5f0c9e6d1b7a2384",
        text(
          255,
          1,
          "As clicks, leads and webhooks tell it, or as your events and `GET /api/v1/resolve` name the visitor",
        ),
      ),
    ),
    email: optional(
      shown("ada@example.com", {
        ...email,
        description: "As leads have it in any field: they are erased, with the visits of whoever left them",
      }),
    ),
  },
  { $id: "PrivacyErasureInput" },
);
export type PrivacyErasureInput = Static<typeof PrivacyErasureInput>;

const counted = (description: string) => shown(1, Type.Integer({ description }));

export const PrivacyErasure = shape(
  {
    _id: id("Under which the audit log tells of it"),
    erased: shape({
      clicks: counted("Made nobody's"),
      opens: counted("Made nobody's"),
      claims: counted("Of matches and install attributions; made nobody's"),
      events: counted("Without visitor and metadata now; name, link and value stay"),
      leads: counted("Without all that was left"),
      deliveries: counted("Of webhooks, whose bodies are gone"),
    }),
    isComplete: shown(true, Type.Boolean({ description: "False: there is more; send the same request again" })),
  },
  { $id: "PrivacyErasure" },
);
export type PrivacyErasure = Static<typeof PrivacyErasure>;
