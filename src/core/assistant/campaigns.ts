/** Campaigns to run: the channel that was asked for, then those that the figures speak for, then those usual for the goal. */
import type { Utm } from "@/contract/routing";
import type { UtmGenerationInput } from "@/contract/utm";
import { clicksByChannel } from "./advise-channels";
import { askedChannel, type Channel, channelNamed } from "./channels";
import { CLICKS_MIN, CONVERSIONS_MIN } from "./conversion";
import { copyOf, toneOf } from "./copy";
import { channelsOfLinks } from "./figures";
import type { Situation } from "./recommendation";

export const CAMPAIGNS_MAX = 3;
/** Of the campaign's UTM value what the name may take. */
const UTM_WORDS_MAX = 40;

export interface Ask {
  /** One line, empty for none. */
  audience: string;
  channel: string;
  tone: string;
  /** Who speaks in the copy, one line. */
  name: string;
  /** A normalised URL. */
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

export function campaignsOf(situation: Situation, ask: Ask, generateUtm: GenerateUtm) {
  const made = channelsFor(situation, ask.channel).map((channel) => campaignIn(channel, situation, ask, generateUtm));
  return { campaigns: made.map(({ campaign }) => campaign), warnings: made.flatMap(({ warnings }) => warnings) };
}

function channelsFor(situation: Situation, asked: string): Channel[] {
  const chosen = [askedChannel(asked), ...performing(situation), ...situation.intent.defaults.map(channelNamed)];
  const byName = new Map<string, Channel>();
  for (const channel of chosen) {
    if (channel && !byName.has(channel.name)) byName.set(channel.name, channel);
  }
  return [...byName.values()].slice(0, CAMPAIGNS_MAX);
}

/** Those whose conversions, or else clicks, are enough to go by. */
function performing(situation: Situation): (Channel | undefined)[] {
  const byRate = channelsOfLinks(situation.figures, situation.intent).filter(
    ({ conversions, rate }) => rate !== undefined && conversions >= CONVERSIONS_MIN,
  );
  const byClicks = clicksByChannel(situation).filter(({ clicks }) => clicks >= CLICKS_MIN);
  return [...byRate, ...byClicks].map(({ name }) => channelNamed(name));
}

function campaignIn(channel: Channel, { intent }: Situation, ask: Ask, generateUtm: GenerateUtm) {
  const { audience, name, destination, month } = ask;
  const { utm, previewUrl, warnings } = generateUtm({
    platform: channel.source,
    channel: channel.medium,
    campaignName: `${[...name].slice(0, UTM_WORDS_MAX).join("")} ${intent.name} ${month}`,
    ...(audience && { audience }),
    ...(destination !== null && { destinationUrl: destination }),
  });
  const campaign: Campaign = {
    name: `${channel.name}: ${intent.label}`,
    channel: channel.name,
    lineMax: channel.lineMax,
    utm,
    previewUrl,
    copy: copyOf({ intent, tone: toneOf(ask.tone), audience, name, lineMax: channel.lineMax }),
  };
  return { campaign, warnings: warnings.map((warning) => `${campaign.name}: ${warning}`) };
}
