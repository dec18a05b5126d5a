/**
 * The order in which the collection calls the API when it runs from first to last, with the request values and
 * expected statuses that differ from the document's examples. All other operations run in the order of their folder
 * and are expected to succeed.
 */
import { EVENT_FIRST, NEW_RUN, OTHER_SESSION, type Script, save, set, signInFirst, TOTP } from "./scripts";

export interface JourneyStep {
  before?: Script;
  after?: Script;
  /** Replaces the document's example. */
  body?: unknown;
  query?: Record<string, string>;
  /** Expected statuses, if success requires something that no request can cause; `reason` explains it. */
  statuses?: number[];
  reason?: string;
}

export const LEFT_OUT: Record<string, string> = {
  streamAnalyticsOverview: "a stream does not end by itself, so a run would wait forever",
  createImport: "it uploads a file, which a collection does not contain",
};

/** Folders are tags. Requests that delete something come at the end. */
export const CLEAN_UP = "Clean up";
export const FOLDERS = [
  ...[
    "Accounts",
    "Organizations",
    "Members",
    "API keys",
    "Access tokens",
    "Webhooks",
    "Domains",
    "Apps",
    "Links",
    "Imports",
    "QR codes",
  ],
  ...["Deep links", "Bio pages", "Public assets", "Server API", "Analytics", "Reports", "Marketing assistant", "SSO"],
];
export const LAST = "logout";

/** Run first in their folders. */
export const FIRST = [
  ...["register", "setUpTwoFactor", "getTwoFactor", "enableTwoFactor", "loginTwoFactor", "disableTwoFactor", "login"],
  ...["inviteMember", "createLink", "createWebhook"],
];

const NEEDS_MAIL = "The token comes by mail.";
const NEEDS_IMPORT = "Imports exist once someone has uploaded a file.";
const session: Script = [save("bearerToken", "token"), save("orgId", "organizations?.[0]?._id")];
const slugged = (slug: string) => ({
  defaultUrl: "https://shop.example.com/spring",
  slug,
  title: "Spring sale",
  rules: [
    { priority: 10, destinationUrl: "https://shop.example.com/app", conditions: { platform: ["ios", "android"] } },
  ],
  tags: ["spring"],
});

export const STEPS: Record<string, JourneyStep> = {
  register: {
    before: NEW_RUN,
    body: { name: "Ada Lovelace", email: "{{email}}", password: "{{password}}", organizationName: "Acme" },
    after: session,
  },
  login: { body: { email: "{{email}}", password: "{{password}}" }, after: session },
  setUpTwoFactor: { after: [save("totpSecret", "secret")] },
  enableTwoFactor: {
    before: TOTP,
    body: { code: "{{code}}" },
    after: [save("recoveryCode", "recoveryCodes?.[0]"), save("otherRecoveryCode", "recoveryCodes?.[1]")],
  },
  loginTwoFactor: {
    before: signInFirst([set("challengeToken", "other.challengeToken")]),
    body: { challengeToken: "{{challengeToken}}", code: "{{recoveryCode}}" },
    after: session,
  },
  disableTwoFactor: { body: { password: "{{password}}", code: "{{otherRecoveryCode}}" } },
  requestPasswordReset: { body: { email: "{{email}}" } },
  resetPassword: { statuses: [200, 400], reason: NEEDS_MAIL },
  verifyEmail: { statuses: [200, 400], reason: NEEDS_MAIL },
  resendEmailVerification: {
    statuses: [200, 409],
    reason: "Requires a service that sends mail, and an unconfirmed address.",
  },
  revokeSession: { before: OTHER_SESSION },
  inviteMember: { body: { email: "bob-{{run}}@example.com", role: "member" }, after: [save("membershipId", "_id")] },
  createDomain: { body: { hostname: "go-{{run}}.example.com" } },
  updateDomain: { body: { redirects: { root: "https://shop.example.com/" } } },
  updateDomainDashboard: {
    statuses: [200, 400],
    reason: "Requires a verified domain: its DNS records must exist.",
  },
  createApiKey: {
    body: { name: "Checkout server", scopes: ["links:read", "links:write", "qr:read", "events:write"] },
    after: [save("apiKey", "key")],
  },
  createAccessToken: { body: { name: "Nightly sync", scopes: ["read", "links"] } },
  createLink: {
    body: slugged("spring-{{run}}"),
    after: [
      save("shortUrl", "shortUrl"),
      save("slug", "slug"),
      "if (answer.shortUrl) {",
      `  ${set("shortHost", 'answer.shortUrl.split("/")[2]')}`,
      "}",
    ],
  },
  createLinks: {
    body: { links: [slugged("summer-{{run}}"), { defaultUrl: "https://shop.example.com/autumn", tags: ["autumn"] }] },
  },
  updateLinks: { body: { ids: ["{{linkId}}"], changes: { addTags: ["spring"] } } },
  deleteLinks: { body: { filter: { tags: ["no-longer-used"] }, expected: 0 } },
  putLinkByExternalId: { body: { defaultUrl: "https://shop.example.com/own", title: "Kept in step" } },
  createLinkWithApiKey: { body: slugged("server-{{run}}") },
  previewLink: { body: { shortUrl: "{{shortUrl}}", platform: "ios", osVersion: "17.4", country: "DE" } },
  updateLink: { body: { title: "Spring sale, last days", maxClicks: null } },
  deleteLead: { statuses: [200, 404], reason: "Leads exist once a visitor has submitted the link's form." },
  resolveLink: { query: { domain: "{{shortHost}}", slug: "{{slug}}" } },
  listLinkTrends: { query: { linkId: "{{linkId}}" } },
  getImport: { statuses: [200, 404], reason: NEEDS_IMPORT },
  listImportRows: { statuses: [200, 404], reason: NEEDS_IMPORT },
  exportImportRows: { statuses: [200, 404], reason: NEEDS_IMPORT },
  verifyImport: { statuses: [202, 404, 409], reason: NEEDS_IMPORT },
  rollBackImport: { statuses: [200, 404, 409], reason: NEEDS_IMPORT },
  cancelImport: { statuses: [200, 404, 409], reason: NEEDS_IMPORT },
  createBioPage: {
    body: {
      slug: "acme-{{run}}",
      title: "Acme Shoes",
      links: [
        { title: "Spring collection", url: "https://shop.example.com/spring" },
        { title: "Sale", linkId: "{{linkId}}" },
      ],
    },
  },
  createCustomEvent: { body: { name: "purchase", linkId: "{{linkId}}", value: 49.9, metadata: { orderId: "A-1001" } } },
  listWebhookDeliveries: { before: EVENT_FIRST },
  redeliverWebhook: {
    statuses: [200, 409],
    reason: "A delivery in progress cannot be redelivered.",
  },
  downloadExport: { statuses: [200, 409], reason: "The archive takes a few seconds to write." },
  getClick: { statuses: [200, 404], reason: "Clicks exist once someone has visited the link." },
  reviewAbuse: { statuses: [200, 404], reason: "The queue has items once a click is suspicious." },
  updateSso: { body: { enabled: false, allowedDomains: ["acme.example"], defaultRole: "member" } },
  startSso: { statuses: [302, 400, 404], reason: "Requires an organization with single sign-on." },
  exchangeSsoCode: {
    statuses: [200, 400],
    reason: "The code comes with the return from the identity provider, and works once.",
  },
  finishSso: { reason: "Called by the identity provider." },
  askTls: {
    query: { domain: "{{shortHost}}" },
    statuses: [200, 401, 403, 404],
    reason: "For callers on the machine itself; others need `METRICS_TOKEN`.",
  },
};
