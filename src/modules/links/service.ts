/** Links: create, read, list, change, delete. Each change is one transaction with its revision, audit entry and notification. */
import type { Link, LinkInput, LinkUpdate } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { HttpError, notFound } from "@/http/errors";
import { externalIdTaken } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import { answerOnce, type KeyedRequest, replayAnswer } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { violatedConstraint } from "@/platform/db/faults";
import type { Tx } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { createLinkJudge, draftPasswordOf, draftValuesOf, refuseLoop } from "./judge";
import { type Changed, type LinkDraft, linkMaker } from "./make";
import { presentLink } from "./present";
import { createLinkReader } from "./read";
import { recordChanges, recordDeletion } from "./revisions";
import * as store from "./store";
import { checkSchedule } from "./validate";

const EXTERNAL_ID_INDEX = "links_external_id";
const KEYED_OPERATION = "POST /api/v1/links";

export interface LinkServiceOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
  announce: Announce;
  changeRouting: ChangeRouting;
  plans: Pick<Plans, "room">;
  safety: Pick<SafetyChecker, "judgeLocally" | "noteChange" | "enqueueCheck">;
}

export type LinkService = ReturnType<typeof createLinkService>;

export function createLinkService(options: LinkServiceOptions) {
  const { db, clock, shortUrlOf, announce, plans } = options;
  const present = (record: store.LinkRecord) => presentLink(record, shortUrlOf);
  const make = linkMaker({ plans, announce, present });
  const { existing, ...reading } = createLinkReader(options);
  const { drafted, checkedUpdate, ...judging } = createLinkJudge(options);

  return {
    ...reading,
    ...judging,

    /**
     * Throws 400 for invalid fields and for a key that was used with another body, 404 for a foreign domain or app, 409 for
     * a taken slug, 429 when the plan has no room for it.
     */
    async create(tenant: Tenant, input: LinkInput, key?: string): Promise<Link> {
      const request: KeyedRequest | undefined = key
        ? { operation: KEYED_OPERATION, key, body: input, now: clock() }
        : undefined;
      const replayed = await replayAnswer<Link>(db, tenant.orgId, request);
      if (replayed) return replayed;
      const draft = await drafted(tenant, input);
      return inTransaction(options, tenant, (tx, changed) =>
        answerOnce(tx, tenant.orgId, request, async () => {
          const [outcome] = await make(tx, tenant, [draft], changed);
          if (outcome instanceof HttpError || !outcome) throw outcome;
          return outcome;
        }),
      );
    },

    /** All in one transaction: for each in its order the link, or as what `create` would have thrown. */
    createMany: (tenant: Tenant, drafts: LinkDraft[]): Promise<(Link | HttpError)[]> =>
      inTransaction(options, tenant, (tx, changed) => make(tx, tenant, drafts, changed)),

    /** Throws what `update` would of these fields: 400 and 404. */
    async checkUpdate(tenant: Tenant, id: string, input: LinkUpdate): Promise<void> {
      await checkedUpdate(tenant, await existing(tenant, id), input);
    },

    /** Absent fields stay, null clears; the short URL never changes. Throws 400, 404, 409 for an external id in use. */
    async update(tenant: Tenant, id: string, input: LinkUpdate): Promise<Link> {
      const found = await existing(tenant, id);
      const { domain, clickCount } = found;
      const fields = await checkedUpdate(tenant, found, input);
      const values = { ...draftValuesOf(fields), ...(await draftPasswordOf(fields, tenant)) };
      const link = await inTransaction(options, tenant, (tx, changed) =>
        rewritten(options, tx, tenant, { id, domain, values }, changed),
      );
      return present({ link, domain, clickCount });
    },

    /** Ends serving at once, keeps the figures, frees the slug. Throws 404. */
    async remove(tenant: Tenant, id: string) {
      const { domain } = await existing(tenant, id);
      await inTransaction(options, tenant, async (tx, changed) => {
        const before = await store.lockLink(tx, tenant.orgId, id);
        if (!before) throw notFound("link");
        const deleted = await store.updateLink(tx, tenant.orgId, id, {
          deletedAt: new Date(clock()),
        });
        await recordDeletion(tx, tenant, before);
        changed(deleted, domain);
      });
      return { _id: id, deleted: true as const };
    },
  };
}

interface Rewriting {
  id: string;
  domain: AddressDomain;
  values: Partial<store.LinkValues>;
}

/** Throws 400, 404 and 409. */
async function rewritten(
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
async function inTransaction<Result>(
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
