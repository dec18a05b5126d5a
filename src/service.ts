/**
 * The whole service, from settings to a listening socket and back: resources are opened in order and closed in reverse,
 * whatever fails in between. Used by `main.ts`, the tests, the demo and the benchmarks alike.
 */
import { randomBytes } from "node:crypto";
import { startClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import type { Config } from "@/config";
import type { Route } from "@/core/compiled-link";
import { mintToken, type Sign } from "@/core/tokens";
import { createAdmission } from "@/edge/admission";
import { createEdge, type Edge } from "@/edge/edge";
import { REFUSALS } from "@/edge/refusals";
import { createResolver } from "@/edge/resolve";
import { createResolveLane } from "@/edge/resolve-lane";
import { createVisit } from "@/edge/visit";
import { clientAddress } from "@/platform/client-address";
import { type Clock, systemClock } from "@/platform/clock";
import { type Database, openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { migrate } from "@/platform/db/migrate";
import { openGeo } from "@/platform/geo";
import { type Keys, openKeys } from "@/platform/keys";
import { splitAddress } from "@/platform/link-cache/address";
import { LinkCache } from "@/platform/link-cache/cache";
import { type LinkChange, listenForLinkChanges } from "@/platform/link-cache/changes";
import { openLinkSnapshots } from "@/platform/link-cache/snapshots";
import { createLinkSource, type LinkSource, shortUrls } from "@/platform/link-cache/source";
import type { Log } from "@/platform/log";
import { ensureSharedDomain, ensureVisitorSecret } from "@/platform/shared-rows";
import { visitorSecret } from "@/platform/visitor";
import { type App, createApp } from "./app";

const LINK_CACHE_ENTRIES_MAX = 200_000;
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;
/** A keep-alive connection may idle so long; a stream must send a heartbeat sooner. */
const IDLE_TIMEOUT_SECONDS = 60;

export interface Service {
  url: string;
  port: number;
  /** Everything recorded so far is in Postgres. */
  drainClicks(): Promise<boolean>;
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

  const geo = await openGeo(config.geoDatabase ?? undefined);
  stack.defer(() => geo.close());
  const clicks = await startClickPipeline({
    dataDir: config.dataDir,
    databaseUrl,
    geoDatabase: config.geoDatabase ?? undefined,
    fsyncMs: config.spoolFsyncMs,
    spoolBytesMax: SPOOL_BYTES_MAX,
    visitorSecret: visitorBytes,
    visitorRotation: config.visitorSaltRotation,
    log,
  });
  stack.defer(() => clicks.close());

  const shortUrlOf = shortUrls(config.baseUrl);
  const linkSource = createLinkSource(database.db, shortUrlOf);
  const { links, onChange, pingRedis } = await openLinks(config, databaseUrl, linkSource, clock, log, stack);
  const addressOf = clientAddress(config);
  const admission = createAdmission(database.db);
  const shared = { links, admission, clock, addressOf, geo, visitorSecret: visitors, shortDomain: config.shortDomain };
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

  const app = createApp({
    config,
    database,
    keys,
    clock,
    log,
    addressOf,
    linkSource,
    shortUrlOf,
    onLinkChange: onChange,
    async resolveLink(query, request, server) {
      const resolution = await resolver.resolve(query, request, server);
      return resolution.ok ? resolution : { ok: false, ...REFUSALS[resolution.reason] };
    },
    healthChecks: [() => answers(database), pingRedis],
  });
  const port = listen(config, edge, app, log, stack);
  return { port, url: `http://localhost:${port}`, drainClicks: () => clicks.drain() };
}

/** Short URLs are the edge's; what it hands on is the API's. Returns the port. */
function listen(config: Config, edge: Edge, app: App, log: Log, stack: AsyncDisposableStack): number {
  const server = Bun.serve({
    port: config.port,
    hostname: config.host,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    fetch: (request, server) => edge(request, server) ?? app.fetch(request),
    error: (error) => {
      const requestId = Bun.randomUUIDv7();
      log.error("request failed outside the API", { requestId, error });
      const body = { error: "Something went wrong on our side; quote the X-Request-Id" };
      return Response.json(body, { status: 500, headers: { "x-request-id": requestId } });
    },
  });
  app.server = server;
  stack.defer(() => server.stop());
  return server.port ?? config.port;
}

async function ownPostgres(dataDir: string, log: Log, stack: AsyncDisposableStack): Promise<string> {
  const embedded = await startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }));
  stack.defer(() => embedded.stop());
  return embedded.url;
}

/** The cache in process, filled from Redis where there is one and from Postgres, told of every change. */
async function openLinks(
  config: Config,
  databaseUrl: string,
  source: LinkSource,
  clock: Clock,
  log: Log,
  stack: AsyncDisposableStack,
) {
  const warn = (message: string) => (error: unknown) => log.warn(message, { error });
  const snapshots = config.redisUrl ? openLinkSnapshots(config.redisUrl, warn("redis is away")) : undefined;
  if (snapshots) stack.defer(() => snapshots.close());
  const links = new LinkCache({
    entriesMax: LINK_CACHE_ENTRIES_MAX,
    now: clock,
    onRefreshFailed: warn("link not refreshed"),
    async load(key, isFresh) {
      const shared = isFresh ? null : await snapshots?.get(key);
      if (shared) return shared;
      const found = await source.byAddress(splitAddress(key));
      if (found) await snapshots?.put(key, found.definition);
      return found?.definition ?? null;
    },
  });
  const onChange = (change: LinkChange) => {
    links.change(change);
    snapshots?.change(change).catch(warn("redis is away"));
  };
  const listening = openDatabase(databaseUrl, { pool: "listener" });
  stack.defer(() => listening.close());
  await listenForLinkChanges(listening.sql, { onChange, onListening: () => links.revalidate() });
  return { links, onChange, pingRedis: snapshots ? () => snapshots.ping() : async () => true };
}

const answers = async ({ sql }: Database): Promise<boolean> => (await sql`select 1`).length === 1;

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
