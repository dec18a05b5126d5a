/**
 * Counts clicks by bucket under a single filter, from rollups: packed counts contain the clicks of a value or a
 * domain, and the figures of links those of links and tags.
 */
import type { Fragment } from "postgres";
import type { FilterName, Filters, LinkFilter } from "@/contract/analytics/analytics-filters";
import type { OrgId } from "@/core/ids";
import { bucketMs, DAY_MS, type Span } from "@/core/time/time-range";
import type { CountSums } from "../count-sums";
import { CLICK_DIMENSIONS, type ClickDimension, REST_VALUE } from "../dimensions";
import { codeOf, figureDimensionCode, figureKey } from "../keys";
import { KnownValues } from "../values";
import { filteredFields, linksOf, storedOf } from "./filters";
import type { MatchingQuery } from "./matching";
import type { FiguresRow } from "./packed";
import { type FiguresScope, partsOf, type Reader, type Source, scopeFragments, sourcesOf, unionAll } from "./scope";
import type { FigureSources } from "./sources";

/** Up to this many links are looked up one by one. */
const LOOKED_UP_MAX = 5_000;

export interface SoleFigures {
  clicks: number;
  /** By start of the bucket; buckets without clicks are absent. */
  buckets: Map<number, { clicks: number }>;
}

export function soleField(filters: Filters): FilterName | undefined {
  const [field, ...others] = filteredFields(filters);
  return others.length > 0 ? undefined : field;
}

/**
 * Returns undefined if figures count some of the values together with others, or do not yet have all values after an
 * upgrade.
 */
export function singleFilterFigures(
  { sql, ...sources }: FigureSources,
  matching: MatchingQuery,
  field: FilterName,
  now: number,
): Promise<SoleFigures | undefined> {
  const scope = { includeBots: matching.includeBots, ...partsOf(matching.range, now) };
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const from = { ...sources, sql: snapshot };
    const parts =
      field === "linkId" || field === "tag"
        ? await clicksOfLinks(from, matching, field, scope)
        : await clicksOfValues(from, matching, field, scope);
    return parts && sumOf(parts, bucketMs(scope.granularity));
  });
}

interface Part {
  /** Any time within the bucket. */
  at: number;
  clicks: number;
}

type Sources = Omit<FigureSources, "sql"> & { sql: Reader };

async function clicksOfLinks(
  { sql, lookedUpMax }: Sources,
  { orgId, filters }: MatchingQuery,
  field: LinkFilter,
  scope: FiguresScope,
) {
  const { partialHourClicks, bucketOf, ofHumans, ofHumansByKey } = scopeFragments(sql, orgId, scope);
  const ofLinks = linksOf(sql, orgId, filters, field);
  const figuresOf = (await areFew(sql, ofLinks, lookedUpMax)) ? eachLink : allLinks;
  return sql<Part[]>`
    select extract(epoch from bucket)::float8 * 1000 as at, sum(clicks)::float8 as clicks
    from (
      select null::timestamptz as bucket, 0::bigint as clicks where false
      ${unionAll(sql, sourcesOf(scope.buckets), figuresOf)}
      ${unionAll(
        sql,
        partialHourClicks,
        (partialHour) =>
          sql`select ${bucketOf("occurred_at")}, 1 from clicks where ${partialHour} and link_id in (${ofLinks})`,
      )}
    ) as figures group by bucket`;

  /**
   * Looks up each link by its key: Postgres overestimates how many figures links have, and would read the whole
   * range. A link with two of the tags is named twice and must count once.
   */
  function eachLink(source: Source): Fragment {
    return sql`
      select bucket, figures.clicks from (select distinct * from (${ofLinks}) as named) as asked (id) cross join lateral (
        select ${bucketOf(source.start)} as bucket, sum(clicks) as clicks from ${sql(source.figures)}
        where link_id = asked.id and ${within(source)} ${ofHumansByKey} group by 1
      ) as figures`;
  }

  function allLinks(source: Source): Fragment {
    return sql`
      select ${bucketOf(source.start)}, clicks from ${sql(source.figures)}
      where link_id in (${ofLinks}) and ${within(source)} ${ofHumans}`;
  }

  function within({ start, span }: Source): Fragment {
    return sql`org_id = ${orgId} and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}`;
  }
}

async function areFew(sql: Reader, ofLinks: Fragment, max = LOOKED_UP_MAX): Promise<boolean> {
  const rows = await sql`select 1 from (${ofLinks}) as links offset ${max} limit 1`;
  return rows.length === 0;
}

async function clicksOfValues(
  { sql, packed, partialHours }: Sources,
  { orgId, filters, range }: MatchingQuery,
  field: Exclude<FilterName, "linkId" | "tag">,
  scope: FiguresScope,
): Promise<Part[] | undefined> {
  if (!CLICK_DIMENSIONS[dimensionOf(field)].countsBlank && (await isUnfilled(sql, orgId, range))) return undefined;
  const wanted = await wantedOf(sql, field, filters[field]);
  const parts: Part[] = [];
  for (const row of await packed.read(sql, orgId, scope, scope.buckets)) {
    const counted = countIn(wanted, row);
    if (counted.rest > 0) return undefined;
    parts.push({ at: row.start, clicks: counted.clicks });
  }
  for (const partialHour of scope.partialHours) {
    const { counts } = await partialHours.read(sql, orgId, { ...scope, partialHours: [partialHour] });
    const counted = countIn(wanted, countedBy(counts));
    // Raw clicks contain all values, but one without a number counts as the rest.
    if (counted.rest > 0 && wanted.isUnnumbered) return undefined;
    parts.push({ at: partialHour.from, clicks: counted.clicks });
  }
  return parts;
}

const dimensionOf = (field: Exclude<FilterName, "linkId" | "tag">): ClickDimension =>
  field === "domainId" ? "domain" : field;

/** Whether some days may lack what an upgrade added: see `figures/verify/fill-figures`. */
async function isUnfilled(sql: Reader, orgId: OrgId, { from, to }: Span): Promise<boolean> {
  const rows = await sql`
    select 1 from figure_fills where org_id = ${orgId} and (
      filled_from > ${new Date(from)} or upgraded_on > ${new Date(from - DAY_MS)} and upgraded_on < ${new Date(to)})`;
  return rows.length > 0;
}

interface Wanted {
  code: number;
  keys: Set<number>;
  /** The key of values that are not listed separately. */
  rest: number | undefined;
  /** True if some value was never listed separately anywhere. */
  isUnnumbered: boolean;
  /** True if clicks without a value are wanted, which the dimension does not count. */
  isBlankLeft: boolean;
}

async function wantedOf(
  sql: Reader,
  field: Exclude<FilterName, "linkId" | "tag">,
  asked: readonly string[] | undefined,
): Promise<Wanted> {
  const dimension = dimensionOf(field);
  const code = figureDimensionCode(dimension);
  const values = field === "domainId" ? (asked ?? []).map((id) => id.toLowerCase()) : storedOf(field, asked);
  const numbered = [...values, REST_VALUE].map((value) => ({ code, value }));
  const idOf = await new KnownValues().lookUp((text, parameters) => sql.unsafe(text, parameters), numbered);
  const keyOf = (value: string) => {
    const id = idOf(code, value);
    return id === undefined ? undefined : figureKey(id, code);
  };
  return {
    code,
    keys: new Set(values.flatMap((value) => keyOf(value) ?? [])),
    rest: keyOf(REST_VALUE),
    isUnnumbered: values.some((value) => value !== "" && keyOf(value) === undefined),
    isBlankLeft: values.includes("") && !CLICK_DIMENSIONS[dimension].countsBlank,
  };
}

const PLATFORM = figureDimensionCode("platform");

/** Provides the counts of single keys and of whole dimensions. */
type Counted = Pick<FiguresRow, "countOf" | "sumOf">;

/** Every click has a platform, so the sum over platforms is the number of all clicks. */
function countIn({ code, keys, rest, isBlankLeft }: Wanted, counted: Counted) {
  const matched = [...keys].reduce((sum, key) => sum + counted.countOf(key), 0);
  const blank = isBlankLeft ? counted.sumOf(PLATFORM) - counted.sumOf(code) : 0;
  return { clicks: matched + blank, rest: rest === undefined ? 0 : counted.countOf(rest) };
}

const countedBy = (counts: CountSums): Counted => ({
  countOf: (key) => counts.of(key),
  sumOf(code) {
    let sum = 0;
    counts.forEach((key, count) => {
      if (codeOf(key) === code) sum += count;
    });
    return sum;
  },
});

function sumOf(parts: readonly Part[], length: number): SoleFigures {
  const buckets = new Map<number, { clicks: number }>();
  for (const { at, clicks } of parts) {
    const start = at - (at % length);
    if (clicks !== 0) buckets.set(start, { clicks: (buckets.get(start)?.clicks ?? 0) + clicks });
  }
  return { clicks: [...buckets.values()].reduce((sum, { clicks }) => sum + clicks, 0), buckets };
}
