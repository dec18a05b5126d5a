/**
 * A client of postgres.js that can be thrown away at any moment. The driver by itself cannot be: on a connection that has
 * gone silent it waits for an end that does not come, and a transaction there never rejects. So the sockets are made
 * here, and destroyed when the client is discarded: whatever runs or waits on it rejects.
 */
import { createConnection, type Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { type PostgresUrl, parsePostgresUrl } from "./postgres-url";
import { type WritablePlace, writablePlaceOf } from "./writable-place";

export interface ClientSettings {
  /** What `pg_stat_activity` shows, at most 63 bytes. */
  name: string;
  connectionsMax: number;
  connectWaitS: number;
  /** Connections unused for so long are closed; absent: never. */
  idleS?: number;
  /** Connections are made anew after half an hour to an hour; false: never. */
  isRenewed?: boolean;
  isPrepared?: boolean;
  /** Whether array types are asked for at connecting. */
  isTyped?: boolean;
  onNotification?(channel: string, payload: string): void;
  onClosed?(): void;
}

export interface Client {
  readonly sql: Sql;
  readonly name: string;
  /** That are open, or opening. */
  connections(): number;
  /** Whatever runs or waits on it rejects. Never rejects itself. */
  discard(): Promise<void>;
  /** The same once what runs has ended, after so many seconds at most. Nothing may wait any more. */
  close(graceS: number): Promise<void>;
}

/** Connecting fails at once or in time, so that waiting longer between tries would only lengthen an outage. */
const RECONNECT_AFTER_S = 0.05;

/** Opens nothing yet: the first query connects. */
export function openClient(address: string, settings: ClientSettings): Client {
  const url = parsePostgresUrl(address);
  const choice = url.places.length > 1 ? writablePlaceOf(url) : undefined;
  const sockets = new Set<Socket>();
  let isDiscarded = false;
  const options = {
    max: settings.connectionsMax,
    prepare: settings.isPrepared ?? true,
    ...(url.tls === undefined ? {} : { ssl: url.tls }),
    connect_timeout: settings.connectWaitS,
    idle_timeout: settings.idleS,
    ...(settings.isRenewed === false ? { max_lifetime: null } : {}),
    backoff: () => RECONNECT_AFTER_S,
    fetch_types: settings.isTyped ?? true,
    connection: { application_name: settings.name },
    onnotice: () => undefined,
    onnotify: settings.onNotification,
    onclose: () => {
      choice?.doubt();
      settings.onClosed?.();
    },
    socket: socketMaker(url, choice, (socket) => {
      for (const known of sockets) if (known.destroyed) sockets.delete(known);
      sockets.add(socket);
      if (isDiscarded) socket.destroy();
    }),
  };
  const sql = postgres(url.href, options);
  const end = async (timeoutS: number) => {
    // It rejects for connections that cannot be ended in order, which are those destroyed next.
    await sql.end({ timeout: timeoutS }).catch(() => undefined);
    isDiscarded = true;
    for (const socket of sockets) socket.destroy();
  };
  const connections = () => [...sockets].filter((socket) => !socket.destroyed).length;
  return { sql, name: settings.name, connections, discard: () => end(0), close: end };
}

/** What the driver has read from the address, as far as it matters here. */
interface Target {
  path?: string | false;
}

/** Sockets still connecting, as the driver takes them; of several hosts to the one that takes writes. */
function socketMaker(url: PostgresUrl, choice: WritablePlace | undefined, onMade: (socket: Socket) => void) {
  return async ({ path }: Target): Promise<Socket> => {
    const place = (await choice?.get()) ?? url.places[0] ?? { host: "localhost", port: 5432 };
    const socket = createConnection(path ? { path } : place);
    onMade(socket);
    // The driver reads the host from the socket to name it when it asks for TLS.
    return Object.assign(socket, path ? {} : place);
  };
}
