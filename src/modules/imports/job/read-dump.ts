/**
 * Reads the links of an SQL dump twice: the visits, which a dump has before or after the links, are counted by day
 * first. Nothing is imported from a dump that is cut off, or has too many links or none. A verification compares no
 * clicks, and reads the links alone.
 *
 * Bounds: `IMPORT_RECORDS_MAX` links. The memory of one part of the file, and of `LoggedClicks`.
 */
import { IMPORT_RECORDS_MAX } from "@/contract/links/imports";
import { SourceRecord } from "@/core/imports/record";
import { DumpFault, DumpReader, type DumpRow, type WantedColumns } from "@/core/imports/sql/dump-reader";
import { NO_LINKS } from "@/core/imports/sql/sniff-sql";
import type { Db } from "@/platform/db/tx";
import { FileFault } from "../file-fault";
import { TOO_MANY_RECORDS } from "../record-count";
import type { ImportJob } from "../store";
import { type FileSpan, textOf, within } from "./file-text";
import { LoggedClicks } from "./logged-clicks";

/** What a job does while it reads, without a record to show for it. */
export interface ReadingJob {
  /** Called at each part of the file that may have no record, and within long work. Resolves to false if the job is to stop. */
  goOn(progress: number): Promise<boolean>;
}

const LINK = ["keyword", "url", "title", "timestamp", "clicks"];
const CLICK = ["shorturl", "click_time"];
/** Of the time that an import takes, what the first reading takes at most. */
const FIRST_SHARE = 0.1;

/** Throws `FileFault`. */
export async function* dumpedRecords(
  db: Db,
  job: ImportJob,
  reading: ReadingJob,
): AsyncGenerator<{ record: SourceRecord; progress: number }> {
  const counted = job.task === "import" ? await countClicks(db, job, reading) : NOTHING_COUNTED;
  if (counted === undefined) return;
  const { links, clicks } = counted;
  let read = 0;
  for await (const { rows, span } of dumpRows(db, job, { url: LINK })) {
    if (!(await reading.goOn(links > 0 ? progressAt(read / links) : span.from))) return;
    for (const [index, { values }] of rows.entries()) {
      read++;
      const record = recordOf(values, clicks);
      yield { record, progress: links > 0 ? progressAt(read / links) : within(span, index, rows.length) };
    }
  }
}

const NOTHING_COUNTED = { links: 0, clicks: new LoggedClicks() };

const progressAt = (share: number): number => FIRST_SHARE + (1 - FIRST_SHARE) * share;

/** Returns undefined if the job is to stop. */
async function countClicks(db: Db, job: ImportJob, { goOn }: ReadingJob) {
  const clicks = new LoggedClicks();
  let links = 0;
  for await (const { rows, span, isWithoutLinks } of dumpRows(db, job, { url: [], log: CLICK })) {
    for (const { table, values } of rows) {
      if (table === "url") links++;
      else clicks.add(values[0] ?? "", values[1] ?? "");
    }
    if (links > IMPORT_RECORDS_MAX) throw new FileFault(TOO_MANY_RECORDS);
    if (isWithoutLinks) throw new FileFault(NO_LINKS);
    if (!(await goOn(FIRST_SHARE * span.to))) return undefined;
  }
  return { links, clicks };
}

interface DumpPart {
  rows: DumpRow[];
  span: FileSpan;
  /** Told once all of the file is read. */
  isWithoutLinks: boolean;
}

async function* dumpRows(db: Db, job: ImportJob, wanted: WantedColumns): AsyncGenerator<DumpPart> {
  const reader = new DumpReader(wanted);
  try {
    for await (const { text, span } of textOf(db, job)) {
      const rows = text === null ? reader.end() : reader.push(text);
      yield { rows, span, isWithoutLinks: text === null && !reader.hasLinks };
    }
  } catch (error) {
    throw error instanceof DumpFault ? new FileFault(error.message) : error;
  }
}

function recordOf(values: readonly (string | null)[], clicks: LoggedClicks): SourceRecord {
  const row = Object.fromEntries(LINK.map((name, index) => [name, values[index]]));
  return new SourceRecord({ ...row, clicksByDay: clicks.of(values[0] ?? "") });
}
