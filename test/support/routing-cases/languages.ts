/** A visitor's languages are the most preferred one and all others with q ≥ 0.9. */
import { type ConditionDraft, conditionCase } from "./shape";

const asked = (acceptLanguage: string) => ({ acceptLanguage });

const drafts: ConditionDraft[] = [
  { name: "en is met by en", when: { languages: ["en"] }, visitor: asked("en"), matches: true },
  { name: "en is met by en-US", when: { languages: ["en"] }, visitor: asked("en-US"), matches: true },
  { name: "en-GB is met by en-GB", when: { languages: ["en-GB"] }, visitor: asked("en-GB"), matches: true },
  { name: "en-GB is not met by en", when: { languages: ["en-GB"] }, visitor: asked("en"), matches: false },
  { name: "en-GB is not met by en-US", when: { languages: ["en-GB"] }, visitor: asked("en-US"), matches: false },
  { name: "languages compare without case", when: { languages: ["PT-br"] }, visitor: asked("pt-BR"), matches: true },
  { name: "en is no language of enq", when: { languages: ["en"] }, visitor: asked("enq"), matches: false },
  { name: "zh is met by zh-Hant-TW", when: { languages: ["zh"] }, visitor: asked("zh-Hant-TW"), matches: true },
  {
    name: "zh-Hant is met only by itself",
    when: { languages: ["zh-Hant"] },
    visitor: asked("zh-Hant-TW"),
    matches: false,
  },
  { name: "an underscore stands for a hyphen", when: { languages: ["en-GB"] }, visitor: asked("en_GB"), matches: true },
  { name: "no Accept-Language fails", when: { languages: ["en"] }, visitor: {}, matches: false },
  { name: "any language is none in particular", when: { languages: ["en"] }, visitor: asked("*"), matches: false },
  {
    name: "the first of a browser's list counts",
    when: { languages: ["de"] },
    visitor: asked("de-DE,de;q=0.9,en;q=0.8"),
    matches: true,
  },
  {
    name: "a second language with q=0.9 counts",
    when: { languages: ["en"] },
    visitor: asked("de-DE,en;q=0.9"),
    matches: true,
  },
  {
    name: "a second language with q=0.8 does not count",
    when: { languages: ["en"] },
    visitor: asked("de-DE,de;q=0.9,en;q=0.8"),
    matches: false,
  },
  {
    name: "a second language with q=0.899 does not count",
    when: { languages: ["en"] },
    visitor: asked("de,en;q=0.899"),
    matches: false,
  },
  {
    name: "the most preferred counts however low its q",
    when: { languages: ["fr"] },
    visitor: asked("en;q=0.3,fr;q=0.5"),
    matches: true,
  },
  {
    name: "the less preferred does not count, though it comes first",
    when: { languages: ["en"] },
    visitor: asked("en;q=0.3,fr;q=0.5"),
    matches: false,
  },
  { name: "a language with q=0 is excluded", when: { languages: ["fr"] }, visitor: asked("fr;q=0,en"), matches: false },
  { name: "two languages without q both count", when: { languages: ["it"] }, visitor: asked("fr, it"), matches: true },
  {
    name: "spaces around q are allowed",
    when: { languages: ["it"] },
    visitor: asked("fr , it ; q = 0.95"),
    matches: true,
  },
  {
    name: "garbage beside a language is skipped",
    when: { languages: ["de"] },
    visitor: asked(";;;,!!,de;q=0.7"),
    matches: true,
  },
  {
    name: "one of several languages is enough",
    when: { languages: ["es", "de"] },
    visitor: asked("de-AT"),
    matches: true,
  },
];

export const languageCases = drafts.map(conditionCase);
