/** The assistant's answer from figures alone: the same question of the same figures has the same answer. */
import type { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/ai";
import { number, plural } from "../insights/words";
import { advise } from "./advise";
import { type Campaign, campaignsOf, type GenerateUtm } from "./campaigns";
import { askedChannel, CHANNELS } from "./channels";
import { CLICKS_MIN, rateOf, rateWords } from "./conversion";
import { named, TONES, toneOf } from "./copy";
import type { AssistantFigures } from "./figures";
import { INTENTS, intentOf, measured } from "./intents";
import { compareCounts } from "./intervals";
import type { Recommendation, Situation } from "./recommendation";
import { singleLine } from "./words";

const GOAL_MAX = 500;
const AUDIENCE_MAX = 200;
const WORDS_MAX = 100;
const NAME_MAX = 200;
const NOBODY = "us";

export interface Question {
  input: Pick<MarketingAssistantInput, "goal" | "audience" | "channel" | "tone">;
  figures: AssistantFigures;
  /** Who speaks in the copy: the first of these of which anything is seen. */
  names: (string | undefined)[];
  /** Where campaigns lead; a normalised URL. */
  destination: string | null;
  /** Unix milliseconds. */
  now: number;
}

/** The answer while names stand in the copy as `{name}`, with what a language model may be told. */
export interface Draft {
  wordedBy: MarketingAssistantResponse["generatedBy"];
  summary: string;
  recommendations: Recommendation[];
  campaigns: Campaign[];
  warnings: string[];
  /** What was asked, each on one line. */
  words: { goal: string; audience: string; channel: string; tone: string };
  name: string;
}

export function draftAnswer({ input, figures, names, destination, now }: Question, generateUtm: GenerateUtm): Draft {
  const words = {
    goal: singleLine(input.goal, GOAL_MAX),
    audience: singleLine(input.audience ?? "", AUDIENCE_MAX),
    channel: singleLine(input.channel ?? "", WORDS_MAX),
    tone: singleLine(input.tone ?? "", WORDS_MAX),
  };
  const { intent, isAssumed } = intentOf(words.goal);
  const situation = { figures, intent };
  const speaker = names.map((name) => singleLine(name ?? "", NAME_MAX)).find((name) => name !== "") ?? NOBODY;
  const ask = { ...words, name: speaker, destination, month: new Date(now).toISOString().slice(0, 7) };
  const { campaigns, warnings } = campaignsOf(situation, ask, generateUtm);
  const recommendations = advise(situation);
  return {
    wordedBy: "statistics",
    summary: [...summaryOf(situation), nextSentence(recommendations)].join(" "),
    recommendations,
    campaigns,
    warnings: [
      ...(isAssumed ? [`goal: none of its words is known, so it counts as awareness; known are ${INTENT_NAMES}`] : []),
      ...wordWarnings(words),
      ...figureWarnings(situation),
      ...(destination === null ? ["productUrl: without it, and without linkId, campaigns have no previewUrl"] : []),
      ...warnings,
    ],
    words,
    name: speaker,
  };
}

const INTENT_NAMES = INTENTS.map(({ name }) => name).join(", ");

function summaryOf({ figures: { current, previous, workspace }, intent }: Situation): string[] {
  const whose = workspace ? "this link's" : "the workspace's";
  const direction = compareCounts(current.totalClicks, previous.totalClicks);
  const than = { up: "more than", down: "fewer than", unclear: "no telling difference to" }[direction];
  const conversions = measured(intent, current);
  const rate = rateOf(intent, current);
  return [
    `Towards ${intent.label}, by ${whose} own figures: ${plural(current.totalClicks, "click")} by ${plural(current.uniqueVisitors, "visitor")} in the last 30 days, ${than} the ${number(previous.totalClicks)} of the 30 days before.`,
    ...(intent.measure === "click"
      ? []
      : [`They came to ${plural(conversions, intent.measure)}${rate ? `, ${rateWords(rate)}` : ""}.`]),
  ];
}

const nextSentence = ([first]: Recommendation[]): string => (first ? `First: ${lowerFirst(first.title)}.` : "");

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function wordWarnings({ channel, tone }: Draft["words"]): string[] {
  const asked = askedChannel(channel);
  const isUnknown = asked !== undefined && !CHANNELS.some(({ name }) => name === asked.name);
  return [
    ...(isUnknown ? ["channel: none of its words is known; it is taken as it stands"] : []),
    ...(tone !== "" && !toneOf(tone)
      ? [
          `tone: none of its words is known, so the copy is plain; known are ${TONES.map(({ name }) => name).join(", ")}`,
        ]
      : []),
  ];
}

function figureWarnings({ figures: { current } }: Situation): string[] {
  return current.totalClicks < CLICKS_MIN
    ? [
        `The figures are too thin to tell channels and visitors apart: ${plural(current.totalClicks, "click")} in 30 days`,
      ]
    : ["Conversions are not counted by device, country or language: what is said of those rests on clicks alone"];
}

/** The draft as it is shown. */
export function presentDraft(draft: Draft, now: number): MarketingAssistantResponse {
  const { wordedBy, summary, recommendations, campaigns, warnings, name } = draft;
  return {
    generatedAt: new Date(now).toISOString(),
    generatedBy: wordedBy,
    summary,
    recommendations,
    campaigns: campaigns.map(({ lineMax: _, copy, ...campaign }) => ({
      ...campaign,
      copy: copy.map((line) => named(line, name)),
    })),
    warnings,
  };
}
