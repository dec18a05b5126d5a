/** The conditions of one rule as chips; one at a time can be unfolded and edited. */
import { Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { RuleConditions } from "@/contract/routing";
import { Button } from "@/dashboard/ui/button";
import { Select } from "@/dashboard/ui/choice";
import { Chip } from "@/dashboard/ui/data";
import { Fault } from "@/dashboard/ui/field";
import { keepFocus } from "@/dashboard/ui/focus";
import { Row, Stack } from "@/dashboard/ui/layout";
import { Panel } from "@/dashboard/ui/path/bars";
import { FactChip } from "@/dashboard/ui/path/fact-chip";
import { ConditionEditor } from "./condition-editor";
import { CONDITION_NAMES, type ConditionName, isListName, namesIn, valueText } from "./conditions";
import type { TracedRule } from "./queries";
import { SeenValues } from "./seen-values";
import { linkRouteWords as words } from "./words";

interface RuleConditionsProps {
  name: string;
  conditions: RuleConditions;
  trace: TracedRule | undefined;
  linkId: string;
  /** Focuses the button for a new condition when the rule appears. */
  takesFocus: boolean;
  faultAt(field: string): string | undefined;
  /** Undefined if the conditions are read-only. */
  onChange: ((conditions: RuleConditions) => void) | undefined;
  onRemove(name: ConditionName): void;
}

export function RuleConditionChips({
  name,
  conditions,
  trace,
  linkId,
  takesFocus,
  faultAt,
  onChange,
  onRemove,
}: RuleConditionsProps) {
  const { route } = words;
  const [open, setOpen] = useState<ConditionName>();
  const box = useRef<HTMLDivElement>(null);
  const shown = namesIn(conditions);
  const free = CONDITION_NAMES.filter((each) => !shown.includes(each));
  const close = (left = "button[aria-expanded=true]") => {
    setOpen(undefined);
    const button =
      box.current?.querySelector<HTMLElement>(left) ?? box.current?.querySelector<HTMLElement>("[data-add]");
    button?.focus();
  };
  return (
    <Stack gap={2}>
      <div ref={box}>
        <Row wrap>
          {shown.length === 0 ? <Chip>{route.everyone}</Chip> : null}
          {shown.map((field) => (
            <FactChip
              key={field}
              name={words.conditions[field]}
              value={valueText(field, conditions[field])}
              verdict={verdictOf(trace, field)}
              isOpen={open === field}
              isFaulty={faultAt(field) !== undefined}
              onEdit={onChange && (() => setOpen(open === field ? undefined : field))}
            />
          ))}
          {onChange && free.length > 0 ? (
            <Button small icon={Plus} data-add autoFocus={takesFocus} onClick={() => setOpen(free[0])}>
              {route.addCondition}
            </Button>
          ) : null}
        </Row>
      </div>
      {shown.map((field) => {
        const fault = field === open ? undefined : faultAt(field);
        return fault && <Fault key={field}>{fault}</Fault>;
      })}
      {onChange && open ? (
        <Panel label={route.conditionsOf(name)} onEscape={() => close()}>
          {shown.includes(open) ? null : (
            <Select
              label={route.condition}
              value={open}
              onChange={setOpen}
              options={free.map((each) => [each, words.conditions[each]] as const)}
            />
          )}
          <ConditionEditor key={open} {...{ name: open, conditions, onChange, linkId, fault: faultAt(open) }} />
          <Row>
            <Button small onMouseDown={keepFocus} onClick={() => close()}>
              {route.done}
            </Button>
            {shown.includes(open) ? (
              <Button
                {...{ small: true, kind: "quiet", icon: Trash2 }}
                onClick={() => {
                  onRemove(open);
                  close("[data-add]");
                }}
              >
                {route.removeCondition}
              </Button>
            ) : null}
          </Row>
          {isListName(open) ? <SeenValues {...{ name: open, conditions, onChange, linkId }} /> : null}
        </Panel>
      ) : null}
    </Stack>
  );
}

function verdictOf(trace: TracedRule | undefined, field: ConditionName) {
  const { route } = words;
  const traced = trace?.conditions.find((each) => each.field === field);
  if (!traced) return undefined;
  return {
    isGood: traced.matched,
    word: traced.matched ? route.matches : route.fails,
    text: route.actual(valueText(field, traced.actual)),
  };
}
