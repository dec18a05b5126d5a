/**
 * The whole service, from settings to a listening socket and back: resources are opened in order and closed in reverse,
 * whatever fails in between. Used by `main.ts`, the tests, the demo and the benchmarks alike.
 */

import type { Config } from "@/config";
import { hostnameOf } from "@/core/names/hostname";
import type { Edge } from "@/edge/edge";
import { openEdge } from "@/edge/open";
import { REFUSALS } from "@/edge/refusals";
import type { Resolution } from "@/edge/resolve/resolve";
import { createVisitCounts } from "@/edge/visit-counts";
import { createLeadRecorder } from "@/modules/leads/service";
import type { ResolveLink } from "@/modules/public/routes";
import { clientAddress } from "@/platform/client-address";
import { type Clock, systemClock } from "@/platform/clock";
import { canPrepare } from "@/platform/db/addresses";
import { openDatabase } from "@/platform/db/client";
import { Copies } from "@/platform/db/copies";
import { sayHiddenLinks } from "@/platform/hosts/hidden-links";
import { openKeys } from "@/platform/keys";
import { createLinkSource, shortUrls } from "@/platform/link-cache/source";
import { routingChanges } from "@/platform/routing-changes";
import { ensureSharedDomain, ensureVisitorSecret } from "@/platform/shared-rows";
import type { Log } from "@/platform/telemetry/log";
import { type Metrics, openMetrics, type WorkerMetrics } from "@/platform/telemetry/metrics";
import { openTracing, type Tracing } from "@/platform/telemetry/tracing";
import { visitorSecret } from "@/platform/visitor";
import { type App, createApp } from "./app";
import { startBackground, startWebhooks } from "./background";
import { type HandOver, type Listener, openListener } from "./listener";
import { readingsOf } from "./metrics";
import {
  createFaults,
  openClicks,
  openGeoFiles,
  openLimits,
  openLinksAndHosts,
  openMailer,
  openOutside,
  openPostgres,
  openSafety,
  openUnservedVisits,
  openUsage,
} from "./resources";

export interface Service {
  url: string;
  port: number;
  /** Everything recorded so far is in Postgres. */
  drainClicks(): Promise<boolean>;
  /** Sends clients elsewhere and stops listening, without one of them noticing. To be followed by `stop`. */
  handOver(how: HandOver): Promise<void>;
  /** Of this process. */
  metrics(): Promise<WorkerMetrics>;
  /** Stops listening, finishes what is under way, drains clicks and closes everything. Twice is fine. */
  stop(): Promise<void>;
}

/** Adds what the server's other processes have to what this one has. */
export type GatherMetrics = (own: () => Promise<WorkerMetrics>) => Promise<WorkerMetrics[]>;

const ownMetrics: GatherMetrics = async (own) => [await own()];

export async function startService(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  gather: GatherMetrics = ownMetrics,
): Promise<Service> {
  const stack = new AsyncDisposableStack();
  try {
    const service = await open(config, log, clock, gather, stack);
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
  gather: GatherMetrics,
  stack: AsyncDisposableStack,
): Promise<Omit<Service, "stop">> {
  const keys = await openKeys(config);
  const tracing = stack.use(await openTracing(config.tracesEndpoint));
  const addresses = await openPostgres(config, log, stack);
  const database = openDatabase(addresses.databaseUrl, { pool: "requests", isPrepared: canPrepare(addresses) });
  stack.defer(() => database.close());
  const { db, sql } = database;
  const sharedDomainId = await ensureSharedDomain(db, config.shortDomain);
  const visitorBytes = await ensureVisitorSecret(db);
  const geo = await openGeoFiles(config, log, stack);
  const clicks = await openClicks(config, addresses, visitorBytes, tracing, log, stack);
  const copies = new Copies(clicks);
  const { redisUrl, linkCacheBytesMax: cacheBytesMax } = config;
  const shortUrlOf = shortUrls(config.baseUrl);
  const linkSource = createLinkSource(db, shortUrlOf);
  const linkParts = { ...addresses, database, redisUrl, cacheBytesMax, copies, clock, log, source: linkSource };
  const { links, hosts, ownHosts } = await openLinksAndHosts(config, linkParts, stack);
  await sayHiddenLinks(config, { db, log, shortUrlOf, ownHosts });
  const outside = openOutside(config, clock);
  const serviceHost = hostnameOf(config.baseUrl);
  const changeRouting = routingChanges(db, links.onChange);
  const safety = await openSafety(config, { db, clock, log, hosts, changeRouting, outbound: outside.outbound }, stack);
  stack.use(startBackground({ ...addresses, clock, log, ...outside, serviceHost, changeRouting, safety }));
  const webhooks = stack.use(startWebhooks({ tracing, ...addresses, clock, log, keys, outbound: outside.outbound }));
  const shared = {
    ...{ db, keys, clock, log, hosts, ownHosts, safety, copies },
    limits: openLimits(redisUrl, clock, log, stack),
    addressOf: clientAddress(config),
    visitorSecret: visitorSecret(visitorBytes, config.visitorSaltRotation),
  };
  const visits = createVisitCounts();
  const faults = createFaults(links, clicks);
  const measured = { visits, clicks, database, faults, cache: links.cache, deliveries: webhooks.counts };
  const metrics = stack.use(openMetrics(config.worker ?? 1, readingsOf(measured)));
  const { edge, resolver } = openEdge({
    ...{ ...shared, links, geo, counts: visits },
    shortDomain: config.shortDomain,
    record: (click) => clicks.append(click),
    recordLead: createLeadRecorder(db),
    sharedDomain: { id: sharedDomainId, hostname: config.shortDomain },
    countUnserved: openUnservedVisits(sql, clock, log, stack).add,
  });

  const ending = new AbortController();
  const app = createApp({
    ...shared,
    ...outside,
    config,
    database,
    linkSource,
    shortUrlOf,
    changeRouting,
    wakeWebhooks: webhooks.wake,
    usage: openUsage(sql, clock, log, stack),
    mailer: openMailer(config, log, stack),
    resolveLink: async (...asked) => inWords(await resolver.resolve(...asked)),
    faults,
    measure: measureBy(metrics, tracing),
    metricsOfAll: () => gather(metrics.read),
    ending: ending.signal,
  });
  const { port, handOver } = listen(config, edge, app, ending, log, stack);
  return { port, url: `http://localhost:${port}`, drainClicks: () => clicks.drain(), handOver, metrics: metrics.read };
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

/** A refusal as the API tells it. */
function inWords(resolution: Resolution): Awaited<ReturnType<ResolveLink>> {
  if (resolution.ok) return resolution;
  const { reason, retryAfterSeconds } = resolution.refused;
  return { ok: false, ...REFUSALS[reason], retryAfterSeconds };
}

/** Short URLs are the edge's; what it hands on is the API's. Before it leaves, answers that stay open are told to end. */
function listen(
  config: Config,
  edge: Edge,
  app: App,
  ending: AbortController,
  log: Log,
  stack: AsyncDisposableStack,
): Listener {
  const listener = openListener({
    port: config.port,
    hostname: config.host,
    isShared: config.worker !== null,
    answer: (request, server) => edge(request, server) ?? app.fetch(request),
    failed: (error) => {
      const requestId = Bun.randomUUIDv7();
      log.error("request failed outside the API", { requestId, error });
      const body = { error: "Something went wrong on our side; quote the X-Request-Id" };
      return Response.json(body, { status: 500, headers: { "x-request-id": requestId } });
    },
    log,
  });
  app.server = listener.server;
  stack.defer(() => listener.stop());
  stack.defer(() => ending.abort());
  return {
    ...listener,
    handOver(how) {
      ending.abort();
      return listener.handOver(how);
    },
  };
}
