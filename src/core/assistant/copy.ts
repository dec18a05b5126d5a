/**
 * Copy by tone, of templates: it names who speaks and what to do, and claims nothing that nobody has said. Lines hold
 * `{name}` in place of the name, so that they can be handed to a language model without it.
 */
import { rowFor } from "../qr/vocabulary";
import type { Intent } from "./intents";
import { cut, lengthOf } from "./words";

export const NAME_SLOT = "{name}";
const NAME_LENGTH_MAX = 40;
const AUDIENCE_LENGTH_MAX = 60;
export const COPY_LINES_MAX = 3;

interface Tone {
  name: string;
  words: string[];
  /** From the longest to the shortest; `call` begins without a capital. */
  lines(call: string): string[];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const PLAIN: Tone = {
  name: "plain",
  words: ["plain", "neutral", "simple", "factual", "direct", "clear"],
  lines: (call) => [`This is ${NAME_SLOT}. ${capital(call)}.`, `${NAME_SLOT}: ${call}.`, `${capital(call)}.`],
};

export const TONES: Tone[] = [
  PLAIN,
  {
    name: "friendly",
    words: ["friendly", "warm", "casual", "kind", "personal", "welcoming", "conversational"],
    lines: (call) => [
      `Hello from ${NAME_SLOT}! When you have a minute, ${call}.`,
      `${NAME_SLOT} says hello: ${call}!`,
      `Hello! ${capital(call)}.`,
    ],
  },
  {
    name: "professional",
    words: ["professional", "formal", "serious", "business", "corporate", "expert", "trustworthy"],
    lines: (call) => [
      `${NAME_SLOT} invites you: please ${call}.`,
      `From ${NAME_SLOT}: please ${call}.`,
      `Please ${call}.`,
    ],
  },
  {
    name: "playful",
    words: ["playful", "fun", "funny", "humorous", "witty", "cheeky", "quirky"],
    lines: (call) => [
      `Psst, ${NAME_SLOT} here. You know what to do: ${call}!`,
      `Psst, it is ${NAME_SLOT}: ${call}!`,
      `Psst: ${call}!`,
    ],
  },
  {
    name: "urgent",
    words: ["urgent", "urgency", "bold", "energetic", "exciting", "fomo"],
    lines: (call) => [
      `Why wait? ${capital(call)} now, with ${NAME_SLOT}.`,
      `${NAME_SLOT}: ${call} now.`,
      `${capital(call)} now.`,
    ],
  },
];

/** Undefined where no word of it is known. */
export const toneOf = (text: string): Tone | undefined => rowFor(TONES, text);

export interface CopyQuestion {
  intent: Intent;
  tone: Tone | undefined;
  /** One line, empty for none. */
  audience: string;
  /** Who speaks, one line. */
  name: string;
  lineMax: number;
}

/** One line at least; none is longer than the channel shows, once the name stands in it. */
export function copyOf({ intent, tone = PLAIN, audience, name, lineMax }: CopyQuestion): string[] {
  const ofAudience = audience !== "" && lengthOf(audience) <= AUDIENCE_LENGTH_MAX && !/[{}]/.test(audience);
  const lines = [...(ofAudience ? [`${NAME_SLOT} to ${audience}: ${intent.call}.`] : []), ...tone.lines(intent.call)];
  const fitting = lines.filter((line) => lengthOf(named(line, name)) <= lineMax);
  return fitting.slice(0, COPY_LINES_MAX);
}

/** With the name in its places. */
export const named = (line: string, name: string): string =>
  line.replaceAll(NAME_SLOT, () => cut(name, NAME_LENGTH_MAX));
