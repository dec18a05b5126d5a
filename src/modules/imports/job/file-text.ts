/** Reads the text of an import's file from the parts stored in Postgres, one part at a time. */
import type { Db } from "@/platform/db/tx";
import { FileFault } from "../file-fault";
import { type ImportJob, readChunk } from "../store";

/** A part of the file, as fractions of it. */
export interface FileSpan {
  from: number;
  to: number;
}

export const WHOLE: FileSpan = { from: 0, to: 1 };
const END: FileSpan = { from: 1, to: 1 };

/** Returns where in the file one of the records of a part is, as if all of them were equally long. */
export const within = ({ from, to }: FileSpan, index: number, records: number): number =>
  from + ((to - from) * (index + 1)) / records;

/** Yields a final null at the end. Throws `FileFault`. */
export async function* textOf(db: Db, job: ImportJob): AsyncGenerator<{ text: string | null; span: FileSpan }> {
  const decoder = new TextDecoder(job.file.encoding);
  let bytes = 0;
  for (let after = -1; ; ) {
    const chunk = await readChunk(db, job, after);
    if (!chunk) break;
    const from = bytes / job.file.bytes;
    bytes += chunk.content.length;
    after = chunk.number;
    const span = { from, to: bytes / job.file.bytes };
    yield { text: decoder.decode(chunk.content, { stream: true }), span };
  }
  if (bytes !== job.file.bytes) throw new FileFault("The file is no longer kept; upload it again");
  yield { text: decoder.decode(), span: END };
  yield { text: null, span: END };
}
