/** Words how long to wait, for people. */
import type { Language } from "@/core/pages/page-languages";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
] as const;
/** Up to two of a unit, the next smaller one is more exact: "in 90 minutes". */
const LEAST = 2;

/**
 * Returns "in 1 minute", "in 40 minutes", "in 11 hours", "in 3 days" in the language, as an adverb within a sentence. Rounds
 * up, so that nobody tries again too early.
 */
export function waitIn(language: Language, seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds > LEAST * length) ?? ["minute", 60];
  const count = Math.max(1, Math.ceil(seconds / length));
  return new Intl.RelativeTimeFormat(language).format(count, unit);
}
