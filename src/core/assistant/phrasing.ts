/**
 * Checks the wording of a language model before anybody sees it. The wording may replace the summary, titles,
 * rationales and copy, all of them or none: one text that is too long, contains a link or adds its own number
 * invalidates the whole response.
 */
import type { Draft } from "./answer";
import { NAME_SLOT, named, PRODUCT_SLOT } from "./copy";
import { RATIONALE_MAX, SUMMARY_MAX, TITLE_MAX } from "./prompt";
import type { Recommendation } from "./recommendation";
import { isPlain, numbersOf } from "./text-checks";
import { lengthOf } from "./words";

/** The period of all figures, which may be named anywhere. */
const SPAN = "the last 30 days";

export type Phrased = { ok: true; draft: Draft } | { ok: false; fault: string };

class Unfit extends Error {}

/** `answer` is the model's parsed JSON. `fault` says what is wrong without quoting any of its text. */
export function phrase(draft: Draft, answer: unknown): Phrased {
  try {
    return { ok: true, draft: phrased(draft, answer) };
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, fault: error.message };
    throw error;
  }
}

function phrased(draft: Draft, answer: unknown): Draft {
  const { summary, recommendations, campaigns } = record("the answer", answer);
  return {
    ...draft,
    wordedBy: "model",
    summary: text("summary", summary, SUMMARY_MAX, [draft.summary]),
    recommendations: reworded(draft, (ours) =>
      matched("recommendations", recommendations, ours, (given, own, place) => {
        const { title, rationale } = record(place, given);
        const evidence = [own.title, own.rationale, ...own.evidence];
        return {
          ...own,
          title: text(`${place}.title`, title, TITLE_MAX, evidence),
          rationale: text(`${place}.rationale`, rationale, RATIONALE_MAX, evidence),
        };
      }),
    ),
    campaigns: matched("campaigns", campaigns, draft.campaigns, (given, own, place) => ({
      ...own,
      copy: matched(`${place}.copy`, record(place, given).copy, own.copy, (line, _, at) =>
        copyLine(at, line, own.lineMax, draft),
      ),
    })),
  };
}

/**
 * Replaces the recommendations that the model has seen with its wording, and keeps the others unchanged in their
 * places.
 */
function reworded({ recommendations }: Draft, reword: (told: Recommendation[]) => Recommendation[]): Recommendation[] {
  const words = reword(recommendations.filter(({ hidesFromModel }) => !hidesFromModel))[Symbol.iterator]();
  return recommendations.map((own) => (own.hidesFromModel ? own : (words.next().value ?? own)));
}

/** The list must have one item for each item of the draft. */
function matched<Own, Result>(
  place: string,
  given: unknown,
  own: Own[],
  read: (given: unknown, own: Own, place: string) => Result,
): Result[] {
  if (!Array.isArray(given) || given.length !== own.length) throw new Unfit(`${place} has the wrong number of items`);
  return own.map((item, index) => read(given[index], item, `${place}[${index}]`));
}

function record(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unfit(`${place} is not an object`);
  return { ...value };
}

/** The text may name sites and numbers that the evidence contains, and no others. */
function text(place: string, value: unknown, lengthMax: number, evidence: string[]): string {
  const given = plainText(place, value, lengthMax, evidence);
  if (given.includes("{") || given.includes("}")) throw new Unfit(`${place} contains braces`);
  refuseOtherNumbers(place, given, [SPAN, ...evidence]);
  return given;
}

/** Copy may contain numbers from the customer's own words: `20 % off` is theirs to promise. */
function copyLine(place: string, value: unknown, lineMax: number, draft: Draft): string {
  const { words, product, campaigns } = draft;
  const given = plainText(place, value, lineMax, []);
  if (product === "" && given.includes(PRODUCT_SLOT)) throw new Unfit(`${place} names an unknown product`);
  if (lengthOf(named(given, draft)) > lineMax) throw new Unfit(`${place} is too long`);
  if (/[{}]/.test(given.replaceAll(NAME_SLOT, "").replaceAll(PRODUCT_SLOT, "")))
    throw new Unfit(`${place} contains braces`);
  refuseOtherNumbers(place, given, [words.goal, words.audience, ...campaigns.flatMap(({ copy }) => copy)]);
  return given;
}

function plainText(place: string, value: unknown, lengthMax: number, evidence: string[]): string {
  if (typeof value !== "string" || value.trim() === "") throw new Unfit(`${place} is not text`);
  // Checked first, so that the patterns below never run on a long text.
  if (value.length > 2 * lengthMax || lengthOf(value) > lengthMax) throw new Unfit(`${place} is too long`);
  const given = value.trim().replace(/\s+/g, " ").normalize("NFC");
  if (!isPlain(given, evidence)) throw new Unfit(`${place} contains a link, markup or invisible characters`);
  return given;
}

function refuseOtherNumbers(place: string, given: string, evidence: string[]): void {
  const known = new Set(evidence.flatMap(numbersOf));
  if (numbersOf(given).some((number) => !known.has(number))) throw new Unfit(`${place} adds its own number`);
}
