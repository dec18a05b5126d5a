/** Adds a batch to the counters, which have one row per link and writer. */
import { arrayLiteral } from "@/platform/db/array-literals";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import type { VisitGroup } from "./rollup";
import { sendThrough } from "./send-through";

export async function addCounters(
  tx: Statements | CopyStatements,
  writer: number,
  counters: readonly LinkCounter[],
): Promise<void> {
  if (counters.length === 0) return;
  await sendThrough(tx, writeCounters({ from: ADDED, values: ADDED_VALUES }), parametersOf(writer, counters));
}

/** Returns a statement that adds the rows of `from`. `values` lists all columns, in order from the organization on. */
export const writeCounters = ({ from, values }: { from: string; values: string }): string => `
  insert into link_counters (org_id, link_id, writer, clicks, bot_clicks, last_click_at)
  select ${values} from ${from}
  on conflict (link_id, writer) do update set
    clicks = link_counters.clicks + excluded.clicks,
    bot_clicks = link_counters.bot_clicks + excluded.bot_clicks,
    last_click_at = greatest(link_counters.last_click_at, excluded.last_click_at)`;

const ADDED = `unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[], $5::text::bigint[], $6::text::bigint[])
  as added (org_id, link_id, clicks, bot_clicks, last_click_at)`;
const ADDED_VALUES = "org_id, link_id, $1, clicks, bot_clicks, to_timestamp(nullif(last_click_at, 0) / 1000.0)";

const parametersOf = (writer: number, counters: readonly LinkCounter[]) => [
  writer,
  arrayLiteral(counters.map(({ orgId }) => orgId)),
  arrayLiteral(counters.map(({ linkId }) => linkId)),
  arrayLiteral(counters.map(({ clicks }) => clicks)),
  arrayLiteral(counters.map(({ botClicks }) => botClicks)),
  arrayLiteral(counters.map(({ lastClickAt }) => lastClickAt)),
];

export interface LinkCounter {
  orgId: string;
  linkId: string;
  clicks: number;
  botClicks: number;
  /** Unix milliseconds; 0 if no person clicked. */
  lastClickAt: number;
}

/** Sums clicks by link, over all hours of the batch. Counters do not include opens. */
export function countersOf(groups: readonly VisitGroup[]): LinkCounter[] {
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
