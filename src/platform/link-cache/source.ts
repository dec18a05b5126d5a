/** Reads links from Postgres as the edge needs them, in one query (bio pages take two). */
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { AppTarget } from "@/contract/routing";
import type { LinkDefinition, ServedPage } from "@/core/routing/link";
import { profileOfLink } from "@/core/routing/link-app";
import { appProfiles, domains, links, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { type Address, addressKey } from "./address";
import { readBioPage } from "./bio-page";
import { gateOf } from "./gate-of";
import { servedPageOf, servedSocialOf } from "./link-page";
import type { ShortUrlOf } from "./short-urls";

export interface SourcedLink {
  definition: LinkDefinition;
  /** The key it is cached under, with the domain's own host name. */
  key: string;
}

export interface LinkSource {
  /** Finds the live link at an address of a verified domain. */
  byAddress(address: Address): Promise<SourcedLink | null>;
  /** Finds a link that is not deleted, whatever the state of its domain. */
  byId(id: string): Promise<SourcedLink | null>;
  /** Finds many links that are not deleted; the map's keys are their ids. */
  byIds(ids: readonly string[]): Promise<Map<string, LinkDefinition>>;
  /** Finds a link by its number even if it is deleted, because match tokens issued for a link outlive it. */
  byNumber(number: number): Promise<SourcedLink | null>;
  /**
   * Returns the definition that a row would have if it were stored, without a bio page's content. Throws if its
   * domain or organization does not exist.
   */
  ofRow(link: LinkRow): Promise<LinkDefinition>;
}

const byDefault = sql<boolean>`coalesce((${organizations.settings} ->> 'appendClickId')::boolean, false)`;

/**
 * The app profiles that may apply to a link: the one it names and, on a domain of its organization, those whose
 * prefix may match. `profileOfLink` makes the choice, because Postgres folds case differently and domains differ in
 * whether they fold it.
 */
const profilesOfLink = sql<LinkProfile[]>`(
  select coalesce(json_agg(json_build_object('id', p.id, 'pathPrefix', p.path_prefix,
    'ios', p.ios, 'android', p.android, 'fallback', p.fallback) order by p.id), '[]')
  from ${appProfiles} p
  where p.org_id = ${links.orgId} and (p.id = ${links.appProfileId} or (${domains.orgId} = ${links.orgId}
    and (coalesce(p.path_prefix, '') = '' or octet_length(p.path_prefix) > length(p.path_prefix)
      or starts_with(lower(${links.prefixKey}) || '/', lower(p.path_prefix) || '/')))))`;

export function createLinkSource(db: Db, shortUrlOf: ShortUrlOf): LinkSource {
  const findAll = async (condition: SQL | undefined, limit: number): Promise<SourcedLink[]> => {
    const rows = await db
      .select({
        link: links,
        domain: domains,
        profiles: profilesOfLink,
        appendClickId: byDefault,
        orgVersion: organizations.routingVersion,
      })
      .from(links)
      .innerJoin(domains, eq(domains.id, links.domainId))
      .innerJoin(organizations, eq(organizations.id, links.orgId))
      .where(condition)
      .limit(limit);
    return Promise.all(
      rows.map(async (row) => {
        const { id, kind } = row.link;
        const page = kind === "bio_page" ? await readBioPage(db, id, shortUrlOf) : servedPageOf(row.link);
        return toSourced(row, page, shortUrlOf);
      }),
    );
  };
  const find = async (condition: SQL | undefined) => (await findAll(condition, 1))[0] ?? null;
  const isLive = isNull(links.deletedAt);
  return {
    byAddress: ({ host, prefix, slug }) =>
      find(
        and(
          isLive,
          eq(domains.hostname, host),
          eq(domains.isVerified, true),
          eq(links.prefixKey, prefix),
          eq(links.slugKey, slug),
        ),
      ),
    byId: (id) => find(and(isLive, eq(links.id, id))),
    async byIds(ids) {
      const found = ids.length === 0 ? [] : await findAll(and(isLive, inArray(links.id, [...ids])), ids.length);
      return new Map(found.map(({ definition }) => [definition.id, definition]));
    },
    byNumber: (number) => find(eq(links.number, number)),
    async ofRow(link) {
      const { orgId, domainId, appProfileId, prefixKey } = link;
      const [row] = await db
        .select({
          domain: domains,
          profiles: profilesOfLink,
          appendClickId: byDefault,
          orgVersion: organizations.routingVersion,
        })
        .from(domains)
        .innerJoin(
          sql`(select ${orgId}::uuid as org_id, ${appProfileId}::uuid as app_profile_id, ${prefixKey}::text as prefix_key) as ${links}`,
          eq(domains.id, domainId),
        )
        .innerJoin(organizations, eq(organizations.id, orgId));
      if (!row) throw new Error(`Link ${link.id} has no domain or no organization`);
      return toSourced({ ...row, link }, servedPageOf(link), shortUrlOf).definition;
    },
  };
}

type LinkProfile = Pick<typeof appProfiles.$inferSelect, "id" | "pathPrefix" | "ios" | "android" | "fallback">;

type LinkRow = typeof links.$inferSelect;

interface Row {
  link: LinkRow;
  domain: typeof domains.$inferSelect;
  profiles: LinkProfile[];
  appendClickId: boolean;
  orgVersion: number;
}

function toSourced(
  { link, domain, profiles, appendClickId, orgVersion }: Row,
  page: ServedPage | null,
  shortUrlOf: ShortUrlOf,
): SourcedLink {
  const { id, number, version, orgId, title, defaultUrl, rules, splitTargets, deepLinkPayload, utm, marketing } = link;
  const profile = profileOfLink(profiles, link, domain.isCaseSensitive);
  const definition: LinkDefinition = {
    id,
    number,
    version,
    orgId,
    orgVersion,
    title,
    shortUrl: shortUrlOf(domain, link),
    defaultUrl,
    expiredUrl: link.expiredUrl,
    rules,
    splitTargets,
    deepLinkPayload,
    utm,
    marketing,
    app: profile
      ? appTarget(profile, `apps/${profile.id}`)
      : appTarget(domain.orgId === link.orgId ? domain.appConfig : {}, `domains/${domain.id}`),
    appendClickId,
    page,
    social: servedSocialOf(link),
    gate: gateOf(link, domain),
  };
  const key = addressKey({ host: domain.hostname, prefix: link.prefixKey, slug: link.slugKey });
  return { definition, key };
}

/**
 * Accepts a profile or a domain's `appConfig`, which have the same fields. Leaves out what only association files
 * need.
 */
function appTarget(app: Partial<Pick<LinkProfile, "ios" | "android" | "fallback">>, face: string): AppTarget | null {
  const { ios, android, fallback } = app;
  if (!ios && !android) return null;
  const { appStoreId, bundleId, providerToken, campaignName } = ios ?? {};
  const target: AppTarget = { fallback: fallback === "web" ? "web" : "store", face };
  if (ios) target.ios = { appStoreId, bundleId, scheme: ios.scheme, providerToken, campaignName };
  if (android) target.android = { packageName: android.packageName, scheme: android.scheme };
  return target;
}
