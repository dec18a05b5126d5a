/** What the dashboard says. A language is one chunk, loaded before anything is shown. */
import type { Language } from "@/core/page-languages";
import type { en } from "./words/en";

export type Words = typeof en;

const LOADERS: Partial<Record<Language, () => Promise<Words>>> & { en(): Promise<Words> } = {
  en: async () => (await import("./words/en")).en,
  de: async () => (await import("./words/de")).de,
  es: async () => (await import("./words/es")).es,
  fr: async () => (await import("./words/fr")).fr,
  it: async () => (await import("./words/it")).it,
  nl: async () => (await import("./words/nl")).nl,
  pt: async () => (await import("./words/pt")).pt,
};

/** Set before the first screen. */
export let words: Words;

export async function loadWords(language: string): Promise<void> {
  words = await (isKnown(language) ? (LOADERS[language] ?? LOADERS.en) : LOADERS.en)();
}

const isKnown = (language: string): language is Language => Object.hasOwn(LOADERS, language);
