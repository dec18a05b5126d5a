/** The dashboard in a real browser: every screen by keyboard, seen in light and dark, on a phone and at a desk. */
import { describe, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { signedIn } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();

test("the parts it is made of have no fault", async () => {
  const page = await signedIn(browser, service, ada);
  await page.open(`${service.url}/app/ui`);
  await page.until(`document.querySelectorAll("h2").length > 5`);
  await page.shot("ui");
  expect(await page.faults()).toEqual([]);
  expect(page.complaints).toEqual([]);
});

describe("links", () => {
  test("paste, Enter, copied; listed, paused, taken back, deleted", async () => {
    const page = await signedIn(browser, service, ada);
    await page.open(`${service.url}/app`);
    await page.until(
      `document.querySelector("main input.large") && document.body.innerText.includes("first short link")`,
    );
    expect(await page.faults()).toEqual([]);
    await page.shot("links-empty");
    await page.press("c");
    await page.type("https://shop.example.com/a/very/long/path?with=query");
    await page.press("Enter");
    await page.until(`!!document.querySelector(".list-row")`);
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toStartWith(service.url);
    expect(await page.faults()).toEqual([]);
    await page.shot("links");
    expect(page.complaints).toEqual([]);
  });
});
