/**
 * Applies one verdict to all suspicious clicks from one address, of one link, or both. Clicks are judged
 * `CLICKS_A_STEP` at a time. Each step is one transaction with the figures it moves and an audit entry, so that click
 * writers and other reviews can run between steps. After `JUDGED_MS`, the response states how many clicks remain.
 * Sending the same request again continues with them, and changes nothing once none remain. A crash keeps the steps
 * that were committed.
 */
import {
  type AbuseBulkInput,
  type AbuseBulkOutcome,
  REVIEW_STATUSES,
  type ReviewStatus,
} from "@/contract/analytics/abuse";
import type { Tenant } from "@/core/ids";
import { invalid } from "@/http/errors";
import type { FiguresInTurn } from "@/http/figure-turns";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Drizzle } from "@/platform/db/client";
import { takeLock } from "@/platform/db/locks";
import { type Statements, statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { ClickSelection } from "./click-selection";
import * as store from "./store";

const CLICKS_A_STEP = 5_000;
const JUDGED_MS = 5_000;

export interface BulkOptions {
  db: Drizzle;
  figuresInTurn: FiguresInTurn;
  /** Returns whether a click with this status counts as a bot's. */
  isBotAfter(click: store.SuspectRow, status: ReviewStatus): boolean;
  /** Moves every figure of clicks whose rows already have the new status. */
  moveFigures(
    tx: Statements,
    reviewed: readonly { click: store.SuspectRow; from: ReviewStatus }[],
    to: ReviewStatus,
  ): Promise<void>;
}

interface Step {
  from: ReviewStatus;
  /** Id of the last click of the previous step. */
  after: string | undefined;
  review: store.BulkReview;
}

export function createBulkReview({ db, figuresInTurn, isBotAfter, moveFigures }: BulkOptions) {
  return async (tenant: Tenant, input: AbuseBulkInput, chosen: ClickSelection, at: Date): Promise<AbuseBulkOutcome> => {
    const statuses = statusesOf(input);
    const until = performance.now() + JUDGED_MS;
    const review = reviewOf(input, tenant.actor.id, at);
    let changed = 0;
    for (const from of statuses) {
      for (let after: string | undefined, isOpen = true; isOpen && performance.now() < until; ) {
        const judged = await figuresInTurn(tenant.orgId, (tx) => judge(tx, tenant, chosen, { from, after, review }));
        changed += judged.length;
        after = judged.at(-1)?.id;
        isOpen = judged.length === CLICKS_A_STEP;
      }
    }
    return { changed, remaining: await store.countChosen(db, tenant.orgId, chosen, statuses) };
  };

  async function judge(tx: Tx, tenant: Tenant, chosen: ClickSelection, { from, after, review }: Step) {
    const { orgId } = tenant;
    await takeLock(tx, orgId, "figures");
    const clicks = await store.nextChosen(tx, orgId, chosen, { status: from, after, limit: CLICKS_A_STEP });
    if (clicks.length === 0) return clicks;
    const to = store.statusOf(review);
    for (const [isBot, alike] of Map.groupBy(clicks, (click) => isBotAfter(click, to))) {
      await store.saveReviews(tx, orgId, alike, review, isBot);
    }
    const reviewed = clicks.map((click) => ({ click, from }));
    await moveFigures(statementsOn(tx), reviewed, to);
    await recordAudit(
      tx,
      tenant,
      entryOf(chosen, { status: { from, to }, clicks: clicks.length, note: review.reviewNote }),
    );
    return clicks;
  }
}

/** Returns the statuses whose clicks change. */
const statusesOf = ({ current = "all", status }: AbuseBulkInput): ReviewStatus[] =>
  REVIEW_STATUSES.filter((each) => each !== status && (current === "all" || current === each));

function reviewOf({ status, note }: AbuseBulkInput, by: string | null, at: Date): store.BulkReview {
  const isPending = status === "pending";
  return {
    verdict: isPending ? null : status,
    reviewedBy: isPending ? null : by,
    reviewedAt: isPending ? null : at,
    ...(note === undefined ? {} : { reviewNote: note || null }),
  };
}

function entryOf({ addressId, linkId }: ClickSelection, changes: Record<string, unknown>) {
  const [resourceType, resourceId] = addressId === undefined ? ["link", linkId ?? ""] : ["address", addressId];
  return { action: "abuse.bulk_review", resourceType, resourceId, changes: { ...changes, linkId } };
}

/** Throws 400 unless an address or a link is given, so that nobody judges a whole workspace by mistake. */
export function checkChosen({ addressId, linkId }: AbuseBulkInput): void {
  if (addressId === undefined && linkId === undefined) throw invalid(["addressId: required unless linkId is given"]);
}
