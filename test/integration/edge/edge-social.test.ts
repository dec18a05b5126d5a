/** How a link looks where it is shared: a page for unfurlers, the redirect for everyone else. */
import { describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { FIREFOX } from "@test/support/forms";
import { UNFURLERS } from "@test/support/routing-cases/user-agents/unfurlers";
import { startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { Link, LinkInput } from "@/contract/links/links";
import { cardImageUrl } from "@/platform/images/card-image";

const SHORT_DOMAIN = "go.example.com";
const env = { SHORT_DOMAIN, APP_SECRET: "one secret for both, of enough length" };
const service = await startTestService({ env });
const other = await startTestService({ env: { ...env, DATABASE_URL: service.databaseUrl } });
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/page?a=1&b=2";
const TWITTERBOT = "Twitterbot/1.0";
const social = { title: "20% off", description: "Until Sunday", imageUrl: "https://cdn.example.com/sale.png?w=1&h=2" };

const create = (input: Partial<LinkInput> = {}) => service.createLink(ada, { defaultUrl, social, ...input });
const send = (body: unknown, method = "POST", path = links) =>
  service.call<Link>(method, path, { token: ada.token, body });
const patch = ({ _id }: Link, body: unknown) => send(body, "PATCH", `${links}/${_id}`);

async function seen(link: Pick<Link, "slug">, userAgent = TWITTERBOT, init: RequestInit & { at?: string } = {}) {
  const { at = service.url, ...request } = init;
  const headers = { host: SHORT_DOMAIN, "user-agent": userAgent, accept: "text/html", ...request.headers };
  const response = await fetch(`${at}/${link.slug}`, { redirect: "manual", ...request, headers });
  const html = await response.text();
  return { status: response.status, location: response.headers.get("location"), html, headers: response.headers };
}

/** Reads the tags of a page as programs do: by name, with their text unescaped. */
async function tagsOf(html: string): Promise<Record<string, string>> {
  const tags: Record<string, string> = {};
  const rewriter = new HTMLRewriter().on("meta", {
    element(meta) {
      const name = meta.getAttribute("property") ?? meta.getAttribute("name");
      if (name && /^(?:og|twitter):/.test(name)) tags[name] = unescaped(meta.getAttribute("content") ?? "");
    },
  });
  await rewriter.transform(new Response(html)).text();
  return tags;
}
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#34;", '"').replaceAll("&amp;", "&");

const imageOf = ({ _id, shortUrl }: Link, url = social.imageUrl) => cardImageUrl({ id: _id, shortUrl }, url);
const card = (link: Link) => ({
  "og:type": "website",
  "og:url": link.shortUrl,
  "og:title": social.title,
  "og:description": social.description,
  "og:image": imageOf(link),
  "twitter:card": "summary_large_image",
  "twitter:title": social.title,
  "twitter:description": social.description,
  "twitter:image": imageOf(link),
});

describe("a link with a card", async () => {
  const link = await create({ slug: "card", title: "Ours" });

  test.each(UNFURLERS)("shows its card to %s with the User-Agent %s", async (_, userAgent) => {
    const page = await seen(link, userAgent, { headers: { accept: "*/*" } });
    expect([page.status, page.location]).toEqual([200, null]);
    expect(await tagsOf(page.html)).toEqual(card(link));
  });

  test("is a small page without scripts that is neither cached nor indexed", async () => {
    const { headers, html } = await seen({ slug: "card?ref=1" });
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html.length).toBeLessThan(8_192);
    expect(html).not.toContain("<script");
    expect((await tagsOf(html))["og:url"]).toBe(link.shortUrl);
    expect(html).toContain(`href="https://example.com/page?a=1&amp;b=2&amp;ref=1"`);
  });

  test("has no body for HEAD", async () => {
    const { status, location, html } = await seen(link, TWITTERBOT, { method: "HEAD" });
    expect([status, location, html]).toEqual([200, null, ""]);
  });

  test.each([
    ["a person", FIREFOX],
    ["a search engine", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
    ["a program", "curl/8.7.1"],
    ["nobody", ""],
  ])("redirects %s", async (_, userAgent) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, location } = await seen(link, userAgent, { method });
      expect([status, location]).toEqual([302, defaultUrl]);
    }
  });

  test("counts an unfurler as a bot", async () => {
    const counted = await create();
    await seen(counted);
    await seen(counted, FIREFOX);
    await waitUntilDrained(service.service);
    const rows = await service.sql`select is_bot from clicks where link_id = ${counted._id} order by is_bot`;
    expect(rows.map(({ is_bot }) => is_bot)).toEqual([false, true]);
  });
});

test("a link without a card redirects unfurlers", async () => {
  const link = await create({ social: null, title: "Ours" });
  for (const [, userAgent] of UNFURLERS) expect((await seen(link, userAgent)).location).toBe(defaultUrl);
});

describe("a card may lack", () => {
  test.each<[string, Partial<LinkInput>, Record<string, string>]>([
    [
      "the image",
      { social: { title: "Sale", description: "All" } },
      {
        ...{ "og:title": "Sale", "twitter:title": "Sale" },
        ...{ "og:description": "All", "twitter:description": "All" },
      },
    ],
    [
      "a description that is blank",
      { title: "Ours", social: { description: " ", title: "Sale" } },
      { "og:title": "Sale", "twitter:title": "Sale" },
    ],
    [
      "the title, then it has the link's",
      { title: "Ours", social: { description: "All" } },
      {
        ...{ "og:title": "Ours", "twitter:title": "Ours" },
        ...{ "og:description": "All", "twitter:description": "All" },
      },
    ],
  ])("%s", async (_, input, expected) => {
    const link = await create(input);
    expect(await tagsOf((await seen(link)).html)).toEqual({
      ...{ "og:type": "website", "og:url": link.shortUrl, "twitter:card": "summary" },
      ...expected,
    });
  });

  test("any title, then its short URL serves as the title", async () => {
    const link = await create({ social: { imageUrl: social.imageUrl } });
    expect(await tagsOf((await seen(link)).html)).toMatchObject({
      "og:title": `${SHORT_DOMAIN}/${link.slug}`,
      "twitter:card": "summary_large_image",
    });
  });
});

test("markup in a card is escaped", async () => {
  const evil = `"><script>alert(1)</script>'&lt;b&gt;`;
  const link = await create({
    social: { title: evil, description: `${evil}\nline`, imageUrl: `https://example.com/${evil}` },
  });
  const { html } = await seen(link);
  expect(html).not.toContain("<script");
  const tags = await tagsOf(html);
  expect([tags["og:title"], tags["twitter:title"], tags["og:description"]]).toEqual([evil, evil, `${evil}\nline`]);
  expect(tags["og:image"]).toBe(imageOf(link, link.social?.imageUrl));
});

describe("whatever blocks a link hides its card, too:", () => {
  test.each<[string, Partial<LinkInput>, number]>([
    ["its end", { expiresAt: "2020-01-01T00:00:00Z" }, 410],
    ["its beginning", { startsAt: "2099-01-01T00:00:00Z" }, 404],
    ["its switch", { isActive: false }, 404],
    ["its password", { password: "open sesame" }, 403],
  ])("%s", async (_, input, status) => {
    const page = await seen(await create(input));
    expect(page.status).toBe(status);
    expect(page.html).not.toContain(social.title);
    expect(page.html).not.toContain(social.description);
  });

  test("a verdict that it is unsafe", async () => {
    const link = await create();
    await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${link._id}`;
    expect((await seen(link)).status).toBe(403);
  });

  test("but not a form or a call to action", async () => {
    const link = await create({ leadCapture: { enabled: true }, ctaOverlay: { enabled: true, message: "Look" } });
    expect(await tagsOf((await seen(link)).html)).toEqual(card(link));
    expect((await seen(link, FIREFOX)).html).toContain("<form");
  });

  test("and not the destination behind a form, to which its link leads", async () => {
    const link = await create({ leadCapture: { enabled: true } });
    const { html } = await seen(link);
    expect(html).not.toContain("example.com/page");
    expect(html).toContain(`href="${link.shortUrl}"`);
  });

  test("but not a password that the unfurler sends; the visit does not count towards maxClicks", async () => {
    const link = await create({ password: "open sesame", maxClicks: 1 });
    const headers = { "x-link-password": "open sesame" };
    expect(await tagsOf((await seen(link, TWITTERBOT, { headers })).html)).toEqual(card(link));
    expect((await seen(link, FIREFOX, { headers })).status).toBe(302);
    expect((await seen(link, TWITTERBOT, { headers })).status).toBe(410);
  });
});

describe("a change", () => {
  test("replaces the whole card, and null clears it, on every server, and the revisions list both", async () => {
    const link = await create();
    expect(link.social).toEqual(social);
    const there = async () => (await tagsOf((await seen(link, TWITTERBOT, { at: other.url })).html))["og:title"];
    await eventually(there, social.title);
    const changed = await patch(link, { social: { title: "Sale" } });
    expect(changed.body.social).toEqual({ title: "Sale" });
    expect(await tagsOf((await seen(link)).html)).toEqual({
      ...{ "og:type": "website", "og:url": link.shortUrl, "og:title": "Sale" },
      ...{ "twitter:card": "summary", "twitter:title": "Sale" },
    });
    await eventually(there, "Sale");
    expect((await patch(link, { title: "Ours" })).body.social).toEqual({ title: "Sale" });
    expect((await patch(link, { social: null })).body).not.toContainKey("social");
    expect((await seen(link)).location).toBe(defaultUrl);
    await eventually(async () => (await seen(link, TWITTERBOT, { at: other.url })).location, defaultUrl);
    const history = await service.call<{ revisions: { changes: unknown[] }[] }>(
      "GET",
      `${links}/${link._id}/revisions`,
      { token: ada.token },
    );
    expect(history.body.revisions.map(({ changes }) => changes).slice(0, 3)).toEqual([
      [{ field: "social", from: { title: "Sale" }, to: null }],
      [{ field: "title", from: null, to: "Ours" }],
      [{ field: "social", from: social, to: { title: "Sale" } }],
    ]);
  });

  test("applies to many links in bulk", async () => {
    const made = [await create(), await create({ social: null })];
    const changes = { social: { title: "All" } };
    await send({ ids: made.map(({ _id }) => _id), changes }, "PATCH", `${links}/bulk`);
    for (const link of made) expect((await tagsOf((await seen(link)).html))["og:title"]).toBe("All");
  });

  test("to an empty card is stored, and the link redirects", async () => {
    const link = await create();
    for (const empty of [{}, { title: "", description: " " }]) {
      expect((await patch(link, { social: empty })).body.social).toEqual(empty);
      expect((await seen(link)).location).toBe(defaultUrl);
    }
  });
});

describe("400", () => {
  test.each<[string, unknown, string]>([
    ["no object", "Sale", "social"],
    ["a title that is no text", { title: 5 }, "social.title"],
    ["a title of 256 characters", { title: "a".repeat(256) }, "social.title"],
    ["a description of 1,001 characters", { description: "a".repeat(1001) }, "social.description"],
    ["an image that is a script", { imageUrl: "javascript:alert(1)" }, "social.imageUrl"],
    ["an image by a path", { imageUrl: "/sale.png" }, "social.imageUrl"],
    ["an image with a password", { imageUrl: "https://ada:secret@example.com/a.png" }, "social.imageUrl"],
    ["an image without a URL", { imageUrl: "" }, "social.imageUrl"],
  ])("%s", async (_, given, field) => {
    expectFailure(await send({ defaultUrl, social: given }), 400, [field]);
  });
});
