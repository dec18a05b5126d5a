/**
 * `import <source> <file>`: imports links of another service, with the same code as an upload by a member. This
 * process runs the job itself, unless a service running beside it takes the job first. The outcome of each link is
 * written next to the file, which is tried before anything is imported.
 */
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { and, eq, isNull, or } from "drizzle-orm";
import type { Config } from "@/config";
import type { Import, ImportOptionsInput } from "@/contract/links/imports";
import { csvLine } from "@/core/csv/cells";
import { isUuid, type OrgId, SYSTEM, type Tenant } from "@/core/ids";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { number, plural } from "@/core/plural";
import { HttpError } from "@/http/errors";
import { type ImportJobs, openImportJobs } from "@/imports/jobs";
import { createImportService, type ImportService } from "@/modules/imports/service";
import { FILE_TOO_LARGE } from "@/modules/imports/upload";
import { systemClock } from "@/platform/clock";
import type { DatabaseUrls } from "@/platform/db/addresses";
import type { Drizzle } from "@/platform/db/client";
import { unavailableReasonOf } from "@/platform/db/faults";
import { domains } from "@/platform/db/schema";
import { openKeys } from "@/platform/keys";
import { createAddressCheck } from "@/platform/outbound/addresses";
import { createSeal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import { type AskedImport, parseImport } from "./asked-import";
import { organizationNamed } from "./find";
import { printProgress } from "./import-progress";
import { type CommandOutcome, noOrganization } from "./outcome";

export interface ImportLinksParts {
  db: Drizzle;
  config: Config;
  databaseUrls: DatabaseUrls;
  log: Log;
}

const LOOK_EVERY_MS = 200;

export async function importLinks(
  { db, config, databaseUrls, log }: ImportLinksParts,
  values: string[],
): Promise<CommandOutcome> {
  const asked = parseImport(values);
  if ("fault" in asked) return { ok: false, message: asked.fault };
  const organization = await organizationNamed(db, asked.org);
  if (!organization) return noOrganization(asked.org);
  const file = Bun.file(asked.file);
  if (!(await file.exists())) return { ok: false, message: `There is no file ${asked.file}` };
  if (file.size > IMPORT_BYTES_MAX) return { ok: false, message: FILE_TOO_LARGE };
  // Read here, because a form would not say why it cannot be; it would hold the file in memory, too.
  const content = await readFile(asked.file).catch((error: unknown) => nothingImported(asked.file, "read", error));
  if ("message" in content) return content;
  const ledger = `${asked.file}.ledger.csv`;
  const refusal = writingRefusal(ledger);
  if (refusal) return refusal;
  const tenant = operatorOf(organization.id);
  const imports = createImportService({
    db,
    clock: systemClock,
    seal: createSeal(await openKeys(config)),
    classOf: createAddressCheck(config.outboundAllow),
    wakeImports: () => {},
  });
  try {
    const domainMap = await domainsNamed(db, tenant.orgId, asked.domains);
    const begun = await imports.create(
      tenant,
      uploadOf(new File([content], asked.file), { ...asked.options, domainMap }),
    );
    await using jobs = await openImportJobs({ ...config, ...databaseUrls }, log);
    const look = () => imports.get(tenant, begun._id);
    const done = await printProgress(look, finished(jobs, imports, tenant, begun._id));
    const unwritten = await writeLedger(imports, tenant, done._id, ledger).then(() => undefined, systemFault);
    return { ok: done.status === "done" && !unwritten, message: summaryOf(done, ledgerText(ledger, unwritten)) };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return { ok: false, message: [error.message, ...(error.details ?? [])].join("\n") };
  }
}

function uploadOf(file: File, options: ImportOptionsInput): Request {
  const form = new FormData();
  form.set("options", JSON.stringify(options));
  form.set("file", file);
  return new Request("http://localhost/", { method: "POST", body: form });
}

const operatorOf = (orgId: OrgId): Tenant => ({
  orgId,
  actor: SYSTEM,
});

/** Resolves domains, given by id or hostname, to the ids that the importer takes. */
async function domainsNamed(db: Drizzle, orgId: OrgId, pairs: AskedImport["domains"]): Promise<Record<string, string>> {
  const usable = or(eq(domains.orgId, orgId), isNull(domains.orgId));
  const found = await Promise.all(
    pairs.map(async ([host, name]) => {
      const byName = isUuid(name) ? eq(domains.id, name) : eq(domains.hostname, name.toLowerCase());
      const [row] = await db.select({ id: domains.id }).from(domains).where(and(usable, byName)).limit(1);
      if (!row) throw new HttpError(404, `There is no domain ${name}`);
      return [host, row.id] as const;
    }),
  );
  return Object.fromEntries(found);
}

/**
 * Runs the import, or waits until it has ended: another import of the organization may have to end first, and a
 * service may have taken the job.
 */
async function finished(jobs: ImportJobs, imports: ImportService, tenant: Tenant, id: string): Promise<Import> {
  for (;;) {
    const job = await imports.get(tenant, id);
    if (job.status !== "queued" && job.status !== "running") return job;
    if (!(await jobs.runNext(new AbortController().signal, id))) await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** Refuses if the file could not be written, and leaves it as it is. */
function writingRefusal(path: string): CommandOutcome | undefined {
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, "a"));
    if (isNew) rmSync(path);
    return undefined;
  } catch (error) {
    return nothingImported(path, "written", error, "; move the file to a folder where it can");
  }
}

function nothingImported(path: string, what: "read" | "written", error: unknown, remedy = ""): CommandOutcome {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return { ok: false, message: `Nothing was imported: ${path} cannot be ${what} (${code})${remedy}` };
}

/** Replaces the ledger of an earlier import. */
async function writeLedger(imports: ImportService, tenant: Tenant, id: string, path: string): Promise<void> {
  const { header, chunks } = await imports.ledgerCsv(tenant, id);
  await using file = await open(path, "w");
  await file.appendFile(csvLine(header));
  for await (const rows of chunks) await file.appendFile(rows.map(csvLine).join(""));
}

/** Returns the message of an error of the file system. Throws any other. */
function systemFault(error: unknown): string {
  if (error instanceof Error && "syscall" in error && unavailableReasonOf(error) === null) return error.message;
  throw error;
}

const ledgerText = (path: string, fault: string | undefined): string =>
  fault
    ? `The ledger could not be written to ${path}: ${fault}. Members can download it from the import in the dashboard`
    : `The ledger is in ${path}`;

function summaryOf({ status, source, counts, error, options }: Import, ledger: string): string {
  const said = Object.entries(counts).map(([name, count]) =>
    name === "records" ? plural(count, "record") : `${number(count)} ${name}`,
  );
  const what = status === "done" ? (options.dryRun ? "Dry run of" : "Imported from") : `The import ended as ${status}:`;
  return [`${what} ${source}: ${said.join(", ")}`, ...(error ? [error] : []), ledger].join("\n");
}
