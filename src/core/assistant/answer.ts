/**
 * Drafts the assistant's response from figures only: the same question about the same figures gets the same response.
 */
import type { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/analytics/ai";
import { number, plural } from "../plural";
import { advise } from "./advise";
import { doubtfulChannels } from "./advise-channels";
import { clicksDirection } from "./advise-measure";
import { type Campaign, campaignsOf, type GenerateUtm } from "./campaigns";
import { CHANNELS, requestedChannel } from "./channels";
import { CLICKS_MIN, rateOf, rateWords } from "./conversion";
import { named, TONES, toneOf } from "./copy";
import type { AssistantFigures } from "./figures";
import { countOfMeasure, INTENTS, intentOf } from "./intents";
import { compareCounts } from "./intervals";
import type { Recommendation, Situation } from "./recommendation";
import { productOf } from "./subject";
import { singleLine } from "./words";

const GOAL_MAX = 500;
const AUDIENCE_MAX = 200;
const WORDS_MAX = 100;
const NAME_MAX = 200;
const NOBODY = "us";
/** Sums that differ by this factor are not said to be alike. */
const WIDE = 2;

export interface AssistantQuestion {
  input: Pick<MarketingAssistantInput, "goal" | "audience" | "channel" | "tone">;
  figures: AssistantFigures;
  /** Candidates for the speaker in the copy; the first one with visible text is used. */
  names: (string | undefined)[];
  /** Title of the link that the question is about. */
  title?: string;
  /** URL given by the caller, as opposed to the link's own destination. */
  productUrl?: string | null;
  /** Where campaigns lead; a normalized URL. */
  destination: string | null;
  /** Unix milliseconds. */
  now: number;
}

/**
 * The response before names are filled in: copy contains `{name}` instead. `promptOf` selects what a language model
 * sees.
 */
export interface Draft {
  wordedBy: MarketingAssistantResponse["generatedBy"];
  summary: string;
  recommendations: Recommendation[];
  campaigns: Campaign[];
  warnings: string[];
  /** The question's texts, each on one line. */
  words: { goal: string; audience: string; channel: string; tone: string };
  name: string;
  /** What the copy is about; empty if unknown. */
  product: string;
}

export function draftAnswer(question: AssistantQuestion, generateUtm: GenerateUtm): Draft {
  const { input, figures, names, title, productUrl = null, destination, now } = question;
  const words = {
    goal: singleLine(input.goal, GOAL_MAX),
    audience: singleLine(input.audience ?? "", AUDIENCE_MAX),
    channel: singleLine(input.channel ?? "", WORDS_MAX),
    tone: singleLine(input.tone ?? "", WORDS_MAX),
  };
  const { intent, isAssumed } = intentOf(words.goal);
  const situation = { figures, intent };
  const speaker = names.map((name) => singleLine(name ?? "", NAME_MAX)).find((name) => name !== "") ?? NOBODY;
  const product = productOf(title, productUrl, words.goal);
  const ask = { ...words, name: speaker, product, destination, month: new Date(now).toISOString().slice(0, 7) };
  const { campaigns, warnings } = campaignsOf(situation, ask, generateUtm);
  const { recommendations, begin } = advise(situation);
  return {
    wordedBy: "statistics",
    summary: [...summaryOf(situation), ...(begin ? [begin] : [])].join(" "),
    recommendations,
    campaigns,
    warnings: [
      ...(isAssumed
        ? [
            "goal: contains no word this assistant knows, so it is treated as awareness; known words are about " +
              `${INTENT_NAMES}`,
          ]
        : []),
      ...wordWarnings(words),
      ...channelWarnings(situation, words.channel),
      ...figureWarnings(situation),
      ...(destination === null ? ["productUrl: send it, or a linkId, to get a previewUrl for each campaign"] : []),
      ...warnings,
    ],
    words,
    name: speaker,
    product,
  };
}

const INTENT_NAMES = INTENTS.map(({ name }) => name).join(", ");

function summaryOf({ figures, intent }: Situation): string[] {
  const { current, previous, isOfLink } = figures;
  const before = number(previous.totalClicks);
  const change = {
    up: `, up from ${before} in the 30 days before`,
    down: `, down from ${before} in the 30 days before`,
    unclear: `; the 30 days before had ${before}${unclearChange(figures)}`,
  }[clicksDirection(figures)];
  const conversions = countOfMeasure(intent, current);
  const rate = rateOf(intent, current);
  return [
    `Your goal comes down to ${intent.label}. ${isOfLink ? "This link" : "Your workspace"} had ${plural(current.totalClicks, "click")} from ${plural(current.uniqueVisitors, "visitor")} in the last 30 days${change}.`,
    ...(intent.measure === "click"
      ? []
      : [`They led to ${plural(conversions, intent.measure)}${rate ? `, ${rateWords(rate)}` : ""}.`]),
  ];
}

/** The sums may differ widely although most days are alike: then a few days, such as a campaign's, account for it. */
function unclearChange({ current: { totalClicks: now }, previous: { totalClicks: before } }: AssistantFigures): string {
  if (Math.min(now, before) === 0) return "";
  const isWide = Math.max(now, before) >= WIDE * Math.min(now, before) && compareCounts(now, before) !== "unclear";
  return isWide ? ", and a few days made the difference" : ", no clear difference";
}

function wordWarnings({ channel, tone }: Draft["words"]): string[] {
  const asked = requestedChannel(channel);
  const isUnknown = asked !== undefined && !CHANNELS.some(({ name }) => name === asked.name);
  return [
    ...(isUnknown ? ["channel: not a channel this assistant knows; used as you wrote it"] : []),
    ...(tone !== "" && !toneOf(tone)
      ? [
          `tone: not a tone this assistant knows, so the copy is plain; it knows ${TONES.map(({ name }) => name).join(", ")}`,
        ]
      : []),
  ];
}

/** Warns about a requested channel that has performed badly. The campaign is proposed anyway. */
function channelWarnings(situation: Situation, asked: string): string[] {
  const channel = requestedChannel(asked);
  if (!channel || !doubtfulChannels(situation).has(channel.name)) return [];
  return [`channel: ${channel.name} has not paid off for this goal so far; see the recommendations`];
}

function figureWarnings(situation: Situation): string[] {
  const { current } = situation.figures;
  return current.totalClicks < CLICKS_MIN
    ? [`There are too few figures to compare channels and visitors: ${plural(current.totalClicks, "click")} in 30 days`]
    : ["Conversions are not counted by device, country or language, so advice about these is based on clicks alone"];
}

/** Fills in the names and removes internal fields. */
export function presentDraft(draft: Draft, now: number): MarketingAssistantResponse {
  const { wordedBy, summary, recommendations, campaigns, warnings } = draft;
  return {
    generatedAt: new Date(now).toISOString(),
    generatedBy: wordedBy,
    summary,
    recommendations: recommendations.map(({ hidesFromModel: _, ...recommendation }) => recommendation),
    campaigns: campaigns.map(({ lineMax: _, copy, ...campaign }) => ({
      ...campaign,
      copy: copy.map((line) => named(line, draft)),
    })),
    warnings,
  };
}
