/**
 * Caches values that take a while to load, and refreshes them.
 *
 * States of a key: absent → loading → current → outdated (`freshMs` have passed, or a change was reported) → loading.
 * With a `standIn`, an outdated value is loaded again before it is served. It stands in if that fails or takes longer
 * than `waitMs`, and is then served without another try for `retryMs`. Without a `standIn`, callers wait for the load
 * and share its failure, which is not cached. No further caller joins a load that a change has overtaken: its value
 * counts as outdated, and its own callers load again, up to `triesMax` times in all.
 *
 * Bounds: `weightMax`, beyond which the least recently used values are evicted; one load per key, besides overtaken
 * ones; `loadsMax` loads in all, beyond which `refusal` is thrown. A crash loses nothing: everything here can be
 * loaded again.
 */
import { type Clock, steadyClock } from "./clock";

export interface RefreshedOptions<Asked, Value> {
  keyOf(asked: Asked): string;
  load(asked: Asked): Promise<Value>;
  clock: Clock;
  freshMs: number;
  loadsMax: number;
  refusal(): Error;
  triesMax?: number;
  weightMax: number;
  /** Each value weighs 1 by default. One that weighs 0 is not kept. */
  weightOf?(value: Value): number;
  standIn?: StandIn<Value>;
}

export interface StandIn<Value> {
  waitMs: number;
  retryMs: number;
  /** Called once for each load that fails or is refused. */
  onLoadFailed(error: unknown): void;
  /** Stands in where there is no older value. Without it, callers wait for the first load and share its failure. */
  missing?: Value;
}

interface Kept<Asked, Value> {
  asked: Asked;
  value: Value;
  /** When the value becomes outdated. */
  dueAt: number;
}

interface Flight<Asked, Value> {
  asked: Asked;
  isOvertaken: boolean;
  value: Promise<Value>;
}

/** `undefined` is not a value: it means that there is none. */
export class Refreshed<Asked, Value extends NonNullable<unknown> | null> {
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept<Asked, Value>>();
  readonly #flights = new Map<string, Flight<Asked, Value>>();
  #weight = 0;
  #loads = 0;
  #changes = 0;

  readonly #clock: Clock;

  constructor(private readonly options: RefreshedOptions<Asked, Value>) {
    this.#clock = steadyClock(options.clock);
  }

  get weight(): number {
    return this.#weight;
  }

  async of(asked: Asked): Promise<Value> {
    const { keyOf, standIn } = this.options;
    const key = keyOf(asked);
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      if (this.#clock() < kept.dueAt) return kept.value;
    }
    const older = kept ? kept.value : standIn?.missing;
    if (!standIn || older === undefined) return this.#loaded(key, asked);
    const changesBefore = this.#changes;
    const loaded = await this.#loadedInTime(key, asked, standIn.waitMs);
    if (loaded !== undefined) return loaded;
    // A newer value, or a change reported meanwhile, must not be postponed.
    const isUntouched = this.#kept.get(key) === kept && this.#changes === changesBefore;
    if (isUntouched) this.#keep(key, { asked, value: older, dueAt: this.#clock() + standIn.retryMs });
    return older;
  }

  /** Marks every value and load for which `isChanged` returns true as outdated. */
  markOutdated(isChanged: (asked: Asked) => boolean): void {
    this.#changes++;
    for (const kept of this.#kept.values()) if (isChanged(kept.asked)) kept.dueAt = Number.NEGATIVE_INFINITY;
    for (const flight of this.#flights.values()) if (isChanged(flight.asked)) flight.isOvertaken = true;
  }

  /** Resolves to undefined if the load fails or takes too long. */
  async #loadedInTime(key: string, asked: Asked, waitMs: number): Promise<Value | undefined> {
    // The load itself has reported its failure.
    return Promise.race([this.#loaded(key, asked).catch(() => undefined), Bun.sleep(waitMs).then(() => undefined)]);
  }

  async #loaded(key: string, asked: Asked): Promise<Value> {
    const { triesMax = 1 } = this.options;
    for (let tries = 1; ; tries++) {
      const under = this.#flights.get(key);
      const flight = under && !under.isOvertaken ? under : this.#begin(key, asked);
      const value = await flight.value;
      if (!flight.isOvertaken || tries >= triesMax) return value;
    }
  }

  #begin(key: string, asked: Asked): Flight<Asked, Value> {
    const { loadsMax, refusal, standIn } = this.options;
    if (this.#loads >= loadsMax) {
      const error = refusal();
      standIn?.onLoadFailed(error);
      throw error;
    }
    const { promise, resolve } = Promise.withResolvers<Value>();
    const flight: Flight<Asked, Value> = { asked, isOvertaken: false, value: promise };
    this.#flights.set(key, flight);
    resolve(this.#land(key, flight));
    return flight;
  }

  async #land(key: string, flight: Flight<Asked, Value>): Promise<Value> {
    const { load, freshMs, standIn } = this.options;
    const isLatest = () => this.#flights.get(key) === flight;
    this.#loads++;
    try {
      const value = await load(flight.asked);
      const dueAt = flight.isOvertaken ? Number.NEGATIVE_INFINITY : this.#clock() + freshMs;
      if (isLatest()) this.#keep(key, { asked: flight.asked, value, dueAt });
      return value;
    } catch (error) {
      standIn?.onLoadFailed(error);
      throw error;
    } finally {
      this.#loads--;
      if (isLatest()) this.#flights.delete(key);
    }
  }

  #keep(key: string, kept: Kept<Asked, Value>): void {
    const { weightMax } = this.options;
    this.#drop(key);
    const weight = this.#weightOf(kept);
    if (weight === 0) return;
    this.#kept.set(key, kept);
    this.#weight += weight;
    for (const other of this.#kept.keys()) {
      if (this.#weight <= weightMax) return;
      this.#drop(other);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#weight -= this.#weightOf(kept);
  }

  #weightOf({ value }: Kept<Asked, Value>): number {
    return this.options.weightOf?.(value) ?? 1;
  }
}
