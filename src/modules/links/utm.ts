import type { UtmGenerationInput, UtmGenerationResponse } from "@/contract/links/utm";
import { normaliseDestination } from "@/core/routing/destination";
import { proposeUtm } from "@/core/utm/utm";
import { invalid } from "@/http/errors";
import type { Clock } from "@/platform/clock";

export type UtmGenerator = ReturnType<typeof createUtmGenerator>;

/**
 * Returns a function that writes nothing, and whose result depends on nothing but its input, except for the time.
 * Throws 400 for an invalid destination.
 */
export function createUtmGenerator({ clock }: { clock: Clock }) {
  return ({ destinationUrl = "", ...words }: UtmGenerationInput): UtmGenerationResponse => ({
    generatedAt: new Date(clock()).toISOString(),
    ...proposeUtm(words, destinationUrl.trim() === "" ? null : checkedDestination(destinationUrl)),
  });
}

function checkedDestination(text: string): string {
  const checked = normaliseDestination(text);
  if (!checked.ok) throw invalid([`destinationUrl: ${checked.fault}`]);
  return checked.url;
}
