/**
 * Finds the one of several hosts that accepts writes, the one that is not a standby. The choice is kept until a
 * connection there ends. Then all hosts are asked at the same time, and of those that accept writes the one on the
 * latest timeline is chosen, because a primary that was cut off and came back has not been promoted. If none accepts
 * writes, each host is tried in turn, so that the connecting client gets the reason.
 *
 * There is one choice per address and process, so that all pools move together. One round of questions runs at a
 * time, with two questions per host and 2 s for each. A crash loses nothing.
 */
import { createConnection } from "node:net";
import postgres from "postgres";
import { type PostgresUrl, type ServerPlace, socketOf } from "./postgres-url";
import { Wait } from "./wait";

const ANSWER_MS_MAX = 2_000;
/** Milliseconds to wait for the other hosts once one accepts writes. */
const OTHERS_MS_MAX = 200;

interface Writable {
  place: ServerPlace;
  timeline: number;
}

export class WritablePlace {
  readonly #url: PostgresUrl;
  #known: ServerPlace | undefined;
  #asking: Promise<ServerPlace> | undefined;
  #turns = 0;
  /** Counts calls of `doubt`: the result of a round that began before the latest call is not kept. */
  #doubts = 0;

  constructor(url: PostgresUrl) {
    this.#url = url;
  }

  /** Returns the host that accepts writes or, if there is none, the next one in turn. Never rejects. */
  async get(): Promise<ServerPlace> {
    if (this.#known) return this.#known;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Forgets the choice, because a connection there has ended. */
  doubt(): void {
    this.#doubts++;
    this.#known = undefined;
  }

  async #ask(): Promise<ServerPlace> {
    const { places } = this.#url;
    const doubts = this.#doubts;
    const found: Writable[] = [];
    const questions = places.map(async (place) => {
      const timeline = await timelineOf(this.#url, place).catch(() => null);
      if (timeline === null) throw new Error("It is read-only");
      found.push({ place, timeline });
    });
    const all = Promise.allSettled(questions);
    await Promise.any(questions).catch(() => undefined);
    await Promise.race([all, Bun.sleep(OTHERS_MS_MAX)]);
    const [best] = found.sort((a, b) => b.timeline - a.timeline);
    if (doubts === this.#doubts) this.#known = best?.place;
    return best?.place ?? places[this.#turns++ % places.length] ?? { host: "localhost", port: 5432 };
  }
}

/**
 * Returns null if the host accepts no writes, and 0 if it does but hides its timeline. Rejects if it does not
 * respond.
 */
async function timelineOf({ href, tls, database }: PostgresUrl, place: ServerPlace): Promise<number | null> {
  const sockets: ReturnType<typeof createConnection>[] = [];
  const sql = postgres(href, {
    max: 1,
    ssl: tls,
    database,
    prepare: false,
    fetch_types: false,
    connect_timeout: ANSWER_MS_MAX / 1000,
    connection: { application_name: "waymark host" },
    onnotice: () => undefined,
    ...{
      socket: () => {
        const socket = createConnection(socketOf(place));
        sockets.push(socket);
        return Object.assign(socket, place);
      },
    },
  });
  try {
    const wait = new Wait();
    const state = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_closed";
    const [answer] = await wait.until(sql.unsafe<{ is_closed: boolean }[]>(state), ANSWER_MS_MAX);
    if (answer?.is_closed !== false) return null;
    const timeline = "select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline";
    const [row] = await wait
      .until(sql.unsafe<{ timeline: number }[]>(timeline), ANSWER_MS_MAX)
      .catch((): { timeline: number }[] => []);
    return row?.timeline ?? 0;
  } finally {
    void sql.end({ timeout: 0 }).catch(() => undefined);
    for (const socket of sockets) socket.destroy();
  }
}

const choices = new Map<string, WritablePlace>();

/** Returns the choice for this address. There are no more addresses than settings. */
export function writablePlaceOf(url: PostgresUrl): WritablePlace {
  const key = `${url.href} ${url.places.map(({ host, port }) => `${host}:${port}`).join()}`;
  const known = choices.get(key);
  if (known) return known;
  const choice = new WritablePlace(url);
  choices.set(key, choice);
  return choice;
}
