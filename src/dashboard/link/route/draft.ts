/**
 * Unsaved changes of a link's route. Rules are in the order of evaluation, targets have their weights, and both have
 * ids, so that they keep their identity when they are moved.
 */
import type { RoutingRule, RuleConditions, SplitTarget } from "@/contract/routing";
import { numberAt } from "@/core/rules/rule-numbers";
import { inEvaluationOrder } from "@/core/rules/rule-order";
import type { Link, LinkChanges } from "@/dashboard/links/queries";

export interface DraftRule {
  id: string;
  /** Position in the saved link; absent for a new rule. */
  savedAt?: number;
  /** Its number in figures; absent for a new rule. */
  number?: number;
  priority?: number | undefined;
  destinationUrl: string;
  conditions: RuleConditions;
}

export interface DraftTarget {
  id: string;
  key: string;
  label: string;
  destinationUrl: string;
  weight: number;
  isActive: boolean;
}

export interface RouteDraft {
  defaultUrl: string;
  rules: readonly DraftRule[];
  targets: readonly DraftTarget[];
}

let ids = 0;
export const newId = (): string => `new ${++ids}`;

/** Returns equal drafts, including ids, for equal versions of a link. */
export const routeDraftOf = ({ defaultUrl, rules, splitTargets, updatedAt }: Link): RouteDraft => ({
  defaultUrl,
  rules: inEvaluationOrder(rules).map(({ rule: { priority, destinationUrl, conditions = {} }, index }) => ({
    ...{ id: `${updatedAt} ${index}`, savedAt: index, number: numberAt(rules, index) },
    ...{ priority, destinationUrl, conditions },
  })),
  targets: splitTargets.map(({ label = "", weight = 1, isActive = true, ...rest }, at) => ({
    ...{ id: `${updatedAt} ${at}`, ...rest, label, weight, isActive },
  })),
});

const STEP = 10;

/** Returns the rules in the order shown, in which they are evaluated. */
export const rulesOf = ({ rules }: RouteDraft): RoutingRule[] => prioritized(rules, rules);

/**
 * Returns the rules as they are saved. Each keeps its position, which the API names it by; new ones come last, and
 * priorities put all of them in the order shown.
 */
const savedRulesOf = ({ rules }: RouteDraft): RoutingRule[] => prioritized(rules, inSavedOrder(rules));

const inSavedOrder = (rules: readonly DraftRule[]): DraftRule[] => {
  const positionOf = ({ savedAt = Number.MAX_SAFE_INTEGER }: DraftRule) => savedAt;
  return rules.toSorted((one, other) => positionOf(one) - positionOf(other));
};

/** Turns the path of a field in saved rules, such as `rules.1.destinationUrl`, into that in the rules as shown. */
export const shownField = ({ rules }: RouteDraft, field: string): string =>
  field.replace(/^rules\.(\d+)/, (path, position) => {
    const saved = inSavedOrder(rules)[Number(position)];
    return saved ? `rules.${rules.indexOf(saved)}` : path;
  });

/** Keeps the rules' priorities if they result in the order shown; otherwise numbers all of them again. */
function prioritized(rules: readonly DraftRule[], listed: readonly DraftRule[]): RoutingRule[] {
  const isOrdered = inEvaluationOrder(listed).every(({ rule }, at) => rule === rules[at]);
  return listed.map((rule) => ({
    ...(rule.number !== undefined && { number: rule.number }),
    ...(isOrdered
      ? rule.priority !== undefined && { priority: rule.priority }
      : { priority: (rules.indexOf(rule) + 1) * STEP }),
    destinationUrl: rule.destinationUrl.trim(),
    ...(Object.keys(rule.conditions).length > 0 && { conditions: rule.conditions }),
  }));
}

const targetsOf = ({ targets }: RouteDraft): SplitTarget[] =>
  targets.map(({ key, label, destinationUrl, weight, isActive }) => ({
    ...{ key: key.trim(), destinationUrl: destinationUrl.trim(), weight, isActive },
    ...(label.trim() && { label: label.trim() }),
  }));

type RouteChanges = Pick<LinkChanges, "defaultUrl" | "rules" | "splitTargets">;
export type RouteField = keyof RouteChanges;

/** Returns the whole route, as a preview request describes it. */
export const bodyOf = (draft: RouteDraft) => ({
  ...{ defaultUrl: draft.defaultUrl.trim(), rules: rulesOf(draft), splitTargets: targetsOf(draft) },
});

/** Returns only the fields that have changed. */
export function routeChangesOf(saved: RouteDraft, draft: RouteDraft): RouteChanges {
  const asSaved = (each: RouteDraft) => ({ ...bodyOf(each), rules: savedRulesOf(each) });
  const [before, now] = [asSaved(saved), asSaved(draft)];
  const fields = ["defaultUrl", "rules", "splitTargets"] as const;
  return Object.fromEntries(
    fields.filter((field) => !isSame(before[field], now[field])).map((field) => [field, now[field]]),
  );
}

/** Ignores the order of properties, and treats an absent property like one without a value. */
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** True if no required field is empty, so that the route can be simulated. */
export const isWhole = ({ defaultUrl, rules, targets }: RouteDraft): boolean =>
  [
    defaultUrl,
    ...rules.map((rule) => rule.destinationUrl),
    ...targets.flatMap((each) => [each.destinationUrl, each.key]),
  ].every((text) => text.trim() !== "");

export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(Math.max(0, Math.min(items.length - 1, to)), 0, item);
  return next;
}
