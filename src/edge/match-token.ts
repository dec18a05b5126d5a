/**
 * The token that a visit takes along through a store to the app. Only persons get one: what robots, previews and HEAD are
 * sent to a store with would be claims that nobody's click stands for.
 *
 * The same visit has the same token however often it is asked for, so that a form sent twice is one install.
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

/** Undefined for who gets none. */
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
