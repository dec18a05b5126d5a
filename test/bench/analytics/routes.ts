/** The requests to measure: every analytics route, over busy and quiet ranges, with common and rare filter values. */
import { DAY_MS } from "@/core/time/time-range";
import { DAYS, RARE_TERM, type Traffic } from "./traffic";

export interface Asked {
  name: string;
  path: string;
  /** Target for the 95th percentile in milliseconds; NaN if there is none. */
  wantedMs: number;
}

type Row = [wantedMs: number, name: string, path: string];

const NOT_SAID = Number.NaN;
const COMPUTED = ["insights", "best-destination", "broken-campaigns"];

export function analyticsRoutes(traffic: Traffic): Asked[] {
  const base = `/api/v1/organizations/${traffic.orgId}/analytics`;
  const range = (days: number) =>
    `from=${new Date(traffic.end - days * DAY_MS).toISOString()}&to=${new Date(traffic.end).toISOString()}`;
  const rows = [...overviewRows(traffic, range), ...listRows(range), ...clickRows(traffic, range)];
  return rows.map(([wantedMs, name, path]) => ({ wantedMs, name, path: `${base}/${path}` }));
}

type RangeOf = (days: number) => string;

/** The number of clicks, without opens and bots, that a request with several filters may scan. */
const LOOKED_AT = 3_000_000;
const SEVERAL = {
  "two filters": "country=US&device=mobile",
  "four filters": "country=US&device=mobile&os=iOS&language=en-US",
  "busy filters": "utmSource=bench&utmMedium=load",
};

/** Several filters over 30 days, and over as many days as they may scan. */
function severalRows({ clicks }: Traffic, range: RangeOf): Row[] {
  const most = Math.min(DAYS, Math.floor((DAYS * LOOKED_AT) / clicks));
  return [...new Set([Math.min(30, most), most])].flatMap((days) =>
    Object.entries(SEVERAL).map(
      ([name, query]): Row => [500, `overview, ${days} days, ${name}`, `overview?${range(days)}&${query}`],
    ),
  );
}

function overviewRows(traffic: Traffic, range: RangeOf): Row[] {
  const { linkIds } = traffic;
  const [busiest, middling] = [linkIds[0], linkIds[Math.floor(linkIds.length / 40)]];
  const filters: Row[] = [
    [40, "country", "country=DE"],
    [40, "city", "city=Berlin"],
    [40, "tag", "tag=topic-7"],
    [40, "campaign", "utmCampaign=c7"],
    [40, "device", "device=mobile"],
    [40, "rare term", `utmTerm=${RARE_TERM}`],
  ];
  return [
    [20, "overview, 90 days", `overview?${range(90)}`],
    [20, "overview, 90 days, with bots", `overview?${range(90)}&includeBots=true`],
    [20, "overview, 30 days", `overview?${range(30)}`],
    [20, "overview, 3 days by hour", `overview?${range(3)}`],
    [20, "overview, 90 days, busiest link", `overview?${range(90)}&linkId=${busiest}`],
    [20, "overview, 90 days, a middling link", `overview?${range(90)}&linkId=${middling}`],
    [40, "overview, 45 days, compared", `overview?${range(45)}&compare=previous`],
    ...filters.map(
      ([wanted, name, query]): Row => [wanted, `overview, 90 days, ${name}`, `overview?${range(90)}&${query}`],
    ),
    ...severalRows(traffic, range),
    [NOT_SAID, "breakdown by city, 90 days", `breakdown?by=city&limit=100&${range(90)}`],
  ];
}

function listRows(range: RangeOf): Row[] {
  return [
    [60, "top-links, 90 days", `top-links?${range(90)}`],
    [60, "top-links, 30 days", `top-links?${range(30)}`],
    [60, "top-links, quiet day", `top-links?${range(1)}`],
    [NOT_SAID, "export.csv, 90 days", `export.csv?${range(90)}`],
    ...COMPUTED.map((name): Row => [300, `${name}, 90 days`, `${name}?${range(90)}`]),
    ...COMPUTED.map((name): Row => [300, `${name}, 30 days`, `${name}?${range(30)}`]),
    ...["anomalies", "conversion-prediction"].map((name): Row => [300, `${name}, 90 days`, `${name}?${range(90)}`]),
    [60, "unserved, 30 days", `unserved?${range(30)}`],
  ];
}

function clickRows({ linkIds }: Traffic, range: RangeOf): Row[] {
  const quiet = linkIds[Math.floor(linkIds.length / 2)];
  const filters = [
    ["no filter", ""],
    ["busiest link", `&linkId=${linkIds[0]}`],
    ["quiet link", `&linkId=${quiet}`],
    ["country", "&country=DE"],
    ["rare city", "&city=Wellington"],
    ["device", "&device=mobile"],
    ["campaign", "&utmCampaign=c7"],
    ["rare term", `&utmTerm=${RARE_TERM}`],
    ["unknown term", "&utmTerm=nobody"],
    ["tag", "&tag=topic-7"],
    ["bots too", "&includeBots=true"],
    ["three filters", "&country=US&device=mobile&os=iOS"],
  ] as const;
  return filters.map(([name, query]) => [60, `clicks, 90 days, ${name}`, `clicks?${range(90)}${query}`]);
}
