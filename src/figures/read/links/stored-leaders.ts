/**
 * Leaders of whole days as they are stored (`leader_days`). To find them takes a look at the figures of every link, of which a
 * month of a large organization has a million, and each process would do it anew after its start.
 *
 * A row is made of figures alone and says of which version of its day's: a late click, a verdict, an erasure and a
 * correction each write those figures, so that a reader, who compares versions in its own snapshot, passes over what no
 * longer is true, and the next round stores it anew. So whoever stores takes no lock; two at once do the same twice; whoever is
 * stopped or killed leaves some days to be done. Retention takes raw clicks and leaves figures, and with them what is stored
 * here, which names links and no visitors. Bound: 20 bytes a leader, `LEADERS_MAX` a day.
 */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { PEOPLE_BY_KEY, type Reader } from "../scope";
import { ClickList } from "./click-list";
import {
  LEADERS_MAX,
  LEADERS_VERSION_IN_SQL,
  type LedPart,
  type PartLeaders,
  readLeaders,
  readParts,
} from "./led-parts";

const CLICKS_MIN = 200;
/** Stored at once. */
const DAYS_A_STEP = 8;

export interface StoreOptions {
  /** Unix milliseconds. */
  now: number;
  /** Looks at so many days before today. */
  days: number;
  /** Defaults to all organizations. */
  orgId?: string;
  /** Days of fewer clicks are left out, since their figures are few. */
  clicksMin?: number;
  /** For tests: how many leaders each day has. */
  max?: number;
  signal?: AbortSignal;
}

/** How many days were stored. */
export async function storeLeaders(sql: Sql, options: StoreOptions): Promise<number> {
  const { signal, max = LEADERS_MAX } = options;
  let stored = 0;
  for (const [orgId, days] of Map.groupBy(await outdatedLeaders(sql, options), ({ orgId }) => orgId)) {
    for (let from = 0; from < days.length; from += DAYS_A_STEP) {
      if (signal?.aborted) return stored;
      stored += await storeDays(sql, orgId, days.slice(from, from + DAYS_A_STEP), max);
    }
  }
  return stored;
}

/** Whether there is anything to do. */
export const areLeadersOutdated = async (sql: Sql, options: StoreOptions): Promise<boolean> =>
  (await outdatedLeaders(sql, options, 1)).length > 0;

/** Days whose leaders are missing or of another version, the newest first. */
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

/** They are of the same length: a longer list is another one. */
const prefixOf = (max: number) => `${max}: `;

async function storeDays(sql: Sql, orgId: OrgId, days: readonly { day: number }[], max: number): Promise<number> {
  const found = await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const starts = days.map(({ day }) => day);
    const span = { from: Math.min(...starts), to: Math.max(...starts) + DAY_MS };
    const parts = await readParts(snapshot, orgId, { days: span, hours: [] });
    const wanted = parts.filter(({ start }) => starts.includes(start));
    return readLeaders(snapshot, orgId, wanted, max);
  });
  for (const [{ start, version }, { links, rest }] of found) {
    await sql`
      insert into leader_days (org_id, day, version, links, clicks, rest)
      values (${orgId}, ${new Date(start)}, ${prefixOf(max) + version}, ${links.ids}, ${links.counts}, ${rest})
      on conflict (org_id, day) do update set version = excluded.version, links = excluded.links,
        clicks = excluded.clicks, rest = excluded.rest`;
  }
  return found.size;
}

interface StoredRow {
  start: number;
  version: string;
  links: Buffer;
  clicks: Buffer;
  rest: number;
}

/** Of those parts that are days and stored in their version. */
export async function readStoredLeaders(
  sql: Reader,
  orgId: OrgId,
  parts: readonly LedPart[],
  max: number,
): Promise<Map<LedPart, PartLeaders>> {
  const days = parts.filter(({ source }) => source.start === "day");
  if (days.length === 0) return new Map();
  const starts = arrayLiteral(days.map(({ start }) => new Date(start).toISOString()));
  const rows = await sql<StoredRow[]>`
    select extract(epoch from day)::float8 * 1000 as start, version, links, clicks, rest
    from leader_days where org_id = ${orgId} and day = any(${starts}::text::timestamptz[])`;
  const byStart = new Map(rows.map((row) => [row.start, row]));
  return new Map(
    days.flatMap((part): [LedPart, PartLeaders][] => {
      const row = byStart.get(part.start);
      if (row?.version !== prefixOf(max) + part.version) return [];
      return [[part, { links: new ClickList(row.links, row.clicks), rest: row.rest }]];
    }),
  );
}
