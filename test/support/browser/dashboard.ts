/** The dashboard as a test opens it: signed in as somebody, with pictures for whoever wants to look at them. */
import type { Account, TestService } from "../service";
import type { Browser, Look, Page, PageOptions } from "./browser";

/** A folder for pictures, to be looked at; none are taken without it. */
const SHOTS = Bun.env.PICTURES;

export interface DashboardPage extends Page {
  /** In light and dark, on a phone and at a desk. */
  shot(name: string): Promise<void>;
  /**
   * What axe-core finds wrong, in light and dark, on a phone and at a desk: on a phone in the one and at a desk in the other,
   * the other way round the next time. Colors do not depend on the size, nor places on the theme. Frames run no script, so
   * that it cannot ask them; what they show is tested by itself.
   */
  faults(): Promise<string[]>;
}

/** The minified one: each page reads and compiles all of it. */
const AXE = await Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js"))).text();
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

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

export async function signedIn(
  browser: Browser,
  { url }: Pick<TestService, "url">,
  { token }: Pick<Account, "token">,
  options?: PageOptions,
): Promise<DashboardPage> {
  const page = await browser.page({ width: 1_440, height: 900, ...options });
  await page.cookie({ name: "waymark", value: token, url });
  const lookAt = async (look: Look) => {
    const isShown = `document.documentElement.dataset.theme === "${look.isDark ? "dark" : "light"}"`;
    await page.look(look);
    // Of a change that is taken back before it is drawn, Chromium sometimes tells only the first half.
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
    async shot(name) {
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
      return faults;
    },
  };
}

const DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))";

/** What moves has come to its end, and is drawn. */
const SETTLED = `Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 9)
  .map(({ finished }) => finished.catch(() => {}))).then(() => ${DRAWN})`;

/** Whether the page says it, as an expression. */
export const says = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;

/** The field with a label, as an expression. */
export const labelled = (label: string): string =>
  `[...document.querySelectorAll("label")].find((each) => each.innerText === ${JSON.stringify(label)})?.control`;

const buttons = (text: string, which: "find" | "findLast"): string =>
  `[...document.querySelectorAll("button")].${which}((each) => each.innerText.trim() === ${JSON.stringify(text)})`;

/** The first button with a text, as an expression. */
export const button = (text: string): string => buttons(text, "find");

/** The last one: that of the dialog, where one stands before a button of the same name. */
export const lastButton = (text: string): string => buttons(text, "findLast");
