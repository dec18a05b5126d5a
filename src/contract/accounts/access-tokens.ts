/** Access tokens act for one user in one organization. They are shown in full only once, when they are created. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import {
  id,
  instant,
  instantInput,
  list,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  queryFlag,
  shape,
  text,
  withExample,
} from "../schema";
import { TOKEN_SCOPES } from "./access";

/** Limit of one user in one organization. */
export const ACCESS_TOKENS_MAX = 50;
export const ACCESS_TOKEN_DAYS = 90;
/** A year, including leap years. */
export const ACCESS_TOKEN_DAYS_MAX = 366;

const SCOPES_TEXT =
  "What the token reaches, if your role allows it too. `read`: reading everything except figures, leads and webhook " +
  "deliveries. `links`: links, QR codes and bio pages. `analytics`: figures, leads, reports, the abuse queue and the marketing assistant. `manage`: " +
  "domains, apps, members, webhooks, API keys, privacy requests and the organization; what it creates, such as API keys, " +
  "stays when the token ends. No scope reaches accounts, single sign-on, access tokens or owners' memberships.";

const Scopes = Type.Array(oneOf(TOKEN_SCOPES), {
  minItems: 1,
  maxItems: TOKEN_SCOPES.length,
  uniqueItems: true,
  description: SCOPES_TEXT,
  error: `expected one or more of ${TOKEN_SCOPES.join(", ")}, without duplicates`,
});

const END_TEXT = `At most ${ACCESS_TOKEN_DAYS_MAX} days ahead; defaults to ${ACCESS_TOKEN_DAYS} days`;

export const AccessTokenInput = shape(
  {
    name: withExample("Nightly sync", text(120, 1)),
    scopes: withExample(["read", "links"], Scopes),
    expiresAt: optional(instantInput(END_TEXT)),
  },
  // Without an end: the document's would be past one day.
  { $id: "AccessTokenInput", examples: [{ name: "Nightly sync", scopes: ["read" as const, "links" as const] }] },
);
export type AccessTokenInput = Static<typeof AccessTokenInput>;

export const AccessTokenQuery = t.Object({
  ...pageQuery,
  mine: optional(queryFlag("mine", "Only your own tokens; for admins, who otherwise see all members'")),
});
export type AccessTokenQuery = Static<typeof AccessTokenQuery>;

const record = {
  _id: id(),
  name: withExample("Nightly sync", Type.String()),
  prefix: withExample("wm_pat_4Fq9", Type.String({ description: "First characters of the token" })),
  scopes: withExample(["read", "links"], list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length)),
  membershipId: id("The membership the token belongs to; it ends with the membership"),
  userId: id("The user the token acts for"),
  createdAt: instant(),
  expiresAt: withExample("2026-04-30T12:00:00.000Z", instant()),
  lastUsedAt: optional(instant("Updated at most once a minute; omitted if never used")),
  revokedAt: optional(instant("Omitted unless the token was revoked")),
};

export const AccessToken = shape(record, { $id: "AccessToken" });
export type AccessToken = Static<typeof AccessToken>;

export const AccessTokenCreated = shape(
  {
    ...record,
    token: Type.String({ description: "Shown only once", examples: ["wm_pat_4Fq9ZtB7mX2kLr8VnC5sHw3YpJd6GaQe1Tu0"] }),
  },
  { $id: "AccessTokenCreated" },
);
export type AccessTokenCreated = Static<typeof AccessTokenCreated>;

export const AccessTokenPage = pageOf("accessTokens", AccessToken);
