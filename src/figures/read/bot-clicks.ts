/** Clicks of bots over a range, counted over the same hours and parts of hours as an overview counts those of people. */
import type { OrgId } from "@/core/ids";
import type { TimeRange } from "@/core/time/time-range";
import { type FiguresScope, partsOf, scopeFragments, sourcesOf, unionAll } from "./scope";
import { clicksOf } from "./series";
import type { FigureSources } from "./sources";

export interface BotClicksQuery {
  range: TimeRange;
  /** Defaults to all links. */
  linkId?: string;
}

/** `now` is in Unix milliseconds. */
export function readBotClicks(
  { sql, partialHours }: Pick<FigureSources, "sql" | "partialHours">,
  orgId: OrgId,
  { range, linkId }: BotClicksQuery,
  now: number,
): Promise<number> {
  const people: FiguresScope = { linkId, includeBots: false, ...partsOf(range, now) };
  const all = { ...people, includeBots: true };
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const { figuresIn } = scopeFragments(snapshot, orgId, all);
    const [whole] = await snapshot<{ clicks: number }[]>`
      select sum(clicks)::float8 as clicks from (
        select 0::bigint as clicks
        ${unionAll(
          snapshot,
          sourcesOf(all.whole),
          (source) => snapshot`select clicks from ${snapshot(source.figures)} where ${figuresIn(source)} and is_bot`,
        )}
      ) as figures`;
    const [ofAll, ofPeople] = [
      await partialHours.read(snapshot, orgId, all),
      await partialHours.read(snapshot, orgId, people),
    ];
    return (whole?.clicks ?? 0) + clicksOf(ofAll.series) - clicksOf(ofPeople.series);
  });
}
