/** The Route tab of a link in a real browser: rules edited by keyboard, simulated before saving, then applied. */
import { expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, openSignedInPage, says as said } from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import { waitUntilDrained } from "../support/clicks/drained";

const service = await startTestService();
const ada = await service.register();
const { body: org } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
const browser = await startBrowser();
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
const HOME = "https://shop.example.com/";
const PHONES = "https://shop.example.com/phones";

async function openRoute(who: Account, link: { _id: string }): Promise<DashboardPage> {
  const page = await openSignedInPage(browser, service, who);
  await page.open(`${service.url}/app/o/${org.slug}/links/${link._id}`);
  await page.until(`document.body.innerText.includes("Default destination")`);
  return page;
}

const SIMULATED = `document.querySelector("[aria-label=Simulator] .notice")?.innerText ?? ""`;
const goesTo = (url: string) => `(${SIMULATED}).includes(${JSON.stringify(url)})`;

/** Moves the focus to the control with this name using only the Tab key. */
async function tabTo(page: DashboardPage, name: string): Promise<void> {
  const isThere = `(() => { const e = document.activeElement; const named = e?.getAttribute("aria-label") ?? e?.labels?.[0]?.innerText ?? e?.innerText;
    return named?.trim() === ${JSON.stringify(name)}; })()`;
  for (let pressed = 0; pressed < 120; pressed++) {
    if (await page.evaluate<boolean>(isThere)) return;
    await page.press("Tab");
  }
  throw new Error(`Tab never came to ${name}`);
}

test("a rule is added by keyboard, simulated before it is saved, and applied afterwards", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME });
  await service.visit(link, { "user-agent": IPHONE });
  for (let times = 0; times < 3; times++) await service.visit(link, { "user-agent": FIREFOX });
  await waitUntilDrained(service.service);
  const page = await openRoute(ada, link);
  await page.until(goesTo(HOME));
  await page.until(said("Last 7 days: 100%"));
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
  await page.until(`document.querySelector(".step").innerText.includes("Last 7 days: 25%")`);
  await page.until(said("Last 7 days: 75%"));
  const before = await service.visit(link, { "user-agent": IPHONE });
  expect(before.headers.get("location")).toBe(HOME);
  await page.takeScreenshots("route-unsaved");
  expect(await page.faults()).toEqual([]);

  await tabTo(page, "Save");
  await page.press("Enter");
  await page.until(said("Route saved"));
  const after = await service.visit(link, { "user-agent": IPHONE });
  expect(after.headers.get("location")).toBe(PHONES);
  expect(page.complaints).toEqual([]);
});

/** Drags a card by its handle to the far half of another card. */
async function drag(page: DashboardPage, from: number, to: number): Promise<void> {
  const way = await page.evaluate<number>(`(() => {
    const handle = document.querySelectorAll(".handle")[${from}].getBoundingClientRect();
    const { top, height } = document.querySelectorAll(".step")[${to}].getBoundingClientRect();
    return top + height * ${to > from ? 0.75 : 0.25} - (handle.top + handle.height / 2);
  })()`);
  await page.drag(`.step:nth-child(${from + 1}) .handle`, 0, way);
}
/** Clicks the button with this name. */
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

test("an unreachable rule is reported and fixed by reordering; a real click can be simulated", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES });
  await service.visit(link, { "user-agent": IPHONE, "accept-language": "de-DE" });
  await waitUntilDrained(service.service);
  const page = await openRoute(ada, link);
  await page.until(said("This rule is never reached, because Rule 1 covers it."));
  await page.until(said("Last 7 days: 100%"));
  await page.until(goesTo("because Rule 1 decides"));
  const second = `document.querySelectorAll(".step")[1].innerText`;
  expect(await page.evaluate<string>(second)).toContain("Also matches, but an earlier rule decides");
  const third = `document.querySelectorAll(".step")[2].querySelector(".fact").innerText`;
  expect(await page.evaluate<string>(third)).toMatch(/^Country AT\s+does not match\s+\(visitor: DE\)$/);
  await drag(page, 2, 0);
  const first = `document.querySelector(".step input").value`;
  await page.until(`${first} === "https://shop.example.com/at"`);
  await drag(page, 0, 2);
  await page.until(`${first} === ${JSON.stringify(PHONES)}`);
  await page.evaluate(`document.querySelectorAll(".step")[1].querySelector("input").focus()`);
  await page.press("Alt+ArrowUp");
  await page.until(goesTo("https://shop.example.com/berlin"));
  expect(await page.evaluate<string>("document.activeElement.value")).toBe("https://shop.example.com/berlin");
  await page.until(`!${said("never reached")}`);
  await press(page, "Use a real click");
  await page.until(`!!document.querySelector("ul[aria-label='Latest clicks'] button")`);
  await page.evaluate(`document.querySelector("ul[aria-label='Latest clicks'] button").click()`);
  await page.until(`${field("OS version")}.value === "17.4"`);
  await page.until(goesTo(PHONES));
  await page.takeScreenshots("route-click");
  expect(await page.faults()).toEqual([]);
  await press(page, "Save");
  await page.until(said("Route saved"));
  const { rules } = await read(link);
  const evaluated = rules.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
  expect(evaluated.map(({ destinationUrl }) => destinationUrl)).toEqual([
    ...["https://shop.example.com/berlin", PHONES, "https://shop.example.com/at"],
  ]);
  // The visit stays with the rule that decided it, which comes second now.
  expect(rules.map(({ destinationUrl }) => destinationUrl)).toEqual(RULES.map(({ destinationUrl }) => destinationUrl));
  await page.open(`${service.url}/app/o/${org.slug}/links/${link._id}/figures`);
  await page.until(`document.querySelector('[aria-label="Rule"] > li')?.innerText.includes("Rule 2")`);
  expect(page.complaints).toEqual([]);
});

test("a sample visitor comes at the minute that its name says, whatever the second of the minute is now", async () => {
  const rules = [{ destinationUrl: PHONES, conditions: { after: "2026-01-01T00:00:00Z" } }];
  const link = await service.createLink(ada, { defaultUrl: HOME, rules });
  const begin = `{ const { now } = Date; const ahead = 105_000 - (now() % 60_000); Date.now = () => now() + ahead; }`;
  const page = await openSignedInPage(browser, service, ada, { begin });
  await page.open(`${service.url}/app/o/${org.slug}/links/${link._id}`);
  // Berlin's 23:10 is ten past in every time zone of whole hours.
  const fact = `document.querySelector(".step .fact")?.innerText`;
  await page.until(`${fact}?.includes("visitor:")`);
  expect(await page.evaluate<string>(fact)).toContain(":10");
  expect(page.complaints).toEqual([]);
});

test("touch moves rules and the sliders of a split; Escape cancels a drag", async () => {
  const splitTargets = ["a", "b"].map((key) => ({ key, weight: 50, destinationUrl: `${HOME}${key}` }));
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES, splitTargets });
  const page = await openRoute(ada, link);
  await page.look({ width: 360, height: 800 });
  const order = `[...document.querySelectorAll(".step")].map((step) => step.querySelector("input").value.split("/").at(-1)).join()`;
  await page.until(`${order} === "phones,berlin,at"`);
  /** A point past the middle of the second card, or at the edge of the window, where the page scrolls towards it. */
  const below = `(() => { const { x, top, height } = document.querySelectorAll(".step")[1].getBoundingClientRect();
    return { x: x + 20, y: Math.min(innerHeight - 20, top + height / 2 + 8) }; })()`;
  await page.swipe(".step .handle", `${order} === "berlin,phones,at" ? null : ${below}`);
  const isHeld = `!!document.querySelector(".step[data-dragged]")`;
  await page.until(`!${isHeld}`);
  // A dragged card stays at the new place until Escape returns it.
  await page.evaluate(
    `document.querySelector(".handle").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerId: 7 }))`,
  );
  await page.until(isHeld);
  const move = `document.body.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerId: 7, clientY: ${below}.y }))`;
  await page.until(`${order} === "phones,berlin,at" || !${move}`);
  await page.press("Escape");
  await page.until(`!${isHeld} && ${order} === "berlin,phones,at"`);
  const joint = `document.querySelector("[role=slider]")`;
  const third = `(() => { const { x, y, width } = document.querySelector(".split").getBoundingClientRect();
    return { x: x + width * 0.3, y: y + 20 }; })()`;
  await page.swipe("[role=slider]", `${joint}.ariaValueNow === "30" ? null : ${third}`);
  await page.until(`${field("Weight")}.value === "30"`);
  expect(await page.faults()).toEqual([]);
  expect(page.complaints).toEqual([]);
});

test("a slider changes only the two targets beside it, even if another one has less than half a percent", async () => {
  const weights = { canary: 1, a: 499, b: 500 };
  const splitTargets = Object.entries(weights).map(([key, weight]) => ({ key, weight, destinationUrl: HOME + key }));
  const link = await service.createLink(ada, { defaultUrl: HOME, splitTargets });
  const page = await openRoute(ada, link);
  await page.evaluate(`[...document.querySelectorAll("[role=slider]")].at(-1).focus()`);
  await page.press("ArrowRight");
  await page.until(said("Unsaved changes"));
  await press(page, "Save");
  await page.until(said("Route saved"));
  expect((await read(link)).splitTargets.map(({ weight }) => weight)).toEqual([1, 509, 490]);
  expect(page.complaints).toEqual([]);
});

test("sliders set a split; a fault is shown at its field; another user's change and leaving lose nothing", async () => {
  const splitTargets = ["a", "b"].map((key) => ({ key, weight: 50, destinationUrl: `${HOME}${key}` }));
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES.slice(0, 1), splitTargets });
  const page = await openRoute(ada, link);
  await page.evaluate(`document.querySelector("[role=slider]").focus()`);
  for (const key of ["ArrowRight", "PageUp"]) await page.press(key);
  await page.until(`${field("Weight")}.value === "61"`);
  const width = await page.evaluate<number>(`document.querySelector(".split").getBoundingClientRect().width`);
  await page.drag("[role=slider]", Math.round(width * -0.2), 0);
  await page.until(`/^(?:4[0-2]|39)$/.test(${field("Weight")}.value)`);
  const dragged = Number(await page.evaluate<string>(`${field("Weight")}.value`));
  for (const key of ["PageUp", "PageUp"]) await page.press(key);
  const share = dragged + 20;
  await page.until(`${field("Weight")}.value === "${share}"`);
  await page.evaluate(`document.querySelector(".split").scrollIntoView({ block: "center" })`);
  await page.takeScreenshots("route-split");
  await retype(page, "Destination of Rule 1", "nonsense");
  const fault = `${field("Destination of Rule 1")}.closest(".field").querySelector(".fault")?.innerText ?? ""`;
  await page.until(`(${fault}).includes("expected an absolute http or https URL")`);
  const saving = `[...document.querySelectorAll("main button")].find((each) => each.innerText === "Save")`;
  await page.evaluate(`${saving}.focus()`);
  await page.press("Enter");
  await page.until(`document.activeElement === ${field("Destination of Rule 1")} && ${said("Not saved")}`);
  await retype(page, "Destination of Rule 1", PHONES);
  await page.until(`!document.querySelector(".fault")`);

  const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
  const theirs = splitTargets.map((target) => ({ ...target, weight: 10 }));
  await service.call("PATCH", path, { ...ada, body: { splitTargets: theirs, defaultUrl: `${HOME}new` } });
  // The button is missing if the page has already refreshed and shows the conflict.
  await page.evaluate(
    `[...document.querySelectorAll("main button")].find((each) => each.innerText === "Save")?.click()`,
  );
  await page.until(said("Someone else has changed this route"));
  expect((await read(link)).splitTargets[0]?.weight).toBe(10);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("route-meanwhile");
  await page.evaluate(`document.querySelector("nav.tabs a[href$=settings]").click()`);
  await page.until(`document.querySelector(".dialog")?.innerText.includes("Leave without saving?")`);
  await press(page, "Cancel");
  await page.until(`!document.querySelector(".dialog")`);
  expect(await page.evaluate<string>(`${field("Weight")}.value`)).toBe(String(share));
  await press(page, "Save mine anyway");
  await page.until(said("Route saved"));
  const saved = await read(link);
  expect(saved.splitTargets.map(({ weight }) => weight)).toEqual([share, 100 - share]);
  expect(saved.defaultUrl).toBe(`${HOME}new`);
  await retype(page, "Default destination", `${HOME}other`);
  await page.until(said("Unsaved changes"));
  await page.evaluate(`document.querySelector("nav.tabs a[href$=settings]").click()`);
  await page.until(`!!document.querySelector(".dialog")`);
  await press(page, "Leave");
  await page.until(`location.pathname.endsWith("/settings")`);
  await page.evaluate(`document.querySelector("nav.tabs a").click()`);
  await page.until(`${field("Default destination")}?.value === ${JSON.stringify(`${HOME}new`)}`);
  await retype(page, "Default destination", `${HOME}kept`);
  await page.until(said("Unsaved changes"));
  await page.evaluate("history.back()");
  await page.until(said("Name and notes"));
  await page.evaluate("history.forward()");
  await page.until(`${field("Default destination")}?.value === ${JSON.stringify(`${HOME}kept`)}`);
  // Responses of the API to invalid input and conflicting changes are expected.
  expect(page.complaints.filter((text) => !/4(?:00|12)/.test(text))).toEqual([]);
});

test("a viewer can see the whole route but not change it", async () => {
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: RULES, isActive: false });
  const page = await openRoute(await addMember(service, ada.orgId, "viewer"), link);
  await page.until(`document.querySelector("[aria-label=Simulator] li")?.innerText === "Paused"`);
  await page.until(`document.querySelector("[aria-label=Simulator]").innerText.includes(${JSON.stringify(PHONES)})`);
  expect(await page.evaluate<boolean>(`${field("Destination of Rule 1")}.readOnly`)).toBe(true);
  expect(await page.evaluate<number>(`document.querySelectorAll(".steps button").length`)).toBe(0);
  expect(await page.faults()).toEqual([]);
  expect(page.complaints).toEqual([]);
});

/** Returns an expression that sets a field as its own control would, because typing dates depends on the browser. */
const put = (found: string, value: string) => `(() => { const field = ${found};
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, ${JSON.stringify(value)});
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true })); })()`;
const SELECT = `[...document.querySelectorAll("fieldset select")].find((each) => each.labels[0].innerText === "Condition")`;

const LISTS = {
  ...{ deviceTypes: "mobile", browsers: "Chrome", deviceVendors: "Apple", deviceModels: "iPhone", countries: "DE" },
  ...{
    regions: "Bavaria",
    cities: "Munich",
    languages: "de",
    referrers: "news.example.com",
    addresses: "203.0.113.0/24",
  },
};
const TEXTS = {
  ...{ minOsVersion: "17", maxOsVersion: "18.4", startTime: "09:00", endTime: "18:30" },
  ...{ after: "2026-01-01T10:00", before: "2027-01-01T10:00" },
};

test("every condition is edited in place, with values from recent visits as suggestions", async () => {
  const rules = [{ destinationUrl: PHONES, conditions: { countries: ["AT"] } }];
  const link = await service.createLink(ada, { defaultUrl: HOME, rules });
  await service.visit(link, { "user-agent": IPHONE, "x-client": "81.2.69.142" });
  await waitUntilDrained(service.service);
  const page = await openRoute(ada, link);
  const seen = page.hold("GET", "/analytics/breakdown");
  await page.evaluate(`document.querySelector(".fact").click()`);
  await seen.sent;
  const placeOfDone = `${button("Done")}.getBoundingClientRect().y - document.querySelector("fieldset").getBoundingClientRect().y`;
  await page.until(`!!${button("Done")}`);
  const place = await page.evaluate<number>(placeOfDone);
  seen.releaseRequest();
  await page.until(`document.querySelector("fieldset")?.innerText.includes("Seen in the last 90 days")`);
  expect(await page.evaluate<number>(placeOfDone)).toBe(place);
  await press(page, "GB");
  await page.until(`document.querySelector(".fact").innerText.startsWith("Country AT, GB")`);
  await page.takeScreenshots("route-condition");
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`document.querySelector("fieldset .chip").focus()`);
  await page.press("Enter");
  await page.until(`document.querySelector(".fact").innerText.startsWith("Country GB")`);
  expect(await page.evaluate<string>("document.activeElement.innerText")).toStartWith("GB");
  await press(page, "Remove condition");
  await page.until(said("Everyone"));

  const open = async (name: string) => {
    await press(page, "Add condition");
    await page.until(`!!${SELECT}`);
    await page.evaluate(put(SELECT, name));
    await page.until(`${SELECT}.value === ${JSON.stringify(name)}`);
  };
  const close = async () => {
    await press(page, "Done");
    await page.until(`!document.querySelector("fieldset.panel")`);
  };
  const entry = `document.querySelector("fieldset.panel input")`;
  for (const [name, value] of Object.entries(LISTS)) {
    await open(name);
    await page.evaluate(`${entry}.focus()`);
    await page.type(value);
    if (name === "addresses") {
      // Adds what is typed, although that shows new rows above the button.
      await page.click("fieldset.panel > .stack > .row:last-child > button");
      await page.until(`!document.querySelector("fieldset.panel")`);
      continue;
    }
    await page.press("Enter");
    await close();
  }
  for (const [name, value] of Object.entries(TEXTS)) {
    await open(name);
    await page.evaluate(put(entry, value));
    await close();
  }
  await open("query");
  await page.evaluate(`${field("Parameter")}.focus()`);
  await page.type("src");
  await page.evaluate(`${field("Value")}.focus()`);
  await page.type("tv");
  await page.press("Enter");
  await page.until(`${field("Parameter")}.value === ""`);
  await page.evaluate(`${field("Parameter")}.focus()`);
  await page.type("ref");
  await page.evaluate(`${field("Value")}.focus()`);
  await page.type("mail");
  await close();
  for (const [name, tick] of [
    ["platform", "iOS"],
    ["daysOfWeek", "Friday"],
  ] as const) {
    if (name !== "daysOfWeek") await open(name);
    else await press(page, "Add condition");
    await page.until(`!!${field(tick)}`);
    await page.evaluate(`${field(tick)}.click()`);
    await close();
  }
  expect(await page.evaluate<number>(`document.querySelectorAll(".step .fact").length`)).toBe(19);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("route-conditions");
  await press(page, "Save");
  await page.until(said("Route saved"));
  const at = await page.evaluate<string[]>(
    `[${JSON.stringify(TEXTS.after)}, ${JSON.stringify(TEXTS.before)}].map((text) => new Date(text).toISOString())`,
  );
  const { after, before, ...saved } = (await read(link)).rules[0]?.conditions ?? {};
  const lists = Object.fromEntries(Object.entries(LISTS).map(([name, value]) => [name, [value]]));
  const { after: _, before: __, ...texts } = TEXTS;
  const query = [
    { name: "src", values: ["tv"] },
    { name: "ref", values: ["mail"] },
  ];
  const rest = { platform: ["ios"], daysOfWeek: [5], query };
  expect(saved).toEqual({ ...lists, ...texts, ...rest } as typeof saved);
  expect([after, before].map((text) => new Date(text ?? "").toISOString())).toEqual(at);
  expect(page.complaints).toEqual([]);
});

test.each([
  ["a phone", { width: 360, height: 640 }],
  ["a window of 1280 by 1024 pixels at 400 %", { width: 320, height: 256 }],
])("on %s, the bars at the bottom hide nothing that has the focus", async (_, size) => {
  const rules = ["ios", "android"].map((platform) => ({
    destinationUrl: PHONES,
    conditions: { platform: [platform] },
  }));
  const link = await service.createLink(ada, { defaultUrl: HOME, rules: rules as Link["rules"] });
  const page = await openRoute(ada, link);
  await page.look(size);
  await page.evaluate(`document.querySelector("[aria-label='Destination of Rule 1']").focus()`);
  await page.type("#");
  await page.until(`!!document.querySelector(".save-bar")`);
  const covered = `(() => { const e = document.activeElement; const { left, top, bottom } = e.getBoundingClientRect();
    const seen = [top + 3, (top + bottom) / 2, bottom - 3].map((y) => document.elementFromPoint(left + 8, y));
    return e === document.body || seen.some((at) => at && (e.contains(at) || at.contains(e))) ? "" : e.outerHTML; })()`;
  for (let pressed = 0; pressed < 30; pressed++) {
    await page.press("Tab");
    expect(await page.evaluate<string>(covered)).toBe("");
  }
  await page.takeScreenshots(`route-low-${size.width}`);
});
