/**
 * Sends due deliveries, in rounds. Each round settles the attempts that have ended, claims endpoints with due
 * deliveries, takes as many deliveries from their lines as there is room for, and sends them. Rounds follow each
 * other as long as attempts end or deliveries are left; otherwise there is one every `POLL_MS`, or as soon as it is
 * woken. The polling finds what other processes have written.
 *
 * States: running → stopping → stopped. Bounds: `PLACES` deliveries in progress per process, shared out so that slow
 * and dead endpoints leave room for the rest; `ENDED_MAX` ended attempts that are not settled, beyond which nothing
 * is taken: while Postgres is unavailable they wait. Nothing else is queued here. A crash loses the attempts that
 * were not settled; once the leases have expired, another server sends those deliveries again. `stop` gives
 * deliveries in progress `STOP_MS`, then aborts them and leaves their lines to others.
 */
import { type DeliveryPlaces, PLACES, shareOut } from "@/core/webhooks/places";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import type { DispatchedDelivery, DispatcherOptions, WantedDeliveries } from "./webhook-dispatcher";
import { type AttemptOutcome, Line } from "./webhook-line";

const POLL_MS = 500;
/** Milliseconds between looks at lines that had nothing left a moment ago. */
const LINGER_EVERY_MS = 100;
/**
 * Minimum milliseconds between rounds, so that attempts that end together are replaced together. If the last round
 * took longer, the pause is as long as that round, but at most `POLL_MS`.
 */
const REST_MS = 5;
/** The most lines per claim, and in all. */
const CLAIMED_MAX = 500;
const LINES_MAX = 2_000;
const ENDED_MAX = 2_048;
/** Milliseconds between renewals of the leases, well before they expire. */
const RENEW_EVERY_MS = 5_000;
/** Milliseconds after which a round, which normally lasts milliseconds, is waiting for an unresponsive Postgres. */
const SILENT_MS = 10_000;
const STOP_MS = 5_000;
/** Milliseconds for aborted deliveries to end. */
const END_MS = 1_000;
const FAILURE_LOG_EVERY_MS = 10_000;

export class Rounds<Delivery extends DispatchedDelivery, Attempt extends AttemptOutcome> {
  readonly #options: DispatcherOptions<Delivery, Attempt>;
  readonly #pollMs: number;
  readonly #places: DeliveryPlaces;
  readonly #stopping = new AbortController();
  readonly #breakingOff = new AbortController();
  readonly #lines = new Map<string, Line>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #failed: (error: unknown) => void;
  #ended: { delivery: Delivery; attempt: Attempt }[] = [];
  #wakeUp = Promise.withResolvers<void>();
  /** When each of these is due next, by `performance.now()`. */
  #claimAt = 0;
  #lingerAt = 0;
  #renewAt = 0;

  constructor(options: DispatcherOptions<Delivery, Attempt>) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#places = options.places ?? PLACES;
    const { log } = options;
    this.#failed = throttleReports(FAILURE_LOG_EVERY_MS, (error: unknown) =>
      log.warn("could not dispatch webhooks", { error }),
    );
  }

  wake(): void {
    this.#claimAt = 0;
    this.#lingerAt = 0;
    this.#wakeUp.resolve();
  }

  async stop(running: Promise<void>): Promise<void> {
    const { stopMs = STOP_MS } = this.#options;
    const endMs = Math.min(END_MS, stopMs);
    this.#stopping.abort();
    this.#wakeUp.resolve();
    await within(running, endMs);
    await within(Promise.all(this.#underWay), stopMs);
    this.#breakingOff.abort();
    await within(Promise.all(this.#underWay), endMs);
    await within(this.#settle().catch(this.#failed), endMs);
    await within(this.#options.release().catch(this.#failed), endMs);
  }

  async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wakeUp = Promise.withResolvers<void>();
      const startedAt = performance.now();
      const isBusy = await this.#roundInTime();
      const tookMs = performance.now() - startedAt;
      const pollMs = this.#lines.size > 0 ? Math.min(this.#pollMs, LINGER_EVERY_MS) : this.#pollMs;
      if (!isBusy) await within(this.#wakeUp.promise, pollMs);
      await Bun.sleep(Math.max(REST_MS, Math.min(tookMs, this.#pollMs)));
    }
  }

  async #roundInTime(): Promise<boolean> {
    const silent = setTimeout(this.#options.onSilent, SILENT_MS);
    try {
      return await this.#round();
    } catch (error) {
      this.#failed(error);
      return false;
    } finally {
      clearTimeout(silent);
    }
  }

  /** Runs one round. Returns whether there may be more to do immediately. */
  async #round(): Promise<boolean> {
    await this.#settle();
    const now = performance.now();
    for (const [id, line] of this.#lines) if (line.isDone(now)) this.#lines.delete(id);
    if (now >= this.#renewAt) await this.#renewLeases(now);
    if (now >= this.#claimAt) await this.#claim(now);
    return this.#take();
  }

  async #settle(): Promise<void> {
    const tried = [...this.#ended];
    if (tried.length === 0) return;
    await this.#options.settle(tried);
    this.#ended = this.#ended.slice(tried.length);
    for (const { delivery } of tried) this.#lines.get(delivery.webhookId)?.held.delete(delivery.id);
  }

  async #renewLeases(now: number): Promise<void> {
    if (this.#lines.size > 0) await this.#options.renew([...this.#lines.keys()]);
    this.#renewAt = now + RENEW_EVERY_MS;
  }

  async #claim(now: number): Promise<void> {
    // Set before the query: a wake-up during it must cause another one.
    this.#claimAt = now + this.#pollMs;
    const lines = [...this.#lines.values()];
    const slow = lines.filter((line) => line.isSlow(now)).reduce((sum, { sending }) => sum + sending.size, 0);
    const all = Math.max(0, Math.min(CLAIMED_MAX, LINES_MAX - lines.length));
    const room = { all, failing: Math.min(all, Math.max(0, this.#places.slow - slow)) };
    const claimed = await this.#options.claim(room, [...this.#lines.keys()]);
    for (const line of claimed) this.#lines.set(line.id, new Line(line, now));
  }

  async #take(): Promise<boolean> {
    if (this.#ended.length >= ENDED_MAX) return false;
    const now = performance.now();
    const isToLinger = now >= this.#lingerAt;
    if (isToLinger) this.#lingerAt = now + LINGER_EVERY_MS;
    const wants = this.#wanted(now, isToLinger);
    if (wants.length === 0) return false;
    const taken = await this.#options.take(wants);
    const byWebhook = Map.groupBy(taken, ({ webhookId }) => webhookId);
    for (const { webhookId, room } of wants) {
      const line = this.#lines.get(webhookId);
      const deliveries = byWebhook.get(webhookId) ?? [];
      for (const delivery of deliveries) if (line) this.#start(line, delivery);
      if (deliveries.length < room) line?.exhaust();
    }
    return taken.length > 0;
  }

  /**
   * Shares out the free places: quick endpoints first, and of these the ones with the fewest deliveries in progress.
   */
  #wanted(now: number, isToLinger: boolean): WantedDeliveries[] {
    const asking = [...this.#lines.values()].map((line) => ({
      line,
      destination: line.destination,
      room: line.hasMore || isToLinger ? line.room : 0,
      underWay: line.sending.size,
      isSlow: line.isSlow(now),
    }));
    asking.sort((one, other) => Number(one.isSlow) - Number(other.isSlow) || one.underWay - other.underWay);
    return [...shareOut(asking, this.#places)].map(([{ line }, room]) => ({
      webhookId: line.id,
      room,
      after: line.after(now),
      held: [...line.held],
      batch: line.batch,
    }));
  }

  #start(line: Line, delivery: Delivery): void {
    line.begin(delivery, performance.now());
    const sending = this.#send(line, delivery)
      .catch(this.#failed)
      .finally(() => {
        this.#underWay.delete(sending);
        this.#wakeUp.resolve();
      });
    this.#underWay.add(sending);
  }

  /** Sends one delivery. An aborted one is left unsettled. */
  async #send(line: Line, delivery: Delivery): Promise<void> {
    const { signal } = this.#breakingOff;
    try {
      const attempt = await this.#options.send(delivery, signal);
      if (signal.aborted && !attempt.isDelivered) return;
      line.end(delivery.id, attempt);
      this.#ended.push({ delivery, attempt });
    } catch (error) {
      line.giveUp(delivery.id);
      throw error;
    }
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
