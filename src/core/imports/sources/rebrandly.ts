/** Rebrandly: the objects of its API, and CSVs that tools create from them. */
import { oldAddress, parseOldAddress } from "../addresses";
import { buildOldRecord, oldTagsOf, TURNED_OFF, unreadFields } from "../fitting";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";

const ACTIVE = "active";

export const rebrandly: LinkOrigin = {
  name: "rebrandly",
  title: "Rebrandly",
  columns: {
    id: ["id"],
    title: ["title"],
    slashtag: ["slashtag"],
    destination: ["destination", "destinationurl"],
    shortUrl: ["shorturl"],
    domain: ["domain", "domainfullname", "domainname"],
    tags: ["tags"],
    createdAt: ["createdat", "created", "datecreated", "creationdate"],
    clicks: ["clicks"],
    status: ["status"],
  },
  signs: [["slashtag", "destination"]],
  isItem: (item) => item.text("slashtag") !== undefined && item.text("destination") !== undefined,
  read(record) {
    const [shortUrl, slashtag] = [record.text("shortUrl"), record.text("slashtag")];
    const domain = record.under("domain")?.text("fullName") ?? record.text("domain");
    return buildOldRecord({
      address: shortUrl ? parseOldAddress(shortUrl) : slashtag ? oldAddress(domain, slashtag) : undefined,
      written: shortUrl ?? `${domain ?? ""}/${slashtag ?? ""}`,
      destination: record.text("destination"),
      fields: { title: record.text("title"), tags: oldTagsOf(record, /,/), ...(isOff(record) && TURNED_OFF) },
      createdAt: record.instant("createdAt"),
      clicksBefore: record.count("clicks"),
      dropped: [
        ...unreadFields(record, { instants: ["createdAt"], counts: ["clicks"] }),
        ...(record.flag("forwardParameters") === false
          ? [{ field: "forwardParameters", why: "the visitor's query is always passed on" }]
          : []),
      ],
    });
  },
  routeOf: (record) => (isOff(record) ? { ended: true } : leadsTo(record.text("destination"))),
};

const isOff = (record: SourceRecord): boolean => (record.text("status") ?? ACTIVE).toLowerCase() !== ACTIVE;
