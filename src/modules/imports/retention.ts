/** Deletes the chunks of uploads that were interrupted, and of imports that were deleted with their organization. */
import type { Sql } from "postgres";

export async function deleteOrphanedChunks(sql: Sql): Promise<number> {
  const deleted = await sql`
    delete from import_chunks c where c.created_at < now() - interval '1 day'
      and not exists (select 1 from imports i where i.id = c.import_id)`;
  return deleted.count;
}
