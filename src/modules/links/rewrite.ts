/**
 * Changes or deletes the rows of links within a transaction, together with everything that follows from it:
 * revisions, audit entries, safety verdicts, notifications. It takes a few statements for any number of links; a link
 * that cannot be changed does not affect the others.
 */
import type { OrgId, Tenant } from "@/core/ids";
import { keepNumbers } from "@/core/rules/rule-numbers";
import { HttpError, notFound } from "@/http/errors";
import { externalIdTaken, lockApps, noSuchApp } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import { violatedConstraint } from "@/platform/db/faults";
import type { Tx } from "@/platform/db/tx";
import { refuseLoop } from "./link-validator";
import type { NoteRoutingChange } from "./make";
import { recordChanges, recordDeletions } from "./revisions";
import type { LinkServiceOptions } from "./service";
import * as store from "./store";
import { checkSchedule } from "./validate";

const EXTERNAL_ID_INDEX = "links_external_id";

export interface Deleting {
  id: string;
  domain: AddressDomain;
}

export interface Rewriting extends Deleting {
  /** Throws 400, and 412 if the row is not the version that the client read. */
  valuesOf(before: store.LinkRow): Partial<store.LinkValues>;
}

interface Changes {
  before: store.LinkRow;
  after: store.LinkRow;
}

/** Writes the history of what was done. By default, that includes an audit entry for each link. */
type Recorder<Done> = (tx: Tx, tenant: Tenant, done: readonly Done[]) => Promise<unknown>;

interface Planned {
  before: store.LinkRow;
  domain: AddressDomain;
  values: Partial<store.LinkValues>;
}

/**
 * Returns, for each link in order, its row or the reason why it cannot be changed: 400, 404, 409 for an external id in
 * use, or 412.
 */
export async function rewriteAll(
  options: LinkServiceOptions,
  tx: Tx,
  tenant: Tenant,
  wanted: readonly Rewriting[],
  changed: NoteRoutingChange,
  record: Recorder<Changes> = recordChanges,
): Promise<(store.LinkRow | HttpError)[]> {
  const outcomes = await planAll(options, tx, tenant, wanted);
  const plans = outcomes.filter((outcome): outcome is Planned => "values" in outcome);
  const written = await write(tx, tenant, plans);
  const changes = plans.flatMap(({ before, domain }) => {
    const after = written.get(before.id);
    return after && !(after instanceof HttpError) ? [{ before, after, domain }] : [];
  });
  if (changes.length > 0) await record(tx, tenant, changes);
  for (const { before, after, domain } of changes) {
    await options.safety.noteChange(tx, tenant.orgId, after, before.safety, after.safety);
    changed(after, domain);
  }
  return outcomes.map((outcome) =>
    "values" in outcome ? (written.get(outcome.before.id) ?? outcome.before) : outcome,
  );
}

/**
 * Returns, for each link in order, the error for which `rewriteAll` would refuse it, except for an external id in use.
 * Changes nothing.
 */
export async function refusalsOf(
  options: LinkServiceOptions,
  tx: Tx,
  tenant: Tenant,
  wanted: readonly Rewriting[],
): Promise<(HttpError | undefined)[]> {
  const outcomes = await planAll(options, tx, tenant, wanted);
  return outcomes.map((outcome) => (outcome instanceof HttpError ? outcome : undefined));
}

async function planAll(options: LinkServiceOptions, tx: Tx, tenant: Tenant, wanted: readonly Rewriting[]) {
  const locked = await lockAll(tx, tenant, wanted);
  const planning = wanted.map((one) => planned(options, locked.get(one.id), one));
  return withoutGoneApps(tx, tenant, planning);
}

/**
 * Stops serving the links immediately, keeps their figures, and frees their slugs. Returns, for each in order, its
 * former row or 404.
 */
export async function removeAll(
  { clock }: LinkServiceOptions,
  tx: Tx,
  tenant: Tenant,
  wanted: readonly Deleting[],
  changed: NoteRoutingChange,
  record: Recorder<store.LinkRow> = recordDeletions,
): Promise<(store.LinkRow | HttpError)[]> {
  const locked = await lockAll(tx, tenant, wanted);
  const deleted = await store.updateLinks(tx, tenant.orgId, [...locked.keys()], { deletedAt: new Date(clock()) });
  if (deleted.length > 0) await record(tx, tenant, [...locked.values()]);
  const domains = new Map(wanted.map(({ id, domain }) => [id, domain]));
  for (const row of deleted) {
    const domain = domains.get(row.id);
    if (domain) changed(row, domain);
  }
  return wanted.map(({ id }) => locked.get(id) ?? notFound("link"));
}

/** Locks in the order of ids, so that two requests for the same links wait for each other instead of deadlocking. */
async function lockAll(tx: Tx, { orgId }: Tenant, wanted: readonly Deleting[]): Promise<Map<string, store.LinkRow>> {
  const ids = wanted.map(({ id }) => id);
  return new Map((await store.lockLinks(tx, orgId, ids)).map((row) => [row.id, row]));
}

/** Returns what to write for a link, or its row if nothing would change. */
function planned(
  { shortUrlOf, safety }: LinkServiceOptions,
  before: store.LinkRow | undefined,
  { domain, valuesOf }: Rewriting,
): Planned | store.LinkRow | HttpError {
  if (!before) return notFound("link");
  try {
    const values = withRuleNumbers(before, valuesOf(before));
    const after = { ...before, ...values };
    checkSchedule(after.startsAt, after.expiresAt);
    refuseLoop(after, shortUrlOf(domain, before), domain);
    if (Bun.deepEquals(before, after)) return before;
    return { before, domain, values: { ...values, ...safety.judgeLocally(after, before) } };
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

/** Gives rules that a link's row is to have their numbers. */
export function withRuleNumbers(before: store.LinkRow, values: Partial<store.LinkValues>): Partial<store.LinkValues> {
  return values.rules ? { ...values, ...keepNumbers(values.rules, before.rules, before.nextRuleNumber) } : values;
}

type Outcome = ReturnType<typeof planned>;

/** Refuses changes to an app profile that was deleted since they were checked. The other profiles are kept. */
async function withoutGoneApps(tx: Tx, { orgId }: Tenant, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const named = outcomes.map((outcome) => ("values" in outcome ? outcome.values.appProfileId : null));
  const ids = [...new Set(named.flatMap((id) => id ?? []))];
  const kept = await lockApps(tx, orgId, ids);
  return outcomes.map((outcome, place) => {
    const id = named[place];
    return id && !kept.has(id.toLowerCase()) ? noSuchApp() : outcome;
  });
}

/** Links that get the same values share a statement, except those that take an external id. */
async function write(tx: Tx, { orgId }: Tenant, plans: readonly Planned[]): Promise<Map<string, Written>> {
  const written = new Map<string, Written>();
  const [claims, others] = [plans.filter(takesExternalId), plans.filter((plan) => !takesExternalId(plan))];
  for (const alike of Map.groupBy(others, ({ values }) => JSON.stringify(values)).values()) {
    const ids = alike.map(({ before }) => before.id);
    for (const row of await store.updateLinks(tx, orgId, ids, alike[0]?.values ?? {})) written.set(row.id, row);
  }
  for (const plan of claims) {
    const outcome = await claim(tx, orgId, plan);
    if (outcome) written.set(plan.before.id, outcome);
  }
  return written;
}

type Written = store.LinkRow | HttpError;

const takesExternalId = ({ before, values }: Planned): boolean =>
  typeof values.externalId === "string" && values.externalId !== before.externalId;

/** Writes behind a savepoint: if another link has the external id, the others of the transaction are still written. */
async function claim(tx: Tx, orgId: OrgId, { before, values }: Planned): Promise<Written | undefined> {
  try {
    const [row] = await tx.transaction((inner) => store.updateLinks(inner, orgId, [before.id], values));
    return row;
  } catch (error) {
    if (violatedConstraint(error) === EXTERNAL_ID_INDEX) return externalIdTaken();
    throw error;
  }
}

/** Runs `work` in a transaction. Once it has committed, queues the changed links for a safety check. */
export async function inTransaction<Result>(
  { changeRouting, safety }: LinkServiceOptions,
  { orgId }: Tenant,
  work: (tx: Tx, changed: NoteRoutingChange, made: NoteRoutingChange) => Promise<Result>,
): Promise<Result> {
  const links: store.LinkRow[] = [];
  const noting =
    (note: NoteRoutingChange): NoteRoutingChange =>
    (link, domain) => {
      note(link, domain);
      links.push(link);
    };
  const result = await changeRouting((tx, changed) => work(tx, noting(changed.link), noting(changed.made)));
  for (const link of links) safety.enqueueCheck(orgId, link);
  return result;
}
