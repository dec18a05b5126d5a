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
/** To look a link up takes as long as to read so many rows of tags one after another. */
const ROWS_A_LOOK_UP = 10;
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
    const ofLink = this.#ofLink;
    const byList: number[] = new Array(this.#lists.length).fill(0);
    const missing: number[] = [];
    for (let id = 0; id < clicks.length; id++) {
      const count = clicks[id] ?? 0;
      if (count === 0) continue;
      const place = ofLink[id] ?? UNKNOWN;
      if (place === UNKNOWN) missing.push(id);
      else byList[place] = (byList[place] ?? 0) + count;
    }
    const found = missing.length === 0 ? undefined : await this.#complete(sql, orgId, asOf, missing);
    for (const [id, place] of found ?? []) byList[place] = (byList[place] ?? 0) + (clicks[id] ?? 0);
    const sums = new Map<string, number>();
    byList.forEach((count, place) => {
      if (count === 0) return;
      for (const tag of this.#lists[place] ?? []) sums.set(tag, (sums.get(tag) ?? 0) + count);
    });
    return Array.from(sums, ([tag, count]): TagRow => ({ tag, count }))
      .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag))
      .slice(0, max);
  }

  /** The places of the missing ones' lists. They are remembered where nobody knows more by now. */
  async #complete(sql: Reader, orgId: string, asOf: bigint, missing: readonly number[]): Promise<Map<number, number>> {
    const found = await this.#read(sql, orgId, missing);
    if (this.#known.get(orgId)?.asOf !== asOf) return found;
    this.#ofLink = widened(this.#ofLink, this.#numbers.count("link"));
    for (const [id, place] of found) this.#ofLink[id] = place;
    return found;
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
    const lists = new Map<number, number>();
    const step = (await areMost(sql, ids.length)) ? ids.length : LINKS_A_LOOK;
    for (let from = 0; from < ids.length; from += step) {
      const some = ids.slice(from, from + step);
      const links = arrayLiteral(some.map((id) => this.#numbers.valueOf("link", id)));
      const tags = some.map((): string[] => []);
      for (const { tag, places } of await readTags(sql, orgId, links, step > LINKS_A_LOOK)) {
        for (let at = 0; at < places.length; at += PLACE_BYTES) tags[places.readInt32BE(at) - 1]?.push(tag);
      }
      some.forEach((id, place) => {
        lists.set(id, this.#placeOf(tags[place] ?? []));
      });
    }
    return lists;
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

const PLACE_BYTES = 4;

/** Whether these are so many links that all rows of tags are read as soon as those of the links are looked up. */
async function areMost(sql: Reader, links: number): Promise<boolean> {
  if (links <= LINKS_A_LOOK) return false;
  const [row] = await sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = 'link_tags'::regclass`;
  return (row?.rows ?? 0) <= links * ROWS_A_LOOK_UP;
}

/**
 * By tag, the places among `links` of those that have it, four bytes each. Postgres takes any list of links for a short one,
 * whose tags it would look up one by one: out of all of the organization's, read first, it joins them at once.
 */
function readTags(sql: Reader, orgId: string, links: string, isOfMost: boolean) {
  const tagged = sql`select tag, link_id from link_tags where org_id = ${orgId}`;
  return sql<{ tag: string; places: Buffer }[]>`
    with tagged as ${isOfMost ? sql`materialized` : sql`not materialized`} (${tagged})
    select tag, string_agg(int4send(place::int), '') as places
    from unnest(${links}::text::uuid[]) with ordinality as asked (id, place) join tagged on link_id = asked.id
    group by tag order by tag`;
}

/** A copy with room for so many at least, and for some that are still to come. */
function widened(places: Uint32Array, length: number): Uint32Array {
  const wide = new Uint32Array(length <= places.length ? places.length : Math.ceil(1.5 * length));
  wide.set(places);
  return wide;
}
