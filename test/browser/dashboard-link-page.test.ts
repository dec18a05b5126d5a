/** What a link shows its visitors, in a real browser: edited on its Page tab, and served at the short URL. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { addLead } from "@test/support/leads";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const browser = await startBrowser();
const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", slug: "spring" });
const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
const PHONE = ".phone iframe";
const read = async () => (await service.call<Link>("GET", path, ada)).body;

test("form, call to action, preview and pixels are saved as typed; another user's change is reported", async () => {
  const page = await openSignedInPage(browser, service, ada);
  const fill = async (label: string, text: string) => {
    await page.until(`!!${labelled(label)}`);
    await page.evaluate(`${labelled(label)}.focus(), ${labelled(label)}.select?.()`);
    await page.type(text);
  };
  await page.open(`${service.url}/app`);
  await page.until(says("/spring"));
  await page.evaluate(
    `[...document.querySelectorAll("main a")].find((each) => each.innerText.includes("/spring")).click()`,
  );
  await page.until(`!!document.querySelector("nav.tabs a[href$='/page']")`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/page']").click()`);
  await page.until(`!!${labelled("Visitors must fill in the form")}`);
  await page.evaluate(`${labelled("Visitors must fill in the form")}.click()`);
  await page.untilFramed(PHONE, /Before you continue.*Email address/s);
  await fill("Form title", "Get the guide");
  await page.evaluate(`${button("Add field")}.click()`);
  await fill("Name", "company");
  await page.untilFramed(PHONE, /Get the guide.*company/s);
  await page.takeScreenshots("link-page-lead");
  await fill("Message", "20% off until Sunday");
  await page.untilFramed(PHONE, /20% off until Sunday.*shop\.example\.com/s);
  expect(await page.evaluate<string>("location.search")).toBe("?preview=cta");
  await page.takeScreenshots("link-page-cta");
  // The preview leaves out incomplete values.
  await fill("The button leads to", "htt");
  await fill("Button", "To the shop");
  await page.untilFramed(PHONE, /20% off until Sunday.*To the shop/s);
  await fill("The button leads to", " ");
  await fill("Button", " ");
  await page.evaluate(`${button("Social preview")}.click()`);
  await page.until(`${says("networks show what they find")} && !document.querySelector(${JSON.stringify(PHONE)})`);
  await fill("Preview title", "Spring sale");
  await page.untilFramed(PHONE, /Spring sale/);
  await page.evaluate(`${button("Add pixel")}.click()`);
  await fill("Pixel ID", "none");
  await page.press("Enter");
  // Not a valid id of a Meta pixel.
  await page.until(`${labelled("Pixel ID")}.getAttribute("aria-invalid") === "true"`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("link-page");
  // Makes the button labels as long as in German.
  await page.evaluate(`void (window.saving = ${button("Save")}, saving.lastChild.data = "Speichern",
    ${button("Discard changes")}.lastChild.data = "Änderungen verwerfen")`);
  await page.look({ width: 360, height: 800 });
  await page.until(`innerWidth === 360 &&
    saving.getBoundingClientRect().right < saving.closest(".save-bar").getBoundingClientRect().right`);
  await page.evaluate(`void (saving.lastChild.data = "Save")`);
  await page.click("a[href='#beside']");
  await page.until(`document.activeElement.getAttribute("aria-label") === "Preview" &&
    document.querySelector(${JSON.stringify(PHONE)}).getBoundingClientRect().top < innerHeight / 2`);
  await page.look({ width: 1_440, height: 900 });
  await fill("Pixel ID", "neither");
  const held = page.hold("PATCH", path);
  await page.press("Enter");
  await held.sent;
  // Corrects the value and saves again before the error response arrives.
  await fill("Pixel ID", "1234567890");
  await page.until(`${button("Save")}.disabled === false`);
  await page.press("Enter");
  held.releaseRequest();
  await page.until(`${says("Saved and live")} && !${says("Unsaved changes")}`);
  const saved = await read();
  expect(saved).toMatchObject({
    leadCapture: { enabled: true, title: "Get the guide", fields: [{ name: "company", type: "text" }] },
    ...{ ctaOverlay: { enabled: false, message: "20% off until Sunday" }, social: { title: "Spring sale" } },
    retargetingPixels: [{ provider: "meta", id: "1234567890", isActive: true }],
  });
  const shown = await fetch(saved.shortUrl, { redirect: "manual", headers: { accept: "text/html" } });
  expect(await shown.text()).toContain("Get the guide");

  await service.call("PATCH", path, { ...ada, body: { notes: "By Bob" } });
  await fill("Preview title", "Summer sale");
  await page.press("Enter");
  await page.until(says("Someone else changed this link"));
  expect((await read()).social).toEqual({ title: "Spring sale" });
  await page.evaluate(`${button("Save mine anyway")}.click()`);
  await page.until(`!${says("Unsaved changes")}`);
  expect(await read()).toMatchObject({ notes: "By Bob", social: { title: "Summer sale" } });

  await fill("Preview title", " ");
  // The previous save may still be in progress.
  await page.until(`${button("Save")}.disabled === false`);
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(`!${says("Unsaved changes")}`);
  expect((await read()).social).toBeUndefined();
  // Responses of the API to invalid input and conflicting changes are expected.
  expect(page.complaints.filter((text) => !/4(?:00|12)/.test(text))).toEqual([]);
});

test("leads are listed, downloaded and deleted", async () => {
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", own, eve)).body;
  const asking = await service.createLink(eve, {
    defaultUrl: "https://shop.example.com/",
    leadCapture: { enabled: true, fields: [{ name: "email", type: "email", required: true }] },
  });
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app/o/${slug}/links/${asking._id}`);
  await page.until(`!!document.querySelector("nav.tabs a[href$='/leads']")`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/leads']").click()`);
  await page.until(says("No leads yet"));
  expect(await page.faults()).toEqual([]);
  await addLead(service, eve.orgId, asking._id);
  await addLead(service, eve.orgId, asking._id);
  await page.evaluate("location.reload()");
  const rows = `document.querySelectorAll("main tbody tr").length`;
  await page.until(`${rows} === 2 && ${says("ada@example.com")}`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("link-leads");
  const csv = await page.evaluate<string>(
    `fetch(document.querySelector("a[download]").href).then((file) => file.text())`,
  );
  expect(csv.split("ada@example.com").length).toBe(3);
  await page.evaluate(`document.querySelector("main tbody tr button").click()`);
  await page.until(says("Delete this lead?"));
  await page.evaluate(`[...document.querySelectorAll("[role=dialog]:not(.toast) button")].at(-1).click()`);
  await page.until(`${rows} === 1 && ${says("Lead deleted")}`);
  expect((await service.call<{ total: number }>("GET", `${own}/links/${asking._id}/leads`, eve)).body.total).toBe(1);
  expect(page.complaints).toEqual([]);
});

test("leads of a form that was removed stay reachable, and a deletion of the link warns of their loss", async () => {
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", own, eve)).body;
  const { _id } = await service.createLink(eve, {
    defaultUrl: "https://shop.example.com/",
    leadCapture: { enabled: true, fields: [{ name: "email", type: "email", required: true }] },
  });
  await addLead(service, eve.orgId, _id);
  await service.call("PATCH", `${own}/links/${_id}`, { ...eve, body: { leadCapture: null } });
  const page = await openSignedInPage(browser, service, eve);
  await page.open(`${service.url}/app/o/${slug}/links/${_id}`);
  const tab = `document.querySelector("nav.tabs a[href$='/leads']")`;
  await page.until(`!!${tab}`);
  await page.evaluate(`${tab}.click()`);
  await page.until(says("ada@example.com"));

  await page.evaluate(`document.querySelector(".page-head [aria-haspopup=menu]").click()`);
  await page.until(`!!document.querySelector("[role=menuitem].danger")`);
  await page.evaluate(`document.querySelector("[role=menuitem].danger").click()`);
  await page.until(`${says("Delete this link?")} && ${says("Leads can no longer be read.")}`);
  await page.press("Escape");
  await page.until(`!document.querySelector(".dialog")`);

  await page.evaluate(`document.querySelector("main tbody tr button").click()`);
  await page.until(says("Delete this lead?"));
  await page.evaluate(`[...document.querySelectorAll("[role=dialog]:not(.toast) button")].at(-1).click()`);
  await page.until(`${says("No leads yet")} && !${tab}`);
  expect(page.complaints).toEqual([]);
});
