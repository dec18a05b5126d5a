import { expect, spyOn, test } from "bun:test";
import { livePromises } from "@test/support/memory/live-promises";
import { printProgress } from "@/admin/import-progress";

const TURNS = 1_000;

test("a failure to read the progress is reported, and stops neither the import nor the progress reports", async () => {
  const lines: string[] = [];
  const told = Promise.withResolvers<string>();
  using error = spyOn(console, "error").mockImplementation((line: string) => {
    lines.push(line);
    if (lines.length === 2) told.resolve("done");
  });
  const looks = [
    () => Promise.reject(new Error("Postgres is away")),
    () => Promise.resolve({ progress: 0.256, counts: { records: 1 } }),
  ];
  const look = () => (looks.length > 1 ? looks.shift() : looks[0])?.() ?? Promise.reject(new Error("none"));
  expect(await printProgress(look, told.promise, 1)).toBe("done");
  expect(lines.slice(0, 2)).toEqual(["could not read the progress: Postgres is away", "25 %, 1 record"]);
  expect(error).toHaveBeenCalled();
});

test("an import failure is thrown even if the progress could not be read", async () => {
  const failed = Promise.reject(new Error("no import"));
  expect(printProgress(() => Promise.reject(new Error("away")), failed, 1)).rejects.toThrow("no import");
});

test("progress reports leave nothing in memory during a long import", async () => {
  const work = Promise.withResolvers<void>();
  let looks = 0;
  using error = spyOn(console, "error").mockImplementation(() => undefined);
  const before = livePromises();
  let left = 0;
  const look = async () => {
    if (++looks === TURNS) {
      left = livePromises() - before;
      work.resolve();
    }
    return { progress: 0, counts: {} };
  };
  await printProgress(look, work.promise, 0);
  expect(error.mock.calls[0]).toEqual(["0 %, 0 records"]);
  expect(left).toBeLessThan(TURNS / 10);
});
