/**
 * What is broken about links that people visit: each check is certain of what it tells, or says how sure it is. Visits that
 * are refused are not recorded, so that of a link which serves nobody any more it can only be told how many came before.
 *
 * A collapse is a link's last three whole days against what was to be expected of them, the medians of the same weekdays
 * before: told from an expectation of 20 clicks on, where at most a fifth came, and where chance alone would need 4
 * deviations for it (Anscombe's transform, see `seasonal.ts`).
 */
import type { BrokenCampaign, Level } from "@/contract/insights";
import type { Link } from "@/contract/links";
import { urlsOf } from "../safety/destinations";
import { isCandidate } from "../split";
import { DAY_MS } from "../time-range";
import { type CheckState, isDead } from "./destination-health";
import { median } from "./robust";
import { unreachableRules } from "./rules-reach";
import { anscombe, type Bucket } from "./seasonal";
import { nameOf, number, plural } from "./words";

export interface VisitedLink {
  link: Link & { isDeleted: boolean };
  /** In the range. */
  clicks: number;
  /** Of the range and the weeks before it, in order and without gaps; the last one may not be over. */
  days: readonly Bucket[];
  /** Of its destinations, as the periodic check last found them. */
  checks: readonly (CheckState & { url: string })[];
}

interface Question {
  from: number;
  to: number;
  now: number;
}

type Finding = Omit<BrokenCampaign, "id" | "linkId">;
type Check = (visited: VisitedLink, question: Question) => Finding[];

export const CAMPAIGNS_MAX = 200;
const UTM_CLICKS_MIN = 20;
const RECENT_DAYS = 3;
const EXPECTED_MIN = 20;
const COLLAPSE_SHARE = 0.2;
const COLLAPSE_DEVIATIONS = 4;
const WEEKDAYS_MIN = 3;

/** The most severe first, then the most visited. */
export function findBroken(visited: readonly VisitedLink[], question: Question): BrokenCampaign[] {
  const rank = (level: Level) => ["high", "medium", "low"].indexOf(level);
  return visited
    .filter(({ link }) => !link.isDeleted)
    .flatMap((each) => findingsOf(each, question).map((campaign) => ({ campaign, clicks: each.clicks })))
    .sort((a, b) => rank(a.campaign.severity) - rank(b.campaign.severity) || b.clicks - a.clicks)
    .map(({ campaign }) => campaign);
}

function findingsOf(visited: VisitedLink, question: Question): BrokenCampaign[] {
  const { _id: linkId } = visited.link;
  const { isActive, expiresAt } = visited.link;
  // What serves nobody any more has no other fault that matters.
  const hasEnded = !isActive || (expiresAt !== undefined && Date.parse(expiresAt) <= question.now);
  const findings = (hasEnded ? ENDS : CHECKS).flatMap((check) => check(visited, question));
  return findings.map((finding) => ({ id: `${finding.type}:${linkId}`, linkId, ...finding }));
}

const deadDestination: Check = ({ link, checks }) => {
  const urls = urlsOf(link);
  const dead = checks.filter((check) => isDead(check) && urls.includes(check.url));
  if (dead.length === 0) return [];
  const isWhole = dead.length === urls.length || dead.some(({ url }) => url === link.defaultUrl);
  return [
    {
      type: "dead_destination",
      severity: isWhole ? "high" : "medium",
      title: `${nameOf(link)} leads to a dead page`,
      summary: `${dead[0]?.url}${dead.length > 1 ? ` and ${plural(dead.length - 1, "more destination")}` : ""} did not answer as a page should, at least twice in a row`,
      recommendation: "Mend the page, or change where the link leads",
      evidence: dead.map(
        ({ url, httpStatus, error, failures, failingSince }) =>
          `${url}: ${httpStatus === null ? (error ?? "no answer") : `HTTP ${httpStatus}`}, ${plural(failures, "failure")} in a row since ${new Date(failingSince ?? 0).toISOString()}`,
      ),
    },
  ];
};

const unsafeDestination: Check = ({ link, clicks }) => {
  const { status, reasons } = link.safety;
  if (status !== "unsafe" && status !== "suspicious") return [];
  const isUnsafe = status === "unsafe";
  return [
    {
      type: "unsafe_destination",
      severity: isUnsafe ? "high" : "medium",
      title: `${nameOf(link)} leads somewhere ${isUnsafe ? "unsafe" : "that looks suspicious"}`,
      summary: isUnsafe
        ? "A list of unsafe pages names a destination, so that the short URL answers 403"
        : "A destination bears signs of deceit; visitors and mail filters may take it for phishing",
      recommendation: "Look at the reasons, and change the destination or have the list corrected",
      evidence: [...reasons, `${plural(clicks, "click")} in the range`],
    },
  ];
};

const expired: Check = (visited, { now }) => {
  const { link } = visited;
  const endedAt = link.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(link.expiresAt);
  const before = clicksBefore(visited, endedAt);
  if (endedAt > now || before === 0) return [];
  const isSchedule = link.startsAt !== undefined;
  return [
    {
      type: isSchedule ? "schedule_over" : "expired_link",
      severity: severityOfEnd(before),
      title: `${nameOf(link)} ${isSchedule ? "is past its scheduled window" : "has expired"}, and was still visited when it did`,
      summary: `It answers 410 since ${link.expiresAt}. ${REFUSED}`,
      recommendation: "Extend the link, or take it off where it is still shown",
      evidence: [`${plural(before, "click")} in the seven days before it ended`],
    },
  ];
};

const inactive: Check = (visited, { to }) => {
  const { link, days } = visited;
  const last = days.findLast(({ count }) => count > 0);
  if (link.isActive || !last) return [];
  const before = clicksBefore(visited, Math.min(to, last.at + DAY_MS));
  return [
    {
      type: "inactive_link",
      severity: severityOfEnd(before),
      title: `${nameOf(link)} is switched off, and was visited until then`,
      summary: `It answers 404. ${REFUSED}`,
      recommendation: "Switch the link on again, or take it off where it is still shown",
      evidence: [`${plural(before, "click")} in the seven days up to its last visit, on ${day(last.at)}`],
    },
  ];
};

const REFUSED = "Visits that are refused are not recorded, so that nobody knows how many come since";
const severityOfEnd = (clicks: number): Level => (clicks >= 70 ? "high" : clicks >= 7 ? "medium" : "low");
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

function clicksBefore({ days }: VisitedLink, end: number): number {
  const last = days.filter(({ at }) => at < end && at >= end - 8 * DAY_MS).slice(-7);
  return last.reduce((sum, { count }) => sum + count, 0);
}

const collapse: Check = ({ link, days: all }, { to }) => {
  const days = all.filter(({ at }) => at + DAY_MS <= to);
  const begun = days.slice(
    Math.max(
      0,
      days.findIndex(({ count }) => count > 0),
    ),
  );
  const recent = begun.slice(-RECENT_DAYS);
  const before = begun.slice(0, -RECENT_DAYS);
  const count = recent.reduce((sum, each) => sum + each.count, 0);
  const expected = recent.reduce((sum, { at }) => sum + usualOn(before, at), 0);
  const deviations = anscombe(expected) - anscombe(count);
  if (!(expected >= EXPECTED_MIN) || count > COLLAPSE_SHARE * expected || deviations < COLLAPSE_DEVIATIONS) return [];
  return [
    {
      type: "traffic_collapse",
      severity: count === 0 || expected >= 10 * EXPECTED_MIN ? "high" : "medium",
      title: `${nameOf(link)} has lost its visitors`,
      summary: `${plural(count, "click")} in its last ${RECENT_DAYS} whole days, where about ${number(expected)} were to be expected`,
      recommendation: "See whether the link is still where people met it, and whether its campaign has ended",
      evidence: [
        `Expected from the medians of the same weekdays, ${plural(before.length, "day")} in all`,
        `Since ${day(recent[0]?.at ?? 0)}`,
      ],
    },
  ];
};

/** NaN where there are too few of its weekday. */
function usualOn(days: readonly Bucket[], at: number): number {
  const same = days.filter((other) => (at - other.at) % (7 * DAY_MS) === 0).map(({ count }) => count);
  return same.length < WEEKDAYS_MIN ? Number.NaN : median(same);
}

const splitWithoutTargets: Check = ({ link, clicks }) => {
  if (link.splitTargets.length === 0 || link.splitTargets.some(isCandidate)) return [];
  return [
    {
      type: "split_without_targets",
      severity: "medium",
      title: `No split target of ${nameOf(link)} is active`,
      summary: "All of its visitors go on to the default destination",
      recommendation: "Switch a target on, give one a weight, or remove the split",
      evidence: [
        `${plural(link.splitTargets.length, "target")}: ${link.splitTargets.map(({ key, isActive, weight }) => `${key} (${isActive === false ? "off" : `weight ${weight ?? 1}`})`).join(", ")}`,
        `${plural(clicks, "click")} in the range`,
      ],
    },
  ];
};

const unreachable: Check = ({ link }) => {
  const found = unreachableRules(link.rules);
  if (found.length === 0) return [];
  return [
    {
      type: "unreachable_rule",
      severity: "medium",
      title: `${plural(found.length, "rule")} of ${nameOf(link)} can never be reached`,
      summary: "Whoever the rules are for is sent elsewhere",
      recommendation: "Put the narrower rules first by their priority, mend their conditions, or remove them",
      evidence: found.map(({ index, reason, by }) => `rules[${index}]: ${REASONS[reason](by)}`),
    },
  ];
};

const REASONS = {
  contradiction: () => "asks for an OS version that is both at least and at most what cannot be",
  behind_catch_all: (by: number | null) => `comes behind rules[${by}], which holds for everyone`,
  shadowed: (by: number | null) => `comes behind rules[${by}], which holds for all that it asks for`,
};

const missingUtm: Check = ({ link, clicks }) => {
  const isTagged = Object.values(link.utm ?? {}).some(Boolean) || urlsOf(link).some((url) => /[?&]utm_\w+=./.test(url));
  if (isTagged || clicks < UTM_CLICKS_MIN) return [];
  return [
    {
      type: "missing_utm",
      severity: "low",
      title: `${nameOf(link)} carries no UTM parameters`,
      summary: "The analytics of its destination cannot tell these visitors from others",
      recommendation: "Set source, medium and campaign; `links/utm/generate` proposes them",
      evidence: [`${plural(clicks, "click")} in the range, neither the link nor a destination names a campaign`],
    },
  ];
};

const ENDS = [expired, inactive];
const CHECKS = [deadDestination, unsafeDestination, collapse, splitWithoutTargets, unreachable, missingUtm];
