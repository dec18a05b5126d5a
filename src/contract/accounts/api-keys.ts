/** API keys are shown in full only once, when they are created. */
import { type Static, Type } from "@sinclair/typebox";
import {
  id,
  instant,
  instantInput,
  list,
  nullable,
  oneOf,
  optional,
  pageOf,
  shape,
  text,
  withExample,
} from "../schema";
import { SCOPES } from "./access";

const Scopes = Type.Array(oneOf(SCOPES), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: "Operations that the key may call; no scope implies another",
  error: `expected one or more of ${SCOPES.join(", ")}, without duplicates`,
});

export const ApiKeyInput = shape(
  {
    name: withExample("Checkout server", text(120, 1)),
    scopes: Scopes,
    expiresAt: optional(nullable(withExample("2027-01-31T12:00:00Z", instantInput("Defaults to never")))),
  },
  // Without an end: the document's would be past one day.
  { $id: "ApiKeyInput", examples: [{ name: "Checkout server", scopes: ["links:read" as const] }] },
);
export type ApiKeyInput = Static<typeof ApiKeyInput>;

const record = {
  _id: id(),
  name: withExample("Checkout server", Type.String()),
  prefix: withExample("wm_live_4Fq9", Type.String({ description: "First characters of the key" })),
  scopes: list(oneOf(SCOPES), SCOPES.length),
  createdAt: instant(),
  expiresAt: optional(withExample("2027-01-31T12:00:00.000Z", instant("Omitted if the key does not expire"))),
  lastUsedAt: optional(instant("Updated at most once a minute; omitted if the key was never used")),
  revokedAt: optional(instant("Omitted while the key is active")),
};

export const ApiKey = shape(record, { $id: "ApiKey" });
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyCreated = shape(
  {
    ...record,
    key: Type.String({ description: "Shown only once", examples: ["wm_live_4Fq9ZtB7mX2kLr8VnC5sHw3YpJd6GaQe1Tu0"] }),
  },
  { $id: "ApiKeyCreated" },
);

export const ApiKeyPage = pageOf("apiKeys", ApiKey);
