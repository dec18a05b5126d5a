/** Slugs at the limits of alphabet and length, through every way to create and look them up. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { readPicture } from "@test/support/browser/qr-reader";
import { rawGet } from "@test/support/raw-http/raw-http";
import { type Reply, startTestService } from "@test/support/service";
import type { BioPage } from "@/contract/links/bio-pages";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";

const HOST = "go.wide.example";
const service = await startTestService();
const { call } = service;
const ada = await service.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;
const apiKey = await service.createApiKey(ada, ["links:write", "qr:read"]);
const domainId = await addDomain(service, orgId, { hostname: HOST });
await service.sql`update domains set app_config = '{"ios": {"teamId": "A1B2C3D4E5", "bundleId": "com.acme"}}'
  where id = ${domainId}`;

const api = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  call<Body>(method, `${home}/${path}`, { token, body });

/** Requests the path exactly as written and returns the status. */
const statusAt = async (path = "") =>
  (await rawGet(service.service.port, path, [`Host: ${HOST}`, "Accept: text/html"])).status;

/** Each slug with its path in short URLs, and other forms in which clients write that path. */
const SLUGS: [slug: string, path: string, ...others: string[]][] = [
  ["a+b", "/a+b", "/a%2Bb", "/A%2bB", "//a+b/"],
  ["C++", "/C++", "/c%2B%2B", "/c+%2b/"],
  ["+1", "/+1", "/%2B1"],
  ["~ada", "/~ada", "/%7Eada", "/~ADA/"],
  ["~", "/~", "/%7e"],
  ["Go!", "/Go!", "/go%21", "/GO!/"],
  ["!!", "/!!", "/%21!"],
  ["v1.0_rc-2", "/v1.0_rc-2", "/V1%2E0%5FRC%2D2"],
  ["-._~+!", "/-._~+!", "/%2D%2E%5F%7E%2B%21"],
  ["x".repeat(190), `/${"x".repeat(190)}`, `/${"X".repeat(190)}/`],
  ["\u6771".repeat(190), `/${"%E6%9D%B1".repeat(190)}`, `/${"%e6%9d%b1".repeat(190)}`],
  ["\u00e9".repeat(190), `/${"%C3%A9".repeat(190)}`, `/${"e%CC%81".repeat(190)}`, `/${"E%CC%81".repeat(190)}`],
];

const shortened = SLUGS.map(([slug, ...paths]) => ({ name: slug.slice(0, 12), slug, paths }));

const WAYS: [way: string, create: (inputs: object[]) => Promise<Link[]>][] = [
  ["a creation", eachOf((input) => api<Link>("POST", "links", input))],
  ["an API key", eachOf((input) => call<Link>("POST", "/api/v1/links", { apiKey, body: input }))],
  ["an external id", eachOf((input, place) => api<Link>("PUT", `links/by-external-id/wide-${place}`, input))],
  ["a bulk creation", async (links) => (await api<{ created: Link[] }>("POST", "links/bulk", { links })).body.created],
];

function eachOf(create: (input: object, place: number) => Promise<Reply<Link>>) {
  return (inputs: object[]) => Promise.all(inputs.map(async (input, place) => (await create(input, place)).body));
}

describe("links", () => {
  test.each(WAYS)(
    "created by %s keep their slugs as given, also behind prefixes with special characters",
    async (way, create) => {
      const pathPrefix = way.replace("an ", "+").replace("a ", "~").replaceAll(" ", "!");
      const inputs = shortened.map(({ slug }) => ({ defaultUrl: "https://example.com/", domainId, pathPrefix, slug }));
      const made = await create(inputs);
      expect(made.map(({ slug }) => slug)).toEqual(SLUGS.map(([slug]) => slug));
      const paths = SLUGS.map(([, path]) => `/${pathPrefix}${path}`);
      expect(made.map(({ shortUrl }) => new URL(shortUrl).pathname)).toEqual(paths);
      const escaped = encodeURIComponent(pathPrefix).replaceAll("!", "%21");
      for (const path of [paths[0], `/${escaped}${SLUGS[0]?.[1]}`]) expect(await statusAt(path)).toBe(302);
    },
  );

  test.each(shortened)("$name is found in every spelling", async ({ slug, paths }) => {
    const input = { defaultUrl: "https://example.com/", domainId, pathPrefix: "any", slug };
    const { body: link } = await api<Link>("POST", "links", input);
    for (const path of paths) expect([path, await statusAt(`/any${path}`)]).toEqual([path, 302]);
    const query = new URLSearchParams({ domain: HOST, slug, pathPrefix: "any" });
    expect((await call("GET", `/api/v1/resolve?${query}`)).status).toBe(200);
    const seen = await api<LinkPreview>("POST", "links/preview", { shortUrl: link.shortUrl });
    expect([seen.status, seen.body.link?._id]).toEqual([200, link._id]);
    const { body } = await api<{ qrCodeDataUrl: string }>("GET", `links/${link._id}/qrcode?width=1024`);
    const read = await readPicture(Buffer.from(body.qrCodeDataUrl.split(",")[1] ?? "", "base64"));
    expect(read).toBe(link.shortUrl);
  });
});

describe("bio pages", () => {
  test.each(shortened)("$name works as a slug, and is excluded from app links", async ({ slug, paths }) => {
    const { status } = await api<BioPage>("POST", "bio-pages", { title: "Page", slug, domainId, links: [] });
    expect(status).toBe(200);
    for (const path of paths) expect([path, await statusAt(path)]).toEqual([path, 200]);
    const file = await service.visit("/.well-known/apple-app-site-association", { host: HOST });
    const { applinks } = JSON.parse(await file.text());
    expect(applinks.details[0].components).toContainEqual({ "/": paths[0], exclude: true });
    expect(await (await service.visit("/robots.txt", { host: HOST })).text()).toContain(`Allow: ${paths[0]}$\n`);
  });
});
