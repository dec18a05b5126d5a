/**
 * Telling bots from people over two public corpora: all user agents listed in `crawler-user-agents`, and the ten
 * thousand browsers of `user-agents`, weighted by how often each was seen. Some of the former are in fact people
 * (in-app browsers of Facebook and Instagram, editors that show pages), so not all of them have to be flagged.
 */
import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import crawlers from "crawler-user-agents";
import { parseUserAgent } from "@/platform/user-agent";

const CRAWLERS_FLAGGED_MIN = 0.99;
const BROWSERS_FLAGGED_MAX = 0.005;
/**
 * Lower for an API, which only crawlers that run a page's scripts call: these are among those that identify
 * themselves.
 */
const CRAWLERS_FLAGGED_BY_API_MIN = 0.85;
const PEOPLE_IN_APPS = /MetaIAB|Instagram/;

interface Browser {
  userAgent: string;
  /** Its share of the visits observed. */
  weight: number;
}

const listed = crawlers.flatMap(({ instances }) => instances);
const packageFolder = dirname(fileURLToPath(import.meta.resolve("user-agents")));
const browsers: Browser[] = await Bun.file(join(packageFolder, "user-agents.json")).json();

const isFlagged = (header: string) => parseUserAgent(header).bot !== null;
const percent = (share: number) => `${(100 * share).toFixed(3)} %`;

describe("of listed crawlers", () => {
  const missed = listed.filter((header) => !isFlagged(header));
  const share = 1 - missed.length / listed.length;

  test(`at least ${percent(CRAWLERS_FLAGGED_MIN)} are flagged`, () => {
    console.info(`crawlers flagged: ${listed.length - missed.length} of ${listed.length}, ${percent(share)}`);
    expect(listed.length).toBeGreaterThan(2000);
    expect(share, missed.join("\n")).toBeGreaterThanOrEqual(CRAWLERS_FLAGGED_MIN);
  });

  test("in-app browsers that people use are not flagged", () => {
    const people = listed.filter((header) => PEOPLE_IN_APPS.test(header));
    expect(people.length).toBeGreaterThan(0);
    expect(people.filter(isFlagged)).toEqual([]);
  });
});

describe("of callers of an API", () => {
  const flagged = (headers: readonly string[]) => headers.filter((header) => parseUserAgent(header).isCrawler);
  const isLibrary = (each: object) => "tags" in each && String(each.tags).includes("http-library");
  const libraries = crawlers.filter(isLibrary).flatMap(({ instances }) => instances);
  const robots = crawlers.filter((each) => !isLibrary(each)).flatMap(({ instances }) => instances);

  test(`at least ${percent(CRAWLERS_FLAGGED_BY_API_MIN)} of crawlers are flagged`, () => {
    const share = flagged(robots).length / robots.length;
    console.info(`crawlers flagged by the API: ${percent(share)} of ${robots.length}`);
    expect(share).toBeGreaterThanOrEqual(CRAWLERS_FLAGGED_BY_API_MIN);
  });

  test("HTTP libraries are not flagged, except those that say they crawl or contain a URL", () => {
    const kept = flagged(libraries);
    expect(libraries.length).toBeGreaterThan(80);
    expect(kept.filter((header) => !/bot|crawl|larbin|https?:|httrack/i.test(header))).toEqual([]);
    expect(kept.length / libraries.length).toBeLessThan(0.15);
  });
});

describe("of browsers people use", () => {
  const flagged = browsers.filter(({ userAgent }) => isFlagged(userAgent));
  const share = flagged.length / browsers.length;
  const weightOf = (list: Browser[]) => list.reduce((sum, { weight }) => sum + weight, 0);

  test(`at most ${percent(BROWSERS_FLAGGED_MAX)} are flagged, by kinds and by visits`, () => {
    console.info(`browsers flagged: ${flagged.length} of ${browsers.length}, ${percent(share)}`);
    expect(browsers.length).toBeGreaterThan(9000);
    expect(share, flagged.map(({ userAgent }) => userAgent).join("\n")).toBeLessThanOrEqual(BROWSERS_FLAGGED_MAX);
    expect(weightOf(flagged) / weightOf(browsers)).toBeLessThanOrEqual(BROWSERS_FLAGGED_MAX);
  });

  test("all but 1% have a known platform, and all but 1% a named browser", () => {
    const facts = browsers.map(({ userAgent }) => parseUserAgent(userAgent));
    expect(facts.filter(({ platform }) => platform === "other").length / facts.length).toBeLessThanOrEqual(0.01);
    expect(facts.filter(({ browser }) => !browser).length / facts.length).toBeLessThanOrEqual(0.01);
  });
});
