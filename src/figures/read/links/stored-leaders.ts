/**
 * Stores the leaders of whole days (`leader_days`). Finding them requires reading the figures of every link, a
 * million for a month of a large organization, and each process would do so again after its start.
 *
 * A row is derived only from figures and contains their version. Late clicks, verdicts, erasures and corrections all
 * write the day's figures. So a reader, which compares versions in its own snapshot, ignores an outdated row, and the
 * next round stores the day again. That is why storing takes no lock against them: two runs at the same time do the same
 * work twice, and a run that is stopped or killed leaves some days for the next one. Retention deletes raw clicks and
 * keeps figures, and with them these rows, which name links but no visitors. Bound: 20 bytes per leader,
 * `LEADERS_MAX` leaders per day.
 */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { PEOPLE_BY_KEY, type Reader } from "../scope";
import { ClickList } from "./click-list";
import {
  type ClickedPart,
  LEADERS_MAX,
  LEADERS_VERSION_IN_SQL,
  type PartLeaders,
  readLeaders,
  readParts,
} from "./led-parts";

const CLICKS_MIN = 200;
/** Days that are stored together. */
const DAYS_A_STEP = 8;

export interface StoreOptions {
  /** Unix milliseconds. */
  now: number;
  /** How many days before today are considered. */
  days: number;
  /** Defaults to all organizations. */
  orgId?: string;
  /** Days with fewer clicks are left out, because they have few figures. */
  clicksMin?: number;
  /** The number of leaders per day. Tests lower it. */
  max?: number;
}

/** Returns how many days were stored. */
export async function storeLeaders(sql: Sql, options: StoreOptions): Promise<number> {
  const { max = LEADERS_MAX } = options;
  let stored = 0;
  for (const [orgId, days] of Map.groupBy(await outdatedLeaders(sql, options), ({ orgId }) => orgId)) {
    for (let from = 0; from < days.length; from += DAYS_A_STEP) {
      stored += await storeDays(sql, orgId, days.slice(from, from + DAYS_A_STEP), max);
    }
  }
  return stored;
}

/** True if there is anything to store. */
export const areLeadersOutdated = async (sql: Sql, options: StoreOptions): Promise<boolean> =>
  (await outdatedLeaders(sql, options, 1)).length > 0;

/** Returns days whose leaders are missing or outdated, the newest first. */
function outdatedLeaders(
  sql: Sql,
  { now, days, orgId, clicksMin = CLICKS_MIN, max = LEADERS_MAX }: StoreOptions,
  limit?: number,
) {
  const today = now - (now % DAY_MS);
  const orgs = sql`array(select id from organizations ${orgId === undefined ? sql`` : sql`where id = ${orgId}`})`;
  return sql<{ orgId: OrgId; day: number }[]>`
    select figures.org_id as "orgId", extract(epoch from figures.day)::float8 * 1000 as day
    from (
      select org_id, day, ${sql.unsafe(LEADERS_VERSION_IN_SQL)} as version from figures_daily
      where org_id = any(${orgs}) and link_id = ${WHOLE_ORGANIZATION} and ${sql.unsafe(PEOPLE_BY_KEY)}
        and day >= ${new Date(today - days * DAY_MS)} and day < ${new Date(today)}
      group by org_id, day having sum(clicks) >= ${clicksMin}
    ) as figures left join leader_days on leader_days.org_id = figures.org_id and leader_days.day = figures.day
    where leader_days.version is distinct from ${prefixOf(max)} || figures.version
    ${limit === undefined ? sql`order by figures.day desc` : sql`limit ${limit}`}`;
}

/** Makes the length of the list part of the version, because a longer list is a different one. */
const prefixOf = (max: number) => `${max}: `;

async function storeDays(sql: Sql, orgId: OrgId, days: readonly { day: number }[], max: number): Promise<number> {
  const found = await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const starts = days.map(({ day }) => day);
    const span = { from: Math.min(...starts), to: Math.max(...starts) + DAY_MS };
    const parts = await readParts(snapshot, orgId, { days: span, hours: [] });
    const wanted = parts.filter(({ start }) => starts.includes(start));
    return readLeaders(snapshot, orgId, wanted, max);
  });
  return sql.begin(async (tx) => {
    // What is stored while the organization is being deleted would stay.
    const [organization] = await tx`select 1 from organizations where id = ${orgId} for key share`;
    if (!organization) return 0;
    for (const [{ start, version }, { links, rest }] of found) {
      await tx`
        insert into leader_days (org_id, day, version, links, clicks, rest)
        values (${orgId}, ${new Date(start)}, ${prefixOf(max) + version}, ${links.ids}, ${links.counts}, ${rest})
        on conflict (org_id, day) do update set version = excluded.version, links = excluded.links,
          clicks = excluded.clicks, rest = excluded.rest`;
    }
    return found.size;
  });
}

interface StoredRow {
  start: number;
  version: string;
  links: Buffer;
  clicks: Buffer;
  rest: number;
}

/** Returns the leaders of those parts that are days and are stored in their current version. */
export async function readStoredLeaders(
  sql: Reader,
  orgId: OrgId,
  parts: readonly ClickedPart[],
  max: number,
): Promise<Map<ClickedPart, PartLeaders>> {
  const days = parts.filter(({ source }) => source.start === "day");
  if (days.length === 0) return new Map();
  const starts = arrayLiteral(days.map(({ start }) => new Date(start).toISOString()));
  const rows = await sql<StoredRow[]>`
    select extract(epoch from day)::float8 * 1000 as start, version, links, clicks, rest
    from leader_days where org_id = ${orgId} and day = any(${starts}::text::timestamptz[])`;
  const byStart = new Map(rows.map((row) => [row.start, row]));
  return new Map(
    days.flatMap((part): [ClickedPart, PartLeaders][] => {
      const row = byStart.get(part.start);
      if (row?.version !== prefixOf(max) + part.version) return [];
      return [[part, { links: new ClickList(row.links, row.clicks), rest: row.rest }]];
    }),
  );
}
