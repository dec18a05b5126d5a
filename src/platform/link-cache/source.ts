/** Links as the edge needs them, read from Postgres in one query by address or by id. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AppTarget } from "@/contract/routing";
import type { LinkDefinition } from "@/core/link";
import { appProfiles, domains, links, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { type Address, addressKey } from "./address";

export interface SourcedLink {
  definition: LinkDefinition;
  /** Where it is cached; of the domain's own host name. */
  key: string;
}

export interface LinkSource {
  /** The live link at an address of a verified domain. */
  byAddress(address: Address): Promise<SourcedLink | null>;
  /** A link that is not deleted, whatever its domain's state. */
  byId(id: string): Promise<SourcedLink | null>;
}

const byDefault = sql<boolean>`coalesce((${organizations.settings} ->> 'appendClickId')::boolean, false)`;

/** The app of a link without one of its own: the profile whose prefix matches longest. */
const prefixProfile = sql`(
  select p.id from ${appProfiles} p
  where p.org_id = ${links.orgId} and ${domains.orgId} = ${links.orgId}
    and (coalesce(p.path_prefix, '') = '' or ${links.prefixKey} = lower(p.path_prefix)
      or starts_with(${links.prefixKey}, lower(p.path_prefix) || '/'))
  order by length(coalesce(p.path_prefix, '')) desc, p.id limit 1)`;

export function createLinkSource(db: Db, shortUrlOf: ShortUrlOf): LinkSource {
  const find = async (condition: SQL | undefined): Promise<SourcedLink | null> => {
    const rows = await db
      .select({
        link: links,
        domain: domains,
        app: appProfiles,
        appendClickId: byDefault,
        orgVersion: organizations.routingVersion,
      })
      .from(links)
      .innerJoin(domains, eq(domains.id, links.domainId))
      .innerJoin(organizations, eq(organizations.id, links.orgId))
      .leftJoin(
        appProfiles,
        and(
          eq(appProfiles.orgId, links.orgId),
          eq(appProfiles.id, sql`coalesce(${links.appProfileId}, ${prefixProfile})`),
        ),
      )
      .where(and(isNull(links.deletedAt), condition))
      .limit(1);
    return rows[0] ? toSourced(rows[0], shortUrlOf) : null;
  };
  return {
    byAddress: ({ host, prefix, slug }) =>
      find(
        and(
          eq(domains.hostname, host),
          eq(domains.isVerified, true),
          eq(links.prefixKey, prefix),
          eq(links.slugKey, slug),
        ),
      ),
    byId: (id) => find(eq(links.id, id)),
  };
}

export type ShortUrlOf = (
  domain: Pick<typeof domains.$inferSelect, "hostname" | "orgId">,
  link: Pick<typeof links.$inferSelect, "pathPrefix" | "slug">,
) => string;

/** The shared domain speaks the scheme of the service's own origin; custom domains are always https. */
export const shortUrls =
  (baseUrl: string): ShortUrlOf =>
  (domain, { pathPrefix, slug }) => {
    const origin =
      domain.orgId === null ? `${new URL(baseUrl).protocol}//${domain.hostname}` : `https://${domain.hostname}`;
    const path = [...pathPrefix.split("/"), slug].filter(Boolean).map(encodeURIComponent).join("/");
    return `${origin}/${path}`;
  };

interface Row {
  link: typeof links.$inferSelect;
  domain: typeof domains.$inferSelect;
  app: typeof appProfiles.$inferSelect | null;
  appendClickId: boolean;
  orgVersion: number;
}

function toSourced({ link, domain, app, appendClickId, orgVersion }: Row, shortUrlOf: ShortUrlOf): SourcedLink {
  const { id, number, version, orgId, title, defaultUrl, rules, splitTargets, deepLinkPayload, utm, marketing } = link;
  const definition: LinkDefinition = {
    id,
    number,
    version,
    orgId,
    orgVersion,
    title,
    shortUrl: shortUrlOf(domain, link),
    defaultUrl,
    rules,
    splitTargets,
    deepLinkPayload,
    utm,
    marketing,
    app: app ? appTarget(app) : appTarget(domain.orgId === link.orgId ? domain.appConfig : {}),
    appendClickId,
    gate: {
      isActive: link.isActive,
      isDomainVerified: domain.isVerified,
      isUnsafe: link.safety.status === "unsafe",
      startsAt: link.startsAt?.getTime() ?? null,
      expiresAt: link.expiresAt?.getTime() ?? null,
      maxClicks: link.maxClicks,
      passwordHash: link.passwordHash,
    },
  };
  const key = addressKey({ host: domain.hostname, prefix: link.prefixKey, slug: link.slugKey });
  return { definition, key };
}

/** A profile and a domain's `appConfig` have the same fields. */
function appTarget(
  config: Partial<Pick<typeof appProfiles.$inferSelect, "ios" | "android" | "fallback">>,
): AppTarget | null {
  const { ios, android, fallback } = config;
  if (!ios && !android) return null;
  return { ios: ios ?? undefined, android: android ?? undefined, fallback: fallback === "web" ? "web" : "store" };
}
