/**
 * Forms that are edited during a save, in a real browser: text typed meanwhile stays, a save requested meanwhile is
 * sent next, and the save after that includes the rest.
 */
import { expect, test } from "bun:test";
import { addDomain, addMember } from "@test/support/accounts/tenants";
import { type Page, startBrowser } from "@test/support/browser/browser";
import { button, goBack, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { wordsIn } from "@test/support/dashboard/words";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const en = await wordsIn("en");
const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const organization = `/api/v1/organizations/${ada.orgId}`;
const call = async (method: string, path: string, body?: object) =>
  (await service.call<{ _id: string; slug: string }>(method, path, { ...ada, ...(body && { body }) })).body;
const { slug } = await call("GET", organization);
const link = await service.createLink(ada, {
  defaultUrl: "https://shop.example.com/",
  rules: [{ destinationUrl: "https://shop.example.com/phones", conditions: { platform: ["ios"] } }],
});
const page = await call("POST", `${organization}/bio-pages`, {
  title: "Links",
  links: [{ title: "A", url: "https://a.example/" }],
});
const app = await call("POST", `${organization}/apps`, { name: "Shop" });
const domain = await addDomain(service, ada.orgId, { hostname: "go.acme.test" });

interface Form {
  screen: string;
  /** The API path that it is saved to. */
  api: string;
  /** Labels of two fields. */
  labels: readonly [string, string];
  /** Texts typed into the first field before the save and during it, and then into the other field. */
  texts: readonly [before: string, during: string, other: string];
  /** Paths of the fields' values in the saved resource. */
  fields: readonly [string, string];
  /** How every text begins that the first field takes. */
  starts?: string;
}

const DESTINATION = "https://shop.example.com/sale";
const FORMS: Record<string, Form> = {
  "a link's settings": {
    ...{ screen: `links/${link._id}/settings`, api: `${organization}/links/${link._id}` },
    ...{ labels: ["Title", "Notes"], fields: ["title", "notes"], texts: ["Spring", " sale", "Until May"] },
  },
  "a link's page": {
    ...{ screen: `links/${link._id}/page`, api: `${organization}/links/${link._id}` },
    ...{ labels: ["Message", "Preview title"], fields: ["ctaOverlay.message", "social.title"] },
    texts: ["Spring", " sale", "Spring sale at Acme"],
  },
  "a link's route": {
    ...{ screen: `links/${link._id}`, api: `${organization}/links/${link._id}` },
    ...{ labels: ["Default destination", "Destination of Rule 1"], fields: ["defaultUrl", "rules.0.destinationUrl"] },
    texts: [DESTINATION, "/spring", `${DESTINATION}/phones`],
  },
  "a bio page": {
    ...{ screen: `pages/${page._id}`, api: `${organization}/bio-pages/${page._id}` },
    ...{ labels: ["Title", "Text"], fields: ["title", "links.0.title"], texts: ["Acme", " Shoes", "Write to us"] },
  },
  "the organization": {
    ...{ screen: "settings/organization", api: organization },
    ...{ labels: ["Name", "Display name"], fields: ["name", "branding.displayName"], texts: ["Acme", " Ltd", "Acme!"] },
  },
  "single sign-on": {
    ...{ screen: "settings/single-sign-on", api: `${organization}/sso` },
    ...{ labels: ["Client ID", "Issuer"], fields: ["clientId", "issuer"] },
    texts: ["way", "mark", "https://id.acme.example"],
  },
  "an app": {
    ...{ screen: `apps/${app._id}`, api: `${organization}/apps/${app._id}` },
    ...{ labels: ["Name", "Bundle ID"], fields: ["name", "ios.bundleId"], texts: ["Acme", " Shop", "com.acme.shop"] },
  },
  "a domain": {
    ...{ screen: `domains/${domain}`, api: `${organization}/domains/${domain}` },
    ...{ labels: ["At the root", "After a link has expired"], fields: ["redirects.root", "redirects.expired"] },
    ...{ texts: [DESTINATION, "/spring", `${DESTINATION}/over`], starts: "https://shop.example.com/" },
  },
};

const field = (label: string) => `[...document.querySelectorAll("main input, main textarea")]
  .find((each) => (each.getAttribute("aria-label") ?? each.labels?.[0]?.innerText) === ${JSON.stringify(label)})`;

const TOLD = `(document.querySelector(".toasts")?.innerText ?? "")`;

async function typeToConfirm(seen: Page, name: string): Promise<void> {
  await seen.until(`!!document.activeElement.closest("[role=dialog]:not(.toast) input")`);
  await seen.type(name);
}

/** Returns the value at a path such as `rules.0.destinationUrl`. */
const valueAt = (from: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => Object(value)[name], from);

/** An object with the value at `redirects.root`. */
const objectWith = (path: string, value: string): object =>
  Object(path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));

test.each(Object.entries(FORMS))(
  "%s: text typed during a save stays, and is saved by the next save",
  async (_, form) => {
    const { screen, api, labels, texts, fields } = form;
    const [before, during, other] = texts;
    const seen = await openSignedInPage(browser, service, ada);
    await seen.open(`${service.url}/app/o/${slug}/${screen}`);
    await seen.until(`!!${field(labels[0])} && !!${field(labels[1])}`);
    const saved = async () => {
      const one = await call("GET", api);
      return fields.map((path) => valueAt(one, path));
    };
    const [, otherBefore] = await saved();

    await seen.evaluate(`${field(labels[0])}.focus(), ${field(labels[0])}.select()`);
    await seen.type(before);
    await seen.until(`${button("Save")}?.disabled === false`);
    const held = seen.hold("PATCH", api);
    await seen.evaluate(`${button("Save")}.click()`);
    await held.sent;
    await seen.until(`${button("Save")}?.ariaBusy === "true"`);
    await seen.evaluate(`${field(labels[0])}.focus()`);
    await seen.type(during);
    await seen.until(`${button("Save")}?.disabled === false`);
    const next = seen.hold("PATCH", api);
    await seen.evaluate(`${button("Save")}.click()`);
    await seen.until(`${button("Save")}?.ariaBusy === "true"`);
    await seen.evaluate(`${field(labels[1])}.focus(), ${field(labels[1])}.select()`);
    await seen.type(other);
    held.releaseRequest();
    await next.sent;
    expect(await saved()).toEqual([before, otherBefore]);
    expect(await seen.evaluate<string>(TOLD)).toBe("");
    next.releaseRequest();
    await seen.until(`/saved/i.test(${TOLD})`);
    expect(await saved()).toEqual([before + during, otherBefore]);
    await seen.until(`${button("Save")}?.disabled === false`);
    expect(await seen.evaluate<string>(`${field(labels[0])}.value`)).toBe(before + during);
    expect(await seen.evaluate<string>(`${field(labels[1])}.value`)).toBe(other);

    await seen.evaluate(`document.querySelector("nav.side a[href$='/review']").click()`);
    await seen.until(says("Leave without saving?"));
    await seen.press("Escape");
    await seen.until(`!${says("Leave without saving?")}`);
    // Leaves as with the browser's Back button, which asks no confirmation.
    await seen.evaluate(`history.pushState(null, "", "/app/o/${slug}/review")`);
    await seen.until(`!${field(labels[1])}`);
    await seen.evaluate("history.back()");
    await seen.until(`${field(labels[1])}?.value === ${JSON.stringify(other)}`);

    await seen.evaluate(`${button("Save")}.click()`);
    await seen.until(`${button("Save")}?.disabled !== false`);
    await until(async () => (await saved())[1] === other);
    expect(await saved()).toEqual([before + during, other]);
    expect(await seen.evaluate<string>(`${field(labels[0])}.value`)).toBe(before + during);
    expect(seen.complaints).toEqual([]);
  },
);

test.each(Object.entries(FORMS))("%s: changes are discarded, and leaving then asks nothing", async (_, form) => {
  const { screen, labels, texts } = form;
  const [input] = labels.map(field);
  const discard = `[...document.querySelectorAll("main button")].find((each) => each.innerText.startsWith("Discard"))`;
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/${screen}`);
  await seen.until(`!!${input}`);
  const before = await seen.evaluate<string>(`${input}.value`);
  await seen.evaluate(`${input}.focus()`);
  await seen.type(texts[1]);
  await seen.until(`${button("Save")}?.disabled === false`);
  expect(await seen.evaluate<boolean>(`${discard}?.disabled`)).toBe(false);
  await seen.evaluate(`${discard}.click()`);
  await seen.until(`${input}.value === ${JSON.stringify(before)} && ${button("Save")}?.disabled !== false`);
  await seen.evaluate(`document.querySelector("nav.side a[href$='/review']").click()`);
  await seen.until(`!${input}`);
  expect(seen.complaints).toEqual([]);
});

test("a session that ends while a form is edited: nothing typed is lost, and it is saved once signed in again", async () => {
  const eve = await service.register();
  const { body: own } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
  const { _id } = await service.createLink(eve, { defaultUrl: "https://shop.example.com/" });
  const seen = await openSignedInPage(browser, service, eve);
  await seen.open(`${service.url}/app/o/${own.slug}/links/${_id}/settings`);
  await seen.until(`!!${field("Title")}`);
  await seen.evaluate(`${field("Title")}.focus()`);
  await seen.type("Spring");
  await service.call("POST", "/api/v1/auth/logout", eve);
  await seen.press("Enter");
  await seen.until(says("You have been signed out"));
  await seen.until(`${button("Save")}?.disabled === false`);
  expect(await seen.evaluate<string>(`${field("Title")}.value`)).toBe("Spring");
  expect(await seen.faults()).toEqual([]);
  await seen.takeScreenshots("signed-out");

  const { email, password } = eve;
  const { body } = await service.call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  await seen.cookie({ name: "waymark", value: body.token, url: service.url });
  await seen.until(`!${says("You have been signed out")}`);
  await seen.evaluate(`${button("Save")}.click()`);
  await seen.until(`/saved/i.test(${TOLD})`);
  const link = await service.call("GET", `/api/v1/organizations/${eve.orgId}/links/${_id}`, body);
  expect(link.body).toMatchObject({ title: "Spring" });
  expect(seen.complaints.filter((text) => !text.includes("401"))).toEqual([]);
});

test.each([
  ["a new link", { screen: "links", label: en.links.box.label, text: "https://shop.example.com/new", list: "links" }],
  ["a new bio page", { screen: "pages/new", label: en.pages.title, text: "Links of Eve", list: "bio-pages" }],
] as const)("a session that ends while %s is typed: it is made once signed in again", async (_, form) => {
  const { screen, label, text, list } = form;
  const eve = await service.register();
  const { body: own } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
  const seen = await openSignedInPage(browser, service, eve);
  await seen.open(`${service.url}/app/o/${own.slug}/${screen}`);
  await seen.until(`!!${labelled(label)}`);
  await seen.evaluate(`${labelled(label)}.focus()`);
  await seen.type(text);
  await service.call("POST", "/api/v1/auth/logout", eve);
  await seen.press("Enter");
  await seen.until(says("You have been signed out"));
  expect(await seen.evaluate<string>(`${labelled(label)}.value`)).toBe(text);
  // Asks for the session again, as the window does when it regains the focus.
  const asked = seen.hold("GET", "/app/api/session");
  await asked.sent;
  asked.releaseRequest();
  const { email, password } = eve;
  const { body } = await service.call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  await seen.cookie({ name: "waymark", value: body.token, url: service.url });
  await seen.until(`!document.querySelector("[role=status].away")`);
  expect(await seen.evaluate<string>(`${labelled(label)}.value`)).toBe(text);
  await seen.evaluate(`${labelled(label)}.focus()`);
  await seen.press("Enter");
  await seen.until(`!!${TOLD}`);
  const made = await service.call("GET", `/api/v1/organizations/${eve.orgId}/${list}`, body);
  expect(JSON.stringify(made.body)).toContain(text);
  expect(seen.complaints.filter((each) => !each.includes("401"))).toEqual([]);
});

test("what is typed as one user is not saved as another, who signed in in another tab", async () => {
  const eve = await service.register();
  const bob = await addMember(service, eve.orgId, "admin");
  const path = `/api/v1/organizations/${eve.orgId}`;
  const { body: own } = await service.call<{ slug: string }>("GET", path, eve);
  const { _id } = await service.createLink(eve, { defaultUrl: "https://shop.example.com/" });
  const title = async () => (await service.call<{ title?: string }>("GET", `${path}/links/${_id}`, bob)).body.title;
  const seen = await openSignedInPage(browser, service, eve);
  await seen.open(`${service.url}/app/o/${own.slug}/links/${_id}/settings`);
  await seen.until(`!!${field("Title")}`);
  await seen.evaluate(`${field("Title")}.focus()`);
  await seen.type("Spring");
  await seen.cookie({ name: "waymark", value: bob.token, url: service.url });
  await seen.press("Enter");
  await seen.until(says(en.ui.otherUser(bob.email, eve.email)));
  await seen.until(`${button("Save")}?.disabled === false`);
  expect(await seen.evaluate<string>(`${field("Title")}.value`)).toBe("Spring");
  expect(await title()).toBeUndefined();
  expect(await seen.faults()).toEqual([]);
  await seen.takeScreenshots("other-user");

  const { email, password } = eve;
  const { body } = await service.call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  await seen.cookie({ name: "waymark", value: body.token, url: service.url });
  await seen.until(`!document.querySelector("[role=status].away")`);
  await seen.evaluate(`${button("Save")}.click()`);
  await seen.until(`/saved/i.test(${TOLD})`);
  expect(await title()).toBe("Spring");
  expect(seen.complaints.filter((text) => !text.includes("401"))).toEqual([]);
});

test("a page on which nothing is typed becomes that of the user who signed in in another tab", async () => {
  const eve = await service.register();
  const bob = await addMember(service, eve.orgId, "viewer");
  const { body: own } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
  await service.createLink(eve, { defaultUrl: "https://shop.example.com/" });
  const seen = await openSignedInPage(browser, service, eve);
  await seen.open(`${service.url}/app/o/${own.slug}/links?sort=clicks`);
  await seen.until(`!!document.querySelector(".list-row input")`);
  await seen.cookie({ name: "waymark", value: bob.token, url: service.url });
  await seen.evaluate(`document.querySelector("nav.side a[href$='/apps']").click()`);
  await seen.until(`document.querySelector("nav.side")?.innerText.includes(${JSON.stringify(bob.email)})`);
  expect(await seen.evaluate<string>("location.pathname")).toBe(`/app/o/${own.slug}/apps`);
  expect(seen.complaints.filter((text) => !text.includes("401"))).toEqual([]);
});

test("a draft that was left by Back is kept if the session ends, and the browser asks before it is lost", async () => {
  const eve = await service.register();
  const { body: own } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
  const { _id } = await service.createLink(eve, { defaultUrl: "https://shop.example.com/" });
  const seen = await openSignedInPage(browser, service, eve);
  const screen = `${service.url}/app/o/${own.slug}/links/${_id}/settings`;
  await seen.open(screen);
  await seen.until(`!!${field("Title")}`);
  await seen.evaluate(`${field("Title")}.focus()`);
  await seen.type("Spring");
  await service.call("POST", "/api/v1/auth/logout", eve);
  // Leaves as with the browser's Back button, which asks no confirmation.
  await seen.evaluate(`history.pushState(null, "", "/app/o/${own.slug}/review")`);
  await seen.until(`!${field("Title")} && ${says("You have been signed out")}`);
  await goBack(seen);
  await seen.until(`${field("Title")}?.value === "Spring"`);
  await seen.evaluate(`history.pushState(null, "", "/app/o/${own.slug}/review")`);
  await seen.until(`!${field("Title")}`);
  await seen.open(screen);
  expect(seen.complaints.filter((text) => !text.includes("401"))).toEqual(["The browser asked: beforeunload"]);
});

test("a click beside a dialog, which may be a slip, does not lose what is typed in it", async () => {
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/developers/api-keys?create=`);
  const isOpen = `!!document.querySelector(".dialog")`;
  await seen.until(`!!${labelled("Name")}`);
  await seen.evaluate(`${labelled("Name")}.focus()`);
  await seen.type("Checkout server");
  await seen.click(".org-mark");
  expect(await seen.evaluate<string>(`${labelled("Name")}.value`)).toBe("Checkout server");
  await seen.evaluate(`${labelled("Name")}.select()`);
  await seen.press("Delete");
  await seen.click(".org-mark");
  await seen.until(`!${isOpen} && location.search === ""`);
  expect(seen.complaints).toEqual([]);
});

test("whatever is deleted takes its unsaved changes along, without a question", async () => {
  const made = async (path: string, body: object) => (await call("POST", `${organization}/${path}`, body))._id;
  const links = await made("links", { defaultUrl: "https://shop.example.com/" });
  const pages = await made("bio-pages", { title: "Links" });
  const apps = await made("apps", { name: "Shop" });
  const domains = await addDomain(service, ada.orgId, { hostname: "old.acme.test" });
  const seen = await openSignedInPage(browser, service, ada);
  const remove = `[...document.querySelectorAll("[role=dialog]:not(.toast) button")].findLast((each) => !each.disabled)`;
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "Delete")`;
  const forms = [
    { path: `links/${links}/settings`, label: "Title", act: "" },
    { path: `pages/${pages}`, label: "Title", act: "Delete page" },
    { path: `apps/${apps}`, label: "Bundle ID", act: "Delete app" },
    { path: `domains/${domains}`, label: "At the root", act: "Delete domain" },
  ];
  for (const { path, label, act } of forms) {
    await seen.open(`${service.url}/app/o/${slug}/${path}`);
    await seen.until(`!!${field(label)}`);
    await seen.evaluate(`${field(label)}.focus()`);
    await seen.type("https://shop.example.com/typed");
    if (act) await seen.evaluate(`${button(act)}.click()`);
    else {
      await seen.evaluate(`document.querySelector("main button[aria-label^='Actions for']").click()`);
      await seen.until(`!!${item}`);
      await seen.evaluate(`${item}.click()`);
    }
    await seen.until(`!!document.querySelector("[role=dialog]:not(.toast) .dialog-foot")`);
    if (path.startsWith("domains")) await typeToConfirm(seen, "old.acme.test");
    await seen.until(`${remove}?.matches(".danger")`);
    await seen.evaluate(`${remove}.click()`);
    await seen.until(`location.pathname === "/app/o/${slug}/${path.split("/")[0]}"`);
    expect(await seen.evaluate<boolean>(says("Leave without saving?"))).toBe(false);
  }
});

test("after a deletion, Back does not lead to what has been deleted", async () => {
  const made = async (path: string, body: object) => (await call("POST", `${organization}/${path}`, body))._id;
  const forms = [
    { list: "links", id: await made("links", { defaultUrl: "https://shop.example.com/" }), act: "" },
    { list: "pages", id: await made("bio-pages", { title: "Gone" }), act: "Delete page" },
    { list: "apps", id: await made("apps", { name: "Gone" }), act: "Delete app" },
    { list: "domains", id: await addDomain(service, ada.orgId, { hostname: "gone.acme.test" }), act: "Delete domain" },
  ];
  const seen = await openSignedInPage(browser, service, ada);
  const item = `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === "Delete")`;
  const remove = `document.querySelector("[role=dialog]:not(.toast) .button.danger:enabled")`;
  for (const { list, id, act } of forms) {
    await seen.open(`${service.url}/app/o/${slug}/${list}`);
    const entry = `document.querySelector('main a[href$="/${list}/${id}"]')`;
    await seen.until(`!!${entry}`);
    await seen.evaluate(`${entry}.click()`);
    const pressed = act ? button(act) : `document.querySelector(".page-head button[aria-label^='Actions for']")`;
    await seen.until(`location.pathname.endsWith("${id}") && !!${pressed}`);
    await seen.evaluate(`${pressed}.click()`);
    if (!act) {
      await seen.until(`!!${item}`);
      await seen.evaluate(`${item}.click()`);
    }
    await seen.until(`!!document.querySelector("[role=dialog]:not(.toast) .dialog-foot")`);
    if (list === "domains") await typeToConfirm(seen, "gone.acme.test");
    await seen.until(`!!${remove}`);
    await seen.evaluate(`${remove}.click()`);
    await seen.until(`location.pathname === "/app/o/${slug}/${list}"`);
    await goBack(seen);
    expect(await seen.evaluate<string>("location.pathname")).toBe(`/app/o/${slug}/${list}`);
  }
});

const parted = await service.createLink(ada, {
  defaultUrl: "https://shop.example.com/",
  splitTargets: [{ key: "a", destinationUrl: "https://shop.example.com/a" }],
  leadCapture: { enabled: true, fields: [{ name: "email", type: "email" }] },
  retargetingPixels: [{ provider: "meta", id: "1234567890" }],
});
const lists = [
  ["an item", { screen: `pages/${page._id}`, label: "Text", remove: "Remove Item 1" }],
  ["a rule", { screen: `links/${link._id}`, label: "Destination of Rule 1", remove: "Remove Rule 1" }],
  ["a split target", { screen: `links/${parted._id}`, label: "Destination", remove: "Remove target a" }],
  ["a field of a form", { screen: `links/${parted._id}/page`, label: "Name", remove: "Remove field 1" }],
  ["a pixel", { screen: `links/${parted._id}/page`, label: "Pixel ID", remove: "Remove pixel 1" }],
] as const;

test.each(lists)("%s that was removed can be brought back, also after leaving its form", async (_, list) => {
  const { screen, label, remove } = list;
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/${screen}`);
  await seen.until(`!!${field(label)}`);
  const value = await seen.evaluate<string>(`${field(label)}.value`);
  const removeIt = async () => {
    await seen.evaluate(`document.querySelector('button[aria-label="${remove}"]').click()`);
    await seen.until(`!${field(label)} && !!${button("Undo")}`);
  };
  await removeIt();
  // Leaves as with the browser's Back button, which asks no confirmation.
  await seen.evaluate(`history.pushState(null, "", "/app/o/${slug}/review")`);
  await seen.until(`!${button("Save")}`);
  await seen.evaluate(`${button("Undo")}.click()`);
  await goBack(seen);
  await seen.until(`${field(label)}?.value === ${JSON.stringify(value)}`);
  await seen.until(`!${button("Undo")}`);

  await removeIt();
  await seen.evaluate(
    `[...document.querySelectorAll("button")].find((each) => each.innerText.startsWith("Discard")).click()`,
  );
  await seen.until(`${field(label)}?.value === ${JSON.stringify(value)}`);
  await seen.evaluate(`${button("Undo")}.click()`);
  await seen.until(`!${button("Undo")}`);
  const removals = `document.querySelectorAll('button[aria-label^="${remove.slice(0, -1)}"]').length`;
  expect(await seen.evaluate<number>(removals)).toBe(1);
  expect(seen.complaints).toEqual([]);
});

test("a condition that was removed can be brought back, whatever was changed since", async () => {
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/links/${link._id}`);
  const facts = `[...document.querySelectorAll(".step .fact")].map((each) => each.innerText.split("\\n")[0].trim()).join()`;
  const fact = `document.querySelector(".step .fact")`;
  await seen.until(`!!${fact}`);
  const before = await seen.evaluate<string>(facts);
  await seen.evaluate(`${fact}.click()`);
  await seen.until(`!!${button("Remove condition")}`);
  await seen.evaluate(`${button("Remove condition")}.click()`);
  await seen.until(`!${fact} && ${says("Condition removed: Platform")} && !!${button("Undo")}`);
  await seen.evaluate(`${field("Destination of Rule 1")}.focus()`);
  await seen.type("/new");
  await seen.evaluate(`${button("Undo")}.click()`);
  await seen.until(`${facts} === ${JSON.stringify(before)}`);
  expect(await seen.evaluate<string>(`${field("Destination of Rule 1")}.value`)).toEndWith("/new");
  await seen.evaluate(`${button("Discard")}.click()`);
  expect(seen.complaints).toEqual([]);
});

const CREATIONS = [
  ["a link", { screen: "links", open: "", label: "Destination to shorten" }],
  ["a webhook", { screen: "developers/webhooks", open: "Create webhook", label: "URL" }],
  ["an API key", { screen: "developers/api-keys", open: "Create API key", label: "Name" }],
  ["an access token", { screen: "developers/access-tokens", open: "Create access token", label: "Name" }],
  ["a page", { screen: "pages", open: "New page", label: "Title" }],
  ["a domain", { screen: "domains", open: "Add domain", label: "Host name" }],
  ["an invitation", { screen: "settings/members", open: "", label: "Email address" }],
] as const;

test.each(CREATIONS)("what is typed for %s is still there after leaving its screen", async (_, form) => {
  const { screen, open, label } = form;
  const pressed = `[...document.querySelectorAll("main :is(a, button)")].find((each) => each.innerText.trim() === "${open}")`;
  const input = labelled(label);
  const show = async () => {
    if (open) {
      await seen.until(`!!${pressed}`);
      await seen.evaluate(`${pressed}.click()`);
    }
    await seen.until(`!!${input}`);
  };
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/${screen}`);
  await show();
  await seen.evaluate(`${input}.focus()`);
  await seen.type("shop.example.com");
  await seen.evaluate(`history.pushState(null, "", "/app/o/${slug}/review")`);
  await seen.until(`!${input}`);
  await seen.evaluate(`history.pushState(null, "", "/app/o/${slug}/${screen}")`);
  await show();
  expect(await seen.evaluate<string>(`${input}.value`)).toBe("shop.example.com");
  if (!open) return;
  // Closing the dialog gives up what is typed.
  await seen.press("Escape");
  await seen.until(`!${input}`);
  await show();
  expect(await seen.evaluate<string>(`${input}.value`)).toBe("");
  expect(seen.complaints).toEqual([]);
});

test("what is typed into a webhook is still there after Back, and is saved beside what others changed", async () => {
  const webhooks = `${organization}/webhooks`;
  const { _id } = await call("POST", webhooks, { url: "https://hooks.acme.example/", events: ["click"] });
  const description = labelled("Description");
  const seen = await openSignedInPage(browser, service, ada);
  const screen = `/app/o/${slug}/developers/webhooks`;
  const edit = async () => {
    await seen.evaluate(`history.pushState(null, "", "${screen}?edit=${_id}")`);
    await seen.until(`!!${description}`);
  };
  await seen.open(`${service.url}${screen}`);
  await edit();
  await seen.evaluate(`${description}.focus()`);
  await seen.type("For the shop");
  await goBack(seen);
  await seen.until(`!${description}`);
  const theirs = { url: "https://hooks.acme.example/new", events: ["link.created"] };
  await call("PATCH", `${webhooks}/${_id}`, theirs);
  // The list is read again.
  await seen.evaluate(`history.pushState(null, "", "/app/o/${slug}/review")`);
  await seen.until("!document.querySelector('main table')");
  await seen.evaluate(`history.pushState(null, "", "${screen}")`);
  await edit();
  expect(await seen.evaluate<string>(`${description}.value`)).toBe("For the shop");
  await seen.evaluate(`${description}.focus()`);
  await seen.press("Enter");
  await seen.until(`!${description}`);
  const read = async () => (await service.call<{ webhooks: object[] }>("GET", webhooks, ada)).body.webhooks;
  expect(await read()).toContainEqual(expect.objectContaining({ _id, ...theirs, description: "For the shop" }));

  await edit();
  await seen.evaluate(`${description}.focus()`);
  await seen.type(", twice");
  // Closing the dialog gives up what is typed.
  await seen.press("Escape");
  await seen.until(`!${description}`);
  await edit();
  expect(await seen.evaluate<string>(`${description}.value`)).toBe("For the shop");
  await call("DELETE", `${webhooks}/${_id}`);
  expect(seen.complaints).toEqual([]);
});

test("text typed into the box while a link is created stays for the next link", async () => {
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}`);
  const box = labelled("Destination to shorten");
  await seen.until(`!!${box}`);
  await seen.evaluate(`${box}.focus()`);
  await seen.type("example.com/one");
  const held = seen.hold("POST", `${organization}/links`);
  await seen.press("Enter");
  await held.sent;
  await seen.evaluate(`${box}.select()`);
  await seen.type("example.com/two");
  held.releaseRequest();
  await seen.until(`!!document.querySelector(".toasts")?.innerText`);
  expect(await seen.evaluate<string>(`${box}.value`)).toBe("example.com/two");
  expect(seen.complaints).toEqual([]);
});

test("options typed into the box count after they are folded, which shows them", async () => {
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/links/new`);
  await seen.until(`!!${labelled("Slug")}`);
  await seen.evaluate(`${labelled("Slug")}.focus()`);
  await seen.type("autumn sale");
  await seen.evaluate(`${labelled("Tags")}.focus()`);
  await seen.type("print, spring");
  await seen.evaluate(`${button("Options")}.click()`);
  await seen.until(`!${labelled("Slug")}`);
  expect(await seen.evaluate<boolean>(`${says("Slug: autumn sale")} && ${says("Tags: print, spring")}`)).toBe(true);
  await seen.evaluate(`${labelled("Destination to shorten")}.focus()`);
  await seen.type("example.com/autumn");
  await seen.press("Enter");
  // The fault of a folded field is shown, too.
  await seen.until(`/slug/.test(document.querySelector("main [role=alert]")?.innerText)`);
  await seen.evaluate(`${button("Options")}.click()`);
  await seen.until(`!!${labelled("Slug")}`);
  await seen.evaluate(`(${labelled("Slug")}.focus(), ${labelled("Slug")}.select())`);
  await seen.type("autumn-sale");
  await seen.evaluate(`${button("Options")}.click()`);
  await seen.until(`!${labelled("Slug")}`);
  await seen.evaluate(`${labelled("Destination to shorten")}.focus()`);
  await seen.press("Enter");
  await seen.until(`${TOLD}.includes("/autumn-sale")`);
  const found = await service.call<{ links: object[] }>("GET", `${organization}/links?search=autumn-sale`, ada);
  expect(found.body.links).toEqual([expect.objectContaining({ slug: "autumn-sale", tags: ["print", "spring"] })]);
  await seen.until(`!${says("Slug: autumn")}`);
  expect(seen.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

/** A link's page and its route have tests of their own, beside their other walks. */
const SHARED = ["the organization", "single sign-on", "an app", "a domain", "a link's settings", "a bio page"];

test.each(SHARED)("%s: of two simultaneous saves, the second reports one conflict and loses nothing", async (name) => {
  const form = FORMS[name];
  if (!form) throw new Error(`There is no form of ${name}`);
  const { screen, api, labels, fields, starts = "" } = form;
  const seen = await openSignedInPage(browser, service, ada);
  await seen.open(`${service.url}/app/o/${slug}/${screen}`);
  await seen.until(`!!${field(labels[0])}`);
  const path = fields[0];
  const saveBoth = async (mine: string, theirs: string) => {
    await seen.evaluate(`${field(labels[0])}.focus(), ${field(labels[0])}.select()`);
    await seen.type(mine);
    await seen.until(`${button("Save")}?.disabled === false`);
    const held = seen.hold("PATCH", api);
    await seen.evaluate(`${button("Save")}.click()`);
    // The save is in flight when the other person's change is made.
    await held.sent;
    await call("PATCH", api, objectWith(path, theirs));
    return held;
  };
  const first = await saveBoth(`${starts}Mine`, `${starts}Theirs`);
  await seen.until(`${button("Save")}?.ariaBusy === "true"`);
  await seen.evaluate(`${field(labels[0])}.focus()`);
  await seen.type("-too");
  await seen.until(`${button("Save")}?.disabled === false`);
  await seen.evaluate(`${button("Save")}.click()`);
  first.releaseRequest();
  await seen.until(`!!${button("Save mine anyway")}`);
  expect(valueAt(await call("GET", api), path)).toBe(`${starts}Theirs`);
  expect(await seen.evaluate<string>(`${field(labels[0])}.value`)).toBe(`${starts}Mine-too`);
  expect(await seen.faults()).toEqual([]);

  await seen.evaluate(`${button("Save mine anyway")}.click()`);
  await seen.until(
    `!${button("Save mine anyway")} && !${button("Save")}?.ariaBusy && ${button("Save")}?.disabled !== false`,
  );
  expect(valueAt(await call("GET", api), path)).toBe(`${starts}Mine-too`);

  (await saveBoth(`${starts}Mine-again`, `${starts}Theirs-again`)).releaseRequest();
  await seen.until(`!!${button("Take theirs")}`);
  await seen.evaluate(`${button("Take theirs")}.click()`);
  await seen.until(`${field(labels[0])}.value === "${starts}Theirs-again" && !${button("Take theirs")}`);
  expect(valueAt(await call("GET", api), path)).toBe(`${starts}Theirs-again`);
  // The API's own refusals.
  expect(seen.complaints.filter((text) => !text.includes("412"))).toEqual([]);
});
