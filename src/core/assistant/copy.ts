/**
 * Writes copy from templates by tone. It names the speaker, the product and what to do, and by when if the goal says
 * so. It claims nothing that the customer has not said. Lines contain `{name}` and `{product}` as placeholders, so
 * that a language model can reword them without seeing the names.
 */
import { rowFor } from "../qr/vocabulary";
import type { Intent } from "./intents";
import { cut, lengthOf } from "./words";

export const NAME_SLOT = "{name}";
export const PRODUCT_SLOT = "{product}";
const NAME_LENGTH_MAX = 40;
const AUDIENCE_LENGTH_MAX = 60;
const COPY_LINES_MAX = 3;

/** The call to action. */
interface Call {
  /** Starts in lower case: `get the app before Christmas`. */
  ask: string;
  /** The same with urgency: `get the app now, before Christmas`. */
  now: string;
}

interface Tone {
  name: string;
  words: string[];
  /** Returns lines from the longest to the shortest. */
  lines(call: Call): string[];
  /** Returns the same for a product. */
  productLines(call: Call): string[];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const PLAIN: Tone = {
  name: "plain",
  words: ["plain", "neutral", "simple", "factual", "direct", "clear"],
  lines: ({ ask }) => [`This is ${NAME_SLOT}. ${capital(ask)}.`, `${NAME_SLOT}: ${ask}.`, `${capital(ask)}.`],
  productLines: ({ ask }) => [
    `${PRODUCT_SLOT} from ${NAME_SLOT}: ${ask}.`,
    `${PRODUCT_SLOT}: ${ask}.`,
    `${capital(ask)}.`,
  ],
};

export const TONES: Tone[] = [
  PLAIN,
  {
    name: "friendly",
    words: ["friendly", "warm", "casual", "kind", "personal", "welcoming", "conversational"],
    lines: ({ ask }) => [
      `Hello from ${NAME_SLOT}! When you have a minute, ${ask}.`,
      `${NAME_SLOT} says hello: ${ask}!`,
      `Hello! ${capital(ask)}.`,
    ],
    productLines: ({ ask }) => [
      `Hello from ${NAME_SLOT}! Have you seen ${PRODUCT_SLOT} yet? When you have a minute, ${ask}.`,
      `Hello! Have you seen ${PRODUCT_SLOT} yet? ${capital(ask)}.`,
      `Hello! ${PRODUCT_SLOT}: ${ask}.`,
      `Hello! ${capital(ask)}.`,
    ],
  },
  {
    name: "professional",
    words: ["professional", "formal", "serious", "business", "corporate", "expert", "trustworthy"],
    lines: ({ ask }) => [
      `${NAME_SLOT} invites you: please ${ask}.`,
      `From ${NAME_SLOT}: please ${ask}.`,
      `Please ${ask}.`,
    ],
    productLines: ({ ask }) => [
      `${NAME_SLOT} presents ${PRODUCT_SLOT}: please ${ask}.`,
      `${PRODUCT_SLOT}: please ${ask}.`,
      `Please ${ask}.`,
    ],
  },
  {
    name: "playful",
    words: ["playful", "fun", "funny", "humorous", "witty", "cheeky", "quirky"],
    lines: ({ ask }) => [
      `Psst, ${NAME_SLOT} here. You know what to do: ${ask}!`,
      `Psst, it is ${NAME_SLOT}: ${ask}!`,
      `Psst: ${ask}!`,
    ],
    productLines: ({ ask }) => [
      `Psst, ${NAME_SLOT} here, with ${PRODUCT_SLOT}. You know what to do: ${ask}!`,
      `Psst, ${PRODUCT_SLOT}! ${capital(ask)}!`,
      `Psst: ${ask}!`,
    ],
  },
  {
    name: "urgent",
    words: ["urgent", "urgency", "bold", "energetic", "exciting", "fomo"],
    lines: ({ now }) => [`Why wait? ${capital(now)}, with ${NAME_SLOT}.`, `${NAME_SLOT}: ${now}.`, `${capital(now)}.`],
    productLines: ({ now }) => [
      `${PRODUCT_SLOT} from ${NAME_SLOT}: why wait? ${capital(now)}.`,
      `${PRODUCT_SLOT}: ${now}.`,
      `${capital(now)}.`,
    ],
  },
];

/** Returns undefined if no word of the text is known. */
export const toneOf = (text: string): Tone | undefined => rowFor(TONES, text);

/** Who speaks and what about, each on one line. */
export interface Named {
  name: string;
  /** Empty if unknown. */
  product: string;
}

export interface CopyQuestion extends Named {
  intent: Intent;
  tone: Tone | undefined;
  /** One line, or empty. */
  audience: string;
  /** Text such as `before Christmas`, or empty. */
  deadline: string;
  lineMax: number;
}

/** Returns at least one line. With name and product filled in, none is longer than `lineMax`. */
export function copyOf({ intent, tone = PLAIN, audience, deadline, lineMax, ...names }: CopyQuestion): string[] {
  const call: Call = {
    ask: deadline === "" ? intent.call : `${intent.call} ${deadline}`,
    now: deadline === "" ? `${intent.call} now` : `${intent.call} now, ${deadline}`,
  };
  const hasProduct = names.product !== "" && names.product !== names.name;
  const ofAudience = audience !== "" && lengthOf(audience) <= AUDIENCE_LENGTH_MAX && !/[{}]/.test(audience);
  const toAudience = hasProduct
    ? `${PRODUCT_SLOT} for ${audience}, from ${NAME_SLOT}: ${call.ask}.`
    : `${NAME_SLOT} to ${audience}: ${call.ask}.`;
  const lines = [
    ...(ofAudience ? [toAudience] : []),
    ...(hasProduct ? tone.productLines(call) : tone.lines(call)),
    `${capital(intent.call)}.`,
  ];
  const fitting = lines.filter((line) => lengthOf(named(line, names)) <= lineMax);
  return [...new Set(fitting)].slice(0, COPY_LINES_MAX);
}

/** Fills in name and product. */
export const named = (line: string, { name, product }: Named): string =>
  line.replace(/\{(name|product)\}/g, (_, slot) => cut(slot === "name" ? name : product, NAME_LENGTH_MAX));
