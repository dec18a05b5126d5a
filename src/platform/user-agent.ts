/**
 * Reads what a User-Agent header reveals about its sender. Parsing takes 20 µs, a header seen recently a tenth of
 * one.
 */
import { isbot } from "isbot";
import { UAParser } from "ua-parser-js";
import type { Platform } from "@/contract/platforms";
import { agentMarks } from "@/core/rules/marks";
import { compareVersions, OR_LATER } from "@/core/version";
import { createBoundedMap, ownText } from "./bounded-map";

export type AgentBot = "crawler" | "no_user_agent";

export interface AgentFacts {
  readonly platform: Platform;
  /** One of mobile, tablet, desktop, console, wearable, smarttv, embedded and xr. */
  readonly deviceType?: string;
  readonly deviceVendor?: string;
  readonly deviceModel?: string;
  readonly browser?: string;
  readonly os?: string;
  readonly osVersion?: string;
  /** Why the sender is not a person, as far as the header shows; null if it shows no such thing. */
  readonly bot: AgentBot | null;
  /**
   * As `bot`, but for callers of an API meant for programs: a program's name does not make it a bot, only what
   * nothing but crawlers send does.
   */
  readonly isCrawler: boolean;
}

/** Includes the marks by which rules are skipped. */
export interface MarkedAgent extends AgentFacts {
  readonly marks: number;
}

/** No browser sends a longer header. A longer one is cut before it is parsed or cached. */
const USER_AGENT_LENGTH_MAX = 512;
const AGENTS_MAX = 16_384;
const NAME_LENGTH_MAX = 100;

const agents = createBoundedMap<string, MarkedAgent>(AGENTS_MAX);

/** Returns the same frozen object for the same header. */
export function parseUserAgent(userAgent: string): MarkedAgent {
  const header = userAgent.length > USER_AGENT_LENGTH_MAX ? userAgent.slice(0, USER_AGENT_LENGTH_MAX) : userAgent;
  const known = agents.get(header);
  if (known) return known;
  const own = ownText(header);
  const read = readAgent(own);
  const facts = Object.freeze({ ...read, marks: agentMarks(read) });
  agents.set(own, facts);
  return facts;
}

function readAgent(header: string): AgentFacts {
  const { browser, device, os } = new UAParser(header).getResult();
  const osName = bounded(os.name);
  const type = deviceType(device.type, browser.name, device.model);
  const platform = platformOf(osName, type);
  return {
    platform,
    deviceType: type ?? (platform === "desktop" ? "desktop" : undefined),
    deviceVendor: bounded(device.vendor),
    deviceModel: REDUCED_ANDROID.test(header) ? undefined : bounded(device.model),
    browser: bounded(browser.name),
    os: osName,
    osVersion: systemVersion(header, osName, bounded(os.version)),
    bot: botOf(header),
    isCrawler: isCrawler(header),
  };
}

/**
 * Chrome and browsers made from it state this version and model on every Android device
 * (https://www.chromium.org/updates/ua-reduction/). The model is unknown, and the version may be any later one; few
 * devices have an earlier one, which these browsers no longer support.
 */
const REDUCED_ANDROID = /\bAndroid 10; K[;)]/;

function systemVersion(header: string, os: string | undefined, stated: string | undefined): string | undefined {
  if (os === "iOS") return iosVersion(header, stated);
  return REDUCED_ANDROID.test(header) ? `10${OR_LATER}` : stated;
}

/** The version of Safari, which comes with the system and has its version. */
const SAFARI_VERSION = /\bVersion\/(\d[\d.]*)/;
const FIRST_UNSTATED_IOS = "26";
const LAST_STATED_IOS = "18";

/**
 * Corrects the version that Safari states from iOS 26 on, which is always the last one before
 * (https://webkit.org/blog/17333/webkit-features-in-safari-26-0/).
 */
function iosVersion(header: string, stated: string | undefined): string | undefined {
  const safari = bounded(SAFARI_VERSION.exec(header)?.[1]);
  if (stated === undefined || safari === undefined || stated.split(".", 1)[0] !== LAST_STATED_IOS) return stated;
  return (compareVersions(safari, FIRST_UNSTATED_IOS) ?? -1) >= 0 ? safari : stated;
}

const HEADSET = /^(?:quest|oculus|vive|pico)\b/i;
const HEADSET_BROWSER = /^(?:oculus browser|wolvic|pico browser)/i;

/** Corrects the parser, which takes headsets for wearables. */
function deviceType(type: string | undefined, browser = "", model = ""): string | undefined {
  return HEADSET_BROWSER.test(browser) || HEADSET.test(model) ? "xr" : type;
}

const ANDROID = /^(?:android|fire os|harmonyos)/i;
const DESKTOP = /^(?:windows|mac os|macos|chromium os|chrome os|linux)$/i;
const LINUX =
  /^(?:mint|mageia|vectorlinux|[kxln]?ubuntu|debian|suse|opensuse|gentoo|arch|slackware|fedora|mandriva|centos|pclinuxos|red ?hat|zenwalk|linpus|raspbian|deepin|manjaro|elementary os|sabayon|linspire)$/i;
/** A television that runs Linux is not a desktop. */
const APPLIANCES = new Set(["smarttv", "console", "wearable", "embedded", "xr"]);

function platformOf(os: string | undefined, type: string | undefined): Platform {
  if (os === undefined) return "other";
  if (os === "iOS") return "ios";
  if (ANDROID.test(os)) return "android";
  const isDesktop = DESKTOP.test(os) || LINUX.test(os);
  return isDesktop && !APPLIANCES.has(type ?? "") ? "desktop" : "other";
}

/** Page testers that run a real browser and add nothing but their name, which `isbot` does not recognize. */
const PAGE_TESTER = /\b(?:GTmetrix|YLT|Miniature\.io)\b/;

function botOf(header: string): AgentBot | null {
  if (header.trim() === "") return "no_user_agent";
  return isbot(header) || PAGE_TESTER.test(header) ? "crawler" : null;
}

/** Libraries that an app's header names beside its web view; `isbot` takes the `http` in them for a URL. */
const LIBRARY = /\b(?:okhttp|cfnetwork)\/[\w.]+/gi;
const SAYS_CRAWLER =
  /bots?(?:\b|_)|crawl|spider|slurp|fetcher\b|facebookexternalhit|meta-external|whatsapp|^(?:mediapartners|googleother)/i;
/** Crawlers state where to complain. Libraries that state where they come from link to their source. */
const SAYS_CONTACT = /https?:\/\/(?!github\.com\/)|\w@\w+\.\w/i;

/**
 * Apps call under their own name, that of their HTTP library, or none, which `isbot` takes for bots (as it does
 * anything like `name/version`). A header in the form of a browser's is judged as a browser's.
 */
function isCrawler(header: string): boolean {
  if (/^Mozilla\//.test(header)) return isbot(header.replace(LIBRARY, "")) || PAGE_TESTER.test(header);
  return isbot(header) && (SAYS_CRAWLER.test(header) || SAYS_CONTACT.test(header));
}

/** Cuts a name. Model names are parts of the header, so their length is the sender's choice. */
const bounded = (name: string | undefined) => name?.slice(0, NAME_LENGTH_MAX) || undefined;
