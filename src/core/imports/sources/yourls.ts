/**
 * YOURLS: the CSV of the usual plugin, whose addresses have no host, the objects of its API, and the rows of its tables.
 * It writes times in UTC.
 */
import { oldAddress, parseOldAddress } from "../addresses";
import { clicksByDayOf } from "../click-days";
import { buildOldRecord, unreadFields } from "../fitting";
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
      clicksByDay: clicksByDayOf(record, record.count("clicks"), now, dropped),
      dropped,
    });
  },
  routeOf: (record) => leadsTo(record.text("url")),
};

function addressOf(record: SourceRecord) {
  const [keyword, shorturl = ""] = [record.text("keyword"), record.text("shorturl")];
  if (keyword === undefined) return { address: parseOldAddress(shorturl), written: shorturl };
  return { address: oldAddress(undefined, keyword), written: keyword };
}
