/** Apps in a real browser: adding one, the association files that phones read, and deleting it. */
import { expect, test } from "bun:test";
import { addDomain, addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, goBack, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { AppProfile } from "@/contract/apps";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const home = `/api/v1/organizations/${ada.orgId}`;
const { body: organization } = await service.call<{ slug: string }>("GET", home, ada);
const screen = `${service.url}/app/o/${organization.slug}/apps`;
const apps = async () => (await service.call<{ apps: AppProfile[] }>("GET", `${home}/apps`, ada)).body.apps;

const PRINT = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16).toUpperCase()).join(":");
const SECOND = PRINT.replaceAll("A", "0");
const code = `[...document.querySelectorAll("main pre")].map((each) => JSON.parse(each.innerText))`;

test("an app is added, shown with its association files, changed and deleted", async () => {
  await addDomain(service, ada.orgId, { hostname: "go.acme.test" });
  const page = await openSignedInPage(browser, service, ada);
  const fill = async (label: string, text: string) => {
    await page.evaluate(`${labelled(label)}.focus(); ${labelled(label)}.select()`);
    await page.type(text);
  };
  await page.open(screen);
  await page.until(says("Open your app from your links"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`document.querySelector("main a[href$='/apps/new']").click()`);
  await page.until(`!!${labelled("Team ID")} && ${says("go.acme.test")}`);
  expect(await page.faults()).toEqual([]);

  await fill("Name", "Acme Shop");
  await fill("Subtitle", "Order ahead, skip the queue");
  await fill("Path prefix", "shop");
  await fill("Team ID", "a1");
  await fill("Bundle ID", "com.acme.shop");
  await fill("Package name", "com.acme.shop");
  await fill("SHA-256 fingerprints", `${PRINT}\n\nAB:CD`);
  await page.evaluate(`${labelled("Name")}.focus()`);
  await page.press("Enter");
  await page.until(`${says("expected ten capital letters and digits")} && ${says("Line 3: expected 32")}`);
  expect(await apps()).toEqual([]);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("app-faults");
  await fill("SHA-256 fingerprints", `${PRINT}\n${SECOND}`);
  await fill("Team ID", "A1B2C3D4E5");
  await page.press("Enter");
  await page.until(`${says("Acme Shop added")} && !!${button("Delete app")}`);
  const [app] = await apps();
  expect(app).toMatchObject({
    pathPrefix: "shop",
    ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop" },
    android: { packageName: "com.acme.shop", sha256CertFingerprints: [PRINT, SECOND] },
    fallback: "store",
  });
  expect(await page.evaluate<string>("location.pathname")).toEndWith(`/apps/${app?._id}`);
  // The form with which it was added is not opened again.
  await goBack(page);
  expect(await page.evaluate<string>("location.pathname")).toEndWith("/apps");
  await page.evaluate(`document.querySelector("main a[href$='/apps/${app?._id}']").click()`);
  await page.until(`!!${button("Delete app")} && ${code}.length === 2`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("app");

  // The files shown must equal those that the domain serves.
  const served = async (file: string) =>
    (await fetch(`${service.url}/.well-known/${file}`, { headers: { host: "go.acme.test" } })).json();
  const [details, statements] = await page.evaluate<[unknown, unknown]>(code);
  expect(await served("apple-app-site-association")).toMatchObject({ applinks: { details } });
  expect(await served("assetlinks.json")).toEqual(statements);
  const leads = `[...document.querySelectorAll("main a[target=_blank]")].map(({ href }) => href)`;
  expect(await page.evaluate<string[]>(leads)).toEqual([
    "https://go.acme.test/.well-known/apple-app-site-association",
    "https://go.acme.test/.well-known/assetlinks.json",
  ]);

  await fill("Bundle ID", "com.acme.store");
  await page.until(`${code}[0]?.[0].appIDs[0] === "A1B2C3D4E5.com.acme.store"`);
  await page.press("Enter");
  await page.until(says("Saved. It applies from the next visit"));
  expect((await apps())[0]?.ios?.bundleId).toBe("com.acme.store");

  await page.evaluate(`document.querySelector("main a[href$='/apps']").click()`);
  await page.until(`document.querySelector("main li img")?.naturalWidth > 0`);
  // An organization may have a hundred.
  expect(await page.evaluate<string>(`document.querySelector("main li img").loading`)).toBe("lazy");
  for (const text of ["Acme Shop", "Links under /shop", "iPhone: opens the app", "Android: opens the app"])
    expect([text, await page.evaluate<boolean>(says(text))]).toEqual([text, true]);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("apps");

  await page.evaluate(`document.querySelector("main li a").click()`);
  await page.until(`!!${button("Delete app")}`);
  await page.evaluate(`${button("Delete app")}.click()`);
  await page.until(says("Delete this app?"));
  await page.evaluate(`[...document.querySelectorAll("[role=dialog]:not(.toast) button")].at(-1).click()`);
  await page.until(`${says("Acme Shop deleted")} && ${says("Open your app from your links")}`);
  expect(await apps()).toEqual([]);
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test("a link is given another app in its settings, or none, so that its app can be deleted", async () => {
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const { body: organization } = await service.call<{ slug: string }>("GET", own, eve);
  const page = await openSignedInPage(browser, service, eve);
  const link = await service.createLink(eve, { defaultUrl: "https://shop.example.com/" });
  const [first, second] = await Promise.all(
    ["Acme Maps", "Acme Shop"].map(async (name) => {
      const made = await service.call<AppProfile>("POST", `${own}/apps`, { ...eve, body: { name } });
      return made.body._id;
    }),
  );
  const appOf = async () =>
    (await service.call<{ appProfileId?: string }>("GET", `${own}/links/${link._id}`, eve)).body.appProfileId;
  await service.call("PATCH", `${own}/links/${link._id}`, { ...eve, body: { appProfileId: first } });
  await page.open(`${service.url}/app/o/${organization.slug}/links/${link._id}/settings`);
  for (const [from, to, stored] of [
    [first, second, second],
    [second, "", undefined],
  ] as const) {
    await page.until(`${labelled("App")}?.value === "${from}" && ${labelled("App")}.options.length === 3`);
    await page.evaluate(
      `(() => { const field = ${labelled("App")}; field.value = "${to}";
        field.dispatchEvent(new Event("change", { bubbles: true })); })()`,
    );
    await page.until(`${button("Save")}.disabled === false`);
    await page.evaluate(`${button("Save")}.click()`);
    await until(async () => (await appOf()) === stored);
  }
  expect(await page.faults()).toEqual([]);
  expect((await service.call("DELETE", `${own}/apps/${second}`, eve)).status).toBe(200);
  expect(page.complaints).toEqual([]);
});

test("a member can read an app but not change it", async () => {
  const body = { name: "Acme Maps", ios: { appStoreId: "284882215" } };
  const made = await service.call<AppProfile>("POST", `${home}/apps`, { token: ada.token, body });
  const page = await openSignedInPage(browser, service, await addMember(service, ada.orgId, "member"));
  await page.open(screen);
  await page.until(says("iPhone: store only"));
  expect(await page.evaluate<boolean>(`!!document.querySelector("main a[href$='/apps/new']")`)).toBe(false);
  await page.open(`${screen}/${made.body._id}`);
  await page.until(`${labelled("App Store ID")}?.value === "284882215"`);
  expect(await page.evaluate<boolean>(`${labelled("App Store ID")}.matches(":disabled")`)).toBe(true);
  expect(await page.evaluate<number>(`document.querySelectorAll("main form button").length`)).toBe(0);
  expect(await page.evaluate<boolean>(`!!${button("Delete app")}`)).toBe(false);
  expect(page.complaints).toEqual([]);
});

test("a new app that was not added yet is not lost when the screen is left", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(screen);
  await page.until(`!!document.querySelector("main a[href$='/apps/new']")`);
  await page.evaluate(`document.querySelector("main a[href$='/apps/new']").click()`);
  await page.until(`!!${labelled("Name")}`);
  await page.evaluate(`${labelled("Name")}.focus()`);
  await page.type("Acme Kiosk");
  await page.evaluate(`document.querySelector("nav.side a[href$='/links']").click()`);
  await page.until(says("Leave without saving?"));
  await page.press("Escape");
  await page.until(`!document.querySelector(".dialog")`);
  await goBack(page);
  await page.until(`location.pathname.endsWith("/apps")`);
  await page.evaluate(`document.querySelector("main a[href$='/apps/new']").click()`);
  await page.until(`${labelled("Name")}?.value === "Acme Kiosk"`);
  await page.evaluate(`${labelled("Name")}.focus()`);
  await page.press("Enter");
  await page.until(`${says("Acme Kiosk added")} && !!${button("Delete app")}`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/links']").click()`);
  await page.until(`location.pathname.endsWith("/links") && !document.querySelector(".dialog")`);
  expect(page.complaints).toEqual([]);
});
