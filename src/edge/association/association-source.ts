/** What a verified domain's association files are made of, read in one query. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { AssociatedProfile, AssociationSource } from "@/core/association/source";
import { appProfiles, bioPages, domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Null for a domain that is gone, not verified or nobody's. */
export type LoadAssociation = (domainId: string) => Promise<AssociationSource | null>;

/**
 * The domain's column is written out: where only one table is selected from, Drizzle names columns without it, and within
 * the subquery that would be the profile's own, so that all organizations' profiles were found.
 */
const profilesOfDomain = sql<AssociatedProfile[]>`(
  select coalesce(json_agg(json_build_object('pathPrefix', p.path_prefix, 'ios', p.ios, 'android', p.android)
    order by p.id), '[]')
  from ${appProfiles} p where p.org_id = ${domains}.org_id)`;

/** Live ones of the domain, which no app should open. */
const bioPagesOfDomain = sql<string[]>`(
  select coalesce(json_agg('/' || l.slug order by l.id), '[]')
  from ${bioPages} b join ${links} l on l.id = b.link_id
  where b.org_id = ${domains}.org_id and l.domain_id = ${domains}.id and l.deleted_at is null)`;

export const createAssociationSource =
  (db: Db): LoadAssociation =>
  async (domainId) => {
    const [row] = await db
      .select({
        appConfig: domains.appConfig,
        redirects: domains.redirects,
        isCaseSensitive: domains.isCaseSensitive,
        profiles: profilesOfDomain,
        pages: bioPagesOfDomain,
      })
      .from(domains)
      .where(and(eq(domains.id, domainId), eq(domains.isVerified, true), isNotNull(domains.orgId)))
      .limit(1);
    if (!row) return null;
    const { redirects, pages, ...source } = row;
    const excludedPaths = typeof redirects.root === "object" ? ["/", ...pages] : pages;
    return { ...source, excludedPaths };
  };
