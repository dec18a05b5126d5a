/** Stores the imports of one organization, and the file of each. */
import { and, asc, count, countDistinct, desc, eq, gt, inArray, ne, notExists, notInArray, sql } from "drizzle-orm";
import type { ImportStatus } from "@/contract/links/imports";
import type { OrgId } from "@/core/ids";
import { domains, importChunks, importRows, imports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type ImportJob = typeof imports.$inferSelect & { orgId: OrgId };

/** An upload that has sent nothing for this many seconds no longer counts as under way. */
const UPLOAD_STALLS_S = 600;

const own = (orgId: OrgId, id: string) => and(eq(imports.orgId, orgId), eq(imports.id, id));
const ofOrg =
  (orgId: OrgId) =>
  (row: typeof imports.$inferSelect): ImportJob => ({ ...row, orgId });

export async function insertImport(tx: Db, orgId: OrgId, values: Omit<typeof imports.$inferInsert, "orgId">) {
  const rows = await tx
    .insert(imports)
    .values({ ...values, orgId })
    .returning();
  return rows.map(ofOrg(orgId))[0];
}

export async function findImport(db: Db, orgId: OrgId, id: string): Promise<ImportJob | undefined> {
  return (await db.select().from(imports).where(own(orgId, id)).limit(1)).map(ofOrg(orgId))[0];
}

/** Finds an import and locks it until the transaction ends. Waits for the current step of a running job. */
export async function lockImport(tx: Db, orgId: OrgId, id: string): Promise<ImportJob | undefined> {
  return (await tx.select().from(imports).where(own(orgId, id)).limit(1).for("update")).map(ofOrg(orgId))[0];
}

/** Updates a job. Ending it also erases its credentials. */
export async function updateImport(tx: Db, { orgId, id }: ImportJob, values: Partial<typeof imports.$inferInsert>) {
  const rows = await tx
    .update(imports)
    .set({ ...values, ...(isOver(values.status) && { credentials: null }), updatedAt: sql`now()` })
    .where(own(orgId, id))
    .returning();
  return rows.map(ofOrg(orgId))[0];
}

const isOver = (status: ImportStatus | undefined): boolean =>
  status !== undefined && status !== "queued" && status !== "running";

export async function listImports(db: Db, orgId: OrgId, page: number, limit: number) {
  const where = eq(imports.orgId, orgId);
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(imports)
      .where(where)
      .orderBy(desc(imports.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(imports).where(where),
  ]);
  return { rows: rows.map(ofOrg(orgId)), total: counted?.total ?? 0 };
}

export async function countOpenImports(db: Db, orgId: OrgId): Promise<number> {
  const open = and(eq(imports.orgId, orgId), inArray(imports.status, ["queued", "running"]));
  const [counted] = await db.select({ total: count() }).from(imports).where(open);
  return counted?.total ?? 0;
}

/** Counts uploads that sent data recently and have not become an import. */
export async function countUploads(db: Db, orgId: OrgId, exceptId: string): Promise<number> {
  const hasImport = db.select({ id: imports.id }).from(imports).where(eq(imports.id, importChunks.importId));
  const [counted] = await db
    .select({ total: countDistinct(importChunks.importId) })
    .from(importChunks)
    .where(
      and(
        eq(importChunks.orgId, orgId),
        ne(importChunks.importId, exceptId),
        gt(importChunks.createdAt, sql`now() - ${UPLOAD_STALLS_S} * interval '1 second'`),
        notExists(hasImport),
      ),
    );
  return counted?.total ?? 0;
}

export const insertChunk = (db: Db, orgId: OrgId, chunk: Omit<typeof importChunks.$inferInsert, "orgId">) =>
  db.insert(importChunks).values({ ...chunk, orgId });

export async function updateChunk(db: Db, { orgId, id }: ImportJob, number: number, content: Uint8Array) {
  const chunk = and(eq(importChunks.orgId, orgId), eq(importChunks.importId, id), eq(importChunks.number, number));
  await db.update(importChunks).set({ content }).where(chunk);
}

export const deleteChunks = (db: Db, orgId: OrgId, importId: string) =>
  db.delete(importChunks).where(and(eq(importChunks.orgId, orgId), eq(importChunks.importId, importId)));

/** Deletes all imports that have ended except the newest, with their files and ledgers; the links stay. */
export async function deleteOldImports(tx: Db, orgId: OrgId, kept: number): Promise<void> {
  const newest = tx
    .select({ id: imports.id })
    .from(imports)
    .where(eq(imports.orgId, orgId))
    .orderBy(desc(imports.id))
    .limit(kept);
  const old = await tx
    .delete(imports)
    .where(
      and(eq(imports.orgId, orgId), notInArray(imports.id, newest), notInArray(imports.status, ["queued", "running"])),
    )
    .returning({ id: imports.id });
  for (const { id } of old) {
    await deleteChunks(tx, orgId, id);
    await tx.delete(importRows).where(and(eq(importRows.orgId, orgId), eq(importRows.importId, id)));
  }
}

/** Returns the next chunk of the file after this one. */
export async function readChunk(db: Db, { orgId, id }: ImportJob, after: number) {
  const rows = await db
    .select()
    .from(importChunks)
    .where(and(eq(importChunks.orgId, orgId), eq(importChunks.importId, id), gt(importChunks.number, after)))
    .orderBy(asc(importChunks.number))
    .limit(1);
  return rows[0];
}

/** Returns the ids of the organization's verified domains by host. */
export async function verifiedDomains(db: Db, orgId: OrgId): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: domains.id, hostname: domains.hostname })
    .from(domains)
    .where(and(eq(domains.orgId, orgId), eq(domains.isVerified, true)));
  return new Map(rows.map(({ id, hostname }) => [hostname, id]));
}
