/** The browser of the tests: no wait for it is endless, whatever becomes of the page. */
import { describe, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { openTab, ownBrowser } from "@test/support/browser/own-browser";
import { startSite } from "@test/support/outside/site";

const browser = await startBrowser();
const { wire } = await ownBrowser();
const PARTS = ["<!doctype html><title>Page</title>", "<button>Go</button>"];
/** Sends the rest of a document that comes in two parts. */
let sendRest = () => {};
const inParts = () =>
  new ReadableStream({
    start(stream) {
      const [first, rest] = PARTS.map((part) => Buffer.from(part));
      stream.enqueue(first);
      sendRest = () => {
        stream.enqueue(rest);
        stream.close();
      };
    },
  });
const site = startSite(({ url }) => {
  if (url.endsWith("/nothing")) return new Response(null, { status: 204 });
  const body = url.endsWith("/in-parts") ? inParts() : PARTS.join("");
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
});
const NEVER = { expression: "new Promise(() => {})", awaitPromise: true };

async function openSession() {
  const { targetId } = await openTab(wire);
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
  return { targetId, sessionId: String(sessionId) };
}

describe("rejects", () => {
  test("a command and a wait if the page is closed before the response, and later commands", async () => {
    const { targetId, sessionId } = await openSession();
    const asked = wire.send("Runtime.evaluate", NEVER, sessionId);
    const end = wire.untilEnd(sessionId);
    await wire.send("Target.closeTarget", { targetId });
    for (const each of [asked, end, wire.send("Runtime.evaluate", NEVER, sessionId), wire.untilEnd(sessionId)])
      expect(await each.catch(String)).toContain("Session with given id not found");
  });

  test("a command if the page crashes", async () => {
    const { targetId, sessionId } = await openSession();
    await wire.send("Inspector.enable", {}, sessionId);
    const asked = wire.send("Page.crash", {}, sessionId);
    expect(await asked.catch(String)).toContain("The page has crashed");
    await wire.send("Target.closeTarget", { targetId });
  });

  test("opening what leads to no document", async () => {
    const page = await browser.page();
    await page.open(site.url);
    expect(await page.open(`${site.url}/nothing`).catch(String)).toContain("was not opened");
    expect(await page.evaluate<string>("document.title")).toBe("Page");
  });
});

test("a page is opened at another fragment", async () => {
  const page = await browser.page();
  await page.open(`${site.url}/#one`);
  await page.open(`${site.url}/#two`);
  expect(await page.evaluate<string>("location.hash")).toBe("#two");
});

test("a state that passes while the test gets no turn is seen", async () => {
  const page = await browser.page();
  await page.open(site.url);
  const seen = page.until("window.isPassing");
  await page.evaluate(`setTimeout(() => { isPassing = true; setTimeout(() => { isPassing = false; }, 200); }, 200)`);
  Bun.sleepSync(1_000);
  await seen;
});

test.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a state of a document that is being read counts once the rest is there, %s", async (_, hasJavaScript) => {
  const page = await browser.page({ hasJavaScript });
  const opened = page.open(`${site.url}/in-parts`);
  const seen = page.until(`document.title === "Page"`);
  while ((await page.evaluate<string>("document.title")) !== "Page") await Bun.sleep(5);
  expect(await Promise.race([seen.then(() => "seen"), Bun.sleep(200).then(() => "not yet")])).toBe("not yet");
  sendRest();
  await seen;
  expect(await page.evaluate<boolean>(`!!document.querySelector("button")`)).toBe(true);
  await opened;
});

test("a question of the browser is confirmed, and reported", async () => {
  const page = await browser.page();
  await page.open(site.url);
  await page.click("button");
  await page.evaluate(`addEventListener("beforeunload", (event) => event.preventDefault())`);
  await page.open(`${site.url}/next`);
  expect(await page.evaluate<string>("location.pathname")).toBe("/next");
  expect(page.complaints).toEqual(["The browser asked: beforeunload"]);
});
