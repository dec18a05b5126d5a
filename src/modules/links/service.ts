/**
 * Creates, reads, lists, changes and deletes links. Each change is one transaction with its revision, audit entry and
 * notification.
 */
import type { Link, LinkUpdate } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import type { Plans } from "@/modules/plans/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { createBulkChanges } from "./bulk/bulk-changes";
import { createCreation } from "./create";
import { createLinkJudge, draftPasswordOf, draftValuesOf } from "./link-validator";
import type { NoteRoutingChange } from "./make";
import { linkTag, presentLink } from "./present";
import { createLinkReader } from "./read";
import { recordRevisions } from "./revisions";
import {
  type Deleting,
  inTransaction,
  type Rewriting,
  refusalsOf,
  removeAll,
  rewriteAll,
  withRuleNumbers,
} from "./rewrite";
import * as store from "./store";
import { checkedFields } from "./validate";

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
  const present = (record: store.LinkRecord) => presentLink(record, options.shortUrlOf);
  const { existing, ...reading } = createLinkReader(options);
  const { drafted, checkedUpdate, ...judging } = createLinkJudge(options);

  return {
    ...reading,
    ...judging,
    ...createCreation(options, { drafted, present }),
    ...createBulkChanges({ ...options, judge: judging, present }),

    /** Throws the 400 or 404 that `update` would throw for these fields. */
    async checkUpdate(tenant: Tenant, id: string, input: LinkUpdate): Promise<void> {
      await checkedUpdate(tenant, await existing(tenant, id), input);
    },

    /**
     * Returns the link as `update` would leave it, without writing anything. Throws the 400 or 404 that `update`
     * would throw for these fields.
     */
    async updated(tenant: Tenant, id: string, input: LinkUpdate): Promise<store.LinkRow> {
      const found = await existing(tenant, id);
      return {
        ...found.link,
        ...withRuleNumbers(found.link, draftValuesOf(await checkedUpdate(tenant, found, input))),
      };
    },

    /**
     * Leaves absent fields unchanged and clears fields that are null; the short URL never changes. Throws 400, 404,
     * 409 for an external id in use, and 412 if the link was changed since the client read it.
     */
    async update(tenant: Tenant, id: string, input: LinkUpdate, ifMatch?: IfMatch): Promise<Link> {
      const found = await existing(tenant, id);
      const { domain, clickCount } = found;
      const fields = await checkedUpdate(tenant, found, input);
      const password = await draftPasswordOf(fields, tenant, found.link.passwordHash);
      const values = { ...draftValuesOf(fields), ...password };
      const valuesOf = (before: store.LinkRow) => {
        requireMatch(ifMatch, linkTag(before), "link");
        return values;
      };
      const [link] = await inTransaction(options, tenant, (tx, changed) =>
        rewriteAll(options, tx, tenant, [{ id, domain, valuesOf }], changed),
      );
      if (link instanceof HttpError || !link) throw link;
      return present({ link, domain, clickCount });
    },

    /**
     * The counterparts of `createImported` for existing links: they run in the transaction of a job, which has one
     * audit entry for all of its changes.
     */
    rewriteImported: (tx: Tx, tenant: Tenant, wanted: readonly Rewriting[], changed: NoteRoutingChange) =>
      rewriteAll(options, tx, tenant, wanted, changed, recordRevisions),
    refusalsOfImported: (tx: Tx, tenant: Tenant, wanted: readonly Rewriting[]) =>
      refusalsOf(options, tx, tenant, wanted),
    removeImported: (tx: Tx, tenant: Tenant, wanted: readonly Deleting[], changed: NoteRoutingChange) =>
      removeAll(options, tx, tenant, wanted, changed, async () => {}),
    /** Returns the column values that these fields set. Throws 400. */
    valuesOf: (fields: LinkUpdate) => draftValuesOf(checkedFields(fields)),

    /**
     * Stops serving the link immediately, keeps its figures, and frees its slug. Throws 404, and 412 if the link was
     * changed since the client read it.
     */
    async remove(tenant: Tenant, id: string, ifMatch?: IfMatch) {
      return removeOne(options, tenant, await existing(tenant, id), ifMatch);
    },
  };
}

async function removeOne(
  options: LinkServiceOptions,
  tenant: Tenant,
  { link: { id }, domain }: store.LinkRecord,
  ifMatch: IfMatch | undefined,
) {
  const [removed] = await inTransaction(options, tenant, async (tx, changed) => {
    const [before] = await store.lockLinks(tx, tenant.orgId, [id]);
    if (before) requireMatch(ifMatch, linkTag(before), "link");
    return removeAll(options, tx, tenant, [{ id, domain }], changed);
  });
  if (removed instanceof HttpError) throw removed;
  return { _id: id, deleted: true as const };
}
