/**
 * Compares link counters with the daily figures, which stay when raw clicks are deleted. (The time of a link's last
 * click cannot be derived from these and is left as it is.)
 */
import type { Sql, TransactionSql } from "postgres";
import { isOnCitus } from "@/platform/db/citus/citus-tables";
import { CORRECTIONS_WRITER } from "@/platform/db/figure-constants";
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

/** Adds what is missing, in rows of the corrections writer. Returns how many links were wrong. */
export async function mendCounters(sql: Sql, orgId: string): Promise<number> {
  return sql.begin(async (tx) => {
    const statements = statementsOf(tx);
    await lockOutWriters(statements, orgId);
    const wrong = await differences(tx, orgId);
    for (const { linkId, metric, have, should } of wrong) {
      await statements.run(
        `insert into link_counters (org_id, link_id, writer, ${metric}) values ($1::text::uuid, $2::text::uuid, $3::int, $4::bigint)
         on conflict (link_id, writer) do update set ${metric} = link_counters.${metric} + excluded.${metric}`,
        [orgId, linkId, CORRECTIONS_WRITER, should - have],
      );
    }
    return new Set(wrong.map(({ linkId }) => linkId)).size;
  });
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
