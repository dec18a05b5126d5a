/**
 * Runs the linter, then the type check and every test at the same time, because each of these two leaves a core idle.
 * A complaint of the linter, which takes seconds, ends the check: nobody waits for the tests to learn of a line that is
 * too long. Complaints of types are printed as soon as they are known and again at the end, after the long output of
 * the tests. The exit status is that of the first to fail, in the order lint, types, tests.
 */
import { argv, execPath, exit, stdout } from "node:process";

const TYPES = [execPath, "run", "--silent", "types"];
const LINT = [execPath, "run", "--silent", "lint"];
const TESTS = [execPath, "test/support/run.ts", ...argv.slice(2)];

// Bundles once, so that the processes tests start run the same files as the image, and start at half the cost.
const bundle = Bun.spawnSync([execPath, "src/bundle.ts"], { stdout: "inherit", stderr: "inherit" });
if (bundle.exitCode !== 0) exit(bundle.exitCode);
const env = { ...Bun.env, SERVICE_MAIN: "dist/main.js" };
const lint = await complaintsOf("Lint", LINT);
if (lint.status !== 0) exit(lint.status);
const tests = Bun.spawn(TESTS, { env, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
const types = await complaintsOf("Types", TYPES);
const testStatus = await tests.exited;
await print(types.said);
exit(types.status || testStatus);

async function complaintsOf(name: string, command: string[]): Promise<{ status: number; said: string }> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const said = status === 0 ? "" : `\n${name}:\n\n${out}${err}\n`;
  await print(said);
  return { status, said };
}

/** Resolves once everything is written: the process exits right after the last call. */
function print(text: string): Promise<unknown> {
  return new Promise((taken) => stdout.write(text, taken));
}
