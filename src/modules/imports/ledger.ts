/** The ledger of an import records what became of each link in the file. */
import { and, asc, between, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { ImportResult, ImportRow, LedgerQuery } from "@/contract/links/imports";
import type { Cell } from "@/core/csv/cells";
import type { OrgId } from "@/core/ids";
import type { LinkDifference } from "@/core/imports/differences";
import type { ToldVisitor } from "@/core/imports/visitors/visitor";
import { fitText } from "@/http/body/unfit";
import type { CsvOptions } from "@/http/csv";
import { notFound } from "@/http/errors";
import type { Drizzle } from "@/platform/db/client";
import { jsonRows } from "@/platform/db/json-rows";
import { type Paging, readPage } from "@/platform/db/read-page";
import { importRows } from "@/platform/db/schema";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Db } from "@/platform/db/tx";
import { findImport } from "./store";

export type LedgerRow = typeof importRows.$inferSelect;

const HEADER = [
  ...["row", "part", "address", "result", "linkId", "why", "dropped", "clicksBefore", "differences", "asked"],
];
const CHUNK_ROWS = 2_000;

const given = jsonRows(importRows);

const ofImport = (orgId: OrgId, id: string) => and(eq(importRows.orgId, orgId), eq(importRows.importId, id));

export async function insertLedger(tx: Db, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length === 0) return;
  const storable = rows.map((row) => ({ ...row, ...fit(row) }));
  await preparedStatementsOn(tx).run(given.insertFrom("$1"), [given.write(storable)]);
}

/** The ledger quotes the file, whose text need not be such as Postgres can store. */
const fit = ({ address, why, dropped }: LedgerRow) => ({
  address: fitText(address),
  why: why && fitText(why),
  dropped: dropped?.map((one) => ({ field: fitText(one.field), why: fitText(one.why) })) ?? null,
});

/** Differences quote the file as well. */
const fitDifference = ({ visitor, expected, ...one }: LinkDifference): LinkDifference => ({
  ...one,
  visitor: fitVisitor(visitorOf(visitor)),
  expected: fitText(expected),
});

function fitVisitor({ summary, ...facts }: ToldVisitor): ToldVisitor {
  const { country, city, browser, language, query, address } = facts;
  const told = Object.entries({ country, city, browser, language, query, address });
  const fit = told.flatMap(([name, text]) => (text === undefined ? [] : [[name, fitText(text)]]));
  return { summary: fitText(summary), ...facts, ...Object.fromEntries(fit) };
}

/** The rows are of one part of the ledger: Postgres reads all of it, whatever it knows of how many rows an import has. */
const UPDATE = `update import_rows as ledger set result = given.result, result_before = given.result_before, why = given.why,
    differences = given.differences, asked = given.asked
  from json_populate_recordset(null::import_rows, $1::text::json) as given
  where ledger.import_id = $2::uuid and ledger.row between $3::int and $4::int and ledger.org_id = $5::uuid
    and ledger.row = given.row and ledger.part = given.part`;

/** Writes what a later step found of these rows of one import, which are in their order. */
export async function updateLedger(tx: Db, rows: readonly LedgerRow[]): Promise<void> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return;
  const given = rows.map(({ row, part, result, resultBefore, why, differences, asked }) => ({
    ...{ row, part, result, result_before: resultBefore, why, asked },
    differences: differences?.map(fitDifference) ?? null,
  }));
  const { importId, orgId } = first;
  await preparedStatementsOn(tx).run(UPDATE, [JSON.stringify(given), importId, first.row, last.row, orgId]);
}

/** Clears what a verification found for these rows. */
export const forgetDifferences = (tx: Db, orgId: OrgId, id: string, from: number, to: number) =>
  tx
    .update(importRows)
    .set({ differences: null, asked: null })
    .where(
      and(
        ofImport(orgId, id),
        between(importRows.row, from, to),
        or(isNotNull(importRows.differences), isNotNull(importRows.asked)),
      ),
    );

export const readLedger = (db: Db, orgId: OrgId, id: string, from: number, to: number): Promise<LedgerRow[]> =>
  db
    .select()
    .from(importRows)
    .where(and(ofImport(orgId, id), between(importRows.row, from, to)))
    .orderBy(asc(importRows.row), asc(importRows.part));

const BROUGHT_IN: ImportResult[] = ["created", "suffixed", "replaced"];

/** Whether the record became what its link is now. */
export const isBroughtIn = (result: ImportResult): boolean => BROUGHT_IN.includes(result);

/** Returns the ids of the links that the import has created or replaced so far. */
export async function linksBroughtIn(db: Db, { orgId, id }: { orgId: OrgId; id: string }): Promise<string[]> {
  const rows = await db
    .select({ linkId: importRows.linkId })
    .from(importRows)
    .where(and(ofImport(orgId, id), inArray(importRows.result, BROUGHT_IN)));
  return rows.flatMap(({ linkId }) => linkId ?? []);
}

function filtered(orgId: OrgId, id: string, { result, different }: LedgerQuery): SQL | undefined {
  return and(
    ofImport(orgId, id),
    result && eq(importRows.result, result),
    different ? isNotNull(importRows.differences) : undefined,
  );
}

export function listLedger(db: Drizzle, orgId: OrgId, id: string, query: LedgerQuery, paging: Paging) {
  const where = filtered(orgId, id, query);
  return readPage(db, paging, {
    rows: (limit, offset) =>
      db
        .select()
        .from(importRows)
        .where(where)
        .orderBy(asc(importRows.row), asc(importRows.part))
        .limit(limit)
        .offset(offset),
    among: sql`from ${importRows} where ${where}`,
  });
}

export const presentLedgerRow = ({ orgId: _, importId: __, ...row }: LedgerRow): ImportRow => ({
  ...{ row: row.row, part: row.part, address: row.address, result: row.result },
  linkId: row.linkId ?? undefined,
  why: row.why ?? undefined,
  dropped: row.dropped ?? [],
  clicksBefore: row.clicksBefore ?? undefined,
  differences: row.differences?.map((one) => ({ ...one, visitor: visitorOf(one.visitor) })),
  ...(row.asked && ("notAsked" in row.asked ? row.asked : { asked: row.asked })),
});

/** Rows of former releases have a summary alone. */
const visitorOf = (visitor: LinkDifference["visitor"]): ToldVisitor =>
  typeof visitor === "string" ? { summary: visitor } : visitor;

/**
 * The whole ledger. Each chunk is read once the client has taken the previous one. Reading it throws 404 if the import is
 * deleted meanwhile, with its ledger: what was read would pass for all of it.
 */
export const ledgerCsv = (db: Db, orgId: OrgId, id: string): Pick<CsvOptions, "filename" | "header" | "chunks"> => ({
  filename: `import-${id}.csv`,
  header: HEADER,
  chunks: chunksOf(db, orgId, id),
});

async function* chunksOf(db: Db, orgId: OrgId, id: string): AsyncGenerator<Cell[][]> {
  for (let after = { row: 0, part: 0 }; ; ) {
    // One comparison of both: Postgres then begins at this place of the index.
    const isBehind = sql`(${importRows.row}, ${importRows.part}) > (${after.row}::int, ${after.part}::smallint)`;
    const rows = await db
      .select()
      .from(importRows)
      .where(and(ofImport(orgId, id), isBehind))
      .orderBy(asc(importRows.row), asc(importRows.part))
      .limit(CHUNK_ROWS);
    const last = rows.length < CHUNK_ROWS ? undefined : rows.at(-1);
    if (!last && !(await findImport(db, orgId, id))) throw notFound("import");
    yield rows.map(cellsOf);
    if (!last) return;
    after = last;
  }
}

const cellsOf = ({
  row,
  part,
  address,
  result,
  linkId,
  why,
  dropped,
  clicksBefore,
  differences,
  asked,
}: LedgerRow): Cell[] => [
  ...[row, part, address, result, linkId, why],
  (dropped ?? []).map((one) => `${one.field}: ${one.why}`).join("; ") || null,
  clicksBefore,
  (differences ?? []).map(differenceText).join("; ") || null,
  asked && askedText(asked),
];

const askedText = (asked: NonNullable<LedgerRow["asked"]>): string =>
  "notAsked" in asked
    ? `not requested: ${asked.notAsked}`
    : [asked.url, asked.status, asked.location].filter((part) => part !== undefined).join(" ");

const differenceText = ({ visitor, kind, expected, actual }: LinkDifference): string =>
  `${visitorOf(visitor).summary}${kind ? " at the old address" : ""}: ${expected} → ${actual}`;
