/** Selecting many links at once in a real browser, and what becomes of all of them. */
import { expect, test } from "bun:test";
import { type PageOptions, startBrowser } from "@test/support/browser/browser";
import {
  button,
  type DashboardPage,
  hasAnswer,
  labelled,
  lastButton,
  openSignedInPage,
  requestsOf,
  says,
} from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const defaultUrl = "https://shop.example.com/";
const pathOf = ({ orgId }: Account) => `/api/v1/organizations/${orgId}`;
const SHOWN = labelled("Select all shown");
const rows = (count: number) => `document.querySelector("li[aria-setsize]")?.ariaSetSize === "${count}"`;
const boxes = `[...document.querySelectorAll(".list-row input")]`;
const TOLD = `(document.querySelector(".toasts")?.innerText ?? "")`;

/** Creates links in as few requests as possible. */
async function createMany(account: Account, count: number, title: string): Promise<void> {
  for (let left = count; left > 0; left -= 100) {
    const links = Array.from({ length: Math.min(left, 100) }, () => ({ defaultUrl, title }));
    const { status } = await call("POST", `${pathOf(account)}/links/bulk`, { ...account, body: { links } });
    expect(status).toBe(200);
  }
}

async function openLinks(account: Account, query = "", options?: PageOptions): Promise<DashboardPage> {
  const { body } = await call<{ slug: string }>("GET", pathOf(account), account);
  const page = await openSignedInPage(browser, service, account, options);
  await page.open(`${url}/app/o/${body.slug}/links${query}`);
  return page;
}

const totalOf = async (account: Account, query = "") =>
  (await call<{ total: number }>("GET", `${pathOf(account)}/links${query}`, account)).body.total;

test("all links that the filters match are selected with one request, also those that are not shown yet", async () => {
  const ada = await service.register();
  await createMany(ada, 130, "Spring");
  await createMany(ada, 20, "Autumn");
  const page = await openLinks(ada, "?search=spring");
  await page.until(`${rows(100)} && ${says("130 links")}`);
  await page.evaluate(`${boxes}[1].click()`);
  await page.until(`${says("1 selected")} && ${SHOWN}.indeterminate`);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`${says("100 selected")} && ${boxes}.every((each) => each.checked)`);
  await page.takeScreenshots("links-selected-shown");
  await page.evaluate(`${button("Select all 130")}.click()`);
  await page.until(`${says("130 selected")} && !${button("Select all 130")}`);
  await page.until(hasAnswer("/links/export"));
  expect(await page.evaluate<number>(requestsOf("/links/export"))).toBe(1);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("links-selected-all");

  await page.evaluate(`${button("Archive")}.click()`);
  await page.until(`${TOLD}.includes("130 links changed") && ${says("No link matches")} && !${says("selected")}`);
  expect([await totalOf(ada), await totalOf(ada, "?isArchived=true")]).toEqual([20, 130]);
  await page.evaluate(`${lastButton("Clear filters")}.click()`);
  await page.until(rows(20));
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(says("20 selected"));
  // The list ends here.
  expect(await page.evaluate<boolean>(`!${button("Select all 20")}`)).toBe(true);
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`!${says("20 selected")}`);
  expect(page.complaints).toEqual([]);
});

test("while the matching links are being read, that can be cancelled, and other filters end it", async () => {
  const ada = await service.register();
  await createMany(ada, 101, "Spring");
  const page = await openLinks(ada);
  await page.until(rows(100));
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`!!${button("Select all 101")}`);
  const held = page.hold("GET", "/links/export");
  await page.evaluate(`${button("Select all 101")}.click()`);
  await held.sent;
  await page.until(`${says("0 of 101")} && !!${button("Cancel")}`);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${button("Cancel")}.click()`);
  await page.until(`!!${button("Select all 101")} && ${says("100 selected")}`);
  held.releaseRequest();
  const again = page.hold("GET", "/links/export");
  await page.evaluate(`${button("Select all 101")}.click()`);
  await again.sent;
  await page.press("/");
  await page.type("spring");
  await page.until(`location.search === "?search=spring" && !!${button("Select all 101")}`);
  again.releaseRequest();
  expect(await page.evaluate<boolean>(says("100 selected"))).toBe(true);
  const failed = page.hold("GET", "/links/export");
  await page.evaluate(`${button("Select all 101")}.click()`);
  await failed.sent;
  failed.failRequest();
  await page.until(`${TOLD}.includes("cannot be reached") && !!${button("Select all 101")}`);
});

test("if only some of many links could be deleted, it is said how many, and the others stay selected", async () => {
  const ada = await service.register();
  await createMany(ada, 1_010, "Spring");
  const page = await openLinks(ada);
  await page.until(rows(100));
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`!!${button("Select all 1,010")}`);
  await page.evaluate(`${button("Select all 1,010")}.click()`);
  await page.until(says("1,010 selected"));
  await page.evaluate(`${button("Delete")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog]:not(.toast) .danger") && ${says("Delete 1,010 links?")}`);
  const first = page.hold("POST", "/links/bulk-delete");
  const second = page.hold("POST", "/links/bulk-delete");
  await page.evaluate(`${lastButton("Delete")}.click()`);
  await first.sent;
  await page.until(says("0 of 1,010"));
  first.releaseRequest();
  await second.sent;
  await page.until(says("1,000 of 1,010"));
  second.failRequest();
  await page.until(`${TOLD}.includes("1,000 links deleted") && ${TOLD}.includes("10 links could not be changed: ")`);
  await page.until(`${says("10 selected")} && ${rows(10)} && !${says("1,000 of 1,010")}`);
  expect(await totalOf(ada)).toBe(10);
  await page.evaluate(`${button("Delete")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog]:not(.toast) .danger") && ${says("Delete 10 links?")}`);
  await page.evaluate(`${lastButton("Delete")}.click()`);
  await page.until(`${TOLD}.includes("10 links deleted") && !${says("10 selected")}`);
  expect(await totalOf(ada)).toBe(0);
});

/** A script for `begin`: after `served` requests of bulk changes, the plan's limit is reached. */
const limitAfter = (served: number, retryAfterSeconds: number) => `(() => { const ask = window.fetch;
  window.served = ${served};
  const refused = () => new Response(JSON.stringify({ error: "Too many requests" }),
    { status: 429, headers: { "Retry-After": "${retryAfterSeconds}" } });
  window.fetch = async (request, ...others) =>
    request.url?.includes("/links/bulk") && window.served-- <= 0 ? refused() : ask(request, ...others); })()`;

async function selectAll(account: Account, begin: string): Promise<DashboardPage> {
  const page = await openLinks(account, "", { begin });
  await page.until(rows(100));
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`!!${button("Select all 1,010")}`);
  await page.evaluate(`${button("Select all 1,010")}.click()`);
  await page.until(says("1,010 selected"));
  return page;
}

test("a change that reaches the plan's limit says for how long it waits, and continues by itself", async () => {
  const ada = await service.register();
  await createMany(ada, 1_010, "Spring");
  const page = await selectAll(ada, limitAfter(1, 1));
  await page.evaluate(`${button("Pause")}.click()`);
  await page.until(`${says("1,000 of 1,010")} && ${says("continues in 1 second")}`);
  await page.evaluate("void (window.served = Infinity)");
  await page.until(`${TOLD}.includes("1,010 links changed") && !${says("1,000 of 1,010")}`);
  expect(await totalOf(ada, "?state=inactive")).toBe(1_010);
  expect(page.complaints).toEqual([]);
});

test("a change that waits for the plan's limit can be cancelled, and leaves the others selected", async () => {
  const ada = await service.register();
  await createMany(ada, 1_010, "Spring");
  const page = await selectAll(ada, limitAfter(1, 60));
  await page.evaluate(`${button("Delete")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog]:not(.toast) .danger")`);
  await page.evaluate(`${lastButton("Delete")}.click()`);
  await page.until(`${says("continues in 60 seconds")} && !document.querySelector("[role=dialog]:not(.toast)")`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("links-selected-waiting");
  await page.evaluate(`${button("Cancel")}.click()`);
  await page.until(`${TOLD}.includes("1,000 links deleted") && ${says("10 selected")} && !${button("Cancel")}`);
  expect(await page.evaluate<boolean>(`${TOLD}.includes("could not be changed")`)).toBe(false);
  expect(await totalOf(ada)).toBe(10);
});

test("a change that is cancelled while a request is under way says so until that has its response", async () => {
  const ada = await service.register();
  await createMany(ada, 1_010, "Spring");
  const page = await selectAll(ada, "");
  const held = page.hold("PATCH", "/links/bulk");
  await page.evaluate(`${button("Pause")}.click()`);
  await held.sent;
  await page.until(`${says("0 of 1,010")} && !!${button("Cancel")}`);
  await page.evaluate(`${button("Cancel")}.focus()`);
  await page.press("Enter");
  await page.until(`${button("Cancel")}?.disabled && ${says("Canceling. Changes already sent take effect.")}`);
  expect(await page.faults()).toEqual([]);
  held.releaseRequest();
  await page.until(`${TOLD}.includes("1,000 links changed") && !${button("Cancel")} && !${says("Canceling")}`);
  // The focus has not gone with the button.
  await page.until(`document.querySelector("main").contains(document.activeElement)`);
  expect(await totalOf(ada, "?state=inactive")).toBe(1_000);
  const next = page.hold("PATCH", "/links/bulk");
  await page.evaluate(`${button("Resume")}.click()`);
  await next.sent;
  await page.until(`${says("0 of 1,010")} && ${button("Cancel")}?.disabled === false && !${says("Canceling")}`);
  next.releaseRequest();
  await page.until(`${TOLD}.includes("1,010 links changed")`);
  expect(page.complaints).toEqual([]);
});

test("tags that wait for the plan's limit stay typed if that is cancelled", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl });
  const page = await openLinks(ada, "", { begin: limitAfter(0, 60) });
  await page.until(rows(1));
  await page.evaluate(`${SHOWN}.click()`);
  await page.until(`!!${button("Add tag")}`);
  await page.evaluate(`${button("Add tag")}.click()`);
  await page.until(`!!${labelled("Tag to add")}`);
  await page.evaluate(`${labelled("Tag to add")}.focus()`);
  await page.type("spring");
  await page.press("Enter");
  await page.until(`${says("continues in 60 seconds")} && !${labelled("Tag to add")}`);
  await page.evaluate(`${button("Cancel")}.click()`);
  await page.until(`${labelled("Tag to add")}?.value === "spring"`);
});
