/** Values by frequency, each with a bar and optionally a button to select it. */
import type { ReactNode } from "react";
import { countText, percentText } from "../format";

export interface Bar {
  key: string;
  text: ReactNode;
  count: number;
  /** True if the value is selected. */
  isChosen?: boolean;
  /** Selects the value; omitted if it cannot be selected. */
  onChoose?: (() => void) | undefined;
}

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  /** The whole that the shares refer to. */
  total: number;
}

export function Bars({ label, bars, total }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.key} className="bar">
          <span className="bar-fill" style={{ inlineSize: `${(bar.count / most) * 100}%` }} aria-hidden />
          <BarText {...bar} />
          <span className="bar-count">{countText(bar.count)}</span>
          <span className="bar-share">{total > 0 ? percentText(bar.count / total) : ""}</span>
        </li>
      ))}
    </ul>
  );
}

const BarText = ({ text, isChosen, onChoose }: Bar) => {
  // A long text is cut off; several may begin alike.
  const title = typeof text === "string" ? text : undefined;
  return onChoose ? (
    <button type="button" className="bar-text" title={title} aria-pressed={isChosen ?? false} onClick={onChoose}>
      <span className="one-line" dir="auto">
        {text}
      </span>
    </button>
  ) : (
    <span className="bar-text one-line" title={title} dir="auto">
      {text}
    </span>
  );
};
