/** Reads the token of an install attribution and which store provided it. */
import type { InstallAttributionInput, Provider, TokenField } from "@/contract/match";
import { tokenInReferrer } from "@/core/referrer";
import { invalid } from "@/http/errors";

const PROVIDER_OF: Record<TokenField, Provider> = {
  installAttributionToken: "play_install_referrer",
  campaignToken: "app_store_campaign",
  ct: "app_store_campaign",
};
const FIELDS: readonly TokenField[] = ["installAttributionToken", "campaignToken", "ct"];

/** Throws 400 unless exactly one token is given. The error names the given fields, or all of them if none is given. */
export function readAttribution(input: InstallAttributionInput): { token: string; provider: Provider } {
  const given = FIELDS.flatMap((field) => {
    const text = input[field];
    return text === undefined ? [] : [{ field, text }];
  });
  const [only] = given;
  if (only && given.length === 1) {
    return { token: tokenInReferrer(only.text), provider: input.provider ?? PROVIDER_OF[only.field] };
  }
  const atFault = only ? given.map(({ field }) => field) : FIELDS;
  throw invalid(atFault.map((field) => `${field}: expected exactly one of ${FIELDS.join(", ")}`));
}
