/** Compares conversion rates of links and of channels, each only by the conversions measured for it. */
import type { CampaignInsight } from "@/contract/analytics/insights";
import { channelOfUtm } from "../assistant/channels";
import { number, plural } from "../plural";
import type { InsightFacts, LinkFigures } from "./campaign-insights";
import { MEASURE } from "./campaign-setup";
import { type Kind, measuredOf } from "./measured";
import {
  CLAIM_LEVEL,
  compareRates,
  type DayRate,
  type RateClaim,
  type RateGroup,
  type SideRate,
  sideOf,
} from "./rate-claims";
import { chance, nameOf, per100, rateOfSide } from "./words";

export interface RateClaims {
  /** Claims about links; their keys are link ids. */
  links: RateClaim[];
  /** Claims about channels; their keys are channel names. Links without known UTM values count among the others. */
  channels: RateClaim[];
  /** The measured rate of each channel, whether or not there is a claim about it. */
  measured: MeasuredChannel[];
  /** Ids of links for which no conversions are measured. */
  unmeasured: string[];
}

export interface MeasuredChannel extends SideRate {
  /** Name of the channel. */
  key: string;
  kind: string;
}

const UNTAGGED = "";

export function rateClaims({
  links,
  compared,
  isOfLink,
  from,
}: Pick<InsightFacts, "links" | "compared" | "isOfLink" | "from">): RateClaims {
  const measured = compared.map((each) => ({ link: each.link, groups: measuredOf(each, compared, from) }));
  const groups = measured.flatMap((each) => each.groups);
  const [asked] = links;
  const channelOf = ({ link }: Pick<LinkFigures, "link">) => channelOfUtm(link.utm ?? {})?.name ?? UNTAGGED;
  const byChannel = summed(
    measured.flatMap((each) => each.groups.map((group) => ({ ...group, key: channelOf(each) }))),
  );
  const known = new Set(groups.map(({ key }) => key));
  return {
    links: compareRates(groups, isOfLink ? (asked?.link._id ?? UNTAGGED) : undefined, CLAIM_LEVEL / 2),
    channels: compareRates(byChannel, undefined, CLAIM_LEVEL / 2).filter(({ key }) => key !== UNTAGGED),
    measured: byChannel
      .filter(({ key }) => key !== UNTAGGED)
      .map(({ key, kind, days }) => ({ key, kind, ...sideOf(days) })),
    unmeasured: links.filter(({ link }) => !known.has(link._id)).map(({ link }) => link._id),
  };
}

/** Merges groups with the same key and kind. */
function summed(groups: readonly RateGroup[]): RateGroup[] {
  return [...Map.groupBy(groups, ({ key, kind }) => `${kind} ${key}`).values()].flatMap((same) => {
    const [first] = same;
    const days = Map.groupBy(
      same.flatMap((group) => group.days),
      ({ at }) => at,
    );
    return first ? [{ ...first, days: [...days].map(([at, rows]) => daySum(at, rows)) }] : [];
  });
}

const daySum = (at: number, rows: readonly DayRate[]): DayRate => ({
  at,
  clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0),
  conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
});

/**
 * Covers links in `facts.links` only. A channel with just one link is reported here, as that link, and not by
 * `channelClaims`.
 */
export const linkClaims = (facts: InsightFacts, claims: RateClaims): CampaignInsight[] =>
  claims.links.flatMap((claim) => {
    const found = facts.links.find(({ link }) => link._id === claim.key);
    return found ? [insightOf(claim, nameOf(found.link), claim.key, "your other links", facts)] : [];
  });

export const channelClaims = (facts: InsightFacts, claims: RateClaims): CampaignInsight[] =>
  claims.channels
    .filter(({ key }) => !facts.isOfLink && linksIn(facts, key) > 1)
    .map((claim) => insightOf(claim, claim.key, `channel:${claim.key}`, "everything else", facts));

const linksIn = ({ compared }: InsightFacts, channel: string): number =>
  compared.filter(({ link }) => channelOfUtm(link.utm ?? {})?.name === channel).length;

function insightOf(claim: RateClaim, name: string, id: string, others: string, facts: InsightFacts): CampaignInsight {
  const { isBetter, kind, own } = claim;
  const noun = NOUNS[kind as Kind];
  const share = own.clicks / Math.max(1, facts.totals.clicks);
  const against = `${per100(own.rate)} ${noun}s per 100 clicks, compared with ${per100(claim.others.rate)}`;
  return {
    id: `${isBetter ? "opportunity:converts_well" : "risk:converts_badly"}:${id}${kind === "leads" ? "" : `:${kind}`}`,
    type: isBetter ? "opportunity" : "risk",
    priority: share >= 0.2 ? "high" : "medium",
    title: `${name} converts ${isBetter ? "better" : "worse"} than ${others}`,
    summary: `It brings ${against} for ${others}.`,
    recommendation: isBetter
      ? "Send more visitors here first, and apply what works on its page to the others."
      : "Check that its page keeps the promise of the link, then test a changed page against it as a split target.",
    metric: against,
    evidence: claimEvidence(claim, name, others),
  };
}

const NOUNS = { installs: "install", leads: "lead", events: "event" } as const;

export const claimEvidence = (claim: RateClaim, name: string, others: string): string[] => {
  const noun = NOUNS[claim.kind as Kind];
  const side = (whose: string, of: SideRate) =>
    `${whose}: ${plural(of.conversions, noun)} from ${plural(of.clicks, "click")}, ${rateOfSide(of)}`;
  return [
    side(name, claim.own),
    side(`${others.charAt(0).toUpperCase()}${others.slice(1)} that measure ${noun}s`, claim.others),
    `Compared day by day over ${plural(claim.days, "day")} (Mantel–Haenszel score test): ${chance(claim.pValue)} after Holm's correction for ${plural(claim.comparisons, "comparison")}`,
  ];
};

/** Reports the busiest links for which nothing is measured, although something is measured for others. */
export const unmeasured: (clicksMin: number) => (facts: InsightFacts, claims: RateClaims) => CampaignInsight[] =
  (clicksMin) => (facts, claims) => {
    const busy = facts.links.filter(({ link, clicks }) => clicks >= clicksMin && claims.unmeasured.includes(link._id));
    const clicks = busy.reduce((sum, each) => sum + each.clicks, 0);
    if (busy.length === 0) return [];
    const isMost = clicks >= facts.totals.clicks / 2;
    return [
      {
        id: "setup:unmeasured",
        type: "setup",
        priority: isMost ? "medium" : "low",
        title:
          busy.length === 1
            ? `Nothing is measured after a click on ${nameOf(busy[0]?.link ?? { slug: "" })}`
            : `Nothing is measured after a click on ${number(busy.length)} of your busiest links`,
        summary:
          `${busy.length === 1 ? "Its" : "Their"} ${plural(clicks, "click")} may be worth a lot or nothing: no app, form ` +
          "or event tells.",
        recommendation: MEASURE,
        metric: `${plural(clicks, "click")} not measured`,
        evidence: busy.slice(0, 5).map((each) => `${nameOf(each.link)}: ${plural(each.clicks, "click")}, not measured`),
      },
    ];
  };
