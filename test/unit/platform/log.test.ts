import { expect, test } from "bun:test";
import { createLog } from "@/platform/telemetry/log";

test("what is below the level is not written, and the rest has its level, its place and its error's cause", () => {
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
