/**
 * Waits for what happens without the test: in the background, on another server, in a process. Both give up late, since
 * a busy machine takes long, but before the minute is over after which caches are refreshed without having been told.
 */
import { expect } from "bun:test";

const GIVE_UP_MS = 50_000;
const ASK_EVERY_MS = 10;

/** Resolves once it holds. A question that fails counts as answered by no. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<void> => untilGivenUp(holds, GIVE_UP_MS);

/**
 * Does the same for what a process of low priority does, such as an import: a busy machine lets it wait for minutes, so
 * only the end of the test ends the wait.
 */
export const untilDone = (holds: () => boolean | Promise<boolean>): Promise<void> => untilGivenUp(holds, Infinity);

async function untilGivenUp(holds: () => boolean | Promise<boolean>, giveUpMs: number): Promise<void> {
  const giveUpAt = performance.now() + giveUpMs;
  let cause: unknown;
  const ask = async () => {
    try {
      return await holds();
    } catch (error) {
      cause = error;
      return false;
    }
  };
  while (!(await ask())) {
    if (performance.now() > giveUpAt) throw new Error(`Never: ${holds}`, { cause });
    await Bun.sleep(ASK_EVERY_MS);
  }
}

/** Expects the answer to become the wanted one. */
export async function eventually(ask: () => unknown, wanted: unknown): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let answer = await ask();
  while (!Bun.deepEquals(answer, wanted) && performance.now() < giveUpAt) {
    await Bun.sleep(ASK_EVERY_MS);
    answer = await ask();
  }
  expect(answer).toEqual(wanted);
}

/**
 * Opens a page until it shows the text, and returns it. Pages wait only briefly for the branding of an organization or
 * an app, and then show the previous one or none.
 */
export async function untilShown(open: () => Promise<string>, text: string): Promise<string> {
  let page = "";
  await until(async () => {
    page = await open();
    return page.includes(text);
  });
  return page;
}
