import { expect, test } from "bun:test";
import { killImports } from "./imports-killed";

test("a file is imported once and rolled back once, however often the process is killed in the middle of a batch", async () => {
  const rows = 1_400;
  expect(await killImports({ kills: 2, rows })).toEqual({
    ...{ kills: 3, rows, status: "done", distinctRows: rows, links: rows, revisions: rows, created: rows },
    ...{ rollbackStatus: "done", removed: rows, linksLeft: 0 },
  });
}, 240_000);
