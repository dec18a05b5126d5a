/** Erasure of the data stored about one of an organization's visitors. */
import { type Static, Type } from "@sinclair/typebox";
import { id, optional, shape, text, withExample } from "../schema";
import { email } from "./auth";

export const PrivacyErasureInput = shape(
  {
    visitorId: optional(
      withExample(
        "5f0c9e6d1b7a2384",
        text(
          255,
          1,
          "The visitor's id in clicks, leads and webhooks, the id of one of their clicks (`wm_cid`), or your own id as " +
            "sent with events and `GET /api/v1/resolve`",
        ),
      ),
    ),
    email: optional(
      withExample("ada@example.com", {
        ...email,
        description: "An email address in any field of a lead: erases these leads, and the visits of whoever left them",
      }),
    ),
  },
  { $id: "PrivacyErasureInput" },
);
export type PrivacyErasureInput = Static<typeof PrivacyErasureInput>;

const counted = (description: string) => withExample(1, Type.Integer({ description }));

export const PrivacyErasure = shape(
  {
    _id: id("Id under which the audit log records the erasure"),
    erased: shape({
      clicks: counted("Clicks made anonymous"),
      opens: counted("Opens made anonymous"),
      claims: counted("Matches and install attributions made anonymous"),
      events: counted("Events that lost visitor and metadata; name, link and value stay"),
      leads: counted("Leads whose answers were erased"),
      deliveries: counted("Webhook deliveries whose bodies were deleted"),
    }),
    isComplete: withExample(true, Type.Boolean({ description: "False if more is left: send the same request again" })),
  },
  { $id: "PrivacyErasure" },
);
export type PrivacyErasure = Static<typeof PrivacyErasure>;
