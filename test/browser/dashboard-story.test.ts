/** A new user's path in a real browser, from an empty database to analytics, a colleague, a domain and an import. */
import { expect, test } from "bun:test";
import { type Page, startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { startReceiver } from "@test/support/outside/webhooks";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import { waitUntilDrained } from "../support/clicks/drained";

const dns = await startTestDns();
const service = await startTestService({ env: { DNS_SERVERS: dns.address, OUTBOUND_ALLOW: "127.0.0.1" } });
const receiver = startReceiver();
const browser = await startBrowser();

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
const HOME = "https://shop.example.com/spring";
const PHONES = "https://shop.example.com/phones";
const CSV = "Short Link,Destination URL,Clicks\nhttps://go.acme.com/a,https://example.com/a,3\n";

const link = (text: string) =>
  `[...document.querySelectorAll("a")].find((each) => each.innerText.trim() === ${JSON.stringify(text)})`;
const press = (page: Page, what: string) => page.until(`!!${what}`).then(() => page.evaluate(`${what}.click()`));
const inDialog = (text: string) =>
  `[...document.querySelectorAll("[role=dialog] button")].findLast((each) => each.innerText.trim() === "${text}")`;
async function type(page: Page, field: string, text: string): Promise<void> {
  await page.until(`!!${field}`);
  await page.evaluate(`${field}.focus(), ${field}.select()`);
  await page.type(text);
}
const choose = (field: string, value: string) => `(() => { const field = ${field};
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
  field.dispatchEvent(new Event("change", { bubbles: true })); })()`;
const visit = async (url: string) => {
  const answer = await fetch(url, { redirect: "manual", headers: { "user-agent": IPHONE } });
  await waitUntilDrained(service.service);
  return answer.headers.get("location");
};

test("a new user gets from an empty database to a working organization", async () => {
  const page = await browser.page({ width: 1_440, height: 900, hasMotion: true });
  const shortUrl = await shorten(page);
  await routeByWhatWasSeen(page, shortUrl);
  await lookAtDelivery(page);
  const colleague = await invite(page);
  await addDomain(page);
  await importLinks(page);
  await lookAsViewer(colleague);
  expect(page.complaints).toEqual([]);
}, 180_000);

/** Registers, shortens a URL, and returns the short URL from the clipboard. */
async function shorten(page: Page): Promise<string> {
  await page.open(service.url);
  await page.until(`location.pathname === "/app/sign-in"`);
  await press(page, link("Create an account"));
  const person = { name: "Ada", email: "ada@example.com", password: "quartz trombone lagoon" };
  for (const [name, text] of Object.entries({ ...person, organizationName: "Acme" }))
    await type(page, `document.getElementById("${name}")`, text);
  await page.press("Enter");
  await page.until(says("first short link"));
  await page.press("c");
  await page.type(HOME);
  await page.press("Enter");
  await page.until(says("copied to the clipboard"));
  return page.evaluate<string>("navigator.clipboard.readText()");
}

/** Shows a live visit with its reason, saves a rule after simulating it, and finds the next visit in analytics. */
async function routeByWhatWasSeen(page: Page, shortUrl: string): Promise<void> {
  expect(await visit(shortUrl)).toBe(HOME);
  await press(page, link("Live"));
  await press(page, `document.querySelector("main .list-row a, main .list-row button")`);
  await page.until(says("Why it went there"));
  await page.press("Escape");
  await press(page, link("Links"));
  await press(page, `document.querySelector(".list-row a")`);
  await press(page, button("Add rule"));
  await press(page, button("Add condition"));
  await press(page, `[...document.querySelectorAll("main label")].find((each) => each.innerText === "iOS")?.control`);
  const destination = `[...document.querySelectorAll("main input")].find((each) =>
    (each.getAttribute("aria-label") ?? each.labels?.[0]?.innerText) === "Destination of Rule 1")`;
  await type(page, destination, PHONES);
  await page.until(`document.querySelector("[aria-label=Simulator]").innerText.includes(${JSON.stringify(PHONES)})`);
  await press(page, button("Save"));
  await page.until(says("Route saved"));
  expect(await visit(shortUrl)).toBe(PHONES);
  await press(page, link("Analytics"));
  await page.until(`${says("Rule 1")} && ${says("Phone")}`);
}

async function lookAtDelivery(page: Page): Promise<void> {
  receiver.answer = () => new Response("busy", { status: 500 });
  await press(page, link("Developers"));
  await press(page, button("Create webhook"));
  await type(page, labelled("URL"), receiver.url);
  await press(page, labelled("A link is created"));
  await page.press("Enter");
  await press(page, inDialog("Done"));
  await press(page, link("Links"));
  await type(page, `document.querySelector("main input.large")`, "https://shop.example.com/told");
  await page.press("Enter");
  await receiver.until(1);
  await press(page, link("Developers"));
  await press(page, `document.querySelector("main td a")`);
  await page.until(says("Responded with 500"));
  receiver.answer = () => new Response("thanks");
  await press(page, button("Details"));
  await press(page, inDialog("Send again"));
  await receiver.until(2);
  await page.until(says("thanks"));
  await page.press("Escape");
}

/** Invites a viewer and returns the URL of the invitation. */
async function invite(page: Page): Promise<string> {
  await press(page, link("Settings"));
  await press(page, link("Members"));
  await type(page, labelled("Email address"), "bob@example.com");
  await page.evaluate(choose(labelled("Role"), "viewer"));
  await page.press("Enter");
  await page.until(`!!document.querySelector("[role=dialog] pre")`);
  const url = await page.evaluate<string>(`document.querySelector("[role=dialog] pre").innerText`);
  await press(page, inDialog("Done"));
  return url;
}

async function addDomain(page: Page): Promise<void> {
  await press(page, link("Domains"));
  await press(page, link("Add domain"));
  await type(page, labelled("Host name"), "go.acme.com");
  await page.press("Enter");
  await page.until(says("_waymark.go.acme.com"));
  const value = `[...document.querySelectorAll("dd code")].find((each) => each.innerText.startsWith("waymark-")).innerText`;
  dns.set("TXT", "_waymark.go.acme.com", await page.evaluate<string>(value));
  await page.until(says("go.acme.com is verified"));
}

async function importLinks(page: Page): Promise<void> {
  await press(page, link("Settings"));
  await press(page, link("Imports and exports"));
  await page.until(`!!${labelled("File")}`);
  await page.evaluate(`(() => { const field = ${labelled("File")}; const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(CSV)}], "dub.csv", { type: "text/csv" })); field.files = files.files;
    field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  await page.evaluate(choose(labelled("From"), "dub"));
  await press(page, `document.querySelector("form input[type=checkbox]")`);
  await page.until(`!${button("Import")}.disabled`);
  await press(page, button("Import"));
  await page.until(`${says("go.acme.com/a")} && ${says("Created")} && ${says("Done")}`);
}

/** Accepts the invitation, and expects links that the viewer cannot change. */
async function lookAsViewer(url: string): Promise<void> {
  const page = await browser.page({ width: 360, height: 800, hasMotion: true });
  await page.open(url);
  for (const [name, text] of Object.entries({ name: "Bob", password: "an extraordinary phrase" }))
    await type(page, `document.getElementById("${name}")`, text);
  await page.press("Enter");
  await page.until(`document.querySelectorAll(".list-row a").length >= 3`);
  expect(await page.evaluate<number>(`document.querySelectorAll("main input.large, .list-row input").length`)).toBe(0);
  expect(page.complaints).toEqual([]);
}

test("live visits that are paused can still be shown with and without bots", async () => {
  const ada = await service.register();
  const { shortUrl } = await service.createLink(ada, { defaultUrl: HOME });
  await visit(shortUrl);
  await fetch(shortUrl, { redirect: "manual", headers: { "user-agent": "Googlebot/2.1" } });
  await waitUntilDrained(service.service);
  const page = await openSignedInPage(browser, service, ada, { hasMotion: true });
  await page.open(`${service.url}/app`);
  await press(page, `document.querySelector("nav.side a[href$='/live']")`);
  const visits = (count: number) => `document.querySelectorAll("main li").length === ${count}`;
  await page.until(visits(2));
  await press(page, button("Pause"));
  await press(page, labelled("Show bots"));
  await page.until(visits(1));
  await visit(shortUrl);
  await press(page, labelled("Show bots"));
  await page.until(visits(2));
  await press(page, button("Resume"));
  await page.until(visits(3));
  expect(page.complaints).toEqual([]);
});
