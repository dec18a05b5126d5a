/** A link's row changed within a transaction, with all that hangs on a change. */
import type { Tenant } from "@/core/ids";
import { notFound } from "@/http/errors";
import { externalIdTaken } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import { violatedConstraint } from "@/platform/db/faults";
import type { Tx } from "@/platform/db/tx";
import { refuseLoop } from "./judge";
import type { Changed } from "./make";
import { recordChanges } from "./revisions";
import type { LinkServiceOptions } from "./service";
import * as store from "./store";
import { checkSchedule } from "./validate";

const EXTERNAL_ID_INDEX = "links_external_id";

interface Rewriting {
  id: string;
  domain: AddressDomain;
  values: Partial<store.LinkValues>;
}

/** Throws 400, 404 and 409. */
export async function rewritten(
  { shortUrlOf, safety }: LinkServiceOptions,
  tx: Tx,
  tenant: Tenant,
  { id, domain, values }: Rewriting,
  changed: Changed,
): Promise<store.LinkRow> {
  const before = await store.lockLink(tx, tenant.orgId, id);
  if (!before) throw notFound("link");
  const planned = { ...before, ...values };
  checkSchedule(planned.startsAt, planned.expiresAt);
  refuseLoop(planned, shortUrlOf(domain, before));
  if (isUnchanged(before, planned)) return before;
  const changes = { ...values, ...safety.judgeLocally(planned, before) };
  const after = await store.updateLink(tx, tenant.orgId, id, changes).catch(refuseTaken);
  await recordChanges(tx, tenant, [{ before, after }]);
  await safety.noteChange(tx, tenant.orgId, after, before.safety, after.safety);
  changed(after, domain);
  return after;
}

/** Links that changed are judged once the work is committed. */
export async function inTransaction<Result>(
  { changeRouting, safety }: LinkServiceOptions,
  { orgId }: Tenant,
  work: (tx: Tx, changed: Changed) => Promise<Result>,
): Promise<Result> {
  const links: store.LinkRow[] = [];
  const result = await changeRouting((tx, changed) =>
    work(tx, (link, domain) => {
      changed.link(link, domain);
      links.push(link);
    }),
  );
  for (const link of links) safety.enqueueCheck(orgId, link);
  return result;
}

const isUnchanged = (before: store.LinkRow, planned: store.LinkRow): boolean => Bun.deepEquals(before, planned);

function refuseTaken(error: unknown): never {
  throw violatedConstraint(error) === EXTERNAL_ID_INDEX ? externalIdTaken() : error;
}
