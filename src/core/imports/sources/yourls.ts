/**
 * YOURLS: the CSV of the usual plugin, whose addresses have no host, the objects of its API, and the rows of its tables.
 * It writes times in UTC.
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
  columns: { shorturl: ["source"], url: ["target"], clicks: ["hits"] },
  signs: ["shorturl", "url", "clicks"],
  isItem: (item) => ["shorturl", "url", "timestamp"].every((name) => item.text(name) !== undefined),
  read(record, now) {
    const dropped = unreadFields(record, { instants: ["timestamp"], counts: ["clicks"] });
    return buildOldRecord({
      ...addressOf(record),
      destination: record.text("url"),
      fields: { title: record.text("title") },
      createdAt: record.instant("timestamp"),
      clicksBefore: record.count("clicks"),
      clicksByDay: loggedClicks(record, now, dropped),
      dropped,
    });
  },
  routeOf: (record) => leadsTo(record.text("url")),
};

/**
 * The log keeps the clicks of a link that had the same address before, and those from before a counter was reset: the
 * oldest are left out.
 */
function loggedClicks(record: SourceRecord, now: number, dropped: DroppedField[]): ClicksByDay | undefined {
  const [days, clicks] = [record.under("clicksByDay"), record.count("clicks")];
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
