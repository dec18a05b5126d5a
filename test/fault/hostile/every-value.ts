/**
 * Runs the tests of hostile input with every odd value in every place; ordinary runs use a share of them
 * (`shares.ts`).
 */
export interface EveryValueReport {
  passed: number;
  failed: number;
}

export async function everyValue(): Promise<EveryValueReport> {
  const child = Bun.spawn([process.execPath, "test", "--timeout", "600000", "test/integration/hostile"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    env: { ...process.env, TEST_EVERY_VALUE: "yes" },
  });
  const told = await new Response(child.stderr).text();
  await child.exited;
  const failures = told.split("\n").filter((line) => line.startsWith("(fail)"));
  for (const failure of failures) console.error(failure);
  const passed = Number(/^ *(\d+) pass$/m.exec(told)?.[1] ?? 0);
  return { passed, failed: child.exitCode === 0 ? 0 : Math.max(1, failures.length) };
}
