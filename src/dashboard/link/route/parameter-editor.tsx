import { Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button } from "@/dashboard/ui/button";
import { Chip } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Grow, Row, Stack, Text } from "@/dashboard/ui/layout";
import { words } from "@/dashboard/words";
import type { EditorProps } from "./condition-editor";
import { valueText, withCondition } from "./conditions";

/** Edits query parameters with their accepted values. Adding the same parameter again adds another accepted value. */
export function ParameterEditor({ conditions, onChange, fault }: EditorProps) {
  const { route } = words;
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const chosen = conditions.query ?? [];
  const add = () => {
    if (name.trim() === "") return;
    const had = chosen.find((each) => each.name === name.trim());
    const values = [...new Set([...(had?.values ?? []), ...(value === "" ? [] : [value])])];
    const added = { name: name.trim(), ...(values.length > 0 && { values }) };
    onChange(withCondition(conditions, "query", [...chosen.filter((each) => each !== had), added]));
    setName("");
    setValue("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  return (
    <Stack gap={2}>
      <Row wrap>
        {chosen.map((each) => (
          <Chip
            key={each.name}
            tone="accent"
            onRemove={() =>
              onChange(
                withCondition(
                  conditions,
                  "query",
                  chosen.filter((other) => other !== each),
                ),
              )
            }
          >
            {valueText("query", each)}
          </Chip>
        ))}
      </Row>
      <Row wrap top>
        <Grow>
          <TextField
            {...{ label: route.parameter, fault, value: name, onChange: setName, onKeyDown }}
            autoComplete="off"
          />
        </Grow>
        <Grow>
          <TextField {...{ label: route.parameterValue, value, onChange: setValue, onKeyDown }} autoComplete="off" />
        </Grow>
      </Row>
      <Row apart wrap>
        <Text soft small>
          {route.hints.query}
        </Text>
        <Button small icon={Plus} onClick={add} disabled={name.trim() === ""}>
          {route.add}
        </Button>
      </Row>
    </Stack>
  );
}
