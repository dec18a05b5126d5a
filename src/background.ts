/**
 * The service's background work: periodic jobs (the nightly check of figures, retention, checks that custom domains
 * still belong to their organizations, and others) and sending webhooks.
 */
import type { Sql } from "postgres";
import { settleLateClicks } from "@/clicks/late-clicks";
import { settleLateLeads } from "@/clicks/late-leads";
import { linkJsonLine } from "@/core/links-file/json-lines";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/core/time/time-range";
import { isOutdated, STORED_DAYS_MAX } from "@/figures/columns/build-days";
import { areLeadersOutdated } from "@/figures/read/links/stored-leaders";
import { hasFills } from "@/figures/verify/fill-figures";
import { runFiguresProcess } from "@/figures/verify/run-figures-process";
import { storeImportedSums } from "@/modules/analytics/imported-sums";
import { createDestinationChecker } from "@/modules/destinations/service";
import { removeCertificates } from "@/modules/domains/released-hosts";
import { createVerification, type VerificationOptions } from "@/modules/domains/verification";
import { createArchiveReader, createExportWork } from "@/modules/exports/work";
import { deleteOrphanedChunks } from "@/modules/imports/retention";
import { createLinkExport } from "@/modules/links/export/export";
import type { SafetyChecker } from "@/modules/safety/service";
import { createWebhookQueue } from "@/modules/webhooks";
import { boundBacklogs, bringMisdatedForward } from "@/modules/webhooks/backlog";
import { deleteOrphanedDeliveries } from "@/modules/webhooks/retention";
import { canPrepare, type DatabaseUrls } from "@/platform/db/addresses";
import { type Database, openDatabase } from "@/platform/db/client";
import { earlierTime } from "@/platform/db/earlier-time";
import { preferReplica } from "@/platform/db/replica/either";
import type { Replica } from "@/platform/db/replica/replica";
import type { Keys } from "@/platform/keys";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { Outbound } from "@/platform/outbound/outbound";
import { createSeal } from "@/platform/seal";
import type { Tracing } from "@/platform/telemetry/tracing";
import { checkDestinations, unvisitedDestinationChecks } from "@/workers/destination-checks";
import { domainChecks } from "@/workers/domain-checks";
import { startExportWriter } from "@/workers/export-writer";
import { type PeriodicJob, startPeriodic } from "@/workers/periodic";
import { resealSecrets } from "@/workers/reseal";
import { safetyChecks } from "@/workers/safety-checks";
import { type Dispatcher, startDispatcher } from "@/workers/webhook-dispatcher";
import { deletions } from "./deletions";
import type { DeliveryCounts } from "./metrics";

export interface BackgroundOptions extends Omit<VerificationOptions, "db">, DatabaseUrls {
  outbound: Outbound;
  safety: Pick<SafetyChecker, "due" | "recheck" | "sweep" | "isRemote">;
  shortUrlOf: ShortUrlOf;
  replica: Replica | null;
  keys: Keys;
  /** The environment of processes that it starts. */
  trustEnv: Record<string, string>;
}

const FILL_EVERY_MS = 10 * MINUTE_MS;
const RECENT_DAYS = 7;

/** Starts the background work. Disposing of it ends the current work and closes its connections. */
export function startBackground(options: BackgroundOptions): AsyncDisposable {
  const { databaseUrl, log } = options;
  const database = openDatabase(databaseUrl, { pool: "background", isPrepared: canPrepare(options) });
  const { sql } = database;
  const exports = openExports(options, database);
  const tidying = [
    ...[exports.job, brokenUploads(sql), ...lateClicks(options, database)],
    ...[...secretJobs(options, sql), ...deletions({ ...options, sql })],
  ];
  // A job waits for the others of its line alone, so that neither much to count nor slow hosts delay a deletion, and no
  // long deletion lets deliveries pile up.
  const lines = [figureJobs(options, sql), outsideChecks(options, database), tidying, [webhookBacklogs(database)]];
  const periodic = lines.map((jobs) => startPeriodic({ sql, log, jobs }));
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([...periodic.map((line) => line.stop()), exports.stop()]);
      await database.close();
    },
  };
}

/** The jobs that ask DNS, other services and links' destinations. */
function outsideChecks(options: BackgroundOptions, { sql, db }: Pick<Database, "sql" | "db">): PeriodicJob[] {
  const { log, certificates } = options;
  const destinations = createDestinationChecker({ ...options, sql, db });
  const removals: PeriodicJob[] = certificates
    ? [
        {
          name: "certificates of deleted domains",
          everyMs: 10 * MINUTE_MS,
          run: (signal) => removeCertificates({ db, log, certificates }, signal),
        },
      ]
    : [];
  return [
    domainChecks({ ...createVerification({ ...options, db }), log }),
    ...removals,
    safetyChecks({ ...options.safety, log }),
    ...[checkDestinations, unvisitedDestinationChecks].map((checks) => checks({ ...destinations, log })),
  ];
}

const webhookBacklogs = ({ sql, db }: Pick<Database, "sql" | "db">): PeriodicJob => ({
  name: "webhook backlogs",
  everyMs: MINUTE_MS,
  run: async (signal) => ({
    dropped: await boundBacklogs({ db, signal }),
    brought: await bringMisdatedForward({ db, signal }),
    deleted: await deleteOrphanedDeliveries({ sql, signal }),
  }),
});

/** Writes archives of organizations, and deletes those that have expired. */
function openExports(options: BackgroundOptions, database: Pick<Database, "sql" | "db">) {
  const { clock, log, replica } = options;
  const { sql, db } = database;
  const archivesOf = ({ sql, db }: Pick<Database, "sql" | "db">) => {
    const links = createLinkExport({ ...options, db });
    return createArchiveReader({ sql, alsoOf: (orgId) => [links.archived(orgId, linkJsonLine)] });
  };
  const here = archivesOf(database);
  const archives = replica ? preferReplica(replica, here, archivesOf(replica.database)) : here;
  const exports = createExportWork({ db, archives, clock, log });
  const job: PeriodicJob = {
    name: "expired exports",
    everyMs: HOUR_MS,
    run: async () => ({ deleted: await exports.deleteExpired(await earlierTime(sql, clock)) }),
  };
  return { job, ...startExportWriter({ workOff: exports.workOff, log }) };
}

const brokenUploads = (sql: Sql): PeriodicJob => ({
  name: "uploads that broke off",
  everyMs: HOUR_MS,
  run: async () => ({ deleted: await deleteOrphanedChunks(sql) }),
});

function lateClicks({ clock }: BackgroundOptions, { db }: Pick<Database, "db">): PeriodicJob[] {
  const settled = async (signal: AbortSignal, ofLast?: number) => {
    const now = clock();
    const asked = { db, now, since: ofLast && now - ofLast, signal };
    return { ...(await settleLateClicks(asked)), leads: await settleLateLeads(asked) };
  };
  return [
    {
      name: "installs and leads whose clicks came later",
      everyMs: MINUTE_MS,
      run: (signal) => settled(signal, DAY_MS),
    },
    { name: "installs and leads whose clicks came days later", everyMs: HOUR_MS, run: (signal) => settled(signal) },
  ];
}

/**
 * While `APP_SECRET_PREVIOUS` is set. Servers that do not know the new secret yet could not open what is sealed under
 * it, so nothing is done in a process's first hour.
 */
function secretJobs({ keys, clock }: BackgroundOptions, sql: Sql): PeriodicJob[] {
  if (!keys.previous("encryption")) return [];
  const [seal, from] = [createSeal(keys), clock() + HOUR_MS];
  return [
    {
      name: "secrets sealed under the previous key",
      everyMs: HOUR_MS,
      run: async (signal) => ({ resealed: clock() < from ? 0 : await resealSecrets({ sql, seal, signal }) }),
    },
  ];
}

/** The jobs that work on figures. Those that compute much do it in a separate process. */
function figureJobs({ directUrl: databaseUrl, clock, log, trustEnv }: BackgroundOptions, sql: Sql): PeriodicJob[] {
  const apart = (task: "verify" | "fill" | "columns", signal: AbortSignal, size?: number) =>
    runFiguresProcess({ task, databaseUrl, now: clock(), size }, log, signal, trustEnv);
  /** Most changes concern the last days, so these are checked often and all of them only now and then. */
  const columns = (name: string, everyMs: number, days: number): PeriodicJob => ({
    ...{ name, everyMs },
    run: async (signal) =>
      (await isOutdated(sql, { now: clock(), days })) || (await areLeadersOutdated(sql, { now: clock(), days }))
        ? apart("columns", signal, days)
        : { days: 0 },
  });
  return [
    { name: "verify figures", everyMs: DAY_MS, run: (signal) => apart("verify", signal) },
    {
      name: "fill figures",
      everyMs: FILL_EVERY_MS,
      run: async (signal) => ((await hasFills(sql)) ? apart("fill", signal) : { days: 0, left: 0 }),
    },
    columns("store clicks in columns", FILL_EVERY_MS, RECENT_DAYS),
    columns("store all clicks in columns", 6 * HOUR_MS, STORED_DAYS_MAX),
    {
      name: "store sums of former clicks",
      everyMs: MINUTE_MS,
      run: async (signal) => ({ stored: await storeImportedSums(sql, signal) }),
    },
  ];
}

export interface WebhookWorkOptions extends Pick<BackgroundOptions, keyof DatabaseUrls | "clock" | "log"> {
  tracing: Tracing;
  keys: Keys;
  outbound: Outbound;
}

/**
 * Starts sending webhooks, on connections of its own: slow endpoints cannot hold up periodic work, nor the other way
 * round.
 */
export function startWebhooks(options: WebhookWorkOptions): Dispatcher & AsyncDisposable & { counts: DeliveryCounts } {
  const { clock, log, keys, outbound, tracing } = options;
  // A prepared statement keeps the plan that was best when few deliveries waited, which reads the whole table once
  // many do.
  const database = openDatabase(options.databaseUrl, { pool: "webhooks", isPrepared: false });
  const queue = createWebhookQueue({ db: database.db, clock, seal: createSeal(keys), outbound });
  const counts: DeliveryCounts = { delivered: 0, failed: 0 };
  const dispatcher = startDispatcher({
    ...queue,
    async settle(tried) {
      await queue.settle(tried);
      for (const { delivery, attempt } of tried) {
        const { isDelivered, durationMs: tookMs, status } = attempt;
        counts[isDelivered ? "delivered" : "failed"] += 1;
        const attributes = { "webhook.event": delivery.event, "http.response.status_code": status ?? 0 };
        tracing.trace({ name: "webhook delivery", kind: "client", tookMs, isFailed: !isDelivered, attributes });
      }
    },
    onSilent: () => {
      database.renew().catch((error: unknown) => log.warn("could not close old connections", { error }));
    },
    log,
  });
  return {
    ...dispatcher,
    counts,
    async [Symbol.asyncDispose]() {
      await dispatcher.stop();
      await database.close();
    },
  };
}
