/** Any CSV with our own field names, or with a mapping to them. Links without an address get generated slugs. */
import { UTM_FIELDS } from "@/contract/utm-fields";
import { oldAddress, parseOldAddress } from "../addresses";
import { type DeviceTargets, deviceRoute, deviceRules, endedRoute } from "../device-rules";
import { buildOldRecord, isoOf, oldTagsOf, oldUrlOf, oldUtmOf, unreadFields } from "../fitting";
import type { DroppedField, OldAddress } from "../old-link";
import type { SourceRecord } from "../record";
import type { LinkOrigin } from "../source";

const DEVICE_FIELDS = { ios: "iosUrl", android: "androidUrl" };

const same = (...names: string[]) => names;

export const anyCsv: LinkOrigin = {
  name: "csv",
  title: "Any CSV",
  columns: {
    shortUrl: same("shorturl", "shortlink", "shortenedurl"),
    domain: same("domain", "host", "hostname"),
    slug: same("slug", "path", "keyword", "shortcode", "backhalf", "alias", "key"),
    defaultUrl: same(
      "defaulturl",
      "destination",
      "destinationurl",
      "longurl",
      "originalurl",
      "targeturl",
      "target",
      "url",
    ),
    title: same("title", "name"),
    notes: same("notes", "comment", "comments", "description"),
    tags: same("tags", "labels"),
    externalId: same("externalid"),
    createdAt: same(
      ...["createdat", "created", "createdon", "createddate", "datecreated"],
      ...["creationdate", "creationtime", "creationtimestamp", "timestamp"],
    ),
    startsAt: same("startsat"),
    expiresAt: same("expiresat", "expirationdate", "expires"),
    expiredUrl: same("expiredurl"),
    maxClicks: same("maxclicks", "clickslimit"),
    clicks: same("clicks", "totalclicks", "clickcount", "visits", "visitcount", "hits"),
    password: same("password"),
    isActive: same("isactive", "active", "enabled"),
    isArchived: same("isarchived", "archived"),
    iosUrl: same("iosurl", "iphoneurl", "ios"),
    androidUrl: same("androidurl", "android"),
    ...Object.fromEntries(UTM_FIELDS.map((name) => [`utm_${name}`, [`utm${name}`]])),
  },
  signs: [["defaultUrl"]],
  read(record) {
    const dropped: DroppedField[] = unread(record);
    const [shortUrl, slug] = [record.text("shortUrl"), record.text("slug")];
    return buildOldRecord({
      address: addressOf(record),
      written: shortUrl ?? `${record.text("domain") ?? ""}/${slug ?? ""}`,
      destination: record.text("defaultUrl"),
      fields: {
        title: record.text("title"),
        notes: record.text("notes"),
        externalId: record.text("externalId"),
        tags: oldTagsOf(record, /[|,;]/),
        utm: oldUtmOf(record, (name) => `utm_${name}`, dropped),
        startsAt: isoOf(record.instant("startsAt")),
        expiresAt: isoOf(record.instant("expiresAt")),
        expiredUrl: oldUrlOf(record, "expiredUrl", dropped),
        maxClicks: record.count("maxClicks"),
        password: record.text("password"),
        isActive: record.flag("isActive"),
        isArchived: record.flag("isArchived"),
        rules: record.mentions("iosUrl", "androidUrl")
          ? deviceRules(targetsOf(record), dropped, DEVICE_FIELDS)
          : undefined,
      },
      createdAt: record.instant("createdAt"),
      clicksBefore: record.count("clicks"),
      dropped,
    });
  },
  routeOf(record, visitor) {
    if (record.hasPassword()) return null;
    const isOff = record.flag("isActive") === false || visitor.at < (record.instant("startsAt") ?? 0);
    if (isOff) return { ended: true };
    const ends = { expiresAt: record.instant("expiresAt"), visitsLeft: record.count("maxClicks") };
    const ended = endedRoute({ ...ends, expiredUrl: record.text("expiredUrl") }, visitor);
    return ended ?? deviceRoute(targetsOf(record), visitor);
  },
};

/** Returns null if there is no address, undefined if it cannot be parsed. */
function addressOf(record: SourceRecord): OldAddress | null | undefined {
  const [shortUrl, slug] = [record.text("shortUrl"), record.text("slug")];
  if (shortUrl !== undefined) return parseOldAddress(shortUrl);
  if (slug === undefined) return null;
  return /^https?:\/\//i.test(slug) ? parseOldAddress(slug) : oldAddress(record.text("domain"), slug);
}

const targetsOf = (record: SourceRecord): DeviceTargets => ({
  ios: record.text("iosUrl"),
  android: record.text("androidUrl"),
  countries: [],
  everybody: record.text("defaultUrl"),
});

/** Reports columns whose value is not of their kind. */
function unread(record: SourceRecord): DroppedField[] {
  const flags = ["isActive", "isArchived"].filter((field) => record.text(field) && record.flag(field) === undefined);
  return [
    ...unreadFields(record, { instants: ["createdAt", "startsAt", "expiresAt"], counts: ["maxClicks", "clicks"] }),
    ...flags.map((field) => ({ field, why: "is neither yes nor no" })),
  ];
}
