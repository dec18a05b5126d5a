/**
 * Leads as CSV. They are read a chunk at a time, each when the client has taken the former one, from where that one ended:
 * an export of any length takes the memory of one chunk, and a client that reads slowly holds no connection.
 */
import { Value } from "@sinclair/typebox/value";
import { LeadCapture } from "@/contract/links/link-pages";
import type { Link } from "@/contract/links/links";
import type { Cell } from "@/core/csv/cells";
import { CONSENT_FIELD, leadFieldsOf } from "@/core/lead-form";
import type { CsvOptions } from "@/http/csv";
import type { LeadRow } from "./store";

/** A lead may hold 80 KB, and most hold a hundred bytes: after the first chunk each is as long as the former one bids. */
const FIRST_ROWS = 100;
const CHUNK_ROWS_MAX = 2_000;
const CHUNK_CHARACTERS = 1_000_000;

export type LeadExport = Pick<CsvOptions, "filename" | "header" | "chunks">;

/** As many as `limit`, newest first, from the one that follows `after`. */
export type ReadLeads = (after: LeadRow | undefined, limit: number) => Promise<LeadRow[]>;

/** `names`: of all fields that any lead has. */
export function exportLeads({ slug, leadCapture }: Link, names: string[], read: ReadLeads): LeadExport {
  const columns = [...new Set([...presentNames(leadCapture), ...names])];
  return {
    filename: `leads-${slug}.csv`,
    header: ["createdAt", "visitorId", ...columns],
    chunks: rowsOf(columns, read),
  };
}

/** Of the form as it is now, in its order. What was written before shapes were checked may be anything. */
function presentNames(form: Link["leadCapture"]): string[] {
  if (!Value.Check(LeadCapture, form)) return [];
  return [...leadFieldsOf(form).map(({ name }) => name), ...(form.consentText ? [CONSENT_FIELD] : [])];
}

async function* rowsOf(columns: readonly string[], read: ReadLeads): AsyncGenerator<Cell[][]> {
  let last: LeadRow | undefined;
  for (let limit = FIRST_ROWS; ; ) {
    const rows = await read(last, limit);
    const cells = rows.map(({ createdAt, visitorId, fields }) => [
      createdAt.toISOString(),
      visitorId,
      ...columns.map((name) => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null)),
    ]);
    yield cells;
    if (rows.length < limit) return;
    last = rows.at(-1);
    limit = fitting(rows);
  }
}

/** How many leads like these make a chunk. */
function fitting(rows: readonly LeadRow[]): number {
  const characters = rows.reduce((sum, { fields }) => sum + JSON.stringify(fields).length, 1);
  return Math.max(1, Math.min(CHUNK_ROWS_MAX, Math.floor((CHUNK_CHARACTERS * rows.length) / characters)));
}
