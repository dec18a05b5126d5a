/** What a batch adds to counters and rollups: one row a link, and one a value of each dimension. */
import type { BatchTransaction } from "./click-database";
import { arrayLiteral, textArrayLiteral } from "./postgres-text";
import type { LinkHour } from "./rollup";

export async function addCounters(tx: BatchTransaction, writer: number, groups: readonly LinkHour[]): Promise<void> {
  const counters = countersOf(groups);
  if (counters.length === 0) return;
  await tx.run(
    `insert into link_counters (link_id, writer, clicks, bot_clicks, last_click_at)
     select link_id, $1, clicks, bot_clicks, to_timestamp(nullif(last_click_at, 0) / 1000.0)
     from unnest($2::text::uuid[], $3::text::bigint[], $4::text::bigint[], $5::text::bigint[])
       as added (link_id, clicks, bot_clicks, last_click_at)
     on conflict (link_id, writer) do update set
       clicks = link_counters.clicks + excluded.clicks,
       bot_clicks = link_counters.bot_clicks + excluded.bot_clicks,
       last_click_at = greatest(link_counters.last_click_at, excluded.last_click_at)`,
    [
      writer,
      arrayLiteral(counters.map(({ linkId }) => linkId)),
      arrayLiteral(counters.map(({ clicks }) => clicks)),
      arrayLiteral(counters.map(({ botClicks }) => botClicks)),
      arrayLiteral(counters.map(({ lastClickAt }) => lastClickAt)),
    ],
  );
}

/** By link, over all hours of the batch. Opens are not counted there. */
function countersOf(groups: readonly LinkHour[]) {
  const counters = new Map<string, { linkId: string; clicks: number; botClicks: number; lastClickAt: number }>();
  for (const { linkId, humans, bots, lastClickAt } of groups) {
    if (humans.length + bots.length === 0) continue;
    const counter = counters.get(linkId) ?? { linkId, clicks: 0, botClicks: 0, lastClickAt: 0 };
    counter.clicks += humans.length;
    counter.botClicks += bots.length;
    counter.lastClickAt = Math.max(counter.lastClickAt, lastClickAt);
    counters.set(linkId, counter);
  }
  return [...counters.values()].sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
}

export async function addRollups(tx: BatchTransaction, writer: number, groups: readonly LinkHour[]): Promise<void> {
  if (groups.length === 0) return;
  await tx.run(ADD_ROLLUPS, [writer, ...rollupColumns(groups)]);
}

/** Groups and their cells apart: to repeat ids in every cell would double what parsing the parameters costs. */
const ADD_ROLLUPS = `
  insert into rollups_hourly (org_id, link_id, hour, metric, dimension, value, writer, count)
  select org_id, link_id, to_timestamp(hour / 1000), metric, dimension, value, $1, count
  from unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[]) with ordinality
    as groups (org_id, link_id, hour, position)
  join unnest($5::text::int[], $6::text::text[], $7::text::text[], $8::text::text[], $9::text::bigint[])
    as cells (position, metric, dimension, value, count) using (position)
  on conflict (org_id, link_id, hour, metric, dimension, value, writer)
  do update set count = rollups_hourly.count + excluded.count`;

function rollupColumns(groups: readonly LinkHour[]): string[] {
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
    arrayLiteral(groups.map(({ hour }) => hour)),
    arrayLiteral(positions),
    arrayLiteral(metrics),
    arrayLiteral(dimensions),
    textArrayLiteral(values),
    arrayLiteral(counts),
  ];
}
