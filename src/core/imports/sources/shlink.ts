/** Shlink: the CSV of its web client, the CSV that it imports, and the objects of its API with their redirect rules. */
import { oldAddress, parseOldAddress } from "../addresses";
import { daysIn } from "../clicks-by-day";
import { endedRoute } from "../device-rules";
import { buildOldRecord, isoOf, oldTagsOf, unreadFields } from "../fitting";
import type { DroppedField, OldLinkFields, OldRoute } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";
import type { AskedRule } from "../visitors/question";
import { askedShlinkRules, shlinkRuleHolds, shlinkRules } from "./shlink-rules";

const TAGS = /[|,]/;

export const shlink: LinkOrigin = {
  name: "shlink",
  title: "Shlink",
  columns: {
    dateCreated: ["createdat", "datecreated"],
    domain: ["domain"],
    shortCode: ["shortcode"],
    shortUrl: ["shorturl"],
    longUrl: ["longurl"],
    title: ["title"],
    tags: ["tags"],
    visits: ["visits"],
  },
  signs: [["shortCode", "longUrl"]],
  needs: [["longUrl"]],
  isItem: (item) => item.text("shortCode") !== undefined && item.text("longUrl") !== undefined,
  read(record) {
    const dropped: DroppedField[] = unreadFields(record, {
      instants: ["dateCreated"],
      counts: ["visits", "visitsCount"],
    });
    if (record.flag("crawlable")) dropped.push({ field: "crawlable", why: "short URLs are never indexed" });
    if (record.flag("forwardQuery") === false)
      dropped.push({ field: "forwardQuery", why: "the visitor's query is always passed on" });
    if (lacksRules(record))
      dropped.push({ field: "redirectRules", why: "left out: they are missing in what Shlink returned" });
    const uncounted = uncountedVisits(record);
    if (uncounted) dropped.push({ field: "visitsByDay", why: `left out: ${uncounted}` });
    const days = record.under("visitsByDay");
    const rules = record.mentions("redirectRules") ? shlinkRules(record, dropped) : undefined;
    const [shortUrl, shortCode, domain] = [record.text("shortUrl"), record.text("shortCode"), record.text("domain")];
    return buildOldRecord({
      address: shortUrl ? parseOldAddress(shortUrl) : shortCode ? oldAddress(domain, shortCode) : undefined,
      written: shortUrl ?? `${domain ?? ""}/${shortCode ?? ""}`,
      destination: record.text("longUrl"),
      fields: { title: record.text("title"), tags: oldTagsOf(record, TAGS), rules, ...boundsOf(record, dropped) },
      createdAt: record.instant("dateCreated"),
      clicksBefore: shlinkVisits(record),
      clicksByDay: days && daysIn(days.values),
      dropped,
    });
  },
  routeOf(record, visitor) {
    const { rules, startsAt, others, ...ends } = routingOf(record);
    const ended = endedRoute(ends, visitor);
    if (ended) return ended;
    if (visitor.at < startsAt) return ENDED;
    if (rules === null) return null;
    for (const { rule, route } of rules) {
      const holds = shlinkRuleHolds(rule, visitor);
      if (holds !== false) return holds === null ? null : route;
    }
    return others;
  },
  rulesOf: (record) => routingOf(record).asked,
};

const ENDED: OldRoute = { ended: true };

interface ShlinkRouting {
  asked: AskedRule[];
  /** Null if they are missing in the record. */
  rules: { rule: AskedRule; route: OldRoute }[] | null;
  others: OldRoute;
  startsAt: number;
  expiresAt: number | undefined;
  visitsLeft: number | undefined;
}

/** A check routes many visitors by one record. */
const known = new WeakMap<SourceRecord, ShlinkRouting>();

function routingOf(record: SourceRecord): ShlinkRouting {
  const found = known.get(record) ?? readRouting(record);
  known.set(record, found);
  return found;
}

function readRouting(record: SourceRecord): ShlinkRouting {
  const [meta, rules] = [record.under("meta"), askedShlinkRules(record)];
  return {
    asked: rules.map(({ rule }) => rule),
    rules: lacksRules(record) ? null : rules.map(({ rule, url }) => ({ rule, route: leadsTo(url) })),
    others: leadsTo(record.text("longUrl")),
    startsAt: meta?.instant("validSince") ?? 0,
    expiresAt: meta?.instant("validUntil"),
    visitsLeft: visitsLeft(record),
  };
}

/** True for a link of the list, which says only that it has rules. */
const lacksRules = (record: SourceRecord): boolean =>
  record.flag("hasRedirectRules") === true && !record.mentions("redirectRules");

/** Returns why the link comes without the days of its visits. Jobs of earlier releases wrote null for too many. */
function uncountedVisits(record: SourceRecord): string | undefined {
  const days = record.value("visitsByDay");
  if (days === null || days === "many") return "Shlink has too many visits of this link to list";
  if (days === "failed") return "Shlink failed to list the visits of this link";
  if (days === "refused")
    return "Shlink refuses to list the visits of this link; the key may not be allowed to read them";
  return days === "late" ? "Shlink took too long to list the visits of all links" : undefined;
}

/** Returns all visits of the link, those of bots as well. */
export const shlinkVisits = (record: SourceRecord): number | undefined =>
  record.under("visitsSummary")?.count("total") ?? record.count("visits") ?? record.count("visitsCount");

/** Returns the visits left: earlier visits count towards the limit. */
function visitsLeft(record: SourceRecord): number | undefined {
  const maxVisits = record.under("meta")?.count("maxVisits");
  return maxVisits === undefined ? undefined : maxVisits - (shlinkVisits(record) ?? 0);
}

function boundsOf(record: SourceRecord, dropped: DroppedField[]): Omit<OldLinkFields, "defaultUrl"> {
  const meta = record.under("meta");
  const left = visitsLeft(record);
  if (meta) dropped.push(...unreadFields(meta, { instants: ["validSince", "validUntil"], counts: ["maxVisits"] }));
  if (left !== undefined && left < 1) {
    dropped.push({ field: "maxVisits", why: "all visits are used up: the link is imported turned off" });
    return { isActive: false };
  }
  return {
    startsAt: isoOf(meta?.instant("validSince")),
    expiresAt: isoOf(meta?.instant("validUntil")),
    maxClicks: left,
  };
}
