/** How conditions match the user agents of real phones and tablets. */
import { type ConditionDraft, conditionCase } from "./shape";

const by = (agent: NonNullable<NonNullable<ConditionDraft["visitor"]>["agent"]>) => ({ agent });

const drafts: ConditionDraft[] = [
  // Apple phones and tablets.
  { name: "an iPhone is on ios", when: { platform: ["ios"] }, visitor: by("iphoneSafari"), matches: true },
  { name: "an iPhone is not on android", when: { platform: ["android"] }, visitor: by("iphoneSafari"), matches: false },
  { name: "an iPhone is mobile", when: { deviceTypes: ["mobile"] }, visitor: by("iphone16"), matches: true },
  { name: "an iPhone is no tablet", when: { deviceTypes: ["tablet"] }, visitor: by("iphone16"), matches: false },
  { name: "an iPhone on iOS 16.6 is below 17", when: { minOsVersion: "17" }, visitor: by("iphone16"), matches: false },
  {
    name: "an iPhone on iOS 26.2 is at least on 26",
    when: { minOsVersion: "26" },
    visitor: by("iphone26"),
    matches: true,
  },
  {
    name: "an iPhone on iOS 26.2 is beyond 18",
    when: { maxOsVersion: "18.9" },
    visitor: by("iphone26"),
    matches: false,
  },
  {
    name: "an iPad on iPadOS 26.0.1 is on that",
    when: { minOsVersion: "26.0.1", maxOsVersion: "26.0.1" },
    visitor: by("ipad26"),
    matches: true,
  },
  {
    name: "an old iPhone is at most on 12.5.7",
    when: { maxOsVersion: "12.5.7" },
    visitor: by("iphoneOld"),
    matches: true,
  },
  {
    name: "an old iPhone is beyond 12.5.6",
    when: { maxOsVersion: "12.5.6" },
    visitor: by("iphoneOld"),
    matches: false,
  },
  { name: "Chrome on an iPhone is Chrome", when: { browsers: ["Chrome"] }, visitor: by("iphoneChrome"), matches: true },
  {
    name: "Chrome on an iPhone is not Mobile Safari, though it says so",
    when: { browsers: ["Mobile Safari"] },
    visitor: by("iphoneChrome"),
    matches: false,
  },
  {
    name: "Firefox on an iPhone is Firefox",
    when: { browsers: ["firefox"] },
    visitor: by("iphoneFirefox"),
    matches: true,
  },
  { name: "Edge on an iPhone is Edge", when: { browsers: ["Edge"] }, visitor: by("iphoneEdge"), matches: true },
  { name: "an iPad is on ios", when: { platform: ["ios"] }, visitor: by("ipad"), matches: true },
  { name: "an iPad is a tablet", when: { deviceTypes: ["tablet"] }, visitor: by("ipad"), matches: true },
  { name: "an iPad is no phone", when: { deviceTypes: ["mobile"] }, visitor: by("ipad17"), matches: false },
  { name: "an iPad is an iPad by model", when: { deviceModels: ["iPad"] }, visitor: by("ipad17"), matches: true },
  {
    name: "an iPad that asks for desktop pages cannot be told from a Mac",
    when: { platform: ["desktop"], deviceModels: ["Macintosh"] },
    visitor: by("ipadDesktop"),
    matches: true,
  },

  // Other phones and tablets.
  { name: "a Pixel is on android", when: { platform: ["android"] }, visitor: by("pixel8"), matches: true },
  { name: "a Pixel is not on ios", when: { platform: ["ios"] }, visitor: by("pixel8"), matches: false },
  { name: "a Pixel 6 is of Google", when: { deviceVendors: ["Google"] }, visitor: by("pixel6"), matches: true },
  {
    name: "a Pixel 6 is a Pixel 6 by model",
    when: { deviceModels: ["pixel 6"] },
    visitor: by("pixel6"),
    matches: true,
  },
  {
    name: "a phone that hides its model is of no known vendor",
    when: { deviceVendors: ["Google", "Samsung"] },
    visitor: by("reduced"),
    matches: false,
  },
  {
    name: "a phone that hides its model is mobile",
    when: { deviceTypes: ["mobile"] },
    visitor: by("reduced"),
    matches: true,
  },
  {
    name: "a phone that hides its version has at least the one that it states",
    when: { minOsVersion: "10" },
    visitor: by("reduced"),
    matches: true,
  },
  {
    name: "a phone that hides its version is not known to have a later one than it states",
    when: { minOsVersion: "10.1" },
    visitor: by("reduced"),
    matches: false,
  },
  {
    name: "a phone that hides its version may have one above any",
    when: { maxOsVersion: "99" },
    visitor: by("reduced"),
    matches: false,
  },
  {
    name: "a phone that hides its model is not the model that it states",
    when: { deviceModels: ["K"] },
    visitor: by("reduced"),
    matches: false,
  },
  {
    name: "an Android browser without Mobile is on a tablet",
    when: { deviceTypes: ["tablet"] },
    visitor: by("reducedTablet"),
    matches: true,
  },
  {
    name: "a Galaxy S23 is found by vendor and model",
    when: { deviceVendors: ["samsung"], deviceModels: ["SM-S911B"] },
    visitor: by("galaxyS23"),
    matches: true,
  },
  {
    name: "a Galaxy S23 is no Galaxy S24",
    when: { deviceVendors: ["Samsung"], deviceModels: ["SM-S921B"] },
    visitor: by("galaxyS23"),
    matches: false,
  },
  {
    name: "Samsung's own browser goes by its name",
    when: { browsers: ["Samsung Internet"] },
    visitor: by("samsungInternet"),
    matches: true,
  },
  {
    name: "Samsung's own browser is not Chrome",
    when: { browsers: ["Chrome"] },
    visitor: by("samsungInternet"),
    matches: false,
  },
  { name: "a Galaxy Tab is a tablet", when: { deviceTypes: ["tablet"] }, visitor: by("galaxyTab"), matches: true },
  {
    name: "a Galaxy Tab S7 on Android 11 is below 12",
    when: { minOsVersion: "12" },
    visitor: by("galaxyTabS7"),
    matches: false,
  },
  { name: "a Redmi is of Xiaomi", when: { deviceVendors: ["Xiaomi"] }, visitor: by("redmi"), matches: true },
  {
    name: "Firefox for Android is on android",
    when: { platform: ["android"] },
    visitor: by("firefoxAndroid"),
    matches: true,
  },
  {
    name: "Firefox for Android tells no vendor",
    when: { deviceVendors: ["Samsung"] },
    visitor: by("firefoxAndroid"),
    matches: false,
  },
  { name: "a Huawei on Android is on android", when: { platform: ["android"] }, visitor: by("huawei"), matches: true },
  {
    name: "a phone under OpenHarmony is on other",
    when: { platform: ["other"] },
    visitor: by("harmony"),
    matches: true,
  },
  {
    name: "a OnePlus is mobile on Android 13",
    when: { minOsVersion: "13", maxOsVersion: "13" },
    visitor: by("oneplus"),
    matches: true,
  },
  { name: "a Fire tablet is of Amazon", when: { deviceVendors: ["Amazon"] }, visitor: by("kindleFire"), matches: true },
  { name: "an Android of 2012 is below 4.1", when: { maxOsVersion: "4.0.9" }, visitor: by("android4"), matches: true },
  { name: "Opera Mini tells no version", when: { minOsVersion: "1" }, visitor: by("operaMini"), matches: false },
  {
    name: "Opera Mini on Android is on android",
    when: { platform: ["android"] },
    visitor: by("operaMini"),
    matches: true,
  },
  { name: "a KaiOS phone is on other", when: { platform: ["other"] }, visitor: by("nokia"), matches: true },
  {
    name: "a KaiOS phone is mobile all the same",
    when: { deviceTypes: ["mobile"] },
    visitor: by("nokia"),
    matches: true,
  },
  { name: "a BlackBerry is on other", when: { platform: ["other"] }, visitor: by("blackberry"), matches: true },
  {
    name: "a Windows phone is neither on desktop nor on android, though it says so",
    when: { platform: ["desktop", "android"] },
    visitor: by("windowsPhone"),
    matches: false,
  },
  {
    name: "DuckDuckGo goes by its name",
    when: { browsers: ["DuckDuckGo"] },
    visitor: by("duckAndroid"),
    matches: true,
  },
];

export const handheldCases = drafts.map(conditionCase);
