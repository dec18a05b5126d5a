/**
 * Imports one batch of records, in one transaction with its ledger rows and the cursor: either all of it is stored or
 * nothing is, and resuming after the cursor repeats nothing.
 */
import { setImmediate } from "node:timers/promises";
import type { ImportCounts, ImportResult } from "@/contract/links/imports";
import type { Tenant } from "@/core/ids";
import { SOURCES } from "@/core/imports/sources";
import { HttpError } from "@/http/errors";
import { usableDomain } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import type { LinkService } from "@/modules/links/service";
import type { Plans } from "@/modules/plans/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { ChangeRouting, RoutingChanges } from "@/platform/routing-changes";
import { FileFault } from "../file-fault";
import { insertLedger, isBroughtIn, type LedgerRow, linksBroughtIn } from "../ledger";
import { type ImportJob, verifiedDomains } from "../store";
import { storeAdmittedVisits } from "./admitted-visits";
import { type ImportedApps, importedApps } from "./apps";
import { type Candidate, candidatesOf, type RefusedRecord } from "./candidates";
import { DryRun } from "./dry-run";
import { passOnClicks, takeOverClicks } from "./former-clicks";
import { insertDays, moveDays } from "./former-days";
import { type Lease, RENEW_MS } from "./lease";
import type { FileBatch } from "./read-file";
import { type RowOutcome, refuseRow, settleBatch } from "./settle";
import { occupantsAt } from "./taken";

export interface BringInOptions {
  db: Drizzle;
  clock: Clock;
  links: Pick<
    LinkService,
    "drafting" | "passwordHashOf" | "createImported" | "rewriteImported" | "refusalsOfImported" | "valuesOf"
  >;
  apps: ImportedApps;
  plans: Pick<Plans, "room">;
  changeRouting: ChangeRouting;
}

/** How long a batch is judged before responses of Postgres for the one before are read. */
const YIELD_MS = 2;

export interface JudgedBatch extends FileBatch {
  candidates: (Candidate | RefusedRecord)[];
}

export type BatchImporter = Awaited<ReturnType<typeof createBatchImporter>>;

interface Making {
  links: BringInOptions["links"];
  tenant: Tenant;
  job: ImportJob;
}

/** Returns the functions that import one batch after the other. */
export async function createBatchImporter(options: BringInOptions, job: ImportJob, tenant: Tenant) {
  const { db, clock, links, plans, changeRouting } = options;
  const { dryRun: isDry, domainMap, source } = job.options;
  const domainOf = await domainsOf(db, job, tenant, domainMap);
  const apps = await importedApps(options.apps, tenant, job);
  const dryRun = isDry ? new DryRun(job.orgId, plans) : undefined;
  const isReplacing = !isDry && job.options.onConflict === "replace";
  const hashPassword = isDry ? undefined : passwordHasher(db, { links, tenant, job }, isReplacing);
  const linkIds = new Set(isReplacing ? await linksBroughtIn(db, job) : []);

  let plannedUpTo = 0;

  /** `planned` returns the number of the last record that a dry run has planned. */
  return { judge, bringIn, planned: () => plannedUpTo };

  /** Runs before the batch's transaction, to keep that short. */
  async function judge(batch: FileBatch, lease: Lease): Promise<JudgedBatch> {
    return { ...batch, candidates: await candidatesIn(batch, lease) };
  }

  /** Only plans what a dry run had planned before: up to the cursor, all is in the ledger. */
  async function bringIn(batch: JudgedBatch, lease: Lease): Promise<void> {
    const to = batch.from + batch.records.length - 1;
    if (to > lease.cursor) await write(batch, lease);
    else if (dryRun) await replan(db, { links, tenant, job }, batch, dryRun, lease);
    plannedUpTo = to;
  }

  async function write({ from, records, progress, candidates }: JudgedBatch, lease: Lease): Promise<void> {
    const settled = await changeRouting(async (tx, changed) => {
      await lease.hold(tx);
      const earlier = dryRun ?? { addresses: new Map(), sourceIds: new Set(), linkIds };
      const settled = await settleBatch(tx, job.orgId, job.options, candidates, earlier);
      const scene = { links, tenant, job };
      await (dryRun ? foresee(scene, tx, settled, dryRun) : make(scene, tx, settled, changed));
      const counts = countsOf(settled, records.length);
      const rows = settled.map((one) => ledgerRowOf(job, one));
      await Promise.all([
        insertLedger(tx, rows),
        lease.move(tx, { cursor: from + records.length - 1, progress, counts }),
      ]);
      return settled;
    });
    if (!isReplacing) return;
    for (const { linkId, result } of settled) if (linkId && isBroughtIn(result)) linkIds.add(linkId);
  }

  /** Hashing a thousand passwords takes a minute, and the lease must not expire meanwhile. */
  async function candidatesIn({ from, records }: Pick<FileBatch, "from" | "records">, lease: Lease) {
    const draft = links.drafting(tenant);
    const now = clock();
    const parts = { domainOf, ...apps, draft, fileHash: job.file.hash, source, hashPassword, now };
    const origin = SOURCES[source];
    const found = [];
    let [renewedAt, yieldedAt] = [performance.now(), performance.now()];
    for (const [index, record] of records.entries()) {
      if (performance.now() - yieldedAt > YIELD_MS) {
        await setImmediate();
        yieldedAt = performance.now();
      }
      if (performance.now() - renewedAt > RENEW_MS) {
        await lease.renew(db);
        renewedAt = performance.now();
      }
      found.push(...(await candidatesOf(origin.read(record, now), from + index, parts)));
    }
    return found;
  }
}

/** A link that is to be replaced keeps the hash of the password that it has already: otherwise it would change. */
const passwordHasher =
  (db: Drizzle, { links, tenant, job }: Making, isReplacing: boolean) =>
  async (password: string, key: string | null): Promise<string | null> => {
    const there = isReplacing && key !== null ? (await occupantsAt(db, job.orgId, [key])).get(key) : undefined;
    return links.passwordHashOf(tenant, password, there?.isOwn ? there.passwordHash : null);
  };

/** There may be a million records to plan again, and the lease must not expire meanwhile. */
async function replan(
  db: Drizzle,
  scene: Making,
  { candidates }: JudgedBatch,
  plan: DryRun,
  lease: Lease,
): Promise<void> {
  await lease.renew(db);
  const { orgId, options } = scene.job;
  await db.transaction(async (tx) => foresee(scene, tx, await settleBatch(tx, orgId, options, candidates, plan), plan));
}

async function foresee({ links, tenant }: Making, tx: Tx, settled: RowOutcome[], dryRun: DryRun): Promise<void> {
  const replaced = replacedBy(links, settled);
  const wanted = replaced.map(({ rewriting }) => rewriting);
  const refusals = wanted.length > 0 ? await links.refusalsOfImported(tx, tenant, wanted) : [];
  for (const [index, { one }] of replaced.entries()) {
    const refusal = refusals[index];
    if (!refusal) continue;
    refuseRow(one, refusal);
    one.replace = undefined;
  }
  await dryRun.plan(tx, settled);
}

async function make(scene: Making, tx: Tx, settled: RowOutcome[], changed: RoutingChanges): Promise<void> {
  const { links, tenant, job } = scene;
  const { notify } = job.options;
  const wanted = settled.flatMap((one) => (one.make ? [{ one, draft: one.make.draft }] : []));
  const drafts = wanted.map(({ draft }) => draft);
  const outcomes =
    drafts.length > 0 ? await links.createImported(tx, tenant, drafts, { made: changed.made, isNotified: notify }) : [];
  for (const [index, { one }] of wanted.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof HttpError) refuseRow(one, outcome);
    else one.linkId = outcome;
  }
  await countOnce(scene, tx, settled);
  await replace(scene, tx, settled, changed);
  await insertDays(tx, job, settled);
  await storeAdmittedVisits(tx, job, settled);
}

/** Takes former clicks away from the deleted links that had them before those that were created. */
async function countOnce({ job: { orgId, options } }: Making, tx: Tx, settled: readonly RowOutcome[]): Promise<void> {
  const made = settled.flatMap((one) => (one.linkId && one.make?.clicksBefore ? [{ one, candidate: one.make }] : []));
  const others = made.filter(({ candidate }) => !candidate.isOwnExport);
  const sourceIds = others.map(({ candidate }) => candidate.sourceId);
  const taken = await takeOverClicks(tx, orgId, options.source, sourceIds);
  for (const { one, candidate } of others) one.takenOver = taken.get(candidate.sourceId)?.clicks;
  const exported = made.filter(({ candidate }) => candidate.isOwnExport);
  for (const { one, candidate } of exported) one.takenOver = candidate.clicksBefore ?? undefined;
  await passOnClicks(
    tx,
    orgId,
    exported.flatMap(({ candidate }) => candidate.exportOf ?? []),
  );
  const moves = made.flatMap(({ one: { linkId = "" }, candidate: { isOwnExport, exportOf = "", sourceId } }) =>
    (isOwnExport ? [exportOf] : (taken.get(sourceId)?.from ?? [])).map((from) => ({ from, to: linkId })),
  );
  await moveDays(tx, orgId, moves);
}

async function replace(
  { links, tenant }: Making,
  tx: Tx,
  settled: RowOutcome[],
  changed: RoutingChanges,
): Promise<void> {
  const replaced = replacedBy(links, settled);
  if (replaced.length === 0) return;
  const wanted = replaced.map(({ rewriting }) => rewriting);
  const outcomes = await links.rewriteImported(tx, tenant, wanted, changed.link);
  for (const [index, { one }] of replaced.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof HttpError) refuseRow(one, outcome);
  }
}

/** Returns what to write for each link that is replaced. */
function replacedBy(links: BringInOptions["links"], settled: readonly RowOutcome[]) {
  return settled.flatMap((one) => {
    if (!one.replace) return [];
    const { id, candidate } = one.replace;
    const { input, draft, clicksBefore } = candidate;
    const { slug: _, domainId: __, pathPrefix: ___, password, ...fields } = input;
    const { passwordHash } = draft.rowAt(draft.slug?.slug ?? "");
    const others = { ...(password && { passwordHash }), ...(clicksBefore && { clicksBefore }) };
    const valuesOf = () => ({ ...links.valuesOf(fields), ...others });
    return [{ one, rewriting: { id, domain: draft.domain, valuesOf } }];
  });
}

const ledgerRowOf = (job: ImportJob, { place, result, why, linkId, ...one }: RowOutcome): LedgerRow => ({
  ...{ importId: job.id, orgId: job.orgId, row: place.row, part: place.part, address: place.address },
  ...{ result, why: why ?? null, linkId: linkId ?? null, clicksBefore: place.clicksBefore },
  clicksReplaced: one.replace?.clicksReplaced ?? one.takenOver ?? null,
  ...{ resultBefore: null, differences: null, asked: null },
  dropped: place.dropped.length > 0 ? place.dropped : null,
});

function countsOf(settled: readonly RowOutcome[], records: number): ImportCounts {
  const counts: Partial<Record<ImportResult, number>> = {};
  for (const { result } of settled) counts[result] = (counts[result] ?? 0) + 1;
  const incomplete = settled.filter(({ place, result }) => result !== "refused" && place.dropped.length > 0).length;
  return { ...counts, records, ...(incomplete > 0 && { incomplete }) };
}

/**
 * Returns a function that finds the domain for a host: the one mapped to it, else the organization's own domain of
 * that name, else the one mapped to all others.
 */
async function domainsOf(db: Drizzle, { orgId }: ImportJob, tenant: Tenant, map: Record<string, string>) {
  const own = await verifiedDomains(db, orgId);
  const known = new Map<string, AddressDomain>();
  for (const [host, id] of Object.entries(map)) known.set(id, await stillUsable(db, tenant, id, host));
  for (const [host, id] of own) known.set(id, known.get(id) ?? (await stillUsable(db, tenant, id, host)));
  return (host: string | null): AddressDomain | undefined => {
    const named = host === null ? undefined : (map[host] ?? own.get(host));
    return known.get(named ?? map["*"] ?? "");
  };
}

/** Throws `FileFault` if the domain was deleted or unverified since the import was started. */
async function stillUsable(db: Drizzle, tenant: Tenant, id: string, host: string): Promise<AddressDomain> {
  try {
    return await usableDomain(db, tenant, id);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const why = error.status === 404 ? "the domain has been deleted" : "the domain is not verified any more";
    throw new FileFault(`options.domainMap.${host}: ${why}`);
  }
}
