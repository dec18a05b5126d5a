/**
 * Computes the same figures of filtered clicks as `matching`, but from clicks in columns: exact, and tens of times as
 * fast.
 */
import type { FilterName, LinkFilter } from "@/contract/analytics/analytics-filters";
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { ClickPart, ColumnName } from "../columns/click-columns";
import { ColumnSums } from "../columns/column-sums";
import type { OpenedDays } from "../columns/loaded-days";
import type { ValueNumbers } from "../columns/numbers";
import { type RowFilter, RowSelector, type WantedValues } from "../columns/selection";
import { VisitorSet } from "../columns/visitor-set";
import { compareText } from "../compare-text";
import type { ClickDimension } from "../dimensions";
import type { BreakdownRow } from "./breakdowns";
import { filteredFields, linksOf, storedOf } from "./filters";
import { hoursOf } from "./hours-of-week";
import { type CountedBy, isDimension, type MatchingFigures, type MatchingLink, type MatchingQuery } from "./matching";
import type { Reader } from "./scope";

/** `by` lists the breakdowns to compute, each with up to `max` values and one more, as `readBreakdowns` returns. */
export async function countMatching(
  sql: Reader,
  opened: OpenedDays,
  matching: MatchingQuery,
  by: readonly CountedBy[],
  max: number,
): Promise<MatchingFigures> {
  const dimensions = by.filter(isDimension);
  const hasTags = by.includes("tag");
  const sums = sumsFor(opened, matching, [...dimensions, ...(hasTags ? ["link" as const] : [])]);
  await eachMatching(sql, opened, matching, (part, rows) => sums.add(part, rows));
  const { numbers } = opened;
  const breakdowns = dimensions.flatMap((name) =>
    greatest(sums, numbers, name, max + 1).map(
      ({ value, count }): BreakdownRow => ({ dimension: name, value, name: value, count }),
    ),
  );
  const counts = Array.from({ length: HOURS_OF_WEEK }, (_, hourOfWeek) => ({
    hourOfWeek,
    count: sums.hoursOfWeek[hourOfWeek] ?? 0,
  }));
  return {
    clicks: sums.clicks,
    ...(await sums.countVisitors()),
    breakdowns: dimensions.includes("domain") ? await withHostnames(sql, breakdowns) : breakdowns,
    tags: hasTags ? await opened.tags.sum(sql, matching.orgId, sums.byValue("link"), max) : [],
    hoursOfWeek: by.includes("hourOfWeek") ? hoursOf(counts) : [],
  };
}

/** Counts clicks only by tag. */
export async function countMatchingTags(sql: Reader, opened: OpenedDays, matching: MatchingQuery, max: number) {
  return opened.tags.sum(sql, matching.orgId, await clicksByLink(sql, opened, matching), max);
}

/** Returns clicks by the number of the link. */
async function clicksByLink(sql: Reader, opened: OpenedDays, matching: MatchingQuery): Promise<Uint32Array> {
  const sums = sumsFor(opened, matching, ["link"]);
  await eachMatching(sql, opened, matching, (part, rows) => sums.addValues(part, rows));
  return sums.byValue("link");
}

const sumsFor = ({ numbers }: OpenedDays, { range }: MatchingQuery, columns: readonly ColumnName[]) =>
  new ColumnSums(numbers, range.granularity, columns);

async function eachMatching(
  sql: Reader,
  opened: OpenedDays,
  matching: MatchingQuery,
  take: (part: ClickPart, rows: Uint16Array) => void,
): Promise<void> {
  const selector = new RowSelector(await wantedOf(sql, matching), opened.numbers);
  for await (const part of opened.parts()) take(part, selector.select(part));
}

async function wantedOf(sql: Reader, matching: MatchingQuery): Promise<RowFilter> {
  const { range, includeBots, filters } = matching;
  const values: WantedValues[] = [];
  for (const name of filteredFields(filters)) values.push(await wantedValues(sql, matching, name));
  return { span: range, includeBots, values };
}

async function wantedValues(sql: Reader, { orgId, filters }: MatchingQuery, name: FilterName): Promise<WantedValues> {
  switch (name) {
    case "domainId":
      return { column: "domain", values: new Set(filters.domainId?.map((id) => id.toLowerCase())) };
    case "linkId":
    case "tag":
      return { column: "link", values: await linkIds(sql, orgId, filters, name) };
    default:
      return { column: name, values: new Set(storedOf(name, filters[name])) };
  }
}

/** Returns the ids as columns hold them, without hyphens. */
async function linkIds(sql: Reader, orgId: OrgId, filters: MatchingQuery["filters"], name: LinkFilter) {
  const [row] = await sql<{ ids: string | null }[]>`
    select replace(string_agg(id::text, ','), '-', '') as ids from (${linksOf(sql, orgId, filters, name)}) as links (id)`;
  return new Set(row?.ids?.split(","));
}

interface Counted {
  value: string;
  count: number;
}

/** Returns the greatest values first, ties in the order of their bytes. */
function greatest(sums: ColumnSums, numbers: ValueNumbers, name: ClickDimension, max: number): Counted[] {
  const first: Counted[] = [];
  const counts = sums.byValue(name);
  for (let id = 0; id < counts.length; id++) {
    const count = counts[id] ?? 0;
    const last = first.length < max ? undefined : first.at(-1);
    if (count === 0 || (last && count < last.count)) continue;
    const counted = { value: numbers.valueOf(name, id), count };
    if (last && isBefore(last, counted)) continue;
    const place = first.findIndex((each) => isBefore(counted, each));
    first.splice(place === -1 ? first.length : place, 0, counted);
    if (first.length > max) first.pop();
  }
  return first;
}

const isBefore = (one: Counted, other: Counted): boolean =>
  one.count === other.count ? compareText(one.value, other.value) < 0 : one.count > other.count;

async function withHostnames(sql: Reader, rows: readonly BreakdownRow[]): Promise<BreakdownRow[]> {
  const ids = rows.flatMap(({ dimension, value }) => (dimension === "domain" && value !== "" ? [value] : []));
  const found = await sql<{ id: string; hostname: string }[]>`
    select id, hostname from domains where id = any(${arrayLiteral(ids)}::text::uuid[])`;
  const hostnames = new Map(found.map(({ id, hostname }) => [id, hostname]));
  return rows.map((row) => (row.dimension === "domain" ? { ...row, name: hostnames.get(row.value) ?? "" } : row));
}

interface LinkCount {
  linkId: string;
  clicks: number;
}

/** Returns the first `max` links and all that tie with the last of these, newer links first among equals. */
function firstLinks(counts: Uint32Array, numbers: ValueNumbers, max: number): LinkCount[] {
  const least = counts.toSorted().at(-max) ?? 0;
  const links: LinkCount[] = [];
  counts.forEach((clicks, id) => {
    if (clicks > 0 && clicks >= least) links.push({ linkId: numbers.valueOf("link", id), clicks });
  });
  return links.sort((a, b) => b.clicks - a.clicks || (a.linkId < b.linkId ? 1 : -1));
}

const LINKS_A_LOOK = 100;

/** Returns the links (no bio pages) with the most matching clicks, newer links first among equals. */
export async function countMatchingLinks(
  sql: Reader,
  opened: OpenedDays,
  matching: MatchingQuery,
  limit: number,
): Promise<MatchingLink[]> {
  const counts = await clicksByLink(sql, opened, matching);
  const links = await withoutBioPages(sql, matching.orgId, (max) => firstLinks(counts, opened.numbers, max), limit);
  const visitors = await visitorsOf(sql, opened, matching, links);
  return links.map(({ linkId, clicks }) => ({
    linkId: linkId.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
    clicks,
    uniqueVisitors: visitors.get(linkId)?.size ?? 0,
  }));
}

/** `first` returns at least as many links as requested, if there are so many. */
async function withoutBioPages(sql: Reader, orgId: OrgId, first: (max: number) => LinkCount[], limit: number) {
  for (let max = limit + LINKS_A_LOOK; ; max *= 2) {
    const some = first(max);
    const ids = arrayLiteral(some.map(({ linkId }) => linkId));
    const pages = await sql<{ id: string }[]>`
      select replace(link_id::text, '-', '') as id from bio_pages
      where org_id = ${orgId} and link_id = any(${ids}::text::uuid[])`;
    const bioPages = new Set(pages.map(({ id }) => id));
    const links = some.filter(({ linkId }) => !bioPages.has(linkId));
    if (links.length >= limit || some.length < max) return links.slice(0, limit);
  }
}

async function visitorsOf(sql: Reader, opened: OpenedDays, matching: MatchingQuery, links: readonly LinkCount[]) {
  const sets = new Map(links.map(({ linkId }) => [linkId, new VisitorSet()]));
  const wanted = await wantedOf(sql, matching);
  const ofThese: WantedValues = { column: "link", values: new Set(sets.keys()) };
  const selector = new RowSelector({ ...wanted, values: [...wanted.values, ofThese] }, opened.numbers);
  const byId = new Map(links.map(({ linkId }) => [opened.numbers.find("link", linkId), sets.get(linkId)]));
  for await (const part of opened.parts()) {
    const rows = selector.select(part);
    const { codes, ids } = part.columns.link;
    const ofCode = Array.from(ids, (id) => byId.get(id));
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] ?? 0;
      const visitor = 2 * (part.visitorCodes[row] ?? 0);
      ofCode[codes[row] ?? 0]?.add(part.visitors[visitor] ?? 0, part.visitors[visitor + 1] ?? 0);
    }
  }
  return sets;
}
