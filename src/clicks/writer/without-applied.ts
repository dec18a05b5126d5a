/** Finds the records of a batch that Postgres already has, and makes the batch without them. */
import { arrayLiteral } from "@/platform/db/array-literals";
import type { EnrichedClick } from "../enrich/enrich";
import type { Batch } from "./batch";
import type { ClickDatabase } from "./click-database";

const LOOKED_UP_MAX = 4_096;
/** Looks records up by the primary key, which clicks and opens have in common. */
const SELECT_APPLIED = `
  with asked as (
    select * from unnest($1::text[]::uuid[], $2::text[]::timestamptz[], $3::text[]::uuid[]) as asked (org_id, occurred_at, id)
  )
  select id::text from clicks join asked using (org_id, occurred_at, id)
  union all select id::text from opens join asked using (org_id, occurred_at, id)`;

export async function appliedIn(database: ClickDatabase, batch: Batch): Promise<Set<string>> {
  const applied = new Set<string>();
  for (let start = 0; start < batch.clicks.length; start += LOOKED_UP_MAX) {
    const ids = await appliedAmong(database, batch.clicks.slice(start, start + LOOKED_UP_MAX));
    for (const id of ids) applied.add(id);
  }
  return applied;
}

export const withoutClicks = (batch: Batch, ids: ReadonlySet<string>): Batch => ({
  ...batch,
  clicks: batch.clicks.filter(({ record }) => !ids.has(record.id)),
});

async function appliedAmong(database: ClickDatabase, clicks: readonly EnrichedClick[]): Promise<string[]> {
  const organizations = clicks.map(({ record }) => record.orgId);
  const times = clicks.map(({ record }) => new Date(record.at).toISOString());
  const ids = clicks.map(({ record }) => record.id);
  const rows = await database.inTime(() =>
    database.reader.unsafe<{ id: string }[]>(SELECT_APPLIED, [
      arrayLiteral(organizations),
      arrayLiteral(times),
      arrayLiteral(ids),
    ]),
  );
  return rows.map(({ id }) => id);
}
