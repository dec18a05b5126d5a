/**
 * Removes what an import created, a part of its ledger at a time: the links that nobody has changed since, or all of
 * them if it is forced. Links that the import replaced existed before, so they stay.
 *
 * Every rollback goes through the whole ledger: a row's `resultBefore` says what the import did, whatever rollbacks
 * made of it since. Its counts are those of the ledger, including what earlier rollbacks removed.
 */
import { and, eq, exists, gt, inArray, isNull } from "drizzle-orm";
import type { ImportCounts, ImportResult } from "@/contract/links/imports";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import type { LinkService } from "@/modules/links/service";
import type { Drizzle } from "@/platform/db/client";
import { domains, linkRevisions, links as linkTable } from "@/platform/db/schema";
import type { Tx } from "@/platform/db/tx";
import type { ChangeRouting } from "@/platform/routing-changes";
import { type LedgerRow, readLedger, updateLedger } from "../ledger";
import type { ImportJob } from "../store";
import { dropClicks, giveClicksBack } from "./former-clicks";
import { deleteDays } from "./former-days";
import type { Lease } from "./lease";
import { NEXT_TURN_MS, type Turn } from "./turn";

const PART_RECORDS = 500;

export interface RollBackOptions {
  db: Drizzle;
  links: Pick<LinkService, "removeImported">;
  changeRouting: ChangeRouting;
}

/** Returns how long to wait before continuing, or undefined at the end. */
export async function rollBack(
  { links, changeRouting }: RollBackOptions,
  job: ImportJob,
  lease: Lease,
  { tenant, turn }: { tenant: Tenant; turn: Turn },
  signal: AbortSignal,
): Promise<number | undefined> {
  const records = job.counts.records ?? 0;
  while (lease.cursor < records && !signal.aborted) {
    const to = Math.min(records, lease.cursor + PART_RECORDS);
    await changeRouting(async (tx, changed) => {
      await lease.hold(tx);
      const rows = await readLedger(tx, job.orgId, job.id, lease.cursor + 1, to);
      const standing = await standingLinks(tx, job, rows.filter(isMade));
      const wanted = [...standing.values()].filter(({ isChanged }) => !isChanged || job.isForced);
      const outcomes = await links.removeImported(tx, tenant, wanted, changed.link);
      const removed = new Set(wanted.filter((_, index) => !(outcomes[index] instanceof HttpError)).map(({ id }) => id));
      const gone = rows.filter(({ linkId }) => linkId !== null && removed.has(linkId));
      await dropClicks(tx, job.orgId, gone);
      await giveClicksBack(tx, job.orgId, job.id, rows);
      await deleteDays(tx, job, [...gone, ...rows.filter(({ result }) => result === "replaced")]);
      const counts: ImportCounts = { removed: 0, kept: 0 };
      const noted: LedgerRow[] = [];
      for (const row of rows) {
        const outcome = outcomeOf(row, removed, standing.has(row.linkId ?? ""));
        if (outcome === undefined) continue;
        if (outcome !== row) noted.push({ ...row, ...outcome, resultBefore: originOf(row) });
        counts[outcome.result] = (counts[outcome.result] ?? 0) + 1;
      }
      await updateLedger(tx, noted);
      await lease.move(tx, { cursor: to, progress: to / records, counts });
    });
    if (lease.cursor < records && (await turn.isOver())) return NEXT_TURN_MS;
  }
  return undefined;
}

const originOf = ({ result, resultBefore }: LedgerRow): ImportResult => resultBefore ?? result;

const isMade = (row: LedgerRow): boolean => originOf(row) === "created" || originOf(row) === "suffixed";

/** Returns the row itself if it stays as it is, and undefined for one that neither created nor replaced a link. */
function outcomeOf(row: LedgerRow, removed: ReadonlySet<string>, isThere: boolean) {
  if (row.result === "removed") return row;
  if (originOf(row) === "replaced")
    return { result: "kept" as const, why: "it was there before the import; its history has its earlier fields" };
  if (!isMade(row)) return row.result === "kept" ? row : undefined;
  if (row.linkId !== null && removed.has(row.linkId)) return { result: "removed" as const, why: null };
  return { result: "kept" as const, why: isThere ? "it has been changed since" : "it had been deleted already" };
}

/**
 * Returns those of the rows' links that still exist. Locks them first, in the order of ids: whoever is changing one
 * finishes before its revisions are looked at.
 */
async function standingLinks(tx: Tx, { orgId }: ImportJob, rows: readonly LedgerRow[]) {
  const ids = rows.flatMap(({ linkId }) => linkId ?? []);
  if (ids.length === 0)
    return new Map<string, { id: string; domain: typeof domains.$inferSelect; isChanged: boolean }>();
  const live = and(eq(linkTable.orgId, orgId), inArray(linkTable.id, ids), isNull(linkTable.deletedAt));
  await tx.select({ id: linkTable.id }).from(linkTable).where(live).orderBy(linkTable.id).for("update");
  const later = tx
    .select({ id: linkRevisions.id })
    .from(linkRevisions)
    .where(and(eq(linkRevisions.linkId, linkTable.id), gt(linkRevisions.version, 1)));
  const found = await tx
    .select({ id: linkTable.id, domain: domains, isChanged: exists(later).mapWith(Boolean) })
    .from(linkTable)
    .innerJoin(domains, eq(domains.id, linkTable.domainId))
    .where(live);
  return new Map(found.map((row) => [row.id, { ...row, isChanged: row.isChanged === true }]));
}
