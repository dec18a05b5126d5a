/** How conditions match computers, televisions, consoles, wearables, in-app browsers, and crawlers. */
import { type ConditionDraft, conditionCase } from "./shape";

const by = (agent: NonNullable<NonNullable<ConditionDraft["visitor"]>["agent"]>) => ({ agent });

const drafts: ConditionDraft[] = [
  // Computers.
  { name: "Windows is on desktop", when: { platform: ["desktop"] }, visitor: by("windowsChrome"), matches: true },
  {
    name: "a Windows computer is a desktop by type",
    when: { deviceTypes: ["desktop"] },
    visitor: by("windowsChrome"),
    matches: true,
  },
  { name: "Edge on Windows is not Chrome", when: { browsers: ["Chrome"] }, visitor: by("windowsEdge"), matches: false },
  {
    name: "Edge on Windows is Edge",
    when: { browsers: ["Chrome", "Edge"] },
    visitor: by("windowsEdge"),
    matches: true,
  },
  { name: "Windows 10 is at least 10", when: { minOsVersion: "10.0" }, visitor: by("windowsFirefox"), matches: true },
  { name: "Windows 7 is below 8", when: { minOsVersion: "8" }, visitor: by("windows7"), matches: false },
  {
    name: "Windows XP has no version to compare",
    when: { maxOsVersion: "99" },
    visitor: by("windowsXp"),
    matches: false,
  },
  { name: "Opera on Windows is Opera", when: { browsers: ["Opera"] }, visitor: by("operaWindows"), matches: true },
  { name: "a Mac is on desktop", when: { platform: ["desktop"] }, visitor: by("macSafari"), matches: true },
  { name: "a Mac is of Apple", when: { deviceVendors: ["apple"] }, visitor: by("macChrome"), matches: true },
  {
    name: "a Mac is not on ios",
    when: { platform: ["ios"], deviceVendors: ["Apple"] },
    visitor: by("macSafari"),
    matches: false,
  },
  {
    name: "macOS 10.15 is 10.15.0",
    when: { minOsVersion: "10.15.0", maxOsVersion: "10.15.0" },
    visitor: by("macFirefox"),
    matches: true,
  },
  { name: "Linux is on desktop", when: { platform: ["desktop"] }, visitor: by("linuxFirefox"), matches: true },
  { name: "Linux tells no version", when: { minOsVersion: "0" }, visitor: by("linuxChrome"), matches: false },
  { name: "Ubuntu is on desktop", when: { platform: ["desktop"] }, visitor: by("ubuntuFirefox"), matches: true },
  { name: "Fedora is on desktop", when: { platform: ["desktop"] }, visitor: by("fedora"), matches: true },
  { name: "a Chromebook is on desktop", when: { platform: ["desktop"] }, visitor: by("chromeOs"), matches: true },
  { name: "FreeBSD is on other", when: { platform: ["other"] }, visitor: by("freebsd"), matches: true },

  // Televisions, consoles, and wearables.
  {
    name: "a Samsung television is a smarttv",
    when: { deviceTypes: ["smarttv"] },
    visitor: by("samsungTv"),
    matches: true,
  },
  {
    name: "a Samsung television is not on desktop",
    when: { platform: ["desktop"] },
    visitor: by("samsungTv"),
    matches: false,
  },
  { name: "an LG television is on other", when: { platform: ["other"] }, visitor: by("lgTv"), matches: true },
  {
    name: "an Apple TV is a smarttv of Apple",
    when: { deviceTypes: ["smarttv"], deviceVendors: ["Apple"] },
    visitor: by("appleTv"),
    matches: true,
  },
  { name: "an Apple TV is not on ios", when: { platform: ["ios"] }, visitor: by("appleTv"), matches: false },
  {
    name: "a Chromecast is a smarttv on android",
    when: { platform: ["android"], deviceTypes: ["smarttv"] },
    visitor: by("chromecast"),
    matches: true,
  },
  {
    name: "a Bravia is no phone, though on android",
    when: { platform: ["android"], deviceTypes: ["mobile", "tablet"] },
    visitor: by("bravia"),
    matches: false,
  },
  { name: "a Roku is of Roku", when: { deviceVendors: ["Roku"] }, visitor: by("roku"), matches: true },
  { name: "a PlayStation 5 is a console", when: { deviceTypes: ["console"] }, visitor: by("ps5"), matches: true },
  {
    name: "a PlayStation 4 is no PlayStation 5",
    when: { deviceModels: ["PlayStation 5"] },
    visitor: by("ps4"),
    matches: false,
  },
  {
    name: "an Xbox One is a console and on other",
    when: { platform: ["other"], deviceTypes: ["console"] },
    visitor: by("xboxOne"),
    matches: true,
  },
  {
    name: "an Xbox is not on desktop, though it says Windows",
    when: { platform: ["desktop"] },
    visitor: by("xboxSeries"),
    matches: false,
  },
  { name: "a Switch is of Nintendo", when: { deviceVendors: ["nintendo"] }, visitor: by("switch"), matches: true },
  { name: "a Wii U is a console", when: { deviceTypes: ["console"] }, visitor: by("wiiU"), matches: true },
  {
    name: "a Galaxy Watch is a wearable",
    when: { deviceTypes: ["wearable"] },
    visitor: by("galaxyWatch"),
    matches: true,
  },
  { name: "a Google Glass is no phone", when: { deviceTypes: ["mobile"] }, visitor: by("glass"), matches: false },
  { name: "a Quest is xr", when: { deviceTypes: ["xr"] }, visitor: by("quest"), matches: true },

  // In-app browsers, and bots.
  {
    name: "Instagram's browser goes by its name on ios",
    when: { platform: ["ios"], browsers: ["Instagram"] },
    visitor: by("instagramIos"),
    matches: true,
  },
  {
    name: "Instagram's browser goes by its name on android",
    when: { platform: ["android"], browsers: ["Instagram"] },
    visitor: by("instagramAndroid"),
    matches: true,
  },
  {
    name: "Facebook's browser goes by its name on ios",
    when: { browsers: ["Facebook"] },
    visitor: by("facebookIos"),
    matches: true,
  },
  {
    name: "Facebook's browser is not Chrome WebView",
    when: { browsers: ["Chrome WebView"] },
    visitor: by("facebookAndroid"),
    matches: false,
  },
  {
    name: "TikTok's browser goes by its name on android",
    when: { browsers: ["TikTok"] },
    visitor: by("tiktokAndroid"),
    matches: true,
  },
  {
    name: "TikTok's browser goes by its name on ios",
    when: { browsers: ["tiktok"] },
    visitor: by("tiktokIos"),
    matches: true,
  },
  {
    name: "Snapchat's browser on iOS 14 is below 15",
    when: { browsers: ["Snapchat"], minOsVersion: "15" },
    visitor: by("snapchat"),
    matches: false,
  },
  { name: "WeChat's browser goes by its name", when: { browsers: ["WeChat"] }, visitor: by("wechat"), matches: true },
  {
    name: "a crawler is routed like anyone else",
    when: { platform: ["other"] },
    visitor: by("googlebot"),
    matches: true,
  },
  {
    name: "a crawler has no device type",
    when: { deviceTypes: ["desktop", "mobile"] },
    visitor: by("googlebot"),
    matches: false,
  },
  {
    name: "a link preview of Facebook has no browser",
    when: { browsers: ["Facebook"] },
    visitor: by("facebookBot"),
    matches: false,
  },
  {
    name: "a link preview of Twitter is on other",
    when: { platform: ["other"] },
    visitor: by("twitterbot"),
    matches: true,
  },
  {
    name: "a link preview of Slack is not on desktop",
    when: { platform: ["desktop"] },
    visitor: by("slackbot"),
    matches: false,
  },
  { name: "curl is on other", when: { platform: ["other"] }, visitor: by("curl"), matches: true },
];

export const machineCases = drafts.map(conditionCase);
