/** The order of a list of links, and the cursors within it. */
import { type SQL, sql } from "drizzle-orm";
import type { LinkOrder, LinkSort } from "@/contract/links/link-lists";
import { isUuid, type OrgId } from "@/core/ids";
import { parseInstant } from "@/core/time/instant";
import { invalid } from "@/http/errors";
import { linkCounters, listedLinks } from "@/platform/db/schema";

export interface ListOrder {
  sort: LinkSort;
  order: LinkOrder;
}

/** The last row of a page: its sort key as Postgres writes it as text, and its link. */
export interface SortPosition {
  key: string;
  linkId: string;
}

interface Key {
  /** Null sorts by the link's id, which follows the order of creation. */
  value: SQL | null;
  type: "text" | "bigint" | "timestamptz";
  /** True if the click counters have to be joined to compute the key. */
  isCounted: boolean;
}

const KEYS: Record<LinkSort, Key> = {
  createdAt: { value: null, type: "text", isCounted: false },
  title: { value: sql`(${listedLinks.titleKey} collate waymark_titles)`, type: "text", isCounted: false },
  clicks: { value: sql`coalesce(counted.clicks, 0)`, type: "bigint", isCounted: true },
  lastClickAt: { value: sql`coalesce(counted.last_click_at, '-infinity')`, type: "timestamptz", isCounted: true },
};

/** True if links are sorted by creation, which is also the order of the tables' keys. */
export const isByTime = ({ sort }: ListOrder): boolean => KEYS[sort].value === null;

export const keyOf = ({ sort }: ListOrder): SQL => KEYS[sort].value ?? sql`''`;

/** Joins the click counters if the order needs them, summed per link: a link has one row per writer. */
export const withCounts = ({ sort }: ListOrder, orgId: OrgId): SQL =>
  KEYS[sort].isCounted
    ? sql`left join (
        select link_id, sum(clicks)::bigint as clicks, max(last_click_at) as last_click_at from ${linkCounters}
        where ${linkCounters.orgId} = ${orgId} group by link_id
      ) as counted on counted.link_id = ${listedLinks.linkId}`
    : sql``;

export function orderInSql({ sort, order }: ListOrder, linkId: SQL): SQL {
  const { value } = KEYS[sort];
  const direction = sql.raw(order);
  return value === null ? sql`${linkId} ${direction}` : sql`${value} ${direction}, ${linkId} ${direction}`;
}

/** Selects the rows after the place with a single row comparison, so that an index scan can start there. */
export function afterPlace({ sort, order }: ListOrder, linkId: SQL, place: SortPosition): SQL {
  const { value, type } = KEYS[sort];
  const than = sql.raw(order === "asc" ? ">" : "<");
  if (value === null) return sql`${linkId} ${than} ${place.linkId}::uuid`;
  return sql`(${value}, ${linkId}) ${than} (${place.key}::text::${sql.raw(type)}, ${place.linkId}::uuid)`;
}

export const cursorAt = ({ sort, order }: ListOrder, { key, linkId }: SortPosition): string =>
  Buffer.from(JSON.stringify([sort, order, key, linkId])).toString("base64url");

/** Whether Postgres can read the key. */
const KEY_CHECKS: Record<Key["type"], (key: string) => boolean> = {
  text: (key) => !key.includes("\0"),
  bigint: (key) => /^\d{1,18}$/.test(key),
  timestamptz: (key) => key === "-infinity" || isTime(key),
};

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d)(:\d\d)?$/;

function isTime(key: string): boolean {
  const [, day = "", time = "", minutes = ":00"] = TIME.exec(key) ?? [];
  return parseInstant(`${day}T${time}${minutes}`) !== undefined;
}

/** Throws 400 for an invalid cursor, and for one of a list in another order. */
export function placeAt({ sort, order }: ListOrder, cursor: string): SortPosition {
  const [ofSort, ofOrder, key, linkId] = partsOf(cursor);
  if (ofSort !== sort || ofOrder !== order)
    throw invalid(["cursor: belongs to a list in another order; keep `sort` and `order`, or begin without a cursor"]);
  if (typeof key !== "string" || !KEY_CHECKS[KEYS[sort].type](key) || typeof linkId !== "string" || !isUuid(linkId))
    throw noCursor();
  return { key, linkId };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Reported below.
  }
  throw noCursor();
}

const noCursor = () => invalid(["cursor: expected the `nextCursor` of a page"]);
