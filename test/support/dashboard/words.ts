/** All texts of the dashboard in one language. */
import { loadStatedWords, loadWordGroup, loadWords, receiveWords, type WordGroup, type Words } from "@/dashboard/words";
import { en } from "@/dashboard/words/en";

const GROUPS = Object.keys(en.later).filter((name): name is WordGroup => Object.hasOwn(en.later, name));

export async function wordsIn(language: string): Promise<Words> {
  await loadWords(language);
  // One after the other, so that every language has its texts in the same order.
  for (const group of GROUPS) await loadWordGroup(group);
  const { promise, resolve } = Promise.withResolvers<Words>();
  receiveWords(GROUPS, resolve);
  await loadStatedWords();
  return promise;
}
