/** Our own link files, exported by another organization or another server: CSV and JSON lines. */
import { isLinkColumn, linkColumns, type ReadLink } from "@/core/links-file/columns";
import { readLinkCells } from "@/core/links-file/csv";
import { type ReadOutcome, readLinkFields } from "@/core/links-file/read";
import { oldAddress } from "../addresses";
import { daysIn, summedDays } from "../clicks-by-day";
import { endedRoute } from "../device-rules";
import { buildOldRecord } from "../fitting";
import { parseOldInstant } from "../instants";
import type { ClicksByDay, DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import { type LinkOrigin, leadsTo } from "../source";
import type { CheckedVisitor } from "../visitors/visitor";

const SIGNS = ["_id", "domain", "slug", "defaultUrl"];

export const waymark: LinkOrigin = {
  name: "waymark",
  title: "Waymark",
  /** Columns are found only by their exact names. */
  columns: Object.fromEntries(linkColumns.map((column) => [column, []])),
  signs: [SIGNS],
  fieldOf: (header) => (isLinkColumn(header.trim()) ? header.trim() : undefined),
  isItem: (item) => SIGNS.every((name) => item.text(name) !== undefined),
  read(record) {
    const outcome = linkOf(record);
    const address = `${record.text("domain") ?? ""}/${record.text("slug") ?? ""}`;
    if ("faults" in outcome) return { refused: outcome.faults.join("; "), address };
    const { link, unread } = outcome;
    const { domain, slug, pathPrefix = "", title, notes, tags, externalId, isArchived, maxClicks } = link;
    const { isActive, startsAt, expiresAt, expiredUrl } = link;
    const read = buildOldRecord({
      address: slug ? oldAddress(domain, `${pathPrefix}/${slug}`) : undefined,
      written: address,
      destination: link.defaultUrl,
      fields: {
        ...{ title, notes, tags, externalId, isActive, isArchived, maxClicks, startsAt, expiresAt, expiredUrl },
      },
      createdAt: instantOf(link.createdAt),
      clicksBefore: clicksOf(link),
      clicksByDay: daysOf(link),
      dropped: [...lost(link), ...unread],
      passwordLostBy: link.passwordProtected ? "The file" : undefined,
    });
    const profile = { id: link.appProfileId, name: link.appProfileName };
    const more = { others: othersOf(link), profile, admittedVisits: link.admittedVisits, exportOf: link._id };
    return "links" in read ? { links: read.links.map((one) => ({ ...one, ...more })) } : read;
  },
  /** Rules, splits and additions to destinations use our own evaluator, so for those there is nothing to compare. */
  routeOf(record, visitor) {
    const outcome = linkOf(record);
    if ("faults" in outcome) return null;
    const { link } = outcome;
    if (link.passwordProtected || link.rules?.length || link.splitTargets?.length) return null;
    if (link.utm || link.marketing || link.appProfileId) return null;
    if (link.isActive === false || visitor.at < (instantOf(link.startsAt) ?? 0)) return { ended: true };
    const { expiredUrl, maxClicks: visitsLeft } = link;
    const ended = endedRoute({ expiresAt: instantOf(link.expiresAt), expiredUrl, visitsLeft }, visitor);
    return ended ?? (mayGetApp(visitor) ? null : leadsTo(link.defaultUrl));
  },
};

/** The file does not say which app, and with it which store, the domain offers the visitors of all links. */
const mayGetApp = ({ platform, isBot }: CheckedVisitor): boolean =>
  !isBot && (platform === "ios" || platform === "android");

const NO_ADMISSIONS = "it is not in the file: maxClicks counts visits from now on";

const DAYS = ["clickCountByDay", "clicksByDay"];

/** A link comes without days that cannot be read: spreadsheets cut long cells. */
function linkOf({ values }: SourceRecord): { link: ReadLink; unread: DroppedField[] } | { faults: string[] } {
  const outcome = fieldsOf(values);
  if ("link" in outcome) return { ...outcome, unread: [] };
  const unread = outcome.faults.map((fault) => ({
    field: fault.slice(0, fault.indexOf(":")),
    why: `left out: ${fault.slice(fault.indexOf(":") + 2)}`,
  }));
  if (!unread.every(({ field }) => DAYS.includes(field))) return outcome;
  const again = fieldsOf(Object.fromEntries(Object.entries(values).filter(([name]) => !DAYS.includes(name))));
  return "link" in again ? { ...again, unread } : again;
}

/** A CSV has only text in its cells, which encodes more than JSON's: apostrophes, lists, flags. */
function fieldsOf(values: SourceRecord["values"]): ReadOutcome {
  const cells = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (cells.length < Object.keys(values).length) return readLinkFields(values);
  return readLinkCells(
    cells.map(([name]) => name),
    cells.map(([, cell]) => cell),
  );
}

const othersOf = (link: ReadLink): Record<string, unknown> => ({
  rules: link.rules,
  splitTargets: link.splitTargets,
  deepLinkPayload: link.deepLinkPayload,
  utm: link.utm,
  marketing: link.marketing,
  social: link.social,
  leadCapture: link.leadCapture,
  ctaOverlay: link.ctaOverlay,
  retargetingPixels: link.retargetingPixels,
});

function lost(link: ReadLink): DroppedField[] {
  const isUncounted = link.maxClicks !== undefined && link.admittedVisits === undefined && link.clickCount;
  return isUncounted ? [{ field: "admittedVisits", why: NO_ADMISSIONS }] : [];
}

/** Returns the clicks counted there plus those from before. */
const clicksOf = ({ clickCount, clicksBefore }: ReadLink): number | undefined =>
  clickCount === undefined ? clicksBefore : clickCount + (clicksBefore ?? 0);

/** Returns the days of these clicks. */
function daysOf({ clickCountByDay, clicksByDay }: ReadLink): ClicksByDay | undefined {
  if (!clickCountByDay) return clicksByDay && daysIn(clicksByDay);
  return summedDays(daysIn(clickCountByDay), daysIn(clicksByDay ?? {}));
}

const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseOldInstant(text);
