/** The API: every resource's routes behind one guard. Composes, never listens; the edge stands in front (`service.ts`). */
import { Elysia } from "elysia";
import { isBotAfter, moveFigures } from "@/clicks/verdicts";
import type { Config } from "@/config";
import { type AccessChecks, access } from "@/http/access";
import { callerOf } from "@/http/caller";
import { documentRoutes } from "@/http/docs";
import { unauthenticated } from "@/http/errors";
import { wire } from "@/http/wire";
import { abuseRoutes } from "@/modules/abuse/routes";
import { createAbuseService } from "@/modules/abuse/service";
import { analyticsRoutes } from "@/modules/analytics/routes";
import { createAnalytics } from "@/modules/analytics/service";
import { createOverviewStream } from "@/modules/analytics/stream";
import { createTopLinks } from "@/modules/analytics/top-links";
import { apiKeyRoutes } from "@/modules/api-keys/routes";
import { createApiKeyService } from "@/modules/api-keys/service";
import { createPrincipals } from "@/modules/auth/principals";
import { authRoutes } from "@/modules/auth/routes";
import { createAuthService } from "@/modules/auth/service";
import { createSessions } from "@/modules/auth/sessions";
import { createSessionTokens } from "@/modules/auth/tokens";
import { eventRoutes } from "@/modules/events/routes";
import { createEventService } from "@/modules/events/service";
import { type HealthFacts, healthRoutes } from "@/modules/health/routes";
import { createLinkPreview } from "@/modules/links/preview";
import { apiKeyLinkRoutes, organizationLinkRoutes } from "@/modules/links/routes";
import { createLinkService } from "@/modules/links/service";
import { createOrganizationService } from "@/modules/organizations/service";
import { publicRoutes, type ResolveLink } from "@/modules/public/routes";
import { reportRoutes } from "@/modules/reports/routes";
import { createReportService } from "@/modules/reports/service";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Database } from "@/platform/db/client";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { LinkChange } from "@/platform/link-cache/changes";
import type { LinkSource, ShortUrlOf } from "@/platform/link-cache/source";
import type { Log } from "@/platform/log";

/** What the API stands on; opened and closed by `service.ts`. */
export interface Resources {
  config: Config;
  database: Database;
  keys: Keys;
  clock: Clock;
  log: Log;
  addressOf: ClientAddress;
  linkSource: LinkSource;
  shortUrlOf: ShortUrlOf;
  onLinkChange(change: LinkChange): void;
  limits: Limits;
  resolveLink: ResolveLink;
  health(): HealthFacts;
  /** Aborted when the service begins to stop or to hand over: answers that stay open end. */
  ending: AbortSignal;
}

export type App = ReturnType<typeof createApp>;

export function createApp(resources: Resources) {
  const { config, database, clock, log, shortUrlOf } = resources;
  const { db, sql } = database;
  const isSecure = config.baseUrl.startsWith("https:");
  const organizations = createOrganizationService({
    defaultPlan: config.defaultPlan,
  });
  const tokens = createSessionTokens(resources.keys);
  const principals = createPrincipals({ db, clock, tokens });
  const sessions = createSessions({ clock, tokens, organizations });
  const auth = createAuthService({ db, clock, sessions, organizations });
  const apiKeys = createApiKeyService({ db, clock, log });
  const links = createLinkService({
    db,
    clock,
    shortUrlOf,
    onChange: resources.onLinkChange,
  });
  const preview = createLinkPreview({
    db,
    clock,
    source: resources.linkSource,
    shortUrlOf,
    shortDomain: config.shortDomain,
    random: Math.random,
  });
  const analytics = createAnalytics({ sql, clock });
  const topLinks = createTopLinks({ sql, clock, describeLinks: links.ofAnyState });
  const stream = createOverviewStream({
    overview: (orgId) => analytics.overview(orgId, {}),
    membersAmong: principals.membersAmong,
    clock,
    log,
    ending: resources.ending,
  });
  const caller = callerOf(resources.addressOf, () => app.server);

  const checks: AccessChecks = {
    signedIn: (request) => principals.signedIn(credential(request, "Bearer"), caller(request)),
    member: principals.member,
    apiKey: (request, scope) => apiKeys.authenticate(credential(request, "ApiKey"), scope, caller(request)),
  };
  const guard = access(checks);
  const isAllowedOrigin = (origin: string) => origin === config.dashboardUrl;

  // TypeBox drops unlisted fields and leaves what does not fit to be refused; Elysia's own way would make it fit.
  const app = new Elysia({ normalize: "typebox" })
    .use(wire({ log, isAllowedOrigin, isSecure }))
    .use(healthRoutes({ clock, facts: resources.health, isSecure }, guard))
    .use(authRoutes(auth, caller, guard))
    .use(publicRoutes(resources.resolveLink, guard))
    .use(apiKeyLinkRoutes(links, guard))
    .use(organizationLinkRoutes(links, preview, guard))
    .use(analyticsRoutes({ analytics, topLinks, stream, log }, guard))
    .use(abuseRoutes(createAbuseService({ db, clock, shortUrlOf, isBotAfter, moveFigures }), guard))
    .use(reportRoutes(createReportService({ db, clock, analytics }), log, guard))
    .use(eventRoutes(createEventService({ db, clock }), guard))
    .use(apiKeyRoutes(apiKeys, guard));
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
