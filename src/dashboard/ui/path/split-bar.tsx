/** Shares as one bar. The joints between them can be dragged, or moved with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { percentText } from "../format";

interface Part {
  id: string;
  name: string;
  weight: number;
}

interface SplitBarProps {
  label: string;
  parts: readonly Part[];
  /** Names the joint between two parts. */
  jointLabel(before: string, after: string): string;
  /** Receives all new weights, in the order of the parts. Omitted if they are read-only. */
  onChange?: ((weights: number[]) => void) | undefined;
}

const PERCENT = 100;
/** The finest division, limited by the largest weight that the API accepts. */
const WHOLE_MAX = 1_000_000;

/** Converts weights to parts of a whole: percentages, or finer ones if a smaller weight would otherwise become none. */
function sharesOf(weights: readonly number[]): { shares: number[]; whole: number } {
  for (let whole = PERCENT; ; whole *= 10) {
    const shares = partsOf(weights, whole);
    if (whole >= WHOLE_MAX || weights.every((weight, at) => weight === 0 || shares[at] !== 0)) return { shares, whole };
  }
}

function partsOf(weights: readonly number[], whole: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map(() => 0);
  let left = whole;
  let rest = total;
  return weights.map((weight) => {
    const share = rest === 0 ? 0 : Math.round((weight / rest) * left);
    left -= share;
    rest -= weight;
    return share;
  });
}

export function SplitBar({ label, parts, jointLabel, onChange }: SplitBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const { shares, whole } = sharesOf(parts.map(({ weight }) => weight));
  const startOf = (at: number) => shares.slice(0, at).reduce((sum, share) => sum + share, 0);
  const setJoint = (at: number, end: number) => {
    const [start, both] = [startOf(at), (shares[at] ?? 0) + (shares[at + 1] ?? 0)];
    const first = Math.max(0, Math.min(both, Math.round(end - start)));
    onChange?.(shares.map((share, each) => (each === at ? first : each === at + 1 ? both - first : share)));
  };
  const onPointerMove = (event: PointerEvent, at: number) => {
    const box = bar.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const part = (event.clientX - box.left) / box.width;
    setJoint(at, (document.dir === "rtl" ? 1 - part : part) * whole);
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setJoint(at, startOf(at + 1) + (by * whole) / PERCENT);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div className="split" role="group" aria-label={label} ref={bar}>
      {parts.map(({ id, name }, at) => (
        <div key={id} className="split-part" style={{ flexGrow: shares[at] ?? 0 }}>
          <span className="one-line" dir="auto">
            {name}
          </span>
          <span className="split-share">{percentText((shares[at] ?? 0) / whole)}</span>
          {onChange && at < parts.length - 1 ? (
            <div
              className="joint"
              role="slider"
              tabIndex={0}
              aria-label={jointLabel(name, parts[at + 1]?.name ?? "")}
              aria-valuemin={startOf(at)}
              aria-valuemax={startOf(at + 2)}
              aria-valuenow={startOf(at + 1)}
              aria-valuetext={percentText((shares[at] ?? 0) / whole)}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => onPointerMove(event, at)}
              onKeyDown={(event) => onKeyDown(event, at)}
            />
          ) : null}
        </div>
      ))}
    </div>
  );
}

const STEPS: Record<string, number> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  ...{ PageDown: -10, PageUp: 10 },
};
