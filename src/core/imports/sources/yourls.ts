/** YOURLS: the CSV of the usual plugin, whose addresses have no host, and the objects of its API. */
import { parseOldAddress } from "../addresses";
import { buildOldRecord, unreadFields } from "../fitting";
import { type LinkOrigin, leadsTo } from "../source";

export const yourls: LinkOrigin = {
  name: "yourls",
  title: "YOURLS",
  columns: { shorturl: ["source"], url: ["target"], clicks: ["hits"] },
  signs: ["shorturl", "url", "clicks"],
  isItem: (item) => ["shorturl", "url", "timestamp"].every((name) => item.text(name) !== undefined),
  read(record) {
    const address = record.text("shorturl") ?? "";
    return buildOldRecord({
      address: parseOldAddress(address),
      written: address,
      destination: record.text("url"),
      fields: { title: record.text("title") },
      createdAt: record.instant("timestamp"),
      clicksBefore: record.count("clicks"),
      dropped: unreadFields(record, { instants: ["timestamp"], counts: ["clicks"] }),
    });
  },
  routeOf: (record) => leadsTo(record.text("url")),
};
