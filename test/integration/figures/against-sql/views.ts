/** Requests each view of the figures over HTTP, and returns where it differs from plain SQL. */
import type { BreakdownAnswer } from "@/contract/analytics/breakdown";
import type { Click, ClickPage } from "@/contract/analytics/clicks";
import { BREAKDOWNS } from "@/contract/analytics/dimensions";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { TopLinks } from "@/contract/analytics/top-links";
import { bucketStarts, DAY_MS } from "@/core/time/time-range";
import { type Asked, DIMENSIONS, type PlainSql } from "./plain-sql";
import { Differences, type View } from "./view";

function queryOf({ from, to, includeBots, filters }: Asked): string {
  const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  if (includeBots) query.set("includeBots", "true");
  for (const [name, values] of Object.entries(filters)) for (const value of values) query.append(name, value);
  return query.toString();
}

const isWhole = ({ filters }: Asked) =>
  Object.keys(filters).length === 0 || (Object.keys(filters).join() === "linkId" && filters.linkId?.length === 1);
const unitOf = ({ from, to }: Asked): "hour" | "day" => (to - from <= 3 * DAY_MS ? "hour" : "day");

export async function compareOverview(view: View, asked: Asked, compare: boolean): Promise<Differences> {
  const path = `overview?${queryOf(asked)}${compare ? "&compare=previous" : ""}`;
  const differences = new Differences(path);
  const shown = await view.call<OverviewAnswer>(path);
  await compareFigures(view, asked, shown, differences);
  if (compare && shown.previous) {
    const length = asked.to - asked.from;
    const to = asked.from < view.now && view.now < asked.to ? view.now - length : asked.from;
    await compareFigures(view, { ...asked, from: asked.from - length, to }, shown.previous, differences, unitOf(asked));
  }
  return differences;
}

type Figures = Omit<OverviewAnswer, "previous" | "clicksBefore">;

async function compareFigures({ sql }: View, asked: Asked, shown: Figures, to: Differences, unit = unitOf(asked)) {
  const { clicks, visitors } = await sql.totals(asked);
  to.exact("totalClicks", shown.totalClicks, clicks);
  if (shown.notKnown?.includes("breakdowns")) {
    const series = await sql.series(asked, unit);
    for (const { at, clicks } of shown.timeseries)
      to.exact(`clicks at ${at}`, clicks, series.get(Date.parse(at))?.clicks ?? 0);
    return;
  }
  to.visitors("uniqueVisitors", shown.uniqueVisitors, visitors);
  await compareSeries(
    sql,
    asked,
    unit,
    shown.timeseries.map(({ at, ...bucket }) => [at, bucket]),
    to,
  );
  for (const name of DIMENSIONS) {
    const { list } = BREAKDOWNS[name as keyof typeof BREAKDOWNS];
    const rows = (shown[list] ?? []).map((row) => new Map<string, unknown>(Object.entries(row)));
    const values = rows.map((row) => ({ value: String(row.get(name) ?? ""), count: Number(row.get("count")) }));
    to.list(list, values, await sql.by(asked, name), 10);
  }
  const tags = (shown.byTag ?? []).map(({ tag, count }) => ({ value: tag, count }));
  to.list("byTag", tags, await sql.by(asked, "tag"), 10);
  const hours = (shown.byHourOfWeek ?? []).map(({ hourOfWeek, count }) => [String(hourOfWeek), count]);
  const counted = [...(await sql.by(asked, "hourOfWeek"))].sort(([a], [b]) => Number(a) - Number(b));
  to.exact("byHourOfWeek", hours, counted);
  if (isWhole(asked)) await compareConversions(sql, asked, { ...shown, clicks }, to);
  else
    to.exact(
      "what is not of clicks",
      [shown.opens, shown.installs, shown.eventValue],
      [undefined, undefined, undefined],
    );
}

async function compareConversions(sql: PlainSql, asked: Asked, shown: Figures & { clicks: number }, to: Differences) {
  const bySource = await sql.opensBy(asked, "source");
  const byPlatform = await sql.opensBy(asked, "platform");
  const sum = (values: Iterable<number>) => [...values].reduce((all, each) => all + each, 0);
  const series = [...(await sql.series(asked, "day")).values()];
  const of = (name: string) => sum(series.map((bucket) => bucket[name] ?? 0));
  const opens = sum(bySource.values());
  const installs = bySource.get("deferred") ?? 0;
  to.exact("opens, installs", [shown.opens, shown.installs, shown.matchedInstalls], [opens, installs, installs]);
  for (const { source, count } of shown.byOpenSource ?? [])
    to.exact(`byOpenSource ${source}`, count, bySource.get(source) ?? 0);
  for (const { platform, count } of shown.byOpenPlatform ?? [])
    to.exact(`byOpenPlatform ${platform}`, count, byPlatform.get(platform) ?? 0);
  const counts = [shown.clicks, opens, installs, of("leads"), of("events")];
  const funnel = counts.map((count) => [
    count,
    shown.clicks === 0 ? 0 : Math.round((count / shown.clicks) * 1e4) / 1e4,
  ]);
  to.exact(
    "conversionFunnel",
    shown.conversionFunnel?.map(({ count, rate }) => [count, rate]),
    funnel,
  );
  to.exact("eventValue", cents(shown.eventValue), cents(of("eventValue")));
  const named = (events: readonly { name: string; count: number; value: number }[]) =>
    events.map(({ name, count, value }) => [name, count, cents(value)]);
  to.exact("byEvent", named(shown.byEvent ?? []), named(await sql.eventsByName(asked)));
}

const cents = (value = 0) => Math.round(value * 1e6);

type Bucket = Partial<
  Record<"clicks" | "uniqueVisitors" | "opens" | "installs" | "leads" | "events" | "eventValue", number>
>;

async function compareSeries(
  sql: PlainSql,
  asked: Asked,
  unit: "hour" | "day",
  shown: readonly (readonly [at: string, bucket: Bucket])[],
  to: Differences,
): Promise<void> {
  const counted = await sql.series(asked, unit);
  const starts = bucketStarts({ ...asked, granularity: unit }).map((at) => new Date(at).toISOString());
  to.exact(
    "buckets",
    shown.map(([at]) => at),
    starts,
  );
  for (const [at, bucket] of shown) {
    const of = counted.get(Date.parse(at)) ?? {};
    to.exact(`clicks at ${at}`, bucket.clicks, of.clicks ?? 0);
    if (isWhole(asked) || bucket.uniqueVisitors !== undefined)
      to.visitors(`visitors at ${at}`, bucket.uniqueVisitors, of.visitors ?? 0);
    if (!isWhole(asked)) continue;
    for (const metric of ["opens", "installs", "leads", "events"] as const)
      to.exact(`${metric} at ${at}`, bucket[metric], of[metric] ?? 0);
    if (bucket.eventValue !== undefined) to.exact(`value at ${at}`, cents(bucket.eventValue), cents(of.eventValue));
  }
}

export async function compareBreakdown({ call, sql }: View, asked: Asked, by: string, limit: number) {
  const path = `breakdown?by=${by}&limit=${limit}&${queryOf(asked)}`;
  const differences = new Differences(path);
  const { totalClicks, rows } = await call<BreakdownAnswer>(path);
  differences.exact("totalClicks", totalClicks, (await sql.totals(asked)).clicks);
  differences.list("rows", rows, await sql.by(asked, by), limit);
  return differences;
}

export async function compareTopLinks({ call, sql }: View, { includeBots: _, ...asked }: Asked, limit: number) {
  const people = { ...asked, includeBots: false };
  const path = `top-links?limit=${limit}&${queryOf(people)}`;
  const differences = new Differences(path);
  const { links } = await call<TopLinks>(path);
  const counted = await sql.topLinks(people, limit);
  differences.exact(
    "links",
    links.map(({ _id, clicks }) => [_id, clicks]),
    counted.map(({ linkId, clicks }) => [linkId, clicks]),
  );
  links.forEach(({ uniqueVisitors }, place) => {
    differences.visitors(`visitors of link ${place}`, uniqueVisitors, counted[place]?.visitors ?? 0);
  });
  return differences;
}

/** `path` is an export of figures with all metrics. */
export async function compareExport({ call, sql }: View, asked: Asked, path = `export.csv?${queryOf(asked)}`) {
  const differences = new Differences(path);
  const [header = [], ...rows] = linesOf(await call<string>(path));
  const series = rows.map(([at = "", ...cells]): [string, Bucket] => {
    const known = cells.flatMap((cell, place) => (cell === "" ? [] : [[header[place + 1] ?? "", Number(cell)]]));
    return [at, Object.fromEntries(known)];
  });
  await compareSeries(sql, asked, unitOf(asked), series, differences);
  return differences;
}

/** No cell that is compared contains a comma or a quote. */
const linesOf = (csv: string) =>
  csv
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

export async function compareClicks({ call, sql }: View, asked: Asked, platform: string, limit: number) {
  const query = `${queryOf(asked)}${platform ? `&platform=${platform}` : ""}`;
  const differences = new Differences(`clicks?${query}`);
  const counted = await sql.clickIds(asked, platform);
  const listed: Click[] = [];
  for (let cursor: string | null = "", pages = 0; cursor !== null && pages < 12; pages++) {
    const page: ClickPage = await call(`clicks?limit=${limit}&${query}${cursor && `&cursor=${cursor}`}`);
    listed.push(...page.clicks);
    cursor = page.nextCursor;
    if (cursor === null) differences.exact("clicks in all", listed.length, counted.length);
  }
  differences.exact(
    "clicks",
    listed.map(({ _id }) => _id),
    counted.slice(0, listed.length),
  );
  const [, ...rows] = linesOf(await call<string>(`clicks/export.csv?${query}`));
  differences.exact("exported clicks", rows.map(([id]) => id).filter(Boolean), counted);
  return differences;
}
