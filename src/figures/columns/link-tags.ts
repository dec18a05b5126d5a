/**
 * The tags that links have now, beside the numbers of links: so clicks by tag are summed without asking for the tags of each
 * link again. What is known is of a state of the database (`asOf`): every change by a transaction before it is in. Changes
 * leave a note with their transaction's id (`tag_changes`, by a trigger), so that a request forgets first what has changed
 * up to its own snapshot; a link that is not known is looked up. A snapshot that is older than what is known adds nothing.
 *
 * Bound: four bytes a link for as long as links have their numbers, and each distinct list of tags once. Notes are kept
 * for a day: whoever has not asked for half as long begins anew. A crash loses nothing.
 */
import { arrayLiteral } from "@/platform/db/array-literals";
import { compareText } from "../compare-text";
import type { Reader } from "../read/scope";
import type { TagRow } from "../read/tags";
import type { ValueNumbers } from "./numbers";

const STALE_MS = 12 * 3_600_000;
const LINKS_A_LOOK = 20_000;
const UNKNOWN = 0;

interface Known {
  /** All transactions below this id are in. */
  asOf: bigint;
  /** By the process's own clock, which is never set. */
  askedAt: number;
}

export class LinkTags {
  readonly #numbers: ValueNumbers;
  readonly #known = new Map<string, Known>();
  /** By link, the place of its list. */
  #ofLink: Uint32Array = new Uint32Array();
  readonly #lists: (readonly string[])[] = [[]];
  readonly #places = new Map<string, number>();

  constructor(numbers: ValueNumbers) {
    this.#numbers = numbers;
  }

  /** Clicks by tag, the most first, ties in the order of their names; `clicks` are by the number of the link. */
  async sum(sql: Reader, orgId: string, clicks: Uint32Array, max: number): Promise<TagRow[]> {
    const asOf = await this.#follow(sql, orgId);
    const missing: number[] = [];
    for (let id = 0; id < clicks.length; id++) {
      if ((clicks[id] ?? 0) > 0 && (this.#ofLink[id] ?? UNKNOWN) === UNKNOWN) missing.push(id);
    }
    // A copy, since others may forget meanwhile.
    const ofLink = missing.length === 0 ? this.#ofLink : await this.#completed(sql, orgId, asOf, missing);
    const byList = new Float64Array(this.#lists.length);
    for (let id = 0; id < clicks.length; id++) {
      const place = ofLink[id] ?? UNKNOWN;
      byList[place] = (byList[place] ?? 0) + (clicks[id] ?? 0);
    }
    const sums = new Map<string, number>();
    byList.forEach((count, place) => {
      if (count === 0) return;
      for (const tag of this.#lists[place] ?? []) sums.set(tag, (sums.get(tag) ?? 0) + count);
    });
    return Array.from(sums, ([tag, count]): TagRow => ({ tag, count }))
      .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag))
      .slice(0, max);
  }

  /** With the missing ones. They are remembered where nobody knows more by now. */
  async #completed(sql: Reader, orgId: string, asOf: bigint, missing: readonly number[]): Promise<Uint32Array> {
    const ofLink = widened(this.#ofLink, this.#numbers.count("link"));
    const found = await this.#read(sql, orgId, missing);
    const isLatest = this.#known.get(orgId)?.asOf === asOf;
    if (isLatest) this.#ofLink = widened(this.#ofLink, ofLink.length);
    for (const [id, place] of found) {
      ofLink[id] = place;
      if (isLatest) this.#ofLink[id] = place;
    }
    return ofLink;
  }

  /** Forgets what has changed. Returns what the snapshot is as of. */
  async #follow(sql: Reader, orgId: string): Promise<bigint> {
    if (performance.now() - (this.#known.get(orgId)?.askedAt ?? Infinity) > STALE_MS) this.#forget();
    const [row] = await sql<{ asOf: string; changed: string | null }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as "asOf", (
        select string_agg(replace(link_id::text, '-', ''), ',') from tag_changes
        where org_id = ${orgId} and changed >= ${String(this.#known.get(orgId)?.asOf ?? 0)}::text::xid8
      ) as changed`;
    const asOf = BigInt(row?.asOf ?? 0);
    // Somebody with a later snapshot may have come meanwhile.
    if (asOf < (this.#known.get(orgId)?.asOf ?? 0n)) return asOf;
    for (const link of row?.changed?.split(",") ?? []) {
      const id = this.#numbers.find("link", link);
      if (id !== undefined && id < this.#ofLink.length) this.#ofLink[id] = UNKNOWN;
    }
    this.#known.set(orgId, { asOf, askedAt: performance.now() });
    return asOf;
  }

  /** By link, the place of its list. */
  async #read(sql: Reader, orgId: string, ids: readonly number[]): Promise<Map<number, number>> {
    const tags = new Map<number, string[]>(ids.map((id) => [id, []]));
    for (let from = 0; from < ids.length; from += LINKS_A_LOOK) {
      const links = ids.slice(from, from + LINKS_A_LOOK).map((id) => this.#numbers.valueOf("link", id));
      const rows = await sql<{ tag: string; links: string }[]>`
        select tag, string_agg(replace(link_id::text, '-', ''), ',') as links
        from unnest(${arrayLiteral(links)}::text::uuid[]) as asked (id)
        join link_tags on link_tags.org_id = ${orgId} and link_tags.link_id = asked.id
        group by tag order by tag`;
      for (const { tag, links } of rows) {
        for (const link of links.split(",")) tags.get(this.#numbers.find("link", link) ?? -1)?.push(tag);
      }
    }
    return new Map(Array.from(tags, ([id, list]) => [id, this.#placeOf(list)]));
  }

  #placeOf(tags: readonly string[]): number {
    const key = tags.join("\0");
    const place = this.#places.get(key) ?? this.#lists.push(tags) - 1;
    this.#places.set(key, place);
    return place;
  }

  #forget(): void {
    this.#known.clear();
    this.#ofLink.fill(UNKNOWN);
  }
}

/** A copy with room for so many at least, and for some that are still to come. */
function widened(places: Uint32Array, length: number): Uint32Array {
  const wide = new Uint32Array(length <= places.length ? places.length : Math.ceil(1.5 * length));
  wide.set(places);
  return wide;
}
