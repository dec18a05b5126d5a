/** URLs with letters that are percent-encoded on the wire, wherever the dashboard names them, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, openSignedInPage, says } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const ENCODED = says("%C3");

test("a link's destinations are named with their letters on each of its screens, and where clicks lead", async () => {
  const ada = await service.register();
  const link = await service.createLink(ada, {
    defaultUrl: "https://shop.example.com/frühling",
    rules: [{ destinationUrl: "https://shop.example.com/österreich", conditions: { countries: ["AT"] } }],
  });
  await service.visit(link, { "user-agent": PERSON });
  await waitUntilDrained(service.service);
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const at = `${url}/app/o/${body.slug}`;
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${at}/links/${link._id}`);
  // By the simulator and by its sample visitors.
  await page.until(`document.body.innerText.split("shop.example.com/frühling").length > 3`);
  expect(await page.evaluate<boolean>(ENCODED)).toBe(false);
  await page.open(`${at}/links/${link._id}/history`);
  await page.until(`[...document.querySelectorAll("main td")].some((cell) =>
    cell.innerText.includes("https://shop.example.com/frühling"))`);
  await page.open(`${at}/links/${link._id}/figures`);
  await page.until(`!!${button("Destination")}`);
  await page.evaluate(`${button("Destination")}.click()`);
  await page.until(`[...document.querySelectorAll("main li, main tr")].some((row) =>
    row.innerText.includes("https://shop.example.com/frühling"))`);
  expect(await page.evaluate<boolean>(ENCODED)).toBe(false);
  await page.open(`${at}/live`);
  await page.until(`!!document.querySelector("main .list-row a")`);
  await page.evaluate(`document.querySelector("main .list-row a").click()`);
  await page.until(`document.querySelector("[role=dialog]")?.innerText.includes("https://shop.example.com/frühling")
    && ${says("https://shop.example.com/österreich")}`);
  expect(await page.evaluate<boolean>(ENCODED)).toBe(false);
  expect(page.complaints).toEqual([]);
});
