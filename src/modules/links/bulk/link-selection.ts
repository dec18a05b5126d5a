/** Selects the links of a bulk change: by their ids, or as the links that a list with these filters shows. */
import { BULK_CHANGES_MAX, type BulkDeleteInput } from "@/contract/links/bulk-changes";
import { isUuid, type Tenant } from "@/core/ids";
import { storedTag } from "@/core/names/tag";
import { conflict, invalid } from "@/http/errors";
import { requireDomain } from "@/modules/addresses/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { listLinks } from "../list";
import type { LinkListFilter } from "../list-sources";
import { findLinks, type LinkRecord } from "../store";
import { checkedTags } from "../validate";

export interface Selected {
  index: number;
  id: string;
  /** Absent if the organization has no link with this id. */
  record?: LinkRecord;
}

/**
 * Returns a function that throws 400 for an ambiguous selection, 404 for another organization's domain, and 409 if
 * the number of links is not the expected one.
 */
export function createLinkSelection({ db, clock }: { db: Drizzle; clock: Clock }) {
  return async (tenant: Tenant, { ids, filter, expected }: BulkDeleteInput): Promise<Selected[]> => {
    if ((ids === undefined) === (filter === undefined)) throw invalid(["ids: send either ids or a filter"]);
    if (filter && expected === undefined) throw invalid(["expected: required with a filter"]);
    const links = filter ? await filtered(tenant, filter) : await named(tenant, ids ?? []);
    if (expected !== undefined && links.length !== expected) {
      throw conflict("The selection does not have the expected number of links", [
        `expected: ${links.length === 1 ? "1 link is" : `${links.length} links are`} selected`,
      ]);
    }
    return links;
  };

  /** An id that is listed twice is selected where it is listed first. */
  async function named({ orgId }: Tenant, listed: readonly string[]): Promise<Selected[]> {
    const ids = listed.map(comparableId);
    const places = new Map(ids.map((id, index) => [id, index] as const).toReversed());
    const records = await findLinks(db, orgId, [...places.keys()].filter(isUuid));
    const byId = new Map(records.map((record) => [record.link.id, record]));
    const selected = [...places].map(([id, index]) => ({ index, id, record: byId.get(id) }));
    return selected.toSorted((one, other) => one.index - other.index);
  }

  async function filtered(tenant: Tenant, filter: LinkListFilter): Promise<Selected[]> {
    if (filter.domainId !== undefined) await requireDomain(db, tenant, filter.domainId);
    const { rows } = await listLinks(db, tenant.orgId, {
      filter: {
        ...filter,
        tags: filter.tags && checkedTags([...filter.tags]),
        excludeTags: filter.excludeTags?.map(storedTag),
      },
      order: { sort: "createdAt", order: "desc" },
      page: 1,
      limit: BULK_CHANGES_MAX + 1,
      now: new Date(clock()),
    });
    if (rows.length > BULK_CHANGES_MAX) {
      throw invalid([`filter: selects more than ${BULK_CHANGES_MAX} links; narrow it and send several requests`]);
    }
    return rows.map((record, index) => ({ index, id: record.link.id, record }));
  }
}

/** Returns an id as Postgres writes it; any other text unchanged, since the response quotes it. */
const comparableId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);
