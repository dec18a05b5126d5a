/** Links: create, read, list, change, delete. Each change is one transaction with its revision, audit entry and notification. */
import type { Link, LinkInput, LinkUpdate } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { answerOnce, type KeyedRequest, replayAnswer } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { createBulkChanges } from "./bulk/bulk-changes";
import { createLinkJudge, draftPasswordOf, draftValuesOf } from "./judge";
import { type LinkDraft, linkMaker } from "./make";
import { presentLink } from "./present";
import { createLinkReader } from "./read";
import { inTransaction, removeAll, rewriteAll } from "./rewrite";
import type * as store from "./store";

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
    ...createBulkChanges({ ...options, judge: judging, present }),

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
      const [link] = await inTransaction(options, tenant, (tx, changed) =>
        rewriteAll(options, tx, tenant, [{ id, domain, valuesOf: () => values }], changed),
      );
      if (link instanceof HttpError || !link) throw link;
      return present({ link, domain, clickCount });
    },

    /** Ends serving at once, keeps the figures, frees the slug. Throws 404. */
    async remove(tenant: Tenant, id: string) {
      const { domain } = await existing(tenant, id);
      const [removed] = await inTransaction(options, tenant, (tx, changed) =>
        removeAll(options, tx, tenant, [{ id, domain }], changed),
      );
      if (removed instanceof HttpError) throw removed;
      return { _id: id, deleted: true as const };
    },
  };
}
