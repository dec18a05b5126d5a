/** One link's screen in a real browser: settings, code and history, and two people who change it at once. */
import { expect, test } from "bun:test";
import { addInvitations } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, hasAnswer, labelled, openSignedInPage, requestsOf, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const link = await service.createLink(ada, {
  defaultUrl: "https://shop.example.com/",
  title: "Spring",
  slug: "spring",
});
const apiPath = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
const read = async () => (await service.call<Link>("GET", apiPath, ada)).body;
const put = (field: string, value: string) => `(() => { const field = ${field};
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
  field.dispatchEvent(new Event("input", { bubbles: true })); })()`;
async function openTab(tab: string, path = "/spring") {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(says(path));
  await page.evaluate(
    `[...document.querySelectorAll("main a")].find((each) => each.innerText.includes(${JSON.stringify(path)})).click()`,
  );
  await page.until(`!!document.querySelector("nav.tabs")`);
  await page.evaluate(
    `[...document.querySelectorAll("nav.tabs a")].find((each) => each.innerText === ${JSON.stringify(tab)}).click()`,
  );
  return page;
}

test("settings are saved as typed; another user's change is reported, and typed text stays", async () => {
  const page = await openTab("Settings");
  await page.until(`!!${labelled("Title")}`);
  await page.evaluate(`${labelled("Title")}.focus(), ${labelled("Title")}.select()`);
  await page.type("Spring sale");
  await page.press("Enter");
  await page.until(says("Saved"));
  expect((await read()).title).toBe("Spring sale");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("link-settings");

  // Firefox takes all parts of a date away where one is missing and the value is written, even as what it is.
  const expiry = labelled("Expires");
  await page.evaluate(`(() => { ${expiry}.focus(); window.writes = [];
    new MutationObserver((seen) => writes.push(...seen)).observe(${expiry}, { attributeFilter: ["value"] }); })()`);
  // The year takes four digits, so that the hour is next.
  for (const key of ["1", "2", "3", "1", "2", "0", "9", "9", "1", "0", "3", "0", "P"]) await page.press(key);
  await page.until(`${expiry}.value === "2099-12-31T22:30" && ${button("Discard changes")}.disabled === false`);
  await page.press("Delete");
  await page.until(`${expiry}.value === "" && ${button("Discard changes")}.disabled`);
  expect(await page.evaluate<number>("writes.length")).toBe(0);
  // A year beyond those that the service takes, as Firefox lets it be typed.
  await page.evaluate(put(expiry, "20260-01-01T00:00"));
  await page.until(`${expiry}.getAttribute("aria-invalid") === "true" && ${button("Save")}.disabled`);
  expect(await page.evaluate<string>(`${expiry}.closest(".field").querySelector(".fault").innerText`)).toContain(
    "9999",
  );
  expect(await page.evaluate<string>(`${labelled("Title")}.value`)).toBe("Spring sale");
  await page.evaluate(put(expiry, ""));
  await page.until(`${expiry}.getAttribute("aria-invalid") === null && ${button("Discard changes")}.disabled`);

  await service.call("PATCH", apiPath, { ...ada, body: { notes: "By Bob" } });
  await page.evaluate(`${labelled("Visit limit")}.focus()`);
  await page.type("100");
  await page.press("Enter");
  await page.until(says("Someone else changed this link"));
  expect(await page.evaluate<string>(`${labelled("Visit limit")}.value`)).toBe("100");
  expect((await read()).maxClicks).toBeUndefined();
  // A wrong number must not be sent as none.
  await page.type("x");
  await page.until(`${button("Save mine anyway")}.disabled`);
  await page.evaluate(`${labelled("Visit limit")}.select()`);
  await page.type("100");
  await page.until(`!${button("Save mine anyway")}.disabled`);
  await page.evaluate(`${button("Save mine anyway")}.click()`);
  await until(async () => (await read()).maxClicks !== undefined);
  await page.until(`!${says("Someone else changed this link")}`);
  expect(await read()).toMatchObject({ maxClicks: 100, notes: "By Bob", title: "Spring sale" });

  await page.evaluate(`${labelled("Visit limit")}.focus(), ${labelled("Visit limit")}.select()`);
  await page.type("many");
  await page.press("Enter");
  await page.until(`${labelled("Visit limit")}.getAttribute("aria-invalid") === "true"`);
  await page.evaluate(`${labelled("Visit limit")}.select()`);
  await page.type("0");
  // The save before may be ending.
  await page.until(`${button("Save")}.disabled === false`);
  await page.press("Enter");
  await page.until(`!!document.querySelector(".fault") && !${says("Enter a whole number")}`);
  expect(await read()).toMatchObject({ maxClicks: 100 });
  // The API's own refusals.
  expect(page.complaints.filter((text) => !/4(?:00|12)/.test(text))).toEqual([]);
});

test("history shows what changed and by whom, even with many members, and restores a version", async () => {
  // The list has the newest first, a hundred a page.
  await addInvitations(service, ada.orgId, 100);
  const expiresAt = "2098-06-30T21:45:00.000Z";
  await service.call("PATCH", apiPath, { ...ada, body: { title: "Summer sale", tags: ["summer"], expiresAt } });
  const page = await openTab("History");
  await page.until(says("Summer sale"));
  await page.until(`/\\bAda, /.test(document.querySelector("main").innerText)`);
  const expiry = `new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(new Date("${expiresAt}"))`;
  const newest = `document.querySelector("main table").innerText`;
  expect(await page.evaluate<string>(newest)).toContain(await page.evaluate<string>(expiry));
  const first = await page.evaluate<string>(`[...document.querySelectorAll("main table")].at(-1).innerText`);
  expect(first.split(/\s*\n\s*|\t/)).toContain(new URL(link.shortUrl).host);
  expect(first).toMatch(/Active\s+empty\s+yes/);
  expect(first).not.toMatch(/Archived|Pixels/);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("link-history");
  const restore = async (place: number) => {
    await page.evaluate(
      `[...document.querySelectorAll("button")].filter((each) => each.innerText === "Restore this version")[${place}].click()`,
    );
    await page.until(`!!document.querySelector(".dialog")`);
    await page.evaluate(`[...document.querySelectorAll(".dialog button")].at(-1).click()`);
  };
  const held = page.hold("PATCH", apiPath);
  await restore(0);
  await held.sent;
  await service.call("PATCH", apiPath, { ...ada, body: { notes: "By Carol" } });
  held.releaseRequest();
  await page.until(says("Someone else has changed this link"));
  await page.until(`${says("By Carol")} && !document.querySelector(".dialog")`);
  expect(await read()).toMatchObject({ title: "Summer sale", notes: "By Carol" });
  await restore(1);
  await page.until(says("The link is back at version"));
  expect(await read()).toMatchObject({ title: "Spring sale", tags: [], notes: "By Bob" });
  expect(page.complaints.filter((text) => !text.includes("412"))).toEqual([]);
});

test("a version whose app was deleted and whose external id was taken is restored without them, and says so", async () => {
  const home = `/api/v1/organizations/${ada.orgId}`;
  const app = await service.call<{ _id: string }>("POST", `${home}/apps`, { ...ada, body: { name: "Shop" } });
  const own = { title: "With app", externalId: "sku-1", appProfileId: app.body._id };
  const input = { defaultUrl: "https://example.com/", slug: "restored", ...own };
  const restored = await service.createLink(ada, input);
  const path = `${home}/links/${restored._id}`;
  const body = { title: "Without", externalId: null, appProfileId: null };
  expect((await service.call("PATCH", path, { ...ada, body })).status).toBe(200);
  expect((await service.call("DELETE", `${home}/apps/${app.body._id}`, ada)).status).toBe(200);
  await service.createLink(ada, { defaultUrl: "https://example.com/", externalId: "sku-1" });
  const page = await openTab("History", "/restored");
  await page.until(says("Restore this version"));
  await page.evaluate(`${button("Restore this version")}.click()`);
  await page.until(`!!document.querySelector(".dialog")`);
  await page.evaluate(`[...document.querySelectorAll(".dialog button")].at(-1).click()`);
  await page.until(says("The link is back at version 1, except for: App, External ID"));
  const { body: now } = await service.call<Link>("GET", path, ada);
  expect([now.title, now.externalId, now.appProfileId]).toEqual(["With app", undefined, undefined]);
});

test("the QR code's colors are refused with a message if their contrast is too low", async () => {
  const page = await openTab("QR code");
  await page.until(`!!document.querySelector("main img")?.complete`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("link-qr");
  await page.cutOff(true);
  await page.evaluate(`${button("Download PNG")}.click()`);
  await page.until(`document.querySelector(".toasts")?.innerText.includes("cannot be reached")`);
  await page.cutOff(false);
  await page.evaluate(put(labelled("Color"), "#ffff00"));
  await page.until(`/contrast/i.test(document.querySelector("main .fault, main [role=alert]")?.innerText ?? "")`);
  expect(page.complaints.filter((text) => !/400|ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
});

test("a logo's URL is read once it is typed, not for each of its letters", async () => {
  const page = await openTab("QR code");
  await page.until(`!!document.querySelector("main img")?.complete`);
  const before = await page.evaluate<number>(requestsOf("/qrcode?"));
  const logo = "https://shop.example.com/a-logo-with-a-long-name.png";
  await page.evaluate(`(async () => { const field = ${labelled("Logo")};
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    for (let end = 1; end <= ${logo.length}; end++) {
      set.call(field, "${logo}".slice(0, end));
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((next) => setTimeout(next)); } })()`);
  await page.until(hasAnswer(encodeURIComponent(logo)));
  expect((await page.evaluate<number>(requestsOf("/qrcode?"))) - before).toBeLessThan(logo.length / 4);
});

test("the look of a QR code is kept when another tab is opened, and each link has its own", async () => {
  const page = await openTab("QR code");
  await page.until(`!!${labelled("Color")} && !!document.querySelector("img.picture")`);
  await page.evaluate(put(labelled("Color"), "#0b3d91"));
  await page.evaluate(`${labelled("Width in pixels")}.select()`);
  await page.type("1024");
  const tab = (name: string) =>
    `[...document.querySelectorAll("nav.tabs a")].find((each) => each.innerText === "${name}")`;
  await page.evaluate(`${tab("Settings")}.click()`);
  await page.until(`!!${labelled("Title")}`);
  await page.evaluate(`${tab("QR code")}.click()`);
  await page.until(`${labelled("Color")}?.value === "#0b3d91" && ${labelled("Width in pixels")}.value === "1024"`);
  const other = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", slug: "summer" });
  await page.evaluate(`history.pushState(null, "", location.pathname.replace("${link._id}", "${other._id}"))`);
  await page.until(`document.title.includes("/summer") && ${labelled("Color")}?.value === "#000000"`);
  expect(page.complaints).toEqual([]);
});

test("while a link is being loaded, its place and the way back are shown already", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(says("/spring"));
  const held = page.hold("GET", `/links/${link._id}`);
  await page.evaluate(`document.querySelector('main a[href$="/links/${link._id}"]').click()`);
  await held.sent;
  await page.until(`!!document.querySelector("main .page .bone") && !!document.querySelector("main h1")`);
  expect(await page.evaluate<boolean>(`!!document.querySelector('main a.button[href$="/links"]')`)).toBe(true);
  held.releaseRequest();
  await page.until(`!!document.querySelector("nav.tabs")`);
  expect(page.complaints).toEqual([]);
});

test("an unknown path below a screen leads to the screen", async () => {
  const page = await openTab("History");
  const home = await page.evaluate<string>(`location.pathname.replace(/\\/links\\/.*/, "")`);
  for (const [unknown, shown] of [
    [`/links/${link._id}/qr-code`, `/links/${link._id}`],
    ["/domains/any/records", "/domains"],
    ["/pages/any/items", "/pages"],
    ["/apps/any/links", "/apps"],
  ]) {
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(home + unknown)})`);
    await page.until(`location.pathname === ${JSON.stringify(home + shown)}`);
  }
});

test("a history whose older versions cannot be read keeps the others, and reads them when asked again", async () => {
  const { _id } = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", slug: "often" });
  const path = `/api/v1/organizations/${ada.orgId}/links/${_id}`;
  for (let at = 0; at < 30; at++) await service.call("PATCH", path, { ...ada, body: { title: `Title ${at}` } });
  const { body: organization } = await service.call<{ slug: string }>("GET", path.replace(/\/links.*/, ""), ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app/o/${organization.slug}/links/${_id}/history`);
  await page.until(`!!${button("Show older versions")}`);
  const makeReachable = page.refuse("GET", "/revisions?page=2");
  // A refresh, such as after the connection was lost, ends an attempt and a failure, and then this button is there again.
  const older = `[${button("Show older versions")}].find((each) => each?.ariaBusy === null)`;
  await page.until(`!!${button("Try again")} || (${older}?.click(), false)`);
  makeReachable();
  expect(await page.evaluate<number>(`document.querySelectorAll("main .card-head").length`)).toBe(25);
  const first = `[...document.querySelectorAll("main .card-head > *")].some(({ innerText }) => innerText === "Version 1")`;
  await page.until(`${first} || ((${button("Try again")} ?? ${older})?.click(), false)`);
  await page.until(`!${button("Try again")}`);
  expect(page.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
});
