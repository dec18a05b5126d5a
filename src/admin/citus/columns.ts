/**
 * Stores months of clicks in columns, and turns them back into rows (`platform/db/citus/columnar` explains what that
 * means).
 */
import type { Sql } from "postgres";
import { type Month, monthsOfClicks, storeMonth } from "@/platform/db/citus/columnar";
import { SettingError } from "@/platform/setting-error";
import type { ClusterStep } from "./cluster-step";

/**
 * Yields a step for each month that ended before an instant. A month stays in rows as long as it has clicks that
 * retention will delete, because it would have to be turned back for that again and again.
 */
export async function* columnSteps(sql: Sql, before: number): AsyncGenerator<ClusterStep> {
  for (const month of await monthsOfClicks(sql)) {
    if (Date.parse(month.to) > before) continue;
    const expires = !month.isColumnar && (await holdsExpiring(sql, month));
    if (expires) console.log(`stays:   clicks of ${month.name} in rows: retention will delete some`);
    else yield step(sql, month, "columns");
  }
}

export async function* rowSteps(sql: Sql, name: string): AsyncGenerator<ClusterStep> {
  const month = (await monthsOfClicks(sql)).find((each) => each.name === name);
  if (!month) throw new SettingError("--rows", `there is no month ${name} of clicks`);
  yield step(sql, month, "rows");
}

const step = (sql: Sql, month: Month, as: "columns" | "rows"): ClusterStep => ({
  what: `clicks of ${month.name} in ${as}`,
  isDone: async () => month.isColumnar === (as === "columns"),
  do: () => storeMonth(sql, month, as),
});

/** Organizations that keep everything have no row in `raw_retention`. */
async function holdsExpiring(sql: Sql, { partition }: Month): Promise<boolean> {
  return (await sql`select 1 from ${sql(partition)} as kept join raw_retention using (org_id) limit 1`).length > 0;
}
