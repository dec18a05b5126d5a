/** The rules in the order of evaluation, each with its conditions, its destination and its result for the visitor. */
import { Copy, EyeOff, Plus, Route, Trash2 } from "lucide-react";
import { useRef } from "react";
import type { RuleConditions } from "@/contract/routing";
import { type UnreachableRule, unreachableRules } from "@/core/insights/rules-reach";
import { Button, IconButton } from "@/dashboard/ui/button";
import { Chip, Empty, Notice } from "@/dashboard/ui/data";
import { Card, Text } from "@/dashboard/ui/layout";
import { Section } from "@/dashboard/ui/path/bars";
import { Steps } from "@/dashboard/ui/path/steps";
import { toast } from "@/dashboard/ui/toasts";
import { type ConditionName, withCondition } from "./conditions";
import { type DraftRule, moveItem, newId, rulesOf } from "./draft";
import type { Outcome } from "./queries";
import { RuleFields } from "./rule-fields";
import type { PartProps } from "./tab";
import type { Traffic } from "./traffic";
import type { EditDraft } from "./use-draft";
import { linkRouteWords as words } from "./words";

interface RulesProps extends PartProps {
  outcome: Outcome | undefined;
  traffic: Traffic;
}

export function Rules({ link, draft, edit, mayEdit, faultAt, outcome, traffic }: RulesProps) {
  const { route } = words;
  const { rules } = draft;
  const addButton = useRef<HTMLButtonElement>(null);
  const lost = new Map(unreachableRules(rulesOf(draft)).map((each) => [each.index, each]));
  const { add, set, move, duplicate, remove, removeCondition } = rulesEditor(edit, () => addButton.current?.focus());
  return (
    <Section
      title={route.rules}
      hint={mayEdit && rules.length > 1 ? route.rulesMoveHint : route.rulesHint}
      actions={
        mayEdit ? (
          <Button small icon={Plus} ref={addButton} onClick={add}>
            {route.addRule}
          </Button>
        ) : undefined
      }
    >
      {rules.length === 0 ? (
        <Card>
          <Empty icon={Route} title={route.noRules.title} text={route.noRules.text} />
        </Card>
      ) : null}
      <Steps
        label={route.rules}
        onMove={mayEdit ? move : undefined}
        steps={rules.map((rule, at) => {
          const name = route.rule(at + 1);
          const state = stateOf(outcome, rule.id);
          return {
            ...{ id: rule.id, name, state },
            marks: <Marks {...{ state, share: traffic.ofRule(rule.id) }} />,
            actions: (
              <>
                <IconButton
                  {...{ small: true, icon: Copy, label: route.duplicate(name) }}
                  onClick={() => duplicate(rule, at)}
                />
                <IconButton
                  {...{ small: true, icon: Trash2, label: route.removeRule(name) }}
                  onClick={() => remove(rule, at)}
                />
              </>
            ),
            children: (
              <>
                <Unreachable lost={lost.get(at)} />
                <RuleFields
                  {...{ rule, name, linkId: link._id, mayEdit }}
                  trace={outcome?.traces.get(rule.id)}
                  faultAt={(field) => faultAt(`rules.${at}.${field}`)}
                  onChange={(changes) => set(rule.id, changes)}
                  onRemoveCondition={(condition) => removeCondition(rule, condition)}
                />
              </>
            ),
          };
        })}
      />
      {traffic.unknown ? (
        <Text soft small>
          {traffic.unknown}
        </Text>
      ) : null}
    </Section>
  );
}

function rulesEditor(edit: EditDraft, onRemove: () => void) {
  const setRules = (change: (rules: readonly DraftRule[]) => readonly DraftRule[]) =>
    edit((before) => ({ ...before, rules: change(before.rules) }));
  return {
    add: () => setRules((before) => [...before, { id: newId(), destinationUrl: "", conditions: {} }]),
    set: (id: string, changes: Partial<DraftRule>) =>
      setRules((before) => before.map((rule) => (rule.id === id ? { ...rule, ...changes } : rule))),
    move: (from: number, to: number) => setRules((before) => moveItem(before, from, to)),
    duplicate: ({ savedAt: _, number: __, ...rule }: DraftRule, at: number) =>
      setRules((before) => before.toSpliced(at + 1, 0, { ...rule, id: newId() })),
    remove(rule: DraftRule, at: number) {
      setRules((before) => before.filter((each) => each.id !== rule.id));
      onRemove();
      const { removed, rule: nameOf } = words.route;
      toast({ text: removed(nameOf(at + 1)), undo: () => setRules((before) => before.toSpliced(at, 0, rule)) });
    },
    removeCondition({ id, conditions: was }: DraftRule, name: ConditionName) {
      const put = (value: RuleConditions[ConditionName]) =>
        setRules((before) =>
          before.map((rule) =>
            rule.id === id ? { ...rule, conditions: withCondition(rule.conditions, name, value) } : rule,
          ),
        );
      put(undefined);
      const { conditions, route } = words;
      toast({ text: route.conditionRemoved(conditions[name]), undo: () => put(was[name]) });
    },
  };
}

interface MarksProps {
  state: ReturnType<typeof stateOf>;
  share: string | undefined;
}

/** The rule's result for the simulated visitor, and its share of real clicks. */
const Marks = ({ state, share }: MarksProps) => (
  <>
    {state ? <Chip tone={state === "fails" ? "bad" : "good"}>{words.route.states[state]}</Chip> : null}
    {share ? <Chip>{share}</Chip> : null}
  </>
);

function stateOf(outcome: Outcome | undefined, id: string) {
  const trace = outcome?.traces.get(id);
  if (!outcome || !trace) return undefined;
  if (!trace.matched) return "fails";
  return outcome.ruleId === id ? "taken" : "holds";
}

const Unreachable = ({ lost }: { lost: UnreachableRule | undefined }) =>
  lost ? (
    <Notice tone="warn" icon={EyeOff}>
      {lostText(lost)}
    </Notice>
  ) : null;

function lostText({ reason, by }: UnreachableRule): string {
  const { unreachable, rule } = words.route;
  const name = rule((by ?? 0) + 1);
  if (reason === "contradiction") return unreachable.contradiction;
  return reason === "behind_catch_all" ? unreachable.behindCatchAll(name) : unreachable.shadowed(name);
}
