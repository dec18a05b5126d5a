import { expect, test } from "bun:test";
import type { FromWorker } from "@/clicks/messages";
import { WriterReports } from "@/clicks/writer/reports";

test("repeated disposal failures are logged once for a while, and later disposals still run", () => {
  const told: FromWorker[] = [];
  const reports = new WriterReports({
    settings: { spoolId: "", spoolsFolder: "" },
    sendToMain: (message) => told.push(message),
  });
  let isDone = false;
  for (const fault of ["EIO: i/o error, unlink", "EIO: i/o error, utime"]) {
    reports.dispose(() => {
      throw new Error(fault);
    });
  }
  reports.dispose(() => {
    isDone = true;
  });
  expect(isDone).toBe(true);
  expect(told).toMatchObject([{ type: "log", level: "error", fields: { error: "Error: EIO: i/o error, unlink" } }]);
});
