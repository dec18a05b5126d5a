/** How long messages about what was done stay, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, lastButton, openSignedInPage, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

/** Seconds pass at once, for timers of messages; and the clock can be put forward. */
const IN_NO_TIME = `setTimeout = ((set) => (act, ms, ...of) => set(act, ms > 5_000 && ms < 30_000 ? 0 : ms, ...of))(setTimeout);
  Date.now = ((now) => () => now() + (window.laterMs ?? 0))(Date.now);`;
/** The clock stands still, unless it is put forward. */
const AT_REST = `${IN_NO_TIME} Date.now = ((at) => () => at + (window.laterMs ?? 0))(Date.now());`;
const ROWS = `document.querySelectorAll("main li .list-row").length`;
const toasts = (text: string) =>
  `[...document.querySelectorAll(".toast")].filter((each) => each.innerText.includes(${JSON.stringify(text)})).length`;

async function openLinks(count: number, begin = IN_NO_TIME): Promise<DashboardPage> {
  const ada = await service.register();
  for (let made = 0; made < count; made++)
    await service.createLink(ada, { defaultUrl: "https://shop.example.com/", title: `Spring ${made}` });
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada, { begin });
  await page.open(`${url}/app/o/${body.slug}/links`);
  await page.until(`${ROWS} === ${count}`);
  return page;
}

async function choose(page: DashboardPage, row: number, text: string): Promise<void> {
  await page.evaluate(`document.querySelectorAll("main .list-row button[aria-haspopup=menu]")[${row}].click()`);
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "${text}")`;
  await page.until(`!!${item}`);
  await page.evaluate(`${item}.click()`);
  await page.until(`!document.querySelector("[role=menu]")`);
}

test("a message that can be undone stays until then, however long that takes; others go by themselves", async () => {
  const page = await openLinks(1);
  await choose(page, 0, "Pause");
  await page.until(`${toasts("paused")} === 1 && document.querySelectorAll(".chip.bad").length === 1`);
  await page.evaluate(`window.copies = 0; new MutationObserver(() => {
    if (${toasts("Copied")} > 0) window.copies = 1;
  }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
  await choose(page, 0, "Copy short URL");
  await page.until(`window.copies === 1 && ${toasts("Copied")} === 0`);
  expect(await page.evaluate<number>(toasts("paused"))).toBe(1);
  // On a screen that is opened next, too.
  await page.evaluate(`document.querySelector("a[href$='/apps']").click()`);
  await page.until(`document.querySelector("h1")?.innerText === "Apps"`);
  await page.evaluate("history.back()");
  await page.until(`${ROWS} === 1`);
  await page.evaluate(`${button("Undo")}.click()`);
  await page.until(`${toasts("paused")} === 0 && document.querySelectorAll(".chip.bad").length === 0`);
  expect(page.complaints).toEqual([]);
});

test("a message that can be undone goes with another screen once it is old, and can be closed", async () => {
  const page = await openLinks(1);
  await choose(page, 0, "Pause");
  await page.until(`${toasts("paused")} === 1`);
  await page.evaluate(`document.querySelector(".toast [aria-label=Close]").click()`);
  await page.until(`${toasts("paused")} === 0`);
  await choose(page, 0, "Resume");
  await page.until(`${toasts("resumed")} === 1`);
  await page.evaluate("void (window.laterMs = 61_000)");
  await page.evaluate(`document.querySelector("a[href$='/apps']").click()`);
  await page.until(`document.querySelector("h1")?.innerText === "Apps" && ${toasts("resumed")} === 0`);
  expect(page.complaints).toEqual([]);
});

test("on a phone, a message that can be undone leaves a dialog's buttons free, and is back after it", async () => {
  const page = await openLinks(1);
  await page.look({ width: 360, height: 640 });
  await choose(page, 0, "Pause");
  await page.until(`${toasts("paused")} === 1`);
  const here = await page.evaluate<string>("location.pathname");
  await page.evaluate(`history.pushState(null, "", "${here.replace(/links$/, "developers/webhooks?create=")}")`);
  const atButton = `document.elementFromPoint(...(({ x, y, width, height }) => [x + width / 2, y + height / 2])(
    ${lastButton("Create webhook")}.getBoundingClientRect()))`;
  await page.until(`!!document.querySelector(".dialog") && ${lastButton("Create webhook")}.closest(".dialog")
    ?.contains(${atButton})`);
  expect(await page.evaluate<boolean>(`${lastButton("Create webhook")}.contains(${atButton})`)).toBe(true);
  await page.press("Escape");
  await page.until(`!document.querySelector(".dialog") && document.querySelector(".toast").checkVisibility()`);
  await page.evaluate(`${button("Undo")}.click()`);
  await page.until(`${toasts("paused")} === 0`);
  expect(page.complaints).toEqual([]);
});

test("a failure stays until it is closed, or, once it is old, until something else is done", async () => {
  const page = await openLinks(1, AT_REST);
  await page.evaluate(`window.copies = 0; new MutationObserver((all) => all.forEach(({ addedNodes }) =>
    addedNodes.forEach((each) => { if (each.innerText?.includes("Copied")) window.copies += 1; })))
    .observe(document.body, { childList: true, subtree: true })`);
  const giveBack = page.refuse("PATCH", "/links/");
  const failed = toasts("cannot be reached");
  await choose(page, 0, "Pause");
  await page.until(`${failed} === 1`);
  await choose(page, 0, "Copy short URL");
  await page.until(`window.copies > 0 && ${toasts("Copied")} === 0`);
  expect(await page.evaluate<number>(failed)).toBe(1);
  await page.evaluate(`document.querySelector(".toast [aria-label=Close]").click()`);
  await page.until(`${failed} === 0`);
  await choose(page, 0, "Pause");
  await page.until(`${failed} === 1`);
  giveBack();
  await page.evaluate("void (window.laterMs = 7_000)");
  await choose(page, 0, "Pause");
  await page.until(`${toasts("paused")} === 1 && ${failed} === 0`);
});

test("of the messages that can be undone, the latest three stay, and each can be used", async () => {
  const page = await openLinks(4);
  for (const row of [0, 1, 2, 3]) {
    await choose(page, row, "Pause");
    await page.until(`document.querySelectorAll(".chip.bad").length === ${row + 1}`);
  }
  await page.until(`${toasts("paused")} === 3`);
  for (const left of [3, 2, 1]) {
    await page.evaluate(`${button("Undo")}.click()`);
    await page.until(
      `${toasts("paused")} === ${left - 1} && document.querySelectorAll(".chip.bad").length === ${left}`,
    );
  }
  expect(await page.evaluate<boolean>(says("Undo"))).toBe(false);
  expect(page.complaints).toEqual([]);
});
