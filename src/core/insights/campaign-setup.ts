/** Reports what is not set up in a workspace, however little traffic it has. */
import { plural } from "../plural";
import type { InsightCheck, InsightFacts } from "./campaign-insights";
import { nounOf } from "./described-link";
import { nameOf, percent } from "./words";

/** Fewest clicks that figures say anything about: of all links together, and of one link. */
export const SETUP_CLICKS_MIN = 100;
export const LINK_CLICKS_MIN = 50;

export const conversionsOf = ({ totals }: InsightFacts) => totals.installs + totals.leads + totals.events;

const noTraffic: InsightCheck = (facts) => {
  const { totals, linksTotal, isAhead } = facts;
  const hasLinks = linksTotal > 0;
  if (totals.clicks > 0 || (hasLinks && isAhead)) return [];
  return [
    {
      id: hasLinks ? "setup:no_clicks" : "setup:no_links",
      type: "setup",
      priority: "high",
      title: hasLinks ? "Nobody clicked in this range" : "You have no links yet",
      summary: hasLinks
        ? `${noneOf(facts)} had no clicks in the range.`
        : "Visitors come through links, and this workspace has none.",
      recommendation: hasLinks
        ? "Share the short URLs, or print their QR codes."
        : "Create your first link and share it.",
      metric: "0 clicks",
      evidence: [plural(linksTotal, nounOf(facts)), "0 clicks in the range"],
    },
  ];
};

function noneOf({ linksTotal, isOfLink, isBioPage }: InsightFacts): string {
  if (isOfLink) return `This ${nounOf({ isBioPage })}`;
  return linksTotal === 1 ? "Your link" : `All ${plural(linksTotal, "link")} together`;
}

const noConversions: InsightCheck = (facts) => {
  const { clicks } = facts.totals;
  if (conversionsOf(facts) > 0 || clicks < SETUP_CLICKS_MIN) return [];
  return [
    {
      id: "setup:no_conversions",
      type: "setup",
      priority: "medium",
      title: "You cannot see what visitors do after the click",
      summary: `None of ${plural(clicks, "click")} led to a known install, lead or event, so nobody can tell which link pays off.`,
      recommendation: MEASURE,
      metric: "0 conversions",
      evidence: [`0 installs, leads and events from ${plural(clicks, "click")} in the range`],
    },
  ];
};

const withoutUtm: InsightCheck = ({ links, totals, direct }) => {
  const untagged = links.filter(({ link }) => !link.isBioPage && !Object.values(link.utm ?? {}).some(Boolean));
  const clicks = untagged.reduce((sum, each) => sum + each.clicks, 0);
  if (clicks < LINK_CLICKS_MIN || clicks < totals.clicks / 2) return [];
  const share = percent(clicks / totals.clicks);
  return [
    {
      id: "setup:utm",
      type: "setup",
      priority: "low",
      title: "Most of your clicks carry no UTM parameters",
      summary: `${share} of the clicks were on links without them, so your web analytics cannot distinguish the campaigns.`,
      recommendation: "Add source, medium and campaign, busiest links first. `links/utm/generate` suggests values.",
      metric: `${share} of clicks`,
      evidence: [
        ...untagged.slice(0, 3).map((each) => `${nameOf(each.link)}: ${plural(each.clicks, "click")}`),
        ...(direct === null ? [] : [`${plural(direct, "click")} also came without a referring page`]),
      ],
    },
  ];
};

export const SETUP: InsightCheck[] = [noTraffic, noConversions, withoutUtm];

export const MEASURE =
  "Turn on a lead form, connect an app, or send events that name the link: pass `linkId`, and the click id `wm_cid` " +
  "as `visitorId`.";
