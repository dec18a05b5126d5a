import { expect, test } from "bun:test";
import { createLog } from "@/platform/telemetry/log";
import { safetyChecks } from "@/workers/safety-checks";

/** Returns the maximum number of links, of 40, that were checked concurrently. */
async function mostAtOnce(isRemote: boolean): Promise<number> {
  const left = Array.from({ length: 40 }, (_, link) => link);
  let [now, most] = [0, 0];
  const { run } = safetyChecks({
    isRemote,
    log: createLog(() => {}),
    sweep: async () => undefined,
    due: async (limit) => left.splice(0, limit),
    async recheck() {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      return "safe";
    },
  });
  expect(await run(new AbortController().signal)).toEqual({ swept: undefined, safe: 40 });
  return most;
}

test("links are checked several at a time by a remote service, else one by one, which leaves the core to requests", async () => {
  expect([await mostAtOnce(true), await mostAtOnce(false)]).toEqual([8, 1]);
});
