/**
 * Parts of the dashboard that cannot be loaded, in a real browser, because the page was opened before an upgrade or
 * is offline. What is shown stays, including typed text, and the missing part offers to reload the page.
 */
import { expect, test } from "bun:test";
import { type Browser, type Page, startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const browser: Browser = await startBrowser();
const ada = await service.register();
const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
const { body: organization } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
const links = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
const address = `${service.url}/app/o/${organization.slug}/links/${link._id}`;

const DESTINATION = labelled("Default destination");
const TYPED = "https://shop.example.com/may";

/** Opens the link's route, and types a destination without saving it. */
async function openTyped(): Promise<Page> {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(address);
  await page.until(`!!${DESTINATION}`);
  await page.evaluate(`${DESTINATION}.focus()`);
  await page.evaluate(`${DESTINATION}.select()`);
  await page.type(TYPED);
  return page;
}

const reload = button("Reload");
/** As after an upgrade: the service responds, but has the parts of this page no longer. */
const losePartsOf = (page: Page) => page.refuse("GET", "/app/assets/");

test("the outcome of an action is shown even if the list of messages cannot be loaded", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(address);
  await page.until(`!!${labelled("Default destination")}`);
  await page.click("main [aria-haspopup=menu]");
  await page.until(`!!document.querySelector("[role=menuitem]")`);
  await page.cutOff(true);
  await page.evaluate(
    `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText === "Pause").click()`,
  );
  await page.until(`document.querySelector(".toast")?.innerText.includes("reached")`);
});

test.each<[string, (page: Page) => Promise<unknown>]>([
  ["the palette", (page) => page.press("Control+k")],
  ["a menu", (page) => page.evaluate(`document.querySelector("main [aria-haspopup=menu]").click()`)],
  [
    "the question before a screen is left",
    (page) => page.evaluate(`document.querySelector("a[href$='/apps']").click()`),
  ],
])("if %s cannot be loaded, typed text stays and can be saved", async (_, open) => {
  const page = await openTyped();
  const giveBack = losePartsOf(page);
  await open(page);
  await page.until(`!!${reload}`);
  expect(await page.evaluate<string>(`${DESTINATION}?.value`)).toBe(TYPED);
  giveBack();
  await page.evaluate(`document.querySelector("[role=alert] [aria-label=Close]").click()`);
  await page.until(`!${reload}`);
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(says("Route saved"));
  const { body } = await service.call<{ defaultUrl: string }>("GET", links, ada);
  expect(body.defaultUrl).toBe(TYPED);
  await service.call("PATCH", links, { ...ada, body: { defaultUrl: "https://shop.example.com/" } });
});

test("without a connection, the palette says so, and opens by itself once there is one", async () => {
  const page = await openTyped();
  await page.cutOff(true);
  await page.press("Control+k");
  await page.until(`document.querySelector("[role=alert]")?.innerText.includes("reached")`);
  await page.cutOff(false);
  await page.until(`!!document.querySelector("[role=dialog] [role=combobox]")`);
  expect(await page.evaluate<string>(`${DESTINATION}?.value`)).toBe(TYPED);
});

test("a screen that cannot be loaded offers to reload the page, which then shows it", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(address);
  await page.until(`!!${labelled("Default destination")}`);
  const giveBack = losePartsOf(page);
  await page.evaluate(`document.querySelector("a[href$='/apps']").click()`);
  await page.until(`!!${reload}`);
  giveBack();
  await page.evaluate(`${reload}.click()`);
  await page.until(`document.querySelector("h1")?.innerText === "Apps"`);
});

test("a screen is shown only with its texts, and offers to reload the page if they cannot be loaded", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(address);
  await page.until(`!!${labelled("Default destination")}`);
  const preloaded = `document.querySelector("link[rel=modulepreload][href*='/en-']").href`;
  const words = await (await fetch(await page.evaluate<string>(preloaded))).text();
  const [, file = "none"] = /\bapps:async.*?\/app\/assets\/([^"]+)"/.exec(words) ?? [];
  const held = page.hold("GET", file);
  await page.evaluate(`document.querySelector("a[href$='/apps']").click()`);
  await held.sent;
  await page.until(`!!document.querySelector("main .bone")`);
  held.failRequest();
  await page.until(`!!${reload}`);
  await page.evaluate(`${reload}.click()`);
  await page.until(`document.querySelector("h1")?.innerText === "Apps"`);
});
