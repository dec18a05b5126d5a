/** Links as they are, to show them. */
import type { Link } from "@/contract/links/links";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { notFound } from "@/http/errors";
import { pagingOf } from "@/http/page";
import { requireDomain } from "@/modules/addresses/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { listLinks } from "./list";
import type { Listing } from "./list-places";
import { presentLink } from "./present";
import * as store from "./store";

export type AskedLinks = Omit<Listing, "now">;

export interface LinkReaderOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
}

export function createLinkReader({ db, clock, shortUrlOf }: LinkReaderOptions) {
  const present = (record: store.LinkRecord) => presentLink(record, shortUrlOf);

  return {
    existing,

    /** Throws 404. */
    async get(tenant: Tenant, id: string): Promise<Link> {
      return present(await existing(tenant, id));
    },

    /** Throws 404 for a foreign domain. */
    async list(tenant: Tenant, asked: AskedLinks) {
      const { page, limit, filter } = asked;
      if (filter.domainId !== undefined) await requireDomain(db, tenant, filter.domainId);
      const listing = { ...asked, now: new Date(clock()) };
      const { rows, total, isEstimate, nextCursor } = await listLinks(db, tenant.orgId, listing);
      return { links: rows.map(present), ...pagingOf(page, limit, total, isEstimate), nextCursor };
    },

    /** The links with these ids, deleted ones included; those that are not the organization's are absent. */
    async findIncludingDeleted(orgId: OrgId, ids: string[]): Promise<Map<string, Link & { isDeleted: boolean }>> {
      const records = ids.length > 0 ? await store.findLinksOfAnyState(db, orgId, ids) : [];
      const links = records.map((record) => ({ ...present(record), isDeleted: record.link.deletedAt !== null }));
      return new Map(links.map((link) => [link._id, link]));
    },
  };

  async function existing(tenant: Tenant, id: string): Promise<store.LinkRecord> {
    const record = isUuid(id) ? await store.findLink(db, tenant.orgId, id) : undefined;
    if (!record) throw notFound("link");
    return record;
  }
}
