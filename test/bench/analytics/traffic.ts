/**
 * Clicks of a fictional customer. Each click depends only on its number, so that loading can stop anywhere and
 * continue. They span 90 days in order of time, with Zipf-distributed links and visitors from all over the world,
 * some of whom return.
 */
import type { ClickRecord } from "@/clicks/record";
import { DAY_MS } from "@/core/time/time-range";
import { hasRule, isSplit } from "../bench-links";

export const DAYS = 90;

export interface Traffic {
  clicks: number;
  /** Time of the last click in Unix milliseconds. */
  end: number;
  orgId: string;
  /** The busiest first. */
  linkIds: readonly string[];
  agents: readonly string[];
}

/** Clicks per visitor on average; visitors with low numbers return most often. */
const CLICKS_A_VISITOR = 4;
/** A `utm_term` so rare that a filter for it has to search among many other clicks. */
export const RARE_TERM = "rare";
const RARE_TERM_SHARE = 1e-5;
const REFERRERS = 400;
const LANGUAGES = ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "pt-BR", "ja-JP", "zh-CN", "hi-IN", "it-IT", "nl-NL"];
const MORE_LANGUAGES = ["pl-PL", "tr-TR", "ko-KR", "id-ID", "sv-SE", "ar-EG", "vi-VN", "uk-UA", "cs-CZ", "th-TH"];
const ALL_LANGUAGES = [...LANGUAGES, ...LANGUAGES, ...LANGUAGES, ...MORE_LANGUAGES];

export function clickNumber(index: number, { clicks, end, orgId, linkIds, agents }: Traffic): ClickRecord {
  const draw = drawsOf(index);
  const start = end - DAYS * DAY_MS;
  const at = Math.floor(start + ((index + draw()) / clicks) * DAYS * DAY_MS);
  const visitor = Math.floor(draw() ** 2 * (clicks / CLICKS_A_VISITOR));
  const ofVisitor = drawsOf(-1 - visitor);
  const link = zipf(linkIds.length, draw());
  return {
    kind: draw() < 0.05 ? "open" : "click",
    id: Bun.randomUUIDv7("hex", at),
    at,
    linkId: linkIds[link] ?? "",
    linkVersion: 1,
    orgId,
    ...routeOf(link, draw()),
    isHead: draw() < 0.01,
    isPrefetch: false,
    address: addressOf(ofVisitor),
    userAgent: agents[zipf(agents.length, ofVisitor())] ?? "",
    acceptLanguage: `${ALL_LANGUAGES[Math.floor(ofVisitor() * ALL_LANGUAGES.length)]};q=0.9`,
    referrer: draw() < 0.35 ? "" : `https://site-${zipf(REFERRERS, draw())}.example.com/page`,
    query: draw() < RARE_TERM_SHARE ? `utm_term=${RARE_TERM}` : "",
  };
}

/** Returns a Zipf-distributed index with exponent 1. */
const zipf = (size: number, draw: number) => Math.min(size - 1, Math.floor((size + 1) ** draw) - 1);

/** A third of the visitors of a link with an iOS rule match it. */
function routeOf(link: number, draw: number): Pick<ClickRecord, "route" | "ruleIndex" | "splitKey"> {
  if (isSplit(link)) return { route: "split", ruleIndex: null, splitKey: draw < 0.5 ? "a" : "b" };
  if (hasRule(link) && draw < 1 / 3) return { route: "rule", ruleIndex: 0, splitKey: null };
  return { route: "default", ruleIndex: null, splitKey: null };
}

/** Returns a public IPv4 address. */
function addressOf(draw: () => number): string {
  const first = 11 + Math.floor(draw() * 180);
  const [second, third, last] = [draw(), draw(), draw()].map((each) => Math.floor(each * 256));
  return `${first === 127 ? 128 : first}.${second}.${third}.${last}`;
}

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive): Tommy Ettinger's Mulberry32. */
function drawsOf(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
