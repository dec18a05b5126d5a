/**
 * Finds the owners of icons and stores the icons made so far. Ids are public, so nothing here takes an organization.
 */
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { appProfiles, bioPages, domains, icons, links, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { cardImageTag } from "@/platform/images/card-image";

type OwnerType = (typeof icons.$inferSelect)["ownerType"];
/** Owners that have an icon whether or not they name an image. */
export type NamedType = Extract<OwnerType, "app" | "domain" | "organization">;

interface Owner {
  type: OwnerType;
  id: string;
}

/** The URL to fetch, and for which organization; null for the service's own domain. */
export interface ImageSource {
  orgId: string | null;
  sourceUrl: string;
}

export interface SourcedOwner extends Owner, ImageSource {}

/** The owner of an icon, and what the icon is made of. */
export interface IconOwner extends Owner, Pick<ImageSource, "orgId"> {
  name: string;
  accentColor: string | undefined;
  sourceUrl: string | undefined;
}

export type IconRow = typeof icons.$inferSelect;

export function findOwner(db: Db, type: NamedType, id: string): Promise<IconOwner | undefined> {
  switch (type) {
    case "app":
      return findApp(db, id);
    case "domain":
      return findDomain(db, id);
    case "organization":
      return findOrganization(db, id);
  }
}

async function findApp(db: Db, id: string): Promise<IconOwner | undefined> {
  const [row] = await db
    .select({
      orgId: appProfiles.orgId,
      name: appProfiles.name,
      iconUrl: appProfiles.iconUrl,
      branding: organizations.branding,
    })
    .from(appProfiles)
    .innerJoin(organizations, eq(organizations.id, appProfiles.orgId))
    .where(eq(appProfiles.id, id))
    .limit(1);
  if (!row) return undefined;
  const { orgId, name, iconUrl, branding } = row;
  return { type: "app", id, orgId, name, accentColor: branding.accentColor, sourceUrl: iconUrl ?? undefined };
}

/**
 * Uses the icon of the domain's own app, else that of the profile without a path prefix, else the organization's
 * logo.
 */
async function findDomain(db: Db, id: string): Promise<IconOwner | undefined> {
  const [row] = await db
    .select({
      hostname: domains.hostname,
      orgId: domains.orgId,
      iconUrl: sql<string | null>`${domains.appConfig} ->> 'iconUrl'`,
      organization: { name: organizations.name, branding: organizations.branding },
    })
    .from(domains)
    .leftJoin(organizations, eq(organizations.id, domains.orgId))
    .where(eq(domains.id, id))
    .limit(1);
  if (!row) return undefined;
  const { hostname, orgId, organization } = row;
  const iconUrl = row.iconUrl ?? (orgId ? await findRootIcon(db, orgId) : undefined);
  return {
    type: "domain",
    id,
    orgId,
    name: nameOf(organization) ?? hostname,
    accentColor: organization?.branding.accentColor,
    sourceUrl: iconUrl ?? organization?.branding.logoUrl,
  };
}

async function findRootIcon(db: Db, orgId: string): Promise<string | null | undefined> {
  const [profile] = await db
    .select({ iconUrl: appProfiles.iconUrl })
    .from(appProfiles)
    .where(and(eq(appProfiles.orgId, orgId), sql`coalesce(${appProfiles.pathPrefix}, '') = ''`))
    .orderBy(asc(appProfiles.id))
    .limit(1);
  return profile?.iconUrl;
}

async function findOrganization(db: Db, id: string): Promise<IconOwner | undefined> {
  const [row] = await db
    .select({ name: organizations.name, branding: organizations.branding })
    .from(organizations)
    .where(eq(organizations.id, id))
    .limit(1);
  if (!row) return undefined;
  const { accentColor, logoUrl } = row.branding;
  return { type: "organization", id, orgId: id, name: nameOf(row) ?? row.name, accentColor, sourceUrl: logoUrl };
}

const nameOf = (organization: { name: string; branding: { displayName?: string } } | null): string | undefined =>
  organization?.branding.displayName ?? organization?.name;

const isServed = and(isNull(links.deletedAt), links.isActive, sql`${links.safety} ->> 'status' <> 'unsafe'`);

/** Returns nothing for a link that must not be served. Other conditions, such as a password, do not hide the card. */
export async function findCardImage(db: Db, linkId: string): Promise<ImageSource | undefined> {
  const [row] = await db
    .select({ orgId: links.orgId, social: links.social })
    .from(links)
    .where(and(eq(links.id, linkId), isServed))
    .limit(1);
  return sourceOf(row?.orgId, row?.social?.imageUrl);
}

const sourceOf = (orgId: string | undefined, sourceUrl: string | undefined): ImageSource | undefined =>
  orgId !== undefined && sourceUrl ? { orgId, sourceUrl } : undefined;

/** Returns nothing for a bio page that must not be served. */
export async function findBioImage(db: Db, linkId: string, form: "avatar" | "cover"): Promise<ImageSource | undefined> {
  const [row] = await db
    .select({ orgId: links.orgId, theme: bioPages.theme })
    .from(bioPages)
    .innerJoin(links, eq(links.id, bioPages.linkId))
    .where(and(eq(links.id, linkId), isServed))
    .limit(1);
  return sourceOf(row?.orgId, form === "avatar" ? row?.theme.avatarUrl : row?.theme.coverUrl);
}

/** Finds the image of one of a page's items by the tag of its URL. Returns nothing for a page that must not be served. */
export async function findItemImage(db: Db, linkId: string, tag: string): Promise<ImageSource | undefined> {
  const [row] = await db
    .select({ orgId: links.orgId, items: bioPages.items })
    .from(bioPages)
    .innerJoin(links, eq(links.id, bioPages.linkId))
    .where(and(eq(links.id, linkId), isServed))
    .limit(1);
  const images = row?.items.flatMap(({ imageUrl }) => imageUrl ?? []) ?? [];
  return sourceOf(
    row?.orgId,
    images.find((imageUrl) => cardImageTag(imageUrl) === tag),
  );
}

const ofOwner = ({ type, id }: Owner) => and(eq(icons.ownerType, type), eq(icons.ownerId, id));

export async function findIcon(db: Db, owner: Owner): Promise<IconRow | undefined> {
  return (await db.select().from(icons).where(ofOwner(owner)).limit(1))[0];
}

/** If an icon could not be made again, keeps the one made from the same URL before. */
export async function saveIcon(db: Db, icon: IconRow): Promise<void> {
  const isSame = sql`excluded.png is null and ${icons.sourceUrl} = excluded.source_url`;
  await db
    .insert(icons)
    .values(icon)
    .onConflictDoUpdate({
      target: [icons.ownerType, icons.ownerId],
      set: {
        sourceUrl: icon.sourceUrl,
        fetchedAt: icon.fetchedAt,
        png: sql`case when ${isSame} then ${icons.png} else excluded.png end`,
        etag: sql`case when ${isSame} then ${icons.etag} else excluded.etag end`,
      },
    });
}
