/**
 * Changes or deletes many links in one request, `PART_LINKS` at a time, each part in one transaction. A link that
 * cannot be changed does not affect the others. Repeating the request does what was left undone.
 *
 * Bounds: `BULK_CHANGES_MAX` links, and `HASHES_MAX` comparisons of passwords. If the process crashes, the client
 * disconnects or a dependency fails, some parts are done completely and the others not at all; a client that is still
 * connected is told which.
 */
import {
  type BulkChanges,
  type BulkDeleteInput,
  type BulkDeleteResult,
  type BulkUpdateInput,
  type BulkUpdateResult,
  BulkUpdateInput as BulkUpdateSchema,
} from "@/contract/links/bulk-changes";
import { LINK_LIMITS, type Link } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { withFaultPrefix } from "@/http/body/combined-faults";
import { unknownFieldFaults } from "@/http/body/unlisted-fields";
import { HttpError, invalid, notFound } from "@/http/errors";
import { toHttpError } from "@/http/wire";
import type { Tx } from "@/platform/db/tx";
import { draftPasswordOf, draftValuesOf, isLinkPassword, type LinkValidator } from "../link-validator";
import type { NoteRoutingChange } from "../make";
import { inTransaction, removeAll, rewriteAll } from "../rewrite";
import type { LinkServiceOptions } from "../service";
import type { LinkRecord, LinkRow, LinkValues } from "../store";
import { checkedTags } from "../validate";
import { createLinkSelection, type Selected } from "./link-selection";

const PART_LINKS = 100;
/** Comparing that many takes a few seconds. */
const HASHES_MAX = 100;

export interface BulkChangesOptions extends LinkServiceOptions {
  judge: Pick<LinkValidator, "checkedChanges">;
  present(record: LinkRecord): Link;
}

/** Returns, for each link in order, its part of the response or the reason why nothing was done. */
type Step<Done> = (tx: Tx, links: LinkRecord[], changed: NoteRoutingChange) => Promise<(Done | HttpError)[]>;

export function createBulkChanges(options: BulkChangesOptions) {
  const { judge, present } = options;
  const select = createLinkSelection(options);
  return { updateMany, removeMany };

  /**
   * Throws 400 for invalid changes or an invalid selection, 404 for another organization's app or domain, and 409 if
   * the selection does not have the expected number of links.
   */
  async function updateMany(tenant: Tenant, input: BulkUpdateInput): Promise<BulkUpdateResult> {
    const faults = unknownFieldFaults(BulkUpdateSchema, input);
    if (faults.length > 0) throw invalid(faults);
    const change = await withFaultPrefix("changes", () => checkedChanges(tenant, input.changes));
    const selected = await select(tenant, input);
    const hashes = await hashesOf(tenant, input.changes, selected);
    const valuesOf = (before: LinkRow) => {
      const { passwordHash, ...values } = change(before);
      return passwordHash === undefined || hashes.has(before.passwordHash) ? values : { ...values, passwordHash };
    };
    const { done, errors } = await eachOf(options, tenant, selected, async (tx, links, changed) => {
      const wanted = links.map(({ link, domain }) => ({ id: link.id, domain, valuesOf }));
      const rows = await rewriteAll(options, tx, tenant, wanted, changed);
      return links.map((record, place) => {
        const link = rows[place] ?? notFound("link");
        return link instanceof HttpError ? link : present({ ...record, link });
      });
    });
    return { updated: done, errors };
  }

  /** Throws as `updateMany` does. */
  async function removeMany(tenant: Tenant, input: BulkDeleteInput): Promise<BulkDeleteResult> {
    const faults = unknownFieldFaults(BulkUpdateSchema, input);
    if (faults.length > 0) throw invalid(faults);
    const { done, errors } = await eachOf(options, tenant, await select(tenant, input), async (tx, links, changed) => {
      const wanted = links.map(({ link, domain }) => ({ id: link.id, domain }));
      const rows = await removeAll(options, tx, tenant, wanted, changed);
      return rows.map((row) => (row instanceof HttpError ? row : row.id));
    });
    return { deleted: done, errors };
  }

  /** Returns a function that returns the column values with which to update a link's row. */
  async function checkedChanges(tenant: Tenant, { addTags, removeTags, ...changes }: BulkChanges) {
    if (changes.tags !== undefined && (addTags ?? removeTags))
      throw invalid(["tags: send either tags, or addTags and removeTags"]);
    const fields = await judge.checkedChanges(tenant, changes);
    const values = { ...draftValuesOf(fields), ...(await draftPasswordOf(fields, tenant)) };
    const [added, dropped] = [addTags ?? [], removeTags ?? []].map(checkedTags);
    return (before: LinkRow): Partial<LinkValues> =>
      addTags || removeTags ? { ...values, tags: retagged(before.tags, added ?? [], dropped ?? []) } : values;
  }
}

/**
 * Returns those of the links' hashes that are of the new password, which changes nothing for their links. Compares at
 * most `HASHES_MAX`, those of most links first: links that got their password together have the same one.
 */
async function hashesOf(tenant: Tenant, { password }: BulkChanges, selected: readonly Selected[]) {
  const found = new Set<string | null>();
  if (!password) return found;
  const hashes = selected.flatMap(({ record }) => record?.link.passwordHash ?? []);
  const byHash = [...Map.groupBy(hashes, (hash) => hash)].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [hash] of byHash.slice(0, HASHES_MAX)) if (await isLinkPassword(hash, password, tenant)) found.add(hash);
  return found;
}

async function eachOf<Done>(options: LinkServiceOptions, tenant: Tenant, links: readonly Selected[], step: Step<Done>) {
  const outcomes = new Map<Selected, Done | HttpError>();
  const left = [...links];
  while (left.length > 0 && !tenant.signal?.aborted) {
    const part = left.splice(0, PART_LINKS);
    try {
      const done = await inTransaction(options, tenant, (tx, changed) => partOf(tx, part, changed, step));
      for (const [link, outcome] of done) outcomes.set(link, outcome);
    } catch (error) {
      const failure = toHttpError(error);
      if (outcomes.size === 0 || failure.status === 500) throw error;
      // Reports what was done so far. If a dependency is unavailable (503), the remaining parts are not tried.
      for (const link of failure.status === 503 ? [...part, ...left.splice(0)] : part) outcomes.set(link, failure);
    }
  }
  return resultOf(links, outcomes);
}

async function partOf<Done>(tx: Tx, part: readonly Selected[], changed: NoteRoutingChange, step: Step<Done>) {
  const known = part.flatMap((link) => (link.record ? [{ link, record: link.record }] : []));
  const records = known.map(({ record }) => record);
  const outcomes = await step(tx, records, changed);
  const byLink = new Map(known.map(({ link }, place) => [link, outcomes[place]]));
  return part.map((link) => [link, byLink.get(link) ?? notFound("link")] as const);
}

function resultOf<Done>(links: readonly Selected[], outcomes: ReadonlyMap<Selected, Done | HttpError>) {
  const done: Done[] = [];
  const errors: BulkUpdateResult["errors"] = [];
  for (const link of links) {
    const outcome = outcomes.get(link);
    if (outcome instanceof HttpError) {
      const { message: error, details = [] } = outcome;
      errors.push({ index: link.index, _id: link.id, error, details });
    } else if (outcome !== undefined) done.push(outcome);
  }
  return { done, errors };
}

/** Throws 400 if the link would have too many tags. */
function retagged(tags: readonly string[], added: readonly string[], dropped: readonly string[]): string[] {
  const kept = [...new Set([...tags, ...added])].filter((tag) => !dropped.includes(tag));
  if (kept.length > LINK_LIMITS.tagsMax) throw invalid([`tags: a link has at most ${LINK_LIMITS.tagsMax}`]);
  return kept;
}
