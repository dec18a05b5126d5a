/** The dashboard of an organization that has many of everything, with long names and tags, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { openSignedInPage, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const defaultUrl = "https://shop.example.com/";
const LONG_WORD = "Donaudampfschifffahrtsgesellschaft".repeat(3);
const boxOf = (expression: string) => `(({ left, right, top, bottom }) => ({ left, right, top, bottom }))(
  ${expression}.getBoundingClientRect())`;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

test("a link with many long tags stays in its row, next to its name", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, slug: `below-${ada.orgId.slice(-8)}` });
  const tags = Array.from({ length: 20 }, (_, at) => `${LONG_WORD.slice(0, 46)}-${at}`);
  await service.createLink(ada, { defaultUrl, slug: `tagged-${ada.orgId.slice(-8)}`, tags });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`!!document.querySelector(".list-row button.chip")`);
  const [row, name, ...chips] = await page.evaluate<Box[]>(`(() => {
    const row = document.querySelector(".list-row:has(.chip)");
    return [row, row.querySelector("a"), ...row.querySelectorAll(".chip")].map((each) => ${boxOf("each")}); })()`);
  expect(chips).toHaveLength(4);
  for (const chip of chips) {
    expect(chip.top).toBeGreaterThan(row?.top ?? 0);
    expect(chip.bottom).toBeLessThan(row?.bottom ?? 0);
    expect(chip.left).toBeGreaterThan(name?.right ?? 0);
  }
  expect(await page.evaluate<boolean>(says("+17"))).toBe(true);
  await page.takeScreenshots("links-tags");
  expect(await page.faults()).toEqual([]);
});

test("a name of one long word hides no other column of its table", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  await call("POST", `${at}/api-keys`, { ...ada, body: { name: LONG_WORD, scopes: ["links:read"] } });
  await call("POST", `${at}/webhooks`, {
    ...ada,
    body: { url: `https://example.com/${LONG_WORD}`, events: ["click"] },
  });
  const filters = { period: "7d" };
  await call("POST", `${at}/analytics/reports`, { ...ada, body: { name: LONG_WORD, filters, metrics: ["clicks"] } });
  await call("POST", `${at}/bio-pages`, { ...ada, body: { title: LONG_WORD } });
  const { body: organization } = await call<{ slug: string }>("GET", at, ada);
  const page = await openSignedInPage(browser, service, ada);
  const screens = ["developers/api-keys", "developers/webhooks", "analytics?reports=", "pages"];
  for (const screen of screens) {
    await page.open(`${url}/app/o/${organization.slug}/${screen}`);
    await page.until(`!!document.querySelector(".table td")`);
    const hiddenPx = await page.evaluate<number>(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".table-box"))`,
    );
    expect({ screen, hiddenPx }).toEqual({ screen, hiddenPx: 0 });
    await page.takeScreenshots(`long-name-${screen.replace(/\W/g, "-")}`);
  }
});
