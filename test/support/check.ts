/**
 * Types, lint and every test at once, since each by itself leaves a core idle. What types and lint complain of is told as
 * soon as they are done and, the tests being long, once more at the end. The status is that of whatever failed first in
 * this order.
 */
import { argv, execPath, exit, stdout } from "node:process";

const TYPES = [execPath, "run", "--silent", "types"];
const LINT = [execPath, "run", "--silent", "lint"];
const TESTS = [execPath, "test/support/run.ts", ...argv.slice(2)];

// Once for all, so that the processes that tests start are what the image runs, and start at half the cost.
const bundle = Bun.spawnSync([execPath, "src/bundle.ts"], { stdout: "inherit", stderr: "inherit" });
if (bundle.exitCode !== 0) exit(bundle.exitCode);
const env = { ...Bun.env, SERVICE_MAIN: "dist/main.js" };
const tests = Bun.spawn(TESTS, { env, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
const checks = await Promise.all([complaintsOf("Types", TYPES), complaintsOf("Lint", LINT)]);
const testStatus = await tests.exited;
for (const { said } of checks) await print(said);
exit([...checks.map(({ status }) => status), testStatus].find((status) => status !== 0) ?? 0);

async function complaintsOf(name: string, command: string[]): Promise<{ status: number; said: string }> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const said = status === 0 ? "" : `\n${name}:\n\n${out}${err}\n`;
  await print(said);
  return { status, said };
}

/** Awaited to the last byte: the process ends right after the last. */
function print(text: string): Promise<unknown> {
  return new Promise((taken) => stdout.write(text, taken));
}
