/**
 * Brings a batch of records in, in one transaction with its rows of the ledger and the cursor: it is there whole or not at all,
 * and who begins behind the cursor does nothing twice.
 */
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
import { insertLedger, type LedgerRow } from "../ledger";
import { type ImportJob, verifiedDomains } from "../store";
import { type ImportedApps, importedApps } from "./apps";
import { type Candidate, candidatesOf, type RefusedRecord } from "./candidates";
import type { Lease } from "./lease";
import type { FileBatch } from "./read-file";
import { type Settled, settleBatch } from "./settle";

export interface BringInOptions {
  db: Drizzle;
  clock: Clock;
  links: Pick<LinkService, "drafting" | "createImported" | "rewriteImported" | "valuesOf">;
  apps: ImportedApps;
  plans: Pick<Plans, "room">;
  changeRouting: ChangeRouting;
}

/** A part of the lease, which any record can take longer than: hashing its password. */
const RENEW_MS = 500;

export interface JudgedBatch extends FileBatch {
  candidates: (Candidate | RefusedRecord)[];
}

interface Making {
  links: BringInOptions["links"];
  tenant: Tenant;
  job: ImportJob;
}

/** Returns what brings in one batch after the other. */
export async function bringingIn(options: BringInOptions, job: ImportJob, tenant: Tenant) {
  const { db, clock, links, plans, changeRouting } = options;
  const { dryRun: isDry, domainMap, source } = job.options;
  const domainOf = await domainsOf(db, job, tenant, domainMap);
  const appOf = await importedApps(options.apps, tenant, isDry);
  /** What a dry run would have made so far, at which addresses. */
  const planned = new Map<string, string>();
  let plannedLinks = 0;

  return { judge, bringIn, passOver };

  /** Before the batch's transaction, which is short so. */
  async function judge(batch: FileBatch, lease: Lease): Promise<JudgedBatch> {
    return { ...batch, candidates: await candidatesIn(batch, lease) };
  }

  async function bringIn({ from, records, progress, candidates }: JudgedBatch, lease: Lease): Promise<void> {
    await changeRouting(async (tx, changed) => {
      await lease.hold(tx);
      const seen = isDry ? planned : new Map<string, string>();
      const settled = await settleBatch(tx, job.orgId, job.options, candidates, seen);
      await (isDry ? plan(tx, settled) : make({ links, tenant, job }, tx, settled, changed));
      await insertLedger(
        tx,
        settled.map((one) => ledgerRowOf(job, one)),
      );
      await lease.move(tx, { cursor: from + records.length - 1, progress, counts: countsOf(settled, records.length) });
    });
  }

  /** Of a dry run that goes on: what it would have made is known again. */
  async function passOver(batch: FileBatch, lease: Lease): Promise<void> {
    if (!isDry) return;
    const settled = await settleBatch(db, job.orgId, job.options, await candidatesIn(batch, lease), planned);
    plannedLinks += settled.filter(({ make }) => make).length;
  }

  /** A thousand passwords take a minute to hash, in which the lease must not end. */
  async function candidatesIn({ from, records }: Pick<FileBatch, "from" | "records">, lease: Lease) {
    const draft = links.drafting(tenant);
    const parts = { domainOf, appOf, draft, fileHash: job.file.hash, source, isDry, now: clock() };
    const origin = SOURCES[source];
    const found = [];
    let renewedAt = performance.now();
    for (const [index, record] of records.entries()) {
      if (performance.now() - renewedAt > RENEW_MS) {
        await lease.renew(db);
        renewedAt = performance.now();
      }
      found.push(...(await candidatesOf(origin.read(record), from + index, parts)));
    }
    return found;
  }

  async function plan(tx: Tx, settled: Settled[]): Promise<void> {
    const room = await plans.room(tx, job.orgId, "links");
    for (const one of settled) {
      if (!one.make) continue;
      if (plannedLinks < room.left) plannedLinks++;
      else refuse(one, room.refusal(0));
    }
  }
}

async function make(scene: Making, tx: Tx, settled: Settled[], changed: RoutingChanges): Promise<void> {
  const { links, tenant, job } = scene;
  const { notify } = job.options;
  const wanted = settled.flatMap((one) => (one.make ? [{ one, draft: one.make.draft }] : []));
  const drafts = wanted.map(({ draft }) => draft);
  const outcomes =
    drafts.length > 0 ? await links.createImported(tx, tenant, drafts, { made: changed.made, isNotified: notify }) : [];
  for (const [index, { one }] of wanted.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof HttpError) refuse(one, outcome);
    else one.linkId = outcome;
  }
  await replace(scene, tx, settled, changed);
}

async function replace({ links, tenant }: Making, tx: Tx, settled: Settled[], changed: RoutingChanges): Promise<void> {
  const replaced = settled.flatMap((one) => (one.replace ? [{ one, ...one.replace }] : []));
  if (replaced.length === 0) return;
  const wanted = replaced.map(({ id, candidate: { input, draft, clicksBefore } }) => {
    const { slug: _, domainId: __, pathPrefix: ___, password: ____, ...fields } = input;
    const counted = clicksBefore ? { clicksBefore } : {};
    return { id, domain: draft.domain, valuesOf: () => ({ ...links.valuesOf(fields), ...counted }) };
  });
  const outcomes = await links.rewriteImported(tx, tenant, wanted, changed.link);
  for (const [index, { one }] of replaced.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof HttpError) refuse(one, outcome);
  }
}

const ledgerRowOf = (job: ImportJob, { place, result, why, linkId }: Settled): LedgerRow => ({
  ...{ importId: job.id, orgId: job.orgId, row: place.row, part: place.part, address: place.address },
  ...{ result, why: why ?? null, linkId: linkId ?? null, clicksBefore: place.clicksBefore },
  ...{ differences: null, asked: null },
  dropped: place.dropped.length > 0 ? place.dropped : null,
});

function refuse(one: Settled, { status, message, details }: HttpError): void {
  one.result = status === 409 ? "skipped" : "refused";
  one.why = [message, ...(details ?? [])].join("; ");
  one.linkId = undefined;
}

function countsOf(settled: readonly Settled[], records: number): ImportCounts {
  const counts: Partial<Record<ImportResult, number>> = {};
  for (const { result } of settled) counts[result] = (counts[result] ?? 0) + 1;
  const incomplete = settled.filter(({ place, result }) => result !== "refused" && place.dropped.length > 0).length;
  return { ...counts, records, ...(incomplete > 0 && { incomplete }) };
}

/** The domain for a host: the one that is named for it, the organization's own of that name, or the one for all others. */
async function domainsOf(db: Drizzle, { orgId }: ImportJob, tenant: Tenant, map: Record<string, string>) {
  const own = await verifiedDomains(db, orgId);
  const known = new Map<string, AddressDomain>();
  for (const id of new Set([...Object.values(map), ...own.values()])) known.set(id, await usableDomain(db, tenant, id));
  return (host: string | null): AddressDomain | undefined => {
    const named = host === null ? undefined : (map[host] ?? own.get(host));
    return known.get(named ?? map["*"] ?? "");
  };
}
