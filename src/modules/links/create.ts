/**
 * Creates links on request: one, or many in one transaction.
 *
 * A single link is created by one statement without a transaction around it (`make.ts`) if nothing else has to be
 * written or locked with it: the plan has no limit, no webhook endpoint listens, and there is no `Idempotency-Key` to
 * store a response for.
 */
import type { Link, LinkInput } from "@/contract/links/links";
import { isUnbounded } from "@/core/entitlements";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { answerOnce, replayAnswer } from "@/modules/idempotency/service";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import { isListenedTo } from "@/platform/webhooks/webhook-outbox";
import type { LinkValidator } from "./link-validator";
import { type LinkDraft, linkMaker, type NoteRoutingChange } from "./make";
import { inTransaction } from "./rewrite";
import type { LinkServiceOptions } from "./service";
import type { LinkRecord } from "./store";

export interface CreationParts {
  drafted: LinkValidator["drafted"];
  present(record: LinkRecord): Link;
}

export function createCreation(options: LinkServiceOptions, { drafted, present }: CreationParts) {
  const { db, announce, plans, changeRouting, safety } = options;
  const { makeAll, createWithoutTransaction, makeUnaudited } = linkMaker({ db, plans, announce, present });

  return {
    /**
     * Throws 400 for invalid fields or a key that was used with another body, 404 for another organization's domain
     * or app, 409 for a slug or external id in use, and 429 if the plan has no room for the link.
     */
    async create(tenant: Tenant, input: LinkInput, once?: KeyedRequest): Promise<Link> {
      const replayed = await replayAnswer<Link>(db, tenant.orgId, once);
      if (replayed) return replayed;
      const [draft, standsAlone] = await Promise.all([drafted(tenant, input), !once && mayStandAlone(tenant)]);
      if (standsAlone) return createAlone(tenant, draft);
      return inTransaction(options, tenant, (tx, _, made) =>
        answerOnce(tx, tenant.orgId, once, async () => {
          const [outcome] = await makeAll(tx, tenant, [draft], made);
          if (outcome instanceof HttpError || !outcome) throw outcome;
          return outcome;
        }),
      );
    },

    /**
     * Creates all links in one transaction, once. Returns what `answer` makes of them: for each in order, the link or
     * the error that `create` would have thrown.
     */
    createMany: <Answer extends object>(
      tenant: Tenant,
      drafts: LinkDraft[],
      answer: (outcomes: (Link | HttpError)[]) => Answer,
      once?: KeyedRequest,
    ): Promise<Answer> =>
      inTransaction(options, tenant, (tx, _, made) =>
        answerOnce(tx, tenant.orgId, once, async () => answer(await makeAll(tx, tenant, drafts, made))),
      ),

    /**
     * Creates links in the transaction of a job, which has one audit entry for all of them. Returns, for each in
     * order, the link's id or the reason why it was not created. Calls `made` for each link. Webhook endpoints
     * receive the links if `isNotified`.
     */
    async createImported(
      tx: Tx,
      tenant: Tenant,
      drafts: readonly LinkDraft[],
      { made, isNotified }: { made: NoteRoutingChange; isNotified: boolean },
    ): Promise<(string | HttpError)[]> {
      const outcomes = await makeUnaudited(tx, tenant, drafts, isNotified);
      return outcomes.map((outcome) => {
        if (outcome instanceof HttpError) return outcome;
        made(outcome.link, outcome.domain);
        return outcome.link.id;
      });
    },
  };

  /** An endpoint that starts to listen while a link is being created is first notified of the next one. */
  async function mayStandAlone({ orgId, plan }: Tenant): Promise<boolean> {
    return isUnbounded(plan, "links") && !(await isListenedTo(preparedStatementsOn(db), orgId, "link.created"));
  }

  async function createAlone(tenant: Tenant, draft: LinkDraft): Promise<Link> {
    const { link, domain, data } = await createWithoutTransaction(tenant, draft);
    await changeRouting.made(link, domain);
    safety.enqueueCheck(tenant.orgId, link);
    return data;
  }
}
