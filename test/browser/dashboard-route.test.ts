/** The Route tab of a link in a real browser: rules by keyboard, what they would do before they are saved, and what they do then. */
import { expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { type DashboardPage, signedIn } from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const { body: org } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
const browser = await startBrowser();
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
const HOME = "https://shop.example.com/";
const PHONES = "https://shop.example.com/phones";

async function openRoute(who: Account, link: { _id: string }): Promise<DashboardPage> {
  const page = await signedIn(browser, service, who);
  await page.open(`${service.url}/app/o/${org.slug}/links/${link._id}`);
  await page.until(`document.body.innerText.includes("Default destination")`);
  return page;
}

const said = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
const SIMULATED = `document.querySelector("[aria-label=Simulator] .notice")?.innerText ?? ""`;
const goesTo = (url: string) => `(${SIMULATED}).includes(${JSON.stringify(url)})`;

/** By nothing but the Tab key. */
async function tabTo(page: DashboardPage, name: string): Promise<void> {
  const isThere = `(() => { const e = document.activeElement; const named = e?.getAttribute("aria-label") ?? e?.labels?.[0]?.innerText ?? e?.innerText;
    return named?.trim() === ${JSON.stringify(name)}; })()`;
  for (let pressed = 0; pressed < 120; pressed++) {
    if (await page.evaluate<boolean>(isThere)) return;
    await page.press("Tab");
  }
  throw new Error(`Tab never came to ${name}`);
}

test("a rule by keyboard: simulated before it is saved, then real", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME });
  const page = await openRoute(ada, link);
  await page.until(goesTo(HOME));
  await tabTo(page, "Add rule");
  await page.press("Enter");
  await page.until(`document.activeElement?.innerText === "Add condition"`);
  await page.press("Enter");
  await page.until(`document.activeElement?.labels?.[0]?.innerText === "Condition"`);
  await tabTo(page, "iOS");
  await page.press(" ");
  await tabTo(page, "Destination of Rule 1");
  await page.type(PHONES);
  await page.until(goesTo(PHONES));
  expect(await page.evaluate<string>(`document.querySelector(".step").innerText`)).toContain("Decides");
  const before = await service.visit(link, { "user-agent": IPHONE });
  expect(before.headers.get("location")).toBe(HOME);
  await page.shot("route-unsaved");
  expect(await page.faults()).toEqual([]);

  await tabTo(page, "Save");
  await page.press("Enter");
  await page.until(said("The route is saved"));
  const after = await service.visit(link, { "user-agent": IPHONE });
  expect(after.headers.get("location")).toBe(PHONES);
  expect(page.complaints).toEqual([]);
});

/** Opens what is named so, or presses it. */
const press = (page: DashboardPage, name: string) =>
  page.evaluate(`[...document.querySelectorAll("main button, [role=dialog] button")]
    .find((each) => (each.getAttribute("aria-label") ?? each.innerText).trim() === ${JSON.stringify(name)}).click()`);
const field = (label: string) => `[...document.querySelectorAll("main input")]
  .find((each) => (each.getAttribute("aria-label") ?? each.labels?.[0]?.innerText) === ${JSON.stringify(label)})`;
async function retype(page: DashboardPage, label: string, text: string): Promise<void> {
  await page.evaluate(`${field(label)}.focus(), ${field(label)}.select()`);
  await page.type(text);
}
const read = async ({ _id }: Link) =>
  (await service.call<Link>("GET", `/api/v1/organizations/${ada.orgId}/links/${_id}`, ada)).body;

const RULES = [
  { destinationUrl: PHONES, conditions: { platform: ["ios" as const] } },
  { destinationUrl: "https://shop.example.com/berlin", conditions: { platform: ["ios" as const], cities: ["Berlin"] } },
  { destinationUrl: "https://shop.example.com/at", conditions: { countries: ["AT"] } },
];

test("what a real click met, a rule out of reach, and the order that mends it", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES });
  await service.visit(link, { "user-agent": IPHONE, "accept-language": "de-DE" });
  await service.service.drainClicks();
  const page = await openRoute(ada, link);
  await page.until(said("This rule is never reached, because Rule 1 covers it."));
  await page.until(said("100% of clicks since the last change"));
  await page.until(goesTo("because Rule 1 decides"));
  const second = `document.querySelectorAll(".step")[1].innerText`;
  expect(await page.evaluate<string>(second)).toContain("Matches too, but an earlier rule decides");
  const third = `document.querySelectorAll(".step")[2].querySelector(".fact").innerText`;
  expect(await page.evaluate<string>(third)).toMatch(/^Country AT\s+does not match\s+\(visitor: DE\)$/);
  await page.evaluate(`document.querySelectorAll(".step")[1].querySelector("input").focus()`);
  await page.press("Alt+ArrowUp");
  await page.until(goesTo("https://shop.example.com/berlin"));
  expect(await page.evaluate<string>("document.activeElement.value")).toBe("https://shop.example.com/berlin");
  await page.until(`!${said("never reached")}`);
  await press(page, "Use a real click");
  await page.until(`!!document.querySelector("ul[aria-label='Last clicks'] button")`);
  await page.evaluate(`document.querySelector("ul[aria-label='Last clicks'] button").click()`);
  await page.until(`${field("System version")}.value === "17.4"`);
  await page.until(goesTo(PHONES));
  await page.shot("route-click");
  expect(await page.faults()).toEqual([]);
  await press(page, "Save");
  await page.until(said("The route is saved"));
  expect((await read(link)).rules.map(({ destinationUrl }) => destinationUrl)).toEqual([
    ...["https://shop.example.com/berlin", PHONES, "https://shop.example.com/at"],
  ]);
  expect(page.complaints).toEqual([]);
});

test("a split by its joints; a fault stands where it is; somebody else's change and leaving lose nothing", async () => {
  const splitTargets = ["a", "b"].map((key) => ({ key, weight: 50, destinationUrl: `${HOME}${key}` }));
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES.slice(0, 1), splitTargets });
  const page = await openRoute(ada, link);
  await page.evaluate(`document.querySelector("[role=slider]").focus()`);
  for (const key of ["ArrowRight", "PageUp"]) await page.press(key);
  await page.until(`${field("Weight")}.value === "61"`);
  await page.evaluate(`document.querySelector(".split").scrollIntoView({ block: "center" })`);
  await page.shot("route-split");
  await retype(page, "Destination of Rule 1", "nonsense");
  const fault = `${field("Destination of Rule 1")}.closest(".field").querySelector(".fault")?.innerText ?? ""`;
  await page.until(`(${fault}).includes("expected an absolute http or https URL")`);
  await retype(page, "Destination of Rule 1", PHONES);
  await page.until(`!document.querySelector(".fault")`);

  const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
  const theirs = splitTargets.map((target) => ({ ...target, weight: 10 }));
  await service.call("PATCH", path, { ...ada, body: { splitTargets: theirs, defaultUrl: `${HOME}new` } });
  await press(page, "Save");
  await page.until(said("Somebody else changed this route meanwhile"));
  expect((await read(link)).splitTargets[0]?.weight).toBe(10);
  expect(await page.faults()).toEqual([]);
  await page.shot("route-meanwhile");
  await page.evaluate(`document.querySelector("nav.tabs a[href$=settings]").click()`);
  await page.until(`document.querySelector("[role=dialog]")?.innerText.includes("Leave without saving?")`);
  await press(page, "Cancel");
  await page.until(`!document.querySelector("[role=dialog]")`);
  expect(await page.evaluate<string>(`${field("Weight")}.value`)).toBe("61");
  await press(page, "Save mine anyway");
  await page.until(said("The route is saved"));
  const saved = await read(link);
  expect(saved.splitTargets.map(({ weight }) => weight)).toEqual([61, 39]);
  expect(saved.defaultUrl).toBe(`${HOME}new`);
  // The API's own refusal of what was typed.
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test("a viewer sees all of it and changes nothing", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES });
  const page = await openRoute(await addMember(service, ada.orgId, "viewer"), link);
  await page.until(goesTo(PHONES));
  expect(await page.evaluate<boolean>(`${field("Destination of Rule 1")}.readOnly`)).toBe(true);
  expect(await page.evaluate<number>(`document.querySelectorAll(".steps button").length`)).toBe(0);
  expect(await page.faults()).toEqual([]);
  expect(page.complaints).toEqual([]);
});
