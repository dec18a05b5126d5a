/** Translates the API's sentences. `words/en/faults.ts` lists them; all others stay in English. */
import type { Words } from "../words";
import { enFaults } from "../words/en/faults";
import type { Refusal } from "./failures";

type Sentence = string | ((...parts: string[]) => string);
type Sentences = Readonly<Record<string, Sentence>>;

/** In the place of a sentence's parts. */
const PART = "\u0000";

const PATTERNS = Object.entries<Sentence>(enFaults).map(([key, sentence]) => [key, patternOf(sentence)] as const);

/** Matches the sentence, whatever its parts, and captures these in their order. */
function patternOf(sentence: Sentence): RegExp {
  const text = typeof sentence === "string" ? sentence : sentence(...Array(sentence.length).fill(PART));
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(PART, "(.+)")}$`, "s");
}

export const translated = ({ error, details }: Refusal, faults: Words["faults"]): Refusal => ({
  error: sentenceIn(faults, error),
  ...(details && { details: details.map((detail) => detailIn(faults, detail)) }),
});

/** Keeps the field's name, by which the fault finds its field. */
function detailIn(sentences: Sentences, detail: string): string {
  const at = detail.indexOf(": ");
  return at > 0 ? `${detail.slice(0, at)}: ${sentenceIn(sentences, detail.slice(at + 2))}` : detail;
}

function sentenceIn(sentences: Sentences, text: string): string {
  for (const [key, pattern] of PATTERNS) {
    const found = pattern.exec(text);
    const sentence = found && sentences[key];
    if (sentence) return typeof sentence === "string" ? sentence : sentence(...found.slice(1));
  }
  return text;
}
