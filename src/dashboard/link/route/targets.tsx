/** The split targets as one bar with draggable joints, and the fields of each. */
import { Check, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "@/dashboard/ui/button";
import { Tick } from "@/dashboard/ui/choice";
import { Chip } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Card, Row, Stack, Text } from "@/dashboard/ui/layout";
import { FieldPairs } from "@/dashboard/ui/path/bars";
import { SplitBar } from "@/dashboard/ui/path/split-bar";
import { toast } from "@/dashboard/ui/toasts";
import { type DraftTarget, newId } from "./draft";
import type { Outcome } from "./queries";
import type { PartProps } from "./tab";
import type { Traffic } from "./traffic";
import { linkRouteWords as words } from "./words";

const KEYS = "abcdefghijklmnopqrstuvwxyz";

interface TargetsProps extends PartProps {
  outcome: Outcome | undefined;
  traffic: Traffic;
}

export function Targets({ draft, edit, mayEdit, faultAt, outcome, traffic }: TargetsProps) {
  const { split } = words.route;
  const { targets } = draft;
  const addButton = useRef<HTMLButtonElement>(null);
  const active = targets.filter(({ isActive, weight }) => isActive && weight > 0);
  const setTargets = (change: (targets: readonly DraftTarget[]) => readonly DraftTarget[]) =>
    edit((before) => ({ ...before, targets: change(before.targets) }));
  const setWeights = (weights: number[]) =>
    setTargets((before) =>
      before.map((target) => ({
        ...target,
        weight: weights[active.findIndex(({ id }) => id === target.id)] ?? target.weight,
      })),
    );
  const add = () => {
    const key = [...KEYS].find((letter) => targets.every((each) => each.key !== letter)) ?? newId();
    const weight = targets.at(-1)?.weight ?? 50;
    setTargets((before) => [...before, { id: newId(), key, label: "", destinationUrl: "", weight, isActive: true }]);
  };
  const remove = (target: DraftTarget, at: number) => {
    setTargets((before) => before.filter(({ id }) => id !== target.id));
    addButton.current?.focus();
    const undo = () => setTargets((before) => before.toSpliced(at, 0, { ...target, id: newId() }));
    toast({ text: split.removed(target.key), undo });
  };
  return (
    <Card
      title={split.title}
      actions={
        mayEdit ? (
          <Button small icon={Plus} ref={addButton} onClick={add}>
            {split.add}
          </Button>
        ) : undefined
      }
    >
      <Stack gap={3}>
        <Text soft small>
          {targets.length === 0 ? split.none : active.length === 0 ? split.noneActive : split.hint}
        </Text>
        {active.length > 0 ? (
          <SplitBar
            label={split.bar}
            parts={active.map(({ id, key, label, weight }) => ({ id, name: label || key, weight }))}
            jointLabel={split.joint}
            onChange={mayEdit ? setWeights : undefined}
          />
        ) : null}
        {targets.map((target, at) => (
          <TargetFields
            key={target.id}
            {...{ target, mayEdit, share: traffic.ofTarget(target.key) }}
            isTaken={outcome?.route.kind === "split" && outcome.route.splitKey === target.key}
            faultAt={(field) => faultAt(`splitTargets.${at}.${field}`)}
            onChange={(changes) =>
              setTargets((before) => before.map((each) => (each.id === target.id ? { ...each, ...changes } : each)))
            }
            onRemove={() => remove(target, at)}
          />
        ))}
      </Stack>
    </Card>
  );
}

interface TargetProps {
  target: DraftTarget;
  mayEdit: boolean;
  isTaken: boolean;
  share: string | undefined;
  faultAt(field: string): string | undefined;
  onChange(changes: Partial<DraftTarget>): void;
  onRemove(): void;
}

const WEIGHT_MAX = 1_000_000;

function TargetFields({ target, mayEdit, isTaken, share, faultAt, onChange, onRemove }: TargetProps) {
  const { split, destination, destinationPlaceholder } = words.route;
  const readOnly = !mayEdit;
  return (
    <FieldPairs>
      <TextField
        {...{ label: split.key, value: target.key, readOnly, fault: faultAt("key"), maxLength: 64 }}
        onChange={(key) => onChange({ key })}
      />
      <TextField
        {...{ label: split.label, value: target.label, readOnly, fault: faultAt("label"), maxLength: 200 }}
        onChange={(label) => onChange({ label })}
      />
      <TextField
        {...{
          label: split.weight,
          value: String(target.weight),
          readOnly,
          fault: faultAt("weight"),
          inputMode: "numeric",
        }}
        onChange={(text) => /^\d*$/.test(text) && onChange({ weight: Math.min(WEIGHT_MAX, Number(text)) })}
      />
      <Row wrap>
        {isTaken ? (
          <Chip tone="good" icon={Check}>
            {words.route.states.taken}
          </Chip>
        ) : null}
        {share ? <Chip>{share}</Chip> : null}
        <Tick
          {...{ label: split.isActive, checked: target.isActive, disabled: readOnly, isSwitch: true }}
          onChange={(isActive) => onChange({ isActive })}
        />
        {mayEdit ? (
          <IconButton {...{ small: true, icon: Trash2, label: split.remove(target.key) }} onClick={onRemove} />
        ) : null}
      </Row>
      <TextField
        {...{
          label: destination,
          value: target.destinationUrl,
          readOnly,
          fault: faultAt("destinationUrl"),
          type: "url",
        }}
        placeholder={destinationPlaceholder}
        onChange={(destinationUrl) => onChange({ destinationUrl })}
      />
    </FieldPairs>
  );
}
