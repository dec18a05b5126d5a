/**
 * A link prepared for serving. Everything that depends on the link alone is computed when its cache entry is filled:
 * the order of the rules, their predicates, and each destination with the link's additions. Serving picks one of
 * these routes and, in the common case of a visit without a query, returns a finished string.
 */
import { CLICK_ID_PARAMETER, type Pair, readVisitorQuery } from "../query";
import { type CompiledRule, compileRules, matchesRule, needsOf } from "../rules/compile";
import { markRules, NO_MARKS, nextCandidate, type VisitorMarks } from "../rules/marks";
import { type RequestChecks, requestChecksOf } from "../rules/request-checks";
import { additionsOf, editQuery, withClickId, withVisitorQuery } from "./destination";
import { NEEDS, type VisitorFacts } from "./facts";
import { checkGate, isAlwaysOpen } from "./gate";
import type { LinkDefinition } from "./link";
import { type Route, routeTo } from "./route";
import { candidate, choose, isCandidate, type SplitCandidate, type SplitPick } from "./split";
import {
  isHandset,
  storeUrls,
  withAdditions,
  withAppStoreCampaign,
  withPlayIds,
  withPlayVisitorQuery,
  withVisitorReferrer,
} from "./store";

export type { Route } from "./route";
export type { SplitPick } from "./split";

export interface VisitQuery {
  /** As received, without the `?`. */
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
  /** Bits of `NEEDS`: the facts that `route` may read. */
  readonly needs: number;
  /** What the rules check in the request itself; null if nothing. */
  readonly requestChecks: RequestChecks | null;
  /** Whether some visitor may see a page. If false, the edge skips all checks for pages. */
  readonly mayShowPage: boolean;
  /** Whether the gate admits every visit at any time. */
  private readonly isAlwaysOpen: boolean;
  /** Bit masks by which a visit skips most rules. */
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
    this.requestChecks = requestChecksOf(definition.rules);
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

  /** True if the gate admits every visit at this time. */
  admitsAnyone(now: number): boolean {
    return this.isAlwaysOpen || checkGate(this.definition.gate, { now }).does === "admit";
  }

  /**
   * Tries rules, then split, then app store, then default. Visits share the returned route. `marks`, if given, must
   * match `facts`; they save work and never change the result.
   */
  route(facts: VisitorFacts, pick: SplitPick, marks: VisitorMarks = NO_MARKS): Route {
    return this.ruleFor(facts, marks) ?? choose(this.candidates, pick) ?? this.storeFor(facts) ?? this.fallback;
  }

  private ruleFor(facts: VisitorFacts, marks: VisitorMarks): Route | undefined {
    const next = (from: number) => nextCandidate(this.ruleMarks, from, marks);
    for (let at = next(0); at >= 0; at = next(at + 1)) {
      const rule = this.rules[at];
      if (rule && matchesRule(rule, facts)) return rule.route;
    }
    return undefined;
  }

  /**
   * Returns the route to the target with this key, whatever its weight: the destination of a bio page's item. Returns
   * undefined if the target is switched off or unknown.
   */
  targetRoute(key: string): Route | undefined {
    const { splitTargets, utm, marketing } = this.definition;
    const position = splitTargets.findIndex((target) => target.key === key && target.isActive !== false);
    const url = splitTargets[position]?.destinationUrl;
    if (url === undefined) return undefined;
    const decorated = decorate(this.definition, url, additionsOf(utm, marketing));
    return routeTo(decorated, url, { kind: "split", splitKey: key, position });
  }

  /** Where a visit that leads to a store leads on the web, which is what a match passes to the app. */
  get webRoute(): Route {
    return this.fallback;
  }

  /** Returns every route that `route` may return. */
  routes(): Route[] {
    const stores = [this.iosStore, this.androidStore].filter((store) => store !== null);
    const targets = this.candidates.map(({ choice }) => choice);
    return [...this.rules.map(({ route }) => route), ...targets, ...stores, this.fallback];
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

/** Returns the URL a visitor is sent to: ASCII only, fit for a `Location` header. */
export function finalDestination({ definition }: CompiledLink, route: Route, visit: VisitQuery): string {
  const clickId = definition.appendClickId ? visit.clickId : undefined;
  if (route.kind === "store") return withToken(definition, route, storeVisitUrl(route, visit.query), visit, clickId);
  const withVisitors = route.store === "play" ? withPlayVisitorQuery : withVisitorQuery;
  let url = visit.query === "" ? route.url : withVisitors(route.url, visit.query);
  if (clickId !== undefined && route.store !== "play") url = withClickId(url, clickId);
  return route.isStore ? withToken(definition, route, url, visit, clickId) : url;
}

function storeVisitUrl({ store, url }: Route, query: string): string {
  return store === "play" && query !== "" ? withVisitorReferrer(url, readVisitorQuery(query)) : url;
}

/** Play takes the click id in its referrer, like everything else. */
function withToken(
  { app }: LinkDefinition,
  { store }: Route,
  url: string,
  { matchToken }: VisitQuery,
  clickId: string | undefined,
): string {
  if (store === "app_store") return withAppStoreCampaign(url, app, matchToken);
  return matchToken === undefined && clickId === undefined ? url : withPlayIds(url, matchToken, clickId);
}

/**
 * Adds the link's parameters to a destination. If the link appends click ids, a click id in the configured URL is
 * removed: it belongs to an older click.
 */
function decorate({ appendClickId }: LinkDefinition, url: string, additions: readonly Pair[]): string {
  const plain =
    appendClickId && url.includes(CLICK_ID_PARAMETER)
      ? editQuery(url, (pairs) => pairs.filter(({ key }) => key !== CLICK_ID_PARAMETER))
      : url;
  return withAdditions(plain, additions);
}
