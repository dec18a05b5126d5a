/**
 * The whole service, from settings to a listening socket and back: resources are opened in order and closed in
 * reverse, even if one fails to open. `main.ts`, the tests, the demo and the benchmarks all use it.
 */
import { openClicks } from "@/clicks/open";
import type { Config } from "@/config";
import { hostnameOf } from "@/core/names/hostname";
import { openEdge } from "@/edge/open";
import { REFUSALS } from "@/edge/refusals";
import type { Resolution } from "@/edge/resolve/resolve";
import { createVisitCounts } from "@/edge/visit-counts";
import type { LaneCounts } from "@/lane/options";
import { createLeadRecorder } from "@/modules/leads/service";
import type { ResolveLink } from "@/modules/public/routes";
import { openBlocklistFile, openSafety } from "@/modules/safety/open";
import { clientAddress } from "@/platform/client-address";
import { type Clock, systemClock } from "@/platform/clock";
import { canPrepare } from "@/platform/db/addresses";
import { type Drizzle, openDatabase } from "@/platform/db/client";
import { Copies } from "@/platform/db/copies";
import { openPostgres } from "@/platform/db/open";
import { openReplica } from "@/platform/db/replica/replica";
import { openGeoFile } from "@/platform/geo/geo-file";
import { createFlyCertificates } from "@/platform/hosts/certificates";
import { createDns } from "@/platform/hosts/dns";
import { logHiddenLinks } from "@/platform/hosts/hidden-links";
import { openRouting } from "@/platform/hosts/routing";
import { type Keys, openKeys } from "@/platform/keys";
import { openLimits } from "@/platform/limits/limits";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { createLinkSource } from "@/platform/link-cache/source";
import { openMailer } from "@/platform/mail";
import { createOutbound } from "@/platform/outbound/outbound";
import { routingChanges } from "@/platform/routing-changes";
import {
  ensureSecretFingerprint,
  ensureSharedDomain,
  ensureVisitorSecret,
  watchSecretFingerprint,
  watchSharedDomain,
} from "@/platform/shared-rows";
import type { Log } from "@/platform/telemetry/log";
import { type Metrics, openMetrics, type WorkerMetrics } from "@/platform/telemetry/metrics";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { openTracing, type Tracing } from "@/platform/telemetry/tracing";
import { useShortTimeSlices } from "@/platform/thread-priority";
import { openUnserved } from "@/platform/unserved/flush";
import { openUsage } from "@/platform/usage";
import { databaseOf, visitorSecret } from "@/platform/visitor";
import { createApp } from "./app";
import { startBackground, startWebhooks } from "./background";
import { startImportWork } from "./imports/work";
import type { HandOver } from "./listener";
import { readingFaultsOf, readingsOf } from "./metrics";
import { listen } from "./request-router";

const SAY_EVERY_MS = 10_000;

export interface Service {
  url: string;
  port: number;
  /** Resolves to true once every click recorded so far is in Postgres, to false if that takes too long. */
  drainClicks(): Promise<boolean>;
  /** Sends clients to other processes and stops listening, without any client noticing. Call `stop` afterwards. */
  handOver(how: HandOver): Promise<void>;
  /** The metrics of this process. */
  metrics(): Promise<WorkerMetrics>;
  /** Stops listening, finishes requests in progress, drains clicks and closes everything. May be called twice. */
  stop(): Promise<void>;
}

/** Adds the metrics of the server's other processes to those of this one. */
export type GatherMetrics = (own: () => Promise<WorkerMetrics>) => Promise<WorkerMetrics[]>;

/** What the service gets and reports as one of several processes. */
export interface Supervision {
  gather: GatherMetrics;
  /** Called every few seconds while an update of the schema makes progress. */
  onProgress(): void;
}

const alone: Supervision = { gather: async (own) => [await own()], onProgress() {} };

export async function startService(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  supervision: Supervision = alone,
): Promise<Service> {
  useShortTimeSlices();
  const stack = new AsyncDisposableStack();
  try {
    const service = await open(config, log, clock, supervision, stack);
    return { ...service, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function open(
  config: Config,
  log: Log,
  clock: Clock,
  { gather, onProgress }: Supervision,
  stack: AsyncDisposableStack,
): Promise<Omit<Service, "stop">> {
  const { baseUrl, shortDomain, redisUrl, trustEnv } = config;
  const keys = await openKeys(config);
  const tracing = stack.use(await openTracing(config.tracesEndpoint, log));
  const { geo, blocklist } = await openFiles(config, log, stack);
  const { databaseUrl, directUrl } = stack.use(await openPostgres(config, log, onProgress));
  const addresses = { databaseUrl, directUrl };
  const database = stack.use(openDatabase(databaseUrl, { pool: "requests", isPrepared: canPrepare(addresses) }));
  const { db, sql } = database;
  const replica = stack.use(
    await openReplica({ readUrl: config.databaseReadUrl, ...addresses, primary: database, log }),
  );
  const sharedDomain = stack.use(await openSharedDomain(db, shortDomain, log));
  const secretBytes = await openSecrets({ db, keys, log, stack });
  const clicks = stack.use(openClicks({ config, directUrl, visitorSecret: secretBytes, tracing, log }));
  const copies = new Copies(clicks);
  const shortUrlOf = shortUrls(baseUrl);
  const source = createLinkSource(db, shortUrlOf);
  const onReturned = () => clicks.retryNow();
  const routed = { config, ...addresses, database, replica, copies, source, shortUrlOf, clock, log, onReturned };
  const { links, hosts, ownHosts } = stack.use(await openRouting(routed));
  await logHiddenLinks(config, { db, log, shortUrlOf, ownHosts });
  const changeRouting = stack.use(routingChanges(db, links.onChange, sayReplaced(log)));
  const { outbound, dns, certificates } = outsideOf(config, clock);
  const safety = stack.use(openSafety({ config, blocklist, db, clock, log, hosts, changeRouting, outbound }));
  const checks = { dns, certificates, outbound, safety, serviceHost: hostnameOf(baseUrl), changeRouting };
  stack.use(startBackground({ ...addresses, replica, clock, log, keys, shortUrlOf, trustEnv, ...checks }));
  const webhooks = stack.use(startWebhooks({ tracing, ...addresses, clock, log, keys, outbound }));
  const shared = {
    ...{ db, keys, clock, log, hosts, ownHosts, safety, copies },
    limits: stack.use(openLimits({ clock, redisUrl, database: databaseOf(secretBytes), ...limitReports(log) })),
    addressOf: clientAddress(config),
    visitorSecret: visitorSecret(secretBytes, config.visitorSaltRotation),
  };
  const faults = readingFaultsOf(links, clicks);
  const counts = createVisitCounts();
  const laneCounts: LaneCounts = { answered: 0, tunnels: 0 };
  const measured = { visits: counts, lane: laneCounts, clicks, database, replica, faults, changeRouting };
  const others = { cache: links.cache, deliveries: webhooks.counts };
  const metrics = stack.use(openMetrics(config.worker ?? 1, readingsOf({ ...measured, ...others })));
  const { edge, resolver, visitPlain, brandOf } = openEdge({
    ...{ ...shared, links, geo, counts, shortDomain, sharedDomain },
    record: (click) => clicks.append(click),
    recordLead: createLeadRecorder(db),
    countUnserved: stack.use(openUnserved({ sql, clock, log })).add,
  });

  const ending = new AbortController();
  const app = createApp({
    ...{ ...shared, config, database, replica, linkSource: source, shortUrlOf, brandOf },
    ...{ changeRouting, outbound, dns, certificates },
    wakeWebhooks: webhooks.wake,
    wakeImports: stack.use(startImportWork({ config, ...addresses, db, log })).wake,
    usage: stack.use(openUsage({ sql, clock, log })),
    mailer: stack.use(openMailer({ ...config, log })),
    resolveLink: async (...asked) => inWords(await resolver.resolve(...asked)),
    faults,
    measure: measureBy(metrics, tracing),
    metricsOfAll: () => gather(metrics.read),
    ending: ending.signal,
  });
  const { port, handOver } = stack.use(listen({ config, edge, visitPlain, app, clock, laneCounts, ending, log }));
  return { port, url: `http://localhost:${port}`, drainClicks: () => clicks.drain(), handOver, metrics: metrics.read };
}

/**
 * Opens the operator's files. That comes before anything that other servers share: a file that cannot be used ends the
 * start, which must not have updated the schema or moved the shared domain by then.
 */
async function openFiles(config: Config, log: Log, stack: AsyncDisposableStack) {
  return {
    geo: stack.use(await openGeoFile(config, log)),
    blocklist: stack.use(await openBlocklistFile(config, log)),
  };
}

/** Creates the clients of external services other than our own dependencies. */
function outsideOf({ outboundAllow, dnsServers, fly }: Config, clock: Clock) {
  const outbound = createOutbound({ allow: outboundAllow });
  return { outbound, dns: createDns(dnsServers), certificates: fly && createFlyCertificates({ fly, outbound, clock }) };
}

/** Counts an API request that has ended, and traces it. */
const measureBy =
  (metrics: Metrics, tracing: Tracing): Metrics["request"] =>
  (route, method, status, seconds) => {
    metrics.request(route, method, status, seconds);
    const attributes = { "http.request.method": method, "http.route": route, "http.response.status_code": status };
    const name = `${method} ${route}`.trim();
    tracing.trace({ name, kind: "server", tookMs: seconds * 1000, isFailed: status >= 500, attributes });
  };

/** Turns a refusal into the API's status and message. */
function inWords(resolution: Resolution): Awaited<ReturnType<ResolveLink>> {
  if (resolution.ok) return resolution;
  const { reason, retryAfterSeconds } = resolution.refused;
  return { ok: false, ...REFUSALS[reason], retryAfterSeconds };
}

/** Logs at most once per interval, with the number of links since the last time. */
function sayReplaced(log: Log): (links: number, error?: unknown) => void {
  let count = 0;
  const say = throttleReports(SAY_EVERY_MS, (error: unknown) => {
    log.warn("could not announce new links one by one; told other servers to check all of them again", {
      error,
      links: count,
    });
    count = 0;
  });
  return (links, error) => {
    count += links;
    say(error);
  };
}

async function openSharedDomain(db: Drizzle, hostname: string, log: Log) {
  const id = await ensureSharedDomain(db, hostname, (from) =>
    log.warn("moved the shared domain; every server needs the same SHORT_DOMAIN", { from, to: hostname }),
  );
  return { id, hostname, ...watchSharedDomain({ db, id, hostname, log }) };
}

const limitReports = (log: Log) => ({
  onError: (error: unknown) => log.warn("cannot share limits", { error }),
  onReturned: () => log.info("limits are shared again"),
});

interface SecretOptions {
  db: Drizzle;
  keys: Keys;
  log: Log;
  stack: AsyncDisposableStack;
}

/** Returns the visitor secret. */
async function openSecrets({ db, keys, log, stack }: SecretOptions): Promise<Uint8Array> {
  await ensureSecretFingerprint(db, keys, () =>
    log.warn(
      "APP_SECRET is not the one that this database was used with: sessions have ended and stored secrets cannot be " +
        "read. Every server needs the same one, and the previous one as APP_SECRET_PREVIOUS",
    ),
  );
  stack.use(watchSecretFingerprint({ db, keys, log }));
  return ensureVisitorSecret(db);
}
