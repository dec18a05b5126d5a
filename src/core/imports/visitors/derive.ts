/**
 * Derives visitors from what the rules of one side ask: those who meet a rule whole, those who fail one of its
 * conditions, those who meet two rules, so that their order decides, and those with each name that a condition lists.
 * The same rules lead to the same visitors.
 */
import type { AskedRule, Question } from "./question";
import { ANDROID_PHONE, type CheckedVisitor, DESKTOP, IPHONE, visitorWith } from "./visitor";

export interface DerivedVisitors {
  /** For each rule, a visitor who meets it. */
  whole: CheckedVisitor[];
  /** For each condition, one of these who fails that alone. */
  failing: CheckedVisitor[];
  together: CheckedVisitor[];
  names: CheckedVisitor[];
}

/** With more rules than this, only those that follow each other are tested together. */
const PAIRED_MAX = 12;

/** The rules are in the order of evaluation. No visitor comes before `at`. */
export function derivedVisitors(rules: readonly AskedRule[], at: number): DerivedVisitors {
  const derived: DerivedVisitors = { whole: [], failing: [], together: [], names: [] };
  const bases = [DESKTOP, IPHONE, ANDROID_PHONE].map((device) => visitorWith(device, at));
  const met = rules.flatMap((rule) => {
    const [first, ...others] = bases.flatMap((base) => meeting(base, rule, at) ?? []);
    derived.together.push(...others);
    return first === undefined ? [] : [{ rule, first }];
  });
  for (const { rule, first } of met) {
    derived.whole.push(first);
    for (const question of rule) {
      const [one, ...others] = failingAlone(first, rule, question, at);
      if (one) derived.failing.push(one);
      derived.together.push(...others.slice(-1));
      derived.names.push(...changedBy(question, first, at));
    }
  }
  for (const [place, { rule, first }] of met.entries())
    for (const other of met.slice(place + 1, met.length > PAIRED_MAX ? place + 2 : undefined)) {
      const both = meeting(first, other.rule, at, rule) ?? meeting(other.first, rule, at, other.rule);
      if (both) derived.together.push(both);
    }
  return derived;
}

/** Changes the visitor into one who meets the rule and still meets the conditions `kept`; undefined if none was found. */
function meeting(from: CheckedVisitor, rule: AskedRule, now: number, kept: AskedRule = []): CheckedVisitor | undefined {
  const met = [...kept];
  let visitor = from;
  for (const question of rule) {
    if (question.holds(visitor) !== true) {
      const changed = changedBy(question, visitor, now).find((one) => meets(one, [question, ...met]));
      if (!changed) return undefined;
      visitor = changed;
    }
    met.push(question);
  }
  return visitor;
}

/** Returns visitors who fail this condition of a rule alone, the one most like those who meet it first. */
function failingAlone(met: CheckedVisitor, rule: AskedRule, question: Question, now: number): CheckedVisitor[] {
  const others = rule.filter((other) => other !== question);
  return changedBy(question, met, now).filter((one) => question.holds(one) === false && meets(one, others));
}

const changedBy = ({ changes }: Question, visitor: CheckedVisitor, now: number): CheckedVisitor[] =>
  changes(now).map((change) => change(visitor));

const meets = (visitor: CheckedVisitor, rule: AskedRule): boolean => rule.every(({ holds }) => holds(visitor) === true);
