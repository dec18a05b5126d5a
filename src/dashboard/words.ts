/**
 * The dashboard's texts in the page's language. Those of the frame and of the list of links are loaded before anything
 * is rendered, the others in groups with the parts of the dashboard that use them. A folder's own `words.ts` states
 * which groups its files use; `loadStatedWords` loads them before a part from that folder is rendered.
 */
import type { Language } from "@/core/pages/page-languages";
import type { en } from "./words/en";

/** The texts of one language. */
export type SpokenWords = typeof en;

type FirstWords = SpokenWords["first"];

/** A group of texts that is loaded later. */
export type WordGroup = keyof SpokenWords["later"];

type LaterWords = { [G in WordGroup]: Awaited<ReturnType<SpokenWords["later"][G]>> };

/** The texts that are loaded first, and those of these groups. */
export type Words<G extends WordGroup = WordGroup> = FirstWords & Pick<LaterWords, G>;

const LOADERS: Record<Language, () => Promise<SpokenWords>> = {
  en: async () => (await import("./words/en")).en,
  de: async () => (await import("./words/de")).de,
  fr: async () => (await import("./words/fr")).fr,
  es: async () => (await import("./words/es")).es,
  pt: async () => (await import("./words/pt")).pt,
  it: async () => (await import("./words/it")).it,
  nl: async () => (await import("./words/nl")).nl,
};

let spoken: SpokenWords["later"];
let isEnglish: boolean;
/** Everything loaded so far. */
let known: FirstWords & Partial<LaterWords>;

/** Set by `loadWords` before the first render. */
export let words: FirstWords;

const stated = new Set<WordGroup>();
const receivers: (() => void)[] = [];
const requests = new Map<WordGroup, Promise<void>>();

export async function loadWords(language: string): Promise<void> {
  const chosen = isKnown(language) ? language : "en";
  const { first, later } = await LOADERS[chosen]();
  isEnglish = chosen === "en";
  [spoken, known, words] = [later, { ...first }, first];
  requests.clear();
}

const isKnown = (language: string): language is Language => Object.hasOwn(LOADERS, language);

/** States that the caller uses these groups. `take` is called before anything of the caller is rendered. */
export function receiveWords<G extends WordGroup>(groups: readonly G[], take: (words: Words<G>) => void): void {
  for (const group of groups) stated.add(group);
  receivers.push(() => {
    if (hasAll(known, groups)) take(known);
  });
}

const hasAll = <G extends WordGroup>(texts: typeof known, groups: readonly G[]): texts is Words<G> =>
  groups.every((group) => texts[group] !== undefined);

/** Loads the groups that modules have stated since the last call, and hands them over. */
export async function loadStatedWords(): Promise<void> {
  const groups = [...stated];
  stated.clear();
  await Promise.all(groups.map(loadWordGroup));
  for (const receive of receivers) receive();
}

/** The texts for what the API refuses, which belong to no part; undefined in the API's own language. */
export const loadFaults = (): Promise<LaterWords["faults"]> | undefined => (isEnglish ? undefined : spoken.faults());

/** A group is requested once, and again after a failure. */
export function loadWordGroup(group: WordGroup): Promise<void> {
  const request = requests.get(group) ?? requestGroup(group);
  requests.set(group, request);
  return request;
}

async function requestGroup(group: WordGroup): Promise<void> {
  try {
    const texts = await spoken[group]();
    known = { ...known, [group]: texts };
  } catch (error) {
    requests.delete(group);
    throw error;
  }
}
