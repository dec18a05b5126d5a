/** Opens the dashboard signed in to an account. Can take screenshots for people to review. */
import type { Account, TestService } from "../service";
import type { Browser, Look, Page, PageOptions } from "./browser";

/** The folder for screenshots; if unset, none are taken. */
const SHOTS = Bun.env.PICTURES;

export interface DashboardPage extends Page {
  /** Takes screenshots in light and dark, at phone and desktop size. */
  takeScreenshots(name: string): Promise<void>;
  /**
   * Returns what axe-core finds wrong at phone size in one theme and at desktop size in the other; the next call
   * swaps the themes. Two combinations suffice because colors do not depend on the size, nor the layout on the theme.
   * Frames are left out, because they may not run scripts; their contents have tests of their own.
   */
  faults(): Promise<string[]>;
}

/** Minified, because each page parses and compiles all of it. */
const AXE = await Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js"))).text();
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** By its name, people who jump from table to table know which one they have reached; axe-core does not ask for it. */
const NAMELESS_TABLES = `[...document.querySelectorAll("table")].filter(({ ariaLabel, caption }) => !ariaLabel && !caption)
  .map((each) => "a table without a name: " + each.innerText.slice(0, 80))`;

const SIZES = [
  ["phone", 360, 800],
  ["desk", 1_440, 900],
] as const;

const EACH_LOOK: readonly [size: number, isDark: boolean][] = [
  [0, false],
  [0, true],
  [1, false],
  [1, true],
];

export async function openSignedInPage(
  browser: Browser,
  { url }: Pick<TestService, "url">,
  { token }: Pick<Account, "token">,
  options?: PageOptions,
): Promise<DashboardPage> {
  const page = await browser.page({ width: 1_440, height: 900, ...options });
  await page.cookie({ name: "waymark", value: token, url });
  const { hasMotion = false } = options ?? {};
  const lookAt = async (of: Look) => {
    const look = { ...of, hasMotion };
    const isShown = `document.documentElement.dataset.theme === "${look.isDark ? "dark" : "light"}"`;
    await page.look(look);
    // If a change is reverted before it is rendered, Chromium sometimes reports only the first of the two changes.
    while (!(await page.evaluate<boolean>(`${DRAWN}.then(() => ${isShown})`))) {
      await page.look({ ...look, isDark: !look.isDark });
      await page.evaluate(DRAWN);
      await page.look(look);
    }
    await page.evaluate(SETTLED);
  };
  const inLooks = async (looks: readonly [size: number, isDark: boolean][], see: (look: string) => Promise<void>) => {
    for (const [place, isDark] of looks) {
      const [size, width, height] = SIZES[place] ?? SIZES[0];
      await lookAt({ width, height, isDark });
      await see(`${size}-${isDark ? "dark" : "light"}`);
    }
    await lookAt({ width: 1_440, height: 900 });
  };
  let isDarkOnPhones = false;
  return {
    ...page,
    async takeScreenshots(name) {
      if (!SHOTS) return;
      await inLooks(
        EACH_LOOK,
        async (look) => void (await Bun.write(`${SHOTS}/${name}-${look}.png`, await page.picture())),
      );
    },
    async faults() {
      const faults: string[] = [];
      if (!(await page.evaluate<boolean>("!!window.axe"))) await page.evaluate(AXE);
      const looks: [number, boolean][] = [
        [0, isDarkOnPhones],
        [1, !isDarkOnPhones],
      ];
      isDarkOnPhones = !isDarkOnPhones;
      await inLooks(looks, async (look) => {
        const found = await page.evaluate<
          string[]
        >(`axe.run({ iframes: false, resultTypes: ["violations"], runOnly: { type: "tag", values: ${JSON.stringify(RULES)} } })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
        faults.push(...found.map((fault) => `${look}: ${fault}`));
      });
      faults.push(...(await page.evaluate<string[]>(NAMELESS_TABLES)));
      return faults;
    },
  };
}

const DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))";

/** Resolves once all finite animations have ended and their last frame is rendered. */
const SETTLED = `Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 9)
  .map(({ finished }) => finished.catch(() => {}))).then(() => ${DRAWN})`;

/** Returns an expression that is true if the page shows the text. */
export const says = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;

/** Returns an expression that is true once a request of the page, to a URL that contains `part`, has got its response. */
export const hasAnswer = (part: string): string =>
  `performance.getEntriesByType("resource").some(({ name }) => name.includes(${JSON.stringify(part)}))`;

/**
 * A script for `begin`: the page's intervals pass 20 times as fast, and `intervals` has how long each of them should
 * have been, in milliseconds.
 */
export const QUICK_INTERVALS = `(() => { window.intervals = []; const set = window.setInterval;
  window.setInterval = (run, ms, ...more) => { intervals.push(ms); return set(run, ms / 20, ...more); }; })()`;

/** Returns an expression for how often the page has requested URLs that contain `part`. */
export const requestsOf = (part: string): string =>
  `performance.getEntriesByType("resource").filter(({ name }) => name.includes(${JSON.stringify(part)})).length`;

/** Goes back in the browser's history within the dashboard. */
export const goBack = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((gone) => { addEventListener("popstate", () => requestAnimationFrame(() => gone()),
    { once: true }); history.back(); })`);

/** Returns an expression for the field with this label. */
export const labelled = (label: string): string =>
  `[...document.querySelectorAll("label")].find((each) => each.innerText === ${JSON.stringify(label)})?.control`;

const buttons = (text: string, which: "find" | "findLast"): string =>
  `[...document.querySelectorAll("button")].${which}((each) => each.innerText.trim() === ${JSON.stringify(text)})`;

/** Returns an expression for the first button with this text. */
export const button = (text: string): string => buttons(text, "find");

/** Returns an expression for the last button with this text: a dialog's, if the page behind it has the same button. */
export const lastButton = (text: string): string => buttons(text, "findLast");
