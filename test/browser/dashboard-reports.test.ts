/** Saved reports and the assistant in Analytics, compared with what the API returns. */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, goBack, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { MarketingAssistantResponse } from "@/contract/analytics/ai";
import type { Report } from "@/contract/analytics/reports";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const { slug: org } = (
  await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, { token: ada.token })
).body;
const app = `${service.url}/app/o/${org}`;
/** A browser's user agent; without one, a visit counts as a bot's. */
const PERSON = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0" };
const link = await service.createLink(ada, { title: "Spring sale", defaultUrl: "https://shop.example.com/" });
expect((await service.visit(link, PERSON)).status).toBe(302);
await waitUntilDrained(service.service);

const path = `/api/v1/organizations/${ada.orgId}/analytics/reports`;
const kept = async () => (await service.call<{ reports: Report[] }>("GET", path, ada)).body.reports;
const keep = async (body: { name: string; filters: Report["filters"] }) =>
  (await service.call<Report>("POST", path, { token: ada.token, body })).body;

const item = (text: string) =>
  `[...document.querySelectorAll('[role="menuitem"]')].find((each) => each.innerText.trim() === ${JSON.stringify(text)})`;

async function choose(page: DashboardPage, menu: string, text: string): Promise<void> {
  await page.evaluate(`${menu}.focus()`);
  await page.press("Enter");
  await page.until(`!!${item(text)}`);
  await page.evaluate(`${item(text)}.click()`);
}

const MENU = button("Saved reports");
const actsOf = (name: string) => `document.querySelector('[aria-label="Actions for ${name}"]')`;

describe("saved reports", () => {
  test("keep the range and the filters, open from the menu, and are renamed and deleted", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics?range=7d&device=desktop&device=tablet&linkId=${link._id}&bots=yes`);
    await page.until(`!!${MENU} && document.querySelectorAll(".number-tile").length === 6`);
    await choose(page, MENU, "Save this view");
    await page.until(`document.activeElement === ${labelled("Name")}`);
    expect(await page.evaluate<string>("location.search")).toContain("save=");
    await page.type("Desks, weekly");
    await page.press("Enter");
    await page.until(says("Desks, weekly saved"));
    const [saved] = await kept();
    expect(saved).toMatchObject({
      name: "Desks, weekly",
      filters: { period: "7d", device: ["desktop", "tablet"], linkId: link._id, includeBots: true },
    });

    await page.open(`${app}/analytics`);
    await page.until(`!!${MENU}`);
    await choose(page, MENU, "Desks, weekly");
    await page.until(`location.search.includes("range=7d")`);
    expect(Object.fromEntries(new URLSearchParams(await page.evaluate<string>("location.search")))).toEqual({
      ...{ range: "7d", device: "tablet", linkId: link._id, bots: "yes", report: saved?._id ?? "" },
    });
    await page.until(`document.querySelectorAll(".chip.accent").length === 3`);

    await page.evaluate(
      `[...document.querySelectorAll(".chip.accent")].find((each) => /tablet/i.test(each.innerText)).click()`,
    );
    await page.until(`document.querySelectorAll(".chip.accent").length === 2`);
    await choose(page, MENU, "Save changes to Desks, weekly");
    await page.until(`${says("Desks, weekly saved")} && !!${button("Undo")}`);
    expect((await kept())[0]?.filters).toMatchObject({ period: "7d", device: ["desktop"], linkId: link._id });
    expect(await kept()).toHaveLength(1);
    await page.evaluate(`${button("Undo")}.click()`);
    await until(async () => (await kept())[0]?.filters.device?.length === 2);
    expect((await kept())[0]).toMatchObject({ _id: saved?._id, filters: saved?.filters });

    await page.evaluate("history.go(-2)");
    await page.until(`location.search === ""`);

    await page.open(`${app}/analytics?reports=`);
    await page.until(`!!${actsOf("Desks, weekly")}`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("reports");
    await choose(page, actsOf("Desks, weekly"), "Rename");
    await page.until(
      `document.activeElement === ${labelled("Name")} && document.activeElement?.value === "Desks, weekly"`,
    );
    await page.evaluate(`${labelled("Name")}.select()`);
    await page.type("Desks");
    await page.press("Enter");
    await page.until(`!!${actsOf("Desks")}`);
    expect(await kept()).toMatchObject([{ name: "Desks", filters: { period: "7d" } }]);
    await choose(page, actsOf("Desks"), "Delete");
    await page.until(says("Delete this report?"));
    await page.evaluate(`${button("Delete")}.click()`);
    await page.until(says("No saved reports yet"));
    expect(await kept()).toEqual([]);
    expect(await page.faults()).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  test("dialogs that were closed are not opened again by Back, also from within each other", async () => {
    await keep({ name: "Weekly", filters: { period: "7d" } });
    const page = await openSignedInPage(browser, service, ada, { hasMotion: true });
    const isOpen = `!!document.querySelector(".dialog")`;
    const isAt = (search: string) => `!${isOpen} && location.search === ${JSON.stringify(search)}`;
    await page.open(`${app}/analytics`);
    await page.until(`!!${MENU}`);
    await choose(page, MENU, "All saved reports");
    await page.until(`!!${actsOf("Weekly")}`);
    await choose(page, actsOf("Weekly"), "Rename");
    await page.until(`!!${labelled("Name")}`);
    await page.press("Escape");
    await page.until(`!!${actsOf("Weekly")}`);
    await page.press("Escape");
    await page.until(isAt(""));
    await goBack(page);
    expect(await page.evaluate<boolean>(isAt(""))).toBe(true);

    await choose(page, MENU, "All saved reports");
    await page.until(`!!${actsOf("Weekly")}`);
    await page.evaluate(`document.querySelector("[role=dialog] table a").click()`);
    await page.until(`!${isOpen} && location.search.includes("range=7d")`);
    await goBack(page);
    expect(await page.evaluate<boolean>(isAt(""))).toBe(true);

    await choose(page, MENU, "Save this view");
    await page.until(`document.activeElement === ${labelled("Name")}`);
    await page.type("Monthly");
    await page.press("Enter");
    await page.until(`!${isOpen} && location.search.includes("report=")`);
    await goBack(page);
    expect(await page.evaluate<boolean>(isAt(""))).toBe(true);
    for (const { _id } of await kept()) await service.call("DELETE", `${path}/${_id}`, { token: ada.token });
    expect(page.complaints).toEqual([]);
  });

  test("created with the API open with their exact range; a viewer can open but not change them", async () => {
    await keep({ name: "Days", filters: { from: "2026-01-01T00:00:00Z", to: "2026-01-03T00:00:00Z" } });
    await keep({ name: "Hours", filters: { from: "2026-01-01T06:00:00Z", to: "2026-01-01T18:30:00Z" } });
    const viewer = await addMember(service, ada.orgId, "viewer");
    const page = await openSignedInPage(browser, service, viewer);
    const asked = async () =>
      await page.evaluate<string[]>(
        `performance.getEntriesByType("resource").map(({ name }) => decodeURIComponent(name)).filter((name) => name.includes("/overview?"))`,
      );
    await page.open(`${app}/analytics?reports=`);
    for (const [name, range] of [
      ["Days", "from=2026-01-01T00:00:00.000Z&to=2026-01-03T00:00:00.000Z"],
      ["Hours", "from=2026-01-01T06:00:00.000Z&to=2026-01-01T18:30:00.000Z"],
    ] as const) {
      await page.until(`!!${actsOf(name)}`);
      await page.evaluate(
        `[...document.querySelectorAll("[role=dialog] a")].find((each) => each.innerText === "${name}").click()`,
      );
      await page.until(`location.search.includes("from=2026-01-01")`);
      await until(async () => (await asked()).some((url) => url.includes(range)));
      await page.open(`${app}/analytics?reports=`);
    }
    await page.until(`!!${actsOf("Days")}`);
    await page.evaluate(`${actsOf("Days")}.focus()`);
    await page.press("Enter");
    await page.until(`!!${item("Download CSV")}`);
    expect(await page.evaluate<boolean>(`!!${item("Rename")} || !!${item("Delete")}`)).toBe(false);
    expect(page.complaints).toEqual([]);

    // A download that the API refuses leaves the screen as it is.
    for (const { _id } of await kept()) await service.call("DELETE", `${path}/${_id}`, { token: ada.token });
    await page.evaluate(`${item("Download CSV")}.click()`);
    await page.evaluate(`fetch("/health").then(() => new Promise(requestAnimationFrame))`);
    await page.until(`!${item("Download CSV")} && !!${actsOf("Days")}`);
  });
});

describe("the assistant", () => {
  const card = `[...document.querySelectorAll("section.card")].find((each) => each.querySelector("h2")?.innerText === "Assistant")`;
  const answer = async (body: Record<string, string>) => {
    const asked = `/api/v1/organizations/${ada.orgId}/ai/marketing-assistant`;
    return (await service.call<MarketingAssistantResponse>("POST", asked, { token: ada.token, body })).body;
  };

  test("answers a goal, shows its evidence and method, and links to what it mentions", async () => {
    const rule = { destinationUrl: "https://shop.example.com/ios", conditions: { platform: ["ios" as const] } };
    const odd = await service.createLink(ada, {
      ...{ title: "Autumn sale", defaultUrl: "https://shop.example.com/autumn", rules: [rule, rule] },
    });
    for (let visits = 0; visits < 3; visits++) await service.visit(odd, PERSON);
    await waitUntilDrained(service.service);

    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics`);
    await page.until(`document.querySelectorAll(".number-tile").length === 6`);
    await page.until(`!!${labelled("Your goal")}`);
    await page.evaluate(`${labelled("Your goal")}.focus()`);
    await page.type("More installs of the running app");
    await page.press("Enter");
    await page.until(`${card}.innerText.includes("Method: ")`);
    const { summary, recommendations, campaigns, warnings } = await answer({
      goal: "More installs of the running app",
    });
    const said = (await page.evaluate<string>(`${card}.textContent`)).replaceAll("Copy", "");
    for (const text of [summary, ...recommendations.flatMap(({ title, evidence }) => [title, ...evidence])])
      expect(said).toContain(text.replaceAll("`", ""));
    for (const { name, copy } of campaigns) for (const text of [name, ...copy]) expect(said).toContain(text);
    for (const warning of warnings.filter((each) => !each.startsWith("productUrl: "))) expect(said).toContain(warning);
    const [first] = recommendations;
    expect(first?.insightId).toContain(odd._id);
    const to = `[...${card}.querySelectorAll("a")].find((each) => each.getAttribute("href").endsWith("/links/${odd._id}"))`;
    expect(await page.evaluate<boolean>(`!!${to}`)).toBe(true);
    expect(await page.evaluate<string>("document.activeElement.id")).toBe(
      await page.evaluate<string>(`${labelled("Your goal")}.id`),
    );
    expect(await page.faults()).toEqual([]);
    await page.evaluate(`${card}.scrollIntoView()`);
    await page.takeScreenshots("assistant");

    await page.evaluate("history.back()");
    await page.until(`location.search === "" && ${labelled("Your goal")}.value === ""`);
    expect(page.complaints).toEqual([]);
  });

  test("keeps a question that was not asked yet when the screen is left, and once only", async () => {
    const page = await openSignedInPage(browser, service, ada);
    const goal = labelled("Your goal");
    const leave = async () => {
      await page.evaluate(`history.pushState(null, "", "/app/o/${org}/pages")`);
      await page.until(`!${goal}`);
    };
    await page.open(`${app}/analytics`);
    await page.until(`!!${goal}`);
    await page.evaluate(`${goal}.focus()`);
    await page.type("More sales");
    await leave();
    await page.evaluate("history.back()");
    await page.until(`${goal}?.value === "More sales"`);
    await page.evaluate(`${goal}.focus()`);
    await page.press("Enter");
    await page.until(`${card}.innerText.includes("Method: ")`);
    await page.evaluate("history.back()");
    await page.until(`location.search === "" && ${goal}.value === ""`);
    expect(page.complaints).toEqual([]);
  });

  test("shows a refused value at its field, and says that a tone is unknown", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/links/${link._id}/figures?goal=Sales&productUrl=no%20address&tone=shouting`);
    await page.until(`!!document.querySelector("[role=alert]")`);
    const fault = `document.getElementById(${labelled("Campaign destination")}.id + "-fault")?.innerText`;
    const { details = [] } = (
      await service.call<{ details?: string[] }>("POST", `/api/v1/organizations/${ada.orgId}/ai/marketing-assistant`, {
        token: ada.token,
        body: { goal: "Sales", productUrl: "no address" },
      })
    ).body;
    expect(`productUrl: ${await page.evaluate<string>(fault)}`).toBe(details[0] ?? "");
    await page.evaluate(`${labelled("Campaign destination")}.select()`);
    await page.evaluate(`${labelled("Campaign destination")}.focus()`);
    await page.type("https://shop.example.com/app");
    await page.press("Enter");
    await page.until(says("not a tone this assistant knows"));
    await page.until(`${card}.innerText.includes("Method: ")`);
    // The API's response to the invalid address is expected.
    expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });
});
