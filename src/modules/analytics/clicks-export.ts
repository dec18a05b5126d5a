/** Exports individual clicks as CSV, in chunks. */
import type { Click } from "@/contract/analytics/clicks";
import type { Utm } from "@/contract/routing";
import type { Cell } from "@/core/csv/cells";
import type { TimeRange } from "@/core/time/time-range";
import { chunksOf, type ReadChunk } from "@/http/chunks";
import type { CsvOptions } from "@/http/csv";
import type { ClickPlace } from "./stored-clicks";

export type ClicksExport = Pick<CsvOptions, "filename" | "header" | "chunks">;

type ReadClicks = (after: ClickPlace | undefined, limit: number) => Promise<ReadChunk<Click, ClickPlace>>;

/** Every field of a click in the API has a column, except the label of a split target, which has its key. */
type Column =
  | Exclude<keyof Required<Click>, "utm" | "route">
  | `utm${Capitalize<keyof Required<Utm>>}`
  | `route${Capitalize<keyof Pick<Click["route"], "kind">>}`
  | Exclude<keyof Click["route"], "kind" | "splitLabel">;

const COLUMNS: Record<Column, (click: Click) => Cell | boolean | undefined> = {
  _id: ({ _id }) => _id,
  occurredAt: ({ occurredAt }) => occurredAt,
  linkId: ({ linkId }) => linkId,
  domainId: ({ domainId }) => domainId,
  visitorId: ({ visitorId }) => visitorId,
  platform: ({ platform }) => platform,
  deviceType: ({ deviceType }) => deviceType,
  deviceVendor: ({ deviceVendor }) => deviceVendor,
  deviceModel: ({ deviceModel }) => deviceModel,
  browser: ({ browser }) => browser,
  os: ({ os }) => os,
  osVersion: ({ osVersion }) => osVersion,
  country: ({ country }) => country,
  region: ({ region }) => region,
  city: ({ city }) => city,
  language: ({ language }) => language,
  referrer: ({ referrer }) => referrer,
  utmSource: ({ utm }) => utm.source,
  utmMedium: ({ utm }) => utm.medium,
  utmCampaign: ({ utm }) => utm.campaign,
  utmTerm: ({ utm }) => utm.term,
  utmContent: ({ utm }) => utm.content,
  routeKind: ({ route }) => route.kind,
  ruleIndex: ({ route }) => route.ruleIndex,
  splitKey: ({ route }) => route.splitKey,
  destinationUrl: ({ route }) => route.destinationUrl,
  isBot: ({ isBot }) => isBot,
  botReasons: ({ botReasons }) => botReasons.join(" "),
  spamScore: ({ spamScore }) => spamScore,
  status: ({ status }) => status,
  ruleNumber: ({ route }) => route.ruleNumber,
};
const columns = Object.values(COLUMNS);

/** Characters of a row. Most rows are similar; the longest hold a destination and little else. */
const LENGTHS = { length: () => 500, lengthMax: 8_000 };

export const exportClicks = (range: TimeRange, read: ReadClicks): ClicksExport => ({
  filename: `clicks-${day(range.from)}-${day(range.to - 1)}.csv`,
  header: Object.keys(COLUMNS),
  chunks: rowsOf(read),
});

async function* rowsOf(read: ReadClicks): AsyncGenerator<Cell[][]> {
  for await (const clicks of chunksOf(read, LENGTHS)) {
    yield clicks.map((click) => columns.map((column) => cellOf(column(click))));
  }
}

const cellOf = (value: Cell | boolean | undefined): Cell =>
  typeof value === "boolean" ? String(value) : (value ?? null);

const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
