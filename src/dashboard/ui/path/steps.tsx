/**
 * Cards that are evaluated in order. They can be reordered by their handles, with buttons, or with Alt and the arrow
 * keys.
 */
import { ChevronDown, ChevronUp, GripVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { words } from "@/dashboard/words";
import { IconButton } from "../button";
import { Icon } from "../layout";
import { useReorder } from "./use-reorder";

/** `taken`: this step decided. `holds`: it would have decided if no earlier one had. */
type StepState = "taken" | "holds" | "fails";

interface Step {
  id: string;
  name: string;
  /** Shown next to the name. */
  marks?: ReactNode;
  actions?: ReactNode;
  state?: StepState | undefined;
  children: ReactNode;
}

interface StepsProps {
  label: string;
  steps: readonly Step[];
  /** Omitted if the steps are read-only. */
  onMove?: ((from: number, to: number) => void) | undefined;
}

export function Steps({ label, steps, onMove }: StepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [told, setTold] = useState("");
  const focused = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // A card that changes places loses the focus inside it.
    focused.current?.focus();
    focused.current = null;
  });
  const move = (from: number, to: number) => {
    if (to < 0 || to >= steps.length || from === to) return;
    if (document.activeElement instanceof HTMLElement) focused.current = document.activeElement;
    setTold(words.steps.movedTo(steps[from]?.name ?? "", to + 1));
    onMove?.(from, to);
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || by === 0 || !onMove) return;
    event.preventDefault();
    move(at, at + by);
  };
  const { heldId, onPointerDown } = useReorder({ list, ids: steps.map(({ id }) => id), move });
  return (
    <>
      <ol className="steps" aria-label={label} ref={list}>
        {steps.map(({ id, name, marks, actions, state, children }, at) => (
          <li
            key={id}
            className="step"
            data-state={state}
            data-dragged={heldId === id || undefined}
            aria-label={name}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <div className="row gap-2 wrap step-head">
              {onMove ? <Handle onPointerDown={(event) => onPointerDown(event, id)} /> : null}
              <h3 className="heading">{name}</h3>
              <div className="grow">{marks}</div>
              {onMove ? (
                <div className="row">
                  <MoveButtons {...{ name, at, last: steps.length - 1 }} onMove={(to) => move(at, to)} />
                  {actions}
                </div>
              ) : null}
            </div>
            {children}
          </li>
        ))}
      </ol>
      <span className="hidden" role="status">
        {told}
      </span>
    </>
  );
}

interface MoveButtonsProps {
  name: string;
  at: number;
  last: number;
  onMove(to: number): void;
}

const MoveButtons = ({ name, at, last, onMove }: MoveButtonsProps) => (
  <>
    <IconButton
      {...{ small: true, icon: ChevronUp, label: words.steps.up(name), disabled: at === 0 }}
      onClick={() => onMove(at - 1)}
    />
    <IconButton
      {...{ small: true, icon: ChevronDown, label: words.steps.down(name), disabled: at === last }}
      onClick={() => onMove(at + 1)}
    />
  </>
);

const Handle = ({ onPointerDown }: { onPointerDown(event: PointerEvent): void }) => (
  <span className="handle" aria-hidden onPointerDown={onPointerDown}>
    <Icon of={GripVertical} />
  </span>
);
