/**
 * Builds `apple-app-site-association`, which says which app opens which of a domain's links
 * (https://developer.apple.com/documentation/bundleresources/applinks).
 *
 * Each app is named in one entry. A phone takes the first component of an entry that matches, so exclusions come
 * first, and longer prefixes come before shorter ones. Where a prefix below one of an app's own belongs to another
 * app, the entry excludes it. Entries with the longest prefixes come first, for phones that have several of the apps.
 * Phones compare patterns with URLs as written, so patterns are percent-encoded. Whether case matters follows the
 * domain's short URLs.
 *
 * Phones ignore a file of more than 128 KB, so what is excluded is not repeated for each app: apps that open the same
 * paths share an entry, and an entry excludes only paths that could match its own patterns. Short URLs lead to the same
 * page with a slash at their end, but phones compare the whole path, so excluded pages are listed with it as well,
 * unless the file would become too long.
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
    details: { appIDs: string[]; components: AppleComponent[] }[];
  };
  webcredentials: { apps: string[] };
}

/** An app and a path prefix whose links it opens. The empty prefix stands for all links. */
interface Claim {
  appId: string;
  prefix: string;
  key: string;
}

/** The file is ASCII, so a character takes one byte. */
const BYTES_MAX = 128 * 1024;
const WELL_KNOWN = "/.well-known/*";
/** The service's own pages: no short URL can have these paths where the dashboard is served. */
const OWN_PATHS = ["/", ...[...OWN_SEGMENTS].flatMap((segment) => [`/${segment}`, `/${segment}/*`])];

/** A pattern that no app should open, and the key of its first segment. */
interface Hidden {
  pattern: string;
  start: string;
}

export function appleAssociation(source: AssociationSource): AppleAssociation {
  const { excludedPaths } = source;
  const whole = associationHiding(source, excludedPaths.flatMap(bothWays));
  return JSON.stringify(whole).length <= BYTES_MAX ? whole : associationHiding(source, excludedPaths);
}

const bothWays = (path: string): string[] => (path.endsWith("/") ? [path] : [path, `${path}/`]);

function associationHiding(source: AssociationSource, pages: readonly string[]): AppleAssociation {
  const claims = claimsOf(source).toSorted(longestFirst);
  const hidden = hiddenOf(source, pages);
  const appIds = [...new Set(claims.map(({ appId }) => appId))];
  const alike = Map.groupBy(appIds, (appId) => JSON.stringify(componentsOf([appId], claims)));
  const details = [...alike.values()].map((appIDs) => ({
    appIDs,
    components: [...exclusionsFor(appIDs, claims, hidden), ...componentsOf(appIDs, claims)],
  }));
  const defaults = { caseSensitive: source.isCaseSensitive };
  return { applinks: { defaults, details }, webcredentials: { apps: appIds } };
}

function hiddenOf({ isDashboard, isCaseSensitive }: AssociationSource, pages: readonly string[]): Hidden[] {
  const own = isDashboard ? OWN_PATHS.map((pattern) => ({ pattern, path: pattern })) : [];
  const paths = pages.map((path) => ({ pattern: encodePath(path), path }));
  return [...own, ...paths].map(({ pattern, path }) => ({
    pattern,
    start: slugKey(firstSegment(path.slice(1)), isCaseSensitive),
  }));
}

/** Excludes what the apps' own patterns could match otherwise. */
function exclusionsFor(appIds: readonly string[], claims: readonly Claim[], hidden: readonly Hidden[]) {
  const starts = new Set(claimsBy(appIds, claims).map(({ key }) => firstSegment(key)));
  const concerning = hidden.filter(({ start }) => starts.has("") || starts.has(start));
  return [WELL_KNOWN, ...concerning.map(({ pattern }) => pattern)].map(exclusion);
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
 * Returns the apps' own prefixes, and excludes other apps' prefixes below them. Expects `claims` longest prefix
 * first.
 */
function componentsOf(appIds: readonly string[], claims: readonly Claim[]): AppleComponent[] {
  const own = new Set(claimsBy(appIds, claims).map(({ key }) => key));
  const concerning = claims.filter(({ key }) => own.has(key) || [...own].some((outer) => isBelow(key, outer)));
  const patterns = concerning.map(({ key, prefix }) => [patternOf(prefix), own.has(key)] as const);
  return [...new Map(patterns)].map(([pattern, isOwn]) => (isOwn ? { "/": pattern } : exclusion(pattern)));
}

const claimsBy = (appIds: readonly string[], claims: readonly Claim[]): Claim[] =>
  claims.filter(({ appId }) => appIds.includes(appId));

const firstSegment = (path: string): string => path.split("/", 1).join();

const patternOf = (prefix: string): string => (prefix === "" ? "/*" : `${encodePath(`/${prefix}`)}/*`);

const exclusion = (pattern: string): AppleComponent => ({ "/": pattern, exclude: true });

const isBelow = (key: string, outer: string): boolean => key !== "" && (outer === "" || key.startsWith(`${outer}/`));

const longestFirst = (one: Claim, other: Claim): number => depthOf(other) - depthOf(one);

const depthOf = ({ key }: Claim): number => (key === "" ? 0 : key.split("/").length);

const encodePath = (path: string): string => path.split("/").map(escapeSegment).join("/");
