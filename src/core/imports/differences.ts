/**
 * Finds visitors whom a link leads elsewhere than it did at its source, by comparing that service's rules with those
 * that serve the link here.
 */
import { IMPORT_DIFFERENCES_MAX } from "@/contract/links/imports";
import { type CompiledLink, finalDestination, type Route } from "../routing/compiled-link";
import { additionsOf, normaliseDestination } from "../routing/destination";
import type { VisitorFacts } from "../routing/facts";
import { checkGate } from "../routing/gate";
import { onwardUrl } from "../routing/onward";
import { isCandidate } from "../routing/split";
import { storeOf, storeUrls, withAdditions } from "../routing/store";
import type { OldLink, OldRoute } from "./old-link";
import type { SourceRecord } from "./record";
import type { LinkOrigin } from "./source";
import { countriesOf, type RecheckedLink, visitorsFor } from "./visitors/choose";
import { type CheckedVisitor, DESKTOP, type ToldVisitor, toldVisitor, visitorWith } from "./visitors/visitor";

export interface LinkDifference {
  /** Only a summary in rows that were stored before visitors had fields. */
  visitor: ToldVisitor | string;
  /** Absent if `actual` was computed. */
  kind?: "asked";
  expected: string;
  actual: string;
}

/** Why an old address was not requested. */
export interface NotAsked {
  notAsked: string;
}

export interface OldAddressResponse {
  url: string;
  status: number;
  location?: string;
}

/** A row also has room for where its old address led. */
const COMPUTED_MAX = IMPORT_DIFFERENCES_MAX - 1;
const ENDED = "nowhere: the link has ended or is turned off";

/**
 * Returns undefined if the record does not say where any of the visitors was sent. What the usual visitors of a device
 * have is not listed again for others, and what a rule has not again for those who only test how rules go together.
 */
export function routeDifferences(
  origin: LinkOrigin,
  record: SourceRecord,
  checked: RecheckedLink,
  now: number,
): LinkDifference[] | undefined {
  const found: LinkDifference[] = [];
  const [usual, any] = [new Set<string>(), new Set<string>()];
  let isCompared = false;
  const expecting = expectations(checked.old);
  for (const { visitor, facts, tests } of visitorsFor(origin, record, checked, now)) {
    const route = origin.routeOf(record, visitor);
    if (route === null) continue;
    isCompared = true;
    const expected = expecting(route);
    const actual = actualsOf(checked.link, visitor, facts);
    if (agree(route, expected, actual)) continue;
    const urls = { expected: "anyOf" in route ? listed(expected) : (expected[0] ?? ENDED), actual: listed(actual) };
    const [key, deviceKey] = [JSON.stringify(urls), JSON.stringify([visitor.platform, urls])];
    const isListed = (tests === "rule" && usual.has(deviceKey)) || (tests === "more" && any.has(key));
    if (isListed || found.length === COMPUTED_MAX) continue;
    if (tests === "usual") usual.add(deviceKey);
    any.add(key);
    found.push({ visitor: toldVisitor(visitor, now), ...urls });
  }
  return isCompared ? found : undefined;
}

/**
 * Returns where the source may send a desktop visitor from any of the compared countries; empty if that is unknown for
 * one of them, since the old address does not say from where it was visited.
 */
export function desktopTargets(
  origin: LinkOrigin,
  record: SourceRecord,
  checked: RecheckedLink,
  now: number,
): string[] {
  const routes = [null, ...countriesOf(checked)].map((country) =>
    origin.routeOf(record, { ...visitorWith(DESKTOP, now, country), isAnywhere: true }),
  );
  const known = routes.filter((route) => route !== null);
  return known.length < routes.length ? [] : known.flatMap((route) => expectedOf(route, checked.old));
}

/**
 * Returns a difference if an old address led a desktop visitor elsewhere than its service's rules say. Where the link has
 * ended, services may send visitors to a page of the domain, which can be any but those of the link.
 */
export function oldAddressDifferences(
  targets: readonly string[],
  { status, location }: OldAddressResponse,
  old: Pick<OldLink, "fields">,
): LinkDifference[] {
  const normalised = location === undefined ? undefined : normaliseDestination(location);
  const url = normalised?.ok ? normalised.url : location;
  const actual = url ?? (ENDED_STATUSES.has(status) ? ENDED : `no redirect (${status})`);
  const [expected] = targets;
  if (expected === undefined || targets.some((target) => target === actual || isSameApp(target, actual))) return [];
  if (url !== undefined && targets.includes(ENDED) && !destinationsOf(old).has(url)) return [];
  return [{ visitor: toldVisitor(visitorWith(DESKTOP, 0), 0), kind: "asked", expected, actual }];
}

/** Returns the URLs to which the link leads someone, with its additions and without. */
function destinationsOf({ fields }: Pick<OldLink, "fields">): Set<string> {
  const { defaultUrl, rules = [], splitTargets = [] } = fields;
  const urls = [defaultUrl, ...[...(rules ?? []), ...(splitTargets ?? [])].map(({ destinationUrl }) => destinationUrl)];
  const additions = additionsOf(fields.utm ?? null, null);
  return new Set(urls.map(normalisedUrl).flatMap((url) => [url, withAdditions(url, additions)]));
}

const ENDED_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * Returns the acceptable targets: the destination with the link's additions and, for `expiredUrl`, also without them,
 * because an ended link adds nothing to it; of several destinations, each.
 */
function expectedOf(route: NonNullable<OldRoute>, { fields }: OldLink): string[] {
  if ("ended" in route) return [ENDED];
  if ("store" in route) {
    const isPlay = route.store === "play";
    const app = { ios: { appStoreId: isPlay ? "" : route.id }, android: { packageName: isPlay ? route.id : "" } };
    const { ios, android } = storeUrls({ fallback: "store", ...app }, []);
    return [ios ?? android ?? ""];
  }
  const decorated = (url: string) => withAdditions(normalisedUrl(url), additionsOf(fields.utm ?? null, null));
  if ("anyOf" in route) return [...new Set(route.anyOf.map(decorated))];
  const isEnd = fields.expiredUrl !== undefined && route.url === fields.expiredUrl;
  return isEnd ? [normalisedUrl(route.url), decorated(route.url)] : [decorated(route.url)];
}

/** Returns `expectedOf` for the visitors of one link, most of whom its source leads to the same few URLs. */
function expectations(old: OldLink): (route: NonNullable<OldRoute>) => string[] {
  const known = new Map<string, string[]>();
  return (route) => {
    if (!("url" in route)) return expectedOf(route, old);
    const expected = known.get(route.url) ?? expectedOf(route, old);
    known.set(route.url, expected);
    return expected;
  };
}

function normalisedUrl(url: string): string {
  const normalised = normaliseDestination(url);
  return normalised.ok ? normalised.url : url;
}

const NO_QUERY = { query: "" };

/** Returns where the link leads a visitor; several URLs if a split decides. */
function actualsOf(link: CompiledLink | undefined, visitor: CheckedVisitor, facts: VisitorFacts): string[] {
  if (link === undefined) return ["the link has been deleted"];
  const { at: now, visits: admitted } = visitor;
  const answer = checkGate(link.definition.gate, { now, admitted, password: "absent" });
  if (answer.does !== "refuse") {
    const route = link.route(facts, { visitorKey: () => "" });
    if (route.kind !== "split") return [finalDestination(link, route, NO_QUERY)];
    return [...new Set(splitRoutes(link).map((one) => finalDestination(link, one, NO_QUERY)))];
  }
  const { status, reason } = answer.refusal;
  const onward = onwardUrl(status, link.definition, {});
  return [onward ?? `refused: ${reason}`];
}

const splitRoutes = (link: CompiledLink): Route[] =>
  link.definition.splitTargets.filter(isCandidate).flatMap(({ key }) => link.targetRoute(key) ?? []);

/** Refusals that the other service reports as "ended". */
const ENDED_HERE: ReadonlySet<string> = new Set(
  ["expired", "inactive", "not_started", "max_clicks_reached"].map((reason) => `refused: ${reason}`),
);

/** True if every actual target is an expected one and, where the source chooses among several, each of those is met. */
function agree(route: NonNullable<OldRoute>, expected: readonly string[], actual: readonly string[]): boolean {
  const isExpected = actual.every((one) => expected.some((other) => isSame(other, one)));
  if (!isExpected || !("anyOf" in route)) return isExpected;
  return expected.every((one) => actual.some((other) => isSame(one, other)));
}

const listed = (urls: readonly string[]): string => urls.join(" or ");

/** Compares store URLs by their app, because each store takes a link's additions in its own way. */
function isSame(expected: string, actual: string): boolean {
  if (expected === ENDED) return ENDED_HERE.has(actual);
  return expected === actual || isSameApp(expected, actual);
}

const isSameApp = (one: string, other: string): boolean =>
  storeOf(one) !== null && storeOf(other) !== null && appOf(one) === appOf(other);

function appOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host}${pathname}?${searchParams.get("id") ?? ""}`;
}
