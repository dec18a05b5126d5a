/**
 * Leads as CSV. They are read a chunk at a time, each when the client has taken the former one, from where that one ended:
 * an export of any length takes the memory of one chunk, and a client that reads slowly holds no connection.
 */
import { Value } from "@sinclair/typebox/value";
import { LeadCapture } from "@/contract/link-pages";
import type { Link } from "@/contract/links";
import { CONSENT_FIELD, leadFieldsOf } from "@/core/lead-form";
import type { Cell, CsvOptions } from "@/http/csv";
import type { LeadRow } from "./store";

/** A lead may hold 80 KB. */
const CHUNK_ROWS = 100;

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
  let rows: LeadRow[] = [];
  do {
    rows = await read(rows.at(-1), CHUNK_ROWS);
    yield rows.map(({ createdAt, visitorId, fields }) => [
      createdAt.toISOString(),
      visitorId,
      ...columns.map((name) => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null)),
    ]);
  } while (rows.length === CHUNK_ROWS);
}
