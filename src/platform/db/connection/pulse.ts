/**
 * Whether Postgres is there, and its notifications. Two connections: one listens and is otherwise left alone, the other
 * speaks where requests do, and every second tells the first one the time. What it says arriving proves everything at once:
 * that Postgres works, and that changes written by requests are heard here. An idle connection through a pooler that
 * shares servers between transactions hears nothing, one that a network has silently forgotten likewise.
 *
 * States: listening → lost → listening, beside it present → away → present. Postgres is away when after the loss the
 * speaker could not reach it for a second, twice at least: 5 s at most after it froze or went silent (a beat's pause, its
 * wait, a try to connect anew). One that answers with a refusal is not away: other connections may work. Nor is one that
 * answers while nothing is heard: requests go on. While it is away a try is made at least every 2.25 s, on new connections
 * each time, so that none waits for a network's backoff.
 *
 * What is told while nothing listens is lost: whoever needs it has to catch up once `onListening` is called.
 */
import postgres, { type Sql } from "postgres";
import { type Client, type ClientSettings, openClient } from "./connect";
import { Echo, type Heard } from "./echo";
import { DeafError, SilentError, Wait } from "./wait";

const BEAT_EVERY_MS = 1000;
const ANSWER_MS_MAX = 2000;
/** The first time there is no hurry. */
const START_MS_MAX = 10_000;
const FIRST_ECHO_MS_MAX = 5_000;
const RETRY_AFTER_MS = 250;
const AWAY_AFTER_MS = 1000;

export interface PulseOptions {
  /** Where notifications are listened to: Postgres itself, past any transaction pooler. */
  url: string;
  /** Where those who notify are connected. */
  speakerUrl: string;
  channel: string;
  onNotification(payload: string): void;
  /** Called with every beat, on the connection that speaks, before anything is made of the beat. */
  look(sql: Sql): Promise<void>;
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
  #isListening = false;
  #isAway = false;
  #isReadOnly = false;
  #wasSilent = false;
  /** Whether the speaker has got an answer in this life. */
  #isReached = false;
  /** Since when there was no answer; null while there is. */
  #failingSince: number | null = null;
  #running: Promise<void> | undefined;

  private constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Resolves once it listens; rejects when the first try fails, with `DeafError` where only hearing does. */
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

  /** Whether Postgres, when it was last heard of, took no writes. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Whether notifications do not arrive although Postgres may be there. */
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
    const { url, speakerUrl, channel, onNotification, look, onBeat } = this.#options;
    const answerMsMax = this.#hasListened ? ANSWER_MS_MAX : START_MS_MAX;
    const echo = new Echo();
    const settings = settingsOf(answerMsMax, () => wait.interrupt(new Error("A connection of the pulse was closed")));
    const speaker = openClient(speakerUrl, { ...settings, name: "waymark pulse" });
    const listener = openClient(url, {
      ...settings,
      name: "waymark listener",
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

  #listening({ now, isReadOnly }: Heard): void {
    this.#isReadOnly = isReadOnly;
    this.#isListening = true;
    this.#hasListened = true;
    this.#first.resolve();
    this.#options.onListening(now);
  }

  /** The first failure is answered by another try at once. */
  async #failed(error: unknown): Promise<void> {
    const { onLost, onAway } = this.#options;
    this.#first.reject(error);
    // Who goes on hearing nothing has been told once.
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

const settingsOf = (answerMsMax: number, onClosed: () => void): Omit<ClientSettings, "name"> => ({
  connectionsMax: 1,
  connectWaitS: answerMsMax / 1000,
  isRenewed: false,
  isTyped: false,
  isPrepared: false,
  onClosed,
});

/** Postgres says no, and not because it is going down or coming up. */
const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !/^57P0/.test(error.code);

const listen = ({ sql }: Client, channels: string[]) =>
  sql.unsafe(channels.map((channel) => `listen "${channel}"`).join("; "));
