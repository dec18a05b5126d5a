/** What a batch adds to counters: one row a link. */
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Statements } from "@/platform/db/statements";
import type { VisitGroup } from "./rollup";

export async function addCounters(tx: Statements, writer: number, groups: readonly VisitGroup[]): Promise<void> {
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
  for (const { orgId, linkId, people, bots, lastClickAt } of groups) {
    if (people.clicks + bots.clicks === 0) continue;
    const counter = counters.get(linkId) ?? { orgId, linkId, clicks: 0, botClicks: 0, lastClickAt: 0 };
    counter.clicks += people.clicks;
    counter.botClicks += bots.clicks;
    counter.lastClickAt = Math.max(counter.lastClickAt, lastClickAt);
    counters.set(linkId, counter);
  }
  return [...counters.values()].sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
}
