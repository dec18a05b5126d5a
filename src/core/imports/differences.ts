/**
 * Finds visitors whom a link leads elsewhere than it did at its source, by comparing that service's rules with those
 * that serve the link here.
 */
import { DIRECT } from "../referrer";
import { type CompiledLink, finalDestination, type Route } from "../routing/compiled-link";
import { additionsOf, normaliseDestination } from "../routing/destination";
import { localTime, overrideFacts, UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "../routing/facts";
import { checkGate } from "../routing/gate";
import { onwardUrl } from "../routing/onward";
import { isCandidate } from "../routing/split";
import { storeOf, storeUrls, withAdditions } from "../routing/store";
import type { CheckedVisitor, OldLink, OldRoute } from "./old-link";
import type { SourceRecord } from "./record";
import type { LinkOrigin } from "./source";

export interface LinkDifference {
  visitor: string;
  /** Absent if `actual` was computed. */
  kind?: "asked";
  expected: string;
  actual: string;
}

export interface OldAddressResponse {
  url: string;
  status: number;
  location?: string;
}

/** A link as it is served now; `link` is undefined if it was deleted. */
export interface RecheckedLink {
  old: OldLink;
  link: CompiledLink | undefined;
}

interface VisitorKind extends Pick<CheckedVisitor, "platform" | "isTablet" | "isBot"> {
  name: string;
  deviceType: string;
}

const PERSON = { isTablet: false, isBot: false };
const VISITORS: readonly VisitorKind[] = [
  { name: "iPhone", platform: "ios", ...PERSON, deviceType: "mobile" },
  { name: "Android phone", platform: "android", ...PERSON, deviceType: "mobile" },
  { name: "desktop", platform: "desktop", ...PERSON, deviceType: "desktop" },
  { name: "bot", platform: "desktop", ...PERSON, isBot: true, deviceType: "desktop" },
];
/** Compared only if rules tell tablets from phones. */
const IPAD: VisitorKind = { name: "iPad", platform: "ios", ...PERSON, isTablet: true, deviceType: "tablet" };
const COUNTRIES_MAX = 3;
const ENDED = "nowhere: the link has ended or is turned off";

/** Returns undefined if the record does not say where any of the visitors was sent. */
export function routeDifferences(
  origin: LinkOrigin,
  record: SourceRecord,
  checked: RecheckedLink,
  at: number,
): LinkDifference[] | undefined {
  const countries = [...countriesOf(checked), null];
  const tellsTablets = rulesOf(checked).some(({ conditions }) => conditions?.deviceTypes?.length);
  let isCompared = false;
  const differences = [...VISITORS, ...(tellsTablets ? [IPAD] : [])].flatMap((kind) =>
    countries.flatMap((country): LinkDifference[] => {
      const { platform, isTablet, isBot } = kind;
      const route = origin.routeOf(record, { platform, isTablet, isBot, country, at });
      if (route === null) return [];
      isCompared = true;
      const expected = expectedOf(route, checked.old);
      const actual = actualsOf(checked.link, factsOf(kind, country, at), at);
      if (agree(route, expected, actual)) return [];
      const visitor = country === null ? kind.name : `${kind.name}, ${country}`;
      const told = "anyOf" in route ? listed(expected) : (expected[0] ?? ENDED);
      return [{ visitor, expected: told, actual: listed(actual) }];
    }),
  );
  return isCompared ? differences : undefined;
}

/**
 * Returns where the source may send a desktop visitor from any of the compared countries; empty if that is unknown for
 * one of them, since the old address does not say which country it saw.
 */
export function desktopTargets(origin: LinkOrigin, record: SourceRecord, checked: RecheckedLink, at: number): string[] {
  const routes = [null, ...countriesOf(checked)].map((country) =>
    origin.routeOf(record, { platform: "desktop", ...PERSON, country, at }),
  );
  const known = routes.filter((route) => route !== null);
  return known.length < routes.length ? [] : known.flatMap((route) => expectedOf(route, checked.old));
}

/** Returns a difference if an old address led a desktop visitor elsewhere than its service's rules say. */
export function oldAddressDifferences(
  targets: readonly string[],
  { status, location }: OldAddressResponse,
): LinkDifference[] {
  const normalised = location === undefined ? undefined : normaliseDestination(location);
  const url = normalised?.ok ? normalised.url : location;
  const actual = url ?? (ENDED_STATUSES.has(status) ? ENDED : `no redirect (${status})`);
  const [expected] = targets;
  if (expected === undefined || targets.some((target) => target === actual || isSameApp(target, actual))) return [];
  return [{ visitor: "desktop", kind: "asked", expected, actual }];
}

const ENDED_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/** Returns the countries that the link's rules name, those of the source first. */
function countriesOf(checked: RecheckedLink): string[] {
  const named = rulesOf(checked).flatMap(({ conditions }) => conditions?.countries ?? []);
  return [...new Set(named)].slice(0, COUNTRIES_MAX);
}

const rulesOf = ({ old, link }: RecheckedLink) => [...(old.fields.rules ?? []), ...(link?.definition.rules ?? [])];

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

function normalisedUrl(url: string): string {
  const normalised = normaliseDestination(url);
  return normalised.ok ? normalised.url : url;
}

/** Returns where the link leads a visitor; several URLs if a split decides. */
function actualsOf(link: CompiledLink | undefined, facts: VisitorFacts, now: number): string[] {
  if (link === undefined) return ["the link has been deleted"];
  const answer = checkGate(link.definition.gate, { now, admitted: 0, password: "absent" });
  if (answer.does !== "refuse") {
    const route = link.route(facts, { visitorKey: () => "" });
    const routes = route.kind === "split" ? splitRoutes(link) : [route];
    return [...new Set(routes.map((one) => finalDestination(link, one, { query: "" })))];
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

function factsOf({ platform, deviceType }: VisitorKind, country: string | null, at: number): VisitorFacts {
  const request = { at, referrer: DIRECT, ...localTime(at, { offsetMinutes: 0 }) };
  return overrideFacts({ ...UNKNOWN_VISITOR_FACTS, ...request }, { platform, deviceType, country });
}
