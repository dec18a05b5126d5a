/** The dashboard's texts. Each language is one chunk, loaded before anything is rendered. */
import type { Language } from "@/core/page-languages";
import type { en } from "./words/en";

export type Words = typeof en;

const LOADERS: Record<Language, () => Promise<Words>> = {
  en: async () => (await import("./words/en")).en,
  de: async () => (await import("./words/de")).de,
  fr: async () => (await import("./words/fr")).fr,
  es: async () => (await import("./words/es")).es,
  pt: async () => (await import("./words/pt")).pt,
  it: async () => (await import("./words/it")).it,
  nl: async () => (await import("./words/nl")).nl,
};

/** Set by `loadWords` before the first render. */
export let words: Words;

export async function loadWords(language: string): Promise<void> {
  words = await LOADERS[isKnown(language) ? language : "en"]();
}

const isKnown = (language: string): language is Language => Object.hasOwn(LOADERS, language);
