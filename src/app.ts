/** The API: every resource's routes behind one guard. Composes, never listens; the edge stands in front (`service.ts`). */
import { Elysia } from "elysia";
import { createClaimSigns } from "@/clicks/claim-signs";
import { countOpen } from "@/clicks/count-open";
import * as visits from "@/clicks/erase-visits";
import { shareThrough } from "@/clicks/shared-marks";
import { isBotAfter, moveFigures } from "@/clicks/verdicts";
import { comparedHostname, hostnameOf } from "@/core/hostname";
import { type AccessChecks, access } from "@/http/access";
import { callerOf } from "@/http/caller";
import { dashboardOrigins } from "@/http/cors";
import { documentRoutes } from "@/http/docs";
import { unauthenticated } from "@/http/errors";
import { methodsAmong, type Routed } from "@/http/methods";
import { operatorCheck } from "@/http/operator";
import { createRateLimit } from "@/http/rate-limit";
import { wire } from "@/http/wire";
import { abuseRoutes } from "@/modules/abuse/routes";
import { createAbuseService } from "@/modules/abuse/service";
import { assistantApi } from "@/modules/ai/index";
import { clickRoutes } from "@/modules/analytics/click-routes";
import { createClickReader } from "@/modules/analytics/clicks";
import { LinkLeaders } from "@/modules/analytics/queries/leaders";
import { PackedFigures } from "@/modules/analytics/queries/packed";
import { analyticsRoutes } from "@/modules/analytics/routes";
import { createAnalytics } from "@/modules/analytics/service";
import { createOverviewStream } from "@/modules/analytics/stream";
import { createTopLinks } from "@/modules/analytics/top-links";
import { createUnservedVisits } from "@/modules/analytics/unserved";
import { apiKeyRoutes } from "@/modules/api-keys/routes";
import { createApiKeyService } from "@/modules/api-keys/service";
import { appPageRoutes } from "@/modules/app-pages/routes";
import { appRoutes } from "@/modules/apps/routes";
import { createAppService } from "@/modules/apps/service";
import { auditLogRoutes } from "@/modules/audit-logs/routes";
import { createAuditLogService } from "@/modules/audit-logs/service";
import { createAddressRules } from "@/modules/auth/address-rules";
import { emailProofRoutes } from "@/modules/auth/email-proof-routes";
import { createAccounts } from "@/modules/auth/parts";
import { passwordResetRoutes } from "@/modules/auth/password-reset-routes";
import { createRegistrationRules } from "@/modules/auth/registration";
import { authRoutes } from "@/modules/auth/routes";
import { sessionRoutes } from "@/modules/auth/session-routes";
import { twoFactorRoutes } from "@/modules/auth/two-factor-routes";
import { bioPageRoutes } from "@/modules/bio-pages/routes";
import { createBioPageService } from "@/modules/bio-pages/service";
import { createAppConfigService } from "@/modules/domains/app-config";
import { appConfigRoutes } from "@/modules/domains/app-config-routes";
import { createDoctor } from "@/modules/domains/doctor";
import { domainRoutes, tlsRoutes } from "@/modules/domains/routes";
import { createDomainService } from "@/modules/domains/service";
import { eventRoutes } from "@/modules/events/routes";
import { createEventService } from "@/modules/events/service";
import { healthApi } from "@/modules/health/index";
import { iconRoutes, visitorIconRoutes } from "@/modules/icons/routes";
import { createIconService } from "@/modules/icons/service";
import { insightRoutes } from "@/modules/insights/routes";
import { createInsights } from "@/modules/insights/service";
import { leadApi } from "@/modules/leads/index";
import { createBulkLinks } from "@/modules/links/bulk";
import { bulkLinkRoutes } from "@/modules/links/bulk-routes";
import { createLinkHistory } from "@/modules/links/history";
import { linkHistoryRoutes } from "@/modules/links/history-routes";
import { createLinkPreview } from "@/modules/links/preview";
import { apiKeyLinkRoutes, organizationLinkRoutes } from "@/modules/links/routes";
import { createLinkService } from "@/modules/links/service";
import { createUtmGenerator } from "@/modules/links/utm";
import { utmRoutes } from "@/modules/links/utm-routes";
import { matchRoutes } from "@/modules/match/routes";
import { createMatchService } from "@/modules/match/service";
import { memberRoutes } from "@/modules/members/routes";
import { createMemberService } from "@/modules/members/service";
import { organizationRoutes } from "@/modules/organizations/routes";
import { createOrganizationService } from "@/modules/organizations/service";
import { planRoutes } from "@/modules/plans/routes";
import { createPlans } from "@/modules/plans/service";
import { privacyRoutes } from "@/modules/privacy/routes";
import { createPrivacyService } from "@/modules/privacy/service";
import { dashboardBrandingRoutes } from "@/modules/public/dashboard-branding";
import { publicRoutes } from "@/modules/public/routes";
import { apiKeyQrRoutes, organizationQrRoutes } from "@/modules/qr/routes";
import { createQrService } from "@/modules/qr/service";
import { reportRoutes } from "@/modules/reports/routes";
import { createReportService } from "@/modules/reports/service";
import { safetyRoutes } from "@/modules/safety/routes";
import { createSafetyService } from "@/modules/safety/service";
import { createSso } from "@/modules/sso/index";
import { ssoRoutes, ssoSignInRoutes } from "@/modules/sso/routes";
import { createWebhooks } from "@/modules/webhooks/index";
import { webhookRoutes } from "@/modules/webhooks/routes";
import { createSeal } from "@/platform/seal";
import { createAnnounce } from "@/platform/webhook-outbox";
import type { Resources } from "./api-resources";

export type App = ReturnType<typeof createApp>;

export function createApp(resources: Resources) {
  const { config, database, clock, log, shortUrlOf, changeRouting } = resources;
  const { db, sql } = database;
  const isSecure = config.baseUrl.startsWith("https:");
  const organizations = createOrganizationService({
    db,
    clock,
    defaultPlan: config.defaultPlan,
    changeRouting,
  });
  const plans = createPlans({ db, clock, requests: resources.usage });
  const { keys, limits, mailer } = resources;
  const rules = createAddressRules({ clock, asksProof: mailer !== null });
  const serviceUrl = config.baseUrl;
  const members = createMemberService({ db, clock, serviceUrl, plans, keys, limits, mailer, rules });
  const seal = createSeal(keys);
  const registration = createRegistrationRules(config.registration);
  const accounts = createAccounts({
    ...{ db, clock, log, keys, seal, limits, organizations, members, mailer, rules, registration },
    ...{ serviceUrl, isSecure },
  });
  const { principals, sessions, signInLimits, cookie } = accounts;
  const sso = createSso({
    registration,
    db,
    clock,
    log,
    seal,
    sessions,
    rules,
    ...{ cookie, outbound: resources.outbound, hosts: resources.hosts },
    requireRoom: (tx, orgId) => plans.requireRoom(tx, orgId, "members"),
    config,
  });
  const apiKeys = createApiKeyService({ db, clock, log, plans });
  const announce = createAnnounce(resources.wakeWebhooks);
  const links = createLinkService({
    db,
    clock,
    shortUrlOf,
    announce,
    changeRouting,
    plans,
    safety: resources.safety,
  });
  const { hosts, outbound } = resources;
  const qr = createQrService({ links, organizations, outbound, clock });
  const servedHosts = [hostnameOf(config.baseUrl), hostnameOf(`http://${config.shortDomain}`)];
  const domains = createDomainService({
    db,
    clock,
    log,
    dns: resources.dns,
    certificates: resources.certificates,
    plans,
    serviceHost: hostnameOf(config.baseUrl),
    ownHosts: [...servedHosts, hostnameOf(config.dashboardUrl)],
    checkHost: createDoctor({ outbound, clock }),
    changeRouting,
  });
  const isServed = (host: string) => servedHosts.includes(comparedHostname(host)) || hosts.of(host) !== undefined;
  const preview = createLinkPreview({
    db,
    clock,
    source: resources.linkSource,
    shortUrlOf,
    shortDomain: config.shortDomain,
    random: Math.random,
  });
  const packed = new PackedFigures(resources.copies);
  const leaders = new LinkLeaders(resources.copies);
  const analytics = createAnalytics({ sql, clock, packed, leaders, copies: resources.copies });
  const topLinks = createTopLinks({ sql, packed, leaders, clock, describeLinks: links.ofAnyState });
  const unserved = createUnservedVisits({ sql, clock });
  const insights = createInsights({ sql, clock, analytics, unserved, describeLinks: links.ofAnyState });
  const stream = createOverviewStream({
    overview: (orgId, filters) => analytics.filtered(orgId, { filters }),
    membersAmong: principals.membersAmong,
    clock,
    log,
    ending: resources.ending,
  });
  const caller = callerOf(resources.addressOf, () => app.server);

  const checks: AccessChecks = {
    signedIn: (request) => principals.signedIn(credential(request, "Bearer"), caller(request)),
    member: principals.member,
    apiKey: (request) => apiKeys.authenticate(credential(request, "ApiKey"), caller(request)),
    isOperator: operatorCheck(config, () => app.server),
  };
  const icons = createIconService({ db, clock, outbound, log });
  const guard = access(checks, createRateLimit(resources));
  const isAllowedOrigin = dashboardOrigins(config.dashboardUrl, hosts);

  const { linkSource, visitorSecret } = resources;
  const matches = createMatchService({
    db,
    clock,
    keys,
    links: linkSource,
    visitorSecret,
    countOpen,
    announce,
    isRepeated: createClaimSigns(shareThrough((...asked) => sql.unsafe(...asked))),
  });
  const generateUtm = createUtmGenerator({ clock });
  // In a group of their own: the compiler follows no longer chain than the one below.
  const linkRoutes = new Elysia()
    .use(apiKeyLinkRoutes(links, guard))
    .use(organizationLinkRoutes(links, preview, guard))
    .use(safetyRoutes(createSafetyService({ checker: resources.safety, limits }), guard))
    .use(apiKeyQrRoutes(qr, guard))
    .use(organizationQrRoutes(qr, guard))
    .use(bulkLinkRoutes(createBulkLinks({ links, plans, log }), guard))
    .use(utmRoutes(generateUtm, guard))
    .use(linkHistoryRoutes(createLinkHistory({ db }), guard))
    .use(leadApi({ db, links, log }, guard))
    .use(privacyRoutes(createPrivacyService({ db, clock, visitorSecret, visits }), guard))
    .use(assistantApi({ ...resources, analytics, insights, links, organizations, generateUtm }, guard))
    .use(bioPageRoutes(createBioPageService({ ...resources, db, changeRouting }), guard))
    .use(insightRoutes(insights, guard))
    .use(clickRoutes(createClickReader({ sql, clock }), guard))
    .use(matchRoutes({ matches, limits, callerOf: caller }, guard))
    .use(
      webhookRoutes(createWebhooks({ db, clock, seal, outbound, limits, wake: resources.wakeWebhooks, config }), guard),
    );

  // TypeBox drops unlisted fields and leaves what does not fit to be refused; Elysia's own way would make it fit.
  const app = new Elysia({ normalize: "typebox" })
    .use(
      wire({
        log,
        isAllowedOrigin,
        isSecure,
        measure: resources.measure,
        methodsAt: methodsAmong((): readonly Routed[] => app.routes),
      }),
    )
    .use(healthApi({ ...resources, isSecure }, guard))
    .use(authRoutes(accounts.auth, caller, guard))
    .use(passwordResetRoutes(accounts.passwordReset, caller, guard))
    .use(emailProofRoutes(accounts.emailProof, caller, guard))
    .use(twoFactorRoutes({ ...accounts, callerOf: caller }, guard))
    .use(sessionRoutes(sessions, db, guard))
    .use(appPageRoutes({ ...accounts, members, log, callerOf: caller }, guard))
    .use(organizationRoutes(organizations, guard))
    .use(memberRoutes(members, guard))
    .use(domainRoutes(domains, guard))
    .use(appConfigRoutes(createAppConfigService({ clock, changeRouting }), guard))
    .use(tlsRoutes(isServed, guard))
    .use(ssoSignInRoutes({ signIn: sso.signIn, callerOf: caller, limits: signInLimits }, guard))
    .use(ssoRoutes(sso.settings, guard))
    .use(publicRoutes(resources.resolveLink, guard))
    .use(dashboardBrandingRoutes(db, hosts, guard))
    .use(iconRoutes(icons, guard))
    .use(visitorIconRoutes(icons, guard))
    .use(linkRoutes)
    .use(analyticsRoutes({ analytics, topLinks, unserved, stream, log }, guard))
    .use(abuseRoutes(createAbuseService({ db, clock, shortUrlOf, isBotAfter, moveFigures }), guard))
    .use(reportRoutes(createReportService({ db, clock, analytics }), log, guard))
    .use(eventRoutes(createEventService({ db, clock, announce }), guard))
    .use(planRoutes(plans, guard))
    .use(auditLogRoutes(createAuditLogService({ db }), guard))
    .use(apiKeyRoutes(apiKeys, guard))
    .use(appRoutes(createAppService({ db, clock, changeRouting }), guard));
  return app.use(documentRoutes({ baseUrl: config.baseUrl, app }, guard));
}

/** What follows the scheme in `Authorization`. Throws 401 for another scheme or none. */
function credential(request: Request, scheme: "Bearer" | "ApiKey"): string {
  const [, given, value] = /^(\S+) +(\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!value || given?.toLowerCase() !== scheme.toLowerCase()) {
    throw unauthenticated(`This needs Authorization: ${scheme}`);
  }
  return value;
}
