/** The review of suspicious clicks: a verdict is one transaction with all the figures it moves and its audit entry. */
import type { AbuseItem, AbuseQueueQuery, AbuseReviewInput, ReviewStatus } from "@/contract/abuse";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { notFound, unavailable } from "@/http/errors";
import { pageOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { type Statements, statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/source";
import { presentSuspect } from "./present";
import * as store from "./store";

export interface AbuseOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
  /** Whether a click of this status counts as a bot's. */
  isBotAfter(click: store.ClickRow, status: ReviewStatus): boolean;
  /** Moves every figure of a click whose row says the new status already. */
  moveFigures(tx: Statements, click: store.ClickRow, from: ReviewStatus, to: ReviewStatus): Promise<void>;
}

export type AbuseService = ReturnType<typeof createAbuseService>;

export function createAbuseService({ db, clock, shortUrlOf, isBotAfter, moveFigures }: AbuseOptions) {
  const present = (suspect: store.Suspect) => presentSuspect(suspect, shortUrlOf);

  return {
    async list({ orgId }: Tenant, status: NonNullable<AbuseQueueQuery["status"]>, page: number, limit: number) {
      const { suspects, total } = await store.listSuspects(db, orgId, status, page, limit);
      return { items: suspects.map(present), ...pageOf(page, limit, total) };
    },

    /** The same verdict again changes nothing. Throws 404, and 503 when click writers do not make way in time. */
    async review(tenant: Tenant, clickId: string, input: AbuseReviewInput): Promise<AbuseItem> {
      if (!isUuid(clickId)) throw notFound("click");
      return inTurn(tenant.orgId, async (tx) => {
        const before = await store.findSuspect(tx, tenant.orgId, clickId);
        if (!before) throw notFound("click");
        const review = reviewOf(before.click, input, tenant.actor.id, new Date(clock()));
        const from = store.statusOf(before.click);
        const changes = changesOf(told(before.click), told(review));
        if (Object.keys(changes).length === 0) return present(before);
        const click = await store.saveReview(
          tx,
          tenant.orgId,
          before.click,
          review,
          isBotAfter(before.click, input.status),
        );
        await moveFigures(statementsOn(tx), click, from, input.status);
        await recordAudit(tx, tenant, {
          action: "abuse.review",
          resourceType: "click",
          resourceId: click.id,
          changes,
        });
        return present({ ...before, click });
      });
    },
  };

  /** Reviews of one organization follow each other. */
  async function inTurn<Result>(orgId: OrgId, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      return await db.transaction(async (tx) => {
        await store.takeTurn(tx, orgId);
        return work(tx);
      });
    } catch (error) {
      if (isLockTimeout(error)) throw unavailable("The figures are being written; try again shortly");
      throw error;
    }
  }
}

function reviewOf(click: store.ClickRow, { status, note }: AbuseReviewInput, by: string | null, at: Date) {
  const isPending = status === "pending";
  const reviewNote = note === undefined ? click.reviewNote : note || null;
  return {
    verdict: isPending ? null : status,
    reviewedBy: isPending ? null : by,
    reviewedAt: isPending ? null : at,
    reviewNote,
  };
}

const told = (review: store.Review) => ({ status: store.statusOf(review), note: review.reviewNote });
