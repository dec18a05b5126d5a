/**
 * The whole service, from settings to a listening socket and back: resources are opened in order and closed in reverse,
 * whatever fails in between. Used by `main.ts`, the tests, the demo and the benchmarks alike.
 */
import { randomBytes } from "node:crypto";
import { type ClickPipeline, startClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import type { Config } from "@/config";
import type { Route } from "@/core/compiled-link";
import { mintToken, type Sign } from "@/core/tokens";
import { createAdmission } from "@/edge/admission";
import { createEdge, type Edge } from "@/edge/edge";
import { createPasswordCheck } from "@/edge/link-password";
import { createLinkSearch } from "@/edge/link-search";
import { REFUSALS } from "@/edge/refusals";
import { createResolver, type Resolution } from "@/edge/resolve";
import { createResolveLane } from "@/edge/resolve-lane";
import { createVisit } from "@/edge/visit";
import type { HealthFacts } from "@/modules/health/routes";
import type { ResolveLink } from "@/modules/public/routes";
import { clientAddress } from "@/platform/client-address";
import { type Clock, systemClock } from "@/platform/clock";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { migrate } from "@/platform/db/migrate";
import { openGeo } from "@/platform/geo";
import { type Keys, openKeys } from "@/platform/keys";
import { createLimits, type Limits } from "@/platform/limits/limits";
import { type Links, openLinks } from "@/platform/link-cache/open";
import { createLinkSource, shortUrls } from "@/platform/link-cache/source";
import type { Log } from "@/platform/log";
import { ensureSharedDomain, ensureVisitorSecret } from "@/platform/shared-rows";
import { visitorSecret } from "@/platform/visitor";
import { type App, createApp } from "./app";
import { startBackground } from "./background";
import { type HandOver, type Listener, openListener } from "./listener";

/** Of all workers of a machine together. */
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;
const SHED_LOG_EVERY_MS = 10_000;

export interface Service {
  url: string;
  port: number;
  /** Everything recorded so far is in Postgres. */
  drainClicks(): Promise<boolean>;
  /** Sends clients elsewhere and stops listening, without one of them noticing. To be followed by `stop`. */
  handOver(how: HandOver): Promise<void>;
  /** Stops listening, finishes what is under way, drains clicks and closes everything. Twice is fine. */
  stop(): Promise<void>;
}

export async function startService(config: Config, log: Log, clock: Clock = systemClock): Promise<Service> {
  const stack = new AsyncDisposableStack();
  try {
    const service = await open(config, log, clock, stack);
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
  stack: AsyncDisposableStack,
): Promise<Omit<Service, "stop">> {
  const keys = await openKeys(config);
  const databaseUrl = config.databaseUrl ?? (await ownPostgres(config.dataDir, log, stack));
  await migrate(databaseUrl);
  const database = openDatabase(databaseUrl, { pool: "requests" });
  stack.defer(() => database.close());
  await ensureSharedDomain(database.db, config.shortDomain);
  const visitorBytes = await ensureVisitorSecret(database.db);
  const visitors = visitorSecret(visitorBytes, config.visitorSaltRotation);

  const geo = await openGeo(config.geoDatabase ?? undefined, { onReload: (outcome) => noteReload(log, outcome) });
  stack.defer(() => geo.close());
  const clicks = await openClicks(config, databaseUrl, visitorBytes, log, stack);
  stack.use(startBackground({ databaseUrl, clock, log }));

  const shortUrlOf = shortUrls(config.baseUrl);
  const linkSource = createLinkSource(database.db, shortUrlOf);
  const { redisUrl, linkCacheBytesMax: cacheBytesMax } = config;
  const links = stack.use(
    await openLinks({ databaseUrl, database, source: linkSource, redisUrl, cacheBytesMax, clock, log }),
  );
  const addressOf = clientAddress(config);
  const admission = createAdmission(database.db);
  const limits = openLimits(redisUrl, clock, log, stack);
  const shared = {
    links: links.cache,
    searchLink: createLinkSearch(links.cache, limits),
    checkPassword: createPasswordCheck(limits),
    admission,
    clock,
    addressOf,
    geo,
    visitorSecret: visitors,
    shortDomain: config.shortDomain,
  };
  const record = (click: ClickRecord) => clicks.append(click);
  const resolver = createResolver({ ...shared, record });
  const visit = createVisit({ ...shared, mintToken: tokenMint(keys), record });
  const edge = createEdge({
    ...shared,
    visit,
    resolveLane: createResolveLane(resolver, clock),
    log,
    ownHost: new URL(config.baseUrl).host,
  });

  const ending = new AbortController();
  const app = createApp({
    config,
    database,
    keys,
    clock,
    log,
    addressOf,
    linkSource,
    shortUrlOf,
    onLinkChange: links.onChange,
    limits,
    resolveLink: async (...asked) => inWords(await resolver.resolve(...asked)),
    health: () => healthFacts(links, clicks),
    ending: ending.signal,
  });
  const { port, handOver } = listen(config, edge, app, ending, log, stack);
  return { port, url: `http://localhost:${port}`, drainClicks: () => clicks.drain(), handOver };
}

async function openClicks(
  config: Config,
  databaseUrl: string,
  visitorSecret: Uint8Array,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<ClickPipeline> {
  const clicks = await startClickPipeline({
    dataDir: config.dataDir,
    databaseUrl,
    geoDatabase: config.geoDatabase ?? undefined,
    fsyncMs: config.spoolFsyncMs,
    spoolBytesMax: SPOOL_BYTES_MAX / config.workers,
    visitorSecret,
    visitorRotation: config.visitorSaltRotation,
    log,
  });
  stack.defer(() => clicks.close());
  watchShed(clicks, log, stack);
  return clicks;
}

function openLimits(redisUrl: string | null, clock: Clock, log: Log, stack: AsyncDisposableStack): Limits {
  const onError = (error: unknown) => log.warn("limits are not shared", { error });
  const limits = createLimits({ clock, redisUrl, onError });
  stack.defer(async () => limits.close());
  return limits;
}

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

async function ownPostgres(dataDir: string, log: Log, stack: AsyncDisposableStack): Promise<string> {
  const embedded = await startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }));
  stack.defer(() => embedded.stop());
  return embedded.url;
}

function healthFacts(links: Links, clicks: ClickPipeline): HealthFacts {
  const { entries, packed, bytes, bytesMax } = links.cache.stats();
  const { pendingBytes, lagMs, shed, poisoned } = clicks.stats();
  return {
    isDegraded: links.isDegraded(),
    cache: { entries, packed, bytes, bytesMax },
    // A record's time is the edge's clock, which may be set back.
    clicks: { pendingBytes, lagMs: Math.max(0, Math.round(lagMs)), shed, poisoned },
  };
}

/** What is shed for want of room is said, too; at most once in ten seconds. */
function watchShed(clicks: ClickPipeline, log: Log, stack: AsyncDisposableStack): void {
  let said = 0;
  const timer = setInterval(() => {
    const { shed, pendingBytes } = clicks.stats();
    if (shed > said) log.error("clicks are shed", { shed, since: shed - said, pendingBytes });
    said = shed;
  }, SHED_LOG_EVERY_MS);
  timer.unref();
  stack.defer(async () => clearInterval(timer));
}

function noteReload(log: Log, outcome: "reloaded" | Error): void {
  if (outcome === "reloaded") log.info("geo database reloaded", { thread: "edge" });
  else log.error("geo database not reloaded", { thread: "edge", error: outcome });
}

function tokenMint(keys: Keys) {
  const key = keys.current("match-token");
  const sign: Sign = (bytes) => new Bun.CryptoHasher("sha256", key).update(bytes).digest();
  return (linkNumber: number, route: Route, at: number) =>
    mintToken(
      { linkNumber, mintedAt: at, kind: route.kind, position: route.position },
      randomBytes(4).readUInt32BE(),
      sign,
    );
}
