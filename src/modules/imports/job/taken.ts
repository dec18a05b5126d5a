/** What stands in the way of a batch: links that were imported before, and addresses in use. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface Standing {
  id: string;
  isOwn: boolean;
  slug: string;
  pathPrefix: string;
  importedSource: string | null;
}

/** By what they were called at the source. */
export async function importedLinks(
  tx: Db,
  orgId: OrgId,
  source: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: links.id, importedId: links.importedId })
    .from(links)
    .where(
      and(
        eq(links.orgId, orgId),
        eq(links.importedSource, source),
        inArray(links.importedId, [...new Set(ids)]),
        isNull(links.deletedAt),
      ),
    );
  return new Map(rows.map(({ id, importedId }) => [importedId ?? "", id]));
}

/** What stands at these addresses, `<domain id> <prefix key>/<slug key>`. */
export async function standingAt(tx: Db, orgId: OrgId, keys: readonly string[]): Promise<Map<string, Standing>> {
  if (keys.length === 0) return new Map();
  const wanted = keys.map((key) => {
    const [domainId = "", path = ""] = [key.slice(0, 36), key.slice(37)];
    const end = path.lastIndexOf("/");
    return { d: domainId, p: path.slice(0, end), s: path.slice(end + 1) };
  });
  const rows = await tx
    .select({ link: links })
    .from(links)
    .innerJoin(
      sql`json_to_recordset(${JSON.stringify(wanted)}::text::json) as wanted(d uuid, p text, s text)`,
      sql`${links.domainId} = wanted.d and ${links.prefixKey} = wanted.p and ${links.slugKey} = wanted.s`,
    )
    .where(isNull(links.deletedAt));
  return new Map(
    rows.map(({ link }) => [
      `${link.domainId} ${link.prefixKey}/${link.slugKey}`,
      {
        id: link.id,
        isOwn: link.orgId === orgId && link.kind === "link",
        slug: link.slug,
        pathPrefix: link.pathPrefix,
        importedSource: link.importedSource,
      },
    ]),
  );
}
