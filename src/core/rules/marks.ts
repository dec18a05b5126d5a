/**
 * Lets a visit skip most rules without evaluating them. Most visitors fail most rules by a name: their country,
 * platform or language. Here a visitor's names are bits, and a rule is the bits that it excludes or requires. All
 * rules of a link lie side by side in memory, so a visit skips most of them by comparing numbers, without loading
 * their objects. Several names share a bit, so only one result is final: a skipped rule does not hold; any other rule
 * still has to be evaluated.
 */
import { NAME_FACT_NAMES, NAME_FACTS, type NameFact } from "@/contract/facts";
import type { RuleConditions } from "@/contract/routing";
import { foldName } from "../names/fold";
import { languageKey, primaryLanguage } from "./conditions";

/** The visitor's names as bits. An unknown name has no bit, so no rule is skipped because of it. */
export interface VisitorMarks {
  agent: number;
  place: number;
  /** Unlike the others, all bits if nothing is known: a rule requires only one of its bits. */
  languages: number;
}

export const NO_MARKS: VisitorMarks = { agent: 0, place: 0, languages: -1 };

type MarkedFact = NameFact | "platform";

/** The bits of each fact. Facts from the user agent share one word, facts from geography another. */
const BITS: Record<MarkedFact, { from: number; count: number }> = {
  platform: { from: 0, count: 4 },
  deviceType: { from: 4, count: 8 },
  browser: { from: 12, count: 8 },
  deviceVendor: { from: 20, count: 6 },
  deviceModel: { from: 26, count: 6 },
  country: { from: 0, count: 20 },
  region: { from: 20, count: 6 },
  city: { from: 26, count: 6 },
};
const LANGUAGE_BITS = 32;

const namesBy = (needs: "userAgent" | "geography"): MarkedFact[] =>
  NAME_FACT_NAMES.filter((fact) => NAME_FACTS[fact].needs === needs);

const AGENT_FACTS: readonly MarkedFact[] = ["platform", ...namesBy("userAgent")];
const PLACE_FACTS = namesBy("geography");

type KnownNames = { readonly [Fact in MarkedFact]?: string | undefined };
type StatedNames = { readonly [Fact in MarkedFact]?: string | null | undefined };

export const agentMarks = (agent: KnownNames): number => marksOf(AGENT_FACTS, agent);

export const placeMarks = (place: KnownNames): number => marksOf(PLACE_FACTS, place);

/** Returns the marks of the same visitor with some facts replaced by stated ones. */
export const statedMarks = ({ agent, place, languages }: VisitorMarks, stated: StatedNames): VisitorMarks => ({
  agent: restated(AGENT_FACTS, agent, stated),
  place: restated(PLACE_FACTS, place, stated),
  languages,
});

function restated(facts: readonly MarkedFact[], marks: number, stated: StatedNames): number {
  let all = marks;
  for (const fact of facts) if (stated[fact] != null) all = (all & ~bitsOf(fact)) | markOf(fact, stated[fact]);
  return all;
}

export const languageMarks = (languages: readonly string[]): number =>
  languages.length === 0 ? NO_MARKS.languages : languages.reduce((marks, tag) => marks | languageMark(tag), 0);

/** A rule's words: bits that exclude a visitor, for agent and place, then bits of the languages it may hold for. */
const RULE_WORDS = 3;

/** Returns the words of all rules, in the order of evaluation. */
export function markRules(rules: readonly (RuleConditions | undefined)[]): Int32Array {
  const words = rules.flatMap((conditions = {}) => [
    ruledOut(AGENT_FACTS, conditions),
    ruledOut(PLACE_FACTS, conditions),
    languagesAskedFor(conditions.languages),
  ]);
  return words.length === 0 ? NO_RULES : new Int32Array(words);
}

/** Shared, because most links have no rules. */
const NO_RULES = new Int32Array();

/** Returns the index of the first rule at or after `from` that may hold, or -1 if there is none. */
export function nextCandidate(rules: Int32Array, from: number, { agent, place, languages }: VisitorMarks): number {
  for (let at = from * RULE_WORDS; at < rules.length; at += RULE_WORDS) {
    const isPassedOver =
      ((rules[at] ?? 0) & agent) !== 0 ||
      ((rules[at + 1] ?? 0) & place) !== 0 ||
      ((rules[at + 2] ?? 0) & languages) === 0;
    if (!isPassedOver) return at / RULE_WORDS;
  }
  return -1;
}

const ruledOut = (facts: readonly MarkedFact[], conditions: RuleConditions): number =>
  facts.reduce((marks, fact) => marks | ruledOutBy(fact, namesIn(conditions, fact)), 0);

const namesIn = (conditions: RuleConditions, fact: MarkedFact): readonly string[] | undefined =>
  fact === "platform" ? conditions.platform : conditions[NAME_FACTS[fact].condition];

function ruledOutBy(fact: MarkedFact, names: readonly string[] | undefined): number {
  if (!names?.length) return 0;
  return names.reduce((marks, name) => marks & ~markOf(fact, name), bitsOf(fact));
}

function bitsOf(fact: MarkedFact): number {
  const { from, count } = BITS[fact];
  return ((1 << count) - 1) << from;
}

const languagesAskedFor = (tags: readonly string[] | undefined): number =>
  tags?.length ? tags.reduce((marks, tag) => marks | (1 << (hash(languageKey(tag)) % LANGUAGE_BITS)), 0) : -1;

const marksOf = (facts: readonly MarkedFact[], known: KnownNames): number =>
  facts.reduce((marks, fact) => marks | markOf(fact, known[fact]), 0);

function markOf(fact: MarkedFact, name: string | null | undefined): number {
  if (!name) return 0;
  const { from, count } = BITS[fact];
  return 1 << (from + (hash(foldName(name)) % count));
}

/** Returns the bits of the tag and its primary language: a visitor who reads `en-GB` also reads `en`. */
function languageMark(tag: string): number {
  const key = languageKey(tag);
  return (1 << (hash(key) % LANGUAGE_BITS)) | (1 << (hash(primaryLanguage(key)) % LANGUAGE_BITS));
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
