/** The rows of a breakdown, from the overview or complete. Selecting a row filters by it. */
import { useDomains } from "../links/domains";
import { useLink } from "../links/queries";
import { type Bar, Bars } from "../ui/charts/bars";
import { Text } from "../ui/layout";
import { computedLink } from "./computed-links";
import { FILTERS, type FigureQueryState, type Filter } from "./figure-query";
import { valueName } from "./names";
import type { BreakdownBy, Overview } from "./queries";
import { analyticsWords as words } from "./words";

export type ListedBy = Exclude<BreakdownBy, "hourOfWeek">;

interface CountedValue {
  value: string;
  count: number;
  isOther?: boolean | undefined;
  /** What a split target is called. */
  label?: string | undefined;
}

interface Item {
  count: number;
  [name: string]: string | number | boolean | undefined;
}

const LISTS = {
  country: "byCountry",
  region: "byRegion",
  city: "byCity",
  language: "byLanguage",
  device: "byDevice",
  browser: "byBrowser",
  os: "byOs",
  referrer: "byReferrer",
  utmSource: "byUtmSource",
  utmMedium: "byUtmMedium",
  utmCampaign: "byUtmCampaign",
  utmTerm: "byUtmTerm",
  utmContent: "byUtmContent",
  rule: "byRule",
  split: "bySplit",
  destination: "byDestination",
  domain: "byDomain",
  tag: "byTag",
} as const satisfies Record<ListedBy, keyof Overview>;

export const isListed = (text: string): text is ListedBy => Object.hasOwn(LISTS, text);

/** Returns undefined if the overview omits the list because of the filters. */
export function listedIn(overview: Overview, by: ListedBy): CountedValue[] | undefined {
  const list: readonly Item[] | undefined = overview[LISTS[by]];
  return list?.map((item) => ({
    value: String(item[by]),
    count: item.count,
    isOther: item.isOther === true,
    ...(typeof item.label === "string" && { label: item.label }),
  }));
}

interface RowsProps {
  asked: FigureQueryState;
  by: ListedBy;
  rows: readonly CountedValue[];
  total: number;
}

export function Rows({ asked, by, rows, total }: RowsProps) {
  const { analytics } = words;
  const choose = useChoice(asked, by);
  const { data: link } = useLink(by === "rule" ? computedLink(asked) : undefined);
  if (rows.length === 0) return <Text soft>{analytics.nothing}</Text>;
  const bars = rows.map(
    ({ value, count, isOther, label }): Bar => ({
      key: isOther ? "of others" : value,
      text: isOther ? analytics.others : (label ?? valueName(by, value, link?.rules)),
      count,
      ...(isOther ? {} : choose(value)),
    }),
  );
  return <Bars label={analytics.dimensions[by]} bars={bars} total={total} />;
}

const isFilter = (text: string): text is Filter => FILTERS.some((name) => name === text);

/** Domains are filtered by id, but the figures contain only hostnames. */
function useChoice({ filters, toggle }: FigureQueryState, by: ListedBy) {
  const domains = useDomains().data ?? [];
  return (value: string): Pick<Bar, "isChosen" | "onChoose"> => {
    const name = by === "domain" ? "domainId" : by;
    const wanted = by === "domain" ? domains.find(({ hostname }) => hostname === value)?._id : value;
    if (!isFilter(name) || wanted === undefined) return {};
    return { isChosen: filters[name]?.includes(wanted) ?? false, onChoose: () => toggle(name, wanted) };
  };
}
