/**
 * A link made ready to be served. All that depends on the link alone is computed when its cache entry is filled: the
 * order of the rules, their predicates, every destination with what the link adds to it. Serving picks one of the routes
 * made here and, in the frequent case of a visit without a query, hands out a finished string.
 */
import type { RouteKind } from "@/contract/links/links";
import type { Pair } from "../query";
import { asksOf, type RuleAsks } from "../rules/asks";
import { type CompiledRule, compileRules, holds, needsOf } from "../rules/compile";
import { markRules, NO_MARKS, nextCandidate, type VisitorMarks } from "../rules/marks";
import {
  additionsOf,
  CLICK_ID_PARAMETER,
  editQuery,
  withAdditions,
  withClickId,
  withVisitorQuery,
} from "./destination";
import { NEEDS, type VisitorFacts } from "./facts";
import { isAlwaysOpen } from "./gate";
import type { LinkDefinition } from "./link";
import { type Route, routeTo } from "./route";
import { candidate, choose, isCandidate, type SplitCandidate, type SplitPick } from "./split";
import { isHandset, PLAY_ID, storeUrls, withAppStoreCampaign, withPlayToken, withVisitorReferrer } from "./store";

export type { Route } from "./route";
export type { SplitPick } from "./split";

/** What decided a route, as a match token carries it. */
export type Outcome = Pick<Route, "kind" | "position">;

export interface VisitQuery {
  /** As it came, without the `?`. */
  query: string;
  clickId?: string;
  matchToken?: string;
}

type RoutedRule = CompiledRule & { route: Route };

export function compileLink(definition: LinkDefinition): CompiledLink {
  return new CompiledLink(definition);
}

export class CompiledLink {
  readonly rules: readonly RoutedRule[];
  /** Bits of `NEEDS`: what `route` may look at. */
  readonly needs: number;
  /** What the rules ask of the request itself. */
  readonly asks: RuleAsks | null;
  /** Whether some visitor may see a page: the edge asks nothing else of those of a link that leads on at once. */
  readonly mayShowPage: boolean;
  /** Whether its gate need not be asked. */
  readonly isAlwaysOpen: boolean;
  /** By which a visit passes over most rules. */
  private readonly ruleMarks: Int32Array;
  private readonly candidates: readonly SplitCandidate<Route>[];
  private readonly iosStore: Route | null;
  private readonly androidStore: Route | null;
  private readonly fallback: Route;

  constructor(readonly definition: LinkDefinition) {
    const additions = additionsOf(definition.utm, definition.marketing);
    const stores = storeUrls(definition.app, additions);
    const to = (url: string, outcome: Partial<Route>) => routeTo(decorate(definition, url, additions), url, outcome);
    this.rules = compileRules(definition.rules).map((rule) => ({
      ...rule,
      route: to(rule.destinationUrl, { kind: "rule", ruleIndex: rule.index, position: rule.index }),
    }));
    this.ruleMarks = markRules(this.rules.map(({ index }) => definition.rules[index]?.conditions));
    this.asks = asksOf(definition.rules);
    this.candidates = definition.splitTargets.flatMap((target, position) => {
      if (!isCandidate(target)) return [];
      const route = to(target.destinationUrl, { kind: "split", splitKey: target.key, position });
      return [candidate(definition.id, target, route)];
    });
    this.iosStore = stores.ios === null ? null : routeTo(stores.ios, stores.ios, { kind: "store" });
    this.androidStore = stores.android === null ? null : routeTo(stores.android, stores.android, { kind: "store" });
    this.fallback = to(definition.defaultUrl, {});
    this.needs = needsOf(this.rules) | (this.reachesStore() ? NEEDS.userAgent : 0);
    const { page, social, app } = definition;
    this.isAlwaysOpen = isAlwaysOpen(definition.gate);
    this.mayShowPage = page !== null || social !== null || app !== null || this.routes().some((route) => route.isStore);
  }

  /**
   * Tries rules, then split, then app store, then default. The route is shared between visits. Marks, if any, are those of
   * the facts: they spare work and change nothing.
   */
  route(facts: VisitorFacts, pick: SplitPick, marks: VisitorMarks = NO_MARKS): Route {
    return this.ruleFor(facts, marks) ?? choose(this.candidates, pick) ?? this.storeFor(facts) ?? this.fallback;
  }

  private ruleFor(facts: VisitorFacts, marks: VisitorMarks): Route | undefined {
    const next = (from: number) => nextCandidate(this.ruleMarks, from, marks);
    for (let at = next(0); at >= 0; at = next(at + 1)) {
      const rule = this.rules[at];
      if (rule && holds(rule, facts)) return rule.route;
    }
    return undefined;
  }

  /** To the target of this key, whatever its weight: where an item of a bio page leads. Undefined when it is off or unknown. */
  targetRoute(key: string): Route | undefined {
    const { splitTargets, utm, marketing } = this.definition;
    const position = splitTargets.findIndex((target) => target.key === key && target.isActive !== false);
    const url = splitTargets[position]?.destinationUrl;
    if (url === undefined) return undefined;
    const decorated = decorate(this.definition, url, additionsOf(utm, marketing));
    return routeTo(decorated, url, { kind: "split", splitKey: key, position });
  }

  /** Where an outcome would have led without a store: what a match hands to the app. */
  webRoute({ kind, position }: Outcome): Route {
    const route = this.routeOf(kind, position);
    return route === undefined || route.isStore ? this.fallback : route;
  }

  /** Undefined when the link has changed since, and for stores. */
  private routeOf(kind: RouteKind, position: number): Route | undefined {
    if (kind === "rule") return this.rules.find(({ index }) => index === position)?.route;
    if (kind === "split") return this.candidates.find(({ choice }) => choice.position === position)?.choice;
    return undefined;
  }

  private routes(): Route[] {
    return [...this.rules.map(({ route }) => route), ...this.candidates.map(({ choice }) => choice), this.fallback];
  }

  private storeFor(facts: VisitorFacts): Route | null {
    if (facts.platform === "ios" && isHandset(facts)) return this.iosStore;
    if (facts.platform === "android" && isHandset(facts)) return this.androidStore;
    return null;
  }

  private reachesStore(): boolean {
    if (this.iosStore === null && this.androidStore === null) return false;
    return this.candidates.length === 0 && this.rules.every(({ conditions }) => conditions.length > 0);
  }
}

/** The URL a visitor is sent to: ASCII only, fit for a `Location` header. */
export function finalDestination({ definition }: CompiledLink, route: Route, visit: VisitQuery): string {
  if (route.kind === "store") return withToken(definition, route, storeVisitUrl(route, visit.query), visit.matchToken);
  const fixedKey = route.store === "play" ? PLAY_ID : null;
  let url = visit.query === "" ? route.url : withVisitorQuery(route.url, visit.query, fixedKey);
  if (definition.appendClickId && visit.clickId !== undefined) url = withClickId(url, visit.clickId);
  return route.isStore ? withToken(definition, route, url, visit.matchToken) : url;
}

function storeVisitUrl({ store, url }: Route, query: string): string {
  return store === "play" && query !== "" ? withVisitorReferrer(url, query) : url;
}

function withToken({ app }: LinkDefinition, { store }: Route, url: string, token: string | undefined): string {
  if (store === "app_store") return withAppStoreCampaign(url, app, token);
  return token === undefined ? url : withPlayToken(url, token);
}

/** A click id in a configured URL is some older click's; where ours is put, it goes. */
function decorate({ appendClickId }: LinkDefinition, url: string, additions: readonly Pair[]): string {
  const plain =
    appendClickId && url.includes(CLICK_ID_PARAMETER)
      ? editQuery(url, (pairs) => pairs.filter(({ key }) => key !== CLICK_ID_PARAMETER))
      : url;
  return withAdditions(plain, additions);
}
