import { Plus } from "lucide-react";
import type { MouseEvent } from "react";
import { Button } from "@/dashboard/ui/button";
import { keepFocus, passFocus } from "@/dashboard/ui/focus";
import { Row, Text } from "@/dashboard/ui/layout";
import type { EditorProps } from "./condition-editor";
import { CONDITIONS, type ListName, withCondition } from "./conditions";
import { useSeen } from "./queries";
import { linkRouteWords as words } from "./words";

const QUICK_MAX = 8;

type SeenProps = Pick<EditorProps, "conditions" | "onChange" | "linkId"> & { name: ListName };

/** Values of recent clicks, each added by one click. They stand last, because they appear while the editor is open. */
export function SeenValues({ name, conditions, onChange, linkId }: SeenProps) {
  const chosen: readonly string[] = conditions[name] ?? [];
  const seen = useSeen(CONDITIONS[name].seenBy, linkId).filter((value) => !chosen.includes(value));
  if (seen.length === 0) return null;
  const add = (value: string, { currentTarget }: MouseEvent) => {
    // Moves the focus first, because the pressed button disappears.
    passFocus(currentTarget.closest("fieldset")?.querySelector("input") ?? null);
    onChange(withCondition(conditions, name, [...chosen, value]));
  };
  return (
    <Row wrap gap={1}>
      <Text soft small>
        {words.route.seen}
      </Text>
      {seen.slice(0, QUICK_MAX).map((value) => (
        <Button key={value} small icon={Plus} onMouseDown={keepFocus} onClick={(event) => add(value, event)}>
          {value}
        </Button>
      ))}
    </Row>
  );
}
