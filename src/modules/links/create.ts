/**
 * Links made on request: one by itself, or many in one transaction.
 *
 * A single one is a statement without a transaction around it (`make.ts`) where nothing has to be written or locked beside
 * it: its plan sets no bound, no endpoint is told of it, and no answer is kept for its `Idempotency-Key`.
 */
import type { Link, LinkInput } from "@/contract/links/links";
import { isUnbounded } from "@/core/entitlements";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { answerOnce, type KeyedRequest, replayAnswer } from "@/modules/idempotency/service";
import { preparedOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import { isListenedTo } from "@/platform/webhooks/webhook-outbox";
import type { LinkJudge } from "./judge";
import { type Changed, type LinkDraft, linkMaker } from "./make";
import { inTransaction } from "./rewrite";
import type { LinkServiceOptions } from "./service";
import type { LinkRecord } from "./store";

const KEYED_OPERATION = "POST /api/v1/links";

export interface CreationParts {
  drafted: LinkJudge["drafted"];
  present(record: LinkRecord): Link;
}

export function createCreation(options: LinkServiceOptions, { drafted, present }: CreationParts) {
  const { db, clock, announce, plans, changeRouting, safety } = options;
  const { makeAll, makeAlone, makeUnaudited } = linkMaker({ plans, announce, present });

  return {
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
      const [draft, standsAlone] = await Promise.all([drafted(tenant, input), !request && mayStandAlone(tenant)]);
      if (standsAlone) return createAlone(tenant, draft);
      return inTransaction(options, tenant, (tx, _, made) =>
        answerOnce(tx, tenant.orgId, request, async () => {
          const [outcome] = await makeAll(tx, tenant, [draft], made);
          if (outcome instanceof HttpError || !outcome) throw outcome;
          return outcome;
        }),
      );
    },

    /** All in one transaction: for each in its order the link, or as what `create` would have thrown. */
    createMany: (tenant: Tenant, drafts: LinkDraft[]): Promise<(Link | HttpError)[]> =>
      inTransaction(options, tenant, (tx, _, made) => makeAll(tx, tenant, drafts, made)),

    /**
     * In the transaction of a job that is audited as one: for each in its order the link's id, or why there is none. Notes what
     * was made with `made`. Endpoints receive them if `isNotified`.
     */
    async createImported(
      tx: Tx,
      tenant: Tenant,
      drafts: readonly LinkDraft[],
      { made, isNotified }: { made: Changed; isNotified: boolean },
    ): Promise<(string | HttpError)[]> {
      const outcomes = await makeUnaudited(tx, tenant, drafts, isNotified);
      return outcomes.map((outcome) => {
        if (outcome instanceof HttpError) return outcome;
        made(outcome.link, outcome.domain);
        return outcome.link.id;
      });
    },
  };

  /** Who comes to listen while a link is made is told of the next. */
  async function mayStandAlone({ orgId, plan }: Tenant): Promise<boolean> {
    return isUnbounded(plan, "links") && !(await isListenedTo(preparedOn(db), orgId, "link.created"));
  }

  async function createAlone(tenant: Tenant, draft: LinkDraft): Promise<Link> {
    const { link, domain, data } = await makeAlone(db, tenant, draft);
    await changeRouting.made(link, domain);
    safety.enqueueCheck(tenant.orgId, link);
    return data;
  }
}
