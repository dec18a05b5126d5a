/**
 * Validates text in the contract's own formats and describes what is wrong with it. Anything that checks with a
 * schema of the contract must import this file, through `validation.ts`: TypeBox rejects all text of a format that
 * has not been registered.
 */
import { FormatRegistry } from "@sinclair/typebox";
import { FORMATS } from "@/contract/schema";
import { countryFault } from "@/core/codes/countries";
import { languageFault } from "@/core/codes/languages";
import { parseNetwork } from "@/core/networks";
import { isOwnParameter } from "@/core/query";
import { referrerOf } from "@/core/referrer";
import { normaliseDestination } from "@/core/routing/destination";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";

type Fault = (text: string) => string | undefined;

const FAULTS: Record<string, Fault> = {
  [FORMATS.country]: countryFault,
  [FORMATS.destination]: destinationFault,
  [FORMATS.instant]: (text) => (parseInstant(text) === undefined ? NO_INSTANT : undefined),
  [FORMATS.language]: languageFault,
  [FORMATS.network]: networkFault,
  [FORMATS.parameter]: (name) => (isOwnParameter(name) ? "this parameter is reserved" : undefined),
  [FORMATS.referrer]: referrerFault,
};

for (const [format, faultOf] of Object.entries(FAULTS)) {
  FormatRegistry.Set(format, (text) => faultOf(text) === undefined);
}

/** An integer in a query string, in place of Elysia's format, which also takes `0x10`, `1e2` and ` 5 `. */
const INTEGER = /^-?\d{1,15}$/;
FormatRegistry.Set("integer", (text) => INTEGER.test(text));

/**
 * Returns what is wrong with text of this format, or undefined if the text is valid or the format is not one of ours.
 */
export const formatFault = (format: string, text: string): string | undefined => FAULTS[format]?.(text);

function destinationFault(text: string): string | undefined {
  const checked = normaliseDestination(text);
  return checked.ok ? undefined : checked.fault;
}

const NETWORK = /^(?:\d+\.\d+\.\d+\.\d+|[\da-f.:]*:[\da-f.:]*)(?:\/\d{1,3})?$/i;

function networkFault(text: string): string | undefined {
  if (NETWORK.test(text) && parseNetwork(text)) return undefined;
  return "expected an IP address or a network like 203.0.113.0/24";
}

function referrerFault(text: string): string | undefined {
  if (referrerOf(`https://${text}`) === text.toLowerCase()) return undefined;
  return "expected a host name like news.example.com, or direct";
}
