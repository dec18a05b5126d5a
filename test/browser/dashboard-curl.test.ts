/** "Copy as curl": the command, run in a shell, returns what the screen shows. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, openSignedInPage, says } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const { slug: org } = (
  await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, { token: ada.token })
).body;
const app = `${service.url}/app/o/${org}`;
const { token } = (
  await service.call<{ token: string }>("POST", `/api/v1/organizations/${ada.orgId}/access-tokens`, {
    token: ada.token,
    body: { name: "Scripts", scopes: ["read", "analytics"] },
  })
).body;
/** A browser's user agent; without one, a visit counts as a bot's. */
const PERSON = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0" };
const spring = await service.createLink(ada, { title: "It's [spring]", defaultUrl: "https://shop.example.com/" });
await service.createLink(ada, { title: "Autumn", defaultUrl: "https://shop.example.com/autumn" });
expect((await service.visit(spring, PERSON)).status).toBe(302);
await waitUntilDrained(service.service);

const commands = (page: DashboardPage) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("[role=dialog] pre")].map((each) => each.textContent.trim())`);

/** Runs the command in a shell, with the person's own access token in the environment. */
async function run<Answer>(command: string): Promise<Answer> {
  expect(command).not.toContain(ada.token);
  const shell = Bun.spawn(["sh", "-c", `${command} --silent --show-error --fail-with-body`], {
    env: { PATH: Bun.env.PATH ?? "", WAYMARK_TOKEN: token },
  });
  const text = await new Response(shell.stdout).text();
  expect(await shell.exited).toBe(0);
  return JSON.parse(text);
}

const ofPath = (found: readonly string[], path: string): string =>
  found.find((each) => each.includes(`/organizations/${ada.orgId}${path}`)) ?? `none of ${path}: ${found.join(" ")}`;

test("the command palette copies the filtered list of links as curl", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${app}/links?search=${encodeURIComponent("It's [spring")}`);
  await page.until(`document.querySelectorAll(".list-row a").length > 0 && ${says("It's [spring]")}`);
  await page.press("Control+k");
  await page.until(`document.activeElement === document.querySelector(".palette-input")`);
  await page.type("curl");
  await page.press("Enter");
  await page.until(`document.activeElement === ${button("Copy all")}`);
  const { links } = await run<{ links: { title: string }[] }>(ofPath(await commands(page), "/links?"));
  expect(links.map(({ title }) => title)).toEqual(["It's [spring]"]);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("curl");
  await page.press("Escape");
  await page.until(`!document.querySelector("[role=dialog]")`);
  expect(page.complaints).toEqual([]);
});

test("the screen's header copies figures, assistant answers and visits as curl", async () => {
  const page = await openSignedInPage(browser, service, ada);
  const open = `[...document.querySelectorAll(".page-head button")].find((each) => each.title === "Copy as curl")`;
  await page.open(`${app}/analytics?country=unknown&range=7d`);
  await page.until(`document.querySelector(".number-tile .figure")?.innerText === "1"`);
  await page.evaluate(`${open}.click()`);
  await page.until(`document.activeElement === ${button("Copy all")}`);
  const figures = await run<{ totalClicks: number }>(ofPath(await commands(page), "/analytics/overview?"));
  expect(figures.totalClicks).toBe(1);

  const goal = "More of Ada's visitors [today]";
  await page.open(`${app}/analytics?goal=${encodeURIComponent(goal)}`);
  await page.until(says("Method: "));
  const answer = await page.evaluate<string>("document.body.innerText");
  await page.evaluate(`${open}.click()`);
  await page.until(`document.activeElement === ${button("Copy all")}`);
  const asked = ofPath(await commands(page), "/ai/marketing-assistant");
  const { summary } = await run<{ summary: string }>(asked);
  expect(answer).toContain(summary.replaceAll("`", ""));
  expect(JSON.parse(/ -d '(.*)'$/.exec(asked.replaceAll("'\\''", "’"))?.[1] ?? "")).toEqual({
    goal: goal.replace("'", "’"),
  });

  await page.open(`${app}/live`);
  await page.until(`document.querySelectorAll(".list-row a").length === 1 && ${says("It's [spring]")}`);
  await page.evaluate(`${open}.click()`);
  await page.until(`document.activeElement === ${button("Copy all")}`);
  const found = await commands(page);
  const visits = await run<{ clicks: { linkId: string }[] }>(ofPath(found, "/analytics/clicks?"));
  expect(visits.clicks.map(({ linkId }) => linkId)).toEqual([spring._id]);
  const named = await run<{ links: { title: string }[] }>(ofPath(found, `/links?linkId=${spring._id}`));
  expect(named.links.map(({ title }) => title)).toEqual(["It's [spring]"]);
  expect(page.complaints).toEqual([]);
});
