/** Six figures with their changes, and the selected one over time. */
import { ChartColumn, Table2 } from "lucide-react";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { useKeys } from "../shell/keys";
import { IconButton } from "../ui/button";
import { Chart, type ChartPoint } from "../ui/charts/chart";
import { Numbers, type NumberTile } from "../ui/charts/numbers";
import { countText, momentText, pageLanguage, percentText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import type { FigureQueryState } from "./figure-query";
import type { Overview } from "./queries";
import { analyticsWords as words } from "./words";

const METRICS = ["clicks", "uniqueVisitors", "opens", "installs", "leads", "events"] as const;
type Metric = (typeof METRICS)[number];
const isMetric = (text: string | null): text is Metric => METRICS.some((metric) => metric === text);

type Totals = Pick<Overview, "totalClicks" | "uniqueVisitors" | "opens" | "installs" | "conversionFunnel">;

function totalOf(metric: Metric, { totalClicks, uniqueVisitors, opens, installs, conversionFunnel }: Totals) {
  if (metric === "clicks") return totalClicks;
  if (metric === "uniqueVisitors") return uniqueVisitors;
  if (metric === "opens") return opens;
  if (metric === "installs") return installs;
  return conversionFunnel?.find(({ stage }) => stage === metric)?.count;
}

const list = new Intl.ListFormat(pageLanguage);

/** With filters, only clicks are known. */
function unknownIn(overview: Overview): string {
  const { metrics, notKnownWhy } = words.analytics;
  const unknown = METRICS.filter((metric) => totalOf(metric, overview) === undefined);
  return unknown.length > 0 ? notKnownWhy(list.format(unknown.map((metric) => metrics[metric]))) : "";
}

function changeOf(value: number | undefined, before: number | undefined): NumberTile["change"] {
  const { change } = words.analytics;
  if (value === undefined || before === undefined) return undefined;
  const said = countText(before);
  if (value === 0 && before === 0) return undefined;
  if (value === before) return { direction: "same", text: percentText(0), said: change.same(said) };
  if (before === 0) return { direction: "up", text: change.first, said: change.firstSaid };
  const share = percentText(Math.abs(value - before) / before);
  return value > before
    ? { direction: "up", text: share, said: change.up(share, said) }
    : { direction: "down", text: share, said: change.down(share, said) };
}

export function OverTime({ asked, overview }: { asked: FigureQueryState; overview: Overview }) {
  const { analytics } = words;
  const named = asked.view.get("metric");
  const metric = isMetric(named) ? named : "clicks";
  const isTable = asked.view.get("as") === "table";
  const turn = () => asked.setView("as", isTable ? "" : "table", true);
  useKeys({ t: turn });
  const tiles = METRICS.map((each) => {
    const value = totalOf(each, overview);
    return {
      key: each,
      title: analytics.metrics[each],
      value: value === undefined ? "–" : countText(value),
      change: changeOf(value, overview.previous && totalOf(each, overview.previous)),
      isChosen: each === metric,
      disabled: value === undefined,
      onChoose: () => asked.setView("metric", each === "clicks" ? "" : each, true),
    };
  });
  return (
    <>
      <Card padded={false}>
        <Numbers label={analytics.numbers} tiles={tiles} />
      </Card>
      <Card
        title={analytics.overTime(analytics.metrics[metric])}
        actions={
          <IconButton
            small
            icon={isTable ? ChartColumn : Table2}
            label={isTable ? analytics.asChart : words.ui.asTable}
            aria-keyshortcuts="t"
            onClick={turn}
          />
        }
      >
        <Stack gap={2}>
          <Series metric={metric} overview={overview} isTable={isTable} />
          <Text soft small>
            {[analytics.utc, unknownIn(overview)].filter(Boolean).join(" ")}
          </Text>
        </Stack>
      </Card>
    </>
  );
}

function Series({ metric, overview, isTable }: { metric: Metric; overview: Overview; isTable: boolean }) {
  const { analytics } = words;
  const { range, timeseries, previous } = overview;
  const formerOf = formerClicks(metric, overview);
  const nameOf = (at: string) => (range.granularity === "day" ? utcDay(at) : momentText(at));
  const ticks = ticksOf(range);
  const earlier = new Map(previous?.timeseries.map((bucket) => [Date.parse(bucket.at), bucket]));
  const points = timeseries.map((bucket): Point => {
    const value = bucket[metric] ?? 0;
    const before = earlier.get(Date.parse(bucket.at) - wholeLength(range))?.[metric];
    const name = nameOf(bucket.at);
    const former = formerOf?.(bucket.at);
    const said =
      before === undefined
        ? analytics.point(name, countText(value))
        : analytics.pointBefore(name, countText(value), countText(before));
    const text = former ? analytics.withFormer(said, countText(former)) : said;
    return { at: bucket.at, tick: ticks.format(new Date(bucket.at)), name, value, before, former, text };
  });
  const title = analytics.metrics[metric];
  const total = countText(totalOf(metric, overview) ?? 0);
  const said = analytics.chartSaid(title, total, utcDay(range.from), utcDay(Date.parse(range.to) - 1));
  const all = formerOf && countText(overview.clicksBefore?.inRange ?? 0);
  const label = all === undefined ? said : `${said} ${analytics.point(analytics.former, all)}.`;
  const legend = formerOf && { value: title, former: analytics.former };
  if (!isTable) return <Chart label={label} points={points} legend={legend} />;
  return (
    <Table
      label={analytics.overTime(analytics.metrics[metric])}
      rows={points}
      keyOf={({ at }) => at}
      columns={[
        { title: analytics.time, cell: ({ name }) => name },
        { title: analytics.metrics[metric], isNumber: true, cell: ({ value }) => countText(value) },
        {
          title: analytics.before,
          isNumber: true,
          cell: ({ before }) => (before === undefined ? "–" : countText(before)),
        },
        ...(formerOf
          ? [{ title: analytics.former, isNumber: true, cell: ({ former }: Point) => countText(former ?? 0) }]
          : []),
      ]}
    />
  );
}

interface Point extends ChartPoint {
  at: string;
  name: string;
}

/** Returns what was clicked on a day before the import; undefined if that is not known for these figures. */
function formerClicks(metric: Metric, { range, clicksBefore }: Overview): ((at: string) => number) | undefined {
  const { byDay } = clicksBefore ?? {};
  if (metric !== "clicks" || range.granularity !== "day" || !byDay) return undefined;
  const counts = new Map(byDay.map(({ date, count }) => [Date.parse(date), count]));
  return (at) => counts.get(Date.parse(at)) ?? 0;
}

const BUCKET_MS = { hour: HOUR_MS, day: DAY_MS } as const;

/**
 * Returns the length of the range in whole hours or days, in milliseconds. A range that ends now is some minutes longer
 * than 24 hours: that long before, an hour would be parts of two.
 */
function wholeLength({ from, to, granularity }: Overview["range"]): number {
  const length = Date.parse(to) - Date.parse(from);
  return length - (length % BUCKET_MS[granularity]);
}

/** From this length on, days without their year, and hours without their day, can be mistaken for others. */
const YEAR_SHOWN_MS = 300 * DAY_MS;
const WEEKDAY_SHOWN_MS = 25 * HOUR_MS;

/** Returns the format of the short names below the chart. */
function ticksOf({ from, to, granularity }: Overview["range"]): Intl.DateTimeFormat {
  const length = Date.parse(to) - Date.parse(from);
  if (granularity === "day") return length < YEAR_SHOWN_MS ? shortDay : monthOfYear;
  return length < WEEKDAY_SHOWN_MS ? hour : hourOfDay;
}

/** A UTC day is shown as that day everywhere; an hour is shown in the browser's time zone. */
const day = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "medium", timeZone: "UTC" });
const monthOfYear = new Intl.DateTimeFormat(pageLanguage, { month: "short", year: "numeric", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(pageLanguage, { month: "short", day: "numeric", timeZone: "UTC" });
const hourOfDay = new Intl.DateTimeFormat(pageLanguage, { weekday: "short", hour: "numeric", minute: "2-digit" });
const hour = new Intl.DateTimeFormat(pageLanguage, { timeStyle: "short" });
const utcDay = (at: string | number): string => day.format(new Date(at));
