/** The pages that visitors see on short domains: their accessibility, requests to third parties (none), and size. */
import { describe, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { FAULTS } from "@test/support/browser/page-faults";
import { addVisitorPages, BARE_HOST, fetchAt, OWN_HOST, type VisitorPage } from "@test/support/browser/visitor-pages";
import { startTestService } from "@test/support/service";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const pages = await addVisitorPages(service);
const browser = await startBrowser({ hosts: [OWN_HOST, BARE_HOST] });

/** Minified, because each page parses and compiles all of it. */
const AXE = await Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js"))).text();
const RUN_AXE = `axe.run({ resultTypes: ["violations"], runOnly: { type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html)))`;
/** Evaluates to the controls that are lower than the 44 pixels that fingers need (WCAG 2.2, 2.5.5). */
const TOO_SMALL = `[...document.querySelectorAll("a, button, input:not([type=hidden], [type=checkbox])")]
  .filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)`;
const OVERFLOW = "document.documentElement.scrollWidth - innerWidth";
/** The folder for screenshots of every page; if unset, none are taken. */
const SHOTS = Bun.env.PICTURES;

/** What the browser logs for a page with such a status. */
const REFUSED = /\b(?:40[0-9]|410|413|429|503)\b/;

const looks = [390, 1280].flatMap((width) =>
  [false, true].map((isDark) => ({ width, height: width < 600 ? 844 : 800, isDark })),
);
/** A window of 1,280 pixels at 400% zoom, which includes the case of 200% (WCAG 2.2, 1.4.10). */
const ZOOMED = { width: 320, height: 256 };

describe("accessibility and layout", () => {
  test.each(pages)("$name", async ({ name, url, userAgent, headers, before, act }) => {
    await before?.();
    const page = await browser.page({ userAgent, headers, ...ZOOMED });
    await page.open(url);
    await act?.(page);
    expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
    await page.evaluate(AXE);
    for (const look of looks) {
      await page.look(look);
      const faults = [...(await page.evaluate<string[]>(FAULTS)), ...(await page.evaluate<string[]>(RUN_AXE))];
      expect([look, faults, await page.evaluate<string[]>(TOO_SMALL)]).toEqual([look, [], []]);
      const shade = look.isDark ? "dark" : "light";
      if (SHOTS) await Bun.write(`${SHOTS}/${name}-${look.width}-${shade}.png`, await page.picture());
    }
    expect(page.asked).toEqual([]);
    expect(page.complaints.filter((text) => !REFUSED.test(text))).toEqual([]);
  });
});

test("a bio page hyphenates long words by the language of its text; the rest is in the visitor's", async () => {
  const [bio] = pages.filter(({ name }) => name.startsWith("bio"));
  const page = await browser.page({ ...ZOOMED, headers: { "accept-language": "de-AT" } });
  await page.open(bio?.url ?? "");
  expect(await page.evaluate<string>("document.documentElement.lang")).toBe("de");
  expect(await page.evaluate<string>(`document.querySelector("main").lang`)).toBe("en");
  const styles = `["h1", ".item span"].map((each) => getComputedStyle(document.querySelector(each)).hyphens)`;
  expect(await page.evaluate<string[]>(styles)).toEqual(["auto", "auto"]);
});

test("the images of a bio page's items are loaded from the page's own host, also without JavaScript", async () => {
  const [rich] = pages.filter(({ name }) => name === "bio-rich");
  const page = await browser.page({ width: 390, height: 844, hasJavaScript: false });
  await page.open(rich?.url ?? "");
  await page.until(`[...document.images].length === 5 && [...document.images].every((each) => each.naturalWidth > 0)`);
  expect(page.asked).toEqual([]);
});

/** Returns the text of a page and the bytes of its body as sent. */
async function bytesOf(
  page: Pick<VisitorPage, "url" | "userAgent" | "headers">,
): Promise<[text: string, bytes: number]> {
  const sent = await fetchAt(page, { decompress: false });
  const read = await fetchAt(page);
  return [await read.text(), (await sent.bytes()).length];
}

describe("at most 20 KB with the images that are loaded with the page", () => {
  test.each(pages.filter(({ act }) => !act))("$name", async (page) => {
    await page.before?.();
    const [html, bytes] = await bytesOf(page);
    const loaded = html.replaceAll(/<img[^>]* loading="lazy"[^>]*>/g, "");
    const sources = [...loaded.matchAll(/<(?:img|link rel="icon")[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, path]) => path,
    );
    const images = [...new Set(sources)].map(async (path = "") => {
      const response = await fetchAt({ url: new URL(path, page.url).href });
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.bytes()).length;
    });
    const all = [bytes, ...(await Promise.all(images))];
    expect(all.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(20 * 1024);
  });
});
