/** Sink: the JSON that it exports. Its addresses have no host; times are in seconds. */
import { oldAddress } from "../addresses";
import { countryRules, type DeviceTargets, deviceRoute, deviceRules, endedRoute } from "../device-rules";
import { buildOldRecord, isoOf, oldCardOf, oldTagsOf, unreadFields, unsupportedFields } from "../fitting";
import type { DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";

const UNKNOWN = {
  cloaking: "links do not cloak their destination",
  unsafe: "the safety of destinations is checked again",
};

const DEVICE_FIELDS = { ios: "apple", android: "google" };
const CARD = { title: "title", description: "description", imageUrl: "image" };

export const sink: LinkOrigin = {
  name: "sink",
  title: "Sink",
  isItem: (item) =>
    item.text("slug") !== undefined && item.text("url") !== undefined && item.text("domain") === undefined,
  read(record) {
    const slug = record.text("slug");
    const dropped: DroppedField[] = unsupportedFields(record, UNKNOWN);
    dropped.push(...unreadFields(record, { instants: ["createdAt", "expiration"] }));
    return buildOldRecord({
      address: slug ? oldAddress(undefined, slug) : undefined,
      written: `/${slug ?? ""}`,
      destination: record.text("url"),
      fields: {
        notes: record.text("comment"),
        tags: oldTagsOf(record, /,/),
        expiresAt: isoOf(record.instant("expiration")),
        rules: record.mentions("apple", "google", "geo")
          ? deviceRules(targetsOf(record), dropped, DEVICE_FIELDS)
          : undefined,
        social: oldCardOf(record, CARD, dropped),
      },
      createdAt: record.instant("createdAt"),
      dropped,
      passwordLostBy: record.hasPassword() ? "Sink" : undefined,
    });
  },
  routeOf(record, visitor) {
    if (record.hasPassword()) return null;
    return endedRoute({ expiresAt: record.instant("expiration") }, visitor) ?? deviceRoute(targetsOf(record), visitor);
  },
  rulesOf: (record) => countryRules(targetsOf(record)),
};

const targetsOf = (record: SourceRecord): DeviceTargets => ({
  ios: record.text("apple"),
  android: record.text("google"),
  countries: record.entries("geo"),
  everybody: record.text("url"),
});
