import type { Sql } from "postgres";

/** Longer than `link-tags` goes by what it knows. */
const KEPT = "1 day";

/** Returns how many there were. */
export async function deleteTagNotes(sql: Sql): Promise<number> {
  return (await sql`delete from tag_changes where created_at < now() - ${KEPT}::interval`).count;
}
