/**
 * Compares what an import created with what its file contains, a batch of records at a time: the batch's ledger rows
 * and the cursor commit together. Changes no link. If old addresses are requested as well, the job is put off after
 * `SLICE_MS`, also for others of its organization.
 */
import { desktopTargets, oldAddressDifferences, routeDifferences } from "@/core/imports/differences";
import { SOURCES } from "@/core/imports/sources";
import { compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { LinkSource } from "@/platform/link-cache/source";
import { forgetDifferences, type LedgerRow, readLedger, updateLedger } from "../ledger";
import { type AskedRow, askRows, type Budget } from "../old-addresses/ask-rows";
import type { ImportJob } from "../store";
import type { Lease } from "./lease";
import type { ReadingJob } from "./read-dump";
import type { FileBatch } from "./read-file";
import { NEXT_TURN_MS, type Turn } from "./turn";

export interface VerifyImportOptions {
  db: Drizzle;
  clock: Clock;
  linkSource: Pick<LinkSource, "byIds">;
}

const SLICE_MS = 20_000;
const YIELD_MS = 500;

/** A cancelled rollback leaves `kept` rows, also of links that someone had deleted before. */
const COMPARED: ReadonlySet<string> = new Set(["created", "suffixed", "replaced", "unchanged", "kept"]);

interface Verifying {
  batches: AsyncIterable<FileBatch>;
  budget: Budget | null;
  turn: Turn;
  /** Asked before each link, so that the lease lasts however long a batch takes. */
  reading: ReadingJob;
}

/**
 * Returns how long to wait before continuing, or undefined at the end. If the import stopped early, there is nothing
 * to check after its last record.
 */
export async function verifyImport(
  { db, clock, linkSource }: VerifyImportOptions,
  job: ImportJob,
  lease: Lease,
  { batches, budget, turn, reading }: Verifying,
  signal: AbortSignal,
): Promise<number | undefined> {
  const last = job.counts.records ?? 0;
  const until = performance.now() + SLICE_MS;
  if (lease.cursor >= last) return undefined;
  for await (const { from, records, progress } of batches) {
    const to = from + records.length - 1;
    if (to > lease.cursor) {
      const begin = lease.cursor + 1;
      const rows = await readLedger(db, job.orgId, job.id, begin, to);
      const made = rows.filter(({ result, linkId }) => linkId !== null && COMPARED.has(result));
      const links = await linkSource.byIds(made.flatMap(({ linkId }) => linkId ?? []));
      const standing = made.filter(({ result, linkId }) => result !== "kept" || links.has(linkId ?? ""));
      const now = clock();
      const checked: AskedRow[] = [];
      // Links with many rules take seconds each on a busy machine, and there may be a thousand.
      for (const row of standing) {
        if (!(await reading.goOn(0))) return undefined;
        checked.push(check(job, row, records[row.row - from], links, now));
      }
      const asking = budget ? await askRows(budget, checked, () => lease.renew(db), signal) : {};
      if (signal.aborted) return undefined;
      for (const { asked, targets, differences, old } of checked)
        if (asked && "url" in asked) differences?.push(...oldAddressDifferences(targets, asked, old));
      const compared = checked.filter(({ differences }) => differences !== undefined);
      const different = compared.filter(({ differences = [] }) => differences.length > 0);
      const told = checked.filter(({ differences = [], asked }) => differences.length > 0 || asked !== null);
      await db.transaction(async (tx) => {
        await lease.hold(tx);
        await forgetDifferences(tx, job.orgId, job.id, begin, to);
        await updateLedger(
          tx,
          told.map(({ row, differences, asked }) => ({
            ...row,
            differences: differences?.length ? differences : null,
            asked,
          })),
        );
        await lease.move(tx, {
          cursor: to,
          progress,
          counts: {
            ...{ checked: compared.length, different: different.length },
            notCompared: checked.length - compared.length,
            ...asking,
          },
        });
      });
    }
    if (signal.aborted || to >= last) return undefined;
    if (budget && performance.now() > until) return YIELD_MS;
    if (await turn.isOver()) return NEXT_TURN_MS;
  }
  return undefined;
}

function check(
  job: ImportJob,
  row: LedgerRow,
  record: FileBatch["records"][number] | undefined,
  links: ReadonlyMap<string, LinkDefinition>,
  at: number,
): AskedRow {
  const origin = SOURCES[job.options.source];
  const read = record && origin.read(record, at);
  const old = read && "links" in read ? read.links[row.part] : undefined;
  if (!record || !old) throw new Error(`Import ${job.id}: its file has no link ${row.row}.${row.part} any more`);
  const definition = links.get(row.linkId ?? "");
  const link = definition && compileLink(definition);
  const found = { old, link };
  return {
    ...{ row, old, asked: null, differences: routeDifferences(origin, record, found, at) },
    targets: job.asksOld ? desktopTargets(origin, record, found, at) : [],
  };
}
