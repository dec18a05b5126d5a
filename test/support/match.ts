/** Mints match tokens as redirects do, for services whose secret is `SECRET`. */
import { mintToken, type TokenFields } from "@/core/tokens";
import { type Clock, systemClock } from "@/platform/clock";
import { openKeys } from "@/platform/keys";
import { matchSignature } from "@/platform/match-signature";
import type { TestService } from "./service";

export const SECRET = "a secret of the match tests, of enough length";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
export const PIXEL =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";

export async function createMint({ sql }: Pick<TestService, "sql">, clock: Clock = systemClock) {
  // The nonce of a click starts with its millisecond within the minute. These are past 60,000, so they match no click.
  let nonce = 0xffff0000;
  return async (linkId: string, fields: Partial<TokenFields> = {}, secret = SECRET): Promise<string> => {
    const keys = await openKeys({ appSecret: secret, appSecretPrevious: null, dataDir: "" });
    const [link] = await sql<{ number: string }[]>`select number from links where id = ${linkId}`;
    const linkNumber = Number(link?.number);
    const outcome = { linkNumber, mintedAt: clock(), kind: "store" as const, position: 0, ...fields };
    return mintToken(outcome, ++nonce, matchSignature(keys.current("match-token")));
  };
}
