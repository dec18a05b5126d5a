/** A link's screen in a real browser: settings, QR code and history, and two people who change it at the same time. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, says, signedIn } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";
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
async function openTab(tab: string) {
  const page = await signedIn(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(says("/spring"));
  await page.evaluate(
    `[...document.querySelectorAll("main a")].find((each) => each.innerText.includes("/spring")).click()`,
  );
  await page.until(`!!document.querySelector("nav.tabs")`);
  await page.evaluate(
    `[...document.querySelectorAll("nav.tabs a")].find((each) => each.innerText === ${JSON.stringify(tab)}).click()`,
  );
  return page;
}

test("settings: saved as typed; somebody else's change is told, and what was typed stays", async () => {
  const page = await openTab("Settings");
  await page.until(`!!${labelled("Title")}`);
  await page.evaluate(`${labelled("Title")}.focus(), ${labelled("Title")}.select()`);
  await page.type("Spring sale");
  await page.press("Enter");
  await page.until(says("Saved"));
  expect((await read()).title).toBe("Spring sale");
  expect(await page.faults()).toEqual([]);
  await page.shot("link-settings");

  // If a part of a date is missing, Firefox clears all parts whenever the value is written, even with the same value.
  const expiry = labelled("Expires");
  await page.evaluate(`(() => { ${expiry}.focus(); window.writes = [];
    new MutationObserver((seen) => writes.push(...seen)).observe(${expiry}, { attributeFilter: ["value"] }); })()`);
  for (const key of ["1", "2", "3", "1", "2", "0", "9", "9", "ArrowRight", "1", "0", "3", "0", "P"])
    await page.press(key);
  await page.until(`${expiry}.value === "2099-12-31T22:30" && ${button("Discard changes")}.disabled === false`);
  await page.press("Delete");
  await page.until(`${expiry}.value === "" && ${button("Discard changes")}.disabled`);
  expect(await page.evaluate<number>("writes.length")).toBe(0);
  // Clears the field, because an incomplete date is not saved.
  await page.evaluate(`void Object.assign(${expiry}, { value: "" })`);

  await service.call("PATCH", apiPath, { ...ada, body: { notes: "By Bob" } });
  await page.evaluate(`${labelled("Visitors admitted at most")}.focus()`);
  await page.type("100");
  await page.press("Enter");
  await page.until(says("Someone else changed this link"));
  expect(await page.evaluate<string>(`${labelled("Visitors admitted at most")}.value`)).toBe("100");
  expect((await read()).maxClicks).toBeUndefined();
  await page.evaluate(`${button("Save mine anyway")}.click()`);
  while ((await read()).maxClicks === undefined) await Bun.sleep(20);
  await page.until(`!${says("Someone else changed this link")}`);
  expect(await read()).toMatchObject({ maxClicks: 100, notes: "By Bob", title: "Spring sale" });

  await page.evaluate(
    `${labelled("Visitors admitted at most")}.focus(), ${labelled("Visitors admitted at most")}.select()`,
  );
  await page.type("many");
  await page.press("Enter");
  await page.until(`${labelled("Visitors admitted at most")}.getAttribute("aria-invalid") === "true"`);
  await page.evaluate(`${labelled("Visitors admitted at most")}.select()`);
  await page.type("0");
  // The previous save may still be in progress.
  await page.until(`${button("Save")}.disabled === false`);
  await page.press("Enter");
  await page.until(`!!document.querySelector(".fault") && !${says("Enter a whole number")}`);
  expect(await read()).toMatchObject({ maxClicks: 100 });
  // Responses of the API to invalid input and conflicting changes are expected.
  expect(page.complaints.filter((text) => !/4(?:00|12)/.test(text))).toEqual([]);
});

test("history: what changed, and back to it", async () => {
  await service.call("PATCH", apiPath, { ...ada, body: { title: "Summer sale", tags: ["summer"] } });
  const page = await openTab("History");
  await page.until(says("Summer sale"));
  expect(await page.faults()).toEqual([]);
  await page.shot("link-history");
  await page.evaluate(`${button("Restore this version")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog]")`);
  await page.evaluate(`[...document.querySelectorAll("[role=dialog] button")].at(-1).click()`);
  await page.until(says("The link is as it was"));
  expect(await read()).toMatchObject({ title: "Spring sale", tags: [] });
  expect(page.complaints).toEqual([]);
});

test("its code: colors that cannot be told apart are refused in words", async () => {
  const page = await openTab("QR code");
  await page.until(`!!document.querySelector("main img")?.complete`);
  expect(await page.faults()).toEqual([]);
  await page.shot("link-qr");
  const set = (value: string) => `(() => { const field = ${labelled("Color")};
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event("input", { bubbles: true })); })()`;
  await page.evaluate(set("#ffff00"));
  await page.until(`/contrast/i.test(document.querySelector(".fault, [role=alert]")?.innerText ?? "")`);
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});
