/** Compares what the dashboard shows about visits with the API: analytics with filters, and live visits. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { record } from "@test/integration/analytics/recorded";
import { addDomain } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, goBack, openSignedInPage } from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { wordsIn } from "@test/support/dashboard/words";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import { networkV4, writeMmdb } from "@test/unit/platform/geo/mmdb";
import { ClickDatabase } from "@/clicks/writer/click-database";
import type { BrokenCampaigns } from "@/contract/analytics/insights";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { BioPage } from "@/contract/links/bio-pages";

const folder = await mkdtemp(join(tmpdir(), "waymark-analytics-"));
afterAll(() => rm(folder, { recursive: true }));
const place = (network: string, country: string, city: string) => ({
  prefix: networkV4(network, 24, 6),
  record: { country: { iso_code: country }, city: { names: { en: city } } },
});
const geo = join(folder, "city.mmdb");
await writeFile(geo, writeMmdb([place("198.51.100.0", "AT", "Vienna"), place("203.0.113.0", "DE", "Berlin")], 28, 6));

const en = await wordsIn("en");
const service = await startTestService({ env: { GEO_DATABASE: geo } });
const ada = await service.register();
const browser = await startBrowser();
const { slug: org } = (
  await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, { token: ada.token })
).body;
const app = `${service.url}/app/o/${org}`;

const link = await service.createLink(ada, {
  title: "Spring sale",
  defaultUrl: "https://shop.example.com/",
  rules: [{ destinationUrl: "https://shop.example.com/de", conditions: { countries: ["DE"], platform: ["ios"] } }],
});
const VIENNA = {
  [CLIENT_HEADER]: "198.51.100.1",
  "accept-language": "de-AT",
  "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
};
const BERLIN = {
  [CLIENT_HEADER]: "203.0.113.2",
  "accept-language": "de-DE",
  "user-agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
};

async function visit(headers: Record<string, string>): Promise<void> {
  expect((await service.visit(link, headers)).status).toBe(302);
  await waitUntilDrained(service.service);
}

async function overview(query = ""): Promise<OverviewAnswer> {
  const path = `/api/v1/organizations/${ada.orgId}/analytics/overview${query}`;
  return (await service.call<OverviewAnswer>("GET", path, { token: ada.token })).body;
}

/** Returns an expression for the texts and counts of the list with this label. */
const barsOf = (label: string) =>
  `[...document.querySelectorAll('[aria-label="${label}"] > li')].map((bar) =>
    [bar.querySelector(".bar-text").innerText.trim(), Number(bar.querySelector(".bar-count").innerText)])`;
const numberOf = (title: string) =>
  `Number([...document.querySelectorAll(".number-tile")].find((tile) => tile.innerText.startsWith("${title}"))
    ?.querySelector(".figure").innerText)`;
const press = (label: string, text: string) =>
  `[...document.querySelectorAll('[aria-label="${label}"] button')].find((bar) => bar.innerText.includes("${text}")).focus()`;

describe("before the first visit", () => {
  test("both screens say what to do next", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics`);
    await page.until(`document.body.innerText.includes("No clicks in this range")`);
    expect(await page.faults()).toEqual([]);
    await page.open(`${app}/live`);
    await page.until(`document.body.innerText.includes("Waiting for a visit")`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("live-empty");
    expect(page.complaints).toEqual([]);
  });

  test("events are shown, although there are no clicks", async () => {
    const eve = await service.register();
    const apiKey = await service.createApiKey(eve, ["events:write"]);
    const body = { name: "purchase", value: 49.9 };
    expect((await service.call("POST", "/api/v1/events", { apiKey, body })).status).toBe(201);
    const { body: own } = await service.call("GET", `/api/v1/organizations/${eve.orgId}`, { token: eve.token });
    const page = await openSignedInPage(browser, service, eve);
    await page.open(`${service.url}/app/o/${own.slug}/analytics`);
    await page.until(`document.body.innerText.includes("purchase")`);
    expect(await page.evaluate<number>(numberOf("Events"))).toBe(1);
    expect(page.complaints).toEqual([]);
  });
});

describe("with visits", () => {
  beforeAll(async () => {
    for (const headers of [VIENNA, BERLIN, BERLIN]) await visit(headers);
  });

  test("figures are printed light, even in the dark theme, and with what backgrounds show", async () => {
    const page = await openSignedInPage(browser, service, ada, { isDark: true });
    await page.open(`${app}/analytics`);
    await page.until(`${barsOf("Country")}.length > 0 && !!document.querySelector(".week-cell")`);
    const theme = "document.documentElement.dataset.theme";
    await page.until(`${theme} === "dark"`);
    await page.look({ width: 700, height: 990, isDark: true, isPrinted: true });
    await page.until(`${theme} === "light"`);
    const kept = [".bar-fill", ".week td", ".week-cell"].map(
      (each) => `getComputedStyle(document.querySelector("${each}")).printColorAdjust`,
    );
    expect(await page.evaluate<string[]>(`[${kept}]`)).toEqual(["exact", "exact", "exact"]);
    expect(await page.evaluate<boolean>(`${button("Saved reports")}.checkVisibility()`)).toBe(false);
    await page.look({ width: 1_440, height: 900, isDark: true });
    await page.until(`${theme} === "dark"`);
    expect(page.complaints).toEqual([]);
  });

  test("cards that are printed before they have loaded are left out, which is said, and are there the next time", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics?range=7d`);
    await page.until(`${barsOf("Country")}.length > 0`);
    const held = page.hold("GET", "/analytics/anomalies");
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    await held.sent;
    const card = `[...document.querySelectorAll("section.card")].find((each) => each.innerText.startsWith("Anomalies"))`;
    const loading = `document.querySelectorAll("main .card .bone")`;
    await page.until(`${loading}.length > 0 && [...${loading}].every((bone) => ${card}.contains(bone))`);
    const paper = { width: 700, height: 990, isPrinted: true };
    const isShown = (text: string) => `[...document.querySelectorAll("main h2, main p")]
      .some((each) => each.textContent === ${JSON.stringify(text)} && each.checkVisibility())`;
    const missing = isShown(en.analytics.computed.notPrinted);
    expect(await page.evaluate<boolean>(missing)).toBe(false);
    await page.look(paper);
    await page.until(`${missing} && ${isShown("Prediction")} && !${isShown("Anomalies")}`);
    held.releaseRequest();
    await page.until(`!${missing} && ${isShown("Anomalies")}`);
    expect(page.complaints).toEqual([]);
  });

  test("analytics shows the API's figures; selecting a row filters by it, and Back removes the filter", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics`);
    await page.until(`${barsOf("Country")}.length > 0 && ${barsOf("Link")}.length > 0`);
    const { totalClicks, uniqueVisitors = 0, byOs = [], timeseries } = await overview();
    expect(totalClicks).toBe(3);
    expect(await page.evaluate<number>(numberOf("Clicks"))).toBe(totalClicks);
    await page.evaluate(`document.querySelector('[aria-label="Country"]').scrollIntoView({ block: "end" })`);
    expect(await page.evaluate<number>(numberOf("Visitors"))).toBe(uniqueVisitors);
    expect(await page.evaluate<unknown>(barsOf("Country"))).toEqual([
      ["Germany", 2],
      ["Austria", 1],
    ]);
    expect(await page.evaluate<unknown>(barsOf("Link"))).toEqual([["Spring sale", 3]]);
    expect(await page.evaluate<unknown>(barsOf("Rule"))).toEqual([
      ["Rule 1", 2],
      ["No rule", 1],
    ]);
    await page.until(`document.querySelectorAll(".map-land.some").length === 2`);
    expect(
      await page.evaluate<unknown>(
        `[...document.querySelectorAll(".map title")].map((each) => each.textContent).sort()`,
      ),
    ).toEqual(["Austria · 1", "Germany · 2"]);
    expect(await page.faults()).toEqual([]);
    // What is below the title of a card, and not below that of the card before, is within that card.
    expect(
      await page.evaluate<string[]>(`[...document.querySelectorAll("main h3")]
      .filter((each) => !each.closest(".card")).map((each) => each.innerText)`),
    ).toEqual([]);
    await page.takeScreenshots("analytics");

    await page.press("t");
    await page.until(`document.querySelectorAll(".table tbody tr").length >= ${timeseries.length}`);
    expect(await page.faults()).toEqual([]);
    await page.press("t");

    await page.evaluate(press("Country", "Germany"));
    await page.press("Enter");
    await page.until(`location.search.includes("country=DE") && ${numberOf("Clicks")} === 2`);
    const filtered = await overview("?country=DE");
    expect(filtered.totalClicks).toBe(2);
    expect(filtered.byOs).not.toEqual(byOs);
    expect(await page.evaluate<string>(`document.querySelector(".chip.accent").innerText`)).toContain(
      "Country: Germany",
    );
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("analytics-filtered");
    await page.evaluate("history.back()");
    await page.until(`!location.search.includes("country") && ${numberOf("Clicks")} === 3`);
    expect(page.complaints).toEqual([]);
  });

  test("computed cards load when they are scrolled into view, and state their method", async () => {
    const paused = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", isActive: false });
    expect((await service.visit(paused, VIENNA)).status).toBe(404);
    const unserved = `/api/v1/organizations/${ada.orgId}/analytics/unserved`;
    const turnedAway = async () =>
      (await service.call<UnservedVisits>("GET", unserved, { token: ada.token })).body.total;
    while ((await turnedAway()) === 0) await Bun.sleep(50);
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics?range=7d`);
    await page.until(`${barsOf("Country")}.length > 0`);
    const titles = ["Broken campaigns", "Insights", "Anomalies", "Turned away", "Best destination", "Prediction"];
    const card = (title: string) =>
      `[...document.querySelectorAll("section.card")].find((card) => card.querySelector("h2")?.innerText === "${title}")`;
    for (const title of titles) {
      await page.evaluate(`${card(title)}.scrollIntoView()`);
      await page.until(
        `${card(title)}.innerText.includes("Method: ") && !${card(title)}.querySelector("[role=status]")`,
      );
    }
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const path = `/api/v1/organizations/${ada.orgId}/analytics/broken-campaigns?from=${from}`;
    const { body } = await service.call<BrokenCampaigns>("GET", path, { token: ada.token });
    expect(await page.evaluate<string>(`${card("Broken campaigns")}.innerText`)).toContain(
      body.summary.text.replaceAll("`", ""),
    );
    expect(await page.evaluate<unknown>(barsOf("Turned away"))).toEqual([["Paused (404)", 1]]);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("computed");
    expect(page.complaints).toEqual([]);
  });

  test("a link shows its own figures, also for a custom range of days and as CSV", async () => {
    const other = await service.createLink(ada, { defaultUrl: "https://shop.example.com/autumn" });
    // The visits may have been before midnight.
    const [yesterday, today] = [-86_400_000, 0].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/links/${other._id}/figures`);
    await page.until(`document.body.innerText.includes("No clicks in this range")`);
    // The link has clicks, but none then.
    await page.open(`${app}/links/${link._id}/figures?from=2024-05-01&to=2024-05-31`);
    await page.until(`document.body.innerText.includes("No clicks in this range")`);
    await page.open(`${app}/links/${link._id}/figures?from=${yesterday}&to=${today}`);
    await page.until(`${barsOf("Country")}.length > 0`);
    expect(await page.evaluate<number>(numberOf("Clicks"))).toBe((await overview(`?linkId=${link._id}`)).totalClicks);
    expect(await page.evaluate<number>(`document.querySelectorAll("input[type=date]").length`)).toBe(2);
    const csv = await page.evaluate<string>(
      `fetch(document.querySelector("a[download]").href).then((answer) => answer.text())`,
    );
    expect(
      csv
        .split("\r\n")
        .slice(1)
        .reduce((sum, row) => sum + Number(row.split(",")[1] ?? 0), 0),
    ).toBe(3);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("link-figures");
    expect(page.complaints).toEqual([]);
  });

  test("going back leads to where the screen was left, also among the computed figures", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics`);
    await page.until(`(scrollTo(0, document.documentElement.scrollHeight), document.querySelector(".number-tile"))
      && !document.querySelector("main .bone")`);
    const left = await page.evaluate<number>("(scrollTo(0, document.documentElement.scrollHeight), scrollY)");
    await page.evaluate(`document.querySelector("nav.side a[href$='/apps']").click()`);
    await page.until(`document.querySelector("h1")?.innerText === "Apps" && scrollY === 0`);
    await page.evaluate("history.back()");
    await page.until(`Math.abs(scrollY - ${left}) <= 1`);
    expect(page.complaints).toEqual([]);
  });

  test("a year that is typed is asked for once it is whole", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics?from=2026-01-02&to=2026-01-03`);
    await page.until(`document.querySelectorAll("input[type=date]").length === 2`);
    await page.evaluate(`document.querySelector("input[type=date]").focus()`);
    for (const digit of "01022025") await page.press(digit);
    const asked = `performance.getEntriesByType("resource").map(({ name }) => new URL(name))
      .filter(({ pathname }) => pathname.endsWith("/overview")).map(({ searchParams }) => searchParams.get("from"))`;
    await page.until(`${asked}.some((from) => from.startsWith("2025-01-02"))`);
    expect((await page.evaluate<string[]>(asked)).filter((from) => from < "1000")).toEqual([]);
    expect(await page.evaluate<string>("location.search")).toBe("?from=2025-01-02&to=2026-01-03");
    await page.evaluate("history.back()");
    await page.until(`document.querySelector("input[type=date]").value === "2026-01-02"`);
  });

  test("live shows a visit made while it is open, and explains its destination", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/live`);
    await page.until(
      `document.querySelectorAll(".list-row a").length === 3 && document.body.innerText.includes("Spring sale")`,
    );
    await visit(VIENNA);
    await page.until(`document.querySelectorAll(".list-row a").length === 4`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("live");
    const mapped = `[...document.querySelectorAll(".map title")].map((each) => each.textContent).sort()`;
    await page.until(`${mapped}.length === 2`);
    expect(await page.evaluate<unknown>(mapped)).toEqual(["Austria · 2", "Germany · 2"]);
    const outlined = `[...document.querySelectorAll(".map-land.fresh title")].map((each) => each.textContent)`;
    expect(await page.evaluate<unknown>(outlined)).toEqual(["Austria · 2"]);
    const lineOf = (country: string) => `getComputedStyle(document.querySelector(${JSON.stringify(country)})).stroke`;
    expect(await page.evaluate<string>(lineOf(".map-land.fresh"))).toBe(
      await page.evaluate<string>(`getComputedStyle(document.body).color`),
    );
    await page.press("t");
    await page.until(`${barsOf("Countries")}.length === 2 && location.search === "?as=table"`);
    expect(await page.faults()).toEqual([]);
    await page.evaluate(press("Countries", "Germany"));
    await page.press("Enter");
    await page.until(`document.querySelectorAll(".list-row a").length === 2 && location.search.includes("country=DE")`);
    await page.takeScreenshots("live-country");
    await page.press("Enter");
    await page.press("t");
    await page.until(`document.querySelectorAll(".list-row a").length === 4 && location.search === ""`);
    for (const key of "jj") await page.press(key);
    await page.until(`document.querySelectorAll(".list-row")[1].dataset.current === "true"`);
    await page.press("o");
    await page.until(`document.querySelector("[role=dialog]")?.innerText.includes("first whose conditions all match")`);
    expect(await page.evaluate<string>("location.pathname")).toMatch(/\/live\/[0-9a-f-]{36}$/);
    const said = await page.evaluate<string>(`document.querySelector("[role=dialog]").innerText`);
    for (const text of ["Rule 1", "Berlin, Germany", "https://shop.example.com/de", "matches"])
      expect(said).toContain(text);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("live-why");
    await page.press("Escape");
    await page.until(`location.pathname.endsWith("/live") && !document.querySelector("[role=dialog]")`);
    expect(page.complaints).toEqual([]);
  });
});

test("visits that were turned away are listed once each, also from links that had the same address", async () => {
  const bob = await service.register();
  const first = await service.createLink(bob, { slug: "again", defaultUrl: "https://shop.example.com/" });
  const path = `/api/v1/organizations/${bob.orgId}/links/${first._id}`;
  expect((await service.call("DELETE", path, bob)).status).toBe(200);
  const second = await service.createLink(bob, { slug: "again", defaultUrl: "https://shop.example.com/" });
  const other = await service.createLink(bob, { slug: "other", defaultUrl: "https://shop.example.com/" });
  await service.visit(new URL(other.shortUrl).pathname, VIENNA);
  await waitUntilDrained(service.service);
  const refuse = async (daysAgo: number, counts: Record<string, number>) => {
    const refused = Object.entries(counts).map(([linkId, count]) => ({ reason: "inactive", linkId, count }));
    await service.sql`
      insert into unserved_visits (org_id, hour, domain_id, is_bot, writer, counts)
      select ${bob.orgId}, date_bin('1 hour', now() - ${daysAgo} * interval '1 day', 'epoch'), domain_id, false, id,
        ${service.sql.json(refused)} from links where id = ${first._id}`;
  };
  await refuse(20, { [first._id]: 6, [second._id]: 5 });
  await refuse(2, { [first._id]: 1, [second._id]: 2, [other._id]: 3 });
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob);
  const counts = `[...document.querySelectorAll('[aria-label="${en.analytics.computed.unserved.addresses}"] tbody tr')]
    .map((row) => row.querySelectorAll("td")[1].innerText).join()`;
  const card = `[...document.querySelectorAll("section.card")].find((each) =>
    each.querySelector("h2")?.innerText === ${JSON.stringify(en.analytics.computed.unserved.title)})`;
  await page.open(`${service.url}/app/o/${body.slug}/analytics?range=30d`);
  await page.until(`!!${card} && (${card}.scrollIntoView(), ${counts} === "7,7,3")`);
  await page.evaluate(`[...document.querySelectorAll("button")].find((each) => each.innerText === "7 days").click()`);
  await page.until(`!!${card} && (${card}.scrollIntoView(), ${counts} === "3,2,1")`);
  expect(page.complaints).toEqual([]);
});

test("live, figures and filters number a link's rules as its route does, in the order of evaluation", async () => {
  const bob = await service.register();
  const { _id, shortUrl } = await service.createLink(bob, {
    defaultUrl: "https://shop.example.com/",
    rules: [
      { priority: 20, destinationUrl: "https://shop.example.com/at", conditions: { countries: ["AT"] } },
      { priority: 10, destinationUrl: "https://shop.example.com/de", conditions: { countries: ["DE"] } },
    ],
  });
  for (const headers of [BERLIN, VIENNA, VIENNA]) await service.visit(new URL(shortUrl).pathname, headers);
  await waitUntilDrained(service.service);
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const own = `${service.url}/app/o/${body.slug}`;
  const page = await openSignedInPage(browser, service, bob);

  await page.open(`${own}/links/${_id}`);
  const second = `document.querySelector('[aria-label="${en.route.destinationOf(en.route.rule(2))}"]')`;
  await page.until(`${second}?.value === "https://shop.example.com/at"`);

  const bars = `${barsOf("Rule")}.join()`;
  await page.open(`${own}/links/${_id}/figures?rule=0`);
  await page.until(`${bars} === "Rule 2,2"`);
  expect(await page.evaluate<string>(`document.querySelector(".chip.accent").innerText`)).toContain("Rule: Rule 2");
  await page.open(`${own}/analytics?linkId=${_id}`);
  await page.until(`${bars} === "Rule 2,2,Rule 1,1"`);

  await page.open(`${own}/live?country=AT`);
  const decided = `[...document.querySelectorAll(".list-row .chip")].map((chip) => chip.innerText).join()`;
  await page.until(`${decided} === "Rule 2,Rule 2"`);
  await page.evaluate(`document.querySelector(".list-row a").click()`);
  const said = `(document.querySelector("[role=dialog]")?.innerText ?? "")`;
  await page.until(`${said}.includes("Rule 2 is the first whose conditions all match")`);
  const named = `[...document.querySelectorAll("[role=dialog] table[aria-label^=Rule]")].map((table) =>
    table.getAttribute("aria-label") + " " + table.querySelectorAll("td")[2].innerText)`;
  expect(await page.evaluate<unknown>(named)).toEqual(["Rule 1 DE", "Rule 2 AT"]);
  expect(page.complaints).toEqual([]);
});

test("a rule that moves keeps its figures, and one that is deleted is named so", async () => {
  const bob = await service.register();
  const rule = (country: string) => ({
    destinationUrl: `https://shop.example.com/${country}`,
    conditions: { countries: [country] },
  });
  const { _id, shortUrl } = await service.createLink(bob, {
    defaultUrl: "https://shop.example.com/",
    rules: [rule("DE"), rule("AT")],
  });
  for (const headers of [BERLIN, VIENNA, VIENNA]) await service.visit(new URL(shortUrl).pathname, headers);
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const path = `/api/v1/organizations/${bob.orgId}/links/${_id}`;
  await service.call("PATCH", path, { token: bob.token, body: { rules: [rule("AT")] } });
  await waitUntilDrained(service.service);
  const own = `${service.url}/app/o/${body.slug}`;
  const page = await openSignedInPage(browser, service, bob);

  await page.open(`${own}/links/${_id}/figures`);
  await page.until(`${barsOf("Rule")}.join() === "Rule 1,2,Deleted rule (number 0),1"`);
  await page.open(`${own}/live?linkId=${_id}`);
  const decided = `[...document.querySelectorAll(".list-row .chip")].map((chip) => chip.innerText).sort().join()`;
  await page.until(`${decided} === "Deleted rule,Rule 1,Rule 1"`);

  await page.open(`${own}/links/${_id}`);
  const destination = `document.querySelector('[aria-label="${en.route.destinationOf(en.route.rule(1))}"]')`;
  await page.until(`${destination}?.value === "https://shop.example.com/AT"`);
  expect(page.complaints).toEqual([]);
});

test("live says of which day a visit is, unless it is of today", async () => {
  const bob = await service.register();
  const { _id: clicked } = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
  const visited = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const writing = new ClickDatabase(service.databaseUrl);
  await record(service, writing, [{ at: visited, org: bob.orgId, link: clicked, visitor: 1n }]);
  await writing.close();
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob);
  await page.open(`${service.url}/app/o/${body.slug}/live`);
  await page.until(`!!document.querySelector("main .list-row a")`);
  const day = `new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(new Date("${visited}"))`;
  expect(await page.evaluate<boolean>(`document.querySelector("main .list-row").innerText.includes(${day})`)).toBe(
    true,
  );
  expect(page.complaints).toEqual([]);
});

test("live names a bio page and the item that was chosen there, and leads to the page", async () => {
  const bob = await service.register();
  const bio = {
    ...{ slug: `bob-${bob.orgId.slice(-8)}`, title: "Everything by Bob" },
    links: [{ title: "Spring coats", url: "https://shop.example.com/coats" }],
  };
  const path = `/api/v1/organizations/${bob.orgId}`;
  const { body: page } = await service.call<BioPage>("POST", `${path}/bio-pages`, { token: bob.token, body: bio });
  const { status } = await service.visit(`/${page.slug}?item=${page.links[0]?.key}`, VIENNA);
  expect(status).toBe(302);
  await waitUntilDrained(service.service);
  const { body } = await service.call<{ slug: string }>("GET", path, bob);
  const own = `${service.url}/app/o/${body.slug}`;
  const screen = await openSignedInPage(browser, service, bob);
  await screen.open(`${own}/live`);
  const row = `(document.querySelector(".list-row")?.innerText ?? "")`;
  await screen.until(`${row}.includes("Everything by Bob → shop.example.com") && ${row}.includes("Spring coats")`);
  await screen.evaluate(`document.querySelector(".list-row a").click()`);
  const dialog = `document.querySelector("[role=dialog]")`;
  await screen.until(`${dialog}?.innerText.includes("The visitor chose this item on the page")`);
  await screen.evaluate(`${dialog}.querySelector("a[href*='${page._id}']").click()`);
  await screen.until(`location.pathname.endsWith("/pages/${page._id}") && !!document.querySelector(".phone")`);
  // Findings and the review of clicks lead to a link by its id.
  await screen.open(`${own}/links/${page._id}`);
  await screen.until(`location.pathname.endsWith("/pages/${page._id}") && !!document.querySelector(".phone")`);
  const deletion = await service.call("DELETE", `${path}/bio-pages/${page._id}`, { token: bob.token });
  expect(deletion.status).toBe(200);
  await screen.open(`${own}/live`);
  await screen.until(`${row}.includes("Deleted link or page")`);
  await screen.evaluate(`document.querySelector(".list-row a").click()`);
  await screen.until(`${dialog}?.innerText.includes("The visitor chose this item on the page")`);
  // The browser logs that there is no link of this id.
  expect(screen.complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("on a phone, a variant's long name stays within its row, away from the edge", async () => {
  const bob = await service.register();
  const key = "ein-Sommerschlussverkaufsaktionspreislistenverzeichnis";
  const variant = await service.createLink(bob, {
    defaultUrl: "https://shop.example.com/",
    splitTargets: [{ key, destinationUrl: "https://shop.example.com/list", weight: 1 }],
  });
  await service.visit(variant, VIENNA);
  await waitUntilDrained(service.service);
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob, { width: 390, height: 844 });
  await page.open(`${service.url}/app/o/${body.slug}/live`);
  await page.until(`document.querySelector(".list-row .chip")?.innerText.includes("Variant ")`);
  // What stands at the end of a row is as far from the edge as what stands at its start.
  const edges = (selector: string) =>
    page.evaluate<number[]>(
      `(({ left, right }) => [left, right])(document.querySelector("${selector}").getBoundingClientRect())`,
    );
  const [[left = 0, right = 0], [start = 0], [, end = 0]] = [
    await edges(".list-row"),
    await edges(".list-row a"),
    await edges(".list-row .chip"),
  ];
  expect(right - end).toBe(start - left);
  expect(page.complaints).toEqual([]);
});

describe("values that visitors choose", () => {
  test("a value is shown as it is, even one that is also a word of the screen or of the language", async () => {
    const bob = await service.register();
    const campaigned = await service.createLink(bob, { defaultUrl: "https://shop.example.com/", tags: ["unknown"] });
    for (const source of ["constructor", "__proto__", "valueOf", "toString", "direct", "unknown"])
      await service.visit(`${new URL(campaigned.shortUrl).pathname}?utm_source=${source}`, VIENNA);
    await service.visit(campaigned, VIENNA);
    await waitUntilDrained(service.service);
    const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
    const page = await openSignedInPage(browser, service, bob);
    await page.open(`${service.url}/app/o/${body.slug}/analytics?utmSource=constructor&utmSource=none&links=tag`);
    await page.until(`${barsOf("Source")}.length === 2`);
    expect(await page.evaluate<unknown>(barsOf("Source"))).toEqual([
      ["None", 1],
      ["constructor", 1],
    ]);
    expect(await page.evaluate<unknown>(barsOf("Tag"))).toEqual([["unknown", 2]]);
    await page.evaluate(
      `[...document.querySelectorAll("button")].find((each) => each.innerText === "Clear filters").click()`,
    );
    await page.until(`${barsOf("Source")}.length === 7`);
    const texts = (await page.evaluate<[string, number][]>(barsOf("Source"))).map(([text]) => text);
    expect(texts.sort()).toEqual(["None", "__proto__", "constructor", "direct", "toString", "unknown", "valueOf"]);
    expect(page.complaints).toEqual([]);
  });
});

test("a domain is filtered by its host, and named by it", async () => {
  const bob = await service.register();
  const domainId = await addDomain(service, bob.orgId, { hostname: "go.acme.example" });
  await service.createLink(bob, { defaultUrl: "https://shop.example.com/", domainId, slug: "sale" });
  expect((await service.visit("/sale", { ...VIENNA, host: "go.acme.example" })).status).toBe(302);
  await waitUntilDrained(service.service);
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob);
  await page.open(`${service.url}/app/o/${body.slug}/analytics?links=domain`);
  await page.until(`document.querySelector('[aria-label="Domain"] button') !== null`);
  await page.evaluate(press("Domain", "go.acme.example"));
  await page.press("Enter");
  await page.until(`location.search.includes("domainId=") && document.querySelector(".chip.accent") !== null`);
  const chip = await page.evaluate<string>(`document.querySelector(".chip.accent").innerText`);
  expect(chip).toContain("Domain: go.acme.example");
  expect(page.complaints).toEqual([]);
});

test("a domain that is not verified is named among broken campaigns, which lead to it", async () => {
  const bob = await service.register();
  const domainId = await addDomain(service, bob.orgId, { hostname: "go.ended.example" });
  await service.createLink(bob, { defaultUrl: "https://shop.example.com/", domainId, slug: "sale" });
  expect((await service.visit("/sale", { ...VIENNA, host: "go.ended.example" })).status).toBe(302);
  await waitUntilDrained(service.service);
  // The visit was on one of the last whole days.
  await service.sql`update figures_daily set day = day - interval '1 day' where org_id = ${bob.orgId}`;
  await service.sql`update domains set is_verified = false where id = ${domainId}`;
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob);
  await page.open(`${service.url}/app/o/${body.slug}/analytics`);
  const card = `[...document.querySelectorAll("section.card")].find((each) => each.innerText.startsWith("Broken"))`;
  await page.until(`!!${card}`);
  await page.evaluate(`${card}.scrollIntoView()`);
  const way = `[...${card}.querySelectorAll(".finding a")].find((each) => each.innerText === "Open the domain")`;
  await page.until(`!!${way}`);
  await page.evaluate(`${way}.click()`);
  await page.until(
    `location.pathname.endsWith("/domains/${domainId}") && document.title.startsWith("go.ended.example")`,
  );
  expect(page.complaints).toEqual([]);
});

test("a deleted link's filter names the link", async () => {
  const bob = await service.register();
  const { _id, slug, shortUrl } = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
  await service.visit(new URL(shortUrl).pathname, VIENNA);
  await waitUntilDrained(service.service);
  const path = `/api/v1/organizations/${bob.orgId}`;
  expect((await service.call("DELETE", `${path}/links/${_id}`, bob)).status).toBe(200);
  const { body } = await service.call<{ slug: string }>("GET", path, bob);
  const page = await openSignedInPage(browser, service, bob);
  await page.open(`${service.url}/app/o/${body.slug}/analytics?linkId=${_id}`);
  await page.until(`document.querySelector(".chip.accent")?.innerText.includes("Link: ${slug} (deleted)")`);
});

describe("the previous period", () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  /** Returns the value and the one before of all rows of the table where either is not 0. */
  const rows = `[...document.querySelectorAll(".table tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].slice(-2).map((cell) => cell.innerText.trim())).filter((row) => row.join("") !== "00")`;

  test("each hour is compared with the same hour of the day before, each day with that of the week before", async () => {
    const bob = await service.register();
    const { _id: clicked } = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
    const writing = new ClickDatabase(service.databaseUrl);
    const hour = Date.now() - (Date.now() % HOUR_MS);
    const visits = [20 * HOUR_MS, 20 * HOUR_MS + DAY_MS, 4 * DAY_MS, 11 * DAY_MS].map((ago, index) => ({
      ...{ at: new Date(hour - ago + HOUR_MS / 2).toISOString(), org: bob.orgId, link: clicked },
      visitor: BigInt(index + 1),
    }));
    await record(service, writing, visits);
    await writing.close();
    const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
    const page = await openSignedInPage(browser, service, bob);
    const screen = `${service.url}/app/o/${body.slug}/analytics?as=table`;
    await page.open(`${screen}&range=24h`);
    await page.until(`document.querySelectorAll(".table tbody tr").length === 25`);
    // The hour in progress has not ended the day before.
    expect(await page.evaluate<unknown>(rows)).toEqual([
      ["1", "1"],
      ["0", "–"],
    ]);
    await page.open(`${screen}&range=7d`);
    await page.until(`document.querySelectorAll(".table tbody tr").length === 8`);
    expect((await page.evaluate<string[][]>(rows)).filter((row) => row[1] === "1")).toEqual([["1", "1"]]);
    expect(page.complaints).toEqual([]);
  });

  test("figures are shown without it if its clicks are no longer kept", async () => {
    const bob = await service.register();
    const { _id: clicked } = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
    const midnight = Date.now() - (Date.now() % DAY_MS);
    const visits = [1, 120].map((daysAgo) => ({
      ...{ at: new Date(midnight - daysAgo * DAY_MS).toISOString(), org: bob.orgId, link: clicked },
      ...{ visitor: BigInt(daysAgo), country: "AT", device: "mobile" },
    }));
    const writing = new ClickDatabase(service.databaseUrl);
    await record(service, writing, visits);
    await writing.close();
    await service.sql`
      insert into raw_retention (org_id, kept_from) values (${bob.orgId}, ${new Date(midnight - 90 * DAY_MS)})`;
    const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
    const page = await openSignedInPage(browser, service, bob);
    await page.open(`${service.url}/app/o/${body.slug}/analytics?range=90d&country=AT&device=mobile`);
    await page.until(`${numberOf("Clicks")} === 1`);
    expect(await page.evaluate<boolean>(`document.body.innerText.includes("previous range")`)).toBe(false);
    expect(await page.faults()).toEqual([]);
  });

  test("a chart names the last day that it shows", async () => {
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${app}/analytics?from=2026-01-05&to=2026-01-06&bots=yes&linkId=${link._id}`);
    await page.until(`document.querySelector(".chart svg") !== null`);
    const said = await page.evaluate<string>(`document.querySelector(".chart svg").getAttribute("aria-label")`);
    expect(said).toContain("Jan 5, 2026");
    expect(said).toContain("Jan 6, 2026");
  });
});

test("a prediction names the days that it is about, and has no figures as long as there is no projection", async () => {
  const DAY_MS = 86_400_000;
  const bob = await service.register();
  const { _id: clicked, shortUrl } = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
  expect((await service.visit({ shortUrl }, VIENNA)).status).toBe(302);
  await waitUntilDrained(service.service);
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
  const page = await openSignedInPage(browser, service, bob);
  const card = `[...document.querySelectorAll("section.card")].find((card) => card.querySelector("h2")?.innerText === "Prediction")`;
  const open = async (query: string) => {
    await page.open(`${service.url}/app/o/${body.slug}/analytics?${query}`);
    await page.until(`${card} !== undefined`);
    await page.evaluate(`${card}.scrollIntoView()`);
    await page.until(`${card}.innerText.includes("Method: ") && !${card}.querySelector("[role=status]")`);
    return page.evaluate<string>(`${card}.innerText`);
  };
  const first = await open("range=30d");
  expect(first).toContain("there is no projection yet");
  expect(first).not.toContain("Expected");
  const writing = new ClickDatabase(service.databaseUrl);
  const visits = [20, 21, 22, 23, 24, 25].map((daysAgo) => ({
    ...{ at: new Date(Date.now() - daysAgo * DAY_MS).toISOString(), org: bob.orgId, link: clicked },
    visitor: BigInt(daysAgo),
  }));
  await record(service, writing, visits);
  await writing.close();
  expect(await open("range=30d")).toContain("Expected in the next 30 days");
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  expect(await open(`from=${day(26)}&to=${day(17)}`)).toContain("Expected in the 10 days after the range");
  expect(page.complaints).toEqual([]);
});

describe("with more links than are listed", () => {
  test("a link's share is of all clicks; with two links selected, computed cards say they ignore filters", async () => {
    const bob = await service.register();
    const ids = await Promise.all(
      Array.from({ length: 11 }, async (_, index) => {
        const one = await service.createLink(bob, { defaultUrl: "https://shop.example.com/" });
        await service.visit(one, { ...VIENNA, [CLIENT_HEADER]: `198.51.100.${100 + index}` });
        return one._id;
      }),
    );
    await waitUntilDrained(service.service);
    const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
    const page = await openSignedInPage(browser, service, bob);
    const screen = `${service.url}/app/o/${body.slug}/analytics`;
    await page.open(screen);
    const shares = `[...document.querySelectorAll('[aria-label="Link"] .bar-share')].map((each) => each.innerText)`;
    await page.until(`${shares}.length === 10`);
    expect(await page.evaluate<string[]>(`[...new Set(${shares})]`)).toEqual(["9.1%"]);
    // A row of the whole list closes it, and Back does not open it again.
    const isOpen = `!!document.querySelector(".dialog")`;
    await page.evaluate(`${button(en.analytics.more)}.click()`);
    await page.until(`!!document.querySelector(".dialog .bar button")`);
    await page.evaluate(`document.querySelector(".dialog .bar button").click()`);
    await page.until(`!${isOpen} && location.search.startsWith("?linkId=")`);
    await goBack(page);
    expect(await page.evaluate<boolean>(`${isOpen} || location.search !== ""`)).toBe(false);
    await page.until(`${shares}.length === 10`);
    await page.evaluate(`document.querySelector('[aria-label="Link"] button').click()`);
    await page.until(`${shares}.length === 1 && ${shares}[0] === "100%"`);
    const told = `document.body.innerText.includes("${en.analytics.computed.unfiltered}")`;
    expect(await page.evaluate<boolean>(told)).toBe(false);
    const [first] = await page.evaluate<string[]>(`new URLSearchParams(location.search).getAll("linkId")`);
    await page.open(`${screen}?linkId=${first}&linkId=${ids.find((id) => id !== first)}`);
    await page.until(told);
    expect(page.complaints).toEqual([]);
  });
});

describe("with a plan that limits figures", () => {
  test("live and analytics say that the limit is reached", async () => {
    const bob = await service.register();
    await service.sql`update organizations set plan = 'free' where id = ${bob.orgId}`;
    const path = `/api/v1/organizations/${bob.orgId}/analytics/overview`;
    const ask = async () => (await service.call("GET", path, { token: bob.token })).status;
    while ((await ask()) === 200);
    const page = await openSignedInPage(browser, service, bob);
    const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${bob.orgId}`, bob);
    await page.open(`${service.url}/app/o/${body.slug}/live`);
    await page.until(`document.body.innerText.includes("rate limit is reached")`);
    await page.open(`${service.url}/app/o/${body.slug}/analytics`);
    await page.until(`document.body.innerText.includes("Your plan limits how often figures can be read")`);
    expect(await page.faults()).toEqual([]);
  });
});
