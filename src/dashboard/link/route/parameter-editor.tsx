import { Plus } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import type { RuleConditions } from "@/contract/routing";
import { Button } from "@/dashboard/ui/button";
import { Chip } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Grow, Row, Stack, Text } from "@/dashboard/ui/layout";
import type { EditorProps } from "./condition-editor";
import { valueText, withCondition } from "./conditions";
import { linkRouteWords as words } from "./words";

type Parameter = NonNullable<RuleConditions["query"]>[number];

/** Edits query parameters with their accepted values. */
export function ParameterEditor({ conditions, onChange, fault }: EditorProps) {
  const chosen = conditions.query ?? [];
  const set = (parameters: readonly Parameter[]) => onChange(withCondition(conditions, "query", [...parameters]));
  /** Adding the same parameter again adds another accepted value. */
  const add = (name: string, value: string) => {
    const had = chosen.find((each) => each.name === name);
    const values = [...new Set([...(had?.values ?? []), ...(value === "" ? [] : [value])])];
    set([...chosen.filter((each) => each !== had), { name, ...(values.length > 0 && { values }) }]);
  };
  return (
    <Stack gap={2}>
      <Row wrap>
        {chosen.map((each) => (
          <Chip key={each.name} tone="accent" onRemove={() => set(chosen.filter((other) => other !== each))}>
            {valueText("query", each)}
          </Chip>
        ))}
      </Row>
      <NewParameter fault={fault} onAdd={add} />
    </Stack>
  );
}

interface NewParameterProps extends Pick<EditorProps, "fault"> {
  onAdd(name: string, value: string): void;
}

/** What is typed is also added when the focus leaves, because nothing else would save it. */
function NewParameter({ fault, onAdd }: NewParameterProps) {
  const { route } = words;
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const add = () => {
    if (name.trim() === "") return;
    onAdd(name.trim(), value);
    setName("");
    setValue("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!box.current?.contains(relatedTarget)) add();
  };
  const events = { onKeyDown, onBlur };
  return (
    <div ref={box}>
      <Stack gap={2}>
        <Row wrap top>
          <Grow>
            <TextField
              {...{ label: route.parameter, fault, value: name, onChange: setName, ...events }}
              autoComplete="off"
            />
          </Grow>
          <Grow>
            <TextField {...{ label: route.parameterValue, value, onChange: setValue, ...events }} autoComplete="off" />
          </Grow>
        </Row>
        <Row apart wrap>
          <Text soft small>
            {route.hints.query}
          </Text>
          <Button small icon={Plus} onClick={add} onBlur={onBlur} disabled={name.trim() === ""}>
            {route.add}
          </Button>
        </Row>
      </Stack>
    </div>
  );
}
