import type { Sql } from "postgres";

/** Longer than `link-tags` trusts its cache without reading notes. */
const KEPT = "1 day";

/** Returns how many notes were deleted. */
export async function deleteTagNotes(sql: Sql): Promise<number> {
  return (await sql`delete from tag_changes where created_at < now() - ${KEPT}::interval`).count;
}
