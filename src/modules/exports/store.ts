/** Stores the archives of an organization and the state of the work on them. Leases use the database's clock. */
import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { ARCHIVE_SHAPE } from "@/platform/archive/tables";
import { AHEAD_MS_MAX } from "@/platform/clock";
import { exportParts, organizationExports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type ExportRow = typeof organizationExports.$inferSelect;

const NOW = sql`now()`;
const LEASE = sql`interval '60 seconds'`;
/** How long an archive is left to servers of the version that began it. */
const LEFT_TO_OTHERS = sql`interval '10 minutes'`;
const OPEN = ["queued", "running"] as const;

const kept = (orgId: OrgId, now: Date) =>
  and(
    eq(organizationExports.orgId, orgId),
    or(isNull(organizationExports.expiresAt), gt(organizationExports.expiresAt, now)),
  );

export async function listExports(db: Db, orgId: OrgId, now: Date, page: number, limit: number) {
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(organizationExports)
      .where(kept(orgId, now))
      .orderBy(desc(organizationExports.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(organizationExports).where(kept(orgId, now)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export async function findExport(db: Db, orgId: OrgId, id: string, now: Date): Promise<ExportRow | undefined> {
  const own = and(kept(orgId, now), eq(organizationExports.id, id));
  return (await db.select().from(organizationExports).where(own).limit(1))[0];
}

export const insertExport = async (
  tx: Db,
  values: Pick<ExportRow, "id" | "createdAt" | "requestedBy"> & { orgId: OrgId },
): Promise<ExportRow> => {
  const [row] = await tx.insert(organizationExports).values(values).returning();
  if (!row) throw new Error("An inserted export was not returned");
  return row;
};

/** Deletes an archive with its parts. Returns false if there is none. */
export async function deleteExport(tx: Db, orgId: OrgId, id: string): Promise<boolean> {
  const own = and(eq(organizationExports.orgId, orgId), eq(organizationExports.id, id));
  return (await tx.delete(organizationExports).where(own).returning({ id: organizationExports.id })).length > 0;
}

export async function readPart(db: Db, exportId: string, number: number): Promise<Uint8Array | undefined> {
  const one = and(eq(exportParts.exportId, exportId), eq(exportParts.number, number));
  return (await db.select({ content: exportParts.content }).from(exportParts).where(one).limit(1))[0]?.content;
}

/** True of an archive that was begun by a version which may know other tables or columns than this one. */
const isOthers = sql<boolean>`
  (${organizationExports.place} is not null and ${organizationExports.place} ->> 'shape' is distinct from ${ARCHIVE_SHAPE})`;

/**
 * Leases the archive that has waited longest for somebody to work on it to the holder, which counts as an attempt until
 * a part is stored: a process that dies of a part cannot count it. One that another version began is
 * left to servers of that version, and begun anew if there are none: continued, it would lack the rows that only they
 * know of.
 */
export async function claimExport(db: Db, holder: string): Promise<ExportRow | undefined> {
  const { id, status, leasedUntil, createdAt } = organizationExports;
  const tooFarAhead = sql`now() + ${AHEAD_MS_MAX} * interval '1 millisecond'`;
  const endedBefore = (instant: SQL) =>
    or(isNull(leasedUntil), lte(leasedUntil, instant), gt(leasedUntil, tooFarAhead));
  const isFree = and(endedBefore(NOW), or(not(isOthers), endedBefore(sql`now() - ${LEFT_TO_OTHERS}`)));
  return db.transaction(async (tx) => {
    const [next] = await tx
      .select({ id, isOthers })
      .from(organizationExports)
      .where(and(inArray(status, [...OPEN]), isFree))
      .orderBy(sql`coalesce(${leasedUntil}, ${createdAt})`, asc(id))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!next) return undefined;
    if (next.isOthers) await deleteParts(tx, next.id);
    const begun = next.isOthers && { place: null, parts: 0, bytes: 0, counts: {}, expiredClicks: null };
    const rows = await tx
      .update(organizationExports)
      .set({
        ...begun,
        status: "running",
        attempts: sql`${organizationExports.attempts} + 1`,
        leasedBy: holder,
        leasedUntil: sql`now() + ${LEASE}`,
      })
      .where(eq(id, next.id))
      .returning();
    return rows[0];
  });
}

export type ExportProgress = Partial<
  Pick<ExportRow, "status" | "place" | "counts" | "expiredClicks" | "error" | "finishedAt" | "expiresAt">
>;

/**
 * Stores a part and renews the lease. Writes nothing and returns undefined if the holder has lost the lease. An empty
 * part is not stored.
 */
export async function savePart(
  tx: Db,
  { id, parts, bytes }: ExportRow,
  holder: string,
  content: Uint8Array,
  progress: ExportProgress,
): Promise<ExportRow | undefined> {
  const isPart = content.length > 0;
  const rows = await tx
    .update(organizationExports)
    .set({
      ...progress,
      parts: parts + (isPart ? 1 : 0),
      bytes: bytes + content.length,
      attempts: 0,
      leasedUntil: sql`now() + ${LEASE}`,
    })
    .where(and(eq(organizationExports.id, id), eq(organizationExports.leasedBy, holder)))
    .returning();
  if (rows[0] && isPart) await tx.insert(exportParts).values({ exportId: id, number: parts + 1, content });
  return rows[0];
}

/** Does nothing if the holder has lost the lease. */
export const renewExport = (db: Db, { id }: ExportRow, holder: string) =>
  db
    .update(organizationExports)
    .set({ leasedUntil: sql`now() + ${LEASE}` })
    .where(
      and(
        eq(organizationExports.id, id),
        eq(organizationExports.leasedBy, holder),
        eq(organizationExports.status, "running"),
      ),
    );

/**
 * Gives up the work without renewing the lease: another worker can claim the archive once it expires, unless `progress`
 * ends it, and the attempt goes on counting. Writes nothing and returns false if the holder has lost the lease.
 */
export async function releaseExport(
  db: Db,
  { id }: ExportRow,
  holder: string,
  progress: ExportProgress = {},
): Promise<boolean> {
  const own = and(eq(organizationExports.id, id), eq(organizationExports.leasedBy, holder));
  const rows = await db
    .update(organizationExports)
    .set({ ...progress, leasedBy: null })
    .where(own)
    .returning({ id: organizationExports.id });
  return rows.length > 0;
}

/**
 * Lets any worker go on with the archive at once: the instant is not rounded up to one that is yet to come. Does nothing
 * if it is done, or the holder has lost the lease.
 */
export const leaveExport = (db: Db, { id }: ExportRow, holder: string) =>
  db
    .update(organizationExports)
    .set({ leasedBy: null, leasedUntil: sql`date_trunc('milliseconds', ${NOW})`, attempts: 0 })
    .where(
      and(
        eq(organizationExports.id, id),
        eq(organizationExports.leasedBy, holder),
        eq(organizationExports.status, "running"),
      ),
    );

export const deleteParts = (db: Db, exportId: string) =>
  db.delete(exportParts).where(eq(exportParts.exportId, exportId));

export async function deleteExpiredExports(db: Db, now: Date): Promise<number> {
  const expired = lt(organizationExports.expiresAt, now);
  return (await db.delete(organizationExports).where(expired).returning({ id: organizationExports.id })).length;
}
