/**
 * Compares what an import has made with what its file says, a batch of records at a time: the batch's rows of the ledger and the
 * cursor commit together. Changes no link.
 */
import { type LinkDifference, routeDifferences } from "@/core/imports/differences";
import { SOURCES } from "@/core/imports/sources";
import { compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { LinkSource } from "@/platform/link-cache/source";
import { forgetDifferences, type LedgerRow, readLedger, updateLedger } from "../ledger";
import type { ImportJob } from "../store";
import type { Lease } from "./lease";
import type { FileBatch } from "./read-file";

export interface VerifyImportOptions {
  db: Drizzle;
  clock: Clock;
  linkSource: Pick<LinkSource, "byIds">;
}

interface CheckedRow {
  row: LedgerRow;
  /** Undefined where there is nothing to compare it with. */
  differences: LinkDifference[] | undefined;
}

const STANDING: ReadonlySet<string> = new Set(["created", "suffixed", "replaced", "unchanged"]);

/** An import that broke off has nothing to check behind its last record. */
export async function verifyImport(
  { db, clock, linkSource }: VerifyImportOptions,
  job: ImportJob,
  lease: Lease,
  batches: AsyncIterable<FileBatch>,
  signal: AbortSignal,
): Promise<void> {
  const last = job.counts.records ?? 0;
  if (lease.cursor >= last) return;
  for await (const { from, records, progress } of batches) {
    const to = from + records.length - 1;
    if (to > lease.cursor) {
      const begin = lease.cursor + 1;
      const rows = await readLedger(db, job.orgId, job.id, begin, to);
      const made = rows.filter(({ result, linkId }) => linkId !== null && STANDING.has(result));
      const links = await linkSource.byIds(made.flatMap(({ linkId }) => linkId ?? []));
      const checked = made.map((row) => check(job, row, records[row.row - from], links, clock()));
      const compared = checked.filter(({ differences }) => differences !== undefined);
      const different = compared.filter(({ differences = [] }) => differences.length > 0);
      await db.transaction(async (tx) => {
        await lease.hold(tx);
        await forgetDifferences(tx, job.orgId, job.id, begin, to);
        for (const { row, differences } of different) await updateLedger(tx, row, { differences });
        await lease.move(tx, {
          cursor: to,
          progress,
          counts: {
            ...{ checked: compared.length, different: different.length },
            notCompared: checked.length - compared.length,
          },
        });
      });
    }
    if (signal.aborted || to >= last) return;
  }
}

function check(
  job: ImportJob,
  row: LedgerRow,
  record: FileBatch["records"][number] | undefined,
  links: ReadonlyMap<string, LinkDefinition>,
  at: number,
): CheckedRow {
  const origin = SOURCES[job.options.source];
  const read = record && origin.read(record);
  const old = read && "links" in read ? read.links[row.part] : undefined;
  if (!record || !old) throw new Error(`Import ${job.id}: its file has no link ${row.row}.${row.part} any more`);
  const definition = links.get(row.linkId ?? "");
  const link = definition && compileLink(definition);
  return { row, differences: routeDifferences(origin, record, { old, link }, at) };
}
