/** The review queue of suspicious clicks in a real browser: evidence, verdicts by keyboard, and effect on figures. */
import { expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, openSignedInPage, says } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { REPEATS_MAX } from "@/clicks/enrich/bot-signs";
import type { AbuseItem } from "@/contract/analytics/abuse";
import type { Link } from "@/contract/links/links";

const SUSPECTS = 6;
const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const home = `/api/v1/organizations/${ada.orgId}`;
const { body: organization } = await service.call<{ slug: string }>("GET", home, ada);
const screen = `${service.url}/app/o/${organization.slug}/review`;

const rows = `document.querySelectorAll("main li .list-row").length`;
const current = `[...document.querySelectorAll("main li .list-row")].findIndex((row) => row.dataset.current === "true")`;
const inDialog = (text: string) =>
  `[...document.querySelectorAll("[role=dialog]:not(.toast) button")].find((each) => each.innerText === "${text}")`;
const statuses = async () => {
  const path = `${home}/analytics/abuse-queue?status=all`;
  const { items } = (await service.call<{ items: AbuseItem[] }>("GET", path, ada)).body;
  return items.map(({ status }) => status);
};
const clickCount = async (linkId: string) =>
  (await service.call<Link>("GET", `${home}/links/${linkId}`, ada)).body.clickCount;

test("suspicious clicks are reviewed one by one, with undo, and in bulk", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(screen);
  await page.until(says("Nothing to review"));
  expect(await page.faults()).toEqual([]);

  const link = await service.createLink(ada, { defaultUrl: "https://example.com/", title: "Spring sale" });
  const visitor = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0" };
  for (let visit = 0; visit < REPEATS_MAX + SUSPECTS; visit++) {
    await service.visit(link, visitor);
    // Two visits by the same visitor within a millisecond may count as one.
    for (const now = Date.now(); Date.now() === now; ) await Bun.sleep(0);
  }
  await waitUntilDrained(service.service);
  await page.evaluate("location.reload()");
  await page.until(`${rows} === ${SUSPECTS}`);
  for (const text of ["Spring sale", "Linux · Firefox", "Repeated too fast", "Score 80", `${SUSPECTS} clicks`])
    expect([text, await page.evaluate<boolean>(says(text))]).toEqual([text, true]);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("review");

  await page.press("j");
  await page.press("j");
  await page.until(`${current} === 1`);
  await page.press("y");
  await page.until(`${rows} === ${SUSPECTS - 1} && ${says("Confirmed. The click is removed from all figures")}`);
  // The next click has moved to its place.
  expect(await page.evaluate<number>(current)).toBe(1);
  expect((await statuses())[1]).toBe("confirmed");
  await page.press("n");
  await page.until(`${rows} === ${SUSPECTS - 2} && ${says("Dismissed. The click counts as a person’s")}`);
  expect((await statuses())[2]).toBe("dismissed");
  expect(await clickCount(link._id)).toBe(REPEATS_MAX + 1);
  await page.evaluate(`[...document.querySelectorAll(".toast")]
    .find((toast) => toast.innerText.startsWith("Dismissed")).querySelector(".toast-action").click()`);
  await page.until(`${rows} === ${SUSPECTS - 1}`);
  await page.until(`!document.querySelector(".toast") || !${says("Dismissed. The click")}`);
  // The list shows it before the service knows.
  await until(async () => !(await statuses()).includes("dismissed"));
  expect((await statuses()).filter((status) => status === "confirmed").length).toBe(1);

  await page.evaluate(`${button("Confirmed")}.click()`);
  await page.until(`${rows} === 1 && location.search === "?status=confirmed"`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("review-confirmed");

  await page.evaluate(`document.querySelector("main .tabs a[href$='/groups']").click()`);
  await page.until(says("5 clicks on 1 link"));
  const currentTabs = `[...document.querySelectorAll("main .tabs [aria-current]")].map((tab) => tab.innerText).join()`;
  expect(await page.evaluate<string>(currentTabs)).toBe("Addresses and links");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("review-groups");
  await page.press("j");
  await page.press("n");
  await page.until(`!!${inDialog("Dismiss")} && ${says("5 clicks count as people’s in all figures.")}`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("review-many");
  await page.evaluate(`${inDialog("Dismiss")}.click()`);
  await page.until(`${says("Nothing to review")} && ${says("5 clicks dismissed")}`);
  // The click that was judged individually keeps its verdict.
  expect((await statuses()).toSorted()).toEqual(["confirmed", ...new Array(SUSPECTS - 1).fill("dismissed")]);
  expect(await clickCount(link._id)).toBe(REPEATS_MAX + SUSPECTS - 1);
  await page.evaluate(`${button("Link")}.click()`);
  await page.evaluate(`${button("Dismissed")}.click()`);
  await page.until(`${says("5 clicks from 1 address")} && location.search === "?by=link&status=dismissed"`);
  await page.evaluate(`document.querySelector("main li .list-row a").click()`);
  await page.until(`${rows} === ${SUSPECTS - 1} && ${says("Link: Spring sale")}`);
  expect(page.complaints).toEqual([]);
});

test("on a phone, a score is shown whole, in German as well", async () => {
  const phone = { width: 360, height: 800, headers: { "accept-language": "de" } };
  const page = await openSignedInPage(browser, service, ada, phone);
  await page.open(`${screen}?status=confirmed`);
  await page.until(`${rows} > 0`);
  const scores = `[...document.querySelectorAll("main li .chip .one-line")].filter((each) => each.innerText.startsWith("Score"))`;
  expect(await page.evaluate<number>(`${scores}.length`)).toBeGreaterThan(0);
  expect(await page.evaluate<boolean>(`${scores}.every((each) => each.scrollWidth <= each.clientWidth)`)).toBe(true);
});

test("a viewer has no link to this screen and cannot give verdicts", async () => {
  const viewer = await addMember(service, ada.orgId, "viewer");
  const page = await openSignedInPage(browser, service, viewer);
  await page.open(`${screen}?status=all`);
  await page.until(`${rows} > 0`);
  expect(await page.evaluate<number>(`document.querySelectorAll("main li .list-row button").length`)).toBe(0);
  expect(await page.evaluate<boolean>(`!!document.querySelector("nav.side a[href$='/review']")`)).toBe(false);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("review-all");
  const before = await statuses();
  await page.press("j");
  await page.press("y");
  await page.until(`${current} === 0`);
  expect(await statuses()).toEqual(before);
  expect(page.complaints).toEqual([]);
});
