/** Tells on the terminal how far an import is. */
import type { Import } from "@/contract/links/imports";

const TELL_EVERY_MS = 2_000;

/** Until the work has ended. A look that fails is said, and the next one follows: whether that ends the work is for the work to say. */
export async function tellingProgress<Result>(
  look: () => Promise<Pick<Import, "progress" | "counts">>,
  work: Promise<Result>,
  everyMs = TELL_EVERY_MS,
): Promise<Result> {
  const ended = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, Bun.sleep(everyMs)]))) console.error(await said(look));
  return work;
}

const said = (look: () => Promise<Pick<Import, "progress" | "counts">>): Promise<string> =>
  look().then(
    ({ progress, counts }) => `${Math.floor(progress * 100)} %, ${counts.records ?? 0} records`,
    (error: unknown) => `cannot see how far it is: ${error instanceof Error ? error.message : String(error)}`,
  );
