/**
 * Reads real human clicks of one link, on which other rules can be tried. The hourly figures give the total; above
 * `CLICKS_MAX`, a sample represents all clicks. The number of rows examined is bounded, however many bots are among
 * them.
 */
import type { ISql, Sql } from "postgres";
import type { RoutingRule } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import type { ServedClick } from "@/core/routing/replay";
import { type RequestChecks, requestChecksOf } from "@/core/rules/request-checks";
import { DAY_MS, HOUR_MS, type Span } from "@/core/time/time-range";
import { PEOPLE_BY_KEY, type Reader } from "@/figures/read/scope";
import type { Clock } from "@/platform/clock";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED } from "@/platform/db/figure-constants";
import { type KeptClick, servedClick } from "../why";
import { type Slice, slicesOf } from "./slices";

const CLICKS_MAX = 2_000;
/** Rows examined in addition to the clicks taken, over all slices. */
const LOOKED_AT_MAX = 20_000;
const VERSIONS_MAX = 1_000;

export interface SampledClick {
  click: ServedClick;
  /** Number of clicks of the range that this one represents. */
  weight: number;
  /** The version of the link that served it; null for an older click. */
  version: number | null;
}

export interface ClickSample extends Span {
  /** Number of human clicks in the range. */
  clicks: number;
  sampled: SampledClick[];
  /** Returns what the rules of a link version read from the request: null for nothing, undefined if unknown. */
  askedBy(version: number | null): RequestChecks | null | undefined;
}

export interface SampleAsked {
  linkId: string;
  days: number;
  /** Whether the caller will use `askedBy`. */
  needsVersions: boolean;
}

/** The caller has checked that the link is the organization's. */
export type ReadClickSample = (orgId: OrgId, asked: SampleAsked) => Promise<ClickSample>;

export function createClickSample({ sql, clock }: { sql: Sql; clock: Clock }): ReadClickSample {
  return (orgId, { linkId, days, needsVersions }) => {
    const now = clock();
    const from = now - (now % HOUR_MS) + HOUR_MS - days * DAY_MS;
    const span = { from, to: from + days * DAY_MS };
    return sql.begin("isolation level repeatable read read only", async (tx) => {
      await tx`set local plan_cache_mode = force_custom_plan`;
      const { stretches, slices } = slicesOf(await clicksByHour(tx, orgId, linkId, span), span, CLICKS_MAX);
      const rows = await readSlices(tx, orgId, linkId, slices);
      const taken = stretches.map(() => 0);
      for (const { stretch } of rows) taken[stretch] = (taken[stretch] ?? 0) + 1;
      const weightOf = (stretch: number) => (stretches[stretch] ?? 0) / (taken[stretch] ?? 1);
      return {
        ...span,
        clicks: stretches.reduce((sum, clicks) => sum + clicks, 0),
        sampled: rows.map(({ stretch, ...row }) => ({
          ...{ click: servedClick(row), weight: weightOf(stretch), version: row.linkVersion },
        })),
        askedBy: needsVersions ? await readAsks(tx, orgId, linkId, rows) : () => undefined,
      };
    });
  };
}

async function clicksByHour(sql: Reader, orgId: OrgId, linkId: string, { from, to }: Span) {
  const rows = await sql<{ hour: number; clicks: number }[]>`
    select date_part('epoch', hour) * 1000 as hour, sum(clicks)::float8 as clicks from figures_hourly
    where org_id = ${orgId} and link_id = ${linkId} and hour >= ${new Date(from)} and hour < ${new Date(to)}
      and ${sql.unsafe(PEOPLE_BY_KEY)}
    group by hour having sum(clicks) > 0`;
  return new Map(rows.map(({ hour, clicks }) => [hour, clicks]));
}

interface SlicedClick extends KeptClick {
  stretch: number;
}

const KEPT_COLUMNS = `extract(epoch from occurred_at)::float8 * 1000 as at, visitor::text as visitor, platform,
  device_type as "deviceType", device_vendor as "deviceVendor", device_model as "deviceModel", browser,
  os_version as "osVersion", country, region, city, language, languages, referrer, split_key as "splitKey",
  link_version as "linkVersion", utc_offset as "utcOffset", offered_apps as "offeredApps", asked`;

/** Reads the newest clicks of each slice, with one scan of the link's index per slice. */
function readSlices(sql: ISql, orgId: OrgId, linkId: string, slices: readonly Slice[]): Promise<SlicedClick[]> {
  const instants = (times: readonly number[]) => arrayLiteral(times.map((time) => new Date(time).toISOString()));
  const spare = Math.ceil(LOOKED_AT_MAX / Math.max(1, slices.length));
  return sql<SlicedClick[]>`
    select slice.stretch, taken.* from unnest(
      ${arrayLiteral(slices.map(({ stretch }) => stretch))}::text::int[],
      ${instants(slices.map(({ from }) => from))}::text::timestamptz[],
      ${instants(slices.map(({ to }) => to))}::text::timestamptz[],
      ${arrayLiteral(slices.map(({ most }) => most))}::text::int[]
    ) as slice (stretch, starting, ending, most) cross join lateral (
      select ${sql.unsafe(KEPT_COLUMNS)} from (
        select * from clicks
        where org_id = ${orgId} and link_id = ${linkId} and occurred_at >= slice.starting and occurred_at < slice.ending
        order by occurred_at desc limit slice.most + ${spare}
      ) as looked_at
      where not is_bot and ${sql.unsafe(COUNTED)} order by occurred_at desc limit slice.most
    ) as taken`;
}

/**
 * Reads the rules of the versions that served these clicks. A version without a revision has the rules of the one
 * before it.
 */
async function readAsks(sql: Reader, orgId: OrgId, linkId: string, rows: readonly SlicedClick[]) {
  const versions = rows.flatMap(({ linkVersion }) => linkVersion ?? []);
  const revisions = await sql<{ version: number; rules: RoutingRule[] | null }[]>`
    select version, snapshot -> 'rules' as rules from link_revisions
    where org_id = ${orgId} and link_id = ${linkId} and version <= ${Math.max(0, ...versions)}
    order by version desc limit ${VERSIONS_MAX}`;
  const known = revisions.map(({ version, rules }) => ({ version, asks: requestChecksOf(rules ?? []) }));
  const found = new Map<number, RequestChecks | null | undefined>();
  return (version: number | null) => {
    if (version === null) return undefined;
    if (!found.has(version)) found.set(version, known.find((revision) => revision.version <= version)?.asks);
    return found.get(version);
  };
}
