/**
 * Reads installs by bucket. They are the opens whose source is a claimed match, which packed counts and partial hours
 * contain. Each claim is one install, of one click.
 */
import type { OrgId } from "@/core/ids";
import { bucketMs, type Span, type TimeRange } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Copies } from "@/platform/db/copies";
import { eachCount } from "../counts";
import { figureDimensionCode, figureKey } from "../keys";
import { KnownValues } from "../values";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";
import { PEOPLE_BY_KEY, type Reader } from "./scope";

const CLAIMED = { code: figureDimensionCode("open_source"), value: "deferred" };

export interface DailyInstallsQuery {
  linkIds: readonly string[];
  /** Whole days. */
  days: Span;
  includeBots: boolean;
}

export class Installs {
  readonly #values = new KnownValues();

  constructor(copies: Copies) {
    copies.add(this.#values);
  }

  /** Returns installs by start of the bucket; buckets without any are absent. `rows` are those of whole buckets. */
  async read(
    sql: Reader,
    rows: Promise<FiguresRow[]>,
    partialHours: Promise<PartialHourFigures>,
    granularity: TimeRange["granularity"],
  ): Promise<Map<number, number>> {
    const [parts, { opens }, key] = await Promise.all([rows, partialHours, this.#key(sql)]);
    const installs = new Map<number, number>();
    if (key === undefined) return installs;
    const add = (at: number, count: number) => {
      if (count !== 0) installs.set(at, (installs.get(at) ?? 0) + count);
    };
    for (const row of parts) add(row.start - (row.start % bucketMs(granularity)), row.countOf(key));
    for (const [at, sums] of opens) {
      sums.forEach((each, sum) => {
        if (each === key) add(at, sum);
      });
    }
    return installs;
  }

  /**
   * Returns the installs of several links, by link and start of the day; links and days without any may be absent.
   * Days without opens are not read, and nothing is cached: with their visitors, the days of twenty links would evict
   * everything else.
   */
  async readDaily(
    sql: Reader,
    orgId: OrgId,
    { linkIds, days, includeBots }: DailyInstallsQuery,
  ): Promise<Map<string, Map<number, number>>> {
    const installs = new Map<string, Map<number, number>>();
    const key = await this.#key(sql);
    if (key === undefined) return installs;
    const rows = await sql<{ linkId: string; at: number; counts: Uint8Array }[]>`
      select asked.id as "linkId", at, counts from unnest(${arrayLiteral(linkIds)}::text::uuid[]) as asked (id)
      cross join lateral (
        select extract(epoch from day)::float8 * 1000 as at, counts from figures_daily
        where org_id = ${orgId} and link_id = asked.id and day >= ${new Date(days.from)} and day < ${new Date(days.to)}
          and opens <> 0 ${includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`}
      ) as figures`;
    for (const { linkId, at, counts } of rows) {
      const ofLink = installs.get(linkId) ?? new Map<number, number>();
      installs.set(linkId, ofLink);
      eachCount(counts, (each, count) => {
        if (each === key) ofLink.set(at, (ofLink.get(at) ?? 0) + count);
      });
    }
    return installs;
  }

  /** Returns undefined as long as no match was ever claimed. */
  async #key(sql: Reader): Promise<number | undefined> {
    const idOf = await this.#values.lookUp(
      (text, parameters) => sql.unsafe(text, parameters, { prepare: true }),
      [CLAIMED],
    );
    const id = idOf(CLAIMED.code, CLAIMED.value);
    return id === undefined ? undefined : figureKey(id, CLAIMED.code);
  }
}
