/**
 * Many links in one request: each judged as in a single creation and for itself, then all that are fit made in one
 * transaction. What is wrong with one leaves the others: the first of two with the same slug has it, and what the plan has
 * room for is made of the first. They are judged one at a time, so that a batch takes no connections and password hashes
 * from others.
 *
 * Bounds: `BULK_LINKS_MAX` and the plan's own. A crash leaves none of them, and so does a client that hangs up before they
 * are made, or a dependency that is away. Where Postgres refuses the transaction for a fault of ours with one link, or
 * since two batches wait for each other, each link is made in a transaction of its own.
 */
import { BULK_LINKS_MAX, type BulkLinkResult } from "@/contract/links/bulk-links";
import { type Link, LinkInput } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { mended, textFaults } from "@/http/body";
import { HttpError, invalid } from "@/http/errors";
import { faultsOf } from "@/http/together";
import { readerOf } from "@/http/validation";
import { toHttpError } from "@/http/wire";
import type { Plans } from "@/modules/plans/service";
import { hindranceOf } from "@/platform/db/faults";
import type { Log } from "@/platform/telemetry/log";
import type { LinkDraft } from "../make";
import type { LinkService } from "../service";

export interface BulkLinksOptions {
  links: Pick<LinkService, "check" | "drafting" | "createMany">;
  plans: Pick<Plans, "entitlements">;
  log: Log;
}

export type BulkLinks = ReturnType<typeof createBulkLinks>;

/** Of one link, so that the answer does not outgrow the request. */
const DETAILS_MAX = 20;

const readLink = readerOf(LinkInput);

type Draft = { index: number; draft: LinkDraft };

export function createBulkLinks({ links, plans, log }: BulkLinksOptions) {
  /** Throws 400 for more than the plan allows at once, and 503 when a dependency is away before any link is made. */
  return async (tenant: Tenant, inputs: unknown[], requestId: string): Promise<BulkLinkResult> => {
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
    if (!tenant.signal?.aborted) await makeAll(tenant, fit, outcomes, requestId);
    return resultOf(outcomes);
  };

  async function makeAll(tenant: Tenant, fit: Draft[], outcomes: (Link | HttpError | undefined)[], requestId: string) {
    try {
      const made = await links.createMany(
        tenant,
        fit.map(({ draft }) => draft),
      );
      for (const [place, { index }] of fit.entries()) outcomes[index] = made[place];
    } catch (error) {
      if (toHttpError(error).status === 503 && hindranceOf(error) !== "entangled") throw error;
      await makeEach(tenant, fit, outcomes, requestId);
    }
  }

  /** Once a dependency is away nothing more is tried; then what was made is told all the same. */
  async function makeEach(tenant: Tenant, fit: Draft[], outcomes: (Link | HttpError | undefined)[], requestId: string) {
    let away: HttpError | undefined;
    for (const { index, draft } of fit) {
      const alone = async () => (await links.createMany(tenant, [draft]))[0];
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

  /** Throws 400 with every fault, as the access check and the route do of a single link. */
  async function checkedInput(tenant: Tenant, input: unknown): Promise<LinkInput> {
    const unfit = textFaults(input);
    const read = readLink(unfit.length > 0 ? mended(input) : input);
    if (read.ok && unfit.length === 0) return read.value;
    const others = await faultsOf(() => links.check(tenant, read.ok ? read.value : read.sound));
    throw invalid([...new Set([...unfit, ...(read.ok ? [] : read.faults), ...others])]);
  }

  /** What it comes to, or as what a single creation would have failed. */
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

function resultOf(outcomes: readonly (Link | HttpError | undefined)[]): BulkLinkResult {
  const { created, errors }: BulkLinkResult = { created: [], errors: [] };
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof HttpError) {
      errors.push({ index, error: outcome.message, details: (outcome.details ?? []).slice(0, DETAILS_MAX) });
    } else if (outcome) created.push(outcome);
  }
  return { created, errors };
}
