/** Starts, lists, changes and cancels imports. The work itself is done in a separate process (`job/run.ts`). */
import {
  IMPORT_RECORDS_MAX,
  IMPORTS_KEPT_MAX,
  IMPORTS_OPEN_MAX,
  type Import,
  type ImportOptions,
  type ImportOptionsInput,
  type ImportPage,
  type ImportRowPage,
  type ImportTask,
  type LedgerQuery,
  type RollbackInput,
  type VerifyInput,
} from "@/contract/links/imports";
import { isUuid, type Tenant } from "@/core/ids";
import { createJsonReader, JsonFault } from "@/core/imports/json-reader";
import { type FileFormat, sniffCsv, sniffJson, sniffSql } from "@/core/imports/sniff";
import { dumpEncoding, isSql } from "@/core/imports/sql/sniff-sql";
import { conflict, HttpError, invalid, notFound } from "@/http/errors";
import { PAGE_LIMIT, pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { takeLock } from "@/platform/db/locks";
import type { Db, Tx } from "@/platform/db/tx";
import type { AddressClass } from "@/platform/outbound/addresses";
import type { Seal } from "@/platform/seal";

export { hasDueImports } from "./job/claim";
export { createImportRunner, type ImportRunner } from "./job/run";

import { isJson, readApiImport, type WantedImport } from "./api/read-request";
import { ledgerCsv, listLedger, presentLedgerRow } from "./ledger";
import { checkedDomainMap, NO_VISITS_LISTED, parseOptions } from "./options";
import { presentImport } from "./present";
import { TOO_MANY_RECORDS } from "./record-count";
import * as store from "./store";
import { readUpload, type Uploaded } from "./upload";

export interface ImportServiceOptions {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  classOf(address: string): AddressClass;
  /** Called when there is a job to run. */
  wakeImports(): void;
}

export type ImportService = ReturnType<typeof createImportService>;

export function createImportService(options: ImportServiceOptions) {
  const { db, clock, wakeImports } = options;
  return {
    ...creating(options),

    async list({ orgId }: Tenant, page: number, limit = PAGE_LIMIT): Promise<ImportPage> {
      const { rows, total } = await store.listImports(db, orgId, page, limit);
      return { imports: rows.map(presentImport), ...pagingOf(page, limit, total) };
    },

    /** Throws 404. */
    get: async (tenant: Tenant, id: string): Promise<Import> => presentImport(await existing(tenant, id)),

    /** Throws 404. */
    async ledger(tenant: Tenant, id: string, query: LedgerQuery): Promise<ImportRowPage> {
      const job = await existing(tenant, id);
      const { page = 1, limit = PAGE_LIMIT } = query;
      const { rows, total, isEstimate } = await listLedger(db, tenant.orgId, job.id, query, { page, limit });
      return { rows: rows.map(presentLedgerRow), ...pagingOf(page, limit, total, isEstimate) };
    },

    /** Throws 404. */
    ledgerCsv: async (tenant: Tenant, id: string) => ledgerCsv(db, tenant.orgId, (await existing(tenant, id)).id),

    /**
     * Throws 404, and 409 for an import that has not ended or was a dry run, or that was rolled back unless `force` is
     * set.
     */
    rollBack: (tenant: Tenant, id: string, { force }: RollbackInput): Promise<Import> =>
      change(tenant, id, (tx, job) => begunRollback(tx, tenant, job, force === true)),

    /** Throws 404, and 409 for an import that has not ended, was a dry run, or was rolled back completely. */
    verify: (tenant: Tenant, id: string, { askOldAddresses }: VerifyInput): Promise<Import> =>
      change(tenant, id, (tx, job) => begunVerification(tx, tenant, job, askOldAddresses === true)),

    /** Cancels an import; the links it created stay. Throws 404, and 409 if it has ended. */
    cancel: (tenant: Tenant, id: string): Promise<Import> =>
      change(tenant, id, async (tx, job) => {
        if (!isOpen(job)) throw conflict("This import has ended already");
        await audit(tx, tenant, job, "cancel", { status: { from: job.status, to: "cancelled" } });
        return { status: "cancelled", leasedBy: null, leasedUntil: null, finishedAt: new Date(clock()) };
      }),
  };

  async function change(
    tenant: Tenant,
    id: string,
    decide: (tx: Tx, job: store.ImportJob) => Promise<JobValues>,
  ): Promise<Import> {
    const changed = await db.transaction(async (tx) => {
      const job = isUuid(id) ? await store.lockImport(tx, tenant.orgId, id) : undefined;
      if (!job) throw notFound("import");
      return store.updateImport(tx, job, await decide(tx, job));
    });
    if (!changed) throw notFound("import");
    wakeImports();
    return presentImport(changed);
  }

  async function existing({ orgId }: Tenant, id: string): Promise<store.ImportJob> {
    const job = isUuid(id) ? await store.findImport(db, orgId, id) : undefined;
    if (!job) throw notFound("import");
    return job;
  }
}

/** Makes the job start at its first record. */
const FROM_START = { status: "queued", cursor: 0, progress: 0, attempts: 0, error: null, finishedAt: null } as const;

type JobValues = Parameters<typeof store.updateImport>[2];

async function begunRollback(tx: Tx, tenant: Tenant, job: store.ImportJob, isForced: boolean): Promise<JobValues> {
  requireMade(job);
  if (job.task === "rollback" && job.status === "done" && !isForced)
    throw conflict("This import has been rolled back already");
  await audit(tx, tenant, job, "rollback", { force: { from: null, to: isForced } });
  const counts = { ...job.counts, removed: 0, kept: 0 };
  return { ...FROM_START, task: "rollback", isForced, actor: tenant.actor, counts };
}

async function begunVerification(tx: Tx, tenant: Tenant, job: store.ImportJob, asksOld: boolean): Promise<JobValues> {
  requireMade(job);
  if (job.task === "rollback" && job.status === "done")
    throw conflict("This import has been rolled back; there is nothing left to verify");
  await audit(tx, tenant, job, "verify", { askOldAddresses: { from: null, to: asksOld } });
  const { asked: _, unanswered: __, leadHere: ___, ...others } = job.counts;
  const asking = asksOld ? { asked: 0, unanswered: 0, leadHere: 0 } : {};
  const counts = { ...others, checked: 0, different: 0, notCompared: 0, ...asking };
  return { ...FROM_START, task: "verify", asksOld, actor: tenant.actor, counts };
}

const creating = ({ db, wakeImports, ...parts }: ImportServiceOptions) => ({
  /**
   * Throws 400, 404 for another organization's domain, 409 if the organization has too many imports under way, 413,
   * 415.
   */
  async create(tenant: Tenant, request: Request): Promise<Import> {
    const id = Bun.randomUUIDv7();
    if (isJson(request)) {
      await requireRoom(db, tenant, id);
      const job = await begin(db, tenant, id, await readApiImport(request, id, parts));
      wakeImports();
      return presentImport(job);
    }
    await reserve(db, tenant, id);
    let number = 1;
    try {
      const uploaded = await readUpload(request, async (content) => {
        await store.insertChunk(db, tenant.orgId, { importId: id, number: number++, content });
      });
      const job = await begin(db, tenant, id, fileWanted(uploaded));
      wakeImports();
      return presentImport(job);
    } catch (error) {
      await store.deleteChunks(db, tenant.orgId, id);
      throw error;
    }
  },
});

/** Inserts an empty first chunk, so that the upload counts from its beginning. Throws 409. */
const reserve = (db: Drizzle, tenant: Tenant, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    await takeLock(tx, tenant.orgId, "imports");
    await requireRoom(tx, tenant, id);
    await store.insertChunk(tx, tenant.orgId, { importId: id, number: 0, content: new Uint8Array() });
  });

/** Throws 400 and 413. */
function fileWanted(uploaded: Uploaded): WantedImport {
  const given = parseOptions(uploaded.options);
  if (given.formerClicksByDay) throw invalid([NO_VISITS_LISTED]);
  const { head, isHeadAll: _, options: __, records, ...file } = uploaded;
  const form = formOf(uploaded, given);
  if (form.kind === "sql") return { given, file: { ...file, form, encoding: encodingOf(head, file.encoding) } };
  const above = form.kind === "csv" ? form.linesBefore : 0;
  if (records - above > IMPORT_RECORDS_MAX) throw new HttpError(413, TOO_MANY_RECORDS);
  return { given, file: { ...file, form } };
}

async function begin(
  db: Drizzle,
  tenant: Tenant,
  id: string,
  { given, file, ...fetching }: WantedImport,
): Promise<store.ImportJob> {
  const domainMap = await checkedDomainMap(db, tenant, given.domainMap ?? {});
  const options: ImportOptions = {
    ...{ source: file.form.source, mapping: given.mapping ?? {}, domainMap },
    ...{ onConflict: given.onConflict ?? "skip", dryRun: given.dryRun ?? false, notify: given.notify ?? false },
    ...(given.formerClicksByDay && { formerClicksByDay: true }),
  };
  return db.transaction(async (tx) => {
    await takeLock(tx, tenant.orgId, "imports");
    await requireRoom(tx, tenant, id);
    await store.deleteOldImports(tx, tenant.orgId, IMPORTS_KEPT_MAX - 1);
    const values = { id, file, options, actor: tenant.actor, ...fetching };
    const job = await store.insertImport(tx, tenant.orgId, values);
    if (!job) throw new Error("An inserted import was not returned");
    await audit(tx, tenant, job, "create", {
      file: { from: null, to: file.name },
      source: { from: null, to: options.source },
    });
    return job;
  });
}

const isOpen = ({ status }: store.ImportJob): boolean => status === "queued" || status === "running";

function requireMade(job: store.ImportJob): void {
  if (isOpen(job)) throw conflict("This import is under way; cancel it first, or wait for its end");
  if (job.options.dryRun) throw conflict("This import was a dry run, which creates nothing");
}

/** Counts imports under way and uploads that may become some. Throws 409 if there are too many. */
async function requireRoom(db: Db, { orgId }: Tenant, id: string): Promise<void> {
  const open = (await store.countOpenImports(db, orgId)) + (await store.countUploads(db, orgId, id));
  if (open < IMPORTS_OPEN_MAX) return;
  throw conflict(
    `This organization has reached its limit of ${IMPORTS_OPEN_MAX} imports under way; wait for one to end`,
  );
}

const audit = (
  tx: Tx,
  tenant: Tenant,
  { id }: store.ImportJob,
  verb: ImportTask | "create" | "cancel",
  changes: object,
) =>
  recordAudit(tx, tenant, {
    action: `import.${verb}`,
    resourceType: "import",
    resourceId: id,
    changes: { ...changes },
  });

/** A dump says itself how it is encoded, unless a program has saved it in UTF-16 since. */
const encodingOf = (head: string, found: Uploaded["encoding"]) =>
  found === "utf-16le" || found === "utf-16be" ? found : (dumpEncoding(head) ?? found);

/** Throws 400 for a file whose format is unknown or ambiguous. */
function formOf({ head, isHeadAll, bytes, name }: Uploaded, given: ImportOptionsInput): FileFormat {
  if (bytes === 0) throw invalid(["file: must not be empty"]);
  const text = head.replace(/^\ufeff/, "").trimStart();
  const isJson = text.startsWith("{") || text.startsWith("[");
  const sniffed = isJson
    ? sniffItems(text, isHeadAll, given)
    : isSql(text)
      ? sniffSql(text, given, isHeadAll)
      : sniffCsv(head, given);
  if ("fault" in sniffed) throw invalid([`file: ${sniffed.fault}`], `The file ${name} cannot be imported`);
  return sniffed.form;
}

/**
 * Recognizes the file by its first items. A large JSON file without one object per line is not parsed here, where it
 * would delay other requests.
 */
function sniffItems(text: string, isAll: boolean, { source }: ImportOptionsInput): ReturnType<typeof sniffJson> {
  if (source) return { form: { kind: "json", source } };
  try {
    const reader = createJsonReader();
    const items = [...reader.push(text), ...(isAll ? reader.end() : [])];
    if (items.length === 0 && !isAll)
      return { fault: "set `source`: the service cannot be recognized in a large JSON file" };
    return sniffJson(items.slice(0, 100), {});
  } catch (error) {
    if (error instanceof JsonFault)
      return { fault: "set `source`: the service cannot be recognized in this JSON file" };
    throw error;
  }
}
