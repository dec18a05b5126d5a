/** Reads the fetched records, page by page. */
import { SourceRecord } from "@/core/imports/record";
import type { Db } from "@/platform/db/tx";
import { FileFault } from "../file-fault";
import { type ImportJob, readChunk } from "../store";

/** Throws `FileFault`. */
export async function* fetchedRecords(
  db: Db,
  job: ImportJob,
): AsyncGenerator<{ record: SourceRecord; progress: number }> {
  const pages = job.fetched?.pages ?? 0;
  for (let number = 0; number < pages; number++) {
    const chunk = await readChunk(db, job, number - 1);
    if (chunk?.number !== number) throw new FileFault("The fetched links are no longer stored; start a new import");
    const items: unknown[] = JSON.parse(new TextDecoder().decode(chunk.content));
    for (const [index, item] of items.entries()) {
      const progress = (number + (index + 1) / items.length) / pages;
      yield { record: SourceRecord.of(item) ?? new SourceRecord({}), progress };
    }
  }
}
