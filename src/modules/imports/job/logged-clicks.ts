/**
 * Counts the visits of a log by link and day: all of them are added first, and then asked for. A link is known by a
 * hash of 53 bits, like in `hash-table.ts`.
 *
 * Bounds: 8 to 24 bytes a visit, most while its array grows, and 43 bytes a link. A file of 50 MB has at most 1.2 million
 * visits, which take up to 80 MB if each is of another link; usually it has 400,000. The order of the visits does not
 * matter to the time that this takes.
 */
import { dayNamed, dayNumber } from "@/core/imports/clicks-by-day";
import { HashTable, hashOf } from "./hash-table";

const FIRST_ROOM = 1_024;
/** The place of a link, and a day, in one number: days since 1970 do not reach this until 2149. */
const DAYS = 2 ** 16;

export class LoggedClicks {
  readonly #places = new HashTable();
  #links = 0;
  #visits = new Float64Array(FIRST_ROOM);
  #count = 0;
  #isSorted = false;
  /** A log is in order of time: most visits are on the day of the one before. */
  #last: { text: string; day: number | undefined } = { text: "", day: undefined };

  /** Leaves out a visit whose time cannot be read. */
  add(keyword: string, time: string): void {
    const day = this.#dayOf(time);
    if (day === undefined || day >= DAYS) return;
    const hash = hashOf(keyword);
    const known = this.#places.get(hash);
    const place = known ?? this.#links++;
    if (known === undefined) this.#places.set(hash, place);
    if (this.#count === this.#visits.length) this.#grow();
    this.#visits[this.#count++] = place * DAYS + day;
    this.#isSorted = false;
  }

  /** Returns the visits of each day, or undefined if there are none. */
  of(keyword: string): Record<string, number> | undefined {
    const place = this.#places.get(hashOf(keyword));
    if (place === undefined) return undefined;
    const visits = this.#sorted();
    const found: Record<string, number> = {};
    const first = place * DAYS;
    for (let at = firstFrom(visits, first); at < visits.length; ) {
      const visit = visits[at] ?? 0;
      if (visit >= first + DAYS) break;
      const next = firstFrom(visits, visit + 1, at);
      found[dayNamed(visit - first)] = next - at;
      at = next;
    }
    return found;
  }

  #dayOf(time: string): number | undefined {
    if (!this.#last.text || !time.startsWith(this.#last.text))
      this.#last = { text: time.slice(0, 10), day: dayNumber(time) };
    return this.#last.day;
  }

  #grow(): void {
    const visits = new Float64Array(this.#visits.length * 2);
    visits.set(this.#visits);
    this.#visits = visits;
  }

  #sorted(): Float64Array {
    const visits = this.#visits.subarray(0, this.#count);
    if (!this.#isSorted) visits.sort();
    this.#isSorted = true;
    return visits;
  }
}

/** Returns the place of the first number that is not below `limit`, in order from `from`. */
function firstFrom(numbers: Float64Array, limit: number, from = 0): number {
  let [low, high] = [from, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
