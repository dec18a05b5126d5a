/**
 * The line of an endpoint that this process has claimed: which deliveries are in progress, how many may be, and
 * whether any are left to take. It lives as long as there is something to do, and `LINGER_MS` after that, so that the
 * next delivery needs no new claim.
 */
import { hostOf } from "@/core/webhooks/host";
import { nextWindow, WINDOW_MIN } from "@/core/webhooks/window";

export interface ClaimedLine {
  id: string;
  orgId: string;
  url: string;
  isFailing: boolean;
  batch: boolean;
}

export interface AttemptOutcome {
  isDelivered: boolean;
  durationMs: number;
}

const LINGER_MS = 2_000;
/**
 * Milliseconds between looks at the head of a line that is otherwise read onwards: earlier deliveries may have been
 * added.
 */
const HEAD_EVERY_MS = 1_000;
/** Milliseconds after which a delivery no longer counts as quick. */
const SLOW_MS = 1_000;

/** All times are `performance.now()`. */
export class Line {
  readonly id: string;
  /** The organization and the host. What the organization's endpoints on one host may do together is bounded, too. */
  readonly destination: string;
  readonly batch: boolean;
  isFailing: boolean;
  /** Whether more may be due than was taken. */
  hasMore = true;
  window = WINDOW_MIN;
  /** The deliveries in progress, with the times they began. */
  readonly sending = new Map<string, number>();
  /** The deliveries in progress, and those that have ended but are not settled yet. */
  readonly held = new Set<string>();
  /** While the endpoint is failing, each claim allows one attempt. */
  #triesLeft: number;
  #lastMs = 0;
  #after: string | null = null;
  #headAt: number;
  #usedAt: number;

  constructor({ id, orgId, url, batch, isFailing }: ClaimedLine, now: number) {
    this.id = id;
    this.destination = `${orgId} ${hostOf(url)}`;
    this.batch = batch;
    this.isFailing = isFailing;
    this.#triesLeft = isFailing ? 1 : 0;
    this.#headAt = now;
    this.#usedAt = now;
  }

  /** How many more deliveries the endpoint can take. */
  get room(): number {
    return this.isFailing ? this.#triesLeft : Math.max(0, this.window - this.sending.size);
  }

  /** True if the endpoint is failing, took too long for the last delivery, or has taken too long for a current one. */
  isSlow(now: number): boolean {
    const [oldest = now] = this.sending.values();
    return this.isFailing || this.#lastMs > SLOW_MS || now - oldest > SLOW_MS;
  }

  /** Returns where to continue reading the line; null, for its head, every `HEAD_EVERY_MS`. */
  after(now: number): string | null {
    if (now - this.#headAt > HEAD_EVERY_MS) {
      this.#after = null;
      this.#headAt = now;
    }
    return this.#after;
  }

  begin(delivery: { id: string; dueAt: string }, now: number): void {
    this.sending.set(delivery.id, now);
    this.held.add(delivery.id);
    this.#after = delivery.dueAt;
    this.#usedAt = now;
    this.hasMore = true;
    if (this.isFailing) this.#triesLeft--;
  }

  end(deliveryId: string, tried: AttemptOutcome): void {
    const wasFull = this.sending.size >= this.window;
    this.sending.delete(deliveryId);
    this.window = nextWindow(this.window, tried, wasFull);
    this.#lastMs = tried.durationMs;
    if (tried.isDelivered && this.isFailing) this.hasMore = true;
    this.isFailing = !tried.isDelivered;
  }

  /** Notes that fewer deliveries were due than asked for: the next look starts at the head. */
  exhaust(): void {
    this.hasMore = false;
    this.#after = null;
  }

  /** Gives up a delivery of which it is unknown whether it was sent: the rest of the line is left to the next claim. */
  giveUp(deliveryId: string): void {
    this.sending.delete(deliveryId);
    this.held.delete(deliveryId);
    this.isFailing = true;
  }

  isDone(now: number): boolean {
    if (this.held.size > 0) return false;
    if (this.isFailing) return this.#triesLeft <= 0 || !this.hasMore;
    return !this.hasMore && now - this.#usedAt > LINGER_MS;
  }
}
