/** The dashboard behind a proxy that responds itself while the service is down, and limits the size of requests. */
import { afterAll, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, hasAnswer, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const browser = await startBrowser();
const ada = await service.register();
await service.createLink(ada, { defaultUrl: "https://example.com/kept" });

/** nginx's default limit. */
const BYTES_MAX = 1 << 20;
let isAway = false;
/** The service acts on what is sent, but no response comes back. */
let losesAnswers = false;
/** Files that the server does not have, because it runs another version of the dashboard. */
let lacks: RegExp | undefined;

const page = (status: number, text: string) =>
  new Response(`<html><body><center><h1>${status} ${text}</h1></center></body></html>`, {
    status,
    // HTTP/2 has no reason phrase.
    statusText: "",
    headers: { "content-type": "text/html" },
  });

/** Starts a proxy on its own port, so that its pages do not share a cache with those of other proxies. */
function startProxy(): string {
  const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
  afterAll(() => proxy.stop(true));
  return `http://localhost:${proxy.port}`;
}

async function answer(request: Request): Promise<Response> {
  if (isAway) return page(502, "Bad Gateway");
  if (lacks?.test(request.url)) return page(404, "Not Found");
  const body = await request.arrayBuffer();
  if (body.byteLength > BYTES_MAX) return page(413, "Request Entity Too Large");
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const to = `http://127.0.0.1:${service.service.port}${pathname}${search}`;
  const answered = await fetch(to, { method, headers, body, redirect: "manual", decompress: false });
  if (losesAnswers && method === "POST") return page(504, "Gateway Timeout");
  return new Response(answered.body, answered);
}

const url = startProxy();

test("while the service is unavailable, a line says so, and typed text can be sent once it is back", async () => {
  const seen = await openSignedInPage(browser, { url }, ada);
  await seen.open(`${url}/app`);
  await seen.until(`!!document.querySelector("main input.large")`);
  isAway = true;
  await seen.press("c");
  await seen.type("https://example.com/typed");
  await seen.press("Enter");
  await seen.until(says("cannot be reached"));
  await seen.press("Escape");
  await seen.evaluate(`document.querySelector("input[type=search]").focus()`);
  await seen.type("kept");
  await seen.until(says("What you see may be out of date"));
  isAway = false;
  await seen.until(`!${says("What you see may be out of date")}`);
  await seen.evaluate(`document.querySelector("main input.large").focus()`);
  await seen.press("Enter");
  await seen.until(says("copied to the clipboard"));
});

test("a link whose creation got no response is created once, however often its form is sent", async () => {
  const eve = await service.register();
  const path = `/api/v1/organizations/${eve.orgId}/links`;
  const total = async () => (await service.call<{ total: number }>("GET", path, eve)).body.total;
  const seen = await openSignedInPage(browser, { url }, eve);
  await seen.open(`${url}/app`);
  await seen.until(`!!document.querySelector("main input.large")`);
  losesAnswers = true;
  try {
    await seen.press("c");
    await seen.type("https://example.com/lost");
    await seen.press("Enter");
    await seen.until(`${says("cannot be reached")} && !${button("Shorten")}.disabled`);
  } finally {
    losesAnswers = false;
  }
  expect(await total()).toBe(1);
  await seen.press("Enter");
  await seen.until(says("copied to the clipboard"));
  expect(await total()).toBe(1);

  // What was created is done with: the same input is another link.
  await seen.until(`document.querySelector("main input.large").value === ""`);
  await seen.type("https://example.com/lost");
  await seen.press("Enter");
  await seen.until(`document.querySelectorAll("li[aria-setsize='2']").length > 0`);
  expect(await total()).toBe(2);
});

test("an API key whose creation got no response is created once, and shown when its form is sent again", async () => {
  const eve = await service.register();
  const home = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", home, eve)).body;
  const keys = async () =>
    (await service.call<{ apiKeys: { prefix: string }[] }>("GET", `${home}/api-keys`, eve)).body.apiKeys;
  const seen = await openSignedInPage(browser, { url }, eve);
  await seen.open(`${url}/app/o/${slug}/developers/api-keys?create=`);
  await seen.until(`!!${labelled("Name")}`);
  await seen.evaluate(`${labelled("Name")}.focus()`);
  await seen.type("Shop");
  await seen.evaluate(`${labelled("Create links (links:write)")}.click()`);
  losesAnswers = true;
  try {
    await seen.evaluate(`${button("Create")}.click()`);
    await seen.until(`${says("cannot be reached")} && !${button("Create")}.disabled`);
  } finally {
    losesAnswers = false;
  }
  expect(await keys()).toHaveLength(1);
  await seen.evaluate(`${button("Create")}.click()`);
  const shown = `document.querySelector("[role=dialog] pre")?.innerText`;
  await seen.until(`${shown}?.startsWith("wm_live_")`);
  const [only, ...others] = await keys();
  expect(others).toEqual([]);
  expect(await seen.evaluate<string>(shown)).toStartWith(only?.prefix ?? "no key");
});

test("an archive whose request got no response is requested once, and the next one is another", async () => {
  const eve = await service.register();
  const home = `/api/v1/organizations/${eve.orgId}`;
  const { slug } = (await service.call<{ slug: string }>("GET", home, eve)).body;
  const archives = async () =>
    (await service.call<{ exports: { status: string }[] }>("GET", `${home}/exports`, eve)).body.exports;
  const seen = await openSignedInPage(browser, { url }, eve);
  await seen.open(`${url}/app/o/${slug}/settings/imports`);
  const request = button("Request an archive");
  const shown = `document.querySelectorAll("main a[download]").length`;
  // A list that is still being read might contain the archive.
  await seen.until(`!!${request} && ${hasAnswer("/exports")}`);
  losesAnswers = true;
  try {
    await seen.evaluate(`${request}.click()`);
    await seen.until(`${says("cannot be reached")} && !${request}.disabled`);
  } finally {
    losesAnswers = false;
  }
  // As long as the page does not show the archive, the request is the same one, even after the archive is done.
  while ((await archives())[0]?.status !== "done") await Bun.sleep(50);
  await seen.evaluate(`${request}.click()`);
  await seen.until(`${shown} === 1 && !${request}.disabled`);
  expect(await archives()).toHaveLength(1);
  await seen.evaluate(`${request}.click()`);
  await seen.until(`${shown} === 2`);
  expect(await archives()).toHaveLength(2);
});

test("a page opened while the service is unavailable says so, and loads on retry", async () => {
  const seen = await openSignedInPage(browser, { url }, ada);
  const held = seen.hold("GET", "/app/api/session");
  await seen.open(`${url}/app`, "read");
  await held.sent;
  isAway = true;
  held.releaseRequest();
  await seen.until(says("cannot be reached"));
  isAway = false;
  await seen.evaluate(`${button("Try again")}.click()`);
  await seen.until(`!!document.querySelector("main input.large")`);
});

test("a file that is too large for the proxy is refused with a message", async () => {
  const seen = await openSignedInPage(browser, { url }, ada);
  await seen.open(`${url}/app`);
  await seen.until(`location.pathname.endsWith("/links")`);
  await seen.open(`${url}${(await seen.evaluate<string>("location.pathname")).replace("/links", "/settings/imports")}`);
  await seen.until(`!!${labelled("File")}`);
  await seen.evaluate(`(() => { const field = ${labelled("File")}; const files = new DataTransfer();
    files.items.add(new File(["x".repeat(${BYTES_MAX})], "large.csv", { type: "text/csv" })); field.files = files.files;
    field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  await seen.until(`!${button("Import")}.disabled`);
  await seen.evaluate(`${button("Import")}.click()`);
  await seen.until(says("larger than a proxy"));
});

test.each([
  ["script", /\/assets\/main-.*\.js/],
  ["script and style", /\/assets\/main-/],
  ["words", /\/assets\/en-/],
])("a page whose %s is missing on a server of another version offers to reload", async (_, part) => {
  const url = startProxy();
  const seen = await openSignedInPage(browser, { url }, ada);
  lacks = part;
  try {
    await seen.open(`${url}/app`);
    await seen.until(`document.querySelector(".unloaded a")?.checkVisibility({ visibilityProperty: true })`);
  } finally {
    lacks = undefined;
  }
  await seen.evaluate(`document.querySelector(".unloaded a").click()`);
  await seen.until(`!!document.querySelector("main input.large")`);
});
