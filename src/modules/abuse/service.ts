/** Reviews suspicious clicks. A verdict is one transaction with all the figures it moves and its audit entry. */
import type {
  AbuseBulkInput,
  AbuseBulkOutcome,
  AbuseGroupsQuery,
  AbuseItem,
  AbuseQueueQuery,
  AbuseReviewInput,
} from "@/contract/analytics/abuse";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { notFound, notFoundInField } from "@/http/errors";
import { PAGE_LIMIT, pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import { statementsOn } from "@/platform/db/statements";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { type BulkOptions, checkChosen, createBulkReview } from "./bulk";
import { type ChosenInput, type ClickSelection, parseSelection } from "./click-selection";
import { presentGroup, presentSuspect } from "./present";
import * as store from "./store";

export interface AbuseOptions extends BulkOptions {
  clock: Clock;
  shortUrlOf: ShortUrlOf;
}

export type AbuseService = ReturnType<typeof createAbuseService>;

export function createAbuseService({ clock, shortUrlOf, ...options }: AbuseOptions) {
  const { db, figuresInTurn, isBotAfter, moveFigures } = options;
  const present = (suspect: store.Suspect) => presentSuspect(suspect, shortUrlOf);
  const reviewChosen = createBulkReview(options);

  return {
    async list({ orgId }: Tenant, query: AbuseQueueQuery) {
      const { status = "pending", page = 1, limit = PAGE_LIMIT } = query;
      const chosen = await chosenOf(orgId, query);
      const { suspects, total } = await store.listSuspects(db, orgId, { status, chosen }, page, limit);
      return { items: suspects.map(present), ...pagingOf(page, limit, total) };
    },

    async groups({ orgId }: Tenant, query: AbuseGroupsQuery) {
      const { by = "address", status = "pending", page = 1, limit = PAGE_LIMIT } = query;
      const chosen = await chosenOf(orgId, query);
      const { groups, total } = await store.groupSuspects(db, orgId, { by, status, chosen }, page, limit);
      return { groups: groups.map((group) => presentGroup(group, shortUrlOf)), ...pagingOf(page, limit, total) };
    },

    /** Repeating a verdict changes nothing. Throws 404, and 503 if click writers hold the locks for too long. */
    async review(tenant: Tenant, clickId: string, input: AbuseReviewInput): Promise<AbuseItem> {
      if (!isUuid(clickId)) throw notFound("click");
      return figuresInTurn(tenant.orgId, async (tx) => {
        await takeLock(tx, tenant.orgId, "figures");
        const before = await store.findSuspect(tx, tenant.orgId, clickId);
        if (!before) throw notFound("click");
        const review = reviewOf(before.click, input, tenant.actor.id, new Date(clock()));
        const from = store.statusOf(before.click);
        const changes = changesOf(auditedFields(before.click), auditedFields(review));
        if (Object.keys(changes).length === 0) return present(before);
        const click = await store.saveReview(
          tx,
          tenant.orgId,
          before.click,
          review,
          isBotAfter(before.click, input.status),
        );
        await moveFigures(statementsOn(tx), [{ click, from }], input.status);
        await recordAudit(tx, tenant, {
          action: "abuse.review",
          resourceType: "click",
          resourceId: click.id,
          changes,
        });
        return present({ ...before, click });
      });
    },

    /** Throws 400 if neither an address nor a link is given, 404, and 503 as `review` does. */
    async reviewAll(tenant: Tenant, input: AbuseBulkInput): Promise<AbuseBulkOutcome> {
      checkChosen(input);
      return reviewChosen(tenant, input, await chosenOf(tenant.orgId, input), new Date(clock()));
    },
  };

  async function chosenOf(orgId: OrgId, input: ChosenInput): Promise<ClickSelection> {
    const chosen = parseSelection(input);
    if (chosen.linkId !== undefined && !(await store.hasLink(db, orgId, chosen.linkId)))
      throw notFoundInField("linkId", "link");
    return chosen;
  }
}

function reviewOf(click: store.SuspectRow, { status, note }: AbuseReviewInput, by: string | null, at: Date) {
  const isPending = status === "pending";
  const reviewNote = note === undefined ? click.reviewNote : note || null;
  return {
    verdict: isPending ? null : status,
    reviewedBy: isPending ? null : by,
    reviewedAt: isPending ? null : at,
    reviewNote,
  };
}

const auditedFields = (review: store.Review) => ({ status: store.statusOf(review), note: review.reviewNote });
