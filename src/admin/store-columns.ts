/** `store-columns`: stores what the periodic work would store, and returns how much is stored in all. */
import { parseArgs } from "node:util";
import { plural } from "@/core/plural";
import { buildDays, STORED_DAYS_MAX } from "@/figures/columns/build-days";
import { storeLeaders } from "@/figures/read/links/stored-leaders";
import type { Database } from "@/platform/db/client";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";

export async function storeColumns(
  { db, sql }: Pick<Database, "db" | "sql">,
  values: string[],
): Promise<CommandOutcome> {
  const asked = parse(values);
  if ("fault" in asked) return { ok: false, message: asked.fault };
  const organization = asked.org === undefined ? undefined : await organizationNamed(db, asked.org);
  if (asked.org !== undefined && !organization) {
    return noOrganization(asked.org);
  }
  const scope = { now: Date.now(), orgId: organization?.id };
  await storeLeaders(sql, { ...scope, days: STORED_DAYS_MAX });
  const stored = await buildDays(sql, scope);
  const [all] = await sql<{ days: number; bytes: number }[]>`
    select count(*) filter (where part = 0)::float8 as days, coalesce(sum(octet_length(packed)), 0)::float8 as bytes
    from click_days ${organization ? sql`where org_id = ${organization.id}` : sql``}`;
  const { days = 0, bytes = 0 } = all ?? {};
  const inAll = days === 1 ? "1 day is" : `${plural(days, "day")} are`;
  return {
    ok: true,
    message: `Stored ${plural(stored.days, "day")} with ${plural(stored.clicks, "click")}; ${inAll} stored, in ${plural(bytes, "byte")}`,
  };
}

function parse(values: string[]): { org?: string } | { fault: string } {
  try {
    return parseArgs({ args: values, options: { org: { type: "string" } } }).values;
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
