/**
 * Every test, in two processes side by side where the machine has the cores: each takes half of the files and has a
 * Postgres and a Redis of its own. The second one's report is printed once the first has ended, so that each can be read.
 */
import { CHROMIUM, findProgram, REDIS_SERVER } from "./system-program";

const TEST_MS_MAX = "30000";
/** A Redis that was named is shared by number of database, which only one process can give out. */
const shards = navigator.hardwareConcurrency > 1 && !Bun.env.TEST_REDIS_URL ? 2 : 1;

installPrograms();
const runs = Array.from({ length: shards }, (_, index) => {
  const output = index === 0 ? "inherit" : "pipe";
  const command = [process.execPath, "test", "--timeout", TEST_MS_MAX, `--shard=${index + 1}/${shards}`];
  const child = Bun.spawn(command, { stdout: output, stderr: output });
  const reports = [child.stdout, child.stderr].map((stream) => (stream ? new Response(stream).text() : ""));
  return { exited: child.exited, report: Promise.all(reports) };
});
const codes: number[] = [];
for (const { exited, report } of runs) {
  codes.push(await exited);
  // Awaited to the last byte: what stands in the report's last lines is what is counted.
  for (const text of await report) await new Promise((taken) => process.stdout.write(text, taken));
}
process.exitCode = Math.max(...codes);

/** Here, since two processes that miss one would install it at once. Where that fails, the tests that need it say so. */
function installPrograms(): void {
  for (const program of [REDIS_SERVER, CHROMIUM]) {
    try {
      findProgram(program);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}
