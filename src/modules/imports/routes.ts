import { Elysia, t } from "elysia";
import { ApiImportInput } from "@/contract/links/import-api";
import {
  Import,
  ImportPage,
  ImportRowPage,
  ImportUpload,
  LedgerCsv,
  LedgerQuery,
  RollbackInput,
  VerifyInput,
} from "@/contract/links/imports";
import { pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { csvResponse, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import { UPLOAD_BODY, UPLOAD_JSON } from "@/http/document/types";
import type { Log } from "@/platform/telemetry/log";
import type { ImportService } from "./service";

export const importRoutes = (imports: ImportService, log: Log, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/imports", tags: ["Imports"] })
    .use(guard)
    .get("", ({ tenant, query }) => imports.list(tenant, query.page ?? 1, query.limit), {
      member: { role: "viewer", scopes: ["read"] },
      query: t.Object(pageQuery),
      response: { 200: ImportPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listImports",
        summary: "List imports",
        description: "Newest first. The last 20 imports are kept, with their files and ledgers.",
      },
    })
    .post(
      "",
      async ({ tenant, request, set }) => {
        set.status = 202;
        return imports.create(tenant, request);
      },
      {
        member: { role: "admin", scopes: ["manage"], isUpload: true },
        response: { 202: Import, ...failures(400, 401, 403, 404, 409, 413, 415) },
        detail: {
          operationId: "createImport",
          summary: "Import links from another service",
          description:
            "Upload the file as `multipart/form-data`, with `options` (an `ImportOptionsInput` as JSON) beside it. Or send JSON " +
            "with `credentials`: the links are then fetched from the service's own API, page by page, and the credentials " +
            "are encrypted and erased as soon as that is done or the import ends. Links keep " +
            "their creation time and, on your own domains, their addresses. The import runs in the background and " +
            "resumes where it stopped if a server restarts; a link that was imported before is not imported again. " +
            "The ledger lists what became of each link and which fields were not imported. Start with `dryRun`. A file is CSV, " +
            "JSON or an SQL dump of YOURLS, with up to 50 MB and 1,000,000 records; compressed files are refused. An " +
            "organization can have five imports under way.",
          [UPLOAD_BODY]: ImportUpload,
          [UPLOAD_JSON]: ApiImportInput,
        },
      },
    )
    .get("/:importId", ({ tenant, params }) => imports.get(tenant, params.importId), {
      member: { role: "viewer", scopes: ["read"] },
      response: { 200: Import, ...failures(401, 403, 404) },
      detail: { operationId: "getImport", summary: "Get an import", description: "Its progress and counts so far." },
    })
    .get("/:importId/ledger", ({ tenant, params, query }) => imports.ledger(tenant, params.importId, query), {
      member: { role: "viewer", scopes: ["read"] },
      query: LedgerQuery,
      response: { 200: ImportRowPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listImportRows",
        summary: "List what became of each link",
        description:
          "In the order of the file. Filter by `result`, or list only links that lead elsewhere than before.",
      },
    })
    .get(
      "/:importId/ledger.csv",
      async ({ tenant, params }) =>
        csvResponse({
          ...(await imports.ledgerCsv(tenant, params.importId)),
          failed: logAborted(log, "ledger export", tenant.orgId),
        }),
      {
        member: { role: "viewer", scopes: ["read"] },
        response: { 200: LedgerCsv, ...failures(401, 403, 404, 503) },
        detail: {
          operationId: "exportImportRows",
          summary: "Export the ledger as CSV",
          description: "All rows, streamed.",
        },
      },
    )
    .post(
      "/:importId/verify",
      async ({ tenant, params, body, set }) => {
        set.status = 202;
        return imports.verify(tenant, params.importId, body);
      },
      {
        member: { role: "admin", scopes: ["manage"], isOptional: true },
        body: VerifyInput,
        response: { 202: Import, ...failures(400, 401, 403, 404, 409, 413, 415) },
        detail: {
          operationId: "verifyImport",
          summary: "Verify an import",
          description:
            "Compares each link with its service: computes, in the background, where that service sent its visitors, and " +
            "where the link leads them now. These are an iPhone, an Android phone, a desktop and a bot, and an iPad if rules " +
            "tell tablets from phones, each from up to three countries that rules name and from none; and for each rule, " +
            "date and limit of visits of either side those who meet it and those who do not, by whatever it asks for: up to " +
            "500 visitors a link. The ledger lists the differences, each with its `visitor`, up to 100 a link; `counts` has " +
            "`checked` and `different`. Links whose target cannot be computed from the file, such as those with a password " +
            "or a split, are counted as `notCompared`.\n\n" +
            "Nothing is visited, unless you set `askOldAddresses`: up to 1,000 old addresses are then requested, one " +
            "after the other, to see where they send a desktop visitor. The ledger shows each answer in `asked`, and differences with the kind " +
            "`asked`. Hosts that already point to this service are not requested: `notAsked` says so, and `counts.leadHere`.",
        },
      },
    )
    .post(
      "/:importId/rollback",
      async ({ tenant, params, body, set }) => {
        set.status = 202;
        return imports.rollBack(tenant, params.importId, body);
      },
      {
        member: { role: "admin", scopes: ["manage"], isOptional: true },
        body: RollbackInput,
        response: { 202: Import, ...failures(400, 401, 403, 404, 409, 413, 415) },
        detail: {
          operationId: "rollBackImport",
          summary: "Remove what an import created",
          description:
            "Deletes the links that the import created, in the background. Links that were changed since are kept unless you " +
            "`force` it; links that it replaced are kept in any case. The ledger lists both. App profiles are kept too.",
        },
      },
    )
    .post("/:importId/cancel", ({ tenant, params }) => imports.cancel(tenant, params.importId), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: Import, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "cancelImport",
        summary: "Cancel an import",
        description: "Links that it has created stay; roll it back to remove them.",
      },
    });
