import type { RouteKind } from "@/contract/links/links";
import { type Store, storeOf } from "./store";

export interface Route {
  kind: RouteKind;
  ruleIndex: number | null;
  splitKey: string | null;
  /** Index of the rule or the split target, for a match token; 0 for other routes. */
  position: number;
  /** The destination as configured. */
  target: string;
  /** The target with the link's additions. */
  url: string;
  store: Store | null;
  isStore: boolean;
}

/**
 * Creates a route. `url` is `target` with the link's additions; fields that `outcome` omits are those of the default
 * route.
 */
export function routeTo(url: string, target: string, outcome: Partial<Route>): Route {
  const store = storeOf(url);
  return {
    kind: outcome.kind ?? "default",
    ruleIndex: outcome.ruleIndex ?? null,
    splitKey: outcome.splitKey ?? null,
    position: outcome.position ?? 0,
    target,
    url,
    store,
    isStore: store !== null,
  };
}
