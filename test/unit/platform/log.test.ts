import { expect, test } from "bun:test";
import { createLog } from "@/platform/telemetry/log";

test("omits entries below the level, and writes the others with level, context and cause of the error", () => {
  let text = "";
  const log = createLog((lines) => (text += lines), { worker: 2 }, "warn");
  log.debug("a");
  log.info("b");
  log.warn("c", { spoolId: "x" });
  log.error("d", { error: new Error("outer", { cause: new Error("inner") }) });
  log.flush();
  const [warned, failed, ...rest] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rest).toEqual([]);
  expect(warned).toMatchObject({ level: "warn", message: "c", worker: 2, spoolId: "x" });
  expect(failed).toMatchObject({
    level: "error",
    message: "d",
    error: { message: "outer", cause: { message: "inner" } },
  });
});
