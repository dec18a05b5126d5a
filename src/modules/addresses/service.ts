/** The addresses that links and bio pages share: on which domain one may be created, and with which slug. */
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { lookAlikeKey } from "@/core/names/look-alikes";
import { beginsWithOwnSegment } from "@/core/names/reserved";
import { checkSlug, makeSlug, slugKey } from "@/core/names/slug";
import { conflict, HttpError, invalid, notFound, notFoundInField } from "@/http/errors";
import { violatedConstraint } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

const MADE_SLUG_TRIES = 5;
const DOMAIN_REFERENCE = "links_domain_id_domains_id_fk";

interface GivenSlug {
  slug: string;
  /** The slug as compared on domains that ignore case. */
  key: string;
}

/** Throws 400 for an invalid slug. */
export function checkedSlug(text: string): GivenSlug {
  const checked = checkSlug(text);
  if (!checked.ok) throw invalid([`slug: ${checked.fault}`]);
  return checked;
}

/**
 * Throws 400 if the path belongs to the service itself, on the shared domain or where the dashboard is served. Pass
 * `slug` and `prefix` as they are compared, and an empty slug if it is yet to be generated.
 */
export function refuseOwnPath(domain: store.AddressDomain, { prefix, slug }: { prefix: string; slug: string }): void {
  const isOwnHost = domain.orgId === null || domain.dashboard.enabled === true;
  if (!isOwnHost || !beginsWithOwnSegment({ prefix, slug })) return;
  throw reserved({ prefixKey: prefix }, domain);
}

const reserved = ({ prefixKey }: Pick<store.LinkRow, "prefixKey">, { hostname }: store.AddressDomain) =>
  invalid([`${prefixKey === "" ? "slug" : "pathPrefix"}: this word is reserved on ${hostname}`]);

/**
 * Finds the organization's domain with this id, or the shared one; without an id, its primary one. Throws 404, or 400
 * if unverified.
 */
export async function usableDomain(
  db: Db,
  { orgId }: Tenant,
  id: string | null | undefined,
): Promise<store.AddressDomain> {
  const domain = id
    ? isUuid(id) && (await store.findAddressDomain(db, orgId, id))
    : await store.findDefaultDomain(db, orgId);
  if (!domain) throw notFoundInField("domainId", "domain");
  if (!domain.isVerified) throw invalid(["domainId: the domain is not verified yet"]);
  return domain;
}

/** Throws 404 unless the domain is the organization's own, or the shared one. */
export async function requireDomain(db: Db, { orgId }: Tenant, id: string): Promise<void> {
  if (!(isUuid(id) && (await store.findAddressDomain(db, orgId, id)))) throw notFoundInField("domainId", "domain");
}

/** The default values of a row of `links`. */
export const blankRow = {
  ...{
    kind: "link",
    version: 1,
    deletedAt: null,
    appProfileId: null,
    pathPrefix: "",
    prefixKey: "",
    lookAlikeKey: null,
    formerHostname: null,
  },
  ...{ title: null, externalId: null, notes: null, isArchived: false, tags: [] },
  ...{ importedSource: null, importedId: null, clicksBefore: null, createdAt: null },
  ...{ rules: [], nextRuleNumber: 0, splitTargets: [], deepLinkPayload: null, utm: null, marketing: null },
  ...{ leadCapture: null, retargetingPixels: [], ctaOverlay: null, social: null },
  ...{ startsAt: null, expiresAt: null, expiredUrl: null, maxClicks: null, passwordHash: null, isActive: true },
  ...{ safety: { status: "unknown", reasons: [] }, safetyCheckedAt: null, destinationsCheckedAt: null },
} satisfies Partial<store.NewLinkRow>;

/** A requested address: at the given slug, or at a generated one. */
export interface WantedAddress {
  domain: store.AddressDomain;
  slug: GivenSlug | null;
  /** Throws 400 if the row must not have this slug. */
  rowAt(slug: string): PlacelessRow;
}

type PlacelessRow = Omit<store.LinkValues, "orgId" | "domainId" | keyof AddressKeys | "slug" | "lookAlikeKey"> & {
  id: string;
  /** Absent or null for a row that is created now. */
  createdAt?: Date | null;
};

/** Returns what to write in the same statement as the rows, for those of them that are inserted. */
export type ExtraStatementsOf = (rows: readonly PlacedRow[]) => readonly store.ExtraStatement[];

type AddressKeys = Pick<store.LinkRow, "slugKey" | "prefixKey">;

/** Returns the keys by which addresses are compared, and which are unique per domain. */
export const addressKeys = (
  { isCaseSensitive }: Pick<store.AddressDomain, "isCaseSensitive">,
  { pathPrefix = "", slug }: { pathPrefix?: string; slug: string },
): AddressKeys => ({ slugKey: slugKey(slug, isCaseSensitive), prefixKey: slugKey(pathPrefix, isCaseSensitive) });

/** Returns the key that addresses on the shared domain have in common if they look alike; null on other domains. */
export const lookAlikeKeyAt = (
  { orgId }: Pick<store.AddressDomain, "orgId">,
  { prefixKey, slugKey }: AddressKeys,
): string | null => (orgId === null ? lookAlikeKey(prefixKey ? `${prefixKey}/${slugKey}` : slugKey) : null);

/**
 * Inserts one row. Throws 409 if its slug or external id is in use, or the slug looks like one in use on the shared
 * domain, and 404 if the domain was deleted.
 */
export async function insertAtFreeSlug(tx: Db, orgId: OrgId, wanted: WantedAddress): Promise<store.LinkRow> {
  const [outcome] = await insertAtFreeSlugs(tx, orgId, [wanted], () => []);
  if (outcome instanceof HttpError || !outcome) throw outcome;
  return outcome;
}

/**
 * Returns, for each in order, the inserted row or the reason why there is none; of two with the same slug the first
 * gets it. Throws 404 if a domain was deleted. Outside a transaction, each try is one statement, so a single link is
 * created completely or not at all.
 */
export async function insertAtFreeSlugs(
  db: Db,
  orgId: OrgId,
  wanted: readonly WantedAddress[],
  alongsideOf: ExtraStatementsOf,
): Promise<(store.LinkRow | HttpError)[]> {
  const outcomes = new Map<WantedAddress, store.LinkRow | HttpError>();
  for (let tries = 0, open = wanted; open.length > 0 && tries < MADE_SLUG_TRIES; ) {
    for (const [one, row] of await insertOnce(db, orgId, open, outcomes, alongsideOf)) {
      const reason = await takenBy(db, orgId, row, one);
      if (reason) outcomes.set(one, reason);
    }
    const left = open.filter((one) => !outcomes.has(one));
    if (left.length === open.length) tries++;
    open = left;
  }
  return wanted.map((one) => outcomes.get(one) ?? taken());
}

/**
 * Does the same with one statement, which creates all that it creates or nothing. Returns undefined for those that need
 * another try, or are refused for what Postgres has.
 */
export async function insertAtFreeSlugsOnce(
  db: Db,
  orgId: OrgId,
  wanted: readonly WantedAddress[],
  alongsideOf: ExtraStatementsOf,
): Promise<(store.LinkRow | HttpError | undefined)[]> {
  const outcomes = new Map<WantedAddress, store.LinkRow | HttpError>();
  await insertOnce(db, orgId, wanted, outcomes, alongsideOf);
  return wanted.map((one) => outcomes.get(one));
}

/** Adds what is inserted or invalid to `outcomes`. Returns what was tried in vain. */
async function insertOnce(
  db: Db,
  orgId: OrgId,
  wanted: readonly WantedAddress[],
  outcomes: Map<WantedAddress, store.LinkRow | HttpError>,
  alongsideOf: ExtraStatementsOf,
): Promise<[of: WantedAddress, row: PlacedRow][]> {
  const rows = new Map(firstOfEachExternalId(wanted.flatMap((one) => placed(one, orgId, outcomes))));
  const inserted = rows.size > 0 ? await insertSorted(db, orgId, [...rows.keys()], alongsideOf) : [];
  const byId = new Map(inserted.map((row) => [row.id, row]));
  return [...rows].flatMap(([row, one]) => {
    const made = byId.get(row.id);
    if (made) outcomes.set(one, made);
    return made ? [] : [[one, row]];
  });
}

export type PlacedRow = store.NewLinkRow;

function placed(
  one: WantedAddress,
  orgId: OrgId,
  outcomes: Map<WantedAddress, store.LinkRow | HttpError>,
): [row: PlacedRow, of: WantedAddress][] {
  const { domain } = one;
  const { slug } = one.slug ?? checkedSlug(makeSlug((length) => crypto.getRandomValues(new Uint8Array(length))));
  try {
    const row = one.rowAt(slug);
    const keys = addressKeys(domain, { pathPrefix: row.pathPrefix, slug });
    const place = { orgId, domainId: domain.id, slug, ...keys, lookAlikeKey: lookAlikeKeyAt(domain, keys) };
    return [[{ ...blankRow, ...row, ...place }, one]];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    outcomes.set(one, error);
    return [];
  }
}

/** Of two links with the same external id the first gets it, as with slugs: the others wait for its outcome. */
function firstOfEachExternalId(rows: readonly [row: PlacedRow, of: WantedAddress][]) {
  const seen = new Set<string>();
  return rows.filter(([{ externalId }]) => !externalId || (!seen.has(externalId) && seen.add(externalId)));
}

/**
 * Inserts in the order of addresses, so that concurrent requests for the same ones wait for each other instead of
 * deadlocking.
 */
function insertSorted(
  db: Db,
  orgId: OrgId,
  rows: PlacedRow[],
  alongsideOf: ExtraStatementsOf,
): Promise<store.LinkRow[]> {
  const addressOf = ({ domainId, prefixKey, slugKey }: PlacedRow) => `${domainId} ${prefixKey}/${slugKey}`;
  const sorted = rows
    .map((row) => ({ row, address: addressOf(row) }))
    .sort((one, other) => (one.address < other.address ? -1 : one.address > other.address ? 1 : 0))
    .map(({ row }) => row);
  return store.insertUnlessTaken(db, orgId, sorted, alongsideOf(sorted)).catch((error: unknown) => {
    // The domain was deleted after it was looked up.
    throw violatedConstraint(error) === DOMAIN_REFERENCE ? notFound("domain") : error;
  });
}

/**
 * Returns the reason why a row was not inserted, or undefined if another try may work: with another slug, or because
 * what was in the way no longer is.
 */
async function takenBy(db: Db, orgId: OrgId, row: PlacedRow, one: WantedAddress): Promise<HttpError | undefined> {
  const { domainId, prefixKey, slugKey, externalId, appProfileId, lookAlikeKey: look } = row;
  if (appProfileId && (await store.keptApps(db, orgId, [appProfileId])).size === 0) return noSuchApp();
  if (store.isOnOwnPath(row) && (await store.servesDashboard(db, domainId))) return reserved(row, one.domain);
  if (externalId && (await store.findIdByExternalId(db, orgId, externalId))) return externalIdTaken();
  if (one.slug === null) return undefined;
  if (await store.isTaken(db, domainId, prefixKey, slugKey)) return taken();
  return look !== null && (await store.isLookAlikeTaken(db, domainId, look)) ? addressTooSimilar() : undefined;
}

/** Finds the organization's live link with this external id. */
export const linkIdByExternalId = store.findIdByExternalId;

export const lockApps = store.keptApps;

/** The organization has no app profile with the link's `appProfileId`. */
export const noSuchApp = () => notFoundInField("appProfileId", "app profile");

/** Another live link of the organization has this external id. */
export const externalIdTaken = () => conflict("Another link has this external id", ["externalId: already in use"]);

/** On the shared domain, another live link has an address that looks like this one. */
export const addressTooSimilar = () =>
  conflict("This slug looks too similar to one already used on its domain", [
    "slug: looks like one that is already in use",
  ]);

const taken = () => conflict("This slug is already used on its domain", ["slug: already in use"]);
