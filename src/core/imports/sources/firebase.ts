/**
 * Firebase Dynamic Links: the CSV from Google Takeout. Its documentation lists the meaning and parameter of each
 * column, but not the literal names. Columns are therefore found by the parameter in brackets, by words, or else by
 * position.
 */
import type { RoutingRule } from "@/contract/routing";
import { parseOldAddress } from "../addresses";
import { buildOldRecord, oldCardOf, oldUrlOf, oldUtmOf, unreadFields, unsupportedFields } from "../fitting";
import type { DroppedField, OldApp, OldRoute } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";
import type { CheckedVisitor } from "../visitors/visitor";

const UNKNOWN = {
  amv: "the app tells its own version",
  imv: "the app tells its own version",
  efr: "there is no preview page to skip",
  at: "affiliate tokens of the App Store have no counterpart",
  mt: "media types of the App Store have no counterpart",
  ipbi: "an app profile has one bundle id",
};

const CARD = { title: "st", description: "sd", imageUrl: "si" };

const POSITIONS = [
  ...["shortLink", "link", "apn", "afl", "amv", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv", "efr", "ofl"],
  ...["st", "sd", "si", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
  ...["at", "ct", "mt", "pt", "archived", "name", "createdAt"],
];
const BRACKETED = /\(([a-z_]+)\)\s*$/i;
const ITUNES = /\b(at|ct|mt|pt)\b\W*$/i;

export const firebase: LinkOrigin = {
  name: "firebase",
  title: "Firebase Dynamic Links",
  columns: {
    ...Object.fromEntries(POSITIONS.map((field) => [field, [field.toLowerCase().replaceAll("_", "")]])),
    shortLink: ["shortlink", "shortdynamiclink"],
    link: ["deeplink", "link"],
    archived: ["archived", "isarchived"],
    name: ["linkname", "name"],
    createdAt: ["creationtimestamp", "creationtime", "createdat"],
  },
  signs: [["shortLink", "link", "apn", "ibi"]],
  needs: [["shortLink", "link"]],
  positions: POSITIONS,
  fieldOf(header) {
    const field = (BRACKETED.exec(header) ?? (/itunes|app store/i.test(header) ? ITUNES.exec(header) : null))?.[1];
    return POSITIONS.find((known) => known.toLowerCase() === field?.toLowerCase());
  },
  read(record) {
    const [shortLink, link] = [record.text("shortLink") ?? "", record.text("link")];
    const dropped: DroppedField[] = unsupportedFields(record, UNKNOWN).filter(
      ({ field }) => field !== "ipbi" || record.text("ipbi") !== record.text("ibi"),
    );
    dropped.push(...unreadFields(record, { instants: ["createdAt"] }));
    return buildOldRecord({
      address: parseOldAddress(shortLink),
      written: shortLink,
      destination: link,
      fields: {
        title: record.text("name"),
        deepLinkPayload: link ? { link } : undefined,
        utm: oldUtmOf(record, (name) => `utm_${name}`, dropped),
        social: oldCardOf(record, CARD, dropped),
        rules: record.mentions("ipfl", "ifl", "afl", "ofl") ? rulesOf(record, dropped) : undefined,
        isArchived: record.flag("archived"),
      },
      app: appOf(record),
      createdAt: record.instant("createdAt"),
      dropped,
    });
  },
  /**
   * An archived link is only hidden in the console. The compared visitors do not have the app; if they had it, the
   * deep link would open there.
   */
  routeOf(record, visitor) {
    return fallbackOf(record, visitor) ?? leadsTo(record.text("link"));
  },
};

function rulesOf(record: SourceRecord, dropped: DroppedField[]): RoutingRule[] {
  const wanted: [url: string | undefined, conditions: RoutingRule["conditions"]][] = [
    [oldUrlOf(record, "ipfl", dropped), { platform: ["ios"], deviceTypes: ["tablet"] }],
    [oldUrlOf(record, "ifl", dropped), { platform: ["ios"] }],
    [oldUrlOf(record, "afl", dropped), { platform: ["android"] }],
    [oldUrlOf(record, "ofl", dropped), { platform: ["desktop", "other"] }],
  ];
  return wanted.flatMap(([destinationUrl, conditions], index) =>
    destinationUrl ? [{ priority: index + 1, destinationUrl, conditions }] : [],
  );
}

function appOf(record: SourceRecord): OldApp | undefined {
  const ios = {
    bundleId: record.text("ibi"),
    appStoreId: record.text("isi"),
    scheme: record.text("ius"),
    providerToken: record.text("pt"),
    campaignName: record.text("ct"),
  };
  const packageName = record.text("apn");
  const hasIos = ios.bundleId !== undefined || ios.appStoreId !== undefined;
  if (!hasIos && packageName === undefined) return undefined;
  const known = Object.fromEntries(Object.entries(ios).filter(([, value]) => value !== undefined));
  return { ...(hasIos && { ios: known }), ...(packageName && { android: { packageName } }) };
}

function fallbackOf(record: SourceRecord, { platform, deviceType }: CheckedVisitor): OldRoute {
  if (platform !== "ios" && platform !== "android") return leadsTo(record.text("ofl"));
  const ofTablets = platform === "ios" && deviceType === "tablet" ? record.text("ipfl") : undefined;
  if (ofTablets !== undefined) return leadsTo(ofTablets);
  const [own, store] = platform === "ios" ? (["ifl", "isi"] as const) : (["afl", "apn"] as const);
  const id = record.text(store);
  if (record.text(own) !== undefined) return leadsTo(record.text(own));
  return id === undefined ? null : { store: platform === "ios" ? "app_store" : "play", id };
}
