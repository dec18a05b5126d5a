/** What the service stands on, opened with what closes it again. */
import type { Sql } from "postgres";
import { type ClickPipeline, startClickPipeline } from "@/clicks/pipeline";
import type { Config } from "@/config";
import { comparedHostname } from "@/core/names/hostname";
import { createSafetyChecker, type SafetyChecker, type SafetyCheckerOptions } from "@/modules/safety/checker";
import type { Clock } from "@/platform/clock";
import type { Addresses } from "@/platform/db/addresses";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { prepareDatabase } from "@/platform/db/prepare";
import { type Geo, openGeo } from "@/platform/geo/geo";
import { createFlyCertificates } from "@/platform/hosts/certificates";
import { createDns } from "@/platform/hosts/dns";
import { type HostDirectory, openHosts } from "@/platform/hosts/hosts";
import { createOwnHosts, type OwnHosts } from "@/platform/hosts/own-hosts";
import { createLimits, type Limits } from "@/platform/limits/limits";
import { type Links, type LinksOptions, openLinks } from "@/platform/link-cache/open";
import { createMailer, type Mailer } from "@/platform/mail";
import { createOutbound, type Outbound } from "@/platform/outbound/outbound";
import { type BlocklistFacts, openBlocklist } from "@/platform/safety/blocklist";
import { createWebRisk } from "@/platform/safety/web-risk";
import { SettingError } from "@/platform/setting-error";
import type { Log } from "@/platform/telemetry/log";
import type { Tracing } from "@/platform/telemetry/tracing";
import { openUnserved, type Unserved } from "@/platform/unserved/flush";
import { createUsage, type Usage } from "@/platform/usage";

/** Of all workers of a machine together. */
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;
const SHED_LOG_EVERY_MS = 10_000;
const CLICKS_LATE_MS = 10_000;

/** What is asked beyond our own dependencies. */
export function openOutside({ outboundAllow, dnsServers, fly }: Config, clock: Clock) {
  const outbound = createOutbound({ allow: outboundAllow });
  return { outbound, dns: createDns(dnsServers), certificates: fly && createFlyCertificates({ fly, outbound, clock }) };
}

export interface SafetyParts extends Pick<SafetyCheckerOptions, "db" | "clock" | "log" | "changeRouting"> {
  hosts: HostDirectory;
  outbound: Outbound;
}

/** Rejects when `BLOCKLIST_FILE` cannot be read. */
export async function openSafety(
  { blocklistFile, webRisk, shortDomain }: Config,
  { hosts, outbound, ...parts }: SafetyParts,
  stack: AsyncDisposableStack,
): Promise<SafetyChecker> {
  const blocklist = blocklistFile === null ? null : stack.use(await openListFile(blocklistFile, parts.log));
  const ownHost = comparedHostname(shortDomain);
  const checker = createSafetyChecker({
    ...parts,
    blocklist,
    webRisk: webRisk && createWebRisk({ webRisk, outbound, clock: parts.clock }),
    isServed: (host) => comparedHostname(host) === ownHost || hosts.of(host) !== undefined,
  });
  return stack.use(checker);
}

/** Each needs the other: the cache leaves out what is our own path on a host, hosts hear of changes by the links' way. */
export async function openLinksAndHosts(
  config: Config,
  parts: Omit<LinksOptions, "isHidden">,
  stack: AsyncDisposableStack,
): Promise<{ links: Links; hosts: HostDirectory; ownHosts: OwnHosts }> {
  const { database, log } = parts;
  const links = stack.use(await openLinks({ ...parts, isHidden: (address) => ownHosts.hides(address) }));
  const hosts = stack.use(await openHosts({ sql: database.sql, onOrganization: links.onOrganization, log }));
  const ownHosts: OwnHosts = createOwnHosts({ config, hosts });
  return { links, hosts, ownHosts };
}

export async function openClicks(
  config: Config,
  { directUrl }: Addresses,
  visitorSecret: Uint8Array,
  tracing: Tracing,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<ClickPipeline> {
  const clicks = await startClickPipeline({
    dataDir: config.dataDir,
    databaseUrl: directUrl,
    geoDatabase: config.geoDatabase ?? undefined,
    fsyncMs: config.spoolFsyncMs,
    spoolBytesMax: SPOOL_BYTES_MAX / config.workers,
    visitorSecret,
    visitorRotation: config.visitorSaltRotation,
    baseUrl: config.baseUrl,
    onBatch: ({ clicks, tookMs }) =>
      tracing.trace({ name: "click batch", kind: "internal", tookMs, isFailed: false, attributes: { clicks } }),
    log,
  });
  stack.defer(() => clicks.close());
  watchShed(clicks, log, stack);
  return clicks;
}

export function openLimits(redisUrl: string | null, clock: Clock, log: Log, stack: AsyncDisposableStack): Limits {
  const onError = (error: unknown) => log.warn("limits are not shared", { error });
  const limits = createLimits({ clock, redisUrl, onError });
  stack.defer(async () => limits.close());
  return limits;
}

export function openMailer(config: Config, log: Log, stack: AsyncDisposableStack): Mailer | null {
  const mailer = createMailer({ ...config, log });
  stack.defer(async () => mailer?.close());
  return mailer;
}

/** The database, there and up to date. Rejects with a `SettingError` when it does not come. */
export async function openPostgres(config: Config, log: Log, stack: AsyncDisposableStack): Promise<Addresses> {
  const databaseUrl = config.databaseUrl ?? (await ownPostgres(config.dataDir, log, stack));
  const addresses = { databaseUrl, directUrl: config.databaseDirectUrl ?? databaseUrl };
  await prepareDatabase(addresses, log);
  return addresses;
}

async function ownPostgres(dataDir: string, log: Log, stack: AsyncDisposableStack): Promise<string> {
  const embedded = await startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }));
  stack.defer(() => embedded.stop());
  return embedded.url;
}

/** What is amiss, in a few words each. Asks nobody. */
export function createFaults(links: Links, clicks: ClickPipeline) {
  return (): string[] => {
    const { lagMs, isBlocked } = clicks.stats();
    return [
      ...links.faults(),
      ...(isBlocked ? ["the spool of clicks cannot be written to"] : []),
      ...(lagMs > CLICKS_LATE_MS ? [`clicks are ${Math.round(lagMs / 1000)} s late`] : []),
    ];
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

export async function openGeoFiles({ geoDatabase }: Config, log: Log, stack: AsyncDisposableStack): Promise<Geo> {
  const onReload = (outcome: "reloaded" | Error) => noteReload(log, outcome);
  const geo = await openGeo(geoDatabase ?? undefined, { onReload }).catch((cause: Error) => {
    if (geoDatabase === null) throw cause;
    throw new SettingError("GEO_DATABASE", `${geoDatabase} cannot be used: ${cause.message}`, { cause });
  });
  stack.defer(() => geo.close());
  return geo;
}

export function openUsage(sql: Sql, clock: Clock, log: Log, stack: AsyncDisposableStack): Usage {
  const usage = createUsage({ sql, clock, log });
  stack.defer(() => usage.close());
  return usage;
}

export function openUnservedVisits(sql: Sql, clock: Clock, log: Log, stack: AsyncDisposableStack): Unserved {
  const unserved = openUnserved({ sql, clock, log });
  stack.defer(() => unserved.close());
  return unserved;
}

function noteReload(log: Log, outcome: "reloaded" | Error): void {
  if (outcome === "reloaded") log.info("geo database reloaded", { thread: "edge" });
  else log.error("geo database not reloaded", { thread: "edge", error: outcome });
}

function openListFile(path: string, log: Log) {
  return openBlocklist(path, { onRead: (outcome) => noteBlocklist(log, outcome) }).catch((cause: Error) => {
    throw new SettingError("BLOCKLIST_FILE", `${path} cannot be used: ${cause.message}`, { cause });
  });
}

function noteBlocklist(log: Log, outcome: BlocklistFacts | Error): void {
  if (outcome instanceof Error) log.error("blocklist not read", { error: outcome });
  else log.info("blocklist read", { ...outcome });
}
