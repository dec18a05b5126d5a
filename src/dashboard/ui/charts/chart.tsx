/**
 * A figure over time: the current period as a line, the previous one dotted, what was counted elsewhere as bars, and the
 * values where the pointer is.
 */
import { type PointerEvent, useState } from "react";
import { classes } from "../classes";
import { shortCount } from "../format";

export interface ChartPoint {
  /** Short name of the point in time. */
  tick: string;
  value: number;
  /** Value at the same place in the previous period. */
  before?: number | undefined;
  /** What was counted elsewhere, which is not part of the value. */
  former?: number | undefined;
  /** The values in words, shown at the pointer. */
  text: string;
}

interface ChartProps {
  /** Describes the chart to screen readers. */
  label: string;
  points: readonly ChartPoint[];
  /** Names of the line and of the bars, if there are any. */
  legend?: { value: string; former: string } | undefined;
}

/** Units of the drawing, which is stretched to the available space. */
const WIDTH = 1_000;
const HEIGHT = 200;
const TICKS = 4;
/** The share of the space between two points that a bar takes. */
const BAR_SHARE = 0.6;
/** Number of names that fit on a wide screen; a phone omits every second one. */
const NAMES = 5;

export function Chart({ label, points, legend }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const most = niceMost(Math.max(...points.flatMap(({ value, before = 0, former = 0 }) => [value, before, former]), 0));
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
          <FormerBars points={points} xOf={xOf} yOf={yOf} />
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
      {legend ? (
        <ul className="chart-legend">
          <li className="of-value">{legend.value}</li>
          <li className="of-former">{legend.former}</li>
        </ul>
      ) : null}
    </div>
  );
}

interface BarsProps extends Pick<ChartProps, "points"> {
  xOf(index: number): number;
  yOf(value: number): number;
}

function FormerBars({ points, xOf, yOf }: BarsProps) {
  const width = BAR_SHARE * (WIDTH / Math.max(1, points.length - 1));
  return points.map(({ former = 0, text }, index) => {
    if (former === 0) return null;
    const x = Math.max(0, Math.min(WIDTH - width, xOf(index) - width / 2));
    const y = yOf(former);
    return (
      <rect
        key={text}
        className="chart-former"
        {...{ x: round(x), y: round(y), width: round(width), height: round(HEIGHT - y) }}
      />
    );
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns the next number whose quarters are easy to read. */
function niceMost(most: number): number {
  if (most <= TICKS) return TICKS;
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * unit >= most) ?? 10;
  return step * unit;
}

/** Returns evenly spaced points, including the first and the last. */
function namesOf(points: readonly ChartPoint[]): readonly ChartPoint[] {
  if (points.length <= NAMES) return points;
  const places = Array.from({ length: NAMES }, (_, at) => Math.round((at / (NAMES - 1)) * (points.length - 1)));
  return places.flatMap((place) => points[place] ?? []);
}
