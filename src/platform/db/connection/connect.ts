/**
 * Opens clients of postgres.js that can be discarded at any moment. The driver cannot do that: on a connection that
 * has gone silent it waits for an end that does not come, and a transaction there never rejects. So the sockets are
 * created here and destroyed when the client is discarded, which rejects whatever runs or waits on it.
 */
import { createConnection, type Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { ARRAY_TYPES } from "./array-types";
import { isUnixSocket, type PostgresUrl, parsePostgresUrl, socketOf } from "./postgres-url";
import { type WritablePlace, writablePlaceOf } from "./writable-place";

export interface ClientSettings {
  /** The name that `pg_stat_activity` shows, at most 63 bytes. */
  name: string;
  connectionsMax: number;
  connectWaitS: number;
  /** Seconds after which an unused connection is closed; undefined means never. */
  idleS?: number;
  /** False keeps connections open; otherwise each is replaced after half an hour to an hour. */
  isRenewed?: boolean;
  isPrepared?: boolean;
  /** Milliseconds that a statement waits for a lock. Undefined means as long as Postgres is set up for. */
  lockWaitMs?: number;
  /** Returns the pin by which this client and others reach the same server. Requested for each connection. */
  pin?(): AddressPin;
  onNotification?(channel: string, payload: string): void;
  onClosed?(): void;
}

/**
 * The IP address that the first connection reached. All later ones go there, though the host's name may lead to
 * several servers.
 */
export interface AddressPin {
  ip?: string;
}

export interface Client {
  readonly sql: Sql;
  readonly name: string;
  /** Returns how many connections are open or opening. */
  connections(): number;
  /** Rejects whatever runs or waits on the client. Never rejects itself. */
  discard(): Promise<void>;
  /**
   * Discards the client once running queries have ended, after `graceS` seconds at most. No query may be waiting any
   * more.
   */
  close(graceS: number): Promise<void>;
}

/**
 * A try to connect fails immediately or within its bound, so a longer pause between tries would only lengthen an
 * outage.
 */
const RECONNECT_AFTER_S = 0.05;
/**
 * Whatever the database or the role has by default: values are read in the ISO form, and a month later is a calendar
 * month of UTC. Poolers know both settings and keep them for each client.
 */
const SESSION = { DateStyle: "ISO", TimeZone: "UTC" };

/** Opens no connection yet: the first query connects. */
export function openClient(address: string, settings: ClientSettings): Client {
  const url = parsePostgresUrl(address);
  const choice = url.places.length > 1 ? writablePlaceOf(url) : undefined;
  const sockets = new Set<Socket>();
  let isDiscarded = false;
  const options = {
    max: settings.connectionsMax,
    prepare: settings.isPrepared ?? true,
    ...(url.tls === undefined ? {} : { ssl: url.tls }),
    ...(url.database === undefined ? {} : { database: url.database }),
    connect_timeout: settings.connectWaitS,
    idle_timeout: settings.idleS,
    ...(settings.isRenewed === false ? { max_lifetime: null } : {}),
    backoff: () => RECONNECT_AFTER_S,
    fetch_types: ARRAY_TYPES,
    connection: { application_name: settings.name, ...SESSION },
    ...lockBound(settings),
    alone: mayWaitForLocks,
    onnotice: () => undefined,
    onnotify: settings.onNotification,
    onclose: () => {
      choice?.doubt();
      settings.onClosed?.();
    },
    socket: socketMaker(url, {
      choice,
      pin: settings.pin,
      onMade(socket) {
        for (const known of sockets) if (known.destroyed) sockets.delete(known);
        sockets.add(socket);
        if (isDiscarded) socket.destroy();
      },
    }),
  };
  const sql = postgres(url.href, options);
  const end = async (timeoutS: number) => {
    // It rejects for connections that cannot be closed properly; those are destroyed next.
    await sql.end({ timeout: timeoutS }).catch(() => undefined);
    isDiscarded = true;
    for (const socket of sockets) socket.destroy();
  };
  const connections = () => [...sockets].filter((socket) => !socket.destroyed).length;
  return { sql, name: settings.name, connections, discard: () => end(0), close: end };
}

/** Poolers refuse connections that begin with this setting, but pass on the statement. */
const lockBound = ({ lockWaitMs }: ClientSettings) =>
  lockWaitMs === undefined ? {} : { session: `set lock_timeout = ${lockWaitMs}` };

/**
 * With every connection in use, the driver sends further statements behind others, without waiting for their answers.
 * Behind one that waits for a row, they would wait for that row as well, though other connections are soon free.
 */
const mayWaitForLocks = (statement: string): boolean => !READ.test(statement) || LOCKING_READ.test(statement);
const READ = /^\s*select\b/i;
const LOCKING_READ = /\bfor (?:no key )?update\b|\bfor (?:key )?share\b|\badvisory\w*_lock\b/i;

/** The part of the driver's parsed address that matters here. */
interface Target {
  path?: string | false;
}

interface SocketOptions extends Pick<ClientSettings, "pin"> {
  choice: WritablePlace | undefined;
  onMade(socket: Socket): void;
}

/**
 * Returns the function by which the driver gets sockets, still connecting. With several hosts, they lead to the one
 * that accepts writes.
 */
function socketMaker(url: PostgresUrl, { choice, pin: pinOf, onMade }: SocketOptions) {
  return async ({ path }: Target): Promise<Socket> => {
    const place = (await choice?.get()) ?? url.places[0] ?? { host: "localhost", port: 5432 };
    const pin = pinOf?.();
    const isUnix = isUnixSocket(place);
    const socket = createConnection(
      isUnix ? socketOf(place) : path ? { path } : { ...place, host: pin?.ip ?? place.host },
    );
    if (pin && !isUnix) socket.once("connect", () => (pin.ip ??= socket.remoteAddress));
    onMade(socket);
    // The driver reads the host's name from the socket, to verify it when it requests TLS.
    return Object.assign(socket, path && !isUnix ? {} : place);
  };
}
