/**
 * Chooses the visitors for whom a link is compared with its source: the usual devices, from the countries that the
 * rules name, and whoever else the rules, dates and limits of either side tell apart.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { parseInstant } from "@/core/time/instant";
import type { OldLink } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";
import { type DerivedVisitors, derivedVisitors } from "./derive";
import { areUsual, ownRules } from "./own-rules";
import { instantChanges } from "./question";
import { ANDROID_PHONE, BOT, type CheckedVisitor, DESKTOP, type Device, IPAD, IPHONE, visitorWith } from "./visitor";

/** A link as it is served now; `link` is undefined if it was deleted. */
export interface RecheckedLink {
  old: OldLink;
  link: CompiledLink | undefined;
}

/** What a visitor tests: whatever everyone gets, a rule or a condition, or how rules go together. */
export interface Chosen {
  visitor: CheckedVisitor;
  tests: "usual" | "rule" | "more";
}

/** Limit of the visitors for whom a link is compared. */
export const VISITORS_MAX = 500;
const DEVICES: readonly Device[] = [IPHONE, ANDROID_PHONE, DESKTOP, BOT];
const COUNTRIES_MAX = 3;
const RANKS: readonly [keyof DerivedVisitors, Chosen["tests"]][] = [
  ["whole", "rule"],
  ["failing", "rule"],
  ["together", "more"],
  ["names", "more"],
];

export function visitorsFor(
  origin: LinkOrigin,
  record: SourceRecord,
  checked: RecheckedLink,
  now: number,
): readonly Chosen[] {
  const from = servedFrom(checked, now);
  const countries = countriesOf(checked);
  const usual = usualVisitors(checked, countries, from).map((visitor): Chosen => ({ visitor, tests: "usual" }));
  const moments = [...momentsOf(checked, now), ...limitsOf(checked, from)];
  const [theirs, { link }] = [origin.rulesOf?.(record) ?? [], checked];
  const isUsual =
    theirs.every((rule) => rule.every((asked) => asked.countries?.every((country) => countries.includes(country)))) &&
    areUsual(link?.definition.rules ?? [], countries);
  if (isUsual && moments.length === 0) return usual;
  const sides = isUsual ? [] : [theirs, link ? ownRules(link) : []];
  const derived = sides.map((rules) => derivedVisitors(rules, from));
  const others = RANKS.flatMap(([rank, tests]) =>
    derived.flatMap((side) => side[rank].map((visitor): Chosen => ({ visitor, tests }))),
  );
  return distinct([...usual, ...moments.map((visitor): Chosen => ({ visitor, tests: "rule" })), ...others]);
}

function distinct(chosen: readonly Chosen[]): Chosen[] {
  const found = new Map<string, Chosen>();
  for (const one of chosen) {
    if (found.size === VISITORS_MAX) break;
    const key = JSON.stringify(one.visitor);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** Tablets are compared only if rules tell them from phones. */
function usualVisitors(checked: RecheckedLink, countries: readonly string[], at: number): CheckedVisitor[] {
  const tellsTablets = namingRules(checked).some(({ conditions }) => conditions?.deviceTypes?.length);
  return [...DEVICES, ...(tellsTablets ? [IPAD] : [])].flatMap((device) =>
    [...countries, null].map((country) => visitorWith(device, at, country)),
  );
}

/** Returns the countries that the link's rules name, those of the source first. */
export function countriesOf(checked: RecheckedLink): string[] {
  const named = namingRules(checked).flatMap(({ conditions }) => conditions?.countries ?? []);
  return [...new Set(named)].slice(0, COUNTRIES_MAX);
}

const namingRules = ({ old, link }: RecheckedLink) => [...(old.fields.rules ?? []), ...(link?.definition.rules ?? [])];

const startsOf = ({ old, link }: RecheckedLink): number[] =>
  [instantOf(old.fields.startsAt), link?.definition.gate.startsAt].filter((at) => at != null);

/** Before a link starts, nobody is sent anywhere. Returns when it serves on both sides; now if it does already. */
const servedFrom = (checked: RecheckedLink, now: number): number =>
  Math.max(now, ...startsOf(checked).flatMap((start) => (start > now ? [start + 1_000] : [])));

/** Returns desktop visitors before and after each start and end that is still to come. */
function momentsOf(checked: RecheckedLink, now: number): CheckedVisitor[] {
  const { old, link } = checked;
  const ends = [instantOf(old.fields.expiresAt), link?.definition.gate.expiresAt].filter((at) => at != null);
  const desktop = visitorWith(DESKTOP, now);
  return [...new Set([...startsOf(checked), ...ends])].flatMap((instant) =>
    instantChanges(instant, now).map((change) => change(desktop)),
  );
}

/** Returns the last visitor whom a limit of visits admits, and the first whom it does not. */
function limitsOf({ old, link }: RecheckedLink, at: number): CheckedVisitor[] {
  const limits = [old.fields.maxClicks, link?.definition.gate.maxClicks].filter((limit) => limit != null);
  const desktop = visitorWith(DESKTOP, at);
  return [...new Set(limits.flatMap((limit) => [Math.max(0, limit - 1), limit]))].map((visits) => ({
    ...desktop,
    visits,
  }));
}

const instantOf = (text: string | undefined | null): number | undefined =>
  text == null ? undefined : (parseInstant(text) ?? undefined);
