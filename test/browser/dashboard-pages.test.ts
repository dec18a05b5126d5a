/** Bio pages in a real browser: creating a page with items, ordering and styling it, saving and deleting it. */
import { expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, goBack, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { wordsIn } from "@test/support/dashboard/words";
import { startTestService } from "@test/support/service";
import type { BioPage } from "@/contract/links/bio-pages";

const en = await wordsIn("en");
const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", slug: "spring" });
const path = `/api/v1/organizations/${ada.orgId}/bio-pages`;
const pages = async () => (await service.call<{ bioPages: BioPage[] }>("GET", path, ada)).body.bioPages;

/** Returns an expression for a field of an item; `at` counts from 1. */
const ofItem = (at: number, label: string) =>
  `[...(document.querySelectorAll("ol.steps > li")[${at - 1}]?.querySelectorAll("label") ?? [])]
    .find((each) => each.innerText === ${JSON.stringify(label)})?.control`;

test("a page is created, filled, reordered, saved without losing another user's change, and deleted", async () => {
  const page = await openSignedInPage(browser, service, ada);
  const fill = async (field: string, text: string) => {
    await page.until(`!!${field}`);
    await page.evaluate(`${field}.focus(), ${field}.select?.()`);
    await page.type(text);
  };
  const choose = (field: string, value: string) =>
    page.evaluate(`(() => { const field = ${field};
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
      field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  await page.open(`${service.url}/app`);
  await page.until(`!!document.querySelector("nav.side a[href$='/pages']")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/pages']").click()`);
  await page.until(says("One page for all your links"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`document.querySelector("main a[href$='/pages/new']").click()`);
  await page.until(`document.activeElement === ${labelled("Title")}`);
  await page.type("Acme Shoes");
  await fill(labelled("Slug"), "spring");
  await page.press("Enter");
  // A link already has this slug.
  await page.until(`!!document.querySelector("[role=dialog] [role=alert]")`);
  await fill(labelled("Slug"), "acme");
  await page.press("Enter");
  await page.until(says("There are no items yet"));
  const steps = await page.evaluate<number>("history.length");

  await page.evaluate(`${button("Add item")}.click()`);
  await fill(ofItem(1, "Text"), "Write to us");
  await page.press("Enter");
  // The item has no URL yet.
  await page.until(`${ofItem(1, "URL")}?.getAttribute("aria-invalid") === "true"`);
  await fill(ofItem(1, "URL"), "https://acme.example.com/contact");
  await fill(ofItem(1, "Icon"), "mail");
  await page.evaluate(`${button("Add item")}.click()`);
  await fill(ofItem(2, "Text"), "Spring");
  await choose(ofItem(2, "Leads to"), "link");
  await fill(ofItem(2, "Link"), link.shortUrl);
  await page.until(says("Choose another link"));
  await fill(ofItem(2, "Text"), "Spring collection");
  await page.press("Alt+ArrowUp");
  await page.until(`${ofItem(1, "Text")}?.value === "Spring collection"`);
  await page.untilFramed(".phone iframe", /Acme Shoes.*Spring collection.*Write to us/s);
  await page.evaluate(`window.framed = document.querySelector(".phone iframe").name`);
  await choose(labelled("Preset"), "dark");
  // A new frame replaces the previous one without adding an entry to the history. The page cannot read the frame.
  await page.until(`(() => { const [frame, ...others] = document.querySelectorAll(".phone iframe");
    return others.length === 0 && frame.name !== framed && frame.contentDocument === null; })()`);
  expect(await page.evaluate<number>("history.length")).toBe(steps);
  await fill(ofItem(2, en.pages.imageUrl), "https://acme.example.com/desk.jpg");
  await choose(ofItem(2, "Shown as"), "card");
  await page.evaluate(`${button("Add item")}.click()`);
  await fill(ofItem(3, "Text"), "More soon");
  await choose(ofItem(3, "Leads to"), "heading");
  await page.until(`!${ofItem(3, "URL")} && !${ofItem(3, "Icon")}`);
  await page.evaluate(`${labelled(en.pages.ownColor(en.pages.colors.backgroundEnd))}.click()`);
  // A soft gradient is no problem, but no text can be read on one from dark to white.
  await page.until(`!!${labelled(en.pages.colors.backgroundEnd)} && !${says(en.pages.shortened)}`);
  await page.evaluate(`(() => { const field = ${labelled(en.pages.colors.backgroundEnd)};
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "#ffffff");
    field.dispatchEvent(new Event("input", { bubbles: true })); })()`);
  await page.until(says(en.pages.shortened));
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("page-editor");
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(says("Saved and live"));
  const [saved] = await pages();
  if (!saved) throw new Error("There is no page");
  expect(saved).toMatchObject({
    ...{ title: "Acme Shoes", slug: "acme", theme: { preset: "dark", backgroundEnd: "#ffffff" } },
    links: [
      { title: "Spring collection", linkId: link._id },
      {
        ...{ title: "Write to us", url: "https://acme.example.com/contact", icon: "mail" },
        ...{ display: "card", imageUrl: "https://acme.example.com/desk.jpg" },
      },
      { title: "More soon", display: "heading" },
    ],
  });
  expect(await (await fetch(saved.url)).text()).toContain("Spring collection");

  await service.call("PATCH", `${path}/${saved._id}`, { ...ada, body: { bio: "By Bob" } });
  await fill(labelled("Title"), "Acme Shoes & Bags");
  await page.press("Enter");
  await page.until(says("Someone else changed this page"));
  await page.evaluate(`${button("Save mine anyway")}.click()`);
  await page.until(`!${says("Unsaved changes")} && ${labelled("Bio")}.value === "By Bob"`);
  expect((await pages())[0]).toMatchObject({ title: "Acme Shoes & Bags", bio: "By Bob", links: saved.links });

  await page.evaluate(`[...document.querySelectorAll("main a")].find((each) => each.innerText === "Pages").click()`);
  await page.until(`document.querySelector("main table")?.innerText.includes("Acme Shoes & Bags")`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("pages");
  await page.evaluate(`document.querySelector("main table a").click()`);
  await page.until(`!!${button("Delete page")}`);
  await page.evaluate(`${button("Delete page")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog]:not(.toast)")`);
  await page.evaluate(`[...document.querySelectorAll("[role=dialog]:not(.toast) button")].at(-1).click()`);
  await page.until(says("deleted"));
  expect(await pages()).toEqual([]);
  // Responses of the API to invalid input and conflicting changes are expected.
  expect(page.complaints.filter((text) => !/4(?:00|09|12)/.test(text))).toEqual([]);
});

test("the preview leaves out an item whose link has been deleted, as the page does", async () => {
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", own, eve)).body;
  const [kept, gone] = await Promise.all(
    ["spring", "autumn"].map((season) => service.createLink(eve, { defaultUrl: `https://shop.example.com/${season}` })),
  );
  const links = [
    { title: "In spring", linkId: kept?._id },
    { title: "In autumn", linkId: gone?._id },
    { title: "Anywhere", url: "https://shop.example.com/" },
  ];
  const { body: made } = await service.call<{ _id: string }>("POST", `${own}/bio-pages`, {
    ...eve,
    body: { title: "All year", links },
  });
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app/o/${slug}/pages/${made._id}`);
  await page.untilFramed(".phone iframe", /In spring.*In autumn.*Anywhere/s);
  await service.call("DELETE", `${own}/links/${gone?._id}`, eve);
  await page.open(`${service.url}/app/o/${slug}/pages/${made._id}`);
  await page.untilFramed(".phone iframe", /^(?!.*In autumn).*In spring.*Anywhere/s);
  expect(await page.evaluate<boolean>(says(en.links.missing))).toBe(true);
  expect(page.complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("a page is found in a long list, also among those that are not listed yet", async () => {
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", own, eve)).body;
  const create = (title: string) => service.call("POST", `${own}/bio-pages`, { ...eve, body: { title } });
  await create("The oldest");
  for (let at = 0; at < 100; at++) await create(`Page ${at}`);
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app/o/${slug}/pages`);
  const shown = `[...document.querySelectorAll("main td a")].map((each) => each.innerText)`;
  await page.until(`${shown}.length === 100 && !${shown}.includes("The oldest")`);
  await page.press("/");
  await page.type("oldest");
  await page.until(`${shown}.join() === "The oldest"`);
  expect(await page.faults()).toEqual([]);
  await page.until(`location.search === "?search=oldest"`);
  await page.evaluate(`document.querySelector("main td a").click()`);
  await page.until(`!!document.querySelector(".phone")`);
  await goBack(page);
  await page.until(`${shown}.join() === "The oldest"`);
  await page.evaluate(`document.querySelector("main input[type=search]").focus()`);
  await page.type(" of all");
  await page.until(`${shown}.length === 0 && ${says(en.ui.nothingFound)}`);
  expect(page.complaints).toEqual([]);
});

test("a viewer can read the pages but not change them", async () => {
  await service.call("POST", path, { ...ada, body: { title: "For all", slug: "all" } });
  const page = await openSignedInPage(browser, service, await addMember(service, ada.orgId, "viewer"));
  await page.open(`${service.url}/app`);
  await page.until(`!!document.querySelector("nav.side a[href$='/pages']")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/pages']").click()`);
  await page.until(`document.querySelector("main table")?.innerText.includes("For all")`);
  expect(await page.evaluate<boolean>(`!!document.querySelector("main a[href$='/pages/new']")`)).toBe(false);
  await page.evaluate(`document.querySelector("main table a").click()`);
  await page.until(`${labelled("Title")}?.value === "For all"`);
  expect(await page.evaluate<boolean>(`${labelled("Title")}.matches(":disabled")`)).toBe(true);
  expect(await page.evaluate<boolean>(`!!${button("Delete page")} || !!${button("Add item")}`)).toBe(false);
  expect(await page.evaluate<boolean>(`!!${button("Open page")}`)).toBe(true);
  expect(page.complaints).toEqual([]);
});
