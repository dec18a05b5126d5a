/**
 * Scenarios in which servers count attempts together. On a busy machine, Redis may not respond to one of them within the
 * 100 ms that a request may wait for it: for a second, that server then allows half of each limit on its own.
 */
import type { TestService } from "../service";

/** Longer than a server counts on its own before it asks Redis again. */
const ALONE_MS = 1_200;

/** Returns what the scenario finds in a run during which Redis responded in time. It runs again until it does. */
export async function whileSharing<Found>(
  servers: readonly TestService[],
  scenario: () => Promise<Found>,
): Promise<Found> {
  const faults = () => servers.map(({ logged }) => logged().split("cannot share limits").length);
  for (;;) {
    const before = faults();
    const found = await scenario();
    await new Promise(setImmediate);
    if (Bun.deepEquals(faults(), before)) return found;
    await Bun.sleep(ALONE_MS);
  }
}
