/** What a User-Agent header says of its sender. Parsing costs 20 µs, a header seen lately a tenth of one. */
import { isbot } from "isbot";
import { UAParser } from "ua-parser-js";
import type { Platform } from "@/contract/platforms";
import { agentMarks } from "@/core/rules/marks";
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
  /** Why the sender is no person, as far as the header tells; null when it tells nothing of the kind. */
  readonly bot: AgentBot | null;
  /** The same for whoever calls an API for programs: no name of a program makes a robot of it, but what crawlers alone say. */
  readonly isCrawler: boolean;
}

/** With the marks by which rules are passed over. */
export interface MarkedAgent extends AgentFacts {
  readonly marks: number;
}

/** No browser sends more; what is longer is cut before it is parsed or kept. */
const USER_AGENT_LENGTH_MAX = 512;
const AGENTS_MAX = 16_384;
const NAME_LENGTH_MAX = 100;

const agents = createBoundedMap<string, MarkedAgent>(AGENTS_MAX);

/** The same object for the same header, not to be changed. */
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
    deviceModel: bounded(device.model),
    browser: bounded(browser.name),
    os: osName,
    osVersion: bounded(os.version),
    bot: botOf(header),
    isCrawler: isCrawler(header),
  };
}

const HEADSET = /^(?:quest|oculus|vive|pico)\b/i;
const HEADSET_BROWSER = /^(?:oculus browser|wolvic|pico browser)/i;

/** The parser takes headsets for wearables. */
function deviceType(type: string | undefined, browser = "", model = ""): string | undefined {
  return HEADSET_BROWSER.test(browser) || HEADSET.test(model) ? "xr" : type;
}

const ANDROID = /^(?:android|fire os|harmonyos)/i;
const DESKTOP = /^(?:windows|mac os|macos|chromium os|chrome os|linux)$/i;
const LINUX =
  /^(?:mint|mageia|vectorlinux|[kxln]?ubuntu|debian|suse|opensuse|gentoo|arch|slackware|fedora|mandriva|centos|pclinuxos|red ?hat|zenwalk|linpus|raspbian|deepin|manjaro|elementary os|sabayon|linspire)$/i;
/** A television that runs Linux is no desktop. */
const APPLIANCES = new Set(["smarttv", "console", "wearable", "embedded", "xr"]);

function platformOf(os: string | undefined, type: string | undefined): Platform {
  if (os === undefined) return "other";
  if (os === "iOS") return "ios";
  if (ANDROID.test(os)) return "android";
  const isDesktop = DESKTOP.test(os) || LINUX.test(os);
  return isDesktop && !APPLIANCES.has(type ?? "") ? "desktop" : "other";
}

/** Page testers in a real browser that say no more than their name, which `isbot` does not know. */
const PAGE_TESTER = /\b(?:GTmetrix|YLT|Miniature\.io)\b/;

function botOf(header: string): AgentBot | null {
  if (header.trim() === "") return "no_user_agent";
  return isbot(header) || PAGE_TESTER.test(header) ? "crawler" : null;
}

/** Libraries that stand in an app's header beside what its web view says; `isbot` takes the `http` in them for an address. */
const LIBRARY = /\b(?:okhttp|cfnetwork)\/[\w.]+/gi;
const SAYS_CRAWLER =
  /bots?(?:\b|_)|crawl|spider|slurp|fetcher\b|facebookexternalhit|meta-external|whatsapp|^(?:mediapartners|googleother)/i;
/** Crawlers say where to complain. Libraries that say where they come from do it by the place of their source. */
const SAYS_CONTACT = /https?:\/\/(?!github\.com\/)|\w@\w+\.\w/i;

/**
 * Apps call with the name of their own, of their HTTP library, or with none, which `isbot` takes for robots' (it does so
 * of anything like `name/version`). A header in the shape of a browser's is judged as a browser's.
 */
function isCrawler(header: string): boolean {
  if (/^Mozilla\//.test(header)) return isbot(header.replace(LIBRARY, "")) || PAGE_TESTER.test(header);
  return isbot(header) && (SAYS_CRAWLER.test(header) || SAYS_CONTACT.test(header));
}

/** Models are cut out of the header, so their length is the sender's choice. */
const bounded = (name: string | undefined) => name?.slice(0, NAME_LENGTH_MAX) || undefined;
