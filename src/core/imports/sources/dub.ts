/** Dub: its dashboard's CSV, which contains no rules, and the objects of its API. */
import type { SplitTarget } from "@/contract/routing";
import { oldAddress, parseOldAddress } from "../addresses";
import { countryRules, type DeviceTargets, deviceRoute, deviceRules, endedRoute } from "../device-rules";
import {
  buildOldRecord,
  isoOf,
  isUsableUrl,
  oldCardOf,
  oldTagsOf,
  oldUrlOf,
  oldUtmOf,
  unreadFields,
  unsupportedFields,
} from "../fitting";
import type { DroppedField, OldRoute } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";

const UNKNOWN = {
  rewrite: "links do not cloak their destination",
  video: "social cards have an image only",
  doIndex: "short URLs are never indexed",
  folderId: "there are no folders; use tags",
  tenantId: "there are no tenants within an organization",
  publicStats: "figures are not public",
  leads: "past conversions are not imported",
  conversions: "past conversions are not imported",
  sales: "past conversions are not imported",
  saleAmount: "past conversions are not imported",
  revenue: "past conversions are not imported",
};
const CARD = { title: "title", description: "description", imageUrl: "image" };
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
  signs: [["shortLink", "url"]],
  isItem: (item) =>
    item.text("key") !== undefined && item.text("url") !== undefined && item.text("domain") !== undefined,
  read(record, now) {
    const dropped: DroppedField[] = unsupportedFields(record, UNKNOWN);
    dropped.push(
      ...unreadFields(record, { instants: ["createdAt", "expiresAt", "testCompletedAt"], counts: ["clicks"] }),
    );
    const [shortLink, domain, key] = [record.text("shortLink"), record.text("domain"), record.text("key")];
    const hasCard = record.flag("proxy") === true;
    return buildOldRecord({
      address: shortLink ? parseOldAddress(shortLink) : key ? oldAddress(domain, key) : undefined,
      written: shortLink ?? `${domain ?? ""}/${key ?? ""}`,
      destination: record.text("url"),
      fields: {
        title: record.text("title"),
        notes: record.text("comments"),
        externalId: record.text("externalId"),
        tags: oldTagsOf(record, TAGS),
        utm: oldUtmOf(record, (name) => `utm_${name}`, dropped),
        isArchived: record.flag("archived"),
        expiresAt: isoOf(record.instant("expiresAt")),
        expiredUrl: oldUrlOf(record, "expiredUrl", dropped),
        password: record.text("password"),
        rules: record.mentions("ios", "android", "geo") ? deviceRules(targetsOf(record), dropped) : undefined,
        splitTargets: splitOf(record, now, dropped),
        ...(hasCard && { social: oldCardOf(record, CARD, dropped) ?? {} }),
      },
      createdAt: record.instant("createdAt"),
      clicksBefore: record.count("clicks"),
      dropped,
    });
  },
  routeOf(record, visitor) {
    if (record.hasPassword()) return null;
    const ended = endedRoute(
      { expiresAt: record.instant("expiresAt"), expiredUrl: record.text("expiredUrl") },
      visitor,
    );
    if (ended) return ended;
    const everybody = record.text("url");
    const variants = runningVariants(record, visitor.at).map(({ destinationUrl }) => destinationUrl);
    const others: OldRoute = variants.length > 0 ? { anyOf: variants } : leadsTo(everybody);
    return deviceRoute({ ...targetsOf(record), everybody: undefined }, visitor) ?? others;
  },
  rulesOf: (record) => countryRules(targetsOf(record)),
};

const targetsOf = (record: SourceRecord): DeviceTargets => ({
  ios: record.text("ios"),
  android: record.text("android"),
  countries: record.entries("geo"),
  everybody: record.text("url"),
});

/** Variants that Dub needs for a test. */
const VARIANTS_MIN = 2;
/** The weight of one percent among fractions; 100 percent stay below the largest weight. */
const THOUSANDTHS = 1_000;

function splitOf(record: SourceRecord, now: number, dropped: DroppedField[]): SplitTarget[] | undefined {
  if (record.records("testVariants").length === 0) return undefined;
  const variants = runningVariants(record, now);
  if (variants.length === 0) {
    dropped.push({ field: "testVariants", why: "no test is running: the link leads to its URL" });
    return undefined;
  }
  // Without one of them, the others would get its visitors.
  if (!variants.every(({ destinationUrl }) => isUsableUrl("testVariants", destinationUrl, dropped))) return undefined;
  dropped.push({ field: "testCompletedAt", why: "splits have no end: this one stays until you remove it" });
  return variants;
}

/**
 * Returns the variants of a test, but none unless it runs. At Dub a test runs until its completion date, which is set
 * when the test is created; without one there is no test, and afterwards everyone is led to the link's URL.
 */
function runningVariants(record: SourceRecord, at: number): SplitTarget[] {
  const completedAt = record.instant("testCompletedAt");
  if (completedAt === undefined || completedAt <= at) return [];
  const variants = record.records("testVariants").flatMap((variant, index) => {
    const destinationUrl = variant.text("url");
    const share = Number(variant.text("percentage") ?? 1);
    return destinationUrl
      ? [{ key: `variant-${index + 1}`, destinationUrl, weight: share >= 0 && share <= 100 ? share : 1 }]
      : [];
  });
  return variants.length < VARIANTS_MIN ? [] : withWholeWeights(variants);
}

/** Weights are whole numbers; percentages may be fractions. */
function withWholeWeights(variants: { key: string; destinationUrl: string; weight: number }[]): SplitTarget[] {
  const unit = variants.every(({ weight }) => Number.isInteger(weight)) ? 1 : THOUSANDTHS;
  return variants.map((variant) => ({ ...variant, weight: Math.round(variant.weight * unit) }));
}
