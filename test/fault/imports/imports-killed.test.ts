import { expect, test } from "bun:test";
import { killImports } from "./imports-killed";

const dumpOf = (rows: number): string => {
  const links = Array.from({ length: rows }, (_, row) => `('k${row}','https://acme.com/${row}','','2019-04-02','',1)`);
  const clicks = links.map((_, row) => `(${row},'2019-04-02 11:21:00','k${row}','','','','')`);
  return `INSERT INTO y_log VALUES ${clicks.join()};\nINSERT INTO y_url VALUES ${links.join()};\n`;
};

test.each([
  ["a CSV", undefined],
  ["an SQL dump", dumpOf],
])(
  "%s is imported once and rolled back once, however often the process is killed in the middle of a batch",
  async (_, write) => {
    const rows = 1_400;
    expect(await killImports({ kills: 2, rows, write })).toEqual({
      ...{ kills: 3, rows, status: "done", distinctRows: rows, links: rows, revisions: rows, created: rows },
      ...{ rollbackStatus: "done", removed: rows, linksLeft: 0 },
    });
  },
  240_000,
);
