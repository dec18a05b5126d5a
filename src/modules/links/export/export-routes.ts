import { Elysia } from "elysia";
import { LinkExportQuery, LinksCsv, LinksJsonLines } from "@/contract/links/link-export";
import type { Tenant } from "@/core/ids";
import { linkCsvLine, linksCsvHeader } from "@/core/links-file/csv";
import { linkJsonLine } from "@/core/links-file/json-lines";
import type { Guard } from "@/http/access";
import { CSV_TYPE, download, JSON_LINES_TYPE, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import type { Log } from "@/platform/telemetry/log";
import { askedFilter } from "../list-query";
import type { LinkExporter, WriteLink } from "./export";

interface FileForm {
  filename: string;
  contentType: string;
  head?: string;
  write: WriteLink;
}

const CSV: FileForm = { filename: "links.csv", contentType: CSV_TYPE, head: linksCsvHeader, write: linkCsvLine };
const JSON_LINES: FileForm = { filename: "links.jsonl", contentType: JSON_LINES_TYPE, write: linkJsonLine };

export const linkExportRoutes = (links: LinkExporter, log: Log, guard: Guard) => {
  const file = async (tenant: Tenant, query: LinkExportQuery, url: string, { write, ...form }: FileForm) => {
    const filter = { ...askedFilter(query, url), isArchived: query.isArchived ?? ("either" as const) };
    return download({
      ...form,
      chunks: joined(await links.exported(tenant, filter, { write, hasDays: query.clicksByDay })),
      failed: logAborted(log, "link export", tenant.orgId),
    });
  };

  return new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .get("/export.csv", ({ tenant, query, request }) => file(tenant, query, request.url, CSV), {
      member: { role: "viewer", scopes: ["read", "links"] },
      query: LinkExportQuery,
      response: { 200: LinksCsv, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "exportLinksAsCsv",
        summary: "Export links as CSV",
        description: `${SAYS} Text that a spreadsheet could read as a formula is prefixed with an apostrophe.`,
      },
    })
    .get("/export.jsonl", ({ tenant, query, request }) => file(tenant, query, request.url, JSON_LINES), {
      member: { role: "viewer", scopes: ["read", "links"] },
      query: LinkExportQuery,
      response: { 200: LinksJsonLines, ...failures(400, 401, 403, 404) },
      detail: { operationId: "exportLinksAsJsonLines", summary: "Export links as JSON lines", description: SAYS },
    });
};

async function* joined(chunks: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const lines of chunks) yield lines.join("");
}

const SAYS =
  "Every field of every link, newest first, archived ones included. The filters are those of the list. A password cannot be " +
  "exported: `passwordProtected` says that a link has one.";
