/**
 * An endpoint whose line is ours: what is under way there, how much may be, and whether anything is left to take. Lives as
 * long as there is something to do, and `LINGER_MS` after that, so that what comes next needs no claim.
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

export interface TriedAs {
  isDelivered: boolean;
  durationMs: number;
}

const LINGER_MS = 2_000;
/** A look at the head of a line that goes on without it, for what was written behind its back. */
const HEAD_EVERY_MS = 1_000;
/** What takes longer has no place among the quick any more. */
const SLOW_MS = 1_000;

/** All times are `performance.now()`'s. */
export class Line {
  readonly id: string;
  /** The organization and the host: what its endpoints there may do together is bounded, too. */
  readonly destination: string;
  readonly batch: boolean;
  isFailing: boolean;
  /** Whether more may be due than was taken. */
  hasMore = true;
  window = WINDOW_MIN;
  /** Deliveries under way, with when they began. */
  readonly sending = new Map<string, number>();
  /** Under way, or ended and not noted yet. */
  readonly held = new Set<string>();
  /** While it fails it may be tried once for each claim. */
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

  /** How many more the endpoint bears. */
  get room(): number {
    return this.isFailing ? this.#triesLeft : Math.max(0, this.window - this.sending.size);
  }

  /** Fails, answers slowly, or has kept us waiting for so long already. */
  isSlow(now: number): boolean {
    const [oldest = now] = this.sending.values();
    return this.isFailing || this.#lastMs > SLOW_MS || now - oldest > SLOW_MS;
  }

  /** Where to go on; from the head once a while. */
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

  end(deliveryId: string, tried: TriedAs): void {
    const wasFull = this.sending.size >= this.window;
    this.sending.delete(deliveryId);
    this.window = nextWindow(this.window, tried, wasFull);
    this.#lastMs = tried.durationMs;
    if (tried.isDelivered && this.isFailing) this.hasMore = true;
    this.isFailing = !tried.isDelivered;
  }

  /** Not all that was asked for was there: it begins at the head when it is looked at again. */
  exhaust(): void {
    this.hasMore = false;
    this.#after = null;
  }

  /** Nobody knows whether it was sent: what is left here is for the next claim. */
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
