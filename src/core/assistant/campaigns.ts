/**
 * Proposes campaigns: first the requested channel, then channels that the figures support, then those usual for the
 * goal.
 */
import type { UtmGenerationInput } from "@/contract/links/utm";
import type { Utm } from "@/contract/routing";
import { clicksByChannel, doubtfulChannels, measuredChannels } from "./advise-channels";
import { type Channel, channelNamed, requestedChannel } from "./channels";
import { CLICKS_MIN, CONVERSIONS_MIN } from "./conversion";
import { copyOf, toneOf } from "./copy";
import type { Situation } from "./recommendation";
import { deadlineOf } from "./subject";
import { cut } from "./words";

const CAMPAIGNS_MAX = 3;
/** Length limit of the product or name within the UTM campaign value, in code points. */
const UTM_WORDS_MAX = 40;
/** Length limit of the goal within a campaign's name, in code points. */
const GOAL_MAX = 60;

export interface CampaignAsk {
  /** One line, or empty; so are `channel` and `tone`. */
  audience: string;
  channel: string;
  tone: string;
  goal: string;
  /** Who speaks in the copy and what about, each on one line; the product can be empty. */
  name: string;
  product: string;
  /** A normalized URL. */
  destination: string | null;
  /** Month such as `2026-01`, which distinguishes a campaign from the next one. */
  month: string;
}

/** The same generator as in the API, so that both propose the same values. */
export type GenerateUtm = (input: UtmGenerationInput) => { utm: Utm; previewUrl: string | null; warnings: string[] };

export interface Campaign {
  name: string;
  channel: string;
  /** Length limit of a line of copy, in code points. */
  lineMax: number;
  utm: Utm;
  previewUrl: string | null;
  /** Contains `{name}` and `{product}` as placeholders. */
  copy: string[];
}

export function campaignsOf(situation: Situation, ask: CampaignAsk, generateUtm: GenerateUtm) {
  const made = channelsFor(situation, ask.channel).map((channel) => campaignIn(channel, situation, ask, generateUtm));
  return { campaigns: made.map(({ campaign }) => campaign), warnings: made.flatMap(({ warnings }) => warnings) };
}

function channelsFor(situation: Situation, asked: string): Channel[] {
  const chosen = [requestedChannel(asked), ...performing(situation), ...usual(situation)];
  const byName = new Map<string, Channel>();
  for (const channel of chosen) {
    if (channel && !byName.has(channel.name)) byName.set(channel.name, channel);
  }
  return [...byName.values()].slice(0, CAMPAIGNS_MAX);
}

/** Returns the goal's usual channels, those that have performed badly last. */
function usual(situation: Situation): (Channel | undefined)[] {
  const doubtful = doubtfulChannels(situation);
  const { defaults } = situation.intent;
  return [...defaults.filter((name) => !doubtful.has(name)), ...defaults.filter((name) => doubtful.has(name))].map(
    channelNamed,
  );
}

/** Returns channels with enough conversions, then those with enough clicks, without any that have performed badly. */
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
