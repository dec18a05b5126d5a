/** The Route tab of a link in a real browser: rules by keyboard, what they would do before they are saved, and what they do then. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { type DashboardPage, signedIn } from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
const { body: org } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
const browser = await startBrowser();
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
const HOME = "https://shop.example.com/";
const PHONES = "https://shop.example.com/phones";

async function openRoute(who: Account, link: { _id: string }): Promise<DashboardPage> {
  const page = await signedIn(browser, service, who);
  await page.open(`${service.url}/app/o/${org.slug}/links/${link._id}`);
  await page.until(`document.body.innerText.includes("Default destination")`);
  return page;
}

const said = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
const SIMULATED = `document.querySelector("[aria-label=Simulator] .notice")?.innerText ?? ""`;
const goesTo = (url: string) => `(${SIMULATED}).includes(${JSON.stringify(url)})`;

/** By nothing but the Tab key. */
async function tabTo(page: DashboardPage, name: string): Promise<void> {
  const isThere = `(() => { const e = document.activeElement; const named = e?.getAttribute("aria-label") ?? e?.labels?.[0]?.innerText ?? e?.innerText;
    return named?.trim() === ${JSON.stringify(name)}; })()`;
  for (let pressed = 0; pressed < 120; pressed++) {
    if (await page.evaluate<boolean>(isThere)) return;
    await page.press("Tab");
  }
  throw new Error(`Tab never came to ${name}`);
}

test("a rule by keyboard: simulated before it is saved, then real", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME });
  const page = await openRoute(ada, link);
  await page.until(goesTo(HOME));
  await tabTo(page, "Add rule");
  await page.press("Enter");
  await page.until(`document.activeElement?.innerText === "Add condition"`);
  await page.press("Enter");
  await page.until(`document.activeElement?.labels?.[0]?.innerText === "Condition"`);
  await tabTo(page, "iOS");
  await page.press(" ");
  await tabTo(page, "Destination of Rule 1");
  await page.type(PHONES);
  await page.until(goesTo(PHONES));
  expect(await page.evaluate<string>(`document.querySelector(".step").innerText`)).toContain("Decides");
  const before = await service.visit(link, { "user-agent": IPHONE });
  expect(before.headers.get("location")).toBe(HOME);
  await page.shot("route-unsaved");
  expect(await page.faults()).toEqual([]);

  await tabTo(page, "Save");
  await page.press("Enter");
  await page.until(said("The route is saved"));
  const after = await service.visit(link, { "user-agent": IPHONE });
  expect(after.headers.get("location")).toBe(PHONES);
  expect(page.complaints).toEqual([]);
});
