/**
 * Many links in one request: each as in a single creation, one after the other and in a transaction of its own, so that
 * one that fails leaves the others as they are, the first of two with the same slug has it, and what the plan has room
 * for is made of the first. One at a time also keeps a batch from taking connections and password hashes from others.
 *
 * Bounds: `BULK_LINKS_MAX` and the plan's own. A crash leaves the links made so far, which nobody was told of, and so does
 * a client that hangs up: nothing more is made. Once a dependency is away nothing more is tried.
 */
import { BULK_LINKS_MAX, type BulkLinkResult } from "@/contract/bulk-links";
import { LinkInput } from "@/contract/links";
import type { Tenant } from "@/core/ids";
import { textFaults } from "@/http/body";
import { HttpError, invalid } from "@/http/errors";
import { faultsOf } from "@/http/together";
import { readerOf } from "@/http/validation";
import { toHttpError } from "@/http/wire";
import type { Plans } from "@/modules/plans/service";
import type { Log } from "@/platform/log";
import type { LinkService } from "./service";

export interface BulkLinksOptions {
  links: Pick<LinkService, "check" | "create">;
  plans: Pick<Plans, "entitlements">;
  log: Log;
}

export type BulkLinks = ReturnType<typeof createBulkLinks>;

/** Of one link, so that the answer does not outgrow the request. */
const DETAILS_MAX = 20;

const readLink = readerOf(LinkInput);

export function createBulkLinks({ links, plans, log }: BulkLinksOptions) {
  /** Throws 400 for more than the plan allows at once, and 503 when a dependency is away before any link is made. */
  return async (tenant: Tenant, inputs: unknown[], requestId: string): Promise<BulkLinkResult> => {
    await requireSize(tenant, inputs.length);
    const { created, errors }: BulkLinkResult = { created: [], errors: [] };
    let away: HttpError | undefined;
    for (const [index, input] of inputs.entries()) {
      if (tenant.signal?.aborted) break;
      const outcome = away ?? (await attempt(tenant, input, { requestId, index }));
      if (outcome instanceof HttpError) {
        if (outcome.status === 503) away = outcome;
        if (away && created.length === 0) throw away;
        errors.push({ index, error: outcome.message, details: (outcome.details ?? []).slice(0, DETAILS_MAX) });
      } else created.push(outcome);
    }
    return { created, errors };
  };

  async function requireSize(tenant: Tenant, count: number): Promise<void> {
    const { bulkLinks } = await plans.entitlements(tenant);
    const max = Math.min(bulkLinks, BULK_LINKS_MAX);
    if (count > max) throw invalid([`links: expected a list of 1 to ${max} links, as many as the plan allows at once`]);
  }

  /** Throws 400 with every fault, as the access check and the route do of a single link. */
  async function checkedInput(tenant: Tenant, input: unknown): Promise<LinkInput> {
    const unfit = textFaults(input);
    if (unfit.length > 0) throw invalid(unfit);
    const read = readLink(input);
    if (read.ok) return read.value;
    const others = await faultsOf(() => links.check(tenant, read.sound));
    throw invalid([...new Set([...read.faults, ...others])]);
  }

  /** The link, or as what a single creation would have failed. */
  async function attempt(tenant: Tenant, input: unknown, place: { requestId: string; index: number }) {
    try {
      return await links.create(tenant, await checkedInput(tenant, input));
    } catch (error) {
      const failure = toHttpError(error);
      if (failure.status === 500) log.error("a link of many could not be made", { ...place, error });
      return failure;
    }
  }
}
