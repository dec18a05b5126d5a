/** A phone or tablet is sent to the app's store if neither a rule nor a split decides. */
import type { AppTarget } from "@/contract/routing";
import { type CaseDraft, DEFAULT } from "./shape";

const app: AppTarget = {
  fallback: "store",
  ios: { appStoreId: "284882215" },
  android: { packageName: "com.example.app" },
};
const PLAY = "https://play.google.com/store/apps/details?id=com.example.app";
const APP_STORE = "https://apps.apple.com/app/id284882215?mt=8";
const toStore = (destinationUrl: string) => ({ kind: "store", destinationUrl }) as const;

export const storeCases: CaseDraft[] = [
  {
    name: "an iPhone is sent to the App Store",
    app,
    link: {},
    visitor: { agent: "iphoneSafari" },
    expect: toStore(APP_STORE),
  },
  { name: "an iPad is sent to the App Store", app, link: {}, visitor: { agent: "ipad" }, expect: toStore(APP_STORE) },
  { name: "a Pixel is sent to Play", app, link: {}, visitor: { agent: "pixel8" }, expect: toStore(PLAY) },
  {
    name: "an Android tablet is sent to Play",
    app,
    link: {},
    visitor: { agent: "galaxyTabS7" },
    expect: toStore(PLAY),
  },
  {
    name: "an Android device of unknown type is taken for a phone",
    app,
    link: {},
    visitor: { agent: "operaMini" },
    expect: toStore(PLAY),
  },
  { name: "a television on android stays on the web", app, link: {}, visitor: { agent: "bravia" }, expect: {} },
  { name: "glasses on android stay on the web", app, link: {}, visitor: { agent: "glass" }, expect: {} },
  { name: "a computer stays on the web", app, link: {}, visitor: { agent: "macSafari" }, expect: {} },
  { name: "a phone on another platform stays on the web", app, link: {}, visitor: { agent: "nokia" }, expect: {} },
  {
    name: "an app that prefers the web keeps phones there",
    app: { ...app, fallback: "web" },
    link: {},
    visitor: { agent: "iphoneSafari" },
    expect: {},
  },
  {
    name: "an app for android alone leaves iPhones on the web",
    app: { fallback: "store", android: app.android },
    link: {},
    visitor: { agent: "iphoneSafari" },
    expect: {},
  },
  {
    name: "an app for ios alone leaves Androids on the web",
    app: { fallback: "store", ios: app.ios },
    link: {},
    visitor: { agent: "pixel8" },
    expect: {},
  },
  {
    name: "an app without an App Store id leaves iPhones on the web",
    app: { fallback: "store", ios: { bundleId: "com.example" } },
    link: {},
    visitor: { agent: "iphoneSafari" },
    expect: {},
  },
  {
    name: "a rule goes before the store",
    app,
    link: { rules: [{ destinationUrl: "https://ios.example.com/", conditions: { platform: ["ios"] } }] },
    visitor: { agent: "iphoneSafari" },
    expect: { kind: "rule", ruleIndex: 0, destinationUrl: "https://ios.example.com/" },
  },
  {
    name: "a split goes before the store",
    app,
    link: { splitTargets: [{ key: "a", destinationUrl: "https://a.example.com/" }] },
    visitor: { agent: "pixel8" },
    expect: { kind: "split", splitKey: "a", destinationUrl: "https://a.example.com/" },
  },
  {
    name: "a split that is switched off leaves the store",
    app,
    link: { splitTargets: [{ key: "a", destinationUrl: DEFAULT, isActive: false }] },
    visitor: { agent: "pixel8" },
    expect: toStore(PLAY),
  },
  {
    name: "UTM travels to Play in the referrer",
    app,
    link: { utm: { source: "mail", campaign: "a b" } },
    visitor: { agent: "pixel8" },
    expect: toStore(`${PLAY}&referrer=utm_source%3Dmail%26utm_campaign%3Da%2520b`),
  },
  {
    name: "a visitor's query travels to Play in the referrer and cannot change the app",
    app,
    link: {},
    visitor: { agent: "pixel8", query: "id=evil&gclid=g" },
    expect: toStore(`${PLAY}&referrer=id%3Devil%26gclid%3Dg`),
  },
  {
    name: "a visitor's own referrer is unpacked for Play",
    app,
    link: { utm: { source: "mail" } },
    visitor: { agent: "pixel8", query: "referrer=utm_source%3Dad%26match_token%3Dforged" },
    expect: toStore(`${PLAY}&referrer=utm_source%3Dad`),
  },
  {
    name: "UTM and attribution travel in the referrer to a Play URL of a rule, too",
    link: {
      rules: [{ destinationUrl: PLAY }],
      utm: { source: "mail", campaign: "a b" },
      marketing: { couponCode: "C", appendToDestination: true },
    },
    visitor: { agent: "pixel8" },
    expect: {
      kind: "rule",
      ruleIndex: 0,
      destinationUrl: `${PLAY}&referrer=utm_source%3Dmail%26utm_campaign%3Da%2520b%26coupon%3DC`,
    },
  },
  {
    name: "UTM never overwrites the referrer of a Play URL",
    link: { defaultUrl: `${PLAY}&referrer=utm_source%3Dad&hl=de`, utm: { source: "mail", medium: "email" } },
    visitor: { agent: "macSafari" },
    expect: { destinationUrl: `${PLAY}&hl=de&referrer=utm_source%3Dad%26utm_medium%3Demail` },
  },
  {
    name: "a visitor's query travels in the referrer to a Play URL, but for the page's language, and not the app's id",
    link: { defaultUrl: `${PLAY}&hl=de`, utm: { source: "mail", medium: "email" } },
    visitor: { agent: "pixel8", query: "utm_source=ad&id=evil&hl=fr&gclid=g" },
    expect: {
      destinationUrl: `${PLAY}&hl=fr&referrer=utm_medium%3Demail%26utm_source%3Dad%26gclid%3Dg`,
    },
  },
  {
    name: "the App Store gets nothing of a visitor's query",
    app,
    link: { utm: { source: "mail" } },
    visitor: { agent: "iphoneSafari", query: "a=1" },
    expect: toStore(APP_STORE),
  },
  {
    name: "Apple's campaign and provider are the app's",
    app: { ...app, ios: { appStoreId: "id284882215", campaignName: "spring sale", providerToken: "123" } },
    link: {},
    visitor: { agent: "iphoneSafari" },
    expect: toStore("https://apps.apple.com/app/id284882215?ct=spring%20sale&mt=8&pt=123"),
  },
];
