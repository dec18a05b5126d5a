/**
 * The token that a visit carries through a store to the app. Only people get one: tokens given to robots, previews
 * and HEAD requests would become claims without a person's click behind them.
 *
 * The same visit always gets the same token, so that a form that is sent twice leads to one install.
 */
import type { CompiledLink, Route } from "@/core/routing/compiled-link";
import { mintToken, nonceOf } from "@/core/tokens";
import type { Keys } from "@/platform/keys";
import { matchSignature } from "@/platform/match-signature";
import { isHuman } from "./person";

export interface TokenVisit {
  link: CompiledLink;
  route: Route;
  request: Request;
  clickId: string;
  /** Unix milliseconds. */
  at: number;
}

/** Returns undefined for a visit that gets no token. */
export type TokenOf = (visit: TokenVisit) => string | undefined;

export function createTokenOf(keys: Keys): TokenOf {
  const sign = matchSignature(keys.current("match-token"));
  return ({ link, route, request, clickId, at }) => {
    if (!route.isStore || !isHuman(request)) return undefined;
    const { kind, position } = route;
    const fields = { linkNumber: link.definition.number, mintedAt: at, kind, position };
    return mintToken(fields, nonceOf({ at, id: clickId }), sign);
  };
}
