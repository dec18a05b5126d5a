/** The dashboard's texts in every language. The compiler finds missing texts; these tests find wrong ones. */
import { describe, expect, test } from "bun:test";
import { NAMES, SAME_AS_ENGLISH } from "@test/support/dashboard/same-words";
import { wordsIn } from "@test/support/dashboard/words";
import { LANGUAGES, type Language } from "@/core/pages/page-languages";

/** A text with that many parameters. */
interface Text {
  facts: number;
  say(...facts: unknown[]): string;
}

type Texts = ReadonlyMap<string, Text>;

const textsIn = async (language: Language): Promise<Texts> => new Map(textsOf(await wordsIn(language), ""));

function* textsOf(value: unknown, path: string): Generator<[string, Text]> {
  if (typeof value === "string") yield [path, { facts: 0, say: () => value }];
  else if (typeof value === "function") yield [path, { facts: value.length, say: (...facts) => value(...facts) }];
  else for (const [key, inner] of Object.entries(Object(value))) yield* textsOf(inner, path ? `${path}.${key}` : key);
}

const english = await textsIn("en");
const spoken: [Language, Texts][] = [];
for (const language of LANGUAGES) spoken.push([language, await textsIn(language)]);
const translated = spoken.flatMap(([language, texts]) => (language === "en" ? [] : [[language, texts] as const]));

/** Contain no letters, so that a text consisting only of parameters has none. */
const MARKS = ["‹1›", "‹2›", "‹3›", "‹4›", "‹5›"];
const marked = ({ facts, say }: Text): string => say(...MARKS.slice(0, facts));

/** Returns arguments with all parameters, then with each one left out: a text may have a variant for either. */
const waysOf = ({ facts }: Text): string[][] => {
  const all = MARKS.slice(0, facts);
  return [all, ...all.map((_, place) => all.with(place, ""))];
};

const heldBy = (text: string): string[] => MARKS.filter((mark) => text.includes(mark));

/** Returns arguments with the same count in every place: as a number where the text accepts one, and as text. */
const countsFor = ({ facts, say }: Text, count: number): unknown[][] => {
  const marks: unknown[] = MARKS.slice(0, facts);
  const isNumber = (place: number): boolean => {
    try {
      return say(...marks.toSpliced(place, 1, count)) !== null;
    } catch {
      return false;
    }
  };
  return [marks.map((mark, place) => (isNumber(place) ? count : mark)), marks.map(() => String(count))];
};

describe.each(translated)("in %s", (language, texts) => {
  const eachText = [...english].map(([path, text]) => ({ path, text, other: texts.get(path) }));
  const failing = (fails: (text: Text, other: Text) => boolean): string[] =>
    eachText.filter(({ text, other }) => !other || fails(text, other)).map(({ path }) => path);

  test("each text contains the same parameters as the English one", () => {
    const losing = failing((text, other) =>
      waysOf(text).some((facts) => heldBy(text.say(...facts)).join() !== heldBy(other.say(...facts)).join()),
    );
    expect(losing).toEqual([]);
  });

  test("every text exists and takes no more parameters than the English one", () => {
    expect([...texts.keys()]).toEqual([...english.keys()]);
    expect(failing((text, other) => other.facts > text.facts)).toEqual([]);
  });

  test("only the listed texts equal the English ones", () => {
    const same = new Set(
      eachText
        .filter(({ text, other }) => other && marked(other) === marked(text))
        .map(({ text }) => marked(text))
        .filter((text) => /\p{L}/u.test(text) && !NAMES.has(text)),
    );
    expect([...same].sort()).toEqual([...SAME_AS_ENGLISH[language]].sort());
  });
});

describe.each(spoken)("in %s", (language, texts) => {
  const faulty = (pattern: RegExp): string[] =>
    [...texts].filter(([, text]) => pattern.test(marked(text))).map(([path, text]) => `${path}: ${marked(text)}`);

  test.each([0, 1, 2, 5])("every text is well-formed with a count of %d", (count) => {
    const isWrong = (text: Text, inEnglish: Text) =>
      countsFor(text, count).some((facts) => {
        const [said, meant] = [text.say(...facts), inEnglish.say(...facts)];
        if (/undefined|NaN|\[object/.test(said) || (said === "" && meant !== "")) return true;
        // One may be written as a word.
        return count !== 1 && meant.includes(String(count)) && !said.includes(String(count));
      });
    const wrong = [...texts].filter(([path, text]) => isWrong(text, english.get(path) ?? text));
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test("punctuation follows the language", () => {
    expect(faulty(/ {2}|^\s|\s$|\.\.\./)).toEqual([]);
    expect(faulty(FOREIGN[language])).toEqual([]);
  });
});

/** Quotation marks and spaces of other languages. */
const FOREIGN: Record<Language, RegExp> = {
  en: /"|[„«»¿¡]/,
  // German opens quotations with the low mark and closes them with the one that opens in English.
  de: /["”«»]|“\p{L}/u,
  // French has narrow no-break spaces before tall punctuation.
  fr: /["“”„]| [;:!?»]|« |[\p{L}\d›)][;!?](?!\S)|\p{L}:(?= )/u,
  es: /["„“”]|^[^¿]*\?$|^[^¡]*!$/,
  pt: /["„«»]/,
  it: /["„]/,
  nl: /["„«»“”]/,
};
