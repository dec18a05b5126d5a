/** What is not set up in a workspace, told whatever its traffic. */
import type { InsightCheck, InsightFacts } from "./campaign-insights";
import { wilson } from "./rates";
import { nameOf, percent, plural } from "./words";

/** Of all links, below which figures tell nothing; and of one. */
export const CLICKS_MIN = 100;
export const LINK_CLICKS_MIN = 50;

const conversionsOf = ({ totals }: InsightFacts) => totals.installs + totals.leads + totals.events;

const noTraffic: InsightCheck = ({ totals, linksTotal, isOfLink }) => {
  if (totals.clicks > 0) return [];
  const hasLinks = linksTotal > 0;
  return [
    {
      id: hasLinks ? "setup:no_clicks" : "setup:no_links",
      type: "setup",
      priority: "high",
      title: hasLinks ? "Nobody has followed a link yet" : "There is no link yet",
      summary: hasLinks
        ? `${isOfLink ? "The link" : plural(linksTotal, "link")} had no clicks in the range`
        : "A workspace without links has no visitors",
      recommendation: hasLinks ? "Share the short URLs, or print their QR codes" : "Create a first link and share it",
      metric: "0 clicks",
      evidence: [plural(linksTotal, "link"), "0 clicks in the range"],
    },
  ];
};

const noConversions: InsightCheck = (facts) => {
  const { clicks } = facts.totals;
  if (conversionsOf(facts) > 0 || clicks < CLICKS_MIN) return [];
  return [
    {
      id: "setup:no_conversions",
      type: "setup",
      priority: "medium",
      title: "Nothing tells what becomes of the visitors",
      summary: `Of ${plural(clicks, "click")} no install, lead or custom event is known`,
      recommendation: "Send custom events for what matters to you, capture leads, or match installs",
      metric: "0 conversions",
      evidence: [
        `0 of ${plural(clicks, "click")}; the rate is below ${percent(wilson(0, clicks).high)} or not measured`,
      ],
    },
  ];
};

const withoutUtm: InsightCheck = ({ links, totals, direct }) => {
  const untagged = links.filter(({ link }) => !Object.values(link.utm ?? {}).some(Boolean));
  const clicks = untagged.reduce((sum, each) => sum + each.clicks, 0);
  if (clicks < LINK_CLICKS_MIN || clicks < totals.clicks / 2) return [];
  return [
    {
      id: "setup:utm",
      type: "setup",
      priority: "low",
      title: "Most visitors arrive without UTM parameters",
      summary: `${percent(clicks / totals.clicks)} of the clicks were on links without them`,
      recommendation: "Let `links/utm/generate` propose source, medium and campaign, the most visited links first",
      metric: `${percent(clicks / totals.clicks)} of clicks`,
      evidence: [
        ...untagged.slice(0, 3).map((each) => `${nameOf(each.link)}: ${plural(each.clicks, "click")}`),
        `${plural(direct, "click")} came without a referring page either`,
      ],
    },
  ];
};

export const SETUP: InsightCheck[] = [noTraffic, noConversions, withoutUtm];
