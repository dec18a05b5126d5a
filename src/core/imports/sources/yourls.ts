/**
 * YOURLS: the CSV of the usual plugin, whose addresses have no host, the objects of its API, and the rows of its tables,
 * which database tools also write as CSV and JSON. It writes times in UTC.
 */
import { oldAddress, parseOldAddress } from "../addresses";
import { daysIn, fitDays } from "../clicks-by-day";
import { buildOldRecord, unreadFields } from "../fitting";
import type { ClicksByDay, DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";

export const yourls: LinkOrigin = {
  name: "yourls",
  title: "YOURLS",
  columns: {
    ...{ shorturl: ["source"], target: ["target"], hits: ["hits"] },
    ...{ keyword: ["keyword"], url: ["url"], title: ["title"], timestamp: ["timestamp"], clicks: ["clicks"] },
  },
  signs: [
    ["shorturl", "target", "hits"],
    ["keyword", "url", "timestamp"],
  ],
  needs: [
    ["shorturl", "target"],
    ["shorturl", "url"],
    ["keyword", "url"],
  ],
  isItem: (item) =>
    (item.text("shorturl") ?? item.text("keyword")) !== undefined &&
    ["url", "timestamp"].every((name) => item.text(name) !== undefined),
  read(record, now) {
    const dropped = unreadFields(record, { instants: ["timestamp"], counts: ["clicks", "hits"] });
    return buildOldRecord({
      ...addressOf(record),
      destination: destinationOf(record),
      fields: { title: record.text("title") },
      createdAt: record.instant("timestamp"),
      clicksBefore: clicksOf(record),
      clicksByDay: loggedClicks(record, now, dropped),
      dropped,
    });
  },
  routeOf: (record) => leadsTo(destinationOf(record)),
};

const destinationOf = (record: SourceRecord): string | undefined => record.text("url") ?? record.text("target");
const clicksOf = (record: SourceRecord): number | undefined => record.count("clicks") ?? record.count("hits");

/**
 * The log keeps the clicks of a link that had the same address before, and those from before a counter was reset: the
 * oldest are left out.
 */
function loggedClicks(record: SourceRecord, now: number, dropped: DroppedField[]): ClicksByDay | undefined {
  const [days, clicks] = [record.under("clicksByDay"), clicksOf(record)];
  if (!days || clicks === undefined) return undefined;
  const { byDay, told } = fitDays(daysIn(days.values), clicks, now, "oldest");
  if (told > clicks) {
    const why = `the log has ${told} clicks, but the link ${clicks}: the oldest are left out`;
    dropped.push({ field: "clicksByDay", why });
  }
  return byDay;
}

function addressOf(record: SourceRecord) {
  const [keyword, shorturl = ""] = [record.text("keyword"), record.text("shorturl")];
  if (keyword === undefined) return { address: parseOldAddress(shorturl), written: shorturl };
  return { address: oldAddress(undefined, keyword), written: keyword };
}
