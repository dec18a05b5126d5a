/** Exports leads as CSV. */
import { Value } from "@sinclair/typebox/value";
import { LeadCapture } from "@/contract/links/link-pages";
import type { Link } from "@/contract/links/links";
import type { Cell } from "@/core/csv/cells";
import type { Tenant } from "@/core/ids";
import { CONSENT_FIELD, leadFieldsOf } from "@/core/pages/lead-form";
import { chunksOf } from "@/http/chunks";
import type { CsvOptions } from "@/http/csv";
import type { LeadOptions } from "./service";
import type { LeadRow } from "./store";
import * as store from "./store";

export type LeadExport = Pick<CsvOptions, "filename" | "header" | "chunks">;

/** Returns up to `limit` leads, newest first, starting after `after`. */
export type ReadLeads = (after: LeadRow | undefined, limit: number) => Promise<LeadRow[]>;

export type LeadExporter = ReturnType<typeof createLeadExporter>;

export function createLeadExporter({ db, links }: LeadOptions) {
  return {
    /** Throws 404 if the organization has no such link, or it was deleted. */
    async exported(tenant: Tenant, linkId: string): Promise<LeadExport> {
      const link = await links.get(tenant, linkId);
      const names = await store.fieldNames(db, tenant.orgId, link._id);
      return exportLeads(link, names, (...asked) => store.leadsAfter(db, tenant.orgId, link._id, ...asked));
    },
  };
}

/** `names` are those of all fields that any lead has. */
export function exportLeads({ slug, leadCapture }: Link, names: string[], read: ReadLeads): LeadExport {
  const columns = [...new Set([...presentNames(leadCapture), ...names])];
  return {
    filename: `leads-${slug}.csv`,
    header: ["createdAt", "visitorId", ...columns],
    chunks: rowsOf(columns, read),
  };
}

/**
 * Returns the fields of the current form, in their order. Rows written before shapes were checked may hold anything.
 */
function presentNames(form: Link["leadCapture"]): string[] {
  if (!Value.Check(LeadCapture, form)) return [];
  return [...leadFieldsOf(form).map(({ name }) => name), ...(form.consentText ? [CONSENT_FIELD] : [])];
}

const LENGTHS = { length: ({ fields }: LeadRow) => JSON.stringify(fields).length, lengthMax: 80_000 };

async function* rowsOf(columns: readonly string[], read: ReadLeads): AsyncGenerator<Cell[][]> {
  const readFrom = async (after: LeadRow | undefined, limit: number) => {
    const rows = await read(after, limit);
    return { rows, next: rows.length < limit ? undefined : rows.at(-1) };
  };
  for await (const rows of chunksOf(readFrom, LENGTHS)) {
    yield rows.map(({ createdAt, visitorId, fields }) => [
      createdAt.toISOString(),
      visitorId,
      ...columns.map((name) => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null)),
    ]);
  }
}
