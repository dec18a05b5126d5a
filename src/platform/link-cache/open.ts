/**
 * Opens the link cache and everything that fills it and keeps it current: Redis and a replica if they are configured,
 * Postgres behind them, and the pulse, which receives changes and detects whether Postgres is reachable. Also makes
 * the requests' pool reject queries while Postgres is unreachable.
 */
import type { Sql } from "postgres";
import type { Clock } from "@/platform/clock";
import type { DatabaseUrls } from "@/platform/db/addresses";
import type { Database } from "@/platform/db/client";
import type { Copies } from "@/platform/db/copies";
import { SettingError } from "@/platform/setting-error";
import { History } from "../db/connection/history";
import { Pulse } from "../db/connection/pulse";
import { outsideRequests } from "../db/connection/request-queue";
import { DeafError } from "../db/connection/wait";
import { unavailableReasonOf } from "../db/faults";
import type { Replica } from "../db/replica/replica";
import type { Db } from "../db/tx";
import type { Log } from "../telemetry/log";
import { throttleReports } from "../telemetry/throttle-reports";
import { type Address, splitAddress } from "./address";
import { LinkCache } from "./cache";
import {
  CHANGES_CHANNEL,
  changesSince,
  changesWithin,
  isAnyLinkCreated,
  isOfOrganization,
  type LinkChange,
  parseChange,
} from "./changes";
import { Coherence } from "./coherence";
import { type ReplicaAnswer, ReplicaLinks } from "./replica-links";
import type { ShortUrlOf } from "./short-urls";
import { LinkSnapshots, SlowError } from "./snapshots";
import type { LinkSource } from "./source";

const SAY_EVERY_MS = 10_000;
/**
 * Milliseconds that a request waits, after its change has committed, for this server to serve the new state. Its
 * response must not hang if Postgres has become unreachable since.
 */
const SETTLED_MS_MAX = 2_000;

export interface LinksOptions extends DatabaseUrls {
  database: Database;
  replica: Replica | null;
  source: LinkSource;
  shortUrlOf: ShortUrlOf;
  /** Everything else in this process that caches data from the database. */
  copies: Copies;
  /** Reports whether no link may be served at the address, even if one is stored there. */
  isHidden(address: Address): boolean;
  /** Called when Postgres is reachable again. */
  onReturned(): void;
  redisUrl: string | null;
  cacheBytesMax: number;
  clock: Clock;
  log: Log;
}

export interface Links extends AsyncDisposable {
  cache: LinkCache;
  /**
   * Applies a change that this server has committed, immediately; the other servers are notified. Resolves once this
   * server serves the new state, or after `SETTLED_MS_MAX`. Never rejects.
   */
  onChange(change: LinkChange): Promise<void>;
  /**
   * Adds a listener for changes, made on any server, to what all links of an organization depend on (domains, apps,
   * settings). It is called without an id if any organization may have changed. Its promise resolves once it has
   * applied the change.
   */
  onOrganization(listener: (orgId?: string) => void | Promise<void>): void;
  /**
   * Reads data that decides what an organization's pages look like: from the replica if that has every known change
   * of the organization, otherwise from the primary. May call `read` twice; rejects if `read` does.
   */
  readOf<Answer>(orgId: string, read: (db: Db) => Promise<Answer>): Promise<Answer>;
  /** Describes what is wrong with the parts that fill the cache and keep it current. Makes no requests. */
  faults(): string[];
}

/** Rejects if notifications from Postgres do not arrive: with a `SettingError` if Postgres itself responds. */
export async function openLinks(options: LinksOptions): Promise<Links> {
  const { database, copies, log } = options;
  const warn = (message: string) =>
    throttleReports(SAY_EVERY_MS, (error, unsaid) => log.warn(message, { error, unsaid }));
  const history = new History(() => {
    log.warn("the database was restored or replaced: discarding all cached links");
    cache.beginEpoch();
    copies.forget();
    void notifyListeners();
  });
  await history.look(database.sql);
  const snapshots = await openSnapshots(options, history, warn("redis did not carry out a command"));
  const replicaLinks = openReplicaLinks(options, history, warn("could not read a link from the replica"));
  let pulse: Pulse | undefined;
  const pulseState = () => ({ isDeaf: pulse?.isDeaf ?? false, isAway: pulse?.isAway ?? false });
  const cache = openCache(options, { snapshots, replicaLinks, pulseState }, warn("could not refresh a link"));
  const listeners: ((orgId?: string) => void | Promise<void>)[] = [];
  const notifyListeners = (orgId?: string) => Promise.all(listeners.map((listener) => listener(orgId)));
  const onChange = async (change: LinkChange) => {
    cache.change(change);
    if (!isAnyLinkCreated(change)) snapshots?.change(change);
    if (isOfOrganization(change)) await within(SETTLED_MS_MAX, notifyListeners(change.id));
  };
  const coherence = new Coherence({
    cache: {
      freshFor: (ms) => cache.freshFor(ms),
      distrust() {
        cache.distrust();
        void notifyListeners();
      },
    },
    onChange,
    changesSince: (since, linksMax) => changesSince(database.sql, since, linksMax),
    onError: warn("could not read missed link changes"),
  });
  const sayUnseen = warn("could not check the database's history");
  const look = (sql: Sql) => history.look(sql).catch(sayUnseen);
  const started = await startPulse(options, coherence, {
    onChange,
    look,
    lookDirectly: cancelsLongWaits(database, warn("could not cancel what waits for a lock")),
    onListening: () => void replicaLinks?.raiseFloor(),
    sayLost: warn("cannot receive link changes"),
  });
  pulse = started;
  return {
    cache,
    onChange,
    onOrganization: (listener) => listeners.push(listener),
    async readOf(orgId, read) {
      const isCurrent = (version: number) => cache.isOrganizationCurrent(orgId, version);
      const { isDeaf, isAway } = pulseState();
      const copy = isDeaf ? undefined : await replicaLinks?.readOf({ orgId, isCurrent, read }, isAway);
      return copy ? copy.answer : read(database.db);
    },
    faults: () => [
      ...(started.isAway ? ["Postgres is unavailable"] : []),
      ...(started.isDeaf ? ["cannot receive changes from other servers"] : []),
      ...(started.isReadOnly ? ["Postgres is read-only"] : []),
      ...(snapshots?.fault ? [snapshots.fault] : []),
    ],
    async [Symbol.asyncDispose]() {
      await started.close();
      replicaLinks?.close();
      await snapshots?.close();
    },
  };
}

/** Whether Postgres is unavailable is reported elsewhere. */
function cancelsLongWaits({ cancelLongWaits }: Database, sayFailed: (error: unknown) => void) {
  return (
    cancelLongWaits &&
    ((direct: Sql) =>
      cancelLongWaits(direct).catch((error: unknown) => {
        if (unavailableReasonOf(error) === null) sayFailed(error);
      }))
  );
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

async function openSnapshots(
  { redisUrl, database, log }: LinksOptions,
  history: History,
  onError: (error: unknown) => void,
): Promise<LinkSnapshots | undefined> {
  if (redisUrl === null) return undefined;
  return LinkSnapshots.open({
    url: redisUrl,
    history,
    changesWithin: (ms, linksMax) => changesWithin(database.sql, ms, linksMax),
    onError,
    onAway: (error) => log.warn(error instanceof SlowError ? "redis is too slow" : "redis is unavailable", { error }),
    onReturned: () => log.info("redis is back"),
  });
}

const openReplicaLinks = (
  { replica, database, shortUrlOf }: LinksOptions,
  history: History,
  onError: (error: unknown) => void,
): ReplicaLinks | undefined =>
  replica ? new ReplicaLinks({ replica, primary: database, history, shortUrlOf, onError }) : undefined;

interface CopiesOfLinks {
  snapshots: LinkSnapshots | undefined;
  replicaLinks: ReplicaLinks | undefined;
  /** Whether notifications do not arrive although Postgres may be reachable, and whether Postgres is unreachable. */
  pulseState(): { isDeaf: boolean; isAway: boolean };
}

function openCache(
  { source, isHidden, cacheBytesMax, clock }: LinksOptions,
  { snapshots, replicaLinks, pulseState }: CopiesOfLinks,
  onRefreshFailed: (error: unknown) => void,
): LinkCache {
  const fromSource = async (key: string) => {
    const store = snapshots?.reading();
    // Visits may wait for a load that `GET /api/v1/resolve` has begun.
    const found = await outsideRequests(() => source.byAddress(splitAddress(key)));
    if (found) await store?.(key, found.definition);
    return found?.definition ?? null;
  };
  const fromCopy = async (key: string, isLast: boolean): Promise<ReplicaAnswer | undefined> => {
    const definition = await snapshots?.get(key);
    return definition ? { definition } : replicaLinks?.find(splitAddress(key), isLast);
  };
  return new LinkCache({
    bytesMax: cacheBytesMax,
    now: clock,
    onRefreshFailed,
    async load(key, isFresh) {
      if (isHidden(splitAddress(key))) return null;
      if (isFresh) return fromSource(key);
      const { isDeaf, isAway } = pulseState();
      // Every server that receives a change passes it to Redis. If this server receives none, the others may not
      // either, so Postgres is asked first.
      const orCopy = async (error: unknown) => (await fromCopy(key, true))?.definition ?? Promise.reject(error);
      if (isDeaf) return fromSource(key).catch(orCopy);
      const copy = await fromCopy(key, isAway);
      // A new link has not reached every copy yet. A copy without the link is believed only if Postgres is
      // unreachable.
      if (copy && (copy.definition || isAway)) return copy.definition;
      // A copy that was late may respond by the time that a Postgres that has just become unreachable has failed.
      return fromSource(key).catch(orCopy);
    },
  });
}

interface PulseHandlers {
  onChange(change: LinkChange): Promise<void>;
  look(sql: Sql): Promise<void>;
  lookDirectly: ((sql: Sql) => Promise<void>) | undefined;
  onListening(): void;
  sayLost(error: unknown): void;
}

function startPulse(
  { databaseUrl, directUrl, database, log, onReturned }: LinksOptions,
  coherence: Coherence,
  { onChange, look, lookDirectly, onListening, sayLost }: PulseHandlers,
): Promise<Pulse> {
  return Pulse.start({
    url: directUrl,
    speakerUrl: databaseUrl,
    channel: CHANGES_CHANNEL,
    onNotification: (text) => void onChange(parseChange(text)),
    look,
    lookDirectly,
    onListening(now) {
      onListening();
      void coherence.listening(now);
    },
    onBeat: (now) => coherence.beat(now),
    onLost(error) {
      sayLost(error);
      coherence.lost();
    },
    onAway() {
      log.error("postgres is unavailable");
      coherence.away();
      void database.leave();
    },
    onReturned() {
      log.info("postgres is back");
      coherence.returned();
      onReturned();
      database.renew().catch((error) => log.warn("could not close old connections", { error }));
    },
  }).catch((error: unknown) => {
    throw error instanceof DeafError ? unheard(databaseUrl === directUrl, error) : error;
  });
}

const unheard = (isOneAddress: boolean, cause: Error): SettingError =>
  new SettingError(
    "DATABASE_DIRECT_URL",
    isOneAddress
      ? "must be the address of Postgres itself, since DATABASE_URL points to a pooler that does not forward " +
          "notifications"
      : "must point to the same database as DATABASE_URL, bypassing any transaction pooler: notifications sent there do " +
          "not arrive here",
    { cause },
  );
