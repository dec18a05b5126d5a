/** What the dashboard says. A language is one chunk, loaded before anything is shown. */
import type { en } from "./words/en";

export type Words = typeof en;

type Language = "en";

const LANGUAGES: Record<Language, () => Promise<Words>> = {
  en: async () => (await import("./words/en")).en,
};

/** Set before the first screen. */
export let words: Words;

export async function loadWords(language: string): Promise<void> {
  words = await LANGUAGES[isKnown(language) ? language : "en"]();
}

const isKnown = (language: string): language is Language => Object.hasOwn(LANGUAGES, language);
