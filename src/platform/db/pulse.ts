/**
 * Whether Postgres is there, and its notifications: one connection that listens, and is asked for the time every second.
 * An answer proves both, that Postgres works and that what it has to tell still arrives; a connection which a network
 * between has silently forgotten gives none.
 *
 * States: listening → lost → listening, beside it present → away → present. Postgres is away when after the loss it could
 * not be reached for a second, twice at least: 5 s at most after it froze or went silent (a beat's pause, its wait, a
 * try to connect anew). One that answers with a refusal is not: other connections may work. While it is away a try is
 * made at least every 2.25 s, on a new connection each time, so that none waits for a network's backoff.
 *
 * What is told while nothing listens is lost: whoever needs it has to catch up once `onListening` is called.
 */
import postgres from "postgres";
import { type Client, openClient } from "./connect";
import { SilentError, Wait } from "./wait";

const BEAT_EVERY_MS = 1000;
const ANSWER_MS_MAX = 2000;
/** The first time there is no hurry. */
const START_MS_MAX = 10_000;
const RETRY_AFTER_MS = 250;
const AWAY_AFTER_MS = 1000;

export interface PulseOptions {
  url: string;
  channel: string;
  onNotification(payload: string): void;
  /** Postgres answers again, after it was away, or silent on a connection that had to be given up. */
  onReturned(): void;
  /** Notifications arrive from now on. Times are the database's, in Unix milliseconds. */
  onListening(now: number): void;
  /** They still do. */
  onBeat(now: number): void;
  /** They do not any more. */
  onLost(error: unknown): void;
  onAway(): void;
}

export class Pulse {
  readonly #options: PulseOptions;
  readonly #first = Promise.withResolvers<void>();
  #wait = new Wait();
  #isStopped = false;
  #hasListened = false;
  #isAway = false;
  #wasSilent = false;
  /** Since when there was no success; null while there is. */
  #failingSince: number | null = null;
  #running: Promise<void> | undefined;

  private constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Resolves once it listens; rejects when the first try fails. */
  static async start(options: PulseOptions): Promise<Pulse> {
    const pulse = new Pulse(options);
    pulse.#running = pulse.#run();
    try {
      await pulse.#first.promise;
      return pulse;
    } catch (error) {
      await pulse.close();
      throw error;
    }
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#wait.interrupt(new Error("The pulse was closed"));
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#wait = new Wait();
      try {
        await this.#live(this.#wait);
      } catch (error) {
        if (!this.#isStopped) await this.#failed(error);
      }
    }
  }

  /** One connection's life. Always ends with a rejection. */
  async #live(wait: Wait): Promise<never> {
    const { url, channel, onNotification, onBeat } = this.#options;
    const answerMsMax = this.#hasListened ? ANSWER_MS_MAX : START_MS_MAX;
    const client = openClient(url, {
      name: "waymark listener",
      connectionsMax: 1,
      connectWaitS: answerMsMax / 1000,
      isRenewed: false,
      isTyped: false,
      onNotification: (_, payload) => onNotification(payload),
      onClosed: () => wait.interrupt(new Error("The listening connection was closed")),
    });
    try {
      this.#listening(await wait.until(listen(client, channel), answerMsMax));
      for (;;) {
        await wait.pause(BEAT_EVERY_MS);
        onBeat(await wait.until(askTime(client), ANSWER_MS_MAX));
      }
    } finally {
      await client.discard();
    }
  }

  #listening(now: number): void {
    const { onReturned, onListening } = this.#options;
    const hasReturned = this.#isAway || this.#wasSilent;
    this.#failingSince = null;
    this.#isAway = false;
    this.#wasSilent = false;
    this.#hasListened = true;
    this.#first.resolve();
    if (hasReturned) onReturned();
    onListening(now);
  }

  /** The first failure is answered by another try at once. */
  async #failed(error: unknown): Promise<void> {
    const { onLost, onAway } = this.#options;
    this.#first.reject(error);
    if (error instanceof SilentError) this.#wasSilent = true;
    if (this.#failingSince === null) {
      this.#failingSince = performance.now();
      return onLost(error);
    }
    const isOver = performance.now() - this.#failingSince >= AWAY_AFTER_MS;
    if (!this.#isAway && isOver && !isRefusal(error)) {
      this.#isAway = true;
      onAway();
    }
    await Bun.sleep(RETRY_AFTER_MS);
  }
}

/** Postgres says no, and not because it is going down or coming up. */
const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !/^57P0/.test(error.code);

async function listen(client: Client, channel: string): Promise<number> {
  await client.sql.unsafe(`listen "${channel}"`);
  return askTime(client);
}

async function askTime({ sql }: Client): Promise<number> {
  const [row] = await sql.unsafe<{ now: number }[]>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  );
  return Number(row?.now);
}
