/** Links as they are, to show them. */
import type { Link } from "@/contract/links/links";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { notFound } from "@/http/errors";
import { pageOf } from "@/http/page";
import type { Drizzle } from "@/platform/db/client";
import type { ShortUrlOf } from "@/platform/link-cache/source";
import { type LinkFilter, listLinks } from "./list";
import { presentLink } from "./present";
import * as store from "./store";

export function createLinkReader({ db, shortUrlOf }: { db: Drizzle; shortUrlOf: ShortUrlOf }) {
  const present = (record: store.LinkRecord) => presentLink(record, shortUrlOf);

  return {
    existing,

    /** Throws 404. */
    async get(tenant: Tenant, id: string): Promise<Link> {
      return present(await existing(tenant, id));
    },

    async list(tenant: Tenant, filter: LinkFilter, page: number, limit: number) {
      const { rows, total, isEstimate } = await listLinks(db, tenant.orgId, filter, { page, limit });
      return { links: rows.map(present), ...pageOf(page, limit, total, isEstimate) };
    },

    /** The links with these ids, deleted ones included; those that are not the organization's are absent. */
    async ofAnyState(orgId: OrgId, ids: string[]): Promise<Map<string, Link & { isDeleted: boolean }>> {
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
