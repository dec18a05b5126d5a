/** Reports the progress of an import on the terminal. */
import type { Import } from "@/contract/links/imports";
import { plural } from "@/core/plural";
import { pause } from "@/platform/db/connection/abortable";

const TELL_EVERY_MS = 2_000;

/**
 * Prints the progress until the work ends, and returns its result. A failure to read the progress is printed and does
 * not end the work.
 */
export async function printProgress<Result>(
  look: () => Promise<Pick<Import, "progress" | "counts">>,
  work: Promise<Result>,
  everyMs = TELL_EVERY_MS,
): Promise<Result> {
  const ending = new AbortController();
  const end = () => ending.abort();
  work.then(end, end);
  for (;;) {
    await pause(everyMs, ending.signal);
    if (ending.signal.aborted) return work;
    console.error(await said(look));
  }
}

const said = (look: () => Promise<Pick<Import, "progress" | "counts">>): Promise<string> =>
  look().then(
    ({ progress, counts }) => `${Math.floor(progress * 100)} %, ${plural(counts.records ?? 0, "record")}`,
    (error: unknown) => `could not read the progress: ${error instanceof Error ? error.message : String(error)}`,
  );
