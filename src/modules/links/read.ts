/** Reads links in order to show them. */
import type { LinkWithBlockers } from "@/contract/links/link-lists";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import type { DescribedLink } from "@/core/insights/described-link";
import { blockers } from "@/core/routing/gate";
import { notFound } from "@/http/errors";
import { withTag } from "@/http/headers/entity-tag";
import { pagingOf } from "@/http/page";
import { requireDomain } from "@/modules/addresses/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { gateOf } from "@/platform/link-cache/gate-of";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { listLinks } from "./list";
import type { Listing } from "./list-sources";
import { linkTag, presentLink } from "./present";
import * as store from "./store";

export type AskedLinks = Omit<Listing, "now">;

export interface LinkReaderOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
}

export function createLinkReader({ db, clock, shortUrlOf }: LinkReaderOptions) {
  const present = (record: store.LinkRecord) => presentLink(record, shortUrlOf);
  const withBlockers = (record: store.GatedRecord, now: number): LinkWithBlockers => {
    const { link, domain, admitted } = record;
    const facts = { now, admitted, password: "absent" } as const;
    const shown = { ...present(record), blockers: blockers(gateOf(link, domain), facts) };
    return withTag(shown, () => linkTag(link));
  };

  return {
    existing,

    /** Throws 404. */
    async get(tenant: Tenant, id: string): Promise<LinkWithBlockers> {
      const [record] = isUuid(id) ? await store.findGatedLinks(db, tenant.orgId, [id]) : [];
      if (!record) throw notFound("link");
      return withBlockers(record, clock());
    },

    /** Throws 404 for another organization's domain. */
    async list(tenant: Tenant, asked: AskedLinks) {
      const { page, limit, filter } = asked;
      if (filter.domainId !== undefined) await requireDomain(db, tenant, filter.domainId);
      const now = clock();
      const listing = { ...asked, now: new Date(now) };
      const { rows, total, isEstimate, nextCursor } = await listLinks(db, tenant.orgId, listing);
      const links = rows.map((record) => withBlockers(record, now));
      return { links, ...pagingOf(page, limit, total, isEstimate), nextCursor };
    },

    /**
     * Returns the links and bio pages with these ids, including deleted ones. Ids of other organizations' links are left
     * out.
     */
    async findIncludingDeleted(orgId: OrgId, ids: string[]): Promise<Map<string, DescribedLink>> {
      const records = ids.length > 0 ? await store.findLinksOfAnyState(db, orgId, ids) : [];
      const links = records.map((record) => ({
        ...present(record),
        isDeleted: record.link.deletedAt !== null,
        ...(record.link.kind === "bio_page" && { isBioPage: true as const }),
      }));
      return new Map(links.map((link) => [link._id, link]));
    },
  };

  async function existing(tenant: Tenant, id: string): Promise<store.LinkRecord> {
    const record = isUuid(id) ? await store.findLink(db, tenant.orgId, id) : undefined;
    if (!record) throw notFound("link");
    return record;
  }
}
