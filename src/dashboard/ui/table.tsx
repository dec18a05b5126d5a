import { type ReactNode, useRef } from "react";
import { classes } from "./classes";
import { Hidden } from "./layout";
import { useBeyond } from "./wide";

export interface Column<Row> {
  /** Column heading; with `isTitleHidden`, for screen readers only. */
  title: string;
  isTitleHidden?: boolean;
  isNumber?: boolean;
  /** Keeps a date in one line, and its time in that line or the next, however narrow the screen. */
  isTime?: boolean;
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <TableBox label={label}>
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isTitleHidden, isNumber }) => (
            <th key={title} scope="col" className={classes(isNumber && "number")}>
              {isTitleHidden ? <Hidden>{title}</Hidden> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, isNumber, isTime, cell }) => (
              <td key={title} className={classes(isNumber && "number", isTime && "time")}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

/** Lets a table scroll by itself if it is wider than the page. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useBeyond(box);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="table-box" tabIndex={0} aria-label={label} ref={box}>
      {children}
    </section>
  );
}

interface MeterProps {
  label: string;
  used: number;
  /** Null if there is no limit. */
  limit: number | null;
  /** Both numbers in words. */
  text: string;
}

const NEARLY = 0.9;

/** Shows how much of a limit is used. */
export const Meter = ({ label, used, limit, text }: MeterProps) => {
  const share = limit === null ? 0 : Math.min(1, limit === 0 ? 1 : used / limit);
  return (
    <div className="stack gap-1">
      <div className="row gap-2 apart">
        <span className="strong">{label}</span>
        <span className="meter-text">{text}</span>
      </div>
      {limit === null ? null : (
        <div className="meter" aria-hidden>
          <div className={classes("meter-used", share >= NEARLY && "warn")} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
};

const WIDTH = 72;
const HEIGHT = 20;

/** A few numbers as a line. The numbers themselves are shown nearby or described by `label`. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${round(index * step)},${round(HEIGHT - 1 - (value / most) * (HEIGHT - 2))}`,
  );
  return (
    <svg
      className="spark"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
