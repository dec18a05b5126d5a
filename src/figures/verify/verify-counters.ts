/**
 * Compares link counters with the daily figures, which stay when raw clicks are deleted. The time of a link's last click
 * cannot be derived from these and is not compared. Where a counter is wrong, as all are in an organization that was
 * restored from an archive, it is moved to the newest raw click.
 */
import type { Sql, TransactionSql } from "postgres";
import { arrayLiteral } from "@/platform/db/array-literals";
import { isOnCitus } from "@/platform/db/citus/citus-tables";
import { CORRECTIONS_WRITER, COUNTED } from "@/platform/db/figure-constants";
import { lockOutWriters, statementsOf } from "./standstill";
import { readTotals } from "./stored-units";

export interface CounterDifference {
  orgId: string;
  linkId: string;
  metric: "clicks" | "bot_clicks";
  have: number;
  should: number;
}

export async function checkCounters(sql: Sql, orgId: string): Promise<CounterDifference[]> {
  const found = await sql.begin("isolation level repeatable read read only", (tx) => differences(tx, orgId));
  if (found.length === 0 || !(await isOnCitus(sql))) return found;
  return sql.begin(async (tx) => {
    await lockOutWriters(statementsOf(tx), orgId);
    return differences(tx, orgId);
  });
}

/** Adds what is missing, and the times of the last clicks, in rows of the corrections writer. Returns how many links were wrong. */
export async function mendCounters(sql: Sql, orgId: string): Promise<number> {
  return sql.begin(async (tx) => {
    const statements = statementsOf(tx);
    await lockOutWriters(statements, orgId);
    const wrong = await differences(tx, orgId);
    const lastClicks = await readLastClicks(tx, orgId, [...new Set(wrong.map(({ linkId }) => linkId))]);
    for (const { linkId, metric, have, should } of wrong) {
      await statements.run(
        `insert into link_counters (org_id, link_id, writer, ${metric}, last_click_at)
         values ($1::text::uuid, $2::text::uuid, $3::int, $4::bigint, $5::text::timestamptz)
         on conflict (link_id, writer) do update set ${metric} = link_counters.${metric} + excluded.${metric},
           last_click_at = greatest(link_counters.last_click_at, excluded.last_click_at)`,
        [orgId, linkId, CORRECTIONS_WRITER, should - have, lastClicks.get(linkId) ?? null],
      );
    }
    return new Set(wrong.map(({ linkId }) => linkId)).size;
  });
}

/** Returns the times of the newest raw clicks by people; links without any are absent. */
async function readLastClicks(tx: TransactionSql, orgId: string, linkIds: readonly string[]) {
  const rows = await tx<{ linkId: string; at: string }[]>`
    select link_id as "linkId", max(occurred_at)::text as at from clicks
    where org_id = ${orgId} and link_id = any(${arrayLiteral(linkIds)}::text::uuid[])
      and not is_bot and ${tx.unsafe(COUNTED)}
    group by link_id`;
  return new Map(rows.map(({ linkId, at }) => [linkId, at]));
}

async function differences(tx: TransactionSql, orgId: string): Promise<CounterDifference[]> {
  const counters = await tx<{ linkId: string; clicks: number; botClicks: number }[]>`
    select link_id as "linkId", sum(clicks)::float8 as clicks, sum(bot_clicks)::float8 as "botClicks"
    from link_counters where org_id = ${orgId} group by link_id`;
  const have = new Map(counters.map(({ linkId, clicks, botClicks }) => [linkId, { clicks, bot_clicks: botClicks }]));
  const should = await readTotals(tx, orgId);
  const nothing = { clicks: 0, bot_clicks: 0 };
  return [...new Set([...have.keys(), ...should.keys()])].sort().flatMap((linkId) => {
    const [has, ought] = [have.get(linkId) ?? nothing, should.get(linkId) ?? nothing];
    return (["clicks", "bot_clicks"] as const)
      .filter((metric) => has[metric] !== ought[metric])
      .map((metric) => ({ orgId, linkId, metric, have: has[metric], should: ought[metric] }));
  });
}
