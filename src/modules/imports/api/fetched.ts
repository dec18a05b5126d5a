/** Reads the fetched records, page by page. */
import type { ApiSource } from "@/contract/links/import-api";
import { LINK_APIS } from "@/core/imports/apis";
import { SourceRecord } from "@/core/imports/record";
import type { Db } from "@/platform/db/tx";
import { FileFault } from "../file-fault";
import { type ImportJob, readChunk } from "../store";
import { withoutLateDays } from "./fetch-visits";

/** Throws `FileFault`. */
export async function* fetchedRecords(
  db: Db,
  job: ImportJob,
): AsyncGenerator<{ record: SourceRecord; progress: number }> {
  const { pages = 0, visits: counted } = job.fetched ?? {};
  const visits = job.file.form.kind === "api" ? LINK_APIS[job.file.form.source as ApiSource].visits : undefined;
  for (let number = 0; number < pages; number++) {
    const chunk = await readChunk(db, job, number - 1);
    if (chunk?.number !== number) throw new FileFault("The fetched links are no longer stored; start a new import");
    const items: unknown[] = JSON.parse(new TextDecoder().decode(chunk.content));
    for (const [index, listed] of items.entries()) {
      const progress = (number + (index + 1) / items.length) / pages;
      const item =
        visits && counted ? withoutLateDays(visits, counted, listed, { page: number, place: index }) : listed;
      yield { record: SourceRecord.of(item) ?? new SourceRecord({}), progress };
    }
  }
}
