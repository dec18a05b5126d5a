/** The settings in a real browser: members, branding, audit log and single sign-on, and the user's own account. */
import { expect, test } from "bun:test";
import { codeAt } from "@test/support/accounts/authenticator";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import {
  lastButton as button,
  type DashboardPage,
  labelled,
  openSignedInPage,
  says,
} from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";
import { LANGUAGES } from "@/core/pages/page-languages";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const { body: organization } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);

async function openTab(tab: string, account: Account = ada): Promise<DashboardPage> {
  const page = await openSignedInPage(browser, service, account);
  await page.open(`${service.url}/app/o/${organization.slug}/settings/${tab}`);
  return page;
}

const choose = (label: string, value: string) => `(() => { const field = ${labelled(label)};
  field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event("change", { bubbles: true })); })()`;

test("a colleague is invited as a viewer, sees the members but cannot change them, becomes an admin, and leaves", async () => {
  const page = await openTab("members");
  await page.until(`!!${labelled("Email address")}`);
  await page.evaluate(`${labelled("Email address")}.focus()`);
  await page.type("bob@example.com");
  await page.evaluate(choose("Role", "viewer"));
  await page.press("Enter");
  await page.until(`!!document.querySelector("[role=dialog] pre")`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-invited");
  const inviteUrl = new URL(await page.evaluate<string>(`document.querySelector("[role=dialog] pre").innerText`));
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(`!document.querySelector(".dialog") && ${says("Valid until")}`);
  expect(await page.evaluate<string>("document.body.innerText")).not.toContain(inviteUrl.searchParams.get("token"));

  await page.evaluate(`${button("Invite again")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog] pre")`);
  const again = new URL(await page.evaluate<string>(`document.querySelector("[role=dialog] pre").innerText`));
  await page.evaluate(`${button("Done")}.click()`);
  const inviteToken = again.searchParams.get("token");
  expect(inviteToken).not.toBe(inviteUrl.searchParams.get("token"));
  const person = { email: "bob@example.com", password: "an extraordinary phrase", name: "Bob" };
  const { body } = await service.call<{ token: string }>("POST", "/api/v1/auth/register", {
    body: { ...person, inviteToken },
  });
  const bob = { ...person, token: body.token, orgId: ada.orgId };
  const his = await openTab("members", bob);
  await his.until(says("Bob"));
  expect(await his.evaluate<number>(`document.querySelectorAll("main select, main input").length`)).toBe(0);
  expect(await his.evaluate<boolean>(`!!${button("Leave")} && !${button("Remove")}`)).toBe(true);
  expect(await his.faults()).toEqual([]);

  await page.evaluate("location.reload()");
  await page.until(`${labelled("Role of Bob")}?.value === "viewer"`);
  expect(await page.evaluate<boolean>(`document.querySelector("main td select:disabled") !== null`)).toBe(true);
  expect(await page.evaluate<boolean>(says("The last owner"))).toBe(true);
  await page.evaluate(choose("Role of Bob", "admin"));
  await page.until(says("New role of Bob: Admin"));
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-members");

  await his.evaluate(`${button("Leave")}.click()`);
  await his.until(`!!document.querySelector(".dialog")`);
  await his.evaluate(`${button("Leave")}.click()`);
  await his.until(`location.pathname === "/app" && ${says("New organization")}`);

  await his.open(`${service.url}/app?error=access_denied`);
  await his.until(says("Single sign-on failed"));
  await his.evaluate(`(() => { window.told = 0;
    const toldBy = ({ addedNodes }) => [...addedNodes].filter((node) => node.matches?.(".toast, :has(.toast)")).length;
    new MutationObserver((seen) => { for (const each of seen) told += toldBy(each); })
      .observe(document.body, { childList: true, subtree: true }); })()`);
  await service.call("POST", "/api/v1/organizations", { ...bob, body: { name: "Bob" } });
  // The session is read again when the window gets the focus, once what was read is old.
  await his.evaluate(
    `Date.now = ((now) => () => now() + 60_000)(Date.now), dispatchEvent(new Event("visibilitychange"))`,
  );
  await his.until(says("first short link"));
  expect(await his.evaluate<number>("told")).toBe(0);
  expect([...page.complaints, ...his.complaints]).toEqual([]);
});

test("the accent color shows before it is saved; a fault is shown at its field; a viewer cannot change anything", async () => {
  const footer = { branding: { footerText: "Acme Ltd, London" } };
  await service.call("PATCH", `/api/v1/organizations/${ada.orgId}`, { ...ada, body: footer });
  const page = await openTab("organization");
  await page.until(`!!${labelled("Accent color")} && ${says("Plan and usage")}`);
  await page.evaluate(`(() => { const field = ${labelled("Accent color")};
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "#ffd400");
    field.dispatchEvent(new Event("input", { bubbles: true })); })()`);
  await page.until(`document.documentElement.style.getPropertyValue("--accent") === "#ffd400"`);
  await page.until(says("Text on it is black"));
  await page.evaluate(`${labelled("Logo URL")}.focus()`);
  await page.type("none");
  await page.press("Enter");
  await page.until(`${labelled("Logo URL")}.getAttribute("aria-invalid") === "true"`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-organization");
  await page.evaluate(`${labelled("Logo URL")}.select()`);
  await page.type("https://acme.example/logo.png");
  await page.evaluate(`${labelled("Events with a value")}.click()`);
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(says("Saved"));
  const { body } = await service.call("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  expect(body).toMatchObject({
    branding: { accentColor: "#ffd400", logoUrl: "https://acme.example/logo.png", footerText: "Acme Ltd, London" },
    settings: { conversions: ["installs", "leads"] },
  });
  // The API's response to the invalid URL is expected.
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);

  const viewer = await addMember(service, ada.orgId, "viewer");
  const seen = await openTab("organization", viewer);
  await seen.until(`!!${labelled("Name")} && ${says("Plan and usage")}`);
  expect(await seen.evaluate<boolean>(`${labelled("Name")}.matches(":disabled") && !${button("Save")}`)).toBe(true);
  expect(await seen.faults()).toEqual([]);
  expect(seen.complaints).toEqual([]);
});

test("two-factor is turned on with a code, which ends other sessions, and off, which ends all of them", async () => {
  const eve = await service.register();
  const { body: own } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
  await service.call("POST", "/api/v1/auth/login", { body: { email: eve.email, password: eve.password } });
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app/o/${own.slug}/settings/account`);
  await page.until(`${says("This one")} && !!${button("Turn on")}`);
  expect(await page.faults()).toEqual([]);
  // Without a mail server, no link would lead on to a new password.
  expect(
    await page.evaluate<boolean>(`${says("Ask its operator to reset your password")}
    && !document.querySelector("main a[href*='reset-password']")`),
  ).toBe(true);
  await page.takeScreenshots("settings-account");
  await page.evaluate(`${button("Sign out")}.click()`);
  await page.until(`${says("Session ended")} && document.querySelectorAll("main tbody tr").length === 1`);
  await page.evaluate(`${button("Turn on")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog] img") && !!${labelled("Code")}`);
  expect(await page.evaluate<boolean>(says("and revokes your access tokens"))).toBe(true);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-two-factor");
  const secret = await page.evaluate<string>(`document.querySelector("[role=dialog] code").innerText`);
  await comeBackWithoutNetwork(page);
  await page.evaluate(`${labelled("Code")}.focus()`);
  await page.type(codeAt(secret, Date.now()));
  await page.press("Enter");
  await page.until(`document.querySelector("[role=dialog] pre")?.innerText.split("\\n").length === 10`);
  expect(await page.faults()).toEqual([]);
  // Without backgrounds, whatever is behind the codes would be printed over them.
  await page.look({ width: 700, height: 990, isPrinted: true });
  const printed = (selector: string) => `document.querySelector("${selector}").checkVisibility()`;
  await page.until(`!${printed("main")} && !${printed("nav.side")} && ${printed("[role=dialog] pre")}`);
  expect(await page.evaluate<boolean>(`${printed("[role=dialog] button")}`)).toBe(false);
  expect(await page.evaluate<string>(`getComputedStyle(document.querySelector(".dialog")).position`)).toBe("static");
  await page.look({ width: 1_440, height: 900 });
  const recoveryCodes = await page.evaluate<string>(`document.querySelector("[role=dialog] pre").innerText`);
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(says("It is on"));

  await page.evaluate(`${button("Turn off")}.click()`);
  await page.until(
    `document.activeElement === ${labelled("Password")} && ${says("also here, and revokes your access tokens")}`,
  );
  await page.evaluate(`${labelled("Password")}.focus()`);
  await page.type(eve.password);
  await page.evaluate(`${labelled("Code or recovery code")}.focus()`);
  await page.type(recoveryCodes.split("\n")[0] ?? "");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-two-factor-off");
  await page.press("Enter");
  await page.until(says("You have been signed out everywhere"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${button("Sign in again")}.click()`);
  await page.until(`location.pathname === "/app/sign-in" && location.search.endsWith("%2Fsettings%2Faccount")`);
  expect(page.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

/**
 * Returns to the page a minute later, as from another app, while there is no network yet. Resolves once the network is
 * back and the page has read what it shows again.
 */
async function comeBackWithoutNetwork(page: DashboardPage): Promise<void> {
  await page.cutOff(true);
  await page.evaluate(`(() => { const { now } = Date; Date.now = () => now() + 60_000; })()`);
  await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
  await page.until(says("The service cannot be reached"));
  await page.evaluate("performance.clearResourceTimings()");
  await page.cutOff(false);
  const reread = `performance.getEntriesByType("resource").some(({ name }) => name.includes("/auth/2fa"))`;
  await page.until(`!${says("The service cannot be reached")} && ${reread}`);
}

test.each(LANGUAGES)("on a phone, roles are shown whole in %s", async (language) => {
  const phone = { width: 360, height: 800, headers: { "accept-language": language } };
  const page = await openSignedInPage(browser, service, ada, phone);
  await page.open(`${service.url}/app/o/${organization.slug}/settings/members`);
  await page.until(`!!document.querySelector("main td select")`);
  const [shown, needed] = await page.evaluate<[number, number]>(`(() => {
    const role = document.querySelector("main td select");
    const whole = role.cloneNode(true);
    Object.assign(whole.style, { width: "max-content", minWidth: "0", maxWidth: "none" });
    document.body.append(whole);
    return [role.offsetWidth, whole.offsetWidth]; })()`);
  expect(shown).toBeGreaterThanOrEqual(needed);
});

test("the audit log is filtered by the query of the URL, and shows what changed", async () => {
  await service.call("PATCH", `/api/v1/organizations/${ada.orgId}`, { ...ada, body: { name: "Acme Ltd" } });
  const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const page = await openTab("audit-log?action=organization.update");
  await page.until(`!!document.querySelector("main details")`);
  expect(
    await page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll("main td code")].map((each) => each.innerText))]`,
    ),
  ).toEqual(["organization.update"]);
  await page.evaluate(`document.querySelector("main summary").click()`);
  await page.until(says("After: Acme Ltd"));
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-audit-log");
  await page.evaluate(`${labelled("Resource")}.focus()`);
  await page.type("organization");
  await page.press("Enter");
  await page.until(`location.search.includes("resourceType=organization")`);
  // The field keeps the focus, so that another filter can be typed.
  expect(await page.evaluate<boolean>(`document.activeElement === ${labelled("Resource")}`)).toBe(true);
  await page.evaluate(`${button("Clear filters")}.click()`);
  await page.until(`location.search === "" && ${labelled("Resource")}.value === "" && ${says("member.invite")}`);
  const entry = `document.querySelector('main td a[href$="/links/${link._id}"]')`;
  expect(await page.evaluate<string>(`${entry}.innerText`)).toBe(link.slug);
  const change = { ...ada, body: { defaultUrl: "https://shop.example.com/sale" } };
  await service.call("PATCH", `/api/v1/organizations/${ada.orgId}/links/${link._id}`, change);
  await page.evaluate("location.reload()");
  await page.until(`document.querySelector("main td code")?.innerText === "link.update" && !!${entry}`);
  // The entry has only what changed, which is nothing that the link is known by.
  expect(await page.evaluate<string>(`${entry}.innerText`)).toBe(link.slug);
  await page.evaluate(`${entry}.click()`);
  await page.until(`location.pathname.endsWith("/links/${link._id}")`);

  // The link's screen is left first, because it still reads the link.
  await page.open(`${service.url}/app/o/${organization.slug}/settings/audit-log`);
  await page.until(`!!${entry}`);
  await service.call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${link._id}`, ada);
  await page.evaluate("location.reload()");
  await page.until(`${says("link.delete")} && ${says("link.create")}`);
  expect(await page.evaluate<boolean>(`!!${entry}`)).toBe(false);
  expect(page.complaints).toEqual([]);
});

test("an entry of a filtered audit log leads to a page that says what has been deleted", async () => {
  const organizationPath = `/api/v1/organizations/${ada.orgId}`;
  const make = async (what: string, body: object) => {
    const { body: made } = await service.call<{ _id: string }>("POST", `${organizationPath}/${what}`, { ...ada, body });
    await service.call("DELETE", `${organizationPath}/${what}/${made._id}`, ada);
    return made._id;
  };
  const deleted = [
    ["link", await make("links", { defaultUrl: "https://shop.example.com/" })],
    ["bio_page", await make("bio-pages", { title: "Gone" })],
    ["app", await make("apps", { name: "Gone" })],
    ["domain", await make("domains", { hostname: "go.gone.com" })],
    ["webhook", await make("webhooks", { url: "https://shop.example.com/hook", events: ["click"] })],
  ] as const;
  for (const [type, id] of deleted) {
    const page = await openTab(`audit-log?action=${type}.create`);
    await page.until(`!!document.querySelector('main td a[href$="/${id}"]')`);
    await page.evaluate(`document.querySelector('main td a[href$="/${id}"]').click()`);
    await page.until(
      `${says("What was here has been deleted, or the address is wrong.")} || ${says("This webhook no longer exists")}`,
    );
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots(`gone-${type}`);
  }
});

test("single sign-on can be saved before it is complete, but turning it on then reports a fault", async () => {
  const page = await openTab("single-sign-on");
  await page.until(`!!${labelled("Client ID")}`);
  await page.evaluate(`${labelled("Client ID")}.focus()`);
  await page.type("waymark");
  await page.press("Enter");
  await page.until(says("Saved"));
  const { body } = await service.call("GET", `/api/v1/organizations/${ada.orgId}/sso`, ada);
  expect(body).toMatchObject({ enabled: false, clientId: "waymark" });
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("settings-sso");
  await page.evaluate(`${labelled("Single sign-on is on")}.click()`);
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(`!!document.querySelector("main .fault, main [role=alert]")`);
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test("a member who signed in with a password is led to the single sign-on that their only organization requires", async () => {
  const { sql } = service;
  const cyd = await addMember(service, ada.orgId, "member");
  await sql`delete from memberships where user_id = (select id from users where email = ${cyd.email}) and org_id <> ${ada.orgId}`;
  await sql`insert into sso_configurations (org_id, enabled, enforce) values (${ada.orgId}, true, true)
    on conflict (org_id) do update set enabled = true, enforce = true`;
  const page = await openSignedInPage(browser, service, cyd);
  const link = `document.querySelector('main a[href*="/sso/start?"], .page a[href*="/sso/start?"]')`;
  for (const path of ["/app", `/app/o/${organization.slug}/links`]) {
    await page.open(service.url + path);
    await page.until(`!!${link} && ${says("requires single sign-on")}`);
    expect(await page.evaluate<string>(`${link}.href`)).toContain(`orgSlug=${organization.slug}&returnTo=`);
    expect(await page.faults()).toEqual([]);
  }
  expect(await page.evaluate<boolean>(`!!document.querySelector('main a[href="/app"]')`)).toBe(true);
  await page.takeScreenshots("required-sso");
  // Back to the requested screen, for example from a link in a mail.
  const deep = `/app/o/${organization.slug}/analytics?range=7d&country=DE`;
  await page.open(service.url + deep);
  await page.until(`!!${link}`);
  expect(await page.evaluate<string>(`new URL(${link}.href).searchParams.get("returnTo")`)).toBe(deep);
  expect(page.complaints).toEqual([]);
});

test("an organization that requires single sign-on is among those that a member can switch to", async () => {
  const { sql } = service;
  const dan = await addMember(service, ada.orgId, "member");
  const [{ own } = {}] = await sql`select slug as own from memberships join organizations on org_id = organizations.id
    where user_id = (select id from users where email = ${dan.email}) and org_id <> ${ada.orgId}`;
  await sql`insert into sso_configurations (org_id, enabled, enforce) values (${ada.orgId}, true, true)
    on conflict (org_id) do update set enabled = true, enforce = true`;
  const page = await openSignedInPage(browser, service, dan);
  await page.open(`${service.url}/app/o/${own}/links`);
  await page.until(`!!document.querySelector(".org-button")`);
  await page.evaluate(`document.querySelector(".org-button").click()`);
  const item = `document.querySelector('[role=menuitem][href="/app/o/${organization.slug}"]')`;
  await page.until(`!!${item}`);
  await page.evaluate(`${item}.click()`);
  await page.until(`location.pathname === "/app/o/${organization.slug}" && ${says("requires single sign-on")}`);
  expect(page.complaints).toEqual([]);
});

test("on a phone, a second organization is created", async () => {
  const ada = await service.register();
  const page = await openSignedInPage(browser, service, ada, { width: 390, height: 844 });
  await page.open(`${service.url}/app`);
  const account = `document.querySelector('[aria-label^="Account "]')`;
  await page.until(`!!${account}`);
  await page.click('[aria-label^="Account "]');
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText === "New organization")`;
  await page.until(`!!document.activeElement.closest("[role=menu]")`);
  expect(await page.evaluate<boolean>(`!!${item}`)).toBe(true);
  await page.evaluate(`${item}.click()`);
  await page.until(`document.activeElement === ${labelled("Organization name")}`);
  await page.type("Beta");
  await page.press("Enter");
  await page.until(`/^[/]app[/]o[/]beta.*[/]links$/.test(location.pathname)`);
  expect(page.complaints).toEqual([]);
});
