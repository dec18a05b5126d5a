/** The hand of the tests: a click is on what it was aimed at, whatever moves meanwhile. */
import { expect, test } from "bun:test";
import { type Page, startBrowser } from "@test/support/browser/browser";
import { startSite } from "@test/support/outside/site";

const PAGE = `<!doctype html><title>Page</title><link rel="icon" href="data:,">
<p hidden>A response that was waited for</p><input><button><b>Go</b></button>`;

const browser = await startBrowser();
/** Sends the rest of a document that comes in two parts. */
let sendRest = () => {};
const inParts = (html: string) =>
  new ReadableStream({
    start(stream) {
      const [first = "", rest = ""] = html.split(/(?=<input>)/);
      stream.enqueue(Buffer.from(first));
      sendRest = () => {
        stream.enqueue(Buffer.from(rest));
        stream.close();
      };
    },
  });
const site = startSite(({ url }) => {
  const body = url.endsWith("/in-parts") ? inParts(PAGE) : PAGE;
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
});

/** Notes what the page notices of clicks. */
const NOTE = `window.noticed = []; for (const type of ["pointerdown", "mousedown", "mouseup", "click", "blur"])
  document.addEventListener(type, ({ target }) => noticed.push(type + " " + target.tagName), true)`;
/** Makes room above the button. */
const MOVE = `const above = document.querySelector("p"); above.hidden = false; above.style.height = "200px";`;
/** Makes it once the button has been looked for, and so before it can be pressed. */
const MOVE_ONCE_AIMED_AT = `document.querySelector("button").getBoundingClientRect = function () {
    queueMicrotask(() => { ${MOVE} });
    return Element.prototype.getBoundingClientRect.call(this);
  };`;
const MOVE_ONCE_PRESSED = `document.addEventListener("mousedown", () => { ${MOVE} });`;
const ON_BUTTON = ["pointerdown B", "mousedown B", "blur INPUT", "mouseup B", "click B"];

test("a click on what stands still is noticed as it is", async () => {
  const page = await browser.page();
  await page.open(site.url);
  await page.evaluate(`document.querySelector("input").focus()`);
  await page.evaluate(NOTE);
  await page.click("button");
  await page.until(`noticed.at(-1) === "click B"`);
  expect(await page.evaluate<string[]>("noticed")).toEqual(ON_BUTTON);
});

test("a click on what moves away before it is pressed hits it, and the page notices no other", async () => {
  const page = await browser.page();
  await page.open(site.url);
  await page.evaluate(`document.querySelector("input").focus()`);
  await page.evaluate(NOTE);
  await page.evaluate(MOVE_ONCE_AIMED_AT);
  await page.click("button");
  await page.until(`noticed.at(-1) === "click B"`);
  expect(await page.evaluate<string[]>("noticed")).toEqual(ON_BUTTON);
});

test("a click on what moves away once it is pressed is released on it", async () => {
  const page = await browser.page();
  await page.open(site.url);
  await page.evaluate(`document.querySelector("input").focus()`);
  await page.evaluate(NOTE);
  await page.evaluate(MOVE_ONCE_PRESSED);
  await page.click("button");
  await page.until(`noticed.at(-1) === "click B"`);
  expect(await page.evaluate<string[]>("noticed")).toEqual(ON_BUTTON);
});

test("what moves away before it is dragged or swiped is pressed where it is then", async () => {
  for (const hold of [(page: Page) => page.drag("button", 0, 300), (page: Page) => page.swipe("button", "null")]) {
    const page = await browser.page();
    await page.open(site.url);
    await page.evaluate(NOTE);
    await page.evaluate(MOVE_ONCE_AIMED_AT);
    await hold(page);
    await page.until("noticed.length > 0");
    expect(await page.evaluate<string[]>("noticed.slice(0, 1)")).toEqual(["pointerdown B"]);
  }
});

test.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a click waits for what is still to come of the document, %s", async (_, hasJavaScript) => {
  const page = await browser.page({ hasJavaScript });
  const opened = page.open(`${site.url}/in-parts`);
  while (!(await page.evaluate<boolean>(`!!document.querySelector("p")`))) await Bun.sleep(5);
  const clicked = page.click("input");
  // By then, the click has looked for it.
  await page.evaluate("0");
  sendRest();
  await clicked;
  await opened;
  await page.until(`document.activeElement.tagName === "INPUT"`);
});

test("without JavaScript, a page notices each click", async () => {
  const page = await browser.page({ hasJavaScript: false });
  await page.open(site.url);
  await page.click("input");
  await page.until(`document.activeElement.tagName === "INPUT"`);
});
