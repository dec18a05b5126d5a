import { expect, test } from "bun:test";
import { until } from "@test/support/until";
import { startExportWriter } from "@/workers/export-writer";

test("looks that fail while Postgres is unavailable are logged once, and go on", async () => {
  const logged: string[] = [];
  let looks = 0;
  const writer = startExportWriter({
    workOff: () => Promise.reject(new Error(`Postgres is unavailable for look ${++looks}`)),
    log: { warn: (message) => logged.push(message) },
    lookEveryMs: 1,
  });
  await until(() => looks >= 3);
  await writer.stop();
  expect(logged).toEqual(["could not look for exports"]);
});
