/** Finds links that turn visitors away because they have ended or not started, and addresses without a link. */
import { number, plural } from "@/core/plural";
import { DAY_MS } from "@/core/time/time-range";
import { nounOf } from "../described-link";
import type { LinkStop } from "../link-stops";
import { nameOf } from "../words";
import { failureText, isDead } from "./destination-health";
import {
  type BrokenFinding,
  type BrokenQuestion,
  type Check,
  type ExaminedLink,
  type RefusedAddress,
  type RefusedVisits,
  severityForLoss,
} from "./fault";

/** Fewer visits to an address without a link are assumed to be strays. */
const ADDRESS_VISITS_MIN = 20;
/** Paths that scanners request, not addresses that anybody has published. */
const PROBED = /^[^/]*\/$|\.[a-z0-9]{2,5}$|\/\.|^[^/]*\/(?:wp-|admin|api\/|cgi-)/i;

interface Turned {
  count: number;
  aDay: number;
  evidence: string;
}

/** Returns undefined if nobody was turned away. */
function turnedAway({ refused }: Pick<ExaminedLink, "refused">, reason: string, days: number) {
  const found = refused.find((each) => each.reason === reason && each.count > 0);
  return found && turnedAwaySummary(found, days);
}

/** Averages over the days that the visits came in, or over one day if that was shorter. */
export function turnedAwaySummary({ count, lastAt }: Omit<RefusedVisits, "reason">, daysTaken: number): Turned {
  const days = Math.max(1, daysTaken);
  const when = `the last one on ${day(lastAt)}`;
  return {
    count,
    aDay: count / days,
    evidence: `${plural(count, "visit")} turned away in ${plural(days, "day")} of the range, ${when} (without bots)`,
  };
}

/** Returns the days of the range from this instant on, or all of them. */
export const daysSince = ({ from, to }: BrokenQuestion, since = from): number => (to - Math.max(from, since)) / DAY_MS;

/** Returns for how many days of the range the link was out of use for this reason; all of them if that is not known. */
function daysStopped({ stops = [] }: Pick<ExaminedLink, "stops">, kind: LinkStop["kind"], question: BrokenQuestion) {
  const { from, to } = question;
  const shared = stops
    .filter((stop) => stop.kind === kind)
    .map((stop) => Math.min(to, stop.to) - Math.max(from, stop.from));
  const days = shared.reduce((sum, ms) => sum + Math.max(0, ms), 0) / DAY_MS;
  return days > 0 ? days : daysSince(question);
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

const expired: Check = (looked, question) => {
  const { link } = looked;
  const endedAt = Date.parse(link.expiresAt ?? "");
  const lost = turnedAway(looked, "expired", daysSince(question, endedAt));
  if (!(endedAt <= question.now) || !lost || link.expiredUrl !== undefined) return [];
  return [
    {
      type: link.startsAt === undefined ? "expired_link" : "schedule_over",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `${nameOf(link)} has expired, but people still click it`,
      summary: `It turned away ${plural(lost.count, "visit")}, about ${number(lost.aDay)} a day.`,
      recommendation:
        "Extend the link, send its visitors somewhere useful by `expiredUrl`, or remove the link wherever it is still shown.",
      evidence: [`Returns 410 since ${link.expiresAt}`, lost.evidence],
    },
  ];
};

const deadEnd: Check = (looked, question) => {
  const { link, checks } = looked;
  const endedAt = Date.parse(link.expiresAt ?? "");
  const lost = turnedAway(looked, "expired", daysSince(question, endedAt));
  const dead = checks.find((check) => isDead(check) && check.url === link.expiredUrl);
  if (!link.isActive || !(endedAt <= question.now) || !lost || !dead) return [];
  return [
    {
      type: "dead_destination",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `${nameOf(link)} has expired and leads to a dead page`,
      summary: `${dead.url}, where it has sent its visitors since then, failed at least two checks in a row.`,
      recommendation: "Fix the page, or change the link's `expiredUrl`.",
      evidence: [failureText(dead), lost.evidence],
    },
  ];
};

const inactive: Check = (looked, question) => {
  const { link } = looked;
  const lost = turnedAway(looked, "inactive", daysStopped(looked, "paused", question));
  if (link.isActive || !lost) return [];
  return [
    {
      type: "inactive_link",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `${nameOf(link)} is turned off, but people still click it`,
      summary: `It turned away ${plural(lost.count, "visit")}, about ${number(lost.aDay)} a day.`,
      recommendation: `Turn the ${nounOf(link)} on again, or remove it wherever it is still shown.`,
      evidence: ["Returns 404 while it is turned off", lost.evidence],
    },
  ];
};

const notStarted: Check = (looked, question) => {
  const { link } = looked;
  const lost = turnedAway(looked, "not_started", daysStopped(looked, "not_started", question));
  if (!link.isActive || !lost || !(Date.parse(link.startsAt ?? "") > question.now)) return [];
  return [
    {
      type: "not_started",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `${nameOf(link)} has not started, but people already click it`,
      summary: `It turned away ${plural(lost.count, "visit")} and will continue to until it starts.`,
      recommendation: "Start the link now, or hold back whatever already shows it.",
      evidence: [`Starts at ${link.startsAt} and returns 404 until then`, lost.evidence],
    },
  ];
};

const usedUp: Check = (looked, question) => {
  const { link, admitted } = looked;
  const lost = turnedAway(looked, "max_clicks_reached", daysStopped(looked, "used_up", question));
  if (!link.isActive || !lost || link.maxClicks === undefined || admitted < link.maxClicks) return [];
  if (link.expiredUrl !== undefined) return [];
  return [
    {
      type: "used_up",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `${nameOf(link)} has used up its clicks, but people still want it`,
      summary: `It admitted all ${number(link.maxClicks)} visits that its limit allows, then turned away ${number(lost.count)}.`,
      recommendation: "Raise the limit if there is more to offer, or remove the link wherever it is still shown.",
      evidence: [`Returns 410 after ${plural(link.maxClicks, "visit")}`, lost.evidence],
    },
  ];
};

/** Finds links that expire before they start, usually because of a mistyped date. */
const neverOpen: Check = ({ link, clicks }, { now }) => {
  const begins = Math.max(Date.parse(link.createdAt), Date.parse(link.startsAt ?? link.createdAt));
  const isFresh = now - Date.parse(link.createdAt) <= 30 * DAY_MS;
  if (!link.isActive || !isFresh || clicks > 0 || !(Date.parse(link.expiresAt ?? "") <= begins)) return [];
  return [
    {
      type: "never_open",
      severity: "medium",
      lostADay: 0,
      title: `${nameOf(link)} expired before it could start`,
      summary: "Nobody can use it: it ends before it starts.",
      recommendation: "Check the year and month of its end, and correct it before you share the link.",
      evidence: [`Starts ${new Date(begins).toISOString()}, expires ${link.expiresAt}`],
    },
  ];
};

export const ENDS: Check[] = [expired, deadEnd, inactive, notStarted, usedUp, neverOpen];

export function unknownAddress(refused: RefusedAddress, question: BrokenQuestion): BrokenFinding[] {
  const { address, count } = refused;
  if (count < ADDRESS_VISITS_MIN || PROBED.test(address)) return [];
  const lost = turnedAwaySummary(refused, daysSince(question));
  return [
    {
      type: "unknown_address",
      severity: severityForLoss(lost.aDay),
      lostADay: lost.aDay,
      title: `People request ${address}, but there is no such link`,
      summary: `${plural(count, "visit")} found nothing there: the address is mistyped, or the link was deleted.`,
      recommendation: "Create a link at that address that leads where these people want to go.",
      evidence: [lost.evidence],
    },
  ];
}
