/**
 * Creates many links in one request. Each is checked independently, as in a single creation, then all valid ones are
 * created in one transaction. A fault in one does not affect the others: of two links with the same slug the first
 * gets it, and if the plan has too little room, the first links are created. Links are checked one at a time, so that
 * a batch does not take database connections and password hashing from other requests.
 *
 * Bounds: `BULK_LINKS_MAX` and the plan's own limit. If the process crashes, the client disconnects before the links
 * are created, or a dependency is unavailable, none is created. If the transaction fails because of an unexpected
 * error with one link, or because two batches deadlock, each link is created in its own transaction; with an
 * `Idempotency-Key`, which is for all or nothing, the request fails and can be sent again.
 */
import { BULK_LINKS_MAX, type BulkLinkResult } from "@/contract/links/bulk-links";
import { type Link, LinkInput } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { faultsOf } from "@/http/body/combined-faults";
import { ofListedFields, unfitIn, withoutUnfit } from "@/http/body/unfit";
import { createBodyReader } from "@/http/body/validation";
import { HttpError, invalid } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { toHttpError } from "@/http/wire";
import { replayAnswer } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import { isOrganizationDeleted, unavailableReasonOf } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";
import type { LinkDraft } from "../make";
import type { LinkService } from "../service";

export interface BulkLinksOptions {
  db: Db;
  links: Pick<LinkService, "check" | "drafting" | "createMany">;
  plans: Pick<Plans, "entitlements">;
  log: Log;
}

export type BulkLinks = ReturnType<typeof createBulkLinks>;

/** Fault details reported per link, so that the response does not outgrow the request. */
const DETAILS_MAX = 20;

const readLink = createBodyReader(LinkInput);

type Draft = { index: number; draft: LinkDraft };

export function createBulkLinks({ db, links, plans, log }: BulkLinksOptions) {
  /** Throws 400 for too many links, 404 if the organization was deleted, 503 if a dependency is away before any is made. */
  return async (tenant: Tenant, inputs: unknown[], requestId: string, once?: KeyedRequest): Promise<BulkLinkResult> => {
    const replayed = await replayAnswer<BulkLinkResult>(db, tenant.orgId, once);
    if (replayed) return replayed;
    await requireSize(tenant, inputs.length);
    const outcomes: (Link | HttpError | undefined)[] = [];
    const fit: Draft[] = [];
    const draft = links.drafting(tenant);
    for (const [index, input] of inputs.entries()) {
      if (tenant.signal?.aborted) break;
      const judged = await attempt(async () => draft(await checkedInput(tenant, input)), { requestId, index });
      if (!(judged instanceof HttpError)) fit.push({ index, draft: judged });
      else if (judged.status === 503) throw judged;
      else outcomes[index] = judged;
    }
    if (tenant.signal?.aborted) return resultOf(outcomes);
    const resultWith = (made: (Link | HttpError)[]) => {
      for (const [place, { index }] of fit.entries()) outcomes[index] = made[place];
      return resultOf(outcomes);
    };
    const drafts = fit.map(({ draft: one }) => one);
    return links.createMany(tenant, drafts, resultWith, once).catch(async (error: unknown) => {
      if (once || isOfAll(error)) throw error;
      await makeEach(tenant, fit, outcomes, requestId);
      return resultOf(outcomes);
    });
  };

  /** Stops trying once a dependency is unavailable; the links created until then are still reported. */
  async function makeEach(tenant: Tenant, fit: Draft[], outcomes: (Link | HttpError | undefined)[], requestId: string) {
    let away: HttpError | undefined;
    for (const { index, draft } of fit) {
      const alone = async () => (await links.createMany(tenant, [draft], (made) => made))[0];
      const outcome = away ?? (await attempt(alone, { requestId, index }));
      if (outcome instanceof HttpError && outcome.status === 503) away = outcome;
      outcomes[index] = outcome;
    }
    if (away && !outcomes.some((outcome) => outcome && !(outcome instanceof HttpError))) throw away;
  }

  async function requireSize(tenant: Tenant, count: number): Promise<void> {
    const { bulkLinks } = await plans.entitlements(tenant);
    const max = Math.min(bulkLinks, BULK_LINKS_MAX);
    if (count > max) throw invalid([`links: expected a list of 1 to ${max} links, the limit of your plan`]);
  }

  /** Throws 400 with every fault, as the access check and the route do for a single link. */
  async function checkedInput(tenant: Tenant, input: unknown): Promise<LinkInput> {
    const found = unfitIn(input);
    const read = readLink(withoutUnfit(input));
    const unfit = read.ok ? ofListedFields(found, read.value) : found;
    if (read.ok && unfit.length === 0) return read.value;
    const others = await faultsOf(() => links.check(tenant, read.ok ? read.value : read.sound));
    throw invalid([...new Set([...unfit.map(({ fault }) => fault), ...(read.ok ? [] : read.faults), ...others])]);
  }

  /** Returns the result of `work`, or the error that a single creation would have returned. */
  async function attempt<Result>(work: () => Promise<Result>, place: { requestId: string; index: number }) {
    try {
      return await work();
    } catch (error) {
      const failure = toHttpError(error);
      if (failure.status === 500) log.error("could not create a link of a bulk request", { ...place, error });
      return failure;
    }
  }
}

/** True if each link by itself would fail like all together. */
const isOfAll = (error: unknown): boolean =>
  isOrganizationDeleted(error) || (toHttpError(error).status === 503 && unavailableReasonOf(error) !== "entangled");

function resultOf(outcomes: readonly (Link | HttpError | undefined)[]): BulkLinkResult {
  const { created, errors }: BulkLinkResult = { created: [], errors: [] };
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof HttpError) {
      errors.push({ index, error: outcome.message, details: (outcome.details ?? []).slice(0, DETAILS_MAX) });
    } else if (outcome) created.push(outcome);
  }
  return { created, errors };
}
