/** Composes what imports need, for the process that a server starts and for the operator's command line. */
import type { Config } from "@/config";
import { comparedHostname, hostnameOf } from "@/core/names/hostname";
import { createAppService } from "@/modules/apps/service";
import { createImportRunner, type ImportRunner } from "@/modules/imports/service";
import { createLinkService } from "@/modules/links/service";
import { createPlans } from "@/modules/plans/service";
import { createSafetyChecker } from "@/modules/safety/checker";
import { systemClock } from "@/platform/clock";
import { canPrepare, type DatabaseUrls } from "@/platform/db/addresses";
import { openDatabase } from "@/platform/db/client";
import { openKeys } from "@/platform/keys";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { createLinkSource } from "@/platform/link-cache/source";
import { createOutbound } from "@/platform/outbound/outbound";
import { routingChanges } from "@/platform/routing-changes";
import { openBlocklist } from "@/platform/safety/blocklist";
import { createWebRisk } from "@/platform/safety/web-risk";
import { createSeal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import { openUsage } from "@/platform/usage";
import { createAnnounce } from "@/platform/webhooks/webhook-outbox";
import { findVerifiedHosts } from "./hosts";

export type ImportSettings = Pick<Config, "baseUrl" | "shortDomain" | "blocklistFile" | "webRisk" | "outboundAllow"> &
  Parameters<typeof openKeys>[0];

export interface ImportJobs extends ImportRunner, AsyncDisposable {}

/** `sliceMs` is for tests. */
export async function openImportJobs(
  settings: ImportSettings & DatabaseUrls,
  log: Log,
  sliceMs?: number,
): Promise<ImportJobs> {
  const { databaseUrl, baseUrl, shortDomain } = settings;
  const database = openDatabase(databaseUrl, { pool: "imports", isPrepared: canPrepare(settings) });
  const { db, sql } = database;
  const clock = systemClock;
  // Both listeners do nothing: this process serves no links, so it has no cache entries to refresh, and only servers
  // count the links whose notices were merged. Postgres notifies the servers of each change.
  const changeRouting = routingChanges(
    db,
    async () => {},
    () => {},
    { areMany: true },
  );
  const outbound = createOutbound({ allow: settings.outboundAllow });
  const safety = await openJudge(settings, { db, clock, log, changeRouting });
  const usage = openUsage({ sql, clock, log });
  const plans = createPlans({ db, clock, requests: usage });
  const announce = createAnnounce(() => {});
  const shortUrlOf = shortUrls(baseUrl);
  const links = createLinkService({
    db,
    clock,
    shortUrlOf,
    announce,
    changeRouting,
    plans,
    safety,
  });
  const apps = createAppService({ db, clock, changeRouting });
  const linkSource = createLinkSource(db, shortUrlOf);
  const seal = createSeal(await openKeys(settings));
  const runner = createImportRunner({
    ...{ db, clock, log, links, apps, plans, changeRouting, linkSource, seal, outbound, sliceMs },
    ownHosts: [hostnameOf(baseUrl), hostnameOf(`http://${shortDomain}`)],
  });
  return {
    ...runner,
    async [Symbol.asyncDispose]() {
      await changeRouting[Symbol.asyncDispose]();
      await safety[Symbol.asyncDispose]();
      await usage[Symbol.asyncDispose]();
      await database.close();
    },
  };

  async function openJudge(
    { blocklistFile, webRisk }: ImportSettings,
    parts: Omit<Parameters<typeof createSafetyChecker>[0], "blocklist" | "webRisk" | "isServed">,
  ) {
    const own = new Set([comparedHostname(shortDomain), ...(await findVerifiedHosts(db))]);
    return createSafetyChecker({
      ...parts,
      blocklist: blocklistFile === null ? null : await openBlocklist(blocklistFile, { onRead: () => {} }),
      webRisk: webRisk && createWebRisk({ webRisk, outbound, clock }),
      isServed: (host) => own.has(comparedHostname(host)),
    });
  }
}
