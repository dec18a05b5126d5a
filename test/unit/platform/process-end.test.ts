/** How the log says that a helper process has ended. */
import { expect, test } from "bun:test";
import { wordsOfEnd } from "@/platform/telemetry/process-end";

async function ended(script: string): Promise<string> {
  const child = Bun.spawn(["sh", "-c", script], { stdout: "ignore", stderr: "pipe" });
  const [said] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return wordsOfEnd(child, said);
}

test.each([
  ["kill -KILL $$", "was killed (SIGKILL), which Linux does if memory runs out"],
  ["echo late >&2; kill -KILL $$", "was killed (SIGKILL), which Linux does if memory runs out: late"],
  ["kill -TERM $$", "was killed by SIGTERM"],
  ["echo 'no room' >&2; exit 3", "ended with 3: no room"],
  ["exit 3", "ended with 3"],
])("%s", async (script, words) => {
  expect(await ended(script)).toBe(words);
});

test("of much that it said, the end is told", async () => {
  const words = await ended("head -c 2000 /dev/zero | tr '\\0' a >&2; echo ' the cause' >&2; exit 1");
  expect(words).toEndWith("a the cause");
  expect(words.length).toBeLessThan(1_100);
});
