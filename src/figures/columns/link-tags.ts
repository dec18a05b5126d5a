/**
 * The tags that links have now, cached by the numbers of links, so that clicks by tag are summed without querying
 * each link's tags again. The cache reflects a state of the database (`asOf`): it includes all changes of
 * transactions before it. Each change leaves a note with its transaction's id (`tag_changes`, written by a trigger).
 * A request first forgets the links that have changed up to its own snapshot; links that are not cached are looked
 * up. A request whose snapshot is older than the cache adds nothing to it.
 *
 * Bounds: four bytes per link for as long as links have their numbers, and each distinct list of tags once. Lists that
 * no link has any more stay until there are twice as many lists as links; then the cache starts anew. Notes are kept
 * for a day, so it also starts anew if it was unused for half a day. A crash loses nothing.
 */
import { arrayLiteral } from "@/platform/db/array-literals";
import { compareText } from "../compare-text";
import type { Reader } from "../read/scope";
import type { TagRow } from "../read/tags";
import type { ValueNumbers } from "./numbers";

const STALE_MS = 12 * 3_600_000;
const LINKS_A_LOOK = 20_000;
/** Looking up a link takes as long as reading this many rows of tags in sequence. */
const ROWS_A_LOOK_UP = 10;
const UNKNOWN = 0;
const LISTS_A_LINK = 2;
/** Lists in addition to those, so that a few links do not make the cache start anew all the time. */
const SPARE_LISTS = 100;

interface Known {
  /** All transactions below this id are included. */
  asOf: bigint;
  /** Milliseconds on the process's monotonic clock. */
  askedAt: number;
}

export class LinkTags {
  readonly #numbers: ValueNumbers;
  readonly #known = new Map<string, Known>();
  /** By the number of the link, the index of its list of tags. */
  #ofLink: Uint32Array = new Uint32Array();
  #lists = new TagLists();

  constructor(numbers: ValueNumbers) {
    this.#numbers = numbers;
  }

  /**
   * Returns clicks by tag, the most clicked first, ties in the order of their names. `clicks` are by the number of
   * the link.
   */
  async sum(sql: Reader, orgId: string, clicks: Uint32Array, max: number): Promise<TagRow[]> {
    const asOf = await this.#follow(sql, orgId);
    const ofLink = this.#ofLink;
    // Another request may start the cache anew meanwhile.
    const lists = this.#lists;
    const byList: number[] = new Array(lists.count).fill(0);
    const missing: number[] = [];
    for (let id = 0; id < clicks.length; id++) {
      const count = clicks[id] ?? 0;
      if (count === 0) continue;
      const place = ofLink[id] ?? UNKNOWN;
      if (place === UNKNOWN) missing.push(id);
      else byList[place] = (byList[place] ?? 0) + count;
    }
    const found = missing.length === 0 ? undefined : await this.#complete(sql, orgId, { asOf, lists }, missing);
    for (const [id, place] of found ?? []) byList[place] = (byList[place] ?? 0) + (clicks[id] ?? 0);
    const sums = new Map<string, number>();
    byList.forEach((count, place) => {
      if (count === 0) return;
      for (const tag of lists.at(place)) sums.set(tag, (sums.get(tag) ?? 0) + count);
    });
    return Array.from(sums, ([tag, count]): TagRow => ({ tag, count }))
      .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag))
      .slice(0, max);
  }

  /**
   * Returns the indexes of the missing links' lists. They are cached unless the cache has moved to another state
   * meanwhile.
   */
  async #complete(
    sql: Reader,
    orgId: string,
    { asOf, lists }: { asOf: bigint; lists: TagLists },
    missing: readonly number[],
  ): Promise<Map<number, number>> {
    const found = await this.#read(sql, orgId, lists, missing);
    if (this.#known.get(orgId)?.asOf !== asOf || this.#lists !== lists) return found;
    this.#ofLink = widened(this.#ofLink, this.#numbers.count("link"));
    for (const [id, place] of found) this.#ofLink[id] = place;
    return found;
  }

  /** Forgets links whose tags have changed. Returns the state that the snapshot shows. */
  async #follow(sql: Reader, orgId: string): Promise<bigint> {
    const isStale = performance.now() - (this.#known.get(orgId)?.askedAt ?? Infinity) > STALE_MS;
    const listsMax = LISTS_A_LINK * this.#numbers.count("link") + SPARE_LISTS;
    if (isStale || this.#lists.count > listsMax) this.#forget();
    const [row] = await sql<{ asOf: string; changed: string | null }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as "asOf", (
        select string_agg(replace(link_id::text, '-', ''), ',') from tag_changes
        where org_id = ${orgId} and changed >= ${String(this.#known.get(orgId)?.asOf ?? 0)}::text::xid8
      ) as changed`;
    const asOf = BigInt(row?.asOf ?? 0);
    // A request with a later snapshot may have come meanwhile.
    if (asOf < (this.#known.get(orgId)?.asOf ?? 0n)) return asOf;
    for (const link of row?.changed?.split(",") ?? []) {
      const id = this.#numbers.find("link", link);
      if (id !== undefined && id < this.#ofLink.length) this.#ofLink[id] = UNKNOWN;
    }
    this.#known.set(orgId, { asOf, askedAt: performance.now() });
    return asOf;
  }

  /** Returns, by the number of the link, the index of its list of tags. */
  async #read(sql: Reader, orgId: string, lists: TagLists, ids: readonly number[]): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    const step = (await areMost(sql, ids.length)) ? ids.length : LINKS_A_LOOK;
    for (let from = 0; from < ids.length; from += step) {
      const some = ids.slice(from, from + step);
      const links = arrayLiteral(some.map((id) => this.#numbers.valueOf("link", id)));
      const tags = some.map((): string[] => []);
      for (const { tag, places } of await readTags(sql, orgId, links, step > LINKS_A_LOOK)) {
        for (let at = 0; at < places.length; at += PLACE_BYTES) tags[places.readInt32BE(at) - 1]?.push(tag);
      }
      some.forEach((id, place) => {
        found.set(id, lists.placeOf(tags[place] ?? []));
      });
    }
    return found;
  }

  /** The number of distinct lists of tags in the cache. */
  get lists(): number {
    return this.#lists.count;
  }

  #forget(): void {
    this.#known.clear();
    this.#ofLink.fill(UNKNOWN);
    this.#lists = new TagLists();
  }
}

/** Distinct lists of tags by their index, which begins after `UNKNOWN`. */
class TagLists {
  readonly #all: (readonly string[])[] = [[]];
  readonly #places = new Map<string, number>();

  get count(): number {
    return this.#all.length;
  }

  at(place: number): readonly string[] {
    return this.#all[place] ?? [];
  }

  placeOf(tags: readonly string[]): number {
    const key = tags.join("\0");
    const place = this.#places.get(key) ?? this.#all.push(tags) - 1;
    this.#places.set(key, place);
    return place;
  }
}

const PLACE_BYTES = 4;

/** True if there are so many links that reading all rows of tags takes no longer than looking up each link. */
async function areMost(sql: Reader, links: number): Promise<boolean> {
  if (links <= LINKS_A_LOOK) return false;
  const [row] = await sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = 'link_tags'::regclass`;
  return (row?.rows ?? 0) <= links * ROWS_A_LOOK_UP;
}

/**
 * Returns, for each tag, the positions in `links` of the links that have it, four bytes each. Postgres expects any
 * list of links to be short and would look up their tags one by one. With `isOfMost`, it reads all tags of the
 * organization first and joins them in one pass.
 */
function readTags(sql: Reader, orgId: string, links: string, isOfMost: boolean) {
  const tagged = sql`select tag, link_id from link_tags where org_id = ${orgId}`;
  return sql<{ tag: string; places: Buffer }[]>`
    with tagged as ${isOfMost ? sql`materialized` : sql`not materialized`} (${tagged})
    select tag, string_agg(int4send(place::int), '') as places
    from unnest(${links}::text::uuid[]) with ordinality as asked (id, place) join tagged on link_id = asked.id
    group by tag order by tag`;
}

/** Returns a copy with room for at least this many. Growing adds spare room for later ones. */
function widened(places: Uint32Array, length: number): Uint32Array {
  const wide = new Uint32Array(length <= places.length ? places.length : Math.ceil(1.5 * length));
  wide.set(places);
  return wide;
}
