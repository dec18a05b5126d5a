/** What the main thread requests from the operating system, measured in a separate process. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";

const ROOT = `${import.meta.dir}/../../..`;
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
  const child = Bun.spawn([process.execPath, "-e", READ], { cwd: ROOT, stdout: "pipe" });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const [before, after, ofChild] = JSON.parse(text);
  const hasTurns = process.platform === "linux" && /^se\.slice/m.test(readFileSync("/proc/self/sched", "utf8"));
  expect([code, after, ofChild]).toEqual([0, hasTurns ? 100_000 : before, before]);
});

/** Returns the nice value of a process that was started with `own` and lowers its priority. */
async function loweredFrom(own: number, call: string): Promise<number> {
  const code = `
    import { getPriority } from "node:os";
    import * as priority from "@/platform/thread-priority";
    priority.${call};
    console.log(getPriority(process.pid));
  `;
  const child = Bun.spawn(["nice", "-n", String(own), process.execPath, "-e", code], { cwd: ROOT, stdout: "pipe" });
  const [text, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect(exitCode).toBe(0);
  return Number(text);
}

/** Linux gives weights of 36, 110 and 335 to nice values of 15, 10 and 5, and 1,024 to one of 0. */
test.if(process.platform === "linux").each([
  ["a thread whose work can wait keeps a small share", "lowerThreadPriority()", 15],
  ["a process keeps a tenth", 'lowerProcessPriority("tenth")', 10],
  ["a process keeps a third", 'lowerProcessPriority("third")', 5],
])("%s of a core that others demand, and is never raised", async (_, call, nice) => {
  const own = getPriority();
  expect(await loweredFrom(0, call)).toBe(Math.max(own, nice));
  expect(await loweredFrom(17, call)).toBe(Math.min(own + 17, 19));
});
