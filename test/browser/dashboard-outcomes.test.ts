/**
 * What becomes of a change in a real browser: it is sent once, even if the page is busy, and its outcome is told, even
 * if the row, dialog or screen that it was made in has gone by then.
 */
import { describe, expect, test } from "bun:test";
import { addInvitations } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import {
  button,
  type DashboardPage,
  goBack,
  hasAnswer,
  labelled,
  lastButton,
  openSignedInPage,
  requestsOf,
  says,
} from "@test/support/browser/dashboard";
import type { Held } from "@test/support/browser/held";
import { addLead } from "@test/support/leads";
import { type Account, startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const defaultUrl = "https://shop.example.com/";
const TOLD = `(document.querySelector(".toasts")?.innerText ?? "")`;
const IS_OPEN = `!!document.querySelector(".dialog")`;
const ARCHIVED = "isArchived=true";
const rows = (count: number) => `document.querySelectorAll(".list-row").length === ${count}`;

const pathOf = ({ orgId }: Account) => `/api/v1/organizations/${orgId}`;

async function openScreen(account: Account, screen: string): Promise<DashboardPage> {
  const { body: organization } = await call<{ slug: string }>("GET", pathOf(account), account);
  const page = await openSignedInPage(browser, service, account, { hasMotion: true });
  await page.open(`${url}/app/o/${organization.slug}/${screen}`);
  return page;
}

/** Presses the button twice. Both presses wait until the page has time for them, as on a slow phone. */
async function pressTwice(page: DashboardPage, pressed: string): Promise<void> {
  await page.until(`${pressed}?.disabled === false`);
  await page.evaluate(`${pressed}.focus()`);
  await page.evaluate(`void setTimeout(() => { for (const end = Date.now() + 500; Date.now() < end; ); })`);
  await Promise.all([page.press("Enter"), page.press("Enter")]);
}

/** Holds back the next request for the number of archived links, once the first one is answered. */
async function holdArchivedCount(page: DashboardPage): Promise<Held> {
  // Otherwise it could be the first one that is held.
  await page.until(hasAnswer(ARCHIVED));
  return page.hold("GET", ARCHIVED);
}

async function chooseInMenu(page: DashboardPage, menu: string, text: string): Promise<void> {
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "${text}")`;
  await page.until(`!!${menu}`);
  await page.evaluate(`${menu}.click()`);
  await page.until(`!!${item}`);
  await page.evaluate(`${item}.click()`);
}

const ROW_MENU = `document.querySelector(".list-row button[aria-haspopup=menu]")`;

describe("while the page is busy", () => {
  test("a question that is answered twice acts once", async () => {
    const ada = await service.register();
    const body = { url: "https://hooks.example.com/", events: ["click"] };
    const { _id } = (await call<{ _id: string }>("POST", `${pathOf(ada)}/webhooks`, { ...ada, body })).body;
    const page = await openScreen(ada, `developers/webhooks?rotate=${_id}`);
    await page.until(IS_OPEN);
    // Otherwise the second press could be for the secret, which comes once this is answered.
    const held = page.hold("POST", "/rotate-secret");
    await pressTwice(page, lastButton("Rotate secret"));
    await held.sent;
    held.releaseRequest();
    await page.until(`document.querySelector("[role=dialog] pre")?.innerText.startsWith("whsec_")`);
    await page.until(hasAnswer("/rotate-secret"));
    expect(await page.evaluate<number>(requestsOf("/rotate-secret"))).toBe(1);
    expect(page.complaints).toEqual([]);
  });

  test("a route is saved once", async () => {
    const ada = await service.register();
    const link = await service.createLink(ada, { defaultUrl });
    const page = await openScreen(ada, `links/${link._id}`);
    await page.until(`!!${labelled("Default destination")}`);
    await page.evaluate(`${labelled("Default destination")}.focus(), ${labelled("Default destination")}.select()`);
    await page.type(`${defaultUrl}sale`);
    const held = page.hold("PATCH", link._id);
    await pressTwice(page, button("Save"));
    await held.sent;
    held.releaseRequest();
    await page.until(`/saved/i.test(${TOLD})`);
    expect(page.complaints).toEqual([]);
  });
});

describe("the outcome is told", () => {
  test("and can be undone if the link leaves the list before the screen is up to date", async () => {
    const ada = await service.register();
    const link = await service.createLink(ada, { defaultUrl, title: "Spring" });
    await service.createLink(ada, { defaultUrl, title: "Spring, too" });
    const page = await openScreen(ada, "links?search=spring");
    await page.until(rows(2));
    const archived = await holdArchivedCount(page);
    await chooseInMenu(
      page,
      `[...document.querySelectorAll(".list-row")].find((row) =>
      row.innerText.includes("${link.slug}"))?.querySelector("button[aria-haspopup=menu]")`,
      "Archive",
    );
    await archived.sent;
    await page.until(rows(1));
    archived.releaseRequest();
    await page.until(`${TOLD}.includes("${link.slug} archived")`);
    await page.evaluate(`${lastButton("Undo")}.click()`);
    await page.until(rows(2));
    expect(page.complaints).toEqual([]);
  });

  test("if the last link of a list is deleted, and its question does not come back with the next one", async () => {
    const ada = await service.register();
    const link = await service.createLink(ada, { defaultUrl, title: "Spring" });
    const page = await openScreen(ada, "links?search=spring");
    await page.until(rows(1));
    await chooseInMenu(page, ROW_MENU, "Delete");
    await page.until(IS_OPEN);
    const archived = await holdArchivedCount(page);
    await page.evaluate(`${lastButton("Delete")}.click()`);
    await archived.sent;
    await page.until(rows(0));
    archived.releaseRequest();
    await page.until(`${TOLD}.includes("${link.slug} deleted") && !${IS_OPEN}`);
    await service.createLink(ada, { defaultUrl, title: "Spring again" });
    await page.evaluate(`${lastButton("Clear filters")}.click()`);
    await page.until(rows(1));
    expect(await page.evaluate<boolean>(IS_OPEN)).toBe(false);
    expect(page.complaints).toEqual([]);
  });

  test("if the last lead of a form is deleted, and its question does not come back with the next one", async () => {
    const ada = await service.register();
    const fields = [{ name: "email", label: "Email", type: "email", required: true } as const];
    const { _id } = await service.createLink(ada, { defaultUrl, leadCapture: { enabled: true, fields } });
    await addLead(service, ada.orgId, _id);
    const page = await openScreen(ada, `links/${_id}/leads`);
    await page.until(says("ada@example.com"));
    await page.evaluate(`document.querySelector("main tbody button").click()`);
    await page.until(IS_OPEN);
    await page.evaluate(`${lastButton("Delete")}.click()`);
    await page.until(`${says("No leads yet")} && ${says("Lead deleted")} && !${IS_OPEN}`);
    expect(page.complaints).toEqual([]);
  });

  test("if the dialog was left before it arrived, which stays left", async () => {
    const ada = await service.register();
    const page = await openScreen(ada, "domains");
    await page.until(`!!document.querySelector("main a[href$='/domains/new']")`);
    await page.evaluate(`document.querySelector("main a[href$='/domains/new']").click()`);
    await page.until(`!!${labelled("Host name")}`);
    await page.evaluate(`${labelled("Host name")}.focus()`);
    const hostname = `go-${ada.orgId.slice(-8)}.example.com`;
    await page.type(hostname);
    const held = page.hold("POST", "/domains");
    await page.press("Enter");
    await held.sent;
    await goBack(page);
    await page.until(`!${IS_OPEN}`);
    held.releaseRequest();
    await page.until(`${TOLD}.includes("${hostname}")`);
    expect(await page.evaluate<string>("location.pathname")).toEndWith("/domains");
    expect(page.complaints).toEqual([]);
  });
});

describe("the focus is not lost", () => {
  test("when a key is revoked, whose button for it goes", async () => {
    const ada = await service.register();
    const body = { name: "Checkout server", scopes: ["links:read"] };
    await call("POST", `${pathOf(ada)}/api-keys`, { ...ada, body });
    const page = await openScreen(ada, "developers/api-keys");
    await page.until(`!!${button("Revoke")}`);
    await page.evaluate(`${button("Revoke")}.focus()`);
    await page.press("Enter");
    await page.until(IS_OPEN);
    await page.evaluate(`${lastButton("Revoke")}.focus()`);
    await page.press("Enter");
    await page.until(`!${IS_OPEN} && ${says("Revoked")} && !${button("Revoke")}`);
    await page.until(`document.activeElement.getAttribute("aria-label") === "API keys"`);
    expect(page.complaints).toEqual([]);
  });

  test("when a link is deleted from its row", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl });
    await service.createLink(ada, { defaultUrl });
    const page = await openScreen(ada, "links");
    await page.until(rows(2));
    await chooseInMenu(page, ROW_MENU, "Delete");
    await page.until(IS_OPEN);
    await page.evaluate(`${lastButton("Delete")}.click()`);
    await page.until(`${rows(1)} && !${IS_OPEN}`);
    await page.until(`document.getElementById("main").contains(document.activeElement)`);
    expect(page.complaints).toEqual([]);
  });

  test("when a dialog is closed that changed nothing", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl });
    const page = await openScreen(ada, "links");
    await page.until(rows(1));
    await chooseInMenu(page, ROW_MENU, "Delete");
    await page.until(IS_OPEN);
    await page.press("Escape");
    await page.until(`!${IS_OPEN} && document.activeElement === ${ROW_MENU}`);
    expect(page.complaints).toEqual([]);
  });
});

test("a screen reader hears that something was copied, and why it was not", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl });
  const page = await openScreen(ada, "links");
  await page.until(rows(1));
  const copy = `document.querySelector(".list-row [aria-label='Copy short URL']")`;
  const heard = `[...document.querySelectorAll("main [role=status]")].map((each) => each.innerText).join("")`;
  await page.until(`!!${copy} && ${heard} === ""`);
  // It is said only for a moment.
  const isHeard = page.until(`${heard} === "Copied"`);
  await page.evaluate(`${copy}.click()`);
  await isHeard;
  await page.until(`${heard} === ""`);
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"))`);
  await page.evaluate(`${copy}.click()`);
  await page.until(`${TOLD}.includes("does not allow this page to copy")`);
  expect(page.complaints).toEqual([]);
});

test("what is created while its list still loads is in the list, whatever the first response contains", async () => {
  const ada = await service.register();
  const { body: organization } = await call<{ slug: string }>("GET", pathOf(ada), ada);
  const page = await openSignedInPage(browser, service, ada);
  const first = page.hold("GET", "/links?order=");
  await page.open(`${url}/app/o/${organization.slug}/links/new`);
  await first.sent;
  await page.until(`document.activeElement?.matches("main input")`);
  await page.type(`${defaultUrl}spring`);
  await page.press("Enter");
  await page.until(`${rows(1)} && ${says("shop.example.com")}`);
  expect(page.complaints).toEqual([]);
});

test("a secret is shown, even if its dialog was left by the browser's Back before it arrived", async () => {
  const ada = await service.register();
  const page = await openScreen(ada, "developers/api-keys");
  await page.until(`!!${button("Create API key")}`);
  await page.evaluate(`${button("Create API key")}.click()`);
  await page.until(`!!${labelled("Name")}`);
  await page.evaluate(`${labelled("Name")}.focus()`);
  await page.type("Checkout server");
  await page.evaluate(`${labelled("Create links (links:write)")}.click()`);
  const held = page.hold("POST", "/api-keys");
  await page.evaluate(`${button("Create")}.click()`);
  await held.sent;
  await page.until(`${lastButton("Cancel")}.disabled`);
  await goBack(page);
  await page.until(`!${IS_OPEN}`);
  held.releaseRequest();
  await page.until(`document.querySelector("[role=dialog] pre")?.innerText.startsWith("wm_live_")`);
  expect(await page.evaluate<boolean>(`document.querySelector(".dialog").contains(document.activeElement)`)).toBe(true);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(`!${IS_OPEN} && ${says("Checkout server")}`);
  expect(page.complaints).toEqual([]);
});

test("a secret stays until it is confirmed, also by a click beside it and if the session ends", async () => {
  const ada = await service.register();
  const body = { url: "https://hooks.example.com/", events: ["click"] };
  const { _id } = (await call<{ _id: string }>("POST", `${pathOf(ada)}/webhooks`, { ...ada, body })).body;
  const page = await openScreen(ada, `developers/webhooks?rotate=${_id}`);
  await page.until(`!!${lastButton("Rotate secret")}`);
  await page.evaluate(`${lastButton("Rotate secret")}.click()`);
  const secret = `document.querySelector("[role=dialog] pre")?.innerText`;
  await page.until(`${secret}?.startsWith("whsec_") && location.search === ""`);
  const shown = await page.evaluate<string>(secret);
  await page.click(".org-mark");
  await call("POST", "/api/v1/auth/logout", ada);
  const session = page.hold("GET", "/app/api/session");
  // The session is read again after 30 seconds.
  await page.evaluate(`(() => { const now = Date.now; Date.now = () => now() + 31_000; })()`);
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  await session.sent;
  session.releaseRequest();
  await page.until(says("You have been signed out"));
  expect(await page.evaluate<string>(secret)).toBe(shown);
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(`location.pathname === "/app/sign-in" && document.readyState === "complete"`);
  expect(page.complaints.filter((text) => !text.includes("401"))).toEqual([]);
});

test("before links are deleted together, it is said that leads of a form that was removed can no longer be read", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "Plain" });
  const { _id } = await service.createLink(ada, { defaultUrl, title: "Formerly with a form" });
  await addLead(service, ada.orgId, _id);
  const page = await openScreen(ada, "links");
  await page.until(rows(2));
  await page.evaluate(`document.querySelectorAll(".list-row input").forEach((each) => each.click())`);
  await page.until(says("2 selected"));
  await page.evaluate(`${button("Delete")}.click()`);
  await page.until(says("Leads can no longer be read."));
  expect(page.complaints).toEqual([]);
});

test("a tag that could not be added to the selected links is still there to be sent again", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl, title: "Spring" });
  const page = await openScreen(ada, "links");
  await page.until(rows(1));
  await page.evaluate(`document.querySelector(".list-row input").click()`);
  await page.until(says("1 selected"));
  await page.evaluate(`${button("Add tag")}.click()`);
  await page.until(`document.activeElement === ${labelled("Tag to add")}`);
  await page.type("autumn, sale");
  const reached = page.refuse("PATCH", "/links/bulk");
  await page.press("Enter");
  await page.until(`${TOLD}.includes("cannot be reached")`);
  reached();
  expect(await page.evaluate<string>(`${labelled("Tag to add")}?.value`)).toBe("autumn, sale");
  await page.until(`!${lastButton("Add tag")}.disabled`);
  await page.evaluate(`${lastButton("Add tag")}.click()`);
  await page.until(`!${IS_OPEN} && ${TOLD}.includes("1 link changed")`);
  expect(page.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
});

test("a list that is too long to be searched as a whole says how much of it was, and can be searched further", async () => {
  const ada = await service.register();
  await addInvitations(service, ada.orgId, 5_000);
  const page = await openScreen(ada, "settings/members");
  await page.until(`!!${labelled("Search")}`);
  await page.evaluate(`${labelled("Search")}.focus()`);
  await page.type(ada.email);
  await page.until(`${says("Nothing found")} && ${says("Only the newest 5,000 were searched.")}`);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${button("Show more")}.click()`);
  await page.until(`document.querySelector("main tbody")?.innerText.includes(${JSON.stringify(ada.email)})`);
  expect(await page.evaluate<boolean>(`${says("Nothing found")} || ${says("were searched")}`)).toBe(false);
  expect(page.complaints).toEqual([]);
});

test("a list that is opened again is whole, not as it was searched before", async () => {
  const ada = await service.register();
  await addInvitations(service, ada.orgId, 20);
  const page = await openScreen(ada, "settings/members");
  await page.until(`!!${labelled("Search")}`);
  await page.evaluate(`${labelled("Search")}.focus()`);
  await page.type("nobody");
  await page.until(`${says("Nothing found")} && location.search === "?search=nobody"`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/members']").click()`);
  await page.until(`location.search === ""`);
  await page.until(`${labelled("Search")}?.value === "" && document.querySelectorAll("main tbody tr").length === 21`);
  await goBack(page);
  await page.until(`${labelled("Search")}?.value === "nobody" && ${says("Nothing found")}`);
  expect(page.complaints).toEqual([]);
});

test("a long list that was searched is not read again whenever the window regains the focus", async () => {
  const ada = await service.register();
  await addInvitations(service, ada.orgId, 999);
  const page = await openScreen(ada, "settings/members");
  await page.until(`!!${labelled("Search")}`);
  await page.evaluate(`${labelled("Search")}.focus()`);
  await page.type("nobody");
  await page.until(`${says("Nothing found")} && ${requestsOf("/members?")} > 9`);
  const read = await page.evaluate<number>(requestsOf("/members?"));
  expect(read).toBe(10);
  // The session is read again after 30 seconds.
  await page.evaluate(`(() => { const now = Date.now; Date.now = () => now() + 31_000; })()`);
  const session = page.hold("GET", "/app/api/session");
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  await session.sent;
  session.releaseRequest();
  await page.until(`${requestsOf("/app/api/session")} > 1`);
  expect(await page.evaluate<number>(requestsOf("/members?"))).toBe(read);
  expect(page.complaints).toEqual([]);
});
