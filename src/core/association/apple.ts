/**
 * Builds `apple-app-site-association`, which says which app opens which of a domain's links
 * (https://developer.apple.com/documentation/bundleresources/applinks).
 *
 * Each app has one entry. A phone takes the first component of an entry that matches, so exclusions come first, and
 * longer prefixes come before shorter ones. Where a prefix below one of an app's own belongs to another app, the
 * entry excludes it. Entries with the longest prefixes come first, for phones that have several of the apps. Phones
 * compare patterns with URLs as written, so patterns are percent-encoded. Whether case matters follows the domain's
 * short URLs.
 */
import { OWN_SEGMENTS } from "../names/reserved";
import { escapeSegment, slugKey } from "../names/slug";
import type { AssociationSource } from "./source";

export interface AppleComponent {
  "/": string;
  exclude?: true;
}

export interface AppleAssociation {
  applinks: {
    defaults: { caseSensitive: boolean };
    details: { appIDs: [string]; components: AppleComponent[] }[];
  };
  webcredentials: { apps: string[] };
}

/** An app and a path prefix whose links it opens. The empty prefix stands for all links. */
interface Claim {
  appId: string;
  prefix: string;
  key: string;
}

const WELL_KNOWN = "/.well-known/*";
/** The service's own pages: no short URL can have these paths where the dashboard is served. */
const OWN_PATHS = ["/", ...[...OWN_SEGMENTS].flatMap((segment) => [`/${segment}`, `/${segment}/*`])];

export function appleAssociation(source: AssociationSource): AppleAssociation {
  const claims = claimsOf(source).toSorted(longestFirst);
  const appIds = [...new Set(claims.map(({ appId }) => appId))];
  const own = source.isDashboard ? OWN_PATHS : [];
  const excluded = [WELL_KNOWN, ...own, ...source.excludedPaths.map(encodePath)].map(exclusion);
  const details = appIds.map((appId): AppleAssociation["applinks"]["details"][number] => ({
    appIDs: [appId],
    components: [...excluded, ...componentsOf(appId, claims)],
  }));
  const defaults = { caseSensitive: source.isCaseSensitive };
  return { applinks: { defaults, details }, webcredentials: { apps: appIds } };
}

function claimsOf({ profiles, appConfig, isCaseSensitive }: AssociationSource): Claim[] {
  const all = [...profiles, { pathPrefix: null, ios: appConfig.ios }];
  return all.flatMap(({ pathPrefix, ios }) => {
    if (!ios?.teamId || !ios.bundleId) return [];
    const prefix = pathPrefix ?? "";
    return [{ appId: `${ios.teamId}.${ios.bundleId}`, prefix, key: slugKey(prefix, isCaseSensitive) }];
  });
}

/**
 * Returns the app's own prefixes, and excludes other apps' prefixes below them. Expects `claims` longest prefix
 * first.
 */
function componentsOf(appId: string, claims: Claim[]): AppleComponent[] {
  const own = new Set(claims.filter((claim) => claim.appId === appId).map(({ key }) => key));
  const concerning = claims.filter(({ key }) => own.has(key) || [...own].some((outer) => isBelow(key, outer)));
  const patterns = concerning.map(({ key, prefix }) => [patternOf(prefix), own.has(key)] as const);
  return [...new Map(patterns)].map(([pattern, isOwn]) => (isOwn ? { "/": pattern } : exclusion(pattern)));
}

const patternOf = (prefix: string): string => (prefix === "" ? "/*" : `${encodePath(`/${prefix}`)}/*`);

const exclusion = (pattern: string): AppleComponent => ({ "/": pattern, exclude: true });

const isBelow = (key: string, outer: string): boolean => key !== "" && (outer === "" || key.startsWith(`${outer}/`));

const longestFirst = (one: Claim, other: Claim): number => depthOf(other) - depthOf(one);

const depthOf = ({ key }: Claim): number => (key === "" ? 0 : key.split("/").length);

const encodePath = (path: string): string => path.split("/").map(escapeSegment).join("/");
