/** Campaigns to run: the channel that was asked for, then those that the figures speak for, then those usual for the goal. */

import type { UtmGenerationInput } from "@/contract/links/utm";
import type { Utm } from "@/contract/routing";
import { clicksByChannel, doubtfulChannels, measuredChannels } from "./advise-channels";
import { askedChannel, type Channel, channelNamed } from "./channels";
import { CLICKS_MIN, CONVERSIONS_MIN } from "./conversion";
import { copyOf, toneOf } from "./copy";
import type { Situation } from "./recommendation";
import { deadlineOf } from "./subject";
import { cut } from "./words";

const CAMPAIGNS_MAX = 3;
/** Of the campaign's UTM value what the name may take. */
const UTM_WORDS_MAX = 40;
/** Of the goal's words in a campaign's name. */
const GOAL_MAX = 60;

export interface CampaignAsk {
  /** This is one line, or empty. */
  audience: string;
  channel: string;
  tone: string;
  goal: string;
  /** Says who speaks in the copy and about what, each on one line; the product can be empty. */
  name: string;
  product: string;
  /** The URL is normalized. */
  destination: string | null;
  /** `2026-01`, which tells one campaign from the next. */
  month: string;
}

/** The product's own, so that what is proposed here and there is the same. */
export type GenerateUtm = (input: UtmGenerationInput) => { utm: Utm; previewUrl: string | null; warnings: string[] };

export interface Campaign {
  name: string;
  channel: string;
  /** Code points of a line of copy. */
  lineMax: number;
  utm: Utm;
  previewUrl: string | null;
  /** With `{name}` in place of the name. */
  copy: string[];
}

export function campaignsOf(situation: Situation, ask: CampaignAsk, generateUtm: GenerateUtm) {
  const made = channelsFor(situation, ask.channel).map((channel) => campaignIn(channel, situation, ask, generateUtm));
  return { campaigns: made.map(({ campaign }) => campaign), warnings: made.flatMap(({ warnings }) => warnings) };
}

function channelsFor(situation: Situation, asked: string): Channel[] {
  const chosen = [askedChannel(asked), ...performing(situation), ...usual(situation)];
  const byName = new Map<string, Channel>();
  for (const channel of chosen) {
    if (channel && !byName.has(channel.name)) byName.set(channel.name, channel);
  }
  return [...byName.values()].slice(0, CAMPAIGNS_MAX);
}

/** What is usual for the goal comes last where the figures speak ill of it. */
function usual(situation: Situation): (Channel | undefined)[] {
  const doubtful = doubtfulChannels(situation);
  const { defaults } = situation.intent;
  return [...defaults.filter((name) => !doubtful.has(name)), ...defaults.filter((name) => doubtful.has(name))].map(
    channelNamed,
  );
}

/** Those whose conversions, or else clicks, are enough to go by; none of which the figures speak ill. */
function performing(situation: Situation): (Channel | undefined)[] {
  const doubtful = doubtfulChannels(situation);
  const byRate = measuredChannels(situation).filter(({ conversions }) => conversions >= CONVERSIONS_MIN);
  const byClicks = clicksByChannel(situation).filter(({ clicks }) => clicks >= CLICKS_MIN);
  return [...byRate.map(({ key }) => key), ...byClicks.map(({ name }) => name)]
    .filter((name) => !doubtful.has(name))
    .map(channelNamed);
}

function campaignIn(channel: Channel, { intent }: Situation, ask: CampaignAsk, generateUtm: GenerateUtm) {
  const { audience, goal, name, product, destination, month } = ask;
  const { utm, previewUrl, warnings } = generateUtm({
    platform: channel.source,
    channel: channel.medium,
    campaignName: `${[...(product || name)].slice(0, UTM_WORDS_MAX).join("")} ${intent.name} ${month}`,
    ...(audience && { audience }),
    ...(destination !== null && { destinationUrl: destination }),
  });
  const campaign: Campaign = {
    name: `${channel.name}: ${cut(goal, GOAL_MAX)}`,
    channel: channel.name,
    lineMax: channel.lineMax,
    utm,
    previewUrl,
    copy: copyOf({
      ...{ intent, tone: toneOf(ask.tone), audience, name, product, lineMax: channel.lineMax },
      deadline: deadlineOf(goal),
    }),
  };
  return { campaign, warnings: warnings.map((warning) => `${campaign.name}: ${warning}`) };
}
