/** Reads what a verified domain's association files contain, in one query. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { AssociatedProfile, AssociationSource } from "@/core/association/source";
import { appProfiles, bioPages, domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Resolves to null for a domain that is deleted, not verified, or belongs to no organization. */
export type LoadAssociation = (domainId: string) => Promise<AssociationSource | null>;

/**
 * Names the domain's table explicitly: when a query selects from a single table, Drizzle omits the table from column
 * names. Within the subquery, the bare name would be the profile's own column and match the profiles of all
 * organizations.
 */
const profilesOfDomain = sql<AssociatedProfile[]>`(
  select coalesce(json_agg(json_build_object('pathPrefix', p.path_prefix, 'ios', p.ios, 'android', p.android)
    order by p.id), '[]')
  from ${appProfiles} p where p.org_id = ${domains}.org_id)`;

/** The paths of the domain's bio pages that are not deleted. No app should open them. */
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
        isDashboard: sql<boolean>`coalesce(${domains.dashboard} ->> 'enabled' = 'true', false)`,
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
