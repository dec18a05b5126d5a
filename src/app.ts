/**
 * The API: every module's routes behind one guard. Composes the app but does not listen; the edge stands in front of
 * it (`service.ts`).
 */
import { Elysia } from "elysia";
import { countOpen } from "@/clicks/count-open";
import { createClaimSigns } from "@/clicks/enrich/claim-signs";
import { shareThrough } from "@/clicks/enrich/shared-marks";
import * as visits from "@/clicks/erase-visits";
import { isBotAfter, moveFigures } from "@/clicks/verdicts";
import { createBrandSource } from "@/edge/branding";
import { bioPageDrawer } from "@/edge/drafts/bio-page";
import { linkPageDrawer } from "@/edge/drafts/link-page";
import type { Guard } from "@/http/access";
import { dashboardOrigins } from "@/http/cors";
import { documentRoutes } from "@/http/docs";
import { methodsAmong, type Routed } from "@/http/methods";
import { wire } from "@/http/wire";
import { abuseModule } from "@/modules/abuse";
import { assistantModule } from "@/modules/ai";
import { analyticsModule } from "@/modules/analytics";
import { apiKeyModule } from "@/modules/api-keys";
import { appPageModule } from "@/modules/app-pages";
import { appModule } from "@/modules/apps";
import { auditLogModule } from "@/modules/audit-logs";
import { authModule } from "@/modules/auth";
import { bioPageModule } from "@/modules/bio-pages";
import { domainModule } from "@/modules/domains";
import { eventModule } from "@/modules/events";
import { exportModule } from "@/modules/exports";
import { healthModule } from "@/modules/health";
import { iconModule } from "@/modules/icons";
import { importModule } from "@/modules/imports";
import { insightModule } from "@/modules/insights";
import { leadModule } from "@/modules/leads";
import { linkModule } from "@/modules/links";
import { type MatchParts, matchModule } from "@/modules/match";
import { memberModule } from "@/modules/members";
import { organizationModule } from "@/modules/organizations";
import { planModule } from "@/modules/plans";
import { privacyModule } from "@/modules/privacy";
import { publicModule } from "@/modules/public";
import { qrModule } from "@/modules/qr";
import { reportModule } from "@/modules/reports";
import { safetyModule } from "@/modules/safety";
import { ssoModule } from "@/modules/sso";
import { createSsoEntry } from "@/modules/sso/entry";
import { webhookModule } from "@/modules/webhooks";
import { createGuard } from "./guard";
import { createServices, type Resources } from "./services";

export type App = ReturnType<typeof createApp>;

export function createApp(resources: Resources) {
  const { config, hosts } = resources;
  const listening = () => app.server;
  const parts = { ...resources, ...createServices(resources, listening) };
  const guard = createGuard(parts, listening);
  const isAllowedOrigin = dashboardOrigins(config.dashboardUrl, hosts);
  const methodsAt = methodsAmong((): readonly Routed[] => app.routes);
  const isRepeated = createClaimSigns(shareThrough((...asked) => parts.sql.unsafe(...asked)));

  // TypeBox drops unlisted fields and leaves invalid values to be rejected; Elysia's own normalization would coerce
  // them.
  const app = new Elysia({ normalize: "typebox" })
    .use(wire({ ...parts, isAllowedOrigin, methodsAt }))
    .use(healthModule(parts, guard))
    .use(accountModules(parts, guard))
    .use(linkModules(parts, guard))
    .use(figureModules({ ...parts, isRepeated }, guard));
  return app.use(documentRoutes({ ...config, app }, guard));
}

type Parts = Resources & ReturnType<typeof createServices>;

// Composed in parts: the compiler follows the type of each route through everything that is added after it, and gives
// up at some depth.

/** People, their organizations and what they may do. */
const accountModules = (parts: Parts, guard: Guard) => {
  const loadBrand = createBrandSource(parts.db);
  const dashboardBrandOf = async ({ url }: Request) => {
    const host = parts.hosts.of(URL.parse(url)?.hostname ?? "");
    return host?.isDashboard ? parts.brandOf(host.orgId) : null;
  };
  const drawers = { drawBioPage: bioPageDrawer(loadBrand), drawLinkPage: linkPageDrawer(loadBrand) };
  return new Elysia()
    .use(authModule(parts, guard))
    .use(appPageModule({ ...parts, ...drawers, dashboardBrandOf, ssoEntry: createSsoEntry(parts) }, guard))
    .use(organizationModule(parts, guard))
    .use(memberModule(parts, guard))
    .use(ssoModule(parts, guard))
    .use(planModule(parts, guard))
    .use(auditLogModule(parts, guard))
    .use(apiKeyModule(parts, guard))
    .use(exportModule(parts, guard));
};

/** Links, with their domains, apps, pages, leads and QR codes. */
const linkModules = (parts: Parts, guard: Guard) =>
  new Elysia()
    .use(domainModule(parts, guard))
    .use(publicModule(parts, guard))
    .use(iconModule(parts, guard))
    .use(linkModule(parts, guard))
    .use(safetyModule(parts, guard))
    .use(importModule(parts, guard))
    .use(qrModule(parts, guard))
    .use(leadModule(parts, guard))
    .use(bioPageModule(parts, guard))
    .use(appModule(parts, guard));

/** What comes of visits: figures, insights, matches, events, reports and webhooks. */
const figureModules = (parts: Parts & Pick<MatchParts, "isRepeated">, guard: Guard) =>
  new Elysia()
    .use(privacyModule({ ...parts, visits }, guard))
    .use(assistantModule(parts, guard))
    .use(insightModule(parts, guard))
    .use(analyticsModule(parts, guard))
    .use(matchModule({ ...parts, countOpen }, guard))
    .use(webhookModule(parts, guard))
    .use(abuseModule({ ...parts, isBotAfter, moveFigures }, guard))
    .use(reportModule(parts, guard))
    .use(eventModule(parts, guard));
