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

const LOWER = `
  import { getPriority } from "node:os";
  import { lowerThreadPriority } from "@/platform/thread-priority";
  lowerThreadPriority();
  console.log(getPriority(process.pid));
`;

/** Returns the nice value of a thread that lowers its priority, in a process that was started with `own`. */
async function loweredFrom(own: number): Promise<number> {
  const child = Bun.spawn(["nice", "-n", String(own), process.execPath, "-e", LOWER], { cwd: ROOT, stdout: "pipe" });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect(code).toBe(0);
  return Number(text);
}

/** Linux gives weight 36 to a nice value of 15, and 1,024 to one of 0. */
test.if(process.platform === "linux")(
  "a thread whose work can wait keeps a small share of a core that others demand",
  async () => {
    const own = getPriority();
    expect(await loweredFrom(0)).toBe(Math.max(own, 15));
    expect(await loweredFrom(17)).toBe(Math.min(own + 17, 19));
  },
);
