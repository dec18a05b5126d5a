/** Dub: its dashboard's CSV, which contains no rules, and the objects of its API. */
import type { SplitTarget } from "@/contract/routing";
import { oldAddress, parseOldAddress } from "../addresses";
import { type DeviceTargets, deviceRoute, deviceRules, endedRoute } from "../device-rules";
import { isoOf, oldRecord, oldUtmOf, unknownHere } from "../fitting";
import type { DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";

const UNKNOWN = {
  rewrite: "links do not cloak their destination",
  video: "social cards have an image only",
  doIndex: "short URLs are never indexed",
  folderId: "there are no folders; use tags",
  tenantId: "there are no tenants within an organization",
  publicStats: "figures are not public",
  leads: "conversions of the past do not come along",
  conversions: "conversions of the past do not come along",
  sales: "conversions of the past do not come along",
  saleAmount: "conversions of the past do not come along",
  revenue: "conversions of the past do not come along",
};
/** Separates the tags in a CSV cell. */
const TAGS = /, ?/;

export const dub: LinkOrigin = {
  name: "dub",
  title: "Dub",
  columns: {
    shortLink: ["shortlink"],
    url: ["destinationurl"],
    clicks: ["clicks"],
    createdAt: ["createdat"],
    leads: ["leads"],
    conversions: ["conversions"],
    revenue: ["revenue"],
    id: ["linkid"],
    updatedAt: ["updatedat"],
    tags: ["tags"],
    archived: ["archived"],
  },
  signs: ["shortLink", "url"],
  isItem: (item) =>
    item.text("key") !== undefined && item.text("url") !== undefined && item.text("domain") !== undefined,
  read(record) {
    const dropped: DroppedField[] = unknownHere(record, UNKNOWN);
    const [shortLink, domain, key] = [record.text("shortLink"), record.text("domain"), record.text("key")];
    const hasCard = record.flag("proxy") === true;
    return oldRecord({
      address: shortLink ? parseOldAddress(shortLink) : key ? oldAddress(domain, key) : undefined,
      written: shortLink ?? `${domain ?? ""}/${key ?? ""}`,
      destination: record.text("url"),
      fields: {
        title: record.text("title"),
        notes: record.text("comments"),
        externalId: record.text("externalId"),
        tags: record.names("tags", TAGS),
        utm: oldUtmOf(record, (name) => `utm_${name}`),
        isArchived: record.flag("archived"),
        expiresAt: isoOf(record.instant("expiresAt")),
        expiredUrl: record.text("expiredUrl"),
        password: record.text("password"),
        rules: deviceRules(targetsOf(record), dropped),
        splitTargets: variantsOf(record),
        ...(hasCard && { social: cardOf(record) }),
      },
      createdAt: record.instant("createdAt"),
      clicksBefore: record.count("clicks"),
      dropped,
    });
  },
  routeOf(record, visitor) {
    if (record.says("password") || record.records("testVariants").length > 0) return null;
    const ended = endedRoute(record.instant("expiresAt"), record.text("expiredUrl"), visitor.at);
    return ended ?? deviceRoute(targetsOf(record), visitor);
  },
};

const targetsOf = (record: SourceRecord): DeviceTargets => ({
  ios: record.text("ios"),
  android: record.text("android"),
  countries: record.entries("geo"),
  everybody: record.text("url"),
});

/**
 * Returns the variants of a test, but none if the record has a completion date: a finished test leads to the link's
 * URL.
 */
function variantsOf(record: SourceRecord): SplitTarget[] | undefined {
  if (record.text("testCompletedAt") !== undefined) return undefined;
  const variants = record.records("testVariants").flatMap((variant, index) => {
    const destinationUrl = variant.text("url");
    return destinationUrl
      ? [{ key: `variant-${index + 1}`, destinationUrl, weight: variant.count("percentage") ?? 1 }]
      : [];
  });
  return variants.length > 0 ? variants : undefined;
}

const cardOf = (record: SourceRecord) => ({
  ...(record.text("title") && { title: record.text("title") }),
  ...(record.text("description") && { description: record.text("description") }),
  ...(record.text("image") && { imageUrl: record.text("image") }),
});
