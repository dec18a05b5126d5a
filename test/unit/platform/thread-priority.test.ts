/** What the main thread requests from the operating system, measured in a separate process. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

const READ = `
  import { readFileSync } from "node:fs";
  import { useShortTimeSlices } from "@/platform/thread-priority";
  const read = (pid) => {
    const [, nanoseconds] = /^se\\.slice\\s*:\\s*(\\d+)/m.exec(readFileSync(\`/proc/\${pid}/sched\`, "utf8")) ?? [];
    return nanoseconds && Number(nanoseconds);
  };
  const before = read("self");
  useShortTimeSlices();
  useShortTimeSlices();
  const child = Bun.spawn(["sleep", "60"]);
  console.log(JSON.stringify([before, read("self"), read(child.pid)]));
  child.kill();
`;

/** Linux before 6.12 neither reports nor supports different time slices; there the request must do no harm. */
test("the main thread gets short time slices, and its child processes the usual ones", async () => {
  const child = Bun.spawn([process.execPath, "-e", READ], { cwd: `${import.meta.dir}/../../..`, stdout: "pipe" });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const [before, after, ofChild] = JSON.parse(text);
  const hasTurns = process.platform === "linux" && /^se\.slice/m.test(readFileSync("/proc/self/sched", "utf8"));
  expect([code, after, ofChild]).toEqual([0, hasTurns ? 100_000 : before, before]);
});
