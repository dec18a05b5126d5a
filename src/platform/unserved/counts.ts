/**
 * Counts visits that were turned away, in process: to count one takes two look-ups and awaits nothing. An hour of a
 * domain, for people or for bots, is a group. It is created by its first visit, is written whole whenever it has
 * changed (`flush.ts`), and is dropped once its hour is over and it has been written.
 *
 * Bounds: a group tells apart `LINKS_MAX` links and `ADDRESSES_MAX` addresses, the most frequent ones; the others are
 * counted only by their reason, so that the sum stays right. Links have room of their own, because strangers can make
 * up addresses but not links. There are at most `GROUPS_MAX` groups; visits beyond them are not counted, which is
 * logged. A crash loses what was counted since the last flush.
 */
import type { UnservedReason } from "@/contract/analytics/unserved";
import { HOUR_MS } from "@/core/time/time-range";
import type { StoredUnserved } from "../db/schema/unserved";
import { TopCounts } from "./top-counts";

const LINKS_MAX = 200;
const ADDRESSES_MAX = 100;
const GROUPS_MAX = 5_000;

export interface UnservedVisit {
  orgId: string;
  domainId: string;
  reason: UnservedReason;
  linkId?: string;
  /** The path as `shownPath` returns it; left out if it is not worth showing. */
  address?: string;
  isBot: boolean;
  /** Unix milliseconds. */
  at: number;
}

export class UnservedGroup {
  readonly #others = new Map<UnservedReason, number>();
  readonly #links = new TopCounts<CountedItem>(LINKS_MAX, (told, count) => this.#addOther(told.reason, count));
  readonly #addresses = new TopCounts<CountedItem>(ADDRESSES_MAX, (told, count) => this.#addOther(told.reason, count));
  /** Incremented by every visit. */
  changes = 0;
  /** The value of `changes` when the group was last written. */
  written = 0;

  constructor(
    readonly orgId: string,
    readonly domainId: string,
    readonly isBot: boolean,
    /** Start of the hour in Unix milliseconds. */
    readonly hour: number,
  ) {}

  add({ reason, linkId, address }: UnservedVisit): void {
    this.changes += 1;
    if (linkId !== undefined) this.#links.add(`${reason} ${linkId}`, { reason, linkId });
    else if (address !== undefined) this.#addresses.add(`${reason} ${address}`, { reason, address });
    else this.#addOther(reason, 1);
  }

  counts(): StoredUnserved[] {
    const told = [...this.#links.values(), ...this.#addresses.values()].map(({ item, count }) => ({ ...item, count }));
    return [...told, ...[...this.#others].map(([reason, count]) => ({ reason, count }))];
  }

  #addOther(reason: UnservedReason, count: number): void {
    this.#others.set(reason, (this.#others.get(reason) ?? 0) + count);
  }
}

type CountedItem = Omit<StoredUnserved, "count">;

export class UnservedCounts {
  readonly #groups = new Map<string, UnservedGroup>();
  /** Visits that were not counted, for lack of room. */
  dropped = 0;

  add(visit: UnservedVisit): void {
    const { orgId, domainId, isBot, at } = visit;
    const hour = at - (at % HOUR_MS);
    const key = `${hour}${isBot ? "b" : "p"}${domainId}${orgId}`;
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= GROUPS_MAX) {
        this.dropped += 1;
        return;
      }
      group = new UnservedGroup(orgId, domainId, isBot, hour);
      this.#groups.set(key, group);
    }
    group.add(visit);
  }

  due(): UnservedGroup[] {
    return [...this.#groups.values()].filter(({ changes, written }) => changes > written);
  }

  /** Drops the groups whose hour is over and that have been written. */
  forget(now: number): void {
    for (const [key, { hour, changes, written }] of this.#groups) {
      if (changes === written && hour + HOUR_MS <= now) this.#groups.delete(key);
    }
  }
}

const PATH_LENGTH_MAX = 200;
/**
 * Control characters, marks that change the direction of text, line separators, and code points that are not
 * characters.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Returns a path that strangers wrote in a form that is safe to store and show. */
export const shownPath = (path: string): string =>
  path.slice(0, PATH_LENGTH_MAX).toWellFormed().replace(UNSHOWN, "\ufffd");
