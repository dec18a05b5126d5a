/**
 * Finds faults in where links lead: dead and unsafe pages, splits and rules that route nobody, and missing UTM
 * parameters.
 */
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { number, plural } from "@/core/plural";
import { isCandidate } from "@/core/routing/split";
import { rulePlace } from "@/core/rules/rule-order";
import { urlsOf } from "@/core/safety/destinations";
import { type DescribedLink, nounOf } from "../described-link";
import { allowsNoTime, allowsNoVersion, type UnreachableRule, unreachableRules } from "../rules-reach";
import { nameOf } from "../words";
import { failureText, isDead } from "./destination-health";
import { type BrokenQuestion, type Check, clicksADay, type ExaminedLink } from "./fault";
import { reachedUrls } from "./reached-urls";

const UTM_CLICKS_MIN = 20;

const traffic = (looked: ExaminedLink, question: BrokenQuestion): string =>
  `${plural(looked.clicks, "click")} in the range, ${number(clicksADay(looked, question))} a day over the last 7 whole days`;

const unseen = (link: DescribedLink): string =>
  `Nobody has visited the ${nounOf(link)} yet: fix it before you share it.`;
const isSeen = ({ clicks, days }: ExaminedLink): boolean => clicks > 0 || days.some(({ count }) => count > 0);

/** A default destination counts even while nobody gets there: it is where everyone goes once the others are gone. */
const deadDestination: Check = (looked, question) => {
  const { link, checks } = looked;
  const subject = link.isBioPage ? `An item of ${nameOf(link)}` : nameOf(link);
  const reached = reachedUrls(link);
  const dead = checks.filter((check) => isDead(check) && (reached.has(check.url) || check.url === link.defaultUrl));
  const [first] = dead;
  if (!first) return [];
  const urls = urlsOf({ ...link, kind: link.isBioPage ? "bio_page" : "link" });
  const lost = dead.filter(({ url }) => reached.has(url));
  const isWhole = lost.length === urls.length || lost.some(({ url }) => url === link.defaultUrl);
  const more = dead.length > 1 ? ` and ${plural(dead.length - 1, "more destination")}` : "";
  return [
    {
      type: "dead_destination",
      severity: isWhole && isSeen(looked) ? "high" : "medium",
      lostADay: clicksADay(looked, question) * (isWhole ? 1 : lost.length / urls.length),
      title: `${subject} leads to a dead page`,
      summary: `${first.url}${more} failed at least two checks in a row.${isSeen(looked) ? "" : ` ${unseen(link)}`}`,
      recommendation: `Fix the page, or change where the ${link.isBioPage ? "item" : "link"} leads.`,
      evidence: [...dead.map(failureText), traffic(looked, question)],
    },
  ];
};

const unsafeDestination: Check = (looked, question) => {
  const { link, refused } = looked;
  const { status, reasons } = link.safety;
  if (status !== "unsafe" && status !== "suspicious") return [];
  const isUnsafe = status === "unsafe";
  const turned = refused.find(({ reason }) => reason === "unsafe")?.count ?? 0;
  return [
    {
      type: "unsafe_destination",
      severity: isUnsafe ? "high" : "medium",
      lostADay: isUnsafe ? clicksADay(looked, question) : 0,
      title: `${nameOf(link)} leads to a page that ${isUnsafe ? "is listed as unsafe" : "looks suspicious"}`,
      summary: isUnsafe
        ? "The short URL returns 403 until the destination is off the list."
        : "Visitors and mail filters may mistake it for phishing.",
      recommendation: "Read the reasons, then change the destination or have the listing corrected.",
      evidence: [
        ...reasons,
        traffic(looked, question),
        ...(turned > 0 ? [`${plural(turned, "visit")} turned away in the range (without bots)`] : []),
      ],
    },
  ];
};

const splitWithoutTargets: Check = (looked, question) => {
  const { link } = looked;
  if (link.splitTargets.length === 0 || link.splitTargets.some(isCandidate)) return [];
  const targets = link.splitTargets.map(
    ({ key, label, isActive, weight }) => `${label || key} (${isActive === false ? "off" : `weight ${weight ?? 1}`})`,
  );
  return [
    {
      type: "split_without_targets",
      severity: isSeen(looked) ? "medium" : "low",
      lostADay: clicksADay(looked, question),
      title: `The split test of ${nameOf(link)} has no active target`,
      summary: `All visitors go to the default destination instead.${isSeen(looked) ? "" : ` ${unseen(link)}`}`,
      recommendation: "Turn a target on or give one a weight; if the test is over, remove the split.",
      evidence: [`${plural(targets.length, "target")}: ${targets.join(", ")}`, traffic(looked, question)],
    },
  ];
};

const unreachable: Check = (looked, question) => {
  const { link } = looked;
  const found = unreachableRules(link.rules);
  if (found.length === 0) return [];
  const rules = found.length === 1 ? "A rule" : `${number(found.length)} rules`;
  return [
    {
      type: "unreachable_rule",
      severity: isSeen(looked) ? "medium" : "low",
      lostADay: 0,
      title: `${rules} of ${nameOf(link)} can never apply`,
      summary: `The visitors meant for ${found.length === 1 ? "it" : "them"} are sent somewhere else.${isSeen(looked) ? "" : ` ${unseen(link)}`}`,
      recommendation:
        "Give narrow rules a lower priority number than broad ones, correct their conditions, or remove them.",
      evidence: [
        ...found
          .map((each) => ({ ...each, number: rulePlace(link.rules, each.index) }))
          .sort((one, other) => one.number - other.number)
          .flatMap((each) => whyUnreachable(each, link.rules).map((why) => `Rule ${each.number} ${why}`)),
        traffic(looked, question),
      ],
    },
  ];
};

function whyUnreachable({ index, reason, by }: UnreachableRule, rules: readonly RoutingRule[]): string[] {
  switch (reason) {
    case "contradiction":
      return contradictionsOf(rules[index]?.conditions ?? {});
    case "behind_catch_all":
      return [`comes after rule ${rulePlace(rules, by ?? 0)}, which applies to everyone`];
    case "shadowed":
      return [`comes after rule ${rulePlace(rules, by ?? 0)}, which already applies to everyone this rule matches`];
    default:
      return reason satisfies never;
  }
}

function contradictionsOf(conditions: RuleConditions): string[] {
  const { minOsVersion, maxOsVersion, after, before } = conditions;
  return [
    ...(allowsNoVersion(conditions)
      ? [`requires an OS version of at least ${minOsVersion} and at most ${maxOsVersion}`]
      : []),
    ...(allowsNoTime(conditions) ? [`applies only from ${after} on and only before ${before}`] : []),
  ];
}

/** Reported only for links that people actually click. */
const missingUtm: Check = (looked, question) => {
  const { link, clicks } = looked;
  const isTagged = Object.values(link.utm ?? {}).some(Boolean) || urlsOf(link).some((url) => /[?&]utm_\w+=./.test(url));
  if (isTagged || clicks < UTM_CLICKS_MIN) return [];
  return [
    {
      type: "missing_utm",
      severity: "low",
      lostADay: 0,
      title: `${nameOf(link)} has no UTM parameters`,
      summary: "Your web analytics cannot distinguish these visitors from any others.",
      recommendation: "Add source, medium and campaign; `links/utm/generate` suggests values.",
      evidence: [traffic(looked, question), "Neither the link nor any of its destinations names a campaign"],
    },
  ];
};

/** A bio page has no rules and no UTM parameters, and visitors choose its items themselves. */
export const BIO_PAGE_ROUTES: Check[] = [deadDestination, unsafeDestination];
export const ROUTES: Check[] = [deadDestination, unsafeDestination, splitWithoutTargets, unreachable, missingUtm];
