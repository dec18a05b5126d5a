import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "@/dashboard/ui/button";
import { optionsOf, Select, Tick } from "@/dashboard/ui/choice";
import { TextField } from "@/dashboard/ui/field";
import { Card, Row, Stack, Text } from "@/dashboard/ui/layout";
import { FieldPairs } from "@/dashboard/ui/path/bars";
import { toast } from "@/dashboard/ui/toasts";
import { newId } from "../route/draft";
import { type DraftPixel, newPixel } from "./draft";
import type { LinkPagePartProps } from "./tab";
import { linkPageWords as words } from "./words";

const PIXELS_MAX = 20;

export function Pixels({ draft: { pixels }, faults, mayEdit, edit }: LinkPagePartProps) {
  const said = words.linkPage.pixels;
  const addButton = useRef<HTMLButtonElement>(null);
  const setPixels = (change: (pixels: readonly DraftPixel[]) => readonly DraftPixel[]) =>
    edit((before) => ({ ...before, pixels: change(before.pixels) }));
  const remove = (pixel: DraftPixel, at: number) => {
    setPixels((before) => before.filter(({ key }) => key !== pixel.key));
    addButton.current?.focus();
    const undo = () => setPixels((before) => before.toSpliced(at, 0, { ...pixel, key: newId() }));
    toast({ text: said.removed(at + 1), undo });
  };
  const add = mayEdit ? (
    <Button
      {...{ small: true, icon: Plus, ref: addButton, disabled: pixels.length >= PIXELS_MAX }}
      onClick={() => setPixels((before) => [...before, newPixel()])}
    >
      {said.add}
    </Button>
  ) : undefined;
  return (
    <Card title={said.card} actions={add}>
      <Stack>
        <Text soft>{said.hint}</Text>
        {pixels.length === 0 ? <Text soft>{said.none}</Text> : null}
        {pixels.map((pixel, at) => (
          <Pixel
            key={pixel.key}
            {...{ pixel, mayEdit, position: at + 1, fault: faults[`retargetingPixels.${at}.id`] }}
            onChange={(next) =>
              setPixels((before) => before.map((each) => (each.key === pixel.key ? { ...each, ...next } : each)))
            }
            onRemove={() => remove(pixel, at)}
          />
        ))}
      </Stack>
    </Card>
  );
}

interface PixelProps {
  pixel: DraftPixel;
  position: number;
  mayEdit: boolean;
  fault: string | undefined;
  onChange(next: Partial<DraftPixel>): void;
  onRemove(): void;
}

function Pixel({ pixel: { provider, id, isActive }, position, mayEdit, fault, onChange, onRemove }: PixelProps) {
  const said = words.linkPage.pixels;
  return (
    <FieldPairs>
      <Select
        {...{ label: said.provider, value: provider, options: optionsOf<DraftPixel["provider"]>(said.providers) }}
        onChange={(chosen) => onChange({ provider: chosen })}
      />
      <TextField
        {...{ label: said.id, value: id, fault, maxLength: 64, spellCheck: false, autoComplete: "off" }}
        onChange={(typed) => onChange({ id: typed })}
      />
      <Row apart>
        <Tick label={said.isActive} checked={isActive} onChange={(on) => onChange({ isActive: on })} />
        {mayEdit ? (
          <IconButton {...{ small: true, icon: Trash2, label: said.remove(position) }} onClick={onRemove} />
        ) : null}
      </Row>
    </FieldPairs>
  );
}
