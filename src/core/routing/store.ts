/** App stores: recognizes their URLs, builds them, and passes match tokens through them. */
import type { AppTarget } from "@/contract/routing";
import {
  addMissing,
  CLICK_ID_PARAMETER,
  overrideWith,
  type Pair,
  pair,
  parameterOf,
  readQuery,
  readVisitorQuery,
  writeQuery,
} from "../query";
import { editQuery } from "./destination";
import type { VisitorFacts } from "./facts";

export type Store = "play" | "app_store";

/** The parameter that names the app on Play. */
const PLAY_ID = "id";
/** The parameters for the language and country of a page on Play. */
const PLAY_PAGE: ReadonlySet<string> = new Set(["hl", "gl"]);

const PLAY = /^https?:\/\/play\.google\.com\/store\/apps\/details\?(?:[^#]*&)?id=/;
const APP_STORE = /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id(\d+)/;

/** `url` is normalized. */
export function storeOf(url: string): Store | null {
  if (PLAY.test(url)) return "play";
  return APP_STORE.test(url) ? "app_store" : null;
}

/** Returns the app's store page on each platform; null where the link has no app for it or prefers the web. */
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
 * Returns the apps that a visitor may be sent to, as stored with a click: `<App Store id>,<package>`. Returns
 * undefined if there are none.
 */
export function offeredApps(app: AppTarget | null): string | undefined {
  if (app?.fallback !== "store") return undefined;
  const { appStoreId = "" } = app.ios ?? {};
  const { packageName = "" } = app.android ?? {};
  return appStoreId === "" && packageName === "" ? undefined : `${appStoreId},${packageName}`;
}

/** Restores what routing needs of an app from the output of `offeredApps`. */
export function appOf(offered: string | undefined): AppTarget | null {
  if (offered === undefined) return null;
  const [appStoreId, packageName] = offered.split(",", 2);
  return { fallback: "store", ios: { appStoreId }, android: { packageName } };
}

/**
 * True for phones and tablets. An iOS or Android device of unknown type counts as a phone: televisions, watches and
 * headsets are recognized as such.
 */
export function isHandset({ deviceType }: VisitorFacts): boolean {
  return !deviceType || deviceType === "mobile" || deviceType === "tablet";
}

/**
 * Adds parameters without overwriting any that the destination has. Play passes nothing on to the app but the
 * referrer, so there they are added to that.
 */
export function withAdditions(url: string, additions: readonly Pair[]): string {
  if (additions.length === 0) return url;
  const edit = (pairs: Pair[]) => addMissing(pairs, additions);
  return storeOf(url) === "play" ? editReferrer(url, edit) : editQuery(url, edit);
}

/** Returns the parameters of a destination that `withAdditions` does not overwrite. */
export function ownParametersOf(url: string): Pair[] {
  const own = readQuery(new URL(url).search.slice(1));
  return storeOf(url) === "play" ? readQuery(parameterOf(own, "referrer") ?? "") : own;
}

/**
 * Adds the visitor's parameters to a configured Play URL: into the referrer, but for those of the page itself. No
 * visitor may change the app.
 */
export function withPlayVisitorQuery(playUrl: string, query: string): string {
  const visitors = readVisitorQuery(query).filter(({ key }) => key !== PLAY_ID);
  const ofPage = visitors.filter(({ key }) => PLAY_PAGE.has(key));
  const others = visitors.filter(({ key }) => !PLAY_PAGE.has(key));
  const url = ofPage.length === 0 ? playUrl : editQuery(playUrl, (pairs) => overrideWith(pairs, ofPage));
  return others.length === 0 ? url : withVisitorReferrer(url, others);
}

/**
 * Play drops every parameter except `id` and `referrer`, and passes the latter to the app. So the visitor's
 * parameters, which a web page would get in its URL, go into the referrer.
 */
export function withVisitorReferrer(playUrl: string, visitors: readonly Pair[]): string {
  const referrer = readVisitorQuery(parameterOf(visitors, "referrer") ?? "");
  const others = visitors.filter(({ key }) => key !== "referrer");
  return editReferrer(playUrl, (pairs) => overrideWith(pairs, overrideWith(others, referrer)));
}

/** True if an App Store URL is that of this app, and not of another app that a rule leads to. */
export const isStoreOf = (url: string, app: AppTarget | null): boolean => {
  const appStoreId = digitsOf(app?.ios?.appStoreId ?? "");
  return appStoreId !== "" && APP_STORE.exec(url)?.[1] === appStoreId;
};

/** Puts the token first and the click id last: a long referrer is cut at its end. */
export function withPlayIds(playUrl: string, token: string | undefined, clickId?: string): string {
  return editReferrer(playUrl, (pairs) => [
    ...(token === undefined ? [] : [pair("match_token", token)]),
    ...pairs,
    ...(clickId === undefined ? [] : [pair(CLICK_ID_PARAMETER, clickId)]),
  ]);
}

/**
 * Adds Apple's campaign parameters where the URL does not have them. The token is the campaign unless the app names
 * one; Apple reports tokens only in total. Campaign and provider belong to the app and are never added to the URL of
 * another one.
 */
export function withAppStoreCampaign(url: string, app: AppTarget | null, token: string | undefined): string {
  const own = isStoreOf(url, app) ? app?.ios : undefined;
  const campaign = own?.campaignName || token;
  const additions = [
    ...(campaign ? [pair("ct", campaign)] : []),
    pair("mt", "8"),
    ...(own?.providerToken ? [pair("pt", own.providerToken)] : []),
  ];
  return editQuery(url, (pairs) => addMissing(pairs, additions));
}

function playUrl(packageName: string, additions: readonly Pair[]): string {
  const url = `https://play.google.com/store/apps/details?${PLAY_ID}=${encodeURIComponent(packageName)}`;
  return additions.length === 0 ? url : editReferrer(url, () => [...additions]);
}

/**
 * Edits the referrer, a query string inside a query string. Drops a token that is already in it, which is someone
 * else's.
 */
function editReferrer(url: string, edit: (pairs: Pair[]) => Pair[]): string {
  return editQuery(url, (pairs) => {
    const referrer = edit(readVisitorQuery(parameterOf(pairs, "referrer") ?? ""));
    const others = pairs.filter(({ key }) => key !== "referrer");
    return referrer.length === 0 ? others : [...others, pair("referrer", writeQuery(referrer))];
  });
}

/** Removes the `id` that App Store ids are often written with. */
function digitsOf(appStoreId: string): string {
  return appStoreId.replace(/^id/i, "");
}
