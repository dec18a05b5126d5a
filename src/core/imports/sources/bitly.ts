/**
 * Bitly: its CSV, of which several headers exist, and the objects of its API. Each custom address of a link becomes a
 * separate link here.
 */
import { parseOldAddress } from "../addresses";
import { buildOldRecord, oldTagsOf, unreadFields, unsupportedFields } from "../fitting";
import type { OldLink, OldRecord } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";

const UNKNOWN = {
  deeplinks: "add an app profile to the link instead",
  campaign_ids: "there are no campaigns; use tags or UTM parameters",
  campaign: "there are no campaigns; use tags or UTM parameters",
};
/** Bitly's title for links without one. */
const NO_TITLE = "No title";

export const bitly: LinkOrigin = {
  name: "bitly",
  title: "Bitly",
  columns: {
    id: ["link", "bitlink"],
    custom: ["customlink", "custombitlink", "customlinks", "custombitlinks"],
    long_url: ["longurl", "originalurl", "destinationurl", "destination"],
    title: ["title"],
    tags: ["tags"],
    created_at: ["created", "createdat", "datecreated", "createddate", "creationdate"],
    clicks: ["totalclicks", "clicks"],
    campaign: ["campaign", "campaigngroup"],
    archived: ["archived"],
  },
  signs: [["id", "long_url"]],
  isItem: (item) => item.text("long_url") !== undefined && (item.text("id") ?? item.text("link")) !== undefined,
  read(record) {
    const own = record.text("id") ?? record.text("link") ?? "";
    const customs = [...record.names("custom_bitlinks", /\s/), ...record.names("custom", /[\s,]+/)];
    const records = [...new Set([own, ...customs])].map((address) => readAt(record, address));
    const links = records.flatMap((one): OldLink[] => ("links" in one ? one.links : []));
    return links.length > 0 ? { links: clicksOnce(links) } : (records[0] ?? { refused: "it is empty", address: own });
  },
  routeOf: (record) => leadsTo(record.text("long_url")),
};

function readAt(record: SourceRecord, address: string): OldRecord {
  const title = record.text("title");
  return buildOldRecord({
    address: parseOldAddress(address),
    written: address,
    destination: record.text("long_url"),
    fields: {
      title: title === NO_TITLE ? undefined : title,
      tags: oldTagsOf(record, /,/),
      isArchived: record.flag("archived"),
    },
    createdAt: record.instant("created_at"),
    clicksBefore: record.count("clicks"),
    dropped: [
      ...unsupportedFields(record, UNKNOWN),
      ...unreadFields(record, { instants: ["created_at"], counts: ["clicks"] }),
    ],
  });
}

/** Keeps the count on the first link only: Bitly counts all addresses of a link together. */
const clicksOnce = (links: OldLink[]): OldLink[] =>
  links.map((link, index) => (index === 0 ? link : { ...link, clicksBefore: null }));
