/** The points in time that are named below the chart of clicks, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { type DashboardPage, openSignedInPage } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();
const ada = await service.register();
const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);

const YEAR = new Date().getUTCFullYear() - 1;

/** Opens the figures of these days, which a filter shows even without clicks, and returns the names below the chart. */
async function namesOf(from: string, to: string): Promise<string[]> {
  const page: DashboardPage = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${body.slug}/analytics?from=${from}&to=${to}&country=DE`);
  await page.until(`document.querySelectorAll(".chart-names li").length > 1`);
  expect(page.complaints).toEqual([]);
  return page.evaluate(`[...document.querySelectorAll(".chart-names li")].map((name) => name.innerText)`);
}

test("over a year, the days' names say which year it is", async () => {
  expect(await namesOf(`${YEAR}-01-01`, `${YEAR}-12-31`)).toEqual([
    `Jan ${YEAR}`,
    `Apr ${YEAR}`,
    `Jul ${YEAR}`,
    `Oct ${YEAR}`,
    `Dec ${YEAR}`,
  ]);
});

test("over a few weeks, the days are named", async () => {
  expect(await namesOf(`${YEAR}-03-01`, `${YEAR}-03-31`)).toEqual(["Mar 1", "Mar 9", "Mar 16", "Mar 24", "Mar 31"]);
});

test("over several days by hour, the hours' names say which day it is", async () => {
  const names = await namesOf(`${YEAR}-03-01`, `${YEAR}-03-03`);
  expect(names.length).toBe(5);
  for (const name of names) expect(name).toMatch(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\d:\d\d/);
  expect(await namesOf(`${YEAR}-03-01`, `${YEAR}-03-01`)).not.toContainEqual(expect.stringMatching(/^[A-Z][a-z]{2}/));
});
