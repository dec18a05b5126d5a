/** What browsers and crawlers request from a custom domain on their own: its icon, and robots.txt. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startTestService } from "@test/support/service";
import type { BioPage } from "@/contract/links/bio-pages";

const HOST = "go.acme.test";
const service = await startTestService({ env: { SHORT_DOMAIN: "wm.example" } });
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const domainId = await addDomain(service, ada.orgId, { hostname: HOST });

const at = (path: string, init: RequestInit = {}, host = HOST) =>
  fetch(service.url + path, { ...init, headers: { host, ...init.headers } });
const change = async <Body>(method: string, path: string, body?: object) =>
  (await service.call<Body>(method, home + path, { token: ada.token, body })).body;
const addPage = (slug: string) => change<BioPage>("POST", "/bio-pages", { title: "Acme", slug, domainId });

/** Returns the rules of robots.txt for all crawlers that are not named. */
async function rules(): Promise<string[]> {
  const lines = (await (await at("/robots.txt")).text()).split("\n");
  return lines.slice(lines.indexOf("User-agent: *") + 1, -1);
}

describe("robots.txt", () => {
  test("allows link previewers everything, and other crawlers nothing while there is no bio page", async () => {
    const response = await at("/robots.txt");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const text = await response.text();
    expect(text).toEndWith("\nAllow: /\n\nUser-agent: *\nDisallow: /\n");
    expect(text).toContain("User-agent: Twitterbot\n");
  });

  test("allows existing bio pages, and the root while it shows one", async () => {
    const images = ["icons", "images"].map((name) => `Allow: /.well-known/waymark/${name}/`);
    const beside = [...images, "Allow: /favicon.ico$", "Disallow: /"];
    const page = await addPage("Über-uns");
    expect(await rules()).toEqual(["Allow: /%C3%9Cber-uns$", ...beside]);
    await change("PATCH", `/domains/${domainId}`, { redirects: { root: { bioPageId: page._id } } });
    expect(await rules()).toEqual(["Allow: /$", "Allow: /%C3%9Cber-uns$", ...beside]);
    await change("PATCH", `/domains/${domainId}`, { redirects: null });
    await change("DELETE", `/bio-pages/${page._id}`);
    expect(await rules()).toEqual(["Disallow: /"]);
  });

  test("answers 304 for its ETag, has no body for HEAD, and refuses other methods", async () => {
    const etag = (await at("/robots.txt")).headers.get("etag") ?? "";
    expect((await at("/robots.txt", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect(await (await at("/robots.txt", { method: "HEAD" })).text()).toBe("");
    expect((await at("/robots.txt", { method: "POST" })).status).toBe(405);
  });

  test("exists only on custom domains", async () => {
    for (const host of ["wm.example", "nobody.example"]) expect((await at("/robots.txt", {}, host)).status).toBe(404);
  });
});

describe("favicon.ico", () => {
  test("returns the icon of the domain's organization, and 404 on other hosts", async () => {
    const icon = await at("/favicon.ico");
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/png"]);
    const own = await at(`/api/v1/public/app-icons/organizations/${ada.orgId}`, {}, "localhost");
    expect(await icon.bytes()).toEqual(await own.bytes());
    for (const host of ["wm.example", "nobody.example"]) expect((await at("/favicon.ico", {}, host)).status).toBe(404);
  });
});
