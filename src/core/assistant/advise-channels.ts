/** Which channels brought clicks and what became of them. */
import { checkHostname } from "../hostname";
import { number, plural } from "../insights/words";
import { channelOfHost } from "./channels";
import { CLICKS_MIN, CONVERSIONS_MIN, rateSentence } from "./conversion";
import { type ChannelFigures, channelsOfLinks, channelsOfReferrers, shareSentence } from "./figures";
import { shareOf } from "./intervals";
import type { Advise, Situation } from "./recommendation";

const SHOWN_MAX = 3;
/** From this share on a site is worth a word with. */
const SITE_SHARE_MIN = 0.05;

/** By rates: only a channel whose whole interval lies above another's is called better. */
export const adviseBestChannel: Advise = ({ figures, intent }) => {
  if (intent.measure === "click") return undefined;
  const [best, ...others] = channelsOfLinks(figures, intent).filter(isTelling);
  const worse = others.filter(({ rate }) => best?.rate && rate && rate.high < best.rate.low);
  if (!best || best.conversions < CONVERSIONS_MIN || others.length === 0) return undefined;
  const noun = intent.measure;
  const shown = [best, ...(worse.length > 0 ? worse : others)].slice(0, SHOWN_MAX);
  const evidence = shown.map((channel) => rateSentence(channel.name, noun, channel));
  if (worse.length > 0) {
    return {
      title: `Put more into ${best.name}`,
      rationale: `Of the channels that links are tagged with, ${best.name} turns clicks into ${noun}s most often, by more than chance explains.`,
      action: `Move budget and effort to ${best.name}, and keep its links tagged.`,
      priority: "high",
      evidence,
    };
  }
  return {
    title: `Try ${best.name} against the others`,
    rationale: `${best.name} has the best figures of the tagged channels, though chance may still explain them.`,
    action: `Share the same offer in ${best.name} and in one other channel until their intervals part.`,
    priority: "medium",
    evidence,
  };
};

/** A rate without conversions is telling where there were clicks enough for some. */
const isTelling = ({ clicks, rate }: ChannelFigures): boolean => clicks >= CLICKS_MIN && rate !== undefined;

/** By clicks, from referring pages and from tags, where rates say nothing. */
export const adviseBusiestChannel: Advise = (situation) => {
  const { figures, intent } = situation;
  if (figures.current.totalClicks < CLICKS_MIN || adviseBestChannel(situation)) return undefined;
  const [first, ...rest] = clicksByChannel(situation);
  if (!first) return undefined;
  const conversions = channelsOfLinks(figures, intent).find(({ name }) => name === first.name)?.conversions ?? 0;
  return {
    title: `Build on ${first.name}`,
    rationale: `Most clicks whose channel is known come from ${first.name}.`,
    action: `Run the next campaign in ${first.name} first, under UTM values of its own.`,
    priority: intent.measure === "click" ? "high" : "medium",
    evidence: [
      ...[first, ...rest].slice(0, SHOWN_MAX).map((channel) => channel.sentence),
      ...(conversions > 0 && conversions < CONVERSIONS_MIN
        ? [`${plural(conversions, intent.measure)} of links tagged ${first.name}: too few for a rate`]
        : []),
    ],
  };
};

interface Clicked {
  name: string;
  clicks: number;
  sentence: string;
}

/** Of the two ways in which a channel is known the one that knows of more clicks. */
export function clicksByChannel({ figures, intent }: Situation): Clicked[] {
  const total = figures.current.totalClicks;
  const byReferrer = channelsOfReferrers(figures).flatMap(({ name, count: clicks }): Clicked[] => {
    const share = shareOf(clicks, total);
    return share ? [{ name, clicks, sentence: `${shareSentence(name, share)}, by their referring page` }] : [];
  });
  const byTag = channelsOfLinks(figures, intent)
    .filter(({ clicks }) => clicks > 0)
    .map(
      ({ name, clicks }): Clicked => ({
        name,
        clicks,
        sentence: `${name}: ${plural(clicks, "click")} of links tagged so`,
      }),
    );
  const best = new Map<string, Clicked>();
  for (const channel of [...byTag, ...byReferrer]) {
    if ((best.get(channel.name)?.clicks ?? 0) < channel.clicks) best.set(channel.name, channel);
  }
  return [...best.values()].sort((a, b) => b.clicks - a.clicks || (a.name < b.name ? -1 : 1));
}

export const adviseTagging: Advise = ({ figures: { links } }) => {
  const untagged = links.filter(({ utm }) => !utm?.source && !utm?.medium);
  if (untagged.length === 0) return undefined;
  const clicks = untagged.reduce((sum, { overview }) => sum + overview.totalClicks, 0);
  return {
    title: "Tag the links that are clicked",
    rationale: "Without UTM values nobody can tell which channel a click, or what followed from it, belongs to.",
    action: "Give them a source and a medium; /links/utm/generate proposes values.",
    priority: "medium",
    evidence: [
      `UTM values are missing from ${number(untagged.length)} of ${plural(links.length, "link")} looked at, with ${plural(clicks, "click")} in the last 30 days`,
    ],
  };
};

/** Visitors may say anything of where they come from: what is no host name is repeated neither to people nor to a model. */
const isSite = (referrer: string): boolean => {
  const checked = checkHostname(referrer);
  return checked.ok && checked.hostname === referrer;
};

/** A site of no known channel that sends many. */
export const adviseSite: Advise = ({ figures: { current } }) => {
  if (current.totalClicks < CLICKS_MIN) return undefined;
  const site = current.byReferrer.find(({ referrer }) => isSite(referrer) && !channelOfHost(referrer));
  const share = site && shareOf(site.count, current.totalClicks);
  if (!site || !share || share.low < SITE_SHARE_MIN) return undefined;
  return {
    title: `Talk to those behind ${site.referrer}`,
    rationale: "This site sends visitors by itself.",
    action: "Offer them a link of their own, tagged as referral, and agree on what comes next.",
    priority: "low",
    evidence: [shareSentence(site.referrer, share)],
  };
};
