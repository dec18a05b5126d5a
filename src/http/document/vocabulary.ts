/** The document's prose: what the service is, its tags, and what every path parameter names. */
import { PLANS } from "@/contract/accounts/plans";
import { ENTITLEMENTS } from "@/core/entitlements";

const byPlan = (entitlement: "requestsPerMinute" | "requestsPerMonth"): string =>
  PLANS.map((plan) => `${plan} ${ENTITLEMENTS[plan][entitlement]?.toLocaleString("en") ?? "any number"}`).join(", ");

export const TITLE = "Waymark API";
export const API_VERSION = "1.0.0";

export const DESCRIPTION = `Deep links on your own domain: every visitor to the right place, every click counted once.

**Signing in.** \`POST /api/v1/auth/register\` or \`/login\` answers a session token for \`Authorization: Bearer <token>\`.
Servers create links and send events with an API key instead: \`Authorization: ApiKey <key>\`. Neither stands in for the other.

**Answers.** Ids are UUIDv7 strings in \`_id\`, times are ISO 8601 in UTC with milliseconds. Lists come in pages, newest
first: \`page\` counts from 1, \`limit\` is 25 unless given and at most 100. In a \`PATCH\` an absent field stays and \`null\` clears it;
lists and objects replace the old ones. A date may come without a time, which is midnight in UTC. Unknown fields of a body are
ignored; inside the \`conditions\` of a rule they are refused, since a condition that was dropped would make a rule for everyone.

**Failures.** Every one has the body \`{error, details?}\`: \`error\` is one sentence, stable per cause, and \`details\` names
each field at fault, all of them at once. A path answers methods that it does not take with 405, and names those it takes in \`Allow\`. Quote the \`X-Request-Id\` of an answer when you ask about it.

**Limits.** How many requests a minute each API key, and each session in an organization, may send depends on the plan:
${byPlan("requestsPerMinute")}. Reading under \`…/analytics\` is counted by itself, a tenth of that. The organization as a whole
has so many a month: ${byPlan("requestsPerMonth")}. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (the Unix second at
which the window ends) tell how far you are; beyond it there is 429 with \`Retry-After\`. Answers of 4xx count as well,
except 401; what a limit refuses does not.`;

/** In the order in which the reference shows them. */
export const TAGS: Record<string, string> = {
  Accounts: "Registration, sign-in, sessions and two-factor authentication.",
  Organizations: "The organization, its branding and its settings.",
  Members: "Who belongs to an organization, and in which role.",
  SSO: "Sign-in through the organization's own OpenID provider.",
  Domains: "Custom short domains: their records, verification and app configuration.",
  Apps: "App profiles: where a link leads on a phone that has, or has not, the app.",
  Links: "Short links, their routing, revisions, safety and leads.",
  "QR codes": "QR codes of links and accessible styles for them.",
  "Bio pages": "Pages of links under a short URL.",
  "Deep links": "What apps call on a visitor's device, without credentials.",
  "Public assets": "Branding and icons that need no credentials.",
  "Server API": "What a trusted server may do with an API key.",
  Analytics: "Clicks, visitors, opens and installs, and what follows from them.",
  Reports: "Saved selections of figures, to be exported again.",
  "Marketing assistant": "Recommendations from the workspace's own figures.",
  "API keys": "Keys for trusted servers, each with the scopes it needs.",
  Webhooks: "Signed notifications of what happens, and their deliveries.",
  "Audit logs": "Who changed what, and when.",
  Privacy: "What is kept of a visitor, erased.",
  Service: "The state of the service itself.",
};

export const EXAMPLE_ID = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";

const PATH_PARAMETERS: Record<string, string> = {
  orgId: "The organization",
  sessionId: "The session",
  linkId: "The link",
  leadId: "The lead",
  keyId: "The API key",
  domainId: "The domain",
  appId: "The app profile",
  membershipId: "The membership",
  bioPageId: "The bio page",
  reportId: "The report",
  clickId: "The click",
  webhookId: "The webhook",
  deliveryId: "The delivery",
};

export function pathParameter(name: string): { description?: string; examples: string[] } {
  const subject = PATH_PARAMETERS[name];
  return { description: subject && `${subject}, by its \`_id\``, examples: [EXAMPLE_ID] };
}

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of a session, as register and login answer it.",
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
