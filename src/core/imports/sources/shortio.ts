/**
 * Short.io: the objects of its API. The header of its dashboard's CSV is not known; import that as any CSV, with a
 * mapping.
 */
import { oldAddress, parseOldAddress } from "../addresses";
import { type DeviceTargets, deviceRoute, deviceRules, endedRoute } from "../device-rules";
import { buildOldRecord, isoOf, oldTagsOf, oldUrlOf, oldUtmOf, unreadFields, unsupportedFields } from "../fitting";
import type { DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";

const UNKNOWN = {
  cloaking: "links do not cloak their destination",
  ttl: "use an end date instead",
  passwordContact: "only used with the password, which is not imported",
  splitURL: "add a split to the link instead",
  splitPercent: "add a split to the link instead",
  redirectType: "links always answer 302",
};

const DEVICE_FIELDS = { ios: "iphoneURL", android: "androidURL" };

export const shortio: LinkOrigin = {
  name: "shortio",
  title: "Short.io",
  isItem: (item) => item.text("originalURL") !== undefined && typeof item.value("path") === "string",
  read(record) {
    const dropped: DroppedField[] = unsupportedFields(record, UNKNOWN);
    dropped.push(...unreadFields(record, { instants: ["createdAt", "expiresAt"], counts: ["clicksLimit"] }));
    const [shortUrl, path] = [record.text("shortURL"), record.value("path")];
    const ofPath = typeof path === "string" ? oldAddress(record.text("domain"), path) : undefined;
    return buildOldRecord({
      address: shortUrl ? parseOldAddress(shortUrl) : ofPath,
      written: shortUrl ?? `/${typeof path === "string" ? path : ""}`,
      destination: record.text("originalURL"),
      fields: {
        title: record.text("title"),
        tags: oldTagsOf(record, /,/),
        utm: oldUtmOf(record, (name) => `utm${name.charAt(0).toUpperCase()}${name.slice(1)}`, dropped),
        isArchived: record.flag("archived"),
        expiresAt: isoOf(record.instant("expiresAt")),
        expiredUrl: oldUrlOf(record, "expiredURL", dropped),
        maxClicks: record.count("clicksLimit") || undefined,
        rules: record.mentions("iphoneURL", "androidURL")
          ? deviceRules(targetsOf(record), dropped, DEVICE_FIELDS)
          : undefined,
      },
      createdAt: record.instant("createdAt"),
      dropped,
      passwordLostBy: record.hasPassword() ? "Short.io" : undefined,
    });
  },
  routeOf(record, visitor) {
    if (record.hasPassword() || record.says("splitURL")) return null;
    const limit = record.count("clicksLimit") || Number.POSITIVE_INFINITY;
    // Where it sends visitors beyond the limit is not known.
    if (visitor.visits >= limit) return null;
    const ends = { expiresAt: record.instant("expiresAt"), expiredUrl: record.text("expiredURL") };
    const ended = endedRoute(ends, visitor);
    return ended ?? deviceRoute(targetsOf(record), visitor);
  },
};

const targetsOf = (record: SourceRecord): DeviceTargets => ({
  ios: record.text("iphoneURL"),
  android: record.text("androidURL"),
  countries: [],
  everybody: record.text("originalURL"),
});
