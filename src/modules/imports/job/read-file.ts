/**
 * Reads the records of an import's file, a batch at a time, from the parts stored in Postgres. A CSV, and JSON with
 * one object per line, is parsed as it is read and takes the memory of one part, an SQL dump a little more. Other JSON
 * is held in memory as a whole. To resume after some records, those are read again and skipped.
 */
import { IMPORT_RECORDS_MAX } from "@/contract/links/imports";
import { CsvFault, createCsvReader } from "@/core/csv/reader";
import { matchHeader } from "@/core/imports/header";
import { createJsonReader, JsonFault } from "@/core/imports/json-reader";
import { SourceRecord } from "@/core/imports/record";
import { type CsvForm, sniffJson } from "@/core/imports/sniff";
import { SOURCES } from "@/core/imports/sources";
import type { Db } from "@/platform/db/tx";
import { fetchedRecords } from "../api/fetched";
import { FileFault } from "../file-fault";
import { TOO_MANY_RECORDS } from "../record-count";
import type { ImportJob } from "../store";
import { textOf, WHOLE, within } from "./file-text";
import { dumpedRecords, type ReadingJob } from "./read-dump";

export interface FileBatch {
  /** The number of the first record, counted from 1. */
  from: number;
  records: SourceRecord[];
  /** The fraction of the file up to the last record, from 0 to 1. */
  progress: number;
}

/** Throws `FileFault`. */
export async function* readFile(
  db: Db,
  job: ImportJob,
  batchRecords: number,
  reading: ReadingJob,
): AsyncGenerator<FileBatch> {
  let [from, records]: [number, SourceRecord[]] = [1, []];
  for await (const { record, progress } of recordsOf(db, job, reading)) {
    records.push(record);
    if (records.length < batchRecords) continue;
    yield { from, records, progress };
    from += records.length;
    records = [];
  }
  if (records.length > 0) yield { from, records, progress: 1 };
}

interface ReadRecord {
  record: SourceRecord;
  progress: number;
}

function recordsOf(db: Db, job: ImportJob, reading: ReadingJob): AsyncGenerator<ReadRecord> {
  const { form } = job.file;
  switch (form.kind) {
    case "api":
      return fetchedRecords(db, job);
    case "csv":
      return csvRecords(db, job, form);
    case "json":
      return jsonRecords(db, job);
    case "sql":
      return dumpedRecords(db, job, reading);
  }
}

async function* csvRecords(db: Db, job: ImportJob, form: CsvForm): AsyncGenerator<ReadRecord> {
  const match = matchHeader(form.header, SOURCES[form.source], job.options.mapping);
  if ("fault" in match) throw new FileFault(match.fault);
  // Our own files write text as it is: a link may have the title NULL.
  const reader = createCsvReader(form.delimiter, { hasNulls: form.source !== "waymark" });
  let read = -form.linesBefore;
  const known = match.fields.flatMap((field, index) => (field === undefined ? [] : [[field, index] as const]));
  const recordOf = (cells: readonly string[]) =>
    new SourceRecord(Object.fromEntries(known.map(([field, index]) => [field, cells[index] ?? ""])));
  for await (const { text, span } of textOf(db, job)) {
    const rows = faultless(() => (text === null ? reader.end() : reader.push(text)));
    for (const [index, cells] of rows.entries()) {
      read++;
      if (read <= 0) continue;
      if (read > IMPORT_RECORDS_MAX) throw new FileFault(TOO_MANY_RECORDS);
      yield { record: recordOf(cells), progress: within(span, index, rows.length) };
    }
  }
}

function faultless<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof CsvFault || error instanceof JsonFault ? new FileFault(error.message) : error;
  }
}

async function* jsonRecords(db: Db, job: ImportJob): AsyncGenerator<ReadRecord> {
  const reader = createJsonReader();
  let read = 0;
  for await (const { text, span } of textOf(db, job)) {
    const items = faultless(() => (text === null ? reader.end() : reader.push(text)));
    const areFirst = read === 0;
    read += items.length;
    if (read > IMPORT_RECORDS_MAX) throw new FileFault(TOO_MANY_RECORDS);
    if (areFirst && (items.length > 0 || text === null)) checkItems(items, job);
    for (const [index, item] of items.entries()) {
      const record = SourceRecord.of(item) ?? new SourceRecord({});
      // Items that come at the end are those of the whole file.
      yield { record, progress: within(text === null ? WHOLE : span, index, items.length) };
    }
  }
}

/** Throws `FileFault` if the links are another service's. */
function checkItems(items: readonly unknown[], job: ImportJob): void {
  const sniffed = sniffJson(items.slice(0, 100), { source: job.options.source });
  if ("fault" in sniffed) throw new FileFault(sniffed.fault);
}
