/** Where the focus is once the element that had it has gone, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { type Account, startTestService } from "@test/support/service";
import { REPEATS_MAX } from "@/clicks/enrich/bot-signs";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const defaultUrl = "https://shop.example.com/";
const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

async function openScreen(account: Account, screen: string): Promise<DashboardPage> {
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${account.orgId}`, account);
  const page = await openSignedInPage(browser, service, account);
  await page.open(`${url}/app/o/${body.slug}/${screen}`);
  return page;
}

const row = (place: number) => `document.querySelector("main li[aria-posinset='${place}']")`;
const rows = (count: number) => `document.querySelectorAll("main li .list-row").length === ${count}`;

test("a verdict passes the focus on to the next click, and after the last one to the screen", async () => {
  const ada = await service.register();
  const link = await service.createLink(ada, { defaultUrl });
  for (let visit = 0; visit < REPEATS_MAX + 3; visit++) {
    await service.visit(link, { "user-agent": PERSON });
    // Two visits by the same visitor within a millisecond may count as one.
    for (const now = Date.now(); Date.now() === now; ) await Bun.sleep(0);
  }
  await waitUntilDrained(service.service);
  const page = await openScreen(ada, "review");
  await page.until(rows(3));
  const dismissal = (place: number) => `${row(place)}.querySelectorAll("button")[1]`;
  await page.evaluate(`${dismissal(2)}.focus()`);
  await page.press("Enter");
  await page.until(`${rows(2)} && document.activeElement === ${dismissal(2)}`);
  await page.press("Enter");
  await page.until(`${rows(1)} && document.activeElement === ${dismissal(1)}`);
  await page.press("Enter");
  await page.until(`${says("Nothing to review")} && document.activeElement === document.querySelector("main")`);
  // Here the click stays, with other verdicts.
  await page.evaluate(`${button("All")}.click()`);
  await page.until(rows(3));
  await page.evaluate(`${row(1)}.querySelector("button").focus()`);
  await page.press("Enter");
  await page.until(`${says("Confirmed. The click")} && ${row(1)}.contains(document.activeElement)`);
  expect(page.complaints).toEqual([]);
});

test("a row that leaves its list passes the focus on to the next one", async () => {
  const ada = await service.register();
  for (const title of ["Spring", "Summer", "Autumn"]) await service.createLink(ada, { defaultUrl, title });
  const page = await openScreen(ada, "links");
  await page.until(rows(3));
  const menu = (place: number) => `${row(place)}.querySelector("button[aria-haspopup=menu]")`;
  await page.evaluate(`${menu(2)}.focus()`);
  await page.press("Enter");
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "Archive")`;
  await page.until(`!!${item}`);
  await page.evaluate(`${item}.click()`);
  await page.until(`${rows(2)} && document.activeElement === ${menu(2)}`);
  expect(page.complaints).toEqual([]);
});

test("a filter that is removed passes the focus on", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, tags: ["spring"] });
  const page = await openScreen(ada, "links?tag=spring");
  await page.until(rows(1));
  await page.evaluate(`document.querySelector("main button.chip.accent").focus()`);
  await page.press("Enter");
  await page.until(`location.search === "" && document.querySelector("main").contains(document.activeElement)
    && document.activeElement.matches("input, button")`);
});

test("a button that waits for its response has the focus again after it", async () => {
  const ada = await service.register();
  const link = await service.createLink(ada, { defaultUrl });
  const page = await openScreen(ada, `links/${link._id}/settings`);
  await page.until(`!!${labelled("Title")}`);
  await page.evaluate(`${labelled("Title")}.focus()`);
  await page.type("Spring");
  await page.until(`${button("Save")}?.disabled === false`);
  await page.evaluate(`${button("Save")}.focus()`);
  const held = page.hold("PATCH", link._id);
  await page.press("Enter");
  await held.sent;
  await page.until(`${button("Save")}.disabled`);
  held.failRequest();
  await page.until(`${button("Save")}.disabled === false && document.activeElement === ${button("Save")}`);
});
