/** Edits one condition in place; each kind has its own fields. Changes apply to the draft immediately. */
import type { RuleConditions } from "@/contract/routing";
import { Tick } from "@/dashboard/ui/choice";
import { TextField } from "@/dashboard/ui/field";
import { Row } from "@/dashboard/ui/layout";
import { instantOf, localTime } from "../local-time";
import { CONDITIONS, type ConditionName, DAYS, PLATFORM_NAMES, type TextName, withCondition } from "./conditions";
import { ListEditor } from "./list-editor";
import { ParameterEditor } from "./parameter-editor";
import { linkRouteWords as words } from "./words";

export interface EditorProps {
  name: ConditionName;
  conditions: RuleConditions;
  onChange(conditions: RuleConditions): void;
  fault: string | undefined;
  linkId: string;
}

export function ConditionEditor(props: EditorProps) {
  const { name, conditions, onChange } = props;
  switch (name) {
    case "platform":
      return (
        <Ticks
          chosen={conditions.platform ?? []}
          options={PLATFORM_NAMES.map((each) => [each, words.route.platforms[each]] as const)}
          onChange={(chosen) => onChange(withCondition(conditions, name, chosen))}
        />
      );
    case "daysOfWeek":
      return (
        <Ticks
          chosen={conditions.daysOfWeek ?? []}
          options={DAYS.map((day) => [day, words.route.days[day]] as const)}
          onChange={(chosen) => onChange(withCondition(conditions, name, chosen))}
        />
      );
    case "query":
      return <ParameterEditor {...props} />;
    case "minOsVersion":
    case "maxOsVersion":
    case "startTime":
    case "endTime":
    case "after":
    case "before":
      return <TextEditor {...props} name={name} />;
    default:
      return <ListEditor {...props} name={name} />;
  }
}

interface TicksProps<Value> {
  chosen: readonly Value[];
  options: readonly (readonly [value: Value, text: string])[];
  onChange(chosen: Value[]): void;
}

const Ticks = <Value extends string | number>({ chosen, options, onChange }: TicksProps<Value>) => (
  <Row wrap gap={4}>
    {options.map(([value, text]) => (
      <Tick
        key={value}
        label={text}
        checked={chosen.includes(value)}
        onChange={(isOn) =>
          onChange(options.map(([each]) => each).filter((each) => (each === value ? isOn : chosen.includes(each))))
        }
      />
    ))}
  </Row>
);

function TextEditor({ name, conditions, onChange, fault }: EditorProps & { name: TextName }) {
  const { kind } = CONDITIONS[name];
  const isInstant = kind === "instant";
  const value = conditions[name] ?? "";
  const change = (text: string) => {
    const changed = isInstant && text !== "" ? instantOf(text) : text;
    if (changed !== undefined) onChange(withCondition(conditions, name, changed));
  };
  return (
    <TextField
      label={words.conditions[name]}
      hint={words.route.hints[name]}
      fault={fault}
      type={isInstant ? "datetime-local" : kind === "time" ? "time" : "text"}
      value={isInstant ? localTime(value) : value}
      onChange={change}
    />
  );
}
