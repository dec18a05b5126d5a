/** App stores: recognising their URLs, making them, and handing a match token through them. */
import type { AppTarget } from "@/contract/routing";
import { complement, overlay, type Pair, pair, parameterOf, readVisitorQuery, writeQuery } from "../query";
import { editQuery } from "./destination";
import type { VisitorFacts } from "./facts";

export type Store = "play" | "app_store";

/** The parameter that names the app on Play. */
export const PLAY_ID = "id";

const PLAY = /^https?:\/\/play\.google\.com\/store\/apps\/details\?(?:[^#]*&)?id=/;
const APP_STORE = /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id(\d+)/;

/** `url` is normalised. */
export function storeOf(url: string): Store | null {
  if (PLAY.test(url)) return "play";
  return APP_STORE.test(url) ? "app_store" : null;
}

/** Where the app is to be had on each platform; null where the link has no app for it or prefers the web. */
export function storeUrls(app: AppTarget | null, additions: readonly Pair[]) {
  const isOffered = app?.fallback === "store";
  const { appStoreId } = app?.ios ?? {};
  const { packageName } = app?.android ?? {};
  return {
    ios: isOffered && appStoreId ? `https://apps.apple.com/app/id${encodeURIComponent(digitsOf(appStoreId))}` : null,
    android: isOffered && packageName ? playUrl(packageName, additions) : null,
  };
}

/**
 * Returns the apps that a visitor may be sent to, as a click keeps them: `<App Store id>,<package>`. Undefined if there
 * are none.
 */
export function offeredApps(app: AppTarget | null): string | undefined {
  if (app?.fallback !== "store") return undefined;
  const { appStoreId = "" } = app.ios ?? {};
  const { packageName = "" } = app.android ?? {};
  return appStoreId === "" && packageName === "" ? undefined : `${appStoreId},${packageName}`;
}

/** What `offeredApps` made, as far as routing asks for it. */
export function appOf(offered: string | undefined): AppTarget | null {
  if (offered === undefined) return null;
  const [appStoreId, packageName] = offered.split(",", 2);
  return { fallback: "store", ios: { appStoreId }, android: { packageName } };
}

/** An iOS or Android device of unknown type is taken for a phone; a television, a watch or a headset is known as one. */
export function isHandset({ deviceType }: VisitorFacts): boolean {
  return !deviceType || deviceType === "mobile" || deviceType === "tablet";
}

/**
 * Play drops every parameter but `id` and `referrer`, and hands the latter to the app: so what would be added to a web
 * page travels in there.
 */
export function withVisitorReferrer(playUrl: string, query: string): string {
  const visitors = readVisitorQuery(query);
  const referrer = readVisitorQuery(parameterOf(visitors, "referrer") ?? "");
  const others = visitors.filter(({ key }) => key !== "referrer");
  return editReferrer(playUrl, (pairs) => overlay(pairs, overlay(others, referrer)));
}

/** Whether an App Store URL is that of the app itself, and not of another one that a rule leads to. */
export const isStoreOf = (url: string, app: AppTarget | null): boolean => {
  const appStoreId = digitsOf(app?.ios?.appStoreId ?? "");
  return appStoreId !== "" && APP_STORE.exec(url)?.[1] === appStoreId;
};

/** The token goes first: whatever cuts a long referrer cuts its end. */
export function withPlayToken(playUrl: string, token: string): string {
  return editReferrer(playUrl, (pairs) => [pair("match_token", token), ...pairs]);
}

/**
 * Apple's campaign parameters, where the URL has none of its own. The token is the campaign unless the app has one, since
 * Apple shows campaigns only in sum. Campaign and provider are the app's and never put on another one.
 */
export function withAppStoreCampaign(url: string, app: AppTarget | null, token: string | undefined): string {
  const own = isStoreOf(url, app) ? app?.ios : undefined;
  const campaign = own?.campaignName || token;
  const additions = [
    ...(campaign ? [pair("ct", campaign)] : []),
    pair("mt", "8"),
    ...(own?.providerToken ? [pair("pt", own.providerToken)] : []),
  ];
  return editQuery(url, (pairs) => complement(pairs, additions));
}

function playUrl(packageName: string, additions: readonly Pair[]): string {
  const url = `https://play.google.com/store/apps/details?${PLAY_ID}=${encodeURIComponent(packageName)}`;
  return additions.length === 0 ? url : editReferrer(url, () => [...additions]);
}

/** The referrer is a query string inside a query string. A token that is there already is somebody else's. */
function editReferrer(url: string, edit: (pairs: Pair[]) => Pair[]): string {
  return editQuery(url, (pairs) => {
    const referrer = edit(readVisitorQuery(parameterOf(pairs, "referrer") ?? ""));
    const others = pairs.filter(({ key }) => key !== "referrer");
    return referrer.length === 0 ? others : [...others, pair("referrer", writeQuery(referrer))];
  });
}

/** App Store ids are noted with and without their `id`. */
function digitsOf(appStoreId: string): string {
  return appStoreId.replace(/^id/i, "");
}
