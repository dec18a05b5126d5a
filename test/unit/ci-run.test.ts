import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SCRIPT = join(import.meta.dir, "../../.ci/run");
const CASES = [
  { name: "all passed", prints: " 12 pass\n 0 fail\nRan 12 tests", exits: 0, ends: "12 passed, 0 failed", status: 0 },
  {
    name: "two runners",
    prints: " 12 pass\n 0 fail\n 3 pass\n 0 fail",
    exits: 0,
    ends: "15 passed, 0 failed",
    status: 0,
  },
  {
    name: "one failed",
    prints: "(fail) links > are kept [12.50ms]\n 11 pass\n 1 fail\n(fail) links > are kept [12.50ms]",
    exits: 1,
    ends: "(fail) links > are kept\n11 passed, 1 failed",
    status: 1,
  },
  {
    name: "one was skipped",
    prints: "(skip) links > are moved\n 11 pass\n 1 skip\n 0 fail",
    exits: 0,
    ends: "(skip) links > are moved\n11 passed, 1 failed",
    status: 1,
  },
  { name: "one is a plan", prints: " 11 pass\n 1 todo\n 0 fail", exits: 0, ends: "11 passed, 1 failed", status: 1 },
  {
    name: "types are wrong",
    prints: "a.ts(1,2): error TS2322",
    exits: 2,
    ends: "no test failed: types, lint or the runner did (exit status 2)\n0 passed, 0 failed",
    status: 2,
  },
  {
    name: "no test ran",
    prints: "nothing",
    exits: 0,
    ends: "no test failed: types, lint or the runner did (exit status 1)\n0 passed, 0 failed",
    status: 1,
  },
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-ci-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the check of a commit", () => {
  test.each(CASES)(
    "if $name, ends with what failed, the test count and the matching exit status",
    ({ prints, exits, ends, status }) => {
      writeFileSync(join(folder, "npx"), `#!/bin/sh\ncat <<'END'\n${prints}\nEND\nexit ${exits}\n`);
      chmodSync(join(folder, "npx"), 0o755);
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const result = spawnSync(SCRIPT, [], { encoding: "utf8", env, cwd: folder });
      expect(result.stdout).toBe(`${prints}\n${ends}\n`);
      expect(result.status).toBe(status);
    },
  );
});
