/**
 * Adds when links were out of use that may have lost their visitors or turned some away, and to those that may have lost
 * theirs how many they turned away then.
 */
import type { Sql } from "postgres";
import type { UnservedReason } from "@/contract/analytics/unserved";
import type { OrgId } from "@/core/ids";
import type { BrokenQuestion, ExaminedLink } from "@/core/insights/broken/fault";
import { mayHaveCollapsed } from "@/core/insights/collapse";
import { textArrayLiteral } from "@/platform/db/array-literals";
import { unservedOf } from "@/platform/unserved/read";
import { readStops } from "./link-stops";
import { idTable } from "./store";

/** Of a link that nobody gets through. The others ask visitors for something, or to come back later. */
const OUT_OF_USE: readonly UnservedReason[] = [
  ...(["inactive", "not_started", "expired", "max_clicks_reached", "unsafe", "domain_unverified"] as const),
];

export async function withTimesOutOfUse(
  sql: Sql,
  orgId: OrgId,
  examined: readonly ExaminedLink[],
  question: BrokenQuestion,
): Promise<ExaminedLink[]> {
  const lost = examined.filter((each) => mayHaveCollapsed(each, question));
  const ids = lost.map(({ link }) => link._id);
  const refusing = examined.filter(({ refused }) => refused.length > 0).map(({ link }) => link._id);
  const from = Math.min(question.to, ...lost.map(({ days: [first] }) => first?.at ?? question.to));
  const [stops, turnedAway] = await Promise.all([
    readStops(sql, orgId, [...new Set([...ids, ...refusing])]),
    readTurnedAway(sql, orgId, ids, { from, to: question.to }),
  ]);
  return examined.map(
    (each): ExaminedLink => ({
      ...each,
      stops: stops.get(each.link._id),
      turnedAway: turnedAway.get(each.link._id),
    }),
  );
}

/** Returns the visits that the links turned away while they were out of use, by link and by the start of the day. */
async function readTurnedAway(
  sql: Sql,
  orgId: OrgId,
  linkIds: readonly string[],
  span: { from: number; to: number },
): Promise<Map<string, Map<number, number>>> {
  const byLink = new Map<string, Map<number, number>>();
  if (linkIds.length === 0) return byLink;
  const rows = await sql<{ linkId: string; at: number; count: number }[]>`
    select link_id as "linkId", extract(epoch from date_bin('1 day', hour, 'epoch'))::float8 * 1000 as at,
      sum(count)::float8 as count
    from ${unservedOf(sql, orgId, span)} join ${idTable(sql, linkIds)} on link_id = asked.id
    where reason = any(${textArrayLiteral(OUT_OF_USE)}::text::text[])
    group by 1, 2`;
  for (const { linkId, at, count } of rows) {
    const days = byLink.get(linkId) ?? new Map<number, number>();
    byLink.set(linkId, days.set(at, count));
  }
  return byLink;
}
