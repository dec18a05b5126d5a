/**
 * Loads of links that are under way: one per address at a time, and `LOADS_MAX` in all. If a change arrives during a
 * load, the load is repeated, because its result may be older than the change; after `TRIES_MAX` tries the result is
 * returned without being cached. If a load fails, only the caller that began it gets the error; callers that joined
 * it try once more. A visitor waits for a bounded time (`inTime`); the load then goes on.
 */
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import { inTime } from "../db/in-time";
import type { KnownVersions } from "./known-versions";

export const LOADS_MAX = 1_000;
const TRIES_MAX = 3;

interface Flight {
  isOutdated: boolean;
  /** Whether a result of no link may be outdated. */
  isAbsenceOutdated: boolean;
  result: Promise<CompiledLink | null>;
}

/** Thrown when `LOADS_MAX` loads are already under way. */
export class TooManyLoadsError extends Error {
  override name = "TooManyLoadsError";
}

export interface FlightOptions {
  /** With `isFresh`, loads the link from the source itself, not from a shared copy. */
  load(key: string, isFresh: boolean): Promise<LinkDefinition | null>;
  known: KnownVersions;
  /** Receives each result that is known to be current. */
  keep(key: string, link: CompiledLink | null): void;
}

export class Flights {
  /** Calls of `load` since the start. */
  begun = 0;
  readonly #flights = new Map<string, Flight>();

  constructor(private readonly options: FlightOptions) {}

  get size(): number {
    return this.#flights.size;
  }

  isUnderWay(key: string): boolean {
    return this.#flights.has(key);
  }

  outdate(key: string): void {
    const flight = this.#flights.get(key);
    if (flight) flight.isOutdated = true;
  }

  outdateAll(): void {
    for (const flight of this.#flights.values()) flight.isOutdated = true;
  }

  outdateAbsences(): void {
    for (const flight of this.#flights.values()) flight.isAbsenceOutdated = true;
  }

  /** As `join`, but a visitor waits only for a bounded time. */
  joinForVisitor(key: string): Promise<CompiledLink | null> {
    return inTime(this.join(key));
  }

  /** Joins the load of this address, or begins one. Rejects with `TooManyLoadsError`, or with the error of the load. */
  async join(key: string): Promise<CompiledLink | null> {
    const under = this.#flights.get(key);
    // A load that failed may have begun long ago, on a connection that was already dead. A caller that joined it
    // tries once more.
    return under ? under.result.catch(() => this.#flights.get(key)?.result ?? this.#begin(key)) : this.#begin(key);
  }

  async #begin(key: string): Promise<CompiledLink | null> {
    if (this.#flights.size >= LOADS_MAX) throw new TooManyLoadsError(`Already loading ${LOADS_MAX} links`);
    const flight: Flight = { isOutdated: false, isAbsenceOutdated: false, result: Promise.resolve(null) };
    flight.result = this.#load(key, flight).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight.result;
  }

  async #load(key: string, flight: Flight): Promise<CompiledLink | null> {
    const { load, known, keep } = this.options;
    for (let attempt = 1; ; attempt++) {
      Object.assign(flight, { isOutdated: false, isAbsenceOutdated: false });
      this.begun += 1;
      const definition = await load(key, attempt > 1);
      const isOld = definition === null ? flight.isAbsenceOutdated : !known.isCurrent(definition);
      const isCurrent = !flight.isOutdated && !isOld;
      if (!isCurrent && attempt < TRIES_MAX) continue;
      const link = definition && compileLink(definition);
      if (isCurrent) keep(key, link);
      return link;
    }
  }
}
