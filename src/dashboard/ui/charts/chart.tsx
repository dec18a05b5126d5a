/** A figure over time: the line that is meant, the one before it dotted, and what both come to where one points. */
import { type PointerEvent, useState } from "react";
import { classes } from "../classes";
import { shortCount } from "../format";

export interface ChartPoint {
  /** Where it stands in time, as short as can be. */
  tick: string;
  value: number;
  /** The same place in the period before. */
  before?: number | undefined;
  /** Both in words, as shown where one points. */
  text: string;
}

interface ChartProps {
  /** What it shows, for those who hear the page. */
  label: string;
  points: readonly ChartPoint[];
}

/** The drawing's own units: it is stretched to the room that there is. */
const WIDTH = 1_000;
const HEIGHT = 200;
const TICKS = 4;
/** As many names as have room at a desk; a phone leaves out every second. */
const NAMES = 5;

export function Chart({ label, points }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const most = niceMost(Math.max(...points.flatMap(({ value, before = 0 }) => [value, before]), 0));
  const xOf = (index: number) => (points.length < 2 ? WIDTH / 2 : (index / (points.length - 1)) * WIDTH);
  const yOf = (value: number) => HEIGHT - (value / most) * HEIGHT;
  const lineOf = (values: readonly number[]) =>
    values.map((value, index) => `${round(xOf(index))},${round(yOf(value))}`).join(" ");
  const line = lineOf(points.map(({ value }) => value));
  const before = points.filter((point) => point.before !== undefined);
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const along = Math.max(0, Math.min(1, (event.clientX - left) / width));
    setPointed(Math.round(along * (points.length - 1)));
  };
  const shown = pointed === undefined ? undefined : points[pointed];
  return (
    <div className="chart">
      <ol className="chart-scale" aria-hidden>
        {Array.from({ length: TICKS + 1 }, (_, tick) => (
          <li key={tick === TICKS ? "least" : most - tick}>{shortCount(most - (most / TICKS) * tick)}</li>
        ))}
      </ol>
      <div className="chart-plot" onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {Array.from({ length: TICKS + 1 }, (_, tick) => round((HEIGHT / TICKS) * tick)).map((y) => (
            <line key={y} className="chart-grid" x1={0} x2={WIDTH} y1={y} y2={y} />
          ))}
          <polygon className="chart-area" points={`${xOf(0)},${HEIGHT} ${line} ${xOf(points.length - 1)},${HEIGHT}`} />
          {before.length > 0 ? (
            <polyline className="chart-before" points={lineOf(before.map((each) => each.before ?? 0))} />
          ) : null}
          <polyline className="chart-line" points={line} />
          {pointed === undefined ? null : (
            <line className="chart-here" x1={xOf(pointed)} x2={xOf(pointed)} y1={0} y2={HEIGHT} />
          )}
        </svg>
        {shown && pointed !== undefined ? (
          <div
            className={classes("chart-told", xOf(pointed) > WIDTH / 2 && "left")}
            style={{ insetInlineStart: `${(xOf(pointed) / WIDTH) * 100}%` }}
          >
            {shown.text}
          </div>
        ) : null}
      </div>
      <ol className="chart-names" aria-hidden>
        {namesOf(points).map(({ tick, text }) => (
          <li key={text}>{tick}</li>
        ))}
      </ol>
    </div>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The next number whose quarters are easily read. */
function niceMost(most: number): number {
  if (most <= TICKS) return TICKS;
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * unit >= most) ?? 10;
  return step * unit;
}

/** Evenly spread, the first and the last among them. */
function namesOf(points: readonly ChartPoint[]): readonly ChartPoint[] {
  if (points.length <= NAMES) return points;
  const places = Array.from({ length: NAMES }, (_, at) => Math.round((at / (NAMES - 1)) * (points.length - 1)));
  return places.flatMap((place) => points[place] ?? []);
}
