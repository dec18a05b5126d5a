import type { RouteKind } from "@/contract/links/links";
import { type Store, storeOf } from "./store";

export interface Route {
  kind: RouteKind;
  ruleIndex: number | null;
  splitKey: string | null;
  /** Of the rule among the rules or of the target among the split targets, for a match token; else 0. */
  position: number;
  /** This is the destination as configured. */
  target: string;
  /** The target with what the link adds to it. */
  url: string;
  store: Store | null;
  isStore: boolean;
}

/** `url` is `target` with what the link adds; everything else is the default route's unless `outcome` says so. */
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
