/** What a batch adds to counters and rollups: one row a link, and one a value of each dimension by hour and by day. */
import type { BatchTransaction } from "./click-database";
import { arrayLiteral, textArrayLiteral } from "./postgres-text";
import type { VisitGroup, VisitGroups } from "./rollup";

export async function addCounters(tx: BatchTransaction, writer: number, groups: readonly VisitGroup[]): Promise<void> {
  const counters = countersOf(groups);
  if (counters.length === 0) return;
  await tx.run(
    `insert into link_counters (org_id, link_id, writer, clicks, bot_clicks, last_click_at)
     select org_id, link_id, $1, clicks, bot_clicks, to_timestamp(nullif(last_click_at, 0) / 1000.0)
     from unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[], $5::text::bigint[], $6::text::bigint[])
       as added (org_id, link_id, clicks, bot_clicks, last_click_at)
     on conflict (link_id, writer) do update set
       clicks = link_counters.clicks + excluded.clicks,
       bot_clicks = link_counters.bot_clicks + excluded.bot_clicks,
       last_click_at = greatest(link_counters.last_click_at, excluded.last_click_at)`,
    [
      writer,
      arrayLiteral(counters.map(({ orgId }) => orgId)),
      arrayLiteral(counters.map(({ linkId }) => linkId)),
      arrayLiteral(counters.map(({ clicks }) => clicks)),
      arrayLiteral(counters.map(({ botClicks }) => botClicks)),
      arrayLiteral(counters.map(({ lastClickAt }) => lastClickAt)),
    ],
  );
}

interface LinkCounter {
  orgId: string;
  linkId: string;
  clicks: number;
  botClicks: number;
  lastClickAt: number;
}

/** By link, over all hours of the batch. Opens are not counted there. */
function countersOf(groups: readonly VisitGroup[]): LinkCounter[] {
  const counters = new Map<string, LinkCounter>();
  for (const { orgId, linkId, humans, bots, lastClickAt } of groups) {
    if (humans.length + bots.length === 0) continue;
    const counter = counters.get(linkId) ?? { orgId, linkId, clicks: 0, botClicks: 0, lastClickAt: 0 };
    counter.clicks += humans.length;
    counter.botClicks += bots.length;
    counter.lastClickAt = Math.max(counter.lastClickAt, lastClickAt);
    counters.set(linkId, counter);
  }
  return [...counters.values()].sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
}

export async function addRollups(
  tx: BatchTransaction,
  writer: number,
  { hours, days }: Pick<VisitGroups, "hours" | "days">,
): Promise<void> {
  if (hours.length === 0) return;
  await tx.run(addRollupsTo("rollups_hourly", "hour"), [writer, ...rollupColumns(hours)]);
  await tx.run(addRollupsTo("rollups_daily", "day"), [writer, ...rollupColumns(days)]);
}

/** Groups and their cells apart: to repeat ids in every cell would double what parsing the parameters costs. */
const addRollupsTo = (table: string, start: string) => `
  insert into ${table} (org_id, link_id, ${start}, metric, dimension, value, writer, count)
  select org_id, link_id, to_timestamp(start / 1000), metric, dimension, value, $1, count
  from unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[]) with ordinality
    as groups (org_id, link_id, start, position)
  join unnest($5::text::int[], $6::text::text[], $7::text::text[], $8::text::text[], $9::text::bigint[])
    as cells (position, metric, dimension, value, count) using (position)
  on conflict (org_id, link_id, ${start}, dimension, metric, value, writer)
  do update set count = ${table}.count + excluded.count`;

function rollupColumns(groups: readonly VisitGroup[]): string[] {
  const positions: number[] = [];
  const metrics: string[] = [];
  const dimensions: string[] = [];
  const values: string[] = [];
  const counts: number[] = [];
  for (const [index, { counts: tallies }] of groups.entries()) {
    for (const [metric, tally] of Object.entries(tallies)) {
      for (const [dimension, cells] of Object.entries(tally)) {
        for (const [value, count] of cells) {
          positions.push(index + 1);
          metrics.push(metric);
          dimensions.push(dimension);
          values.push(value);
          counts.push(count);
        }
      }
    }
  }
  return [
    arrayLiteral(groups.map(({ orgId }) => orgId)),
    arrayLiteral(groups.map(({ linkId }) => linkId)),
    arrayLiteral(groups.map(({ start }) => start)),
    arrayLiteral(positions),
    arrayLiteral(metrics),
    arrayLiteral(dimensions),
    textArrayLiteral(values),
    arrayLiteral(counts),
  ];
}
