/** The dashboard of an organization that has many of everything, with long names and tags, in a real browser. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import {
  button,
  hasAnswer,
  labelled,
  lastButton,
  openSignedInPage,
  requestsOf,
  says,
} from "@test/support/browser/dashboard";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { IPHONE } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

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
  expect(chips).toHaveLength(3);
  for (const chip of chips) {
    expect(chip.top).toBeGreaterThan(row?.top ?? 0);
    expect(chip.bottom).toBeLessThan(row?.bottom ?? 0);
    expect(chip.left).toBeGreaterThan(name?.right ?? 0);
  }
  expect(await page.evaluate<boolean>(says("+17"))).toBe(true);
  await page.takeScreenshots("links-tags");
  expect(await page.faults()).toEqual([]);
});

test("a time in a table takes no more than two lines, however narrow the phone", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl });
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada, { width: 360, height: 800 });
  await page.open(`${url}/app/o/${body.slug}/settings/audit-log`);
  const lines = `[...document.querySelectorAll("tbody tr > td:first-child")].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length; })`;
  await page.until(`${lines}.length > 0`);
  expect(Math.max(...(await page.evaluate<number[]>(lines)))).toBeLessThanOrEqual(2);
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

test("on a phone, a live visit is shown in full, with what decided below it", async () => {
  const ada = await service.register();
  const host = `${"a-long-name-of-a-shop.".repeat(3)}example.com`;
  const link = await service.createLink(ada, {
    ...{ defaultUrl, title: "A long name of an offer" },
    rules: [{ destinationUrl: `https://${host}/`, conditions: { platform: ["ios"] } }],
  });
  await service.visit(link, { "user-agent": IPHONE });
  await waitUntilDrained(service.service);
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada, { width: 360, height: 800 });
  await page.open(`${url}/app/o/${body.slug}/live`);
  // The name follows the visit.
  await page.until(`document.querySelector("main li a")?.innerText.includes("offer")`);
  const cut = `[...document.querySelectorAll("main li .one-line, main li a")]
    .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)`;
  expect(await page.evaluate<string[]>(cut)).toEqual([]);
  expect(await page.evaluate<string>(`document.querySelector("main li a").innerText`)).toEndWith(host);
  const [row, facts, chip] = await page.evaluate<Box[]>(`["main li", "main li .small", "main li .chip"]
    .map((each) => ${boxOf("document.querySelector(each)")})`);
  expect(chip?.top).toBeGreaterThanOrEqual(facts?.bottom ?? Number.NaN);
  expect(row?.right).toBeLessThanOrEqual(360);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("live-long");
});

test("a table that is wider than a phone shows on which side it goes on, and the hours of a week all fit", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  const scopes = ["links:read", "links:write", "qr:read", "events:write"];
  await call("POST", `${at}/api-keys`, { ...ada, body: { name: "Checkout server", scopes } });
  await service.visit(await service.createLink(ada, { defaultUrl }), { "user-agent": IPHONE });
  await waitUntilDrained(service.service);
  const { body } = await call<{ slug: string }>("GET", at, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${body.slug}/developers/api-keys`);
  const box = `document.querySelector(".table-box")`;
  await page.until(`${box}?.dataset.beyond === ""`);
  await page.look({ width: 360, height: 800 });
  await page.until(`${box}.dataset.beyond === "after"`);
  expect(await page.evaluate<string>(`getComputedStyle(${box}).boxShadow`)).toContain("inset");
  await page.takeScreenshots("wide-table");
  await page.look({ width: 360, height: 800 });
  await page.evaluate(`${box}.scrollBy(20, 0)`);
  await page.until(`${box}.dataset.beyond === "both"`);
  await page.evaluate(`${box}.scrollBy(9999, 0)`);
  await page.until(`${box}.dataset.beyond === "before"`);

  await page.look({ width: 320, height: 800 });
  await page.open(`${url}/app/o/${body.slug}/analytics`);
  await page.until(`document.querySelector(".week")`);
  const week = `document.querySelector(".table-box:has(.week)")`;
  expect(await page.evaluate<boolean>(`${week}.scrollWidth === ${week}.clientWidth`)).toBe(true);
  expect(page.complaints).toEqual([]);
});

test("a link is found by its short URL, with or without scheme, in the list and for the items of a page", async () => {
  const ada = await service.register();
  const hostname = `go-${ada.orgId.slice(-8)}.example.com`;
  const domainId = await addDomain(service, ada.orgId, { hostname });
  await service.createLink(ada, { defaultUrl, domainId, slug: "other" });
  const { shortUrl } = await service.createLink(ada, { defaultUrl, domainId, pathPrefix: "summer", slug: "käse" });
  const read = `${hostname}/summer/käse`;
  const page = await openSignedInPage(browser, service, ada);
  const paste = async (field: string, text: string) => {
    await page.until(`!!${field}`);
    await page.evaluate(`${field}.focus(), ${field}.select()`);
    await page.type(text);
  };
  await page.open(`${url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 2`);
  for (const text of [shortUrl, read]) {
    await paste(labelled("Search links"), text);
    await page.until(`document.querySelectorAll(".list-row input").length === 1 && ${says(read)}`);
    await paste(labelled("Search links"), "other");
    await page.until(`document.querySelectorAll(".list-row input").length === 1 && !${says(read)}`);
  }
  const { body: bioPage } = await call<{ _id: string }>("POST", `/api/v1/organizations/${ada.orgId}/bio-pages`, {
    ...ada,
    body: { title: "Acme", links: [{ title: "Cheese", url: defaultUrl }] },
  });
  const { body: organization } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  for (const text of [shortUrl, read]) {
    await page.open(`${url}/app/o/${organization.slug}/pages/${bioPage._id}`);
    await page.until(`!!${labelled("Leads to")}`);
    await page.evaluate(`(() => { const field = ${labelled("Leads to")};
      field.value = "link"; field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
    await paste(labelled("Link"), text);
    await page.until(`!!${lastButton("Choose another link")}`);
    await page.evaluate(`${lastButton("Discard")}.click()`);
  }
});

test("while another filter's links are being loaded, the list says that it shows those of the filter before", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "Spring" });
  await service.createLink(ada, { defaultUrl, title: "Autumn" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  const list = `document.querySelector("main [aria-busy]:has(.list-row)")`;
  const rows = `[...document.querySelectorAll("main .list-row a")].map((each) => each.innerText)`;
  await page.until(`${rows}.length === 2 && !${list}`);
  const top = await page.evaluate<number>(`document.querySelector(".list-row").getBoundingClientRect().top`);
  const held = page.hold("GET", "search=spring&order=");
  await page.press("/");
  await page.type("spring");
  await held.sent;
  await page.until(`${list}?.ariaBusy === "true"`);
  expect(await page.evaluate<number>(`document.querySelector(".list-row").getBoundingClientRect().top`)).toBe(top);
  await page.until(`getComputedStyle(${list}).boxShadow !== "none"`);
  expect(await page.faults()).toEqual([]);
  held.releaseRequest();
  await page.until(`${rows}.length === 1 && !${list}`);
});

test("what is typed into the search just when it becomes the filter stays", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "Spring" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  const input = `document.querySelector("input[type=search]")`;
  await page.until(`!!document.querySelector(".list-row") && !!${input}`);
  // Goes on in the very task in which the pause of the typing is over.
  await page.evaluate(`(() => {
    const later = window.setTimeout;
    const type = (text) => document.execCommand("insertText", false, text);
    window.setTimeout = (run, ms, ...rest) => later(() => {
      run(...rest);
      if (ms !== 200 || ${input}.value !== "spr") return;
      window.setTimeout = later;
      type("ing");
    }, ms);
    ${input}.focus();
    type("spr");
  })()`);
  await page.until(`location.search === "?search=spring"`);
  expect(await page.evaluate<string>(`${input}.value`)).toBe("spring");
});

test("a filter by a domain that was deleted can be cleared", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl });
  await addDomain(service, ada.orgId, { hostname: `go-${ada.orgId.slice(-8)}.example.com` });
  const { body: organization } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${organization.slug}/links?domainId=${Bun.randomUUIDv7()}`);
  await page.until(says("There is no such domain"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${lastButton("Clear filters")}.click()`);
  await page.until(`document.querySelectorAll(".list-row input").length === 1 && location.search === ""`);
});

test("an item of a page says that its link was deleted, and takes another one", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  const gone = await service.createLink(ada, { defaultUrl });
  const other = await service.createLink(ada, { defaultUrl });
  const { body: bioPage } = await call<{ _id: string }>("POST", `${at}/bio-pages`, {
    ...ada,
    body: { title: "Acme", links: [{ title: "Spring", linkId: gone._id }] },
  });
  await call("DELETE", `${at}/links/${gone._id}`, ada);
  const { body: organization } = await call<{ slug: string }>("GET", at, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${organization.slug}/pages/${bioPage._id}`);
  await page.until(`${says("Link not found")} && ${says("hidden while that link is unavailable")}`);
  expect(await page.evaluate<string>(`${labelled("Link")}.value`)).toBe("");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("page-deleted-link");
  await page.evaluate(`${lastButton("Choose another link")}.click()`);
  await page.until(`!!${labelled("Link")} && !${labelled("Link")}.readOnly`);
  await page.evaluate(`${labelled("Link")}.focus()`);
  await page.type(other.shortUrl);
  await page.until(`${labelled("Link")}.readOnly && !${says("Link not found")}`);
});

test("archived links are brought back together, and the selection ends with the list they were in", async () => {
  const ada = await service.register();
  for (const title of ["Spring", "Summer"]) await service.createLink(ada, { defaultUrl, title });
  const page = await openSignedInPage(browser, service, ada);
  const selectBoth = async () => {
    await page.until(`document.querySelectorAll(".list-row input").length === 2`);
    await page.evaluate(`document.querySelectorAll(".list-row input").forEach((each) => each.click())`);
    await page.until(says("2 selected"));
  };
  await page.open(`${url}/app`);
  await selectBoth();
  await page.evaluate(`${lastButton("Archive")}.click()`);
  await page.until(`!document.querySelector(".list-row") && !${says("2 selected")}`);
  await page.evaluate(`${labelled("Archived")}.click()`);
  await selectBoth();
  await page.evaluate(`${lastButton("Unarchive")}.click()`);
  await page.until(`${says("No link matches")} && !${says("2 selected")}`);
  await page.evaluate(`${lastButton("Clear filters")}.click()`);
  await selectBoth();
  expect(await page.faults()).toEqual([]);
});

test("before a link with a form is deleted, it is said that its leads can no longer be read", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "Plain" });
  const fields = [{ name: "email", label: "Email", type: "email", required: true } as const];
  await service.createLink(ada, { defaultUrl, title: "Form", leadCapture: { enabled: false, fields } });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  const select = (title: string) =>
    page.evaluate(`[...document.querySelectorAll(".list-row")].find((row) => row.innerText.includes("${title}"))
      .querySelector("input").click()`);
  const asked = async () => {
    await page.evaluate(`${button("Delete")}.click()`);
    await page.until(`!!document.querySelector(".dialog p")`);
    const text = await page.evaluate<string>(`document.querySelector(".dialog p").innerText`);
    await page.press("Escape");
    await page.until(`!document.querySelector(".dialog")`);
    return text;
  };
  await page.until(`document.querySelectorAll(".list-row input").length === 2`);
  await select("Plain");
  await page.until(says("1 selected"));
  expect(await asked()).not.toContain("Leads");
  await select("Form");
  await page.until(says("2 selected"));
  expect(await asked()).toContain("Leads can no longer be read.");

  await page.evaluate(`[...document.querySelectorAll(".list-row a")].find((each) =>
    each.closest(".list-row").innerText.includes("Form")).click()`);
  const actions = `document.querySelector("main button[aria-label^='Actions for']")`;
  await page.until(`!document.querySelector(".list-row") && !!${actions}`);
  await page.evaluate(`${actions}.click()`);
  await page.until(`!!document.querySelector("[role=menuitem]")`);
  await page.evaluate(`[...document.querySelectorAll("[role=menuitem]")].at(-1).click()`);
  await page.until(`!!document.querySelector(".dialog p")`);
  expect(await page.evaluate<string>(`document.querySelector(".dialog p").innerText`)).toContain(
    "Leads can no longer be read.",
  );
});

test("the eleventh of the most clicked links is listed as well, and figures are filtered by it", async () => {
  const ada = await service.register();
  const headers = { "user-agent": IPHONE };
  // Among links with equally many clicks, newer ones come first.
  for (let at = 11; at > 0; at--) {
    const { shortUrl } = await service.createLink(ada, { defaultUrl, title: `${LONG_WORD} ${at}` });
    await fetch(shortUrl, { redirect: "manual", headers });
  }
  await waitUntilDrained(service.service);
  const { body: organization } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${organization.slug}/analytics`);
  const eleventh = `document.querySelector("button[title$=' 11']")`;
  const more = `[...document.querySelectorAll(".card")].find((card) => card.querySelector("button[title$=' 1']"))
    ?.querySelector("button.quiet")`;
  await page.until(`!!${more}`);
  expect(await page.evaluate<boolean>(`!!${eleventh}`)).toBe(false);
  await page.evaluate(`${more}.click()`);
  await page.until(`!!document.querySelector(".dialog") && !!${eleventh}`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("analytics-more-links");
  await page.evaluate(`${eleventh}.click()`);
  await page.until(`!document.querySelector(".dialog") && location.search.includes("linkId=")`);
  await page.until(`document.querySelector("button.chip")?.innerText.includes(" 11")`);
});

test("a list whose next page cannot be read says so, and requests it again only if that is wanted", async () => {
  const ada = await service.register();
  const body = { links: Array.from({ length: 60 }, () => ({ defaultUrl })) };
  for (let each = 0; each < 2; each++)
    await call("POST", `/api/v1/organizations/${ada.orgId}/links/bulk`, { ...ada, body });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`!!document.querySelector(".list-row a") && ${hasAnswer("/trends?")} && ${hasAnswer("/domains")}`);
  // The page stays, because of what is typed.
  await page.press("c");
  await page.type("shop.example.com");
  await call("POST", "/api/v1/auth/logout", ada);
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page.until(`!!${lastButton("Try again")}`);
  await page.until(hasAnswer("cursor="));
  expect(await page.evaluate<number>(requestsOf("cursor="))).toBe(1);
  const { email, password } = ada;
  const { body: again } = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  await page.cookie({ name: "waymark", value: again.token, url });
  await page.until(`document.querySelector(".list-row")?.closest("li").ariaSetSize === "120"`);
  expect(page.complaints.filter((text) => !text.includes("401"))).toEqual([]);
});

test("a change of links in a long list reads no page of it again", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  const links = Array.from({ length: 60 }, () => ({ defaultUrl, tags: ["spring"] }));
  for (let each = 0; each < 4; each++) await call("POST", `${at}/links/bulk`, { ...ada, body: { links } });
  // Time stands still, so that nothing is read again because of its age.
  const begin = "(() => { const now = Date.now(); Date.now = () => now; })()";
  const page = await openSignedInPage(browser, service, ada, { begin });
  const { body: organization } = await call<{ slug: string }>("GET", at, ada);
  await page.open(`${url}/app/o/${organization.slug}/links`);
  const size = `document.querySelector("li[aria-setsize]")?.ariaSetSize`;
  await page.until(`(scrollTo(0, document.documentElement.scrollHeight), ${size} === "240")`);
  await page.until(`!!document.querySelector("li[aria-posinset='240'] input")`);
  const pagesRead = requestsOf("order=desc&limit=100");
  await page.until(`${pagesRead} > 2`);
  expect(await page.evaluate<number>(pagesRead)).toBe(3);
  const row = (place: number) => `document.querySelector("li[aria-posinset='${place}']")`;
  const choose = async (place: number, text: string) => {
    const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "${text}")`;
    await page.evaluate(`${row(place)}.querySelector("button[aria-haspopup=menu]").click()`);
    await page.until(`!!${item}`);
    await page.evaluate(`${item}.click()`);
    await page.until(`!${item}`);
  };
  await choose(240, "Pause");
  await page.until(`${row(240)}.innerText.includes("Paused")`);
  await choose(240, "Resume");
  await page.until(`!${row(240)}.innerText.includes("Paused")`);
  await choose(239, "Archive");
  await page.until(`${size} === "239" && ${says("239 links")}`);
  await choose(239, "Delete");
  await page.until(`!!document.querySelector("[role=dialog]:not(.toast) .danger")`);
  await page.evaluate(`${lastButton("Delete")}.click()`);
  await page.until(`${size} === "238" && ${says("238 links")}`);

  await page.evaluate(`[238, 237].forEach((place) =>
    document.querySelector(\`li[aria-posinset='\${place}'] input\`).click())`);
  await page.until(says("2 selected"));
  await page.evaluate(`${button("Pause")}.click()`);
  await page.until(`${row(238)}.innerText.includes("Paused") && ${row(237)}.innerText.includes("Paused")`);
  await page.evaluate(`${lastButton("Archive")}.click()`);
  await page.until(`${size} === "236" && ${says("236 links")}`);

  await page.evaluate(`${row(236)}.querySelector("a").click()`);
  await page.until(`!!document.querySelector("nav.tabs a[href$='/settings']")`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/settings']").click()`);
  await page.until(`!!${labelled("Title")}`);
  await page.evaluate(`${labelled("Title")}.focus()`);
  await page.type("Autumn sale");
  await page.press("Enter");
  await page.until(says("Saved"));
  await page.evaluate(`document.querySelector("main a[href$='/links']").click()`);
  await page.until(`${size} === "236" && ${hasAnswer("/trends?")}`);
  await page.press("c");
  await page.type("shop.example.com/new");
  await page.press("Enter");
  await page.until(`${size} === "237" && ${says("237 links")} && ${row(1)}?.innerText.includes("shop.example.com")`);
  await page.until(
    `(scrollTo(0, document.documentElement.scrollHeight), ${row(237)}?.innerText.includes("Autumn sale"))`,
  );
  expect(await page.evaluate<number>(pagesRead)).toBe(3);

  // What is put in is what the service has.
  const read = `[...document.querySelectorAll("main li[aria-posinset]")].map((each) => each.innerText)`;
  const shown = await page.evaluate<string[]>(read);
  await page.open(await page.evaluate<string>("location.href"));
  await page.until(
    `(scrollTo(0, document.documentElement.scrollHeight), ${row(237)}?.innerText.includes("Autumn sale"))`,
  );
  expect(await page.evaluate<string[]>(read)).toEqual(shown);
  expect(page.complaints).toEqual([]);
});

test("what can be done with selected links stays in sight, however far down they are", async () => {
  const ada = await service.register();
  const body = { links: Array.from({ length: 60 }, () => ({ defaultUrl })) };
  await call("POST", `/api/v1/organizations/${ada.orgId}/links/bulk`, { ...ada, body });
  const page = await openSignedInPage(browser, service, ada, { width: 1_280, height: 800 });
  await page.open(`${url}/app`);
  const row = `document.querySelector("li[aria-posinset='60'] input")`;
  await page.until(`(scrollTo(0, document.documentElement.scrollHeight), !!${row})`);
  await page.evaluate(`${row}.click()`);
  await page.until(says("1 selected"));
  const isInSight = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(${button("Add tag")}.getBoundingClientRect())`;
  await page.until(`scrollY > 1_000 && ${isInSight}`);
  await page.takeScreenshots("links-selected-below");
  // Rows that are chosen by keyboard come out from under the bar.
  for (let each = 0; each < 60; each++) await page.press("j");
  for (let each = 0; each < 25; each++) await page.press("k");
  await page.until(`document.querySelector(".list-row[data-current=true]")?.closest("li").ariaPosInSet === "35"`);
  await page.until(`document.querySelector(".list-row[data-current=true]").getBoundingClientRect().top >=
    ${button("Add tag")}.getBoundingClientRect().bottom`);
  expect(page.complaints).toEqual([]);
});

test("each screen of an organization that has used up its month's requests says so, instead of waiting for the next", async () => {
  const ada = await service.register();
  const id = Bun.randomUUIDv7();
  await service.sql`insert into organizations (id, name, slug, plan) values (${id}, 'Busy', ${id}, 'free')`;
  await service.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${id}, id, 'owner' from users where email = ${ada.email}`;
  await service.sql`insert into request_usage (org_id, month, requests)
    values (${id}, date_trunc('month', now() at time zone 'utc')::date, 50000)`;
  const page = await openSignedInPage(browser, service, ada);
  for (const screen of ["links", "analytics", "live", "developers/api-keys", "settings/members"]) {
    await page.open(`${url}/app/o/${id}/${screen}`);
    await page.until(says("This month's requests are used up"));
  }
  expect(page.complaints.filter((text) => !text.includes("429"))).toEqual([]);
});

test("a screen that waits for the plan's rate limit says so, instead of seeming to load", async () => {
  const ada = await service.register();
  const id = Bun.randomUUIDv7();
  await service.sql`insert into organizations (id, name, slug, plan) values (${id}, 'Quick', ${id}, 'free')`;
  await service.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${id}, id, 'owner' from users where email = ${ada.email}`;
  const path = `/api/v1/organizations/${id}/links`;
  for (let status = 200; status === 200; ) ({ status } = await call("GET", path, ada));
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${id}/links`);
  await page.until(says("Your plan's rate limit is reached. This screen loads in"));
  expect(await page.faults()).toEqual([]);
  expect(page.complaints.filter((text) => !text.includes("429"))).toEqual([]);
});

test("entries of the audit log are listed once, even if others are added before the next page is read", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  const addLinks = (count: number) =>
    call("POST", `${at}/links/bulk`, {
      ...ada,
      body: { links: Array.from({ length: count }, () => ({ defaultUrl })) },
    });
  await addLinks(55);
  const { body: organization } = await call<{ slug: string }>("GET", at, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${organization.slug}/settings/audit-log?action=link.create`);
  const rows = `[...document.querySelectorAll(".table tbody tr td:nth-child(3) a")].map((each) => each.href)`;
  await page.until(`${rows}.length === 50`);
  await addLinks(3);
  await page.evaluate(`${lastButton("Show more")}.click()`);
  await page.until(`!${lastButton("Show more")}`);
  const listed = await page.evaluate<string[]>(rows);
  expect(listed).toHaveLength(55);
  expect(new Set(listed).size).toBe(55);
});

test("Enter in the palette opens what is found for the whole text, not for its beginning", async () => {
  const ada = await service.register();
  const meant = await service.createLink(ada, { defaultUrl, title: "Autumn sale" });
  await service.createLink(ada, { defaultUrl, title: "Autumn catalogue" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 2`);
  await page.press("Control+k");
  await page.until(`document.activeElement.role === "combobox"`);
  await page.type("autumn");
  await page.until(`document.querySelectorAll("[role=option]").length === 2`);
  const held = page.hold("GET", "search=autumn%20sale");
  await page.type(" sale");
  await held.sent;
  await page.press("Enter");
  held.releaseRequest();
  await page.until(`/links\\/[0-9a-f-]{36}/.test(location.pathname)`);
  expect(await page.evaluate<string>("location.pathname")).toEndWith(meant._id);
});

test("the palette searches for a name once it is typed, not for each of its letters", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "The sale of the autumn and winter collection" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 1`);
  await page.press("Control+k");
  await page.until(`document.activeElement.role === "combobox"`);
  const typed = "sale of the autumn and winter";
  await page.evaluate(`(async () => { const field = document.activeElement;
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    for (let end = 1; end <= ${typed.length}; end++) {
      set.call(field, "${typed}".slice(0, end));
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((next) => setTimeout(next)); } })()`);
  await page.until(`document.querySelector("[role=option]")?.innerText.includes("The sale of the autumn")`);
  expect(await page.evaluate<number>(requestsOf("/links?search="))).toBeLessThan(typed.length / 2);
});

test("a tag with a comma stays one tag when others are added", async () => {
  const ada = await service.register();
  const link = await service.createLink(ada, { defaultUrl, tags: ["sale, spring"] });
  const { body: organization } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${organization.slug}/links/${link._id}/settings`);
  await page.until(`!!${labelled("Tags")}`);
  await page.evaluate(`${labelled("Tags")}.focus(), ${labelled("Tags")}.setSelectionRange(99, 99)`);
  await page.type(", new");
  await page.press("Enter");
  const tags = async () =>
    (await call<Link>("GET", `/api/v1/organizations/${ada.orgId}/links/${link._id}`, ada)).body.tags;
  await page.until(says("Saved"));
  expect(await tags()).toEqual(["sale, spring", "new"]);

  await page.open(`${url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 1`);
  await page.evaluate(`document.querySelector(".list-row input").click()`);
  await page.until(says("1 selected"));
  await page.evaluate(`${button("Add tag")}.click()`);
  await page.until(`document.activeElement === ${labelled("Tag to add")}`);
  await page.type("big, small");
  await page.press("Enter");
  await page.until(says("1 link changed"));
  expect(await tags()).toEqual(["sale, spring", "new", "big", "small"]);
});

test("what is chosen in the palette by arrow keys stays in view, however low the window is", async () => {
  const ada = await service.register();
  const page = await openSignedInPage(browser, service, ada, { width: 1_280, height: 320 });
  await page.open(`${url}/app`);
  await page.until(says("first short link"));
  await page.press("Control+k");
  await page.until(`document.querySelectorAll("[role=option]").length > 8`);
  const isInView = `(() => {
    const [list, option] = ["[role=listbox]", "[role=option][aria-selected=true]"].map((each) => ${boxOf("document.querySelector(each)")});
    return option.top >= list.top && option.bottom <= list.bottom; })()`;
  expect(await page.evaluate<boolean>(isInView)).toBe(true);
  await page.press("ArrowUp");
  await page.until(`document.querySelector("[role=option]:last-child").ariaSelected === "true"`);
  await page.until(isInView);
  await page.press("ArrowDown");
  await page.until(`document.querySelector("[role=option]").ariaSelected === "true"`);
  await page.until(isInView);
});

test("the palette finds a link by its short URL", async () => {
  const ada = await service.register();
  const hostname = `go-${ada.orgId.slice(-8)}.example.com`;
  const domainId = await addDomain(service, ada.orgId, { hostname });
  await service.createLink(ada, { defaultUrl, domainId, slug: "other" });
  const { shortUrl } = await service.createLink(ada, { defaultUrl, domainId, pathPrefix: "summer", slug: "sale" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 2`);
  await page.press("Control+k");
  await page.until(`document.activeElement.role === "combobox"`);
  await page.type(shortUrl);
  await page.until(`document.querySelector("[role=option]")?.innerText.includes("${hostname}/summer/sale")`);
});

test("live names whatever was clicked with one request, however many links, pages and deleted ones", async () => {
  const ada = await service.register();
  const at = `/api/v1/organizations/${ada.orgId}`;
  const names = Array.from({ length: 12 }, (_, place) => `Spring ${place}`);
  const links = await Promise.all(names.map((title) => service.createLink(ada, { defaultUrl, title })));
  await Promise.all(links.map((link) => service.visit(link, { "user-agent": IPHONE })));
  const bio = { title: "All of Acme", links: [{ title: "Coats", url: defaultUrl }] };
  const { body: page } = await call<{ slug: string; links: { key: string }[] }>("POST", `${at}/bio-pages`, {
    ...ada,
    body: bio,
  });
  await service.visit(`/${page.slug}?item=${page.links[0]?.key}`, { "user-agent": IPHONE });
  await waitUntilDrained(service.service);
  await call("DELETE", `${at}/links/${links[0]?._id}`, ada);
  await call("PATCH", `${at}/links/${links[1]?._id}`, { ...ada, body: { isArchived: true } });
  const { body: organization } = await call<{ slug: string }>("GET", at, ada);
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${url}/app/o/${organization.slug}/live`);
  for (const name of [...names.slice(1), "All of Acme", "Deleted link or page"]) await seen.until(says(name));
  await seen.until(hasAnswer("/links?linkId="));
  expect(await seen.evaluate<number>(requestsOf("/links?linkId="))).toBe(1);
  for (const { _id } of links) expect(await seen.evaluate<number>(requestsOf(`/links/${_id}`))).toBe(0);
  expect(seen.complaints).toEqual([]);
});
