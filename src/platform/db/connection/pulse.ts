/**
 * Detects whether Postgres is reachable, and receives its notifications. There are two connections. One listens.
 * The other speaks: it connects where requests do, and sends the first one the time every second. Its arrival proves
 * everything at the same time: that Postgres works, and that changes written by requests arrive here. Without that, a
 * listener could be deaf unnoticed: behind a pooler that shares servers between transactions, or after a network has
 * silently dropped the connection.
 *
 * States: listening → lost → listening; independently of these, present → away → present. Postgres is away if, after
 * the loss, the speaker could not reach it for a second and in at least two tries: at most 5 s after it froze or went
 * silent (the pause before a beat, the wait for it, one try to connect again). A Postgres that refuses is not away,
 * because other connections may work. Nor is one that responds while notifications do not arrive: requests continue.
 * While it is away, there is a try at least every 2.25 s, each on new connections, so that none waits for a network's
 * backoff.
 *
 * Notifications that are sent while nothing listens are lost: the receiver has to catch up when `onListening` is
 * called.
 */
import postgres, { type Sql } from "postgres";
import { POOL_SIZES } from "../pools";
import { type Client, type ClientSettings, openClient } from "./connect";
import { Echo, type EchoReply } from "./echo";
import { DeafError, SilentError, Wait } from "./wait";

const BEAT_EVERY_MS = 1000;
const ANSWER_MS_MAX = 2000;
/** The first try is not urgent. */
const START_MS_MAX = 10_000;
const FIRST_ECHO_MS_MAX = 5_000;
const RETRY_AFTER_MS = 250;
const AWAY_AFTER_MS = 1000;

export interface PulseOptions {
  /** Where to listen for notifications: at Postgres itself, bypassing any transaction pooler. */
  url: string;
  /** Where the connections that notify are opened. */
  speakerUrl: string;
  channel: string;
  onNotification(payload: string): void;
  /** Called with every beat, on the connection that speaks, before the beat is reported. */
  look(sql: Sql): Promise<void>;
  /** Called with every beat, on the connection that listens. */
  lookDirectly?(sql: Sql): Promise<void>;
  /** Postgres responds again after it was away, or after it was silent on a connection that had to be dropped. */
  onReturned(): void;
  /** Notifications arrive from now on. Times are the database's, in Unix milliseconds. */
  onListening(now: number): void;
  /** Notifications still arrive. */
  onBeat(now: number): void;
  /** Notifications no longer arrive. */
  onLost(error: unknown): void;
  onAway(): void;
}

export class Pulse {
  readonly #options: PulseOptions;
  readonly #first = Promise.withResolvers<void>();
  #wait = new Wait();
  #isStopped = false;
  #hasListened = false;
  #isListening = false;
  #isAway = false;
  #isReadOnly = false;
  #wasSilent = false;
  /** Whether the speaker has received a response on the present connections. */
  #isReached = false;
  /** Since when there has been no response, by the monotonic clock; null while there is one. */
  #failingSince: number | null = null;
  #running: Promise<void> | undefined;

  private constructor(options: PulseOptions) {
    this.#options = options;
  }

  /**
   * Resolves once it listens. Rejects if the first try fails, with `DeafError` if only notifications do not arrive.
   */
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

  /** Whether Postgres accepted no writes when it last responded. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Whether notifications do not arrive although Postgres may be reachable. */
  get isDeaf(): boolean {
    return !this.#isListening && !this.#isAway;
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

  /** Runs for the life of two connections and always rejects at its end. */
  async #live(wait: Wait): Promise<never> {
    const { url, speakerUrl, channel, onNotification, look, lookDirectly, onBeat } = this.#options;
    const answerMsMax = this.#hasListened ? ANSWER_MS_MAX : START_MS_MAX;
    const echo = new Echo();
    const settings = settingsOf(answerMsMax, () =>
      wait.interrupt(new Error("A monitoring connection to Postgres was closed")),
    );
    const speaker = openClient(speakerUrl, {
      ...settings,
      name: "waymark pulse",
      connectionsMax: POOL_SIZES.pulse,
    });
    const listener = openClient(url, {
      ...settings,
      name: "waymark listener",
      connectionsMax: POOL_SIZES.listener,
      onNotification: (on, payload) => (on === channel ? onNotification(payload) : echo.heard(payload)),
    });
    this.#isReached = false;
    try {
      await wait.until(speaker.sql.unsafe("select"), answerMsMax);
      this.#reached();
      await wait.until(listen(listener, [channel, echo.channel]), answerMsMax);
      const first = await echo.sound(speaker, wait, Math.min(answerMsMax, FIRST_ECHO_MS_MAX));
      await wait.until(look(speaker.sql), answerMsMax);
      this.#listening(first);
      for (;;) {
        await wait.pause(BEAT_EVERY_MS);
        const { now, isReadOnly } = await echo.sound(speaker, wait, ANSWER_MS_MAX);
        this.#isReadOnly = isReadOnly;
        await wait.until(look(speaker.sql), ANSWER_MS_MAX);
        if (lookDirectly) await wait.until(lookDirectly(listener.sql), ANSWER_MS_MAX);
        onBeat(now);
      }
    } finally {
      await Promise.all([speaker.discard(), listener.discard()]);
    }
  }

  #reached(): void {
    const hasReturned = this.#isAway || this.#wasSilent;
    this.#isReached = true;
    this.#failingSince = null;
    this.#isAway = false;
    this.#wasSilent = false;
    if (hasReturned) this.#options.onReturned();
  }

  #listening({ now, isReadOnly }: EchoReply): void {
    this.#isReadOnly = isReadOnly;
    this.#isListening = true;
    this.#hasListened = true;
    this.#first.resolve();
    this.#options.onListening(now);
  }

  /** The first try after a loss follows immediately, all others after a pause. */
  async #failed(error: unknown): Promise<void> {
    const { onLost, onAway } = this.#options;
    this.#first.reject(error);
    // If notifications continue not to arrive, that has already been reported.
    if (error instanceof SilentError && (this.#isListening || !(error instanceof DeafError))) this.#wasSilent = true;
    this.#failingSince ??= performance.now();
    if (this.#isListening) {
      this.#isListening = false;
      return onLost(error);
    }
    const isOver = performance.now() - this.#failingSince >= AWAY_AFTER_MS;
    if (!this.#isAway && !this.#isReached && isOver && !isRefusal(error)) {
      this.#isAway = true;
      onAway();
    }
    await Bun.sleep(RETRY_AFTER_MS);
  }
}

const settingsOf = (answerMsMax: number, onClosed: () => void): Omit<ClientSettings, "name" | "connectionsMax"> => ({
  connectWaitS: answerMsMax / 1000,
  isRenewed: false,
  isPrepared: false,
  onClosed,
});

/** Reports whether Postgres refuses for a reason other than shutting down or starting up. */
const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !/^57P0/.test(error.code);

/** The operator's bound on idle sessions does not apply: a connection that listens may send nothing. */
const listen = ({ sql }: Client, channels: string[]) =>
  sql.unsafe(["set idle_session_timeout = 0", ...channels.map((channel) => `listen "${channel}"`)].join("; "));
