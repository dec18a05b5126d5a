/**
 * What becomes of a change in a real browser: it is sent once, even if the page is busy, and its outcome is told, even
 * if the row, dialog or screen that it was made in has gone meanwhile.
 */
import { describe, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, labelled, lastButton, openSignedInPage } from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const defaultUrl = "https://shop.example.com/";
const TOLD = `(document.querySelector(".toasts")?.innerText ?? "")`;
const IS_OPEN = `!!document.querySelector(".dialog")`;

const pathOf = ({ orgId }: Account) => `/api/v1/organizations/${orgId}`;

async function openScreen(account: Account, screen: string): Promise<DashboardPage> {
  const { body: organization } = await call<{ slug: string }>("GET", pathOf(account), account);
  const page = await openSignedInPage(browser, service, account);
  await page.open(`${url}/app/o/${organization.slug}/${screen}`);
  return page;
}

/** Presses the button twice. Both presses wait until the page has time for them, as on a slow phone. */
async function pressTwice(page: DashboardPage, pressed: string): Promise<void> {
  await page.until(`${pressed}?.disabled === false`);
  await page.evaluate(`${pressed}.focus()`);
  await page.evaluate(`void setTimeout(() => { for (const end = Date.now() + 500; Date.now() < end; ); })`);
  await Promise.all([page.press("Enter"), page.press("Enter")]);
}

/** The number of requests to URLs that contain `part`. */
const requests = (page: DashboardPage, part: string) =>
  page.evaluate<number>(
    `performance.getEntriesByType("resource").filter(({ name }) => name.includes(${JSON.stringify(part)})).length`,
  );

describe("while the page is busy", () => {
  test("a question that is answered twice acts once", async () => {
    const ada = await service.register();
    const body = { url: "https://hooks.example.com/", events: ["click"] };
    const { _id } = (await call<{ _id: string }>("POST", `${pathOf(ada)}/webhooks`, { ...ada, body })).body;
    const page = await openScreen(ada, `developers/webhooks?rotate=${_id}`);
    await page.until(IS_OPEN);
    await pressTwice(page, lastButton("Rotate secret"));
    await page.until(`document.querySelector("[role=dialog] pre")?.innerText.startsWith("whsec_")`);
    expect(await requests(page, "/rotate-secret")).toBe(1);
    expect(page.complaints).toEqual([]);
  });

  test("a route is saved once", async () => {
    const ada = await service.register();
    const link = await service.createLink(ada, { defaultUrl });
    const page = await openScreen(ada, `links/${link._id}`);
    await page.until(`!!${labelled("Default destination")}`);
    await page.evaluate(`${labelled("Default destination")}.focus(), ${labelled("Default destination")}.select()`);
    await page.type(`${defaultUrl}sale`);
    const held = page.hold("PATCH", link._id);
    await pressTwice(page, button("Save"));
    await held.sent;
    held.releaseRequest();
    await page.until(`/saved/i.test(${TOLD})`);
    expect(page.complaints).toEqual([]);
  });
});
