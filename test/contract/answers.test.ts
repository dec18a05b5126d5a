/** Checks a running service's responses against the OpenAPI document: every operation's success, and errors. */
import { afterAll, describe, expect, test } from "bun:test";
import { addExport } from "@test/support/accounts/archives";
import { codeAt, STEP_MS, withTwoFactor } from "@test/support/accounts/authenticator";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { addApp, addDomain, addSuspect } from "@test/support/accounts/tenants";
import { expectConforms, operationAt } from "@test/support/document/conforms";
import { describeApp, operationsOf } from "@test/support/document/described";
import { addLead } from "@test/support/leads";
import { createMint, SECRET } from "@test/support/match";
import { addImport, upload, waitForImport } from "@test/support/outside/imports";
import { addDelivery, createWebhook } from "@test/support/outside/webhooks";
import { startTestDns } from "@test/support/servers/dns";
import { startSmtp } from "@test/support/servers/smtp";
import { type CallOptions, CLIENT_HEADER, type Reply, startTestService } from "@test/support/service";

const { document } = await describeApp();
const dns = await startTestDns();
const smtp = await startSmtp();
afterAll(() => smtp.stop());
const service = await startTestService({
  env: {
    ...{ APP_SECRET: SECRET, DNS_SERVERS: dns.address, OUTBOUND_ALLOW: "127.0.0.1" },
    ...{ SMTP_URL: smtp.url, MAIL_FROM: "no-reply@acme.dev" },
  },
});
const mint = await createMint(service);
const provider = startFalseProvider();
const account = await service.register();
const stranger = await service.register();
const { token, orgId } = account;
const apiKey = await service.createApiKey(account, ["links:read", "links:write", "events:write", "qr:read"]);
const link = await service.createLink(account, { defaultUrl: "https://shop.example.com/", slug: "kept" });

const importId = await addImport(service, orgId);
const clickId = await addSuspect(service, orgId, link._id);
const [leadId] = [await addLead(service, orgId, link._id), await addLead(service, orgId, link._id)];
const exportId = await addExport(service, orgId);
const appId = await addApp(service, orgId, { pathPrefix: "icons" });
const iconDomainId = await addDomain(service, orgId, { hostname: "icons.example.com", isVerified: false });

const home = `/api/v1/organizations/${orgId}`;
const unknown = Bun.randomUUIDv7();
const STALE = { "if-match": '"stale"' };
const unknownLinks = (count: number) => Array.from({ length: count }, () => `linkId=${Bun.randomUUIDv7()}`).join("&");
const everything = {
  defaultUrl: "https://shop.example.com/spring",
  slug: "everything",
  title: "Spring sale",
  pathPrefix: "de",
  rules: [{ priority: 1, destinationUrl: "https://shop.example.com/app", conditions: { platform: ["ios"] } }],
  splitTargets: [{ key: "a", destinationUrl: "https://shop.example.com/a", weight: 1 }],
  deepLinkPayload: { screen: "offer" },
  utm: { source: "newsletter" },
  marketing: { referralCode: "ada" },
  leadCapture: { enabled: false },
  retargetingPixels: [{ provider: "meta", id: "1" }],
  ctaOverlay: { enabled: false },
  social: { title: "Sale", description: "All of it", imageUrl: "https://shop.example.com/sale.png" },
  startsAt: "2026-01-01T00:00:00Z",
  expiresAt: "2099-01-01T00:00:00Z",
  maxClicks: 10,
  tags: ["spring"],
  password: "open sesame",
};

const branding = {
  displayName: "Acme",
  logoUrl: "https://acme.example/logo.svg",
  accentColor: "#1f4fd8",
  supportUrl: "https://acme.example/support",
  footerText: "Acme Ltd",
};

const report = {
  name: "Spring",
  description: "Of the campaign",
  filters: { from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z", includeBots: true },
  metrics: ["clicks", "events"],
};

const appProfile = {
  name: "Acme Shop",
  pathPrefix: "shop",
  ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop", appStoreId: "284882215", scheme: "acme" },
  android: { packageName: "com.acme.shop", sha256CertFingerprints: [Array.from({ length: 32 }, () => "A1").join(":")] },
  fallback: "web",
  iconUrl: "https://acme.example/icon.png",
  subtitle: "Order ahead, skip the queue",
};

const bioPage = {
  slug: "acme",
  title: "Acme Shoes",
  bio: "Shoes and more.",
  theme: {
    ...{ preset: "auto", background: "#123", backgroundEnd: "#013", text: "#fefefe", accent: "#ffb300", font: "serif" },
    ...{ buttonStyle: "soft", buttonShape: "pill" },
    ...{ avatarUrl: "https://acme.example/ada.jpg", coverUrl: "https://acme.example/cover.jpg" },
  },
  links: [
    { title: "Shop", url: "https://shop.example.com/", icon: "shop", display: "icon" },
    { title: "Kept", linkId: link._id, isActive: false },
    { title: "More", display: "heading" },
    { title: "New", url: "https://shop.example.com/", imageUrl: "https://acme.example/new.jpg", display: "card" },
  ],
  isActive: true,
};
const madeBioPage = await service.call<{ _id: string }>("POST", `${home}/bio-pages`, {
  token,
  body: { title: "Acme" },
});
const bioPageId = madeBioPage.body._id;

const webhookInput = {
  url: "https://hooks.example.com/acme",
  events: ["click"],
  description: "Orders",
  isActive: true,
};
// Nothing listens there: a webhook test succeeds even if the endpoint cannot be reached.
const webhook = await createWebhook(service, account, "http://127.0.0.1:1/", ["click"]);
const deliveryId = await addDelivery(service, orgId, webhook._id);

type Case = [status: number, method: string, path: string, options: CallOptions];

const calls: Case[] = [
  [200, "GET", "/health", {}],
  [201, "POST", "/api/v1/auth/register", { body: registration() }],
  [400, "POST", "/api/v1/auth/register", { body: {} }],
  [409, "POST", "/api/v1/auth/register", { body: { ...registration(), email: account.email } }],
  [413, "POST", "/api/v1/auth/register", { body: JSON.stringify({ name: "x".repeat(300_000) }) }],
  [415, "POST", "/api/v1/auth/register", { body: "name=Ada", headers: { "content-type": "text/plain" } }],
  [200, "POST", "/api/v1/auth/login", { body: { email: account.email, password: account.password } }],
  [401, "POST", "/api/v1/auth/login", { body: { email: account.email, password: "a wrong passphrase" } }],
  [400, "POST", "/api/v1/auth/login", { body: "{" }],
  [200, "GET", "/api/v1/auth/me", { token }],
  [400, "GET", "/api/v1/auth/me?name=%ff", { token }],
  [400, "POST", "/api/v1/auth/logout", { token, body: "{" }],
  [413, "POST", "/api/v1/auth/logout", { token, body: JSON.stringify("x".repeat(300_000)) }],
  [415, "POST", "/api/v1/auth/logout", { token, body: "all=true", headers: { "content-type": "text/plain" } }],
  [415, "DELETE", `/api/v1/auth/sessions/${unknown}`, { token, body: "x", headers: { "content-type": "text/plain" } }],
  [401, "GET", "/api/v1/auth/me", {}],
  [400, "POST", "/api/v1/auth/login/2fa", { body: {} }],
  [401, "POST", "/api/v1/auth/login/2fa", { body: { challengeToken: "none", code: "123456" } }],
  [200, "POST", "/api/v1/auth/password/forgot", { body: { email: account.email } }],
  [400, "POST", "/api/v1/auth/password/forgot", { body: {} }],
  [400, "POST", "/api/v1/auth/password/reset", { body: { token: "none", password: "quartz trombone" } }],
  [400, "POST", "/api/v1/auth/verify-email", { body: { token: "none" } }],
  [409, "POST", "/api/v1/auth/verify-email/resend", { token }],
  [200, "POST", `${home}/privacy/erase`, { token, body: { visitorId: "nobody" } }],
  [400, "POST", `${home}/privacy/erase`, { token, body: {} }],
  [200, "GET", "/api/v1/auth/2fa", { token }],
  [401, "GET", "/api/v1/auth/2fa", {}],
  [400, "POST", "/api/v1/auth/2fa/enable", { token, body: { code: "123456" } }],
  [400, "POST", "/api/v1/auth/2fa/disable", { token, body: {} }],
  [409, "POST", "/api/v1/auth/2fa/disable", { token, body: { password: account.password, code: "123456" } }],
  [200, "GET", "/api/v1/auth/sessions", { token }],
  [400, "GET", "/api/v1/auth/sessions?limit=0", { token }],
  [404, "DELETE", `/api/v1/auth/sessions/${unknown}`, { token }],
  [200, "GET", `/api/v1/resolve?domain=${service.host}&slug=kept`, {}],
  [400, "GET", "/api/v1/resolve?slug=kept", {}],
  [404, "GET", `/api/v1/resolve?domain=${service.host}&slug=unknown`, {}],
  [200, "POST", "/api/v1/match", { body: { matchToken: await mint(link._id) } }],
  [200, "POST", "/api/v1/match", { body: { matchToken: "none" } }],
  [400, "POST", "/api/v1/match", { body: {} }],
  [413, "POST", "/api/v1/match", { body: JSON.stringify({ matchToken: "x".repeat(300_000) }) }],
  [415, "POST", "/api/v1/match", { body: "matchToken=none", headers: { "content-type": "text/plain" } }],
  [200, "POST", "/api/v1/match/install-attribution", { body: { ct: await mint(link._id) } }],
  [200, "POST", "/api/v1/match/install-attribution", { body: { campaignToken: "none", provider: "custom" } }],
  [400, "POST", "/api/v1/match/install-attribution", { body: { ct: "none", provider: "unknown" } }],
  [413, "POST", "/api/v1/match/install-attribution", { body: JSON.stringify({ ct: "x".repeat(300_000) }) }],
  [415, "POST", "/api/v1/match/install-attribution", { body: "ct=none", headers: { "content-type": "text/plain" } }],
  [200, "GET", "/api/v1/public/dashboard-branding?hostname=app.example.com", {}],
  [400, "GET", "/api/v1/public/dashboard-branding", {}],
  [200, "GET", `/api/v1/public/app-icons/apps/${appId}`, {}],
  [304, "GET", `/api/v1/public/app-icons/apps/${appId}`, { headers: { "if-none-match": "*" } }],
  [404, "GET", `/api/v1/public/app-icons/apps/${unknown}`, {}],
  [200, "GET", `/api/v1/public/app-icons/domains/${iconDomainId}`, {}],
  [404, "GET", `/api/v1/public/app-icons/domains/${unknown}`, {}],
  [200, "GET", `/api/v1/public/app-icons/organizations/${orgId}`, {}],
  [404, "GET", "/api/v1/public/app-icons/organizations/none", {}],
  [201, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://shop.example.com/", slug: "keyed" } }],
  [400, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "no URL" } }],
  [401, "POST", "/api/v1/links", { token, body: { defaultUrl: "https://shop.example.com/" } }],
  [409, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://shop.example.com/", slug: "kept" } }],
  [200, "GET", `/api/v1/links/${link._id}`, { apiKey }],
  [401, "GET", `/api/v1/links/${link._id}`, { apiKey: "wm_live_none" }],
  [404, "GET", `/api/v1/links/${unknown}`, { apiKey }],
  [200, "GET", `/api/v1/links/${link._id}/qrcode`, { apiKey }],
  [206, "GET", `/api/v1/links/${link._id}/qrcode?format=svg`, { apiKey }],
  [400, "GET", `/api/v1/links/${link._id}/qrcode?dark=%23fff`, { apiKey }],
  [404, "GET", `/api/v1/links/${unknown}/qrcode`, { apiKey }],
  [201, "POST", "/api/v1/organizations", { token, body: { name: "Another" } }],
  [400, "POST", "/api/v1/organizations", { token, body: {} }],
  [200, "GET", home, { token }],
  [404, "GET", home, { token: stranger.token }],
  [200, "PATCH", home, { token, body: { name: "Acme", branding, settings: { appendClickId: false } } }],
  [400, "PATCH", home, { token, body: { name: null } }],
  [404, "PATCH", home, { token: stranger.token, body: {} }],
  [200, "GET", `${home}/members`, { token }],
  [400, "GET", `${home}/members?limit=0`, { token }],
  [404, "GET", `${home}/members`, { token: stranger.token }],
  [400, "POST", `${home}/members/invite`, { token, body: { email: "bob", role: "root" } }],
  [409, "POST", `${home}/members/invite`, { token, body: { email: account.email, role: "viewer" } }],
  [400, "PATCH", `${home}/members/${unknown}`, { token, body: {} }],
  [404, "PATCH", `${home}/members/${unknown}`, { token, body: { role: "viewer" } }],
  [404, "DELETE", `${home}/members/${unknown}`, { token }],
  [200, "GET", `${home}/links?limit=2&search=shop`, { token }],
  [400, "GET", `${home}/links?limit=many`, { token }],
  [404, "GET", `${home}/links`, { token: stranger.token }],
  [201, "POST", `${home}/links`, { token, body: everything }],
  [400, "POST", `${home}/links`, { token, body: { ...everything, slug: "docs", rules: [{}] } }],
  [201, "PUT", `${home}/links/by-external-id/order-7`, { token, body: { ...everything, slug: "by-own-id" } }],
  [200, "PUT", `${home}/links/by-external-id/order-7`, { token, body: { ...everything, slug: "by-own-id" } }],
  [400, "PUT", `${home}/links/by-external-id/order-7`, { token, body: { ...everything, externalId: "other" } }],
  [409, "PATCH", `${home}/links/${link._id}`, { token, body: { externalId: "order-7" } }],
  [409, "PUT", `${home}/links/by-external-id/order-8`, { token, body: { ...everything, slug: "by-own-id" } }],
  [404, "PUT", `${home}/links/by-external-id/order-7`, { token: stranger.token, body: everything }],
  [200, "POST", `${home}/links/preview`, { token, body: { slug: "kept", platform: "ios" } }],
  [400, "POST", `${home}/links/preview`, { token, body: {} }],
  [404, "POST", `${home}/links/preview`, { token, body: { slug: "unknown" } }],
  [200, "POST", `${home}/links/${link._id}/preview/traffic`, { token, body: { link: { rules: [] }, days: 30 } }],
  [400, "POST", `${home}/links/${link._id}/preview/traffic`, { token, body: { days: 31 } }],
  [404, "POST", `${home}/links/${unknown}/preview/traffic`, { token, body: {} }],
  [200, "POST", `${home}/links/bulk`, { token, body: { links: [{ ...everything, slug: "first-of-many" }, {}, null] } }],
  [400, "POST", `${home}/links/bulk`, { token, body: { links: [] } }],
  [404, "POST", `${home}/links/bulk`, { token: stranger.token, body: { links: [{}] } }],
  [200, "PATCH", `${home}/links/bulk`, { token, body: { ids: [link._id, unknown], changes: { addTags: ["bulk"] } } }],
  [400, "PATCH", `${home}/links/bulk`, { token, body: { changes: {} } }],
  [409, "PATCH", `${home}/links/bulk`, { token, body: { ids: [], expected: 1, changes: {} } }],
  [404, "PATCH", `${home}/links/bulk`, { token: stranger.token, body: { ids: [], changes: {} } }],
  [200, "POST", `${home}/links/bulk-delete`, { token, body: { ids: [unknown] } }],
  [400, "POST", `${home}/links/bulk-delete`, { token, body: { filter: {} } }],
  [409, "POST", `${home}/links/bulk-delete`, { token, body: { filter: { tags: ["no such"] }, expected: 1 } }],
  [404, "POST", `${home}/links/bulk-delete`, { token: stranger.token, body: { ids: [] } }],
  [413, "POST", `${home}/links/bulk`, { token, body: JSON.stringify({ links: ["x".repeat(1_100_000)] }) }],
  [200, "POST", `${home}/links/utm/generate`, { token, body: { destinationUrl: link.defaultUrl, title: "Spring" } }],
  [200, "POST", `${home}/links/utm/generate`, { token, body: {} }],
  [400, "POST", `${home}/links/utm/generate`, { token, body: { destinationUrl: "no URL" } }],
  [404, "POST", `${home}/links/utm/generate`, { token: stranger.token, body: {} }],
  [200, "POST", `${home}/ai/marketing-assistant`, { token, body: { goal: "More installs", channel: "Instagram" } }],
  [200, "POST", `${home}/ai/marketing-assistant`, { token, body: { goal: "More sales", linkId: link._id } }],
  [400, "POST", `${home}/ai/marketing-assistant`, { token, body: { goal: " ", productUrl: "no URL" } }],
  [404, "POST", `${home}/ai/marketing-assistant`, { token, body: { goal: "More sales", linkId: unknown } }],
  [202, "POST", `${home}/exports`, { token }],
  [404, "POST", `${home}/exports`, { token: stranger.token }],
  [200, "GET", `${home}/exports`, { token }],
  [400, "GET", `${home}/exports?page=0`, { token }],
  [200, "GET", `${home}/exports/${exportId}`, { token }],
  [404, "GET", `${home}/exports/${unknown}`, { token }],
  [200, "GET", `${home}/exports/${exportId}/download`, { token }],
  [404, "GET", `${home}/exports/${unknown}/download`, { token }],
  [200, "DELETE", `${home}/exports/${exportId}`, { token }],
  [404, "DELETE", `${home}/exports/${exportId}`, { token }],
  [200, "GET", `${home}/links/export.csv`, { token }],
  [200, "GET", `${home}/links/export.csv?tag=spring&isArchived=false&state=serving&search=shop`, { token }],
  [400, "GET", `${home}/links/export.csv?state=asleep`, { token }],
  [404, "GET", `${home}/links/export.csv?domainId=${unknown}`, { token }],
  [200, "GET", `${home}/links/export.jsonl`, { token }],
  [400, "GET", `${home}/links/export.jsonl?isArchived=maybe`, { token }],
  [404, "GET", `${home}/links/export.jsonl`, { token: stranger.token }],
  [200, "GET", `${home}/links/${link._id}/revisions`, { token }],
  [400, "GET", `${home}/links/${link._id}/revisions?page=0`, { token }],
  [404, "GET", `${home}/links/${unknown}/revisions`, { token }],
  [200, "GET", `${home}/links/${link._id}/leads`, { token }],
  [400, "GET", `${home}/links/${link._id}/leads?limit=0`, { token }],
  [404, "GET", `${home}/links/${unknown}/leads`, { token }],
  [200, "GET", `${home}/links/${link._id}/leads/export.csv`, { token }],
  [404, "GET", `${home}/links/${unknown}/leads/export.csv`, { token }],
  [200, "DELETE", `${home}/links/${link._id}/leads/${leadId}`, { token }],
  [404, "DELETE", `${home}/links/${link._id}/leads/${unknown}`, { token }],
  [404, "DELETE", `${home}/links/${link._id}/leads/${leadId}`, { token: stranger.token }],
  [200, "GET", `${home}/links/${link._id}`, { token }],
  [404, "GET", `${home}/links/${unknown}`, { token }],
  [200, "PATCH", `${home}/links/${link._id}`, { token, body: { title: "Renamed", tags: null } }],
  [400, "PATCH", `${home}/links/${link._id}`, { token, body: { defaultUrl: null } }],
  [404, "PATCH", `${home}/links/${unknown}`, { token, body: { title: "Renamed" } }],
  [200, "POST", `${home}/links/${link._id}/safety/rescan`, { token }],
  [401, "POST", `${home}/links/${link._id}/safety/rescan`, {}],
  [404, "POST", `${home}/links/${unknown}/safety/rescan`, { token }],
  [201, "POST", `${home}/links`, { token, body: { defaultUrl: "https://bit.ly/suspicious" } }],
  [200, "GET", `${home}/links/${link._id}/qrcode?format=pdf`, { token }],
  [400, "GET", `${home}/links/${link._id}/qrcode?logo=none&logoUrl=https://acme.example/logo.png`, { token }],
  [404, "GET", `${home}/links/${unknown}/qrcode`, { token }],
  [200, "POST", `${home}/links/${link._id}/qrcode/style`, { token, body: { theme: "warm", placement: "poster" } }],
  [200, "POST", `${home}/links/${link._id}/qrcode/style`, { token }],
  [400, "POST", `${home}/links/${link._id}/qrcode/style`, { token, body: { accentColor: "red" } }],
  [404, "POST", `${home}/links/${unknown}/qrcode/style`, { token, body: {} }],
  [200, "GET", `${home}/analytics/overview`, { token }],
  [400, "GET", `${home}/analytics/overview?from=yesterday`, { token }],
  [404, "GET", `${home}/analytics/overview`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/abuse-queue?status=all`, { token }],
  [400, "GET", `${home}/analytics/abuse-queue?status=guilty`, { token }],
  [404, "GET", `${home}/analytics/abuse-queue`, { token: stranger.token }],
  [400, "GET", `${home}/analytics/abuse-queue?addressId=192.0.2.1`, { token }],
  [404, "GET", `${home}/analytics/abuse-queue?linkId=${unknown}`, { token }],
  [200, "GET", `${home}/analytics/abuse-queue/groups?by=address&status=all`, { token }],
  [200, "GET", `${home}/analytics/abuse-queue/groups?by=link`, { token }],
  [400, "GET", `${home}/analytics/abuse-queue/groups?by=colour`, { token }],
  [404, "GET", `${home}/analytics/abuse-queue/groups?by=link`, { token: stranger.token }],
  [
    200,
    "POST",
    `${home}/analytics/abuse-queue/bulk`,
    { token, body: { addressId: "0".repeat(16), status: "confirmed" } },
  ],
  [400, "POST", `${home}/analytics/abuse-queue/bulk`, { token, body: { status: "confirmed" } }],
  [404, "POST", `${home}/analytics/abuse-queue/bulk`, { token, body: { linkId: unknown, status: "confirmed" } }],
  [200, "PATCH", `${home}/analytics/abuse-queue/${clickId}`, { token, body: { status: "dismissed", note: "ours" } }],
  [400, "PATCH", `${home}/analytics/abuse-queue/${clickId}`, { token, body: {} }],
  [404, "PATCH", `${home}/analytics/abuse-queue/${unknown}`, { token, body: { status: "confirmed" } }],
  [201, "POST", "/api/v1/events", { apiKey, body: { name: "purchase", linkId: link._id, value: 1.5, metadata: {} } }],
  [400, "POST", "/api/v1/events", { apiKey, body: { value: 1 } }],
  [401, "POST", "/api/v1/events", { token, body: { name: "purchase" } }],
  [404, "POST", "/api/v1/events", { apiKey, body: { name: "purchase", linkId: unknown } }],
  ...["insights", "anomalies", "conversion-prediction", "best-destination", "broken-campaigns"].flatMap(
    (computed): Case[] => [
      [200, "GET", `${home}/analytics/${computed}`, { token }],
      [200, "GET", `${home}/analytics/${computed}?linkId=${link._id}&includeBots=true`, { token }],
      [400, "GET", `${home}/analytics/${computed}?from=yesterday`, { token }],
      [401, "GET", `${home}/analytics/${computed}`, {}],
      [404, "GET", `${home}/analytics/${computed}?linkId=${unknown}`, { token }],
      [404, "GET", `${home}/analytics/${computed}`, { token: stranger.token }],
    ],
  ),
  [200, "GET", `${home}/analytics/overview?country=DE&country=AT&rule=none&compare=previous`, { token }],
  [404, "GET", `${home}/analytics/overview?domainId=${unknown}`, { token }],
  [200, "GET", `${home}/analytics/breakdown?by=utmTerm&limit=5&city=Frankfurt%2C%20Main`, { token }],
  [200, "GET", `${home}/analytics/breakdown?by=tag`, { token }],
  [200, "GET", `${home}/analytics/breakdown?by=hourOfWeek&tag=spring`, { token }],
  [400, "GET", `${home}/analytics/breakdown?by=colour`, { token }],
  [401, "GET", `${home}/analytics/breakdown?by=country`, {}],
  [404, "GET", `${home}/analytics/breakdown?by=country&linkId=${unknown}`, { token }],
  [404, "GET", `${home}/analytics/breakdown?by=country`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/top-links?limit=5`, { token }],
  [200, "GET", `${home}/analytics/top-links?country=AT&country=unknown&linkId=${link._id}`, { token }],
  [400, "GET", `${home}/analytics/top-links?limit=101`, { token }],
  [404, "GET", `${home}/analytics/top-links?domainId=${unknown}`, { token }],
  [404, "GET", `${home}/analytics/top-links`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/trends?linkId=${link._id}&linkId=${link._id}&days=30`, { token }],
  [400, "GET", `${home}/analytics/trends`, { token }],
  [400, "GET", `${home}/analytics/trends?${unknownLinks(101)}`, { token }],
  [404, "GET", `${home}/analytics/trends?${unknownLinks(100)}`, { token }],
  [400, "GET", `${home}/analytics/trends?linkId=${link._id}&days=8`, { token }],
  [401, "GET", `${home}/analytics/trends?linkId=${link._id}`, {}],
  [404, "GET", `${home}/analytics/trends?linkId=${link._id}&linkId=${unknown}`, { token }],
  [404, "GET", `${home}/analytics/trends?linkId=${link._id}`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/clicks?limit=5&includeBots=true`, { token }],
  [200, "GET", `${home}/analytics/clicks?rule=none&rule=0&country=unknown&platform=desktop`, { token }],
  [400, "GET", `${home}/analytics/clicks?cursor=none`, { token }],
  [404, "GET", `${home}/analytics/clicks?linkId=${unknown}`, { token }],
  [404, "GET", `${home}/analytics/clicks`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/clicks/export.csv?includeBots=true`, { token }],
  [400, "GET", `${home}/analytics/clicks/export.csv?from=yesterday`, { token }],
  [404, "GET", `${home}/analytics/clicks/export.csv?linkId=${unknown}`, { token }],
  [200, "GET", `${home}/analytics/clicks/${clickId}`, { token }],
  [404, "GET", `${home}/analytics/clicks/${unknown}`, { token }],
  [200, "GET", `${home}/analytics/unserved?limit=5`, { token }],
  [400, "GET", `${home}/analytics/unserved?reason=bored`, { token }],
  [404, "GET", `${home}/analytics/unserved?domainId=${unknown}`, { token }],
  [404, "GET", `${home}/analytics/unserved`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/export.csv`, { token }],
  [200, "GET", `${home}/analytics/export.csv?country=AT&rule=none`, { token }],
  [400, "GET", `${home}/analytics/export.csv?rule=first`, { token }],
  [400, "GET", `${home}/analytics/export.csv?from=yesterday`, { token }],
  [404, "GET", `${home}/analytics/export.csv?linkId=${unknown}`, { token }],
  [400, "GET", `${home}/analytics/overview/stream?intervalMs=10`, { token }],
  [404, "GET", `${home}/analytics/overview/stream`, { token: stranger.token }],
  [404, "GET", `${home}/analytics/overview/stream?linkId=${unknown}`, { token }],
  [200, "GET", `${home}/analytics/reports`, { token }],
  [400, "GET", `${home}/analytics/reports?page=0`, { token }],
  [
    200,
    "POST",
    `${home}/analytics/reports`,
    { token, body: { ...report, filters: { period: "7d", linkId: link._id } } },
  ],
  [400, "POST", `${home}/analytics/reports`, { token, body: { ...report, metrics: ["revenue"] } }],
  [404, "POST", `${home}/analytics/reports`, { token, body: { ...report, filters: { linkId: unknown } } }],
  [404, "POST", `${home}/analytics/reports`, { token, body: { ...report, filters: { domainId: [unknown] } } }],
  [404, "PATCH", `${home}/analytics/reports/${unknown}`, { token, body: report }],
  [404, "DELETE", `${home}/analytics/reports/${unknown}`, { token }],
  [404, "GET", `${home}/analytics/reports/${unknown}/export.csv`, { token }],
  [200, "GET", `${home}/imports`, { token }],
  [400, "GET", `${home}/imports?page=0`, { token }],
  [400, "POST", `${home}/imports`, { token, body: {} }],
  [415, "POST", `${home}/imports`, { token, body: "slug,url", headers: { "content-type": "text/csv" } }],
  [404, "GET", `${home}/imports/${unknown}`, { token }],
  [200, "GET", `${home}/imports/${importId}`, { token }],
  [200, "GET", `${home}/imports/${importId}/ledger`, { token }],
  [400, "GET", `${home}/imports/${importId}/ledger?result=lost`, { token }],
  [404, "GET", `${home}/imports/${unknown}/ledger`, { token }],
  [200, "GET", `${home}/imports/${importId}/ledger.csv`, { token }],
  [404, "GET", `${home}/imports/${unknown}/ledger.csv`, { token }],
  [404, "POST", `${home}/imports/${unknown}/verify`, { token }],
  [404, "POST", `${home}/imports/${unknown}/rollback`, { token }],
  [404, "POST", `${home}/imports/${unknown}/cancel`, { token }],
  [409, "POST", `${home}/imports/${importId}/cancel`, { token }],
  [200, "GET", `${home}/sso`, { token }],
  [404, "GET", `${home}/sso`, { token: stranger.token }],
  [400, "PATCH", `${home}/sso`, { token, body: { enabled: true } }],
  [404, "PATCH", `${home}/sso`, { token: stranger.token, body: {} }],
  [400, "GET", "/api/v1/auth/sso/start", {}],
  [404, "GET", "/api/v1/auth/sso/start?orgSlug=unknown", {}],
  [302, "GET", "/api/v1/auth/sso/callback?code=a&state=b", {}],
  [400, "POST", "/api/v1/auth/sso/exchange", { body: { code: "unknown", codeVerifier: "v".repeat(43) } }],
  [200, "GET", `${home}/usage`, { token }],
  [404, "GET", `${home}/usage`, { token: stranger.token }],
  [200, "GET", `${home}/webhooks`, { token }],
  [400, "GET", `${home}/webhooks?page=0`, { token }],
  [404, "GET", `${home}/webhooks`, { token: stranger.token }],
  [200, "POST", `${home}/webhooks`, { token, body: webhookInput }],
  [400, "POST", `${home}/webhooks`, { token, body: { ...webhookInput, url: "http://10.0.0.1/" } }],
  [413, "POST", `${home}/webhooks`, { token, body: JSON.stringify({ url: "x".repeat(300_000) }) }],
  [415, "POST", `${home}/webhooks`, { token, body: "url=a", headers: { "content-type": "text/plain" } }],
  [200, "PATCH", webhook.path, { token, body: { description: null } }],
  [400, "PATCH", webhook.path, { token, body: { events: [] } }],
  [404, "PATCH", `${home}/webhooks/${unknown}`, { token, body: webhookInput }],
  [200, "POST", `${webhook.path}/rotate-secret`, { token }],
  [404, "POST", `${home}/webhooks/${unknown}/rotate-secret`, { token }],
  [200, "POST", `${webhook.path}/test`, { token, body: {} }],
  [200, "POST", `${webhook.path}/test`, { token }],
  [400, "POST", `${webhook.path}/test`, { token, body: { event: "install" } }],
  [404, "POST", `${home}/webhooks/${unknown}/test`, { token, body: {} }],
  [200, "GET", `${webhook.path}/deliveries?status=failed`, { token }],
  [400, "GET", `${webhook.path}/deliveries?status=lost`, { token }],
  [404, "GET", `${home}/webhooks/${unknown}/deliveries`, { token }],
  [200, "GET", `${webhook.path}/deliveries/${deliveryId}`, { token }],
  [404, "GET", `${webhook.path}/deliveries/${unknown}`, { token }],
  [200, "POST", `${webhook.path}/deliveries/${deliveryId}/redeliver`, { token }],
  [404, "POST", `${webhook.path}/deliveries/${unknown}/redeliver`, { token }],
  [404, "DELETE", `${home}/webhooks/${unknown}`, { token }],
  [200, "GET", `${home}/bio-pages`, { token }],
  [400, "GET", `${home}/bio-pages?page=0`, { token }],
  [404, "GET", `${home}/bio-pages`, { token: stranger.token }],
  [200, "POST", `${home}/bio-pages`, { token, body: bioPage }],
  [400, "POST", `${home}/bio-pages`, { token, body: { ...bioPage, theme: { accent: "red" } } }],
  [404, "POST", `${home}/bio-pages`, { token, body: { title: "Acme", links: [{ title: "a", linkId: unknown }] } }],
  [409, "POST", `${home}/bio-pages`, { token, body: { title: "Acme", slug: "kept" } }],
  [413, "POST", `${home}/bio-pages`, { token, body: JSON.stringify({ title: "x".repeat(300_000) }) }],
  [415, "POST", `${home}/bio-pages`, { token, body: "title=a", headers: { "content-type": "text/plain" } }],
  [200, "GET", `${home}/bio-pages/${bioPageId}`, { token }],
  [404, "GET", `${home}/bio-pages/${unknown}`, { token }],
  [200, "PATCH", `${home}/bio-pages/${bioPageId}`, { token, body: { ...bioPage, bio: null } }],
  [400, "PATCH", `${home}/bio-pages/${bioPageId}`, { token, body: { title: null } }],
  [404, "PATCH", `${home}/bio-pages/${unknown}`, { token, body: bioPage }],
  [404, "DELETE", `${home}/bio-pages/${unknown}`, { token }],
  [200, "GET", `${home}/apps`, { token }],
  [400, "GET", `${home}/apps?page=0`, { token }],
  [404, "GET", `${home}/apps`, { token: stranger.token }],
  [200, "POST", `${home}/apps`, { token, body: { name: "Acme" } }],
  [400, "POST", `${home}/apps`, { token, body: { ...appProfile, ios: { teamId: "acme" } } }],
  [200, "GET", `${home}/apps/${appId}`, { token }],
  [404, "GET", `${home}/apps/${unknown}`, { token }],
  [404, "PATCH", `${home}/apps/${unknown}`, { token, body: appProfile }],
  [412, "PATCH", `${home}/apps/${appId}`, { token, body: appProfile, headers: STALE }],
  [412, "PATCH", `${home}/links/${link._id}`, { token, body: { title: "Sale" }, headers: STALE }],
  [412, "PUT", `${home}/links/by-external-id/order-412`, { token, body: everything, headers: STALE }],
  [412, "PATCH", home, { token, body: { name: "Acme" }, headers: STALE }],
  [412, "PATCH", `${home}/bio-pages/${bioPageId}`, { token, body: { title: "Acme" }, headers: STALE }],
  [412, "PATCH", `${home}/sso`, { token, body: { clientId: "waymark" }, headers: STALE }],
  [404, "DELETE", `${home}/apps/${unknown}`, { token }],
  [200, "GET", `${home}/domains`, { token }],
  [400, "GET", `${home}/domains?limit=0`, { token }],
  [404, "GET", `${home}/domains`, { token: stranger.token }],
  [400, "POST", `${home}/domains`, { token, body: { hostname: "https://go.acme.com" } }],
  [404, "GET", `${home}/domains/${unknown}/configuration`, { token }],
  [400, "GET", `${home}/domains/${unknown}/configuration?check=maybe`, { token }],
  [404, "POST", `${home}/domains/${unknown}/verify`, { token }],
  [404, "PATCH", `${home}/domains/${unknown}/dashboard`, { token, body: { enabled: true } }],
  [404, "GET", `${home}/domains/${unknown}`, { token }],
  [404, "PATCH", `${home}/domains/${unknown}`, { token, body: { redirects: null } }],
  [404, "DELETE", `${home}/domains/${unknown}`, { token }],
  [200, "GET", "/ready", {}],
  [200, "GET", "/metrics", {}],
  [401, "GET", "/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } }],
  [200, "GET", "/internal/tls/ask?domain=localhost", {}],
  [400, "GET", "/internal/tls/ask", {}],
  [401, "GET", "/internal/tls/ask", { headers: { "x-forwarded-for": "203.0.113.9" } }],
  [404, "GET", "/internal/tls/ask?domain=unknown.acme.com", {}],
  [404, "PATCH", `${home}/domains/${unknown}/app-config`, { token, body: { fallback: "web" } }],
  [200, "GET", `${home}/audit-logs?limit=5&resourceType=link`, { token }],
  [400, "GET", `${home}/audit-logs?from=yesterday`, { token }],
  [404, "GET", `${home}/audit-logs`, { token: stranger.token }],
  [200, "GET", `${home}/api-keys`, { token }],
  [201, "POST", `${home}/api-keys`, { token, body: { name: "server", scopes: ["links:read"] } }],
  [400, "POST", `${home}/api-keys`, { token, body: { name: "server", scopes: ["everything"] } }],
  [404, "DELETE", `${home}/api-keys/${unknown}`, { token }],
  [201, "POST", `${home}/access-tokens`, { token, body: { name: "script", scopes: ["read", "analytics"] } }],
  [400, "POST", `${home}/access-tokens`, { token, body: { name: "script", scopes: ["everything"] } }],
  [200, "GET", `${home}/access-tokens?mine=true`, { token }],
  [404, "DELETE", `${home}/access-tokens/${unknown}`, { token }],
];

/** Ids of the operations that have succeeded. */
const seen = new Set<string | undefined>();

async function conforms([status, method, path, options]: Case): Promise<Reply<Record<string, unknown>>> {
  const reply = await service.call(method, path, options);
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
  await expectConforms(reply, method, path);
  if (status < 400) seen.add(operationAt(document, method, path)?.operationId);
  return reply;
}

describe("responses match the document", () => {
  test.each(calls)("%i %s %s", async (status, method, path, options) => {
    await conforms([status, method, path, options]);
  });

  test("for a revoked API key and access token, a deleted link and bio page, and an ended session", async () => {
    const key = await service.call("POST", `${home}/api-keys`, { token, body: { name: "gone", scopes: ["qr:read"] } });
    await conforms([200, "DELETE", `${home}/api-keys/${key.body._id}`, { token }]);
    const input = { name: "gone", scopes: ["manage"] };
    const script = await service.call("POST", `${home}/access-tokens`, { token, body: input });
    const body = { name: "renamed by a script" };
    await conforms([200, "PATCH", home, { token: String(script.body.token), body }]);
    await conforms([200, "GET", `${home}/audit-logs?action=organization.update`, { token }]);
    await conforms([403, "GET", `${home}/access-tokens`, { token: String(script.body.token) }]);
    await conforms([200, "DELETE", `${home}/access-tokens/${script.body._id}`, { token }]);
    await conforms([200, "DELETE", `${home}/links/${link._id}`, { token }]);
    await conforms([200, "DELETE", `${home}/bio-pages/${bioPageId}`, { token }]);
    await conforms([200, "POST", "/api/v1/auth/logout", { token: stranger.token }]);
    await conforms([401, "GET", "/api/v1/auth/me", { token: stranger.token }]);
    const guarded = await withTwoFactor(service, await service.register(), Date.now());
    const proof = { password: guarded.password, code: guarded.recoveryCodes[0] };
    await conforms([200, "POST", "/api/v1/auth/2fa/disable", { token: guarded.token, body: proof }]);
  });

  test("for an address that is confirmed with a second email", async () => {
    const registered = registration();
    const { body } = await conforms([201, "POST", "/api/v1/auth/register", { body: registered }]);
    const signedIn = { token: String(body.token) };
    const [organization] = Array.isArray(body.organizations) ? body.organizations : [];
    const invited = { email: "dora@example.com", role: "viewer" };
    const invite = `/api/v1/organizations/${organization?._id}/members/invite`;
    await conforms([403, "POST", invite, { ...signedIn, body: invited }]);
    await conforms([403, "POST", "/api/v1/auth/2fa/setup", signedIn]);
    await conforms([200, "POST", "/api/v1/auth/verify-email/resend", signedIn]);
    const mailed = () => smtp.mails.filter(({ to }) => to.includes(registered.email));
    for (let mails = 1; mailed().length < 2; mails++) await smtp.until(mails);
    const proof = { token: /token=([\w.-]+)$/m.exec(mailed()[1]?.text ?? "")?.[1] };
    await conforms([200, "POST", "/api/v1/auth/verify-email", { body: proof }]);
  });

  test("for a forgotten password that is reset with a token", async () => {
    const { email } = await service.register();
    const hash = new Bun.CryptoHasher("sha256").update("of the mail").digest();
    await service.sql`insert into password_resets (id, user_id, hash, expires_at)
      select ${Bun.randomUUIDv7()}, id, ${hash}, now() + interval '1 hour' from users where email = ${email}`;
    const body = { token: "of the mail", password: "quartz trombone lagoon" };
    await conforms([200, "POST", "/api/v1/auth/password/reset", { body }]);
  });

  test("for two-factor from its setup to a failed attempt to disable it", async () => {
    const { email, password, token } = await service.register();
    const { body: setup } = await conforms([200, "POST", "/api/v1/auth/2fa/setup", { token }]);
    const [at, secret] = [Date.now(), String(setup.secret)];
    await conforms([200, "POST", "/api/v1/auth/2fa/enable", { token, body: { code: codeAt(secret, at) } }]);
    await conforms([409, "POST", "/api/v1/auth/2fa/setup", { token }]);
    const { body } = await conforms([200, "POST", "/api/v1/auth/login", { body: { email, password } }]);
    const answer = { challengeToken: body.challengeToken, code: codeAt(secret, at + STEP_MS) };
    await conforms([200, "POST", "/api/v1/auth/login/2fa", { body: answer }]);
    await conforms([401, "POST", "/api/v1/auth/login/2fa", { body: answer }]);
    const { body: listed } = await conforms([200, "GET", "/api/v1/auth/sessions", { token }]);
    const [newest] = Array.isArray(listed.sessions) ? listed.sessions : [];
    await conforms([200, "DELETE", `/api/v1/auth/sessions/${newest?._id}`, { token }]);
    const wrong = { password: "a wrong passphrase", code: "123456" };
    await conforms([400, "POST", "/api/v1/auth/2fa/disable", { token, body: wrong }]);
  });

  test("for a webhook that is turned off and deleted", async () => {
    const { _id, path } = await createWebhook(service, account, webhookInput.url, ["click"]);
    const failed = await addDelivery(service, orgId, _id);
    await conforms([200, "PATCH", path, { token, body: { isActive: false } }]);
    await conforms([409, "POST", `${path}/deliveries/${failed}/redeliver`, { token }]);
    await conforms([200, "DELETE", path, { token }]);
  });

  test("for a member from invitation to removal, and for the last owner, who cannot be removed", async () => {
    const registered = registration();
    const body = { email: registered.email, role: "viewer" };
    const { body: invited } = await conforms([200, "POST", `${home}/members/invite`, { token, body }]);
    const joining = { ...registered, organizationName: undefined, inviteToken: invited.inviteToken };
    await conforms([201, "POST", "/api/v1/auth/register", { body: joining }]);
    await conforms([400, "POST", "/api/v1/auth/register", { body: { ...joining, email: "carol@example.com" } }]);
    const path = `${home}/members/${invited._id}`;
    await conforms([200, "PATCH", path, { token, body: { role: "owner" } }]);
    await conforms([200, "PATCH", path, { token, body: { role: "admin" } }]);
    const { body: listed } = await conforms([200, "GET", `${home}/members`, { token }]);
    const owners = Array.isArray(listed.members) ? listed.members.filter(({ role }) => role === "owner") : [];
    await conforms([409, "DELETE", `${home}/members/${owners[0]?._id}`, { token }]);
    await conforms([200, "DELETE", path, { token }]);
  });

  test("for single sign-on from its setup to the exchange of a code", async () => {
    const { issuer, clientId, clientSecret } = provider;
    const settings = { enabled: true, issuer, clientId, clientSecret, allowedDomains: ["acme.dev"], enforce: false };
    const body = { ...settings, defaultRole: "member" };
    const { body: configuration } = await conforms([200, "PATCH", `${home}/sso`, { token, body }]);
    await conforms([200, "GET", `${home}/sso`, { token }]);
    const { search } = new URL(String(configuration.startUrl));
    await conforms([302, "GET", `/api/v1/auth/sso/start${search}`, {}]);
    const [code, codeVerifier] = ["the code of a dashboard", "v".repeat(43)];
    const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text);
    await service.sql`
      insert into sso_codes (id, hash, org_id, issuer, user_id, code_challenge, expires_at)
      select ${Bun.randomUUIDv7()}, ${sha256(code).digest()}, ${account.orgId}, ${issuer}, id,
        ${sha256(codeVerifier).digest("base64url")}, now() + interval '1 minute'
      from users where email = ${account.email}`;
    await conforms([200, "POST", "/api/v1/auth/sso/exchange", { body: { code, codeVerifier } }]);
  });

  test("for a domain from its creation to its deletion", async () => {
    const body = { hostname: "go.acme.com" };
    const { body: domain } = await conforms([201, "POST", `${home}/domains`, { token, body }]);
    await conforms([409, "POST", `${home}/domains`, { token, body }]);
    const path = `${home}/domains/${domain._id}`;
    await conforms([200, "GET", path, { token }]);
    await conforms([200, "GET", `${path}/configuration`, { token }]);
    await conforms([412, "PATCH", path, { token, body: { redirects: null }, headers: STALE }]);
    await conforms([412, "PATCH", `${path}/dashboard`, { token, body: { enabled: true }, headers: STALE }]);
    await conforms([412, "PATCH", `${path}/app-config`, { token, body: { fallback: "web" }, headers: STALE }]);
    await conforms([200, "POST", `${path}/verify`, { token }]);
    await conforms([400, "PATCH", `${path}/dashboard`, { token, body: { enabled: true } }]);
    await conforms([400, "PATCH", path, { token, body: { redirects: { root: "https://go.acme.com/home" } } }]);
    const [kept] = await service.sql`select verification_token as token from domains where id = ${String(domain._id)}`;
    dns.set("TXT", "_waymark.go.acme.com", String(kept?.token));
    await conforms([200, "POST", `${path}/verify`, { token }]);
    await conforms([200, "PATCH", `${path}/dashboard`, { token, body: { enabled: true, isPrimary: true } }]);
    const pageInput = { title: "Acme", domainId: String(domain._id) };
    const { body: page } = await conforms([200, "POST", `${home}/bio-pages`, { token, body: pageInput }]);
    const redirects = { root: { bioPageId: String(page._id) }, notFound: "https://acme.example/lost" };
    await conforms([200, "PATCH", path, { token, body: { redirects } }]);
    await conforms([409, "DELETE", `${home}/bio-pages/${page._id}`, { token }]);
    await conforms([200, "PATCH", path, { token, body: { redirects: { root: "https://acme.example/" } } }]);
    await conforms([200, "DELETE", `${home}/bio-pages/${page._id}`, { token }]);
    await conforms([200, "GET", `${path}/configuration?check=true`, { token }]);
    const naming = { defaultUrl: "https://shop.example.com/", domainId: String(domain._id) };
    const { _id } = await service.createLink(account, naming);
    await conforms([409, "DELETE", path, { token }]);
    await service.call("DELETE", `${home}/links/${_id}`, { token });
    await conforms([200, "DELETE", path, { token }]);
  });

  test("for an app profile from its creation to its deletion, and for a domain's app", async () => {
    const { body } = await conforms([200, "POST", `${home}/apps`, { token, body: appProfile }]);
    const path = `${home}/apps/${body._id}`;
    await conforms([200, "PATCH", path, { token, body: { ios: null, android: null, iconUrl: null } }]);
    await conforms([400, "PATCH", path, { token, body: { name: null } }]);
    const naming = await service.createLink(account, {
      defaultUrl: "https://shop.example.com/",
      appProfileId: `${body._id}`,
    });
    await conforms([409, "DELETE", path, { token }]);
    await service.call("DELETE", `${home}/links/${naming._id}`, { token });
    await conforms([200, "DELETE", path, { token }]);
    const domain = await addDomain(service, orgId, { hostname: "app.acme.example" });
    const { name: _, pathPrefix: __, ...appConfig } = appProfile;
    await conforms([200, "PATCH", `${home}/domains/${domain}/app-config`, { token, body: appConfig }]);
    await conforms([400, "PATCH", `${home}/domains/${domain}/app-config`, { token, body: { fallback: "app" } }]);
  });

  test("for an address that exceeds the limit on matches", async () => {
    const options = { body: { matchToken: "none" }, headers: { [CLIENT_HEADER]: "198.51.100.9" } };
    await Promise.all(Array.from({ length: 60 }, () => service.call("POST", "/api/v1/match", options)));
    await conforms([429, "POST", "/api/v1/match", options]);
    await conforms([429, "POST", "/api/v1/match/install-attribution", { ...options, body: { ct: "none" } }]);
  });

  test("for a report from its creation to its deletion", async () => {
    const { body } = await conforms([200, "POST", `${home}/analytics/reports`, { token, body: report }]);
    const path = `${home}/analytics/reports/${body._id}`;
    await conforms([200, "PATCH", path, { token, body: { description: null } }]);
    await conforms([400, "PATCH", path, { token, body: { filters: { period: "1y" } } }]);
    await conforms([200, "GET", `${path}/export.csv`, { token }]);
    await conforms([200, "DELETE", path, { token }]);
  });

  test("for an import from its upload to its rollback", async () => {
    const { body } = await upload(service, account, { text: "slug,url\nimported,https://shop.example.com/\n" });
    const path = `${home}/imports/${body._id}`;
    seen.add("createImport");
    await conforms([200, "GET", path, { token }]);
    await waitForImport(service, account, body._id);
    await conforms([202, "POST", `${path}/verify`, { token }]);
    await waitForImport(service, account, body._id);
    await conforms([202, "POST", `${path}/rollback`, { token }]);
    await waitForImport(service, account, body._id);
    await conforms([409, "POST", `${path}/rollback`, { token }]);
    await conforms([409, "POST", `${path}/verify`, { token }]);
    await service.sql`update imports set status = 'running', leased_until = now() + interval '1 hour' where id = ${body._id}`;
    await conforms([200, "POST", `${path}/cancel`, { token }]);
  });

  test("for a stream that stays open", async () => {
    const path = `${home}/analytics/overview/stream`;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(service.url + path, { headers, signal: leaving.signal });
    expect(response.status).toBe(200);
    await expectConforms(response, "GET", path);
    seen.add(operationAt(document, "GET", path)?.operationId);
    leaving.abort();
  });

  test("every operation of the document has succeeded in one of these tests", async () => {
    const operations = operationsOf(document).map(({ operationId }) => operationId);
    expect(operations.filter((id) => !seen.has(id))).toEqual([]);
  });
});

function registration() {
  const id = crypto.randomUUID().slice(0, 8);
  return { name: "Ada", email: `new-${id}@example.com`, password: `passphrase ${id}`, organizationName: "Acme" };
}
