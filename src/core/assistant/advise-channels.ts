/**
 * Recommendations about channels: which ones brought clicks, and what came of them. Only measured conversions count,
 * as insights compare them.
 */
import { claimEvidence, type MeasuredChannel } from "../insights/link-claims";
import { rateOfSide } from "../insights/words";
import { checkHostname } from "../names/hostname";
import { number, plural } from "../plural";
import { channelOfHost } from "./channels";
import { CLICKS_MIN, CONVERSIONS_MIN } from "./conversion";
import { channelsOfLinks, channelsOfReferrers, shareSentence } from "./figures";
import type { Intent } from "./intents";
import { shareOf } from "./intervals";
import type { Advise, Situation } from "./recommendation";

const SHOWN_MAX = 3;
/** Share of clicks from which a site is worth contacting. */
const SITE_SHARE_MIN = 0.05;

const KINDS: Partial<Record<Intent["measure"], string>> = { install: "installs", lead: "leads", event: "events" };

/** Returns the channels that measure the goal's conversions, highest rate first. */
export function measuredChannels({ figures, intent }: Situation): MeasuredChannel[] {
  return figures.claims.measured
    .filter(({ kind, clicks }) => kind === KINDS[intent.measure] && clicks >= CLICKS_MIN)
    .sort((a, b) => b.rate - a.rate || b.clicks - a.clicks || (a.key < b.key ? -1 : 1));
}

const claimsOf = ({ figures, intent }: Situation) =>
  figures.claims.channels.filter(({ kind }) => kind === KINDS[intent.measure]);

/**
 * Returns the channels that do worse than the others by more than chance, or that have no known success for the goal.
 */
export function doubtfulChannels(situation: Situation): Set<string> {
  const worse = claimsOf(situation).filter(({ isBetter }) => !isBetter);
  return new Set([...worse.map(({ key }) => key), ...unproven(situation).map(({ name }) => name)]);
}

/** Finds channels with enough clicks to expect a conversion, but without one. */
function unproven(situation: Situation) {
  const { figures, intent } = situation;
  if (KINDS[intent.measure] === undefined) return [];
  const converting = new Set(
    measuredChannels(situation)
      .filter(({ conversions }) => conversions > 0)
      .map(({ key }) => key),
  );
  return channelsOfLinks(figures).filter(({ name, count }) => count >= CLICKS_MIN && !converting.has(name));
}

/** Recommends the channel with the best conversion rate, if insights are certain of it. */
export const adviseBestChannel: Advise = (situation) => {
  const [best] = claimsOf(situation).filter(({ isBetter }) => isBetter);
  if (!best) return undefined;
  const noun = situation.intent.measure;
  return {
    title: `Put more into ${best.key}`,
    rationale: `${best.key} turns clicks into ${noun}s more often than your other channels, by more than chance explains.`,
    action: `Move budget and effort to ${best.key}, keep tagging its links, and check again in a few weeks.`,
    priority: "high",
    evidence: claimEvidence(best, best.key, "your other links"),
  };
};

export const adviseWorstChannel: Advise = (situation) => {
  const [worst] = claimsOf(situation).filter(({ isBetter }) => !isBetter);
  if (!worst) return undefined;
  const noun = situation.intent.measure;
  return {
    title: `Rethink ${worst.key} before you spend more there`,
    rationale: `${worst.key} turns clicks into ${noun}s less often than your other channels, by more than chance explains.`,
    action: "Check that its message and its page make the same promise, test one change, and stop if nothing improves.",
    priority: "high",
    evidence: claimEvidence(worst, worst.key, "your other links"),
  };
};

/** Suggests a test between channels if the figures cannot decide between them. */
export const adviseChannelTest: Advise = (situation) => {
  const known = measuredChannels(situation);
  const [first, second] = known;
  if (!first || !second || claimsOf(situation).length > 0 || first.conversions < CONVERSIONS_MIN) return undefined;
  const noun = situation.intent.measure;
  return {
    title: `Test ${first.key} against ${second.key}`,
    rationale: `${first.key} is ahead so far, but chance alone could explain it.`,
    action: "Run the same offer in both, each with its own UTM values, until one is clearly ahead.",
    priority: "medium",
    evidence: known
      .slice(0, SHOWN_MAX)
      .map(
        (side) =>
          `${side.key}: ${plural(side.conversions, noun)} from ${plural(side.clicks, "click")}, ${rateOfSide(side)}`,
      ),
  };
};

/** Warns of a channel with clicks but without any known conversion. */
export const adviseUnprovenChannel: Advise = (situation) => {
  const [first] = unproven(situation);
  if (!first) return undefined;
  const noun = situation.intent.measure;
  return {
    title: `Find out what ${first.name} achieves before you spend more there`,
    rationale:
      `Its links get clicks, but no ${noun} is known to come from them: either nothing is measured there, or nothing ` +
      "happens.",
    action: `Follow one of its links to the end yourself. ${situation.intent.counting}`,
    priority: "medium",
    evidence: [
      `${first.name}: ${plural(first.count, "click")} on links tagged this way, 0 ${noun}s measured in the last 30 days`,
    ],
  };
};

/**
 * Recommends the channel with the most clicks, by referring page or tag, if clicks are the goal or too little else is
 * known.
 */
export const adviseBusiestChannel: Advise = (situation) => {
  const { figures, intent } = situation;
  if (figures.current.totalClicks < CLICKS_MIN || measuredChannels(situation).length > 1) return undefined;
  const doubtful = doubtfulChannels(situation);
  const [first, ...rest] = clicksByChannel(situation).filter(({ name }) => !doubtful.has(name));
  if (!first) return undefined;
  const isGoal = intent.measure === "click";
  return {
    title: `Build on ${first.name}`,
    rationale: isGoal
      ? `Of all channels that can be distinguished, ${first.name} brings you the most clicks.`
      : `${first.name} brings you the most clicks. Their results cannot be attributed to channels yet.`,
    action: `Run the next campaign in ${first.name} first, with its own UTM values.`,
    priority: isGoal ? "high" : "low",
    evidence: [first, ...rest].slice(0, SHOWN_MAX).map((channel) => channel.sentence),
  };
};

interface Clicked {
  name: string;
  clicks: number;
  sentence: string;
}

/** Counts clicks by tag and by referring page, and returns the larger of the two for each channel. */
export function clicksByChannel({ figures }: Situation): Clicked[] {
  const total = figures.current.totalClicks;
  const byReferrer = channelsOfReferrers(figures).flatMap(({ name, count: clicks }): Clicked[] => {
    const share = shareOf(clicks, total);
    return share ? [{ name, clicks, sentence: `${shareSentence(name, share)}, by referring page` }] : [];
  });
  const byTag = channelsOfLinks(figures)
    .filter(({ count }) => count > 0)
    .map(
      ({ name, count }): Clicked => ({
        name,
        clicks: count,
        sentence: `${name}: ${plural(count, "click")} on links tagged this way`,
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
  const clicks = untagged.reduce((sum, each) => sum + each.clicks, 0);
  return {
    title: "Tag the links people click",
    rationale: "Without UTM values, nobody can tell which channel a click, or the sale behind it, came from.",
    action: "Give each link a source and a medium; /links/utm/generate suggests values.",
    priority: "medium",
    evidence: [
      `UTM values are missing from ${number(untagged.length)} of ${plural(links.length, "link")} checked, which had ` +
        `${plural(clicks, "click")} in the last 30 days`,
    ],
  };
};

/** Visitors can send any referrer, so anything but a host name is passed on neither to people nor to a model. */
const isSite = (referrer: string): boolean => {
  const checked = checkHostname(referrer);
  return checked.ok && checked.hostname === referrer;
};

/** Suggests contacting a site outside the known channels that sends many visitors. */
export const adviseSite: Advise = ({ figures: { current } }) => {
  if (current.totalClicks < CLICKS_MIN) return undefined;
  const site = current.byReferrer.find(({ referrer }) => isSite(referrer) && !channelOfHost(referrer));
  const share = site && shareOf(site.count, current.totalClicks);
  if (!site || !share || share.low < SITE_SHARE_MIN) return undefined;
  return {
    title: `Get in touch with ${site.referrer}`,
    rationale: "This site already sends you visitors on its own.",
    action: "Offer its owners their own link, tagged as referral, and agree on a next step.",
    priority: "low",
    evidence: [shareSentence(site.referrer, share)],
  };
};
