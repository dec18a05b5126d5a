import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { ReadClickSample } from "@/modules/analytics/service";
import type { Plans } from "@/modules/plans/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { LinkSource } from "@/platform/link-cache/source";
import type { Log } from "@/platform/telemetry/log";
import { createBulkLinks } from "./bulk/bulk";
import { bulkLinkRoutes } from "./bulk/bulk-routes";
import { createPutByExternalId } from "./by-external-id";
import type { LinkExporter } from "./export/export";
import { linkExportRoutes } from "./export/export-routes";
import { createLinkHistory } from "./history";
import { linkHistoryRoutes } from "./history-routes";
import { createLinkJudge } from "./link-validator";
import { createLinkPreview } from "./preview/preview";
import { createTrafficPreview } from "./preview/traffic";
import { createUnsavedLink } from "./preview/unsaved";
import { apiKeyLinkRoutes, externalIdRoutes, organizationLinkRoutes } from "./routes";
import type { LinkService } from "./service";
import type { UtmGenerator } from "./utm";
import { utmRoutes } from "./utm-routes";

export interface LinkParts {
  links: LinkService;
  plans: Pick<Plans, "entitlements">;
  safety: Pick<SafetyChecker, "judgeLocally">;
  generateUtm: UtmGenerator;
  linkSource: LinkSource;
  readClickSample: ReadClickSample;
  linkExporter: LinkExporter;
  shortUrlOf: ShortUrlOf;
  config: { shortDomain: string };
  db: Drizzle;
  clock: Clock;
  log: Log;
}

export function linkModule(parts: LinkParts, guard: Guard) {
  const {
    links,
    plans,
    generateUtm,
    linkSource: source,
    shortUrlOf,
    config,
    db,
    clock,
    log,
    safety,
    readClickSample,
    linkExporter,
  } = parts;
  const { shortDomain } = config;
  const unsaved = createUnsavedLink({ judge: createLinkJudge({ db, shortUrlOf, safety }), safety, shortUrlOf });
  const preview = createLinkPreview({ db, clock, source, shortUrlOf, shortDomain, unsaved, random: Math.random });
  const previewTraffic = createTrafficPreview({ db, clock, source, unsaved, readClickSample });
  return new Elysia()
    .use(apiKeyLinkRoutes(links, guard))
    .use(organizationLinkRoutes(links, { preview, previewTraffic }, guard))
    .use(linkExportRoutes(linkExporter, log, guard))
    .use(externalIdRoutes(links, createPutByExternalId({ db, links }), guard))
    .use(bulkLinkRoutes(links, createBulkLinks({ db, links, plans, log }), guard))
    .use(utmRoutes(generateUtm, guard))
    .use(linkHistoryRoutes(createLinkHistory({ db }), guard));
}
