/** Figures side by side, each with its change. */
import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { classes } from "../classes";
import { Hidden, Icon } from "../layout";

export interface NumberTile {
  key: string;
  title: string;
  value: string;
  change?: Change | undefined;
  isChosen: boolean;
  disabled?: boolean;
  onChoose(): void;
}

interface Change {
  direction: "up" | "down" | "same";
  text: string;
  /** The change as a complete sentence. */
  said: string;
}

const ICONS = { up: ArrowUp, down: ArrowDown, same: Minus };

export const Numbers = ({ label, tiles }: { label: string; tiles: readonly NumberTile[] }) => (
  <ul className="numbers" aria-label={label}>
    {tiles.map(({ key, title, value, change, isChosen, disabled, onChoose }) => (
      <li key={key}>
        <button type="button" className="number-tile" aria-pressed={isChosen} disabled={disabled} onClick={onChoose}>
          <span className="soft small">{title}</span>
          <span className="figure">{value}</span>
          <span className={classes("number-change small", change?.direction)} title={change?.said}>
            {change ? (
              <>
                <Icon of={ICONS[change.direction]} />
                <span aria-hidden>{change.text}</span>
                <Hidden>{change.said}</Hidden>
              </>
            ) : null}
          </span>
        </button>
      </li>
    ))}
  </ul>
);
