/** Imports in a real browser: a dry run, the import itself, its ledger, and its rollback. */
import { expect, test } from "bun:test";
import { type Page, startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, QUICK_INTERVALS, requestsOf, says } from "@test/support/browser/dashboard";
import { wordsIn } from "@test/support/dashboard/words";
import { runImport } from "@test/support/outside/imports";
import { startLinkServices } from "@test/support/outside/link-services";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import type { Import } from "@/contract/links/imports";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { LANGUAGES } from "@/core/pages/page-languages";

const dns = await startTestDns();
const others = startLinkServices();
const service = await startTestService({ env: { DNS_SERVERS: dns.address, OUTBOUND_ALLOW: "127.0.0.0/8" } });
const ada = await service.register();
const browser = await startBrowser();
const CSV =
  "Short Link,Destination URL,Clicks\nhttps://go.acme.com/a,https://example.com/a,3\nhttps://go.acme.com/b,not a url,1\n";

async function addDomain(hostname: string): Promise<void> {
  const path = `/api/v1/organizations/${ada.orgId}/domains`;
  const { body } = await service.call<Domain>("POST", path, { ...ada, body: { hostname } });
  const at = `${path}/${body._id}`;
  const { records } = (await service.call<DomainConfiguration>("GET", `${at}/configuration`, ada)).body;
  dns.set("TXT", records[0]?.name ?? "", records[0]?.value ?? "");
  await service.call("POST", `${at}/verify`, ada);
}
const countLinks = async () =>
  (await service.call<{ total: number }>("GET", `/api/v1/organizations/${ada.orgId}/links`, ada)).body.total;

/**
 * Waits for the job on the page's screen as long as it takes: on a busy machine an import is the last to get a turn.
 */
async function ended(page: Page): Promise<void> {
  await page.until(`/[/]imports[/][0-9a-f-]{36}$/.test(location.pathname)`);
  const importId = await page.evaluate<string>(`location.pathname.split("/").at(-1)`);
  const path = `/api/v1/organizations/${ada.orgId}/imports/${importId}`;
  while (!(await service.call<Import>("GET", path, ada)).body.finishedAt) await Bun.sleep(50);
}

/** Returns an expression that chooses the file in the field with this label. */
const choose = (label: string) => `(() => { const field = ${labelled(label)}; const files = new DataTransfer();
  files.items.add(new File([${JSON.stringify(CSV)}], "dub.csv", { type: "text/csv" })); field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true })); })()`;

const select = (label: string, value: string) => `(() => { const field = ${labelled(label)};
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
  field.dispatchEvent(new Event("change", { bubbles: true })); })()`;

test("a file is imported in a dry run and then for real, shows its ledger, and is rolled back", async () => {
  await addDomain("go.acme.com");
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(`!!document.querySelector("nav.side a[href$='/settings']")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/settings']").click()`);
  await page.until(`!!document.querySelector("nav.tabs a[href$='/imports']")`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  await page.until(`!!${labelled("File")} && ${says("Archive of the whole organization")}`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("imports");

  for (const isTrial of [true, false]) {
    await page.until(`!!${labelled("File")}`);
    if (isTrial) {
      await page.evaluate(choose("File"));
      await page.evaluate(select("From", "dub"));
      await page.evaluate(select("If a slug is already taken", "suffix"));
    }
    // What was tried is still chosen, to be imported in the same way.
    await page.until(`${labelled("File")}.files[0]?.name === "dub.csv" && ${labelled("From")}.value === "dub"
      && ${labelled("If a slug is already taken")}.value === "suffix"`);
    if (!isTrial) await page.evaluate(`document.querySelector("form input[type=checkbox]").click()`);
    await page.until(`!${button("Import")}.disabled`);
    await page.evaluate(`${button("Import")}.click()`);
    await ended(page);
    await page.until(`${says("go.acme.com/b")} && ${says("Refused")} && ${says("Done")}`);
    expect(await countLinks()).toBe(isTrial ? 0 : 1);
    if (isTrial) await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  }
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("import");
  await page.evaluate(`${button("Roll back")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog] .button.danger")`);
  await page.evaluate(`document.querySelector("[role=dialog] .button.danger").click()`);
  while ((await countLinks()) > 0) await Bun.sleep(50);
  await page.until(`${says("Rollback")} && ${says("Removed")}`);

  await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  await page.until(`!!${button("Request an archive")} && ${labelled("File")}.files.length === 0`);
  await page.evaluate(`${button("Request an archive")}.click()`);
  await page.until(`!!document.querySelector("a[download][href$='/download']")`);
  // However small it is, it is not empty.
  expect(await page.evaluate<boolean>(`${says("0.1 MB")} && !${says(" 0 MB")}`)).toBe(true);
  const archive = await page.evaluate<number>(
    `fetch(document.querySelector("a[download][href$='/download']").href).then((answer) => answer.status)`,
  );
  expect(archive).toBe(200);
  expect(page.complaints).toEqual([]);
});

test.each(LANGUAGES)("a file that is too large is refused before it is sent, in %s", async (language) => {
  const { fileTooLarge, fileHint } = (await wordsIn(language)).imports;
  const page = await openSignedInPage(browser, service, ada, { headers: { "accept-language": language } });
  await page.open(`${service.url}/app`);
  await page.until(`location.pathname.includes("/o/")`);
  const org = await page.evaluate<string>(`location.pathname.split("/links")[0]`);
  await page.open(`${service.url}${org}/settings/imports`);
  await page.until(says(fileHint("50")));
  const field = `document.querySelector("input[type=file]")`;
  const chooseBytes = (bytes: number) => `(() => { const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(${bytes})], "links.csv")); ${field}.files = files.files;
    ${field}.dispatchEvent(new Event("change", { bubbles: true })); })()`;
  const send = `document.querySelector("main form button[type=submit]")`;
  await page.evaluate(chooseBytes(IMPORT_BYTES_MAX + 1));
  await page.until(says(fileTooLarge(new Intl.NumberFormat(language).format(50.1), "50")));
  expect(await page.evaluate<boolean>(`${send}.disabled`)).toBe(true);
  expect(await page.evaluate<string>(`${field}.ariaInvalid`)).toBe("true");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots(`import-too-large-${language}`);
  await page.evaluate(chooseBytes(IMPORT_BYTES_MAX));
  await page.until(`!${send}.disabled && !document.querySelector("main .fault")`);
  expect(page.complaints).toEqual([]);
});

test("an import from a service's API shows faults at their fields, and never shows the key", async () => {
  others.items = new Map([
    [
      "shlink",
      ["spring", "autumn"].map((shortCode) => ({
        ...{ shortCode, shortUrl: `https://go.acme.com/${shortCode}`, longUrl: `https://example.com/${shortCode}` },
        ...{ dateCreated: "2024-02-11T18:03:22+00:00", visitsSummary: { total: 7, nonBots: 7, bots: 0 }, tags: [] },
        ...{ meta: {}, domain: "go.acme.com", title: null, crawlable: false, forwardQuery: true },
      })),
    ],
  ]);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(`location.pathname.includes("/o/")`);
  const tab = `${await page.evaluate<string>("location.pathname.split('/links')[0]")}/settings/imports?by=api`;
  await page.open(service.url + tab);
  await page.until(`!!${labelled("API key")}`);
  const set = `Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set`;
  await page.evaluate(`${set}.call(${labelled("From")}, "shlink")`);
  await page.evaluate(`${labelled("From")}.dispatchEvent(new Event("change", { bubbles: true }))`);
  await page.until(`!!${labelled("Address of your server")}`);
  const fill = async (label: string, text: string) => {
    await page.evaluate(`(${labelled(label)}.focus(), ${labelled(label)}.select())`);
    await page.type(text);
  };
  await fill("API key", others.key);
  await fill("Address of your server", "ftp://s.acme.com");
  expect(await page.evaluate<string>(`${labelled("API key")}.type`)).toBe("password");
  await page.evaluate(`document.querySelector("form input[type=checkbox]").click()`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("import-api");
  await page.press("Enter");
  await page.until(`${labelled("Address of your server")}.getAttribute("aria-invalid") === "true"`);
  await fill("Address of your server", `${others.url}/shlink`);
  await page.press("Enter");
  await ended(page);
  await page.until(`${says("go.acme.com/autumn")} && ${says("Done")} && ${says("dry run")}`);
  const importId = await page.evaluate<string>("location.pathname.split('/').at(-1)");
  const path = `/api/v1/organizations/${ada.orgId}/imports/${importId}`;
  expect((await service.call<Import>("GET", path, ada)).body.options.formerClicksByDay).toBe(true);
  expect(await countLinks()).toBe(0);
  expect(await page.evaluate<boolean>(`document.documentElement.outerHTML.includes("${others.key}")`)).toBe(false);

  await page.open(service.url + tab);
  await page.until(`!!${labelled("API key")}`);
  expect(await page.evaluate<string>(`${labelled("API key")}.value`)).toBe("");
  // The API's response to the invalid address is expected.
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test("figures show former clicks of each day as bars beside the line, and in a column of their own", async () => {
  const eve = await service.register();
  const [shared] = await service.sql`select id from domains where org_id is null`;
  const line = {
    ...{ _id: crypto.randomUUID(), domain: "old.test", slug: "former", defaultUrl: "https://example.com/" },
    ...{ clicksBefore: 1_000, clicksByDay: { "2024-05-02": 120, "2024-05-09": 60, "2024-06-30": 400 } },
  };
  await runImport(service, eve, {
    ...{ text: JSON.stringify(line), name: "links.jsonl", options: { domainMap: { "*": shared?.id } } },
  });
  const { former, importedBefore, metrics } = (await wordsIn("en")).analytics;
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app`);
  await page.until(`location.pathname.includes("/o/")`);
  const home = `${service.url}${await page.evaluate<string>("location.pathname.split('/links')[0]")}/analytics`;
  const bars = `[...document.querySelectorAll(".chart-former")].map((bar) => Number(bar.getAttribute("height")))`;
  await page.open(`${home}?from=2024-05-01&to=2024-05-31`);
  await page.until(`${bars}.length === 2`);
  const [high = 0, low = 0] = await page.evaluate<number[]>(bars);
  expect(high / low).toBeCloseTo(2, 1);
  expect(await page.evaluate<string>(`document.querySelector(".chart-legend").innerText`)).toBe(
    `${metrics.clicks}\n${former}`,
  );
  expect(await page.evaluate<string>(`document.querySelector(".chart svg").getAttribute("aria-label")`)).toContain(
    `${former}: 180`,
  );
  // The figures themselves do not have them, and the sentence has all of them.
  expect(
    await page.evaluate<string[]>(
      `[...document.querySelectorAll(".number-tile .figure")].map((each) => each.innerText)`,
    ),
  ).toEqual(["0", "0", "0", "0", "0", "0"]);
  expect(await page.evaluate<boolean>(says(importedBefore("1,000", "1")))).toBe(true);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("former-clicks");

  await page.press("t");
  await page.until(`!!document.querySelector("main table")`);
  const rows = await page.evaluate<string[][]>(
    `[...document.querySelectorAll("main table tr")].map((row) => [...row.cells].map((cell) => cell.innerText))`,
  );
  expect(rows[0]?.at(-1)).toBe(former);
  expect(rows.filter((row) => row[0]?.includes("May 2, 2024") || row[0]?.includes("May 3, 2024"))).toEqual([
    ["May 2, 2024", "0", "0", "120"],
    ["May 3, 2024", "0", "0", "0"],
  ]);
  expect(await page.faults()).toEqual([]);
  await page.press("t");

  // Days without any known leave the chart as it is.
  await page.open(`${home}?from=2024-01-01&to=2024-01-31`);
  await page.until(`${says(importedBefore("1,000", "1"))} && !!document.querySelector(".chart")`);
  expect(await page.evaluate<number>(`document.querySelectorAll(".chart-former, .chart-legend").length`)).toBe(0);
  expect(page.complaints).toEqual([]);
});

test("an import and an archive that take long are read less and less often, so that they leave the plan's limit to others", async () => {
  const bob = await service.register();
  const at = `/api/v1/organizations/${bob.orgId}`;
  const [importId, exportId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const file = JSON.stringify({ name: "links.csv", bytes: 1, hash: "", encoding: "utf-8", form: "csv" });
  const options = JSON.stringify({
    source: "csv",
    mapping: {},
    domainMap: {},
    onConflict: "skip",
    dryRun: false,
    notify: false,
  });
  await service.sql`insert into imports (id, org_id, file, options, actor, status, leased_until)
    values (${importId}, ${bob.orgId}, ${file}, ${options}, '{}', 'running', now() + interval '1 hour')`;
  await service.sql`insert into organization_exports (id, org_id, status, leased_until)
    values (${exportId}, ${bob.orgId}, 'running', now() + interval '1 hour')`;
  const { body: organization } = await service.call<{ slug: string }>("GET", at, bob);
  for (const [screen, lists] of [
    ["imports", ["/imports", "/exports"]],
    [`imports/${importId}`, [`/imports/${importId}`]],
  ] as const) {
    const page = await openSignedInPage(browser, service, bob, { begin: QUICK_INTERVALS });
    await page.open(`${service.url}/app/o/${organization.slug}/settings/${screen}`);
    for (const list of lists) await page.until(`${requestsOf(list)} > 9`);
    expect(await page.evaluate<number>("Math.max(...intervals)")).toBe(10_000);
    expect(page.complaints).toEqual([]);
  }
  await service.sql`delete from imports where id = ${importId}`;
});
