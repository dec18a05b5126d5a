/** Explains to users who try out a link why a visitor is not sent to an app store. */
import type { StoreSkipped } from "@/contract/links/link-preview";
import { rulePlace } from "../rules/rule-order";
import type { VisitorFacts } from "./facts";
import type { LinkDefinition } from "./link";
import type { Route } from "./route";
import { isHandset } from "./store";

export interface SkippedVisit {
  link: LinkDefinition;
  /** Whether the link names a profile, and whether it is on the shared domain, which belongs to no organization. */
  namesProfile: boolean;
  isOnSharedDomain: boolean;
  facts: VisitorFacts;
  route: Route;
}

/** Returns the first thing to change, or null if the visitor is sent to a store. */
export function storeSkipped(visit: SkippedVisit): StoreSkipped | null {
  if (visit.route.kind === "store") return null;
  return withoutApp(visit) ?? withApp(visit);
}

function withoutApp({ link, namesProfile, isOnSharedDomain }: SkippedVisit): StoreSkipped | null {
  if (link.app !== null) return null;
  if (namesProfile) return skipped("no_app", "The app profile was deleted or names no app; give it `ios` or `android`");
  if (isOnSharedDomain) return skipped("no_app", "The shared domain has no app; name `appProfileId`");
  return skipped(
    "no_app",
    "No app profile's `pathPrefix` matches, and the domain's app-config names no app; name `appProfileId`",
  );
}

function withApp({ link: { app, rules }, facts, route }: SkippedVisit): StoreSkipped | null {
  const { platform } = facts;
  if (app?.fallback === "web") return skipped("web_fallback", "The app's `fallback` is `web`");
  if (route.kind === "rule") return skipped("rule", `Rule ${rulePlace(rules, route.ruleIndex ?? 0)} applies first`);
  if (route.kind === "split") return skipped("split", "The split targets apply first");
  if (platform === undefined) return skipped("platform", "Only iOS and Android have a store; set `platform`");
  if (platform !== "ios" && platform !== "android") {
    return skipped("platform", `Only iOS and Android have a store, not \`${platform}\``);
  }
  if (!isHandset(facts)) return skipped("device", `Only phones and tablets have a store, not \`${facts.deviceType}\``);
  const field = platform === "ios" ? "ios.appStoreId" : "android.packageName";
  return skipped("no_store_id", `The app has no \`${field}\``);
}

const skipped = (reason: StoreSkipped["reason"], note: string): StoreSkipped => ({ reason, note });
