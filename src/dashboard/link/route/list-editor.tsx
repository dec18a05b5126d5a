/** Edits the values of a condition: selected values, and free input with suggestions. */
import { type KeyboardEvent, useRef, useState } from "react";
import { Chip } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { passFocus } from "@/dashboard/ui/focus";
import { Grow, Row, Stack } from "@/dashboard/ui/layout";
import type { EditorProps } from "./condition-editor";
import { CONDITIONS, type ListName, withCondition } from "./conditions";
import { useSeen } from "./queries";
import { linkRouteWords as words } from "./words";

export function ListEditor({ name, conditions, onChange, fault, linkId }: EditorProps & { name: ListName }) {
  const { route } = words;
  const [text, setText] = useState("");
  const { seenBy, known = [] } = CONDITIONS[name];
  const chosen: readonly string[] = conditions[name] ?? [];
  const seen = useSeen(seenBy, linkId);
  const set = (values: readonly string[]) => onChange(withCondition(conditions, name, [...new Set(values)]));
  const field = useRef<HTMLInputElement>(null);
  /** Moves the focus first, because the pressed button disappears. */
  const remove = (value: string) => {
    passFocus(field.current);
    set(chosen.filter((each) => each !== value));
  };
  const add = () => {
    const values = text
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
    if (values.length > 0) set([...chosen, ...values]);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  return (
    <Stack gap={2}>
      <Row wrap>
        {chosen.map((value) => (
          <Chip key={value} tone="accent" onRemove={() => remove(value)}>
            {value}
          </Chip>
        ))}
      </Row>
      <Row top>
        <Grow>
          <TextField
            ref={field}
            {...{ label: route.addValue(words.conditions[name]), hint: route.hints[name], fault, value: text }}
            suggestions={[...new Set([...seen, ...known])].filter((value) => !chosen.includes(value))}
            onChange={setText}
            onKeyDown={onKeyDown}
            onBlur={add}
            autoComplete="off"
          />
        </Grow>
      </Row>
    </Stack>
  );
}
