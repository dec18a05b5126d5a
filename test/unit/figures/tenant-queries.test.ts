/**
 * Clicks, opens and events are keyed by organization first: a statement that does not name it reads every partition
 * in full.
 */
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";

/** Matches where a table is read or changed. The statement extends to the next match or the end of the declaration. */
const READS = /\b(?:from|join|update)\s+(?:clicks|opens|events)\b|\.(?:from|update|delete)\((?:clicks|opens|events)\)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const NAMES_ORGANIZATION = /\borg_id\b|\borgId\b|\borgIdAnd\b/;
/** Conditions that other functions build, each of which begins with the organization (`figures/read/scope`). */
const MADE_ELSEWHERE = /\$\{(?:edge|rows)\}/;

interface Read {
  file: string;
  statement: string;
}

async function readsOf(): Promise<Read[]> {
  const found: Read[] = [];
  for await (const file of new Glob("src/**/*.ts").scan()) {
    const source = (await Bun.file(file).text()).replaceAll(COMMENT, "");
    const starts = [...source.matchAll(READS)].map(({ index }) => index);
    for (const [place, start] of starts.entries()) {
      const end = Math.min(starts[place + 1] ?? Infinity, endOfDeclaration(source, start));
      found.push({ file, statement: withFragments(source, source.slice(start, end)) });
    }
  }
  return found;
}

/** Returns the end of the declaration: the next one begins at the start of a line. */
function endOfDeclaration(source: string, start: number): number {
  const end = source.slice(start).search(/\n(?:\}|export |const |function |async |class )/);
  return end === -1 ? source.length : start + end;
}

/** Appends the constants and functions of the file that the statement refers to. */
function withFragments(source: string, statement: string): string {
  const names = [...statement.matchAll(/\$\{(\w+)\}|\b(\w+)\(orgId/g)].map(([, name, made]) => name ?? made ?? "");
  const texts = names.map((name) => {
    const start = source.search(new RegExp(`\\b(?:const|function) ${name}\\b`));
    return start === -1 ? "" : source.slice(start, endOfDeclaration(source, start));
  });
  return [statement, ...texts].join("\n");
}

describe("statements on clicks, opens and events", async () => {
  const reads = await readsOf();

  test("are found", () => {
    expect(reads.length).toBeGreaterThan(20);
  });

  test("all name the organization", () => {
    const without = reads.filter(
      ({ statement }) => !NAMES_ORGANIZATION.test(statement) && !MADE_ELSEWHERE.test(statement),
    );
    expect(without).toEqual([]);
  });
});
