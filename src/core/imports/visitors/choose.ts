/**
 * Chooses the visitors for whom a link is compared with its source: the usual devices, from the countries that the
 * rules name, and whoever else the rules, dates and limits of either side tell apart.
 *
 * In most imports, the rules of many links ask the same and only lead elsewhere. So the visitors are remembered by all
 * that they depend on, for at most `KNOWN_MAX` kinds of links; beyond it, all are forgotten. A crash loses nothing.
 */
import type { RoutingRule } from "@/contract/routing";
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { VisitorFacts } from "@/core/routing/facts";
import { parseInstant } from "@/core/time/instant";
import type { OldLink } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";
import { type DerivedVisitors, derivedVisitors } from "./derive";
import { areUsual, ownRules } from "./own-rules";
import { type AskedRule, instantChanges } from "./question";
import {
  ANDROID_PHONE,
  areSame,
  BOT,
  type CheckedVisitor,
  DESKTOP,
  type Device,
  factsOf,
  IPAD,
  IPHONE,
  looseKeyOf,
  visitorWith,
} from "./visitor";

/** A link as it is served now; `link` is undefined if it was deleted. */
export interface RecheckedLink {
  old: OldLink;
  link: CompiledLink | undefined;
}

/** What a visitor tests: whatever everyone gets, a rule or a condition, or how rules go together. */
interface Tested {
  visitor: CheckedVisitor;
  tests: "usual" | "rule" | "more";
}

export interface Chosen extends Tested {
  /** What the link's rules can check. */
  facts: VisitorFacts;
}

/** Limit of the visitors for whom a link is compared. */
export const VISITORS_MAX = 500;
const DEVICES: readonly Device[] = [IPHONE, ANDROID_PHONE, DESKTOP, BOT];
const COUNTRIES_MAX = 3;
const KNOWN_MAX = 100;
const RANKS: readonly [keyof DerivedVisitors, Tested["tests"]][] = [
  ["whole", "rule"],
  ["failing", "rule"],
  ["together", "more"],
  ["names", "more"],
];

const known = new Map<string, readonly Chosen[]>();

export function visitorsFor(
  origin: LinkOrigin,
  record: SourceRecord,
  checked: RecheckedLink,
  now: number,
): readonly Chosen[] {
  const theirs = origin.rulesOf?.(record) ?? [];
  const kind = kindOf(theirs, checked, now);
  const found = known.get(kind);
  if (found) return found;
  const checks = checked.link?.requestChecks ?? null;
  const chosen = testedBy(theirs, checked, now).map((one) => ({ ...one, facts: factsOf(one.visitor, checks) }));
  if (known.size === KNOWN_MAX) known.clear();
  known.set(kind, chosen);
  return chosen;
}

/** Returns all that the visitors depend on. */
function kindOf(theirs: readonly AskedRule[], { old, link }: RecheckedLink, now: number): string {
  const { rules, startsAt, expiresAt, maxClicks } = old.fields;
  const { gate, rules: ours } = link?.definition ?? {};
  const asked = (some: readonly RoutingRule[]) => some.map(({ priority, conditions }) => [priority, conditions]);
  return JSON.stringify([
    ...[
      theirs.map((rule) => rule.map(({ key }) => key)),
      asked(rules ?? []),
      asked(ours ?? []),
      link !== undefined,
      now,
    ],
    ...[startsAt, expiresAt, maxClicks, gate?.startsAt, gate?.expiresAt, gate?.maxClicks],
  ]);
}

function testedBy(theirs: readonly AskedRule[], checked: RecheckedLink, now: number): Tested[] {
  const from = servedFrom(checked, now);
  const countries = countriesOf(checked);
  const usual = usualVisitors(checked, countries, from).map((visitor): Tested => ({ visitor, tests: "usual" }));
  const moments = [...momentsOf(checked, now), ...limitsOf(checked, from)];
  const { link } = checked;
  const isUsual =
    theirs.every((rule) => rule.every((asked) => asked.countries?.every((country) => countries.includes(country)))) &&
    areUsual(link?.definition.rules ?? [], countries);
  if (isUsual && moments.length === 0) return usual;
  const sides = isUsual ? [] : [theirs, link ? ownRules(link) : []];
  const derived = sides.map((rules) => derivedVisitors(rules, from));
  const others = RANKS.flatMap(([rank, tests]) =>
    derived.flatMap((side) => side[rank].map((visitor): Tested => ({ visitor, tests }))),
  );
  return distinct([...usual, ...moments.map((visitor): Tested => ({ visitor, tests: "rule" })), ...others]);
}

/** Finds those who may be the same by a short key first: there are many, and few of them are. */
function distinct(tested: readonly Tested[]): Tested[] {
  const byKey = new Map<string, CheckedVisitor[]>();
  const found: Tested[] = [];
  for (const one of tested) {
    if (found.length === VISITORS_MAX) break;
    const { visitor } = one;
    const key = looseKeyOf(visitor);
    const alike = byKey.get(key);
    if (alike?.some((other) => areSame(visitor, other))) continue;
    if (alike) alike.push(visitor);
    else byKey.set(key, [visitor]);
    found.push(one);
  }
  return found;
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
