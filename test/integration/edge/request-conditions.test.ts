/** Rules on the request itself, from a visit over HTTP to what its click stores and reports. */
import { beforeAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { ClickDetail, ClickPage } from "@/contract/analytics/clicks";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
const OFFICE = "203.0.113.7";
const NEWS = "https://news.example.com/today";
const to = (name: string) => `https://example.com/${name}`;
const rules = [
  { destinationUrl: to("office"), conditions: { addresses: ["203.0.113.0/29"] } },
  { destinationUrl: to("tv"), conditions: { query: [{ name: "src", values: ["tv"] }] } },
  { destinationUrl: to("news"), conditions: { referrers: ["example.com"] } },
];
const leadCapture = {
  enabled: true,
  fields: [{ name: "email", label: "Email", type: "email" as const, required: true }],
};

const visit = (link: Link | string, headers: Record<string, string> = {}) =>
  service.visit(link, { "user-agent": LINUX, [CLIENT_HEADER]: "198.51.100.9", accept: "text/html", ...headers });
const location = async (path: string, headers?: Record<string, string>) =>
  (await visit(path, headers)).headers.get("location");

/** Sends the form of a page as a browser does: to the page's own address, or to the form's action. */
async function send(page: Response, path: string, values: Record<string, string>) {
  const html = await page.text();
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const token = /name="([^"]+)" value="([^"]+)"/.exec(html);
  const { pathname, search } = new URL(action, service.url + path);
  const hidden = token ? { [token[1] ?? ""]: token[2] ?? "" } : {};
  return {
    path: pathname + search,
    reply: await fetch(service.url + pathname + search, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ ...hidden, ...values }),
      headers: {
        ...{ "user-agent": LINUX, [CLIENT_HEADER]: "198.51.100.9", accept: "text/html", host: service.host },
        referer: service.url + path,
      },
    }),
  };
}

async function newestClick(): Promise<ClickDetail> {
  await waitUntilDrained(service.service);
  const { token } = ada;
  const list = await service.call<ClickPage>("GET", `${home}/analytics/clicks?limit=1`, { token });
  const path = `${home}/analytics/clicks/${list.body.clicks[0]?._id}`;
  return (await service.call<ClickDetail>("GET", path, { token })).body;
}

beforeAll(async () => {
  await service.createLink(ada, { slug: "asked", defaultUrl: to("default"), rules });
  await service.createLink(ada, { slug: "guarded", defaultUrl: to("default"), rules, password: "sesame" });
  await service.createLink(ada, { slug: "form", defaultUrl: to("default"), rules, leadCapture });
});

describe("a click", () => {
  test("stores only the query values that rules test, and explains the decision", async () => {
    expect(await location("/asked?mail=a%40b.example&src=tv&src=radio&pw=secret")).toStartWith(to("tv?"));
    const { why } = await newestClick();
    expect(why).toMatchObject({ isSame: true, route: { kind: "rule", ruleIndex: 1 } });
    expect(why.ruleTrace[1]?.conditions[0]).toMatchObject({
      field: "query",
      actual: [
        { name: "src", value: "tv" },
        { name: "src", value: "" },
      ],
      matched: true,
    });
  });

  test("stores which network the address is in, but not the address", async () => {
    expect(await location("/asked", { [CLIENT_HEADER]: OFFICE })).toBe(to("office"));
    const { why } = await newestClick();
    expect(why).toMatchObject({ isSame: true, route: { ruleIndex: 0 } });
    expect(why.ruleTrace[0]?.conditions[0]).toMatchObject({ actual: ["203.0.113.0/29"], matched: true });
    const [row] = await service.sql`select clicks::text as kept from clicks order by id desc limit 1`;
    expect(row?.kept).not.toContain(OFFICE);
  });

  test("stores the referring host", async () => {
    expect(await location("/asked", { referer: NEWS })).toBe(to("news"));
    expect((await newestClick()).why).toMatchObject({ isSame: true, route: { ruleIndex: 2 } });
  });

  test("that matches no rule stores none of these", async () => {
    expect(await location("/asked?src=print")).toBe(to("default?src=print"));
    const { why } = await newestClick();
    expect(why).toMatchObject({ isSame: true, route: { kind: "default" } });
    expect(why.ruleTrace.map(({ conditions }) => conditions[0]?.actual)).toEqual([
      [],
      [{ name: "src", value: "" }],
      "direct",
    ]);
  });
});

describe("the referring page is remembered across", () => {
  test("a password form, even after a wrong attempt", async () => {
    const page = await visit("/guarded?a=1", { referer: NEWS });
    expect(page.status).toBe(403);
    const wrong = await send(page, "/guarded?a=1", { password: "wrong" });
    expect(wrong.reply.status).toBe(403);
    const { reply } = await send(wrong.reply, wrong.path, { password: "sesame" });
    expect([reply.status, reply.headers.get("location")]).toEqual([302, to("news?a=1")]);
    expect(await newestClick()).toMatchObject({ referrer: "news.example.com", why: { isSame: true } });
  });

  test("a password form after a direct visit, which has none", async () => {
    const { reply } = await send(await visit("/guarded"), "/guarded", { password: "sesame" });
    expect(reply.headers.get("location")).toBe(to("default"));
    expect((await newestClick()).referrer).toBeUndefined();
  });

  test("a password, and not the page of someone who shared the form's address", async () => {
    const shared = "/guarded?wm_referrer=https%3A%2F%2Fnews.example.com&b=1";
    for (const referrer of ["https://mail.invalid", undefined]) {
      const page = await visit(shared, referrer === undefined ? {} : { referer: `${referrer}/inbox` });
      const { reply } = await send(page, shared, { password: "sesame" });
      expect(reply.headers.get("location")).toBe(to("default?b=1"));
      expect((await newestClick()).referrer).toBe(referrer?.replace("https://", ""));
    }
  });

  test("a lead form", async () => {
    const page = await visit("/form", { referer: NEWS });
    expect(page.status).toBe(200);
    const { reply } = await send(page, "/form", { email: "ada@example.com" });
    expect([reply.status, reply.headers.get("location")]).toEqual([303, to("news")]);
  });
});

test("resolve accepts a query and a referrer, and passes the query on", async () => {
  const resolve = async (facts: Record<string, string>) => {
    const query = new URLSearchParams({ domain: service.host, slug: "asked", ...facts });
    return (await service.call("GET", `/api/v1/resolve?${query}`)).body.destinationUrl;
  };
  expect(await resolve({ query: "src=tv" })).toBe(to("tv?src=tv"));
  expect(await resolve({ referrer: "News.example.com" })).toBe(to("news"));
  expect(await resolve({ referrer: "direct" })).toBe(to("default"));
});

test("an international host is the same in letters and as browsers send it", async () => {
  const conditions = { referrers: ["Bücher.example"] };
  const link = await service.createLink(ada, {
    defaultUrl: to("default"),
    rules: [{ destinationUrl: to("books"), conditions }],
  });
  expect(await location(`/${link.slug}`, { referer: "https://www.xn--bcher-kva.example/a" })).toBe(to("books"));
  expect(await location(`/${link.slug}`, { referer: "https://xn--bcher-kva.invalid/" })).toBe(to("default"));
  for (const referrer of ["https://shop.bücher.example:8443/a", "BÜCHER.example", "xn--bcher-kva.example"]) {
    const preview = await service.call<LinkPreview>("POST", `${home}/links/preview`, {
      token: ada.token,
      body: { slug: link.slug, referrer },
    });
    expect([referrer, preview.body.route.destinationUrl]).toEqual([referrer, to("books")]);
    const query = new URLSearchParams({ domain: service.host, slug: link.slug, referrer });
    const resolved = await service.call("GET", `/api/v1/resolve?${query}`);
    expect([referrer, resolved.body.destinationUrl]).toEqual([referrer, to("books")]);
  }
});

describe("400", () => {
  test.each([
    [{ addresses: ["203.0.113.0/33"] }, "addresses[0]: expected an IP address or a network like 203.0.113.0/24"],
    [{ addresses: ["10.1"] }, "addresses[0]: expected an IP address or a network like 203.0.113.0/24"],
    [{ referrers: ["https://x.example/"] }, "referrers[0]: expected a host name like news.example.com, or direct"],
    [{ query: [{ name: "PW" }] }, "query[0].name: this parameter is reserved"],
    [{ query: [{ value: "tv" }] }, "query[0].value: there is no such field; did you mean values?"],
    [{ after: "2026-02-30" }, "after: expected a valid date from 1970 to 9999"],
  ])("%j", async (conditions, fault) => {
    const body = { defaultUrl: to("x"), rules: [{ destinationUrl: to("y"), conditions }] };
    const reply = await service.call<{ details: string[] }>("POST", `${home}/links`, { token: ada.token, body });
    expect(reply.status).toBe(400);
    expect(reply.body.details.join()).toContain(`rules[0].conditions.${fault}`);
  });
});
