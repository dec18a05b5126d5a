/**
 * Judges visits by what else arrived within a minute: one visitor's repeats of one link, and an organization's visits
 * from one address. The minute is measured by the times of the visits, however late they are judged.
 *
 * Each process counts its own visits and shares the keys that may become too many: once a process has seen
 * `shareFrom` visits of a key, all processes that see the key know each other's visits. So the count of a key may
 * miss what each of them saw below that threshold; in return, the common visit costs only two lookups in memory. At
 * most `SHARED_MAX` keys are shared at a time, those with the most visits first.
 *
 * Judging the same visits again gives the same verdicts. A crash forgets what was not shared.
 */
import type { NumberedKey } from "@/platform/visitor";
import { type BotReason, CROWD_MAX, countsAsBot, FLOOD_MAX, REPEATS_MAX, spamScore } from "./bot-signs";
import { insertByTime, isOver, type Marks, markOf, RecentMarks, withMarks } from "./marks";
import type { ShareMarks } from "./shared-marks";

export interface JudgedVisit {
  at: number;
  id: string;
  orgId: string;
  /** The signs that a visit declares itself. A visit with any of them is counted under no key. */
  declared: readonly BotReason[];
  /**
   * The visit's keys by rule, as text or as made by `ruleKey`: who visits which link, and from where. A rule for
   * which there is no key does not apply to the visit.
   */
  keys: Partial<Record<RuleName, string | number>>;
}

export interface VisitVerdict {
  reasons: readonly BotReason[];
  isBot: boolean;
  spamScore: number;
}

export type Judge = (visits: readonly JudgedVisit[]) => Promise<VisitVerdict[]>;

interface Rule {
  /** The first sign whose `max` is exceeded applies. */
  signs: readonly { reason: BotReason; max: number }[];
  shareFrom: number;
}

type RuleName = "visitor" | "address" | "apps";

const RULES: Record<RuleName, Rule> = {
  visitor: { signs: [{ reason: "repeat", max: REPEATS_MAX }], shareFrom: 5 },
  address: {
    signs: [
      { reason: "flood", max: FLOOD_MAX },
      { reason: "crowd", max: CROWD_MAX },
    ],
    shareFrom: 15,
  },
  /** For opens, which programs make. Nobody reviews those, so there is no `crowd` sign. */
  apps: { signs: [{ reason: "flood", max: FLOOD_MAX }], shareFrom: 75 },
};
const RULE_NAMES = ["visitor", "address", "apps"] as const;

/** The visits of one key, by their index in the batch. */
interface Group {
  key: number;
  orgId: string;
  rule: Rule;
  places: number[];
  marks: Marks;
}

const SHARED_MAX = 512;
const NO_REASONS: readonly BotReason[] = Object.freeze([]);
const CLEAN: VisitVerdict = Object.freeze({ reasons: NO_REASONS, isBot: false, spamScore: 0 });

/**
 * Without `share`, judges by this process's visits only. `shareFromMax` lowers every rule's `shareFrom`, for events
 * so rare that all of them can be shared.
 */
export function createJudge(share?: ShareMarks, shareFromMax = Number.POSITIVE_INFINITY): Judge {
  const recent = new RecentMarks();

  return async (visits) => {
    const marks = visits.map(markOf);
    // If even single visits are shared, every key needs a group.
    const isFirst = (key: number, place: number) => shareFromMax > 1 && recent.isFirst(key, marks[place] ?? 0);
    const groups = groupsOf(visits, isFirst);
    for (const group of groups) group.marks = withMarks(recent.get(group.key), marksOf(group, marks));
    await shareSuspects(groups);
    const found = new Map<number, BotReason[]>();
    for (const group of groups) {
      recent.set(group.key, group.marks);
      if (!mayExceed(group)) continue;
      for (const { place, reason } of exceeded(group, marks)) found.set(place, [...(found.get(place) ?? []), reason]);
    }
    return visits.map(({ declared }, place) => verdictOf(declared, found.get(place)));
  };

  async function shareSuspects(groups: readonly Group[]): Promise<void> {
    if (!share) return;
    const suspects = groups.filter(({ marks, rule }) => marks.length >= Math.min(rule.shareFrom, shareFromMax));
    const shared = suspects.sort((a, b) => b.marks.length - a.marks.length).slice(0, SHARED_MAX);
    const known = await share(shared);
    for (const group of shared) group.marks = known.get(group.key) ?? group.marks;
  }
}

/**
 * Groups visits by key. Most keys occur once in the batch and were not seen before (`isFirst` records them): these
 * get no group and cost no objects.
 */
function groupsOf(visits: readonly JudgedVisit[], isFirst: (key: number, place: number) => boolean): Group[] {
  const places = new Map<number, number | Group>();
  const groups: Group[] = [];
  const groupAt = (key: number, name: RuleName, place: number): Group => {
    const group = { key, orgId: visits[place]?.orgId ?? "", rule: RULES[name], places: [place], marks: [] };
    places.set(key, group);
    groups.push(group);
    return group;
  };
  visits.forEach(({ declared, keys }, place) => {
    if (declared.length > 0) return;
    for (const name of RULE_NAMES) {
      const given = keys[name];
      if (given === undefined) continue;
      const key = typeof given === "number" ? given : numberOf(`${name} ${given}`);
      const known = places.get(key);
      if (known === undefined) {
        if (isFirst(key, place)) places.set(key, place);
        else groupAt(key, name, place);
      } else if (typeof known === "number") groupAt(key, name, known).places.push(place);
      else known.places.push(place);
    }
  });
  return groups;
}

const HIGH_BITS = 21;
const OTHER_SEED = 1;
/** Odd, so that different details stay different (from the golden ratio: Knuth, volume 3, 6.4). */
const SPREAD_HIGH = 0x9e3779b1;
const SPREAD_LOW = 0x85ebca6b;
const SALTS: Record<RuleName, number> = { visitor: 0, address: 0x1f83d9ab, apps: 0x5be0cd19 };

/** Returns the key of a rule for a visitor or an address, combined with a hash of what else must be the same. */
export function ruleKey(name: RuleName, { high, low }: Pick<NumberedKey, "high" | "low">, detail = 0): number {
  const salt = detail ^ SALTS[name];
  const mixedHigh = (high ^ Math.imul(salt, SPREAD_HIGH)) >>> (32 - HIGH_BITS);
  return mixedHigh * 2 ** 32 + ((low ^ Math.imul(salt, SPREAD_LOW)) >>> 0);
}

/**
 * Hashes text to as many bits as a number holds exactly, in two halves: a 64-bit hash would take two bigints, at five
 * times the cost.
 */
const numberOf = (text: string): number =>
  (Bun.hash.xxHash32(text, OTHER_SEED) >>> (32 - HIGH_BITS)) * 2 ** 32 + Bun.hash.xxHash32(text);

const marksOf = ({ places }: Group, marks: Marks): Marks => places.map((place) => marks[place] ?? 0);

/** Usually false, which spares any further work on the group. */
const mayExceed = ({ rule, places, marks }: Group): boolean =>
  Math.max(marks.length, places.length) > (rule.signs.at(-1)?.max ?? 0);

/** Judges each of the group's visits by the marks before it. Visits for which there was no room come last. */
function* exceeded({ rule, places, marks }: Group, all: Marks) {
  const placesOf = Map.groupBy(places, (place) => all[place] ?? 0);
  const sorted: number[] = [];
  for (const mark of new Set([...marks, ...placesOf.keys()])) {
    const at = insertByTime(sorted, mark);
    const own = placesOf.get(mark);
    const sign = own && rule.signs.find(({ max }) => isOver(sorted, at, max));
    if (own && sign) for (const place of own) yield { place, reason: sign.reason };
  }
}

function verdictOf(declared: readonly BotReason[], found: readonly BotReason[] = NO_REASONS): VisitVerdict {
  if (declared.length + found.length === 0) return CLEAN;
  const reasons = [...declared, ...found];
  return { reasons, isBot: countsAsBot(reasons), spamScore: spamScore(reasons) };
}
