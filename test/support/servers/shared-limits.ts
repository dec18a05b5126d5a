/**
 * Scenarios in which servers count attempts together. On a busy machine, Redis may not respond to one of them within the
 * 100 ms that a request may wait for it: for a second, that server then allows half of each limit on its own.
 */
import type { TestService } from "../service";

/** Longer than a server counts on its own before it asks Redis again. */
const ALONE_MS = 1_200;
/** The two follow each other. */
const CHANGES = /cannot share limits|limits are shared again/g;
const isShared = (changes: number): boolean => changes % 2 === 0;

/**
 * Returns what the scenario finds in a run during which Redis always responded in time. It runs again until it does: also
 * if a server counted on its own before the run, because what it does not share any longer is not logged twice.
 */
export async function whileSharing<Found>(
  servers: readonly TestService[],
  scenario: () => Promise<Found>,
): Promise<Found> {
  const changes = () => servers.map(({ logged }) => logged().match(CHANGES)?.length ?? 0);
  for (;;) {
    const before = changes();
    const found = await scenario();
    await new Promise(setImmediate);
    if (Bun.deepEquals(changes(), before) && before.every(isShared)) return found;
    await Bun.sleep(ALONE_MS);
  }
}
