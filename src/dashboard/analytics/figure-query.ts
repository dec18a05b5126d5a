/** The range and filters of the figures, which are kept in the URL. */
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";

export const FILTERS = [
  ...(["linkId", "domainId", "tag", "country", "region", "city", "language", "device", "browser", "os"] as const),
  ...(["referrer", "utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"] as const),
  ...(["rule", "split", "destination"] as const),
] as const;
export type Filter = (typeof FILTERS)[number];

const SPANS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS, "90d": 90 * DAY_MS } as const;
type Span = keyof typeof SPANS;
export type RangeName = Span | "custom";
const STANDARD: Span = "30d";

/** Query parameters of every API route for figures. */
export interface Range {
  from: string;
  to?: string;
}
export type FilterValues = { [Name in Filter]?: string[] };

export interface FigureQuery {
  rangeName: RangeName;
  /** Days in UTC, both included. */
  days: { from: string; to: string };
  range: Range;
  filters: FilterValues;
  includeBots: boolean;
  /** Set on the figures of one link. */
  linkId: string | undefined;
}

export interface FigureQueryState extends FigureQuery {
  setRange(name: Span): void;
  setDays(days: { from: string; to: string }): void;
  setBots(isOn: boolean): void;
  toggle(name: Filter, value: string): void;
  clear(): void;
  /**
   * Everything else in the URL, such as tabs and open dialogs. Switching tabs adds no entry to the browser's history.
   */
  view: URLSearchParams;
  setView(name: string, value: string, replace?: boolean): void;
  setViews(values: Record<string, string>): void;
}

const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(SPANS, text);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const isOf = (format: RegExp, text: string | null): text is string =>
  text !== null && format.test(text) && !Number.isNaN(Date.parse(text));
const isDay = (text: string | null): text is string => isOf(DAY, text);
const isInstant = (text: string | null): text is string => isOf(INSTANT, text);

/** Named ranges start at a full hour, so that requests within the same hour are equal. */
function rangeOf(params: URLSearchParams, now: number): Pick<FigureQuery, "rangeName" | "days" | "range"> {
  const [from, to] = [params.get("from"), params.get("to")];
  if (isDay(from) && isDay(to)) {
    const end = new Date(Date.parse(to) + DAY_MS).toISOString();
    return { rangeName: "custom", days: { from, to }, range: { from: new Date(from).toISOString(), to: end } };
  }
  // Saved reports can start and end at any time, and the end can be open.
  if (isInstant(from)) {
    const end = isInstant(to) ? to : undefined;
    const days = { from: dayOf(Date.parse(from)), to: dayOf(end === undefined ? now : Date.parse(end)) };
    return { rangeName: "custom", days, range: { from, ...(end !== undefined && { to: end }) } };
  }
  const named = params.get("range");
  const rangeName = isSpan(named) ? named : STANDARD;
  const start = now - (now % HOUR_MS) - SPANS[rangeName];
  return { rangeName, days: { from: dayOf(start), to: dayOf(now) }, range: { from: new Date(start).toISOString() } };
}

export function useFigureQuery(linkId?: string): FigureQueryState {
  const [params, setParams] = useSearchParams();
  const hour = Math.floor(Date.now() / HOUR_MS);
  const asked = useMemo(() => {
    const filters: FilterValues = {};
    for (const name of FILTERS) {
      const values = name === "linkId" && linkId ? [linkId] : params.getAll(name);
      if (values.length > 0) filters[name] = values;
    }
    return {
      ...rangeOf(params, hour * HOUR_MS),
      ...{ filters, includeBots: params.get("bots") === "yes", linkId },
    };
  }, [params, hour, linkId]);
  const change = (values: Record<string, string | string[] | undefined>, replace = false) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value = []] of Object.entries(values)) {
          next.delete(name);
          for (const each of [value].flat()) if (each !== "") next.append(name, each);
        }
        return next;
      },
      { replace },
    );
  return {
    ...asked,
    setRange: (name) => change({ range: name === STANDARD ? "" : name, from: "", to: "" }),
    setDays: ({ from, to }) => change({ range: "", from, to }),
    setBots: (isOn) => change({ bots: isOn ? "yes" : "" }),
    toggle(name, value) {
      const before = params.getAll(name);
      const next = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
      // A row of a dialog closes it, and takes its place in the history.
      change({ [name]: next, more: "" }, params.has("more"));
    },
    clear: () => change(Object.fromEntries(FILTERS.map((name) => [name, ""]))),
    view: params,
    setView: (name, value, replace = false) => change({ [name]: value }, replace),
    setViews: (values) => change(values),
  };
}

/** Returns the query parameters for the API. */
export const queryOf = ({ range, filters, includeBots }: FigureQuery) => ({
  ...range,
  ...filters,
  ...(includeBots && { includeBots }),
});
