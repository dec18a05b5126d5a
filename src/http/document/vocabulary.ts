/** The document's prose: descriptions of the service, its tags and its path parameters. */
import { PLANS } from "@/contract/accounts/plans";
import { EXAMPLE_ID } from "@/contract/schema";
import { ENTITLEMENTS } from "@/core/entitlements";

const byPlan = (entitlement: "requestsPerMinute" | "requestsPerMonth"): string =>
  PLANS.map((plan) => `${plan} ${ENTITLEMENTS[plan][entitlement]?.toLocaleString("en") ?? "any number"}`).join(", ");

export const TITLE = "Waymark API";
export const API_VERSION = "1.0.0";

export const DESCRIPTION = `Deep links on your own domain: every visitor to the right place, every click counted once.

**Authentication.** \`POST /api/v1/auth/register\` and \`/login\` return a session token for \`Authorization: Bearer
<token>\`. A script that acts for a user sends one of the user's access tokens instead, which works in one organization and
within its scopes. Servers use an API key to create links and send events: \`Authorization: ApiKey <key>\`. The two schemes
are not interchangeable.

**Conventions.** Ids are UUIDv7 strings in \`_id\`; times are ISO 8601 in UTC with milliseconds. Lists are paginated,
newest first: \`page\` starts at 1, and \`limit\` defaults to 25 (at most 100). In a \`PATCH\`, omitted fields keep their
value and \`null\` clears a field; lists and objects replace the old ones. A date without a time means midnight UTC.
Unknown fields in a body are ignored, except inside the \`conditions\` of a rule and the \`filter\` and \`changes\` of
bulk operations: there they are refused, since ignoring a condition would make the rule match everyone. In a rule and a
split target, names that resemble one of its fields are refused, too.

**Errors.** Every error has the body \`{error, details?}\`: \`error\` is one sentence, stable per cause, and \`details\`
lists every invalid field at once. A path returns 405 for unsupported methods and lists the supported ones in \`Allow\`.
Quote the response's \`X-Request-Id\` when you contact support.

**Limits.** The plan sets the number of requests a minute for each API key, and for each user across all sessions,
access tokens and organizations on that plan:
${byPlan("requestsPerMinute")}. Reads under \`…/analytics\` and the marketing assistant have a separate
limit, one tenth of that. Each organization
also has a monthly limit: ${byPlan("requestsPerMonth")}. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (the Unix
second at which the window ends) show your usage; beyond the limit, requests return 429 with \`Retry-After\`. Responses
with 4xx count too, except 401; refused requests do not.`;

/** In the order in which the reference shows them. */
export const TAGS: Record<string, string> = {
  Accounts: "Registration, sign-in, sessions and two-factor authentication.",
  Organizations: "The organization with its branding and settings.",
  Members: "Members of an organization and their roles.",
  SSO: "Sign-in through the organization's own OpenID provider.",
  Domains: "Custom short domains: DNS records, verification and app configuration.",
  Apps: "App profiles: where links lead on phones with and without the app.",
  Links: "Short links with their routing, revisions, safety and leads.",
  Imports: "Links from other services: the upload, its ledger, its verification and its rollback.",
  "QR codes": "QR codes of links, and accessible styles for them.",
  "Bio pages": "Pages of links at a short URL.",
  "Deep links": "Operations that apps call on a visitor's device, without credentials.",
  "Public assets": "Branding and icons, without credentials.",
  "Server API": "Operations for trusted servers with an API key.",
  Analytics: "Clicks, visitors, opens and installs, and insights based on them.",
  Reports: "Saved selections of figures to export again.",
  "Marketing assistant": "Recommendations based on the organization's own figures.",
  "API keys": "Keys for trusted servers, each with the scopes it needs.",
  "Access tokens": "Tokens for scripts that act for one user, each with the scopes it needs.",
  Webhooks: "Signed notifications of events, and their deliveries.",
  "Audit logs": "Who changed what, and when.",
  Privacy: "Erasure of a visitor's data.",
  Service: "The state of the service itself.",
};

const PATH_PARAMETERS: Record<string, string> = {
  orgId: "The organization",
  sessionId: "The session",
  linkId: "The link",
  leadId: "The lead",
  keyId: "The API key",
  tokenId: "The access token",
  domainId: "The domain",
  appId: "The app profile",
  membershipId: "The membership",
  bioPageId: "The bio page",
  reportId: "The report",
  exportId: "The export",
  clickId: "The click",
  webhookId: "The webhook",
  deliveryId: "The delivery",
  importId: "The import",
};

export function pathParameter(name: string): { description?: string; examples: string[] } {
  if (name === "externalId") return { description: "Your own id for the link", examples: ["campaign-7"] };
  const subject = PATH_PARAMETERS[name];
  return { description: subject && `${subject}'s \`_id\``, examples: [EXAMPLE_ID] };
}

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of a session, as returned by register and login.",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "wm_pat_…",
    description:
      "An access token that a user created, instead of a session token. Each operation names the scopes that reach " +
      "it: one of them is enough, and the user's role must allow the operation too.",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`ApiKey <key>`: the scheme's name, a space, and the key. Keep it on a trusted server.",
  },
  operator: {
    type: "http",
    scheme: "bearer",
    description: "The service's `METRICS_TOKEN`. Callers on the machine itself need none.",
  },
};
