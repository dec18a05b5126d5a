import { describe, expect, test } from "bun:test";
import { rawGet } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, sql, visit } = service;
const ada = await service.register();
const destination = "https://example.com/page";
const link = await service.createLink(ada, { defaultUrl: destination, slug: "Spring" });
const location = async (path: string, headers = {}) => (await visit(path, headers)).headers.get("location");

describe("302", () => {
  test("has exactly these headers and no body", async () => {
    const reply = await rawGet(service.service.port, "/Spring", [`Host: ${service.host}`]);
    expect(reply.status).toBe(302);
    const headers = Object.fromEntries(reply.headers.filter(([name]) => !["date", "connection"].includes(name)));
    expect(headers).toEqual({
      location: destination,
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer-when-downgrade",
      "content-length": "0",
    });
    expect(reply.body).toBe("");
  });

  test("HEAD is answered as GET", async () => {
    const head = await fetch(link.shortUrl, { method: "HEAD", redirect: "manual" });
    expect([head.status, head.headers.get("location"), await head.text()]).toEqual([302, destination, ""]);
  });

  test.each([
    ["as given", "/Spring"],
    ["in lower case", "/spring"],
    ["in capitals", "/SPRING"],
    ["escaped", "/%53pring"],
    ["with a slash at its end", "/spring/"],
    ["with doubled slashes", "//spring//"],
    ["with an empty query", "/spring?"],
    ["through a dot", "/./spring"],
    ["back from another path", "/a/../spring"],
  ])("the address %s reaches the same link", async (_, path) => {
    expect(await location(path)).toBe(destination);
  });

  test("bots are redirected like anyone", async () => {
    expect(await location("/spring", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" })).toBe(
      destination,
    );
    expect(await location("/spring", { "user-agent": "" })).toBe(destination);
  });
});

describe("the query", () => {
  test.each([
    ["is passed on", "a=1&b=2", "https://example.com/page", "https://example.com/page?a=1&b=2"],
    ["joins the destination's", "b=2", "https://example.com/page?a=1", "https://example.com/page?a=1&b=2"],
    ["wins over the destination's", "a=2", "https://example.com/page?a=1&c=3", "https://example.com/page?c=3&a=2"],
    ["stands before the fragment", "a=1", "https://example.com/page#part", "https://example.com/page?a=1#part"],
    ["keeps its spelling", "a=b+c%20d&e=%2F", "https://example.com/page", "https://example.com/page?a=b+c%20d&e=%2F"],
    ["keeps a parameter twice", "a=1&a=2", "https://example.com/page?a=0", "https://example.com/page?a=1&a=2"],
    ["may have no values", "a&b=", "https://example.com/page", "https://example.com/page?a&b="],
    ["loses pw", "pw=secret&a=1", "https://example.com/page", "https://example.com/page?a=1"],
    ["loses password in any case", "Password=secret", "https://example.com/page", "https://example.com/page"],
    ["loses an escaped pw", "%70w=secret", "https://example.com/page", "https://example.com/page"],
    [
      "loses our own parameters",
      "wm_cid=1&WM_x=2&match_token=3",
      "https://example.com/page",
      "https://example.com/page",
    ],
    [
      "cannot start a header",
      "a=%0D%0AX-Evil:%201",
      "https://example.com/page",
      "https://example.com/page?a=%0D%0AX-Evil:%201",
    ],
    ["cannot start a fragment", "a=%23b", "https://example.com/page", "https://example.com/page?a=%23b"],
    ["may hold broken escapes", "a=%zz&b=%", "https://example.com/page", "https://example.com/page?a=%zz&b=%"],
    ["may be odd", "&&=&a=1=2&?x", "https://example.com/page", "https://example.com/page?=&a=1=2&?x"],
  ])("%s", async (_, query, defaultUrl, expected) => {
    const { shortUrl } = await service.createLink(ada, { defaultUrl });
    expect(await location(`${new URL(shortUrl).pathname}?${query}`)).toBe(expected);
  });

  test("takes precedence over UTM and marketing parameters, which never overwrite the destination's", async () => {
    const { slug } = await service.createLink(ada, {
      defaultUrl: "https://example.com/page?utm_medium=own#top",
      utm: { source: "mail", medium: "email", campaign: "a b&c" },
      marketing: { referralCode: "r", promoCode: "p", appendToDestination: true },
    });
    const url = new URL((await location(`/${slug}?utm_source=visit&ref=mine`)) ?? "");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      utm_source: "visit",
      utm_medium: "own",
      utm_campaign: "a b&c",
      ref: "mine",
      promo: "p",
    });
    expect(url.hash).toBe("#top");
  });
});

describe("the click id", () => {
  test("is appended if the organization enables it, is new for each visit, and replaces one the visitor sends", async () => {
    const bob = await service.register();
    await sql`update organizations set settings = '{"appendClickId": true}' where id = ${bob.orgId}`;
    const { slug } = await service.createLink(bob, { defaultUrl: "https://example.com/?wm_cid=old&a=1#top" });
    const urls = [await location(`/${slug}?wm_cid=forged`), await location(`/${slug}`)].map(
      (url) => new URL(url ?? ""),
    );
    for (const url of urls) {
      expect([...url.searchParams.keys()]).toEqual(["a", "wm_cid"]);
      expect(url.searchParams.get("wm_cid")).toMatch(/^[0-9a-f-]{36}$/);
      expect(url.hash).toBe("#top");
    }
    expect(urls[0]?.href).not.toBe(urls[1]?.href);
  });

  test("is absent otherwise", async () => {
    expect(await location("/spring?wm_cid=forged")).toBe(destination);
  });
});

describe("an address without a link", () => {
  test("is a page for browsers and an Error body for requests that accept JSON", async () => {
    for (const accept of ["text/html,application/xhtml+xml;q=0.9", "*/*", "text/html, application/json"]) {
      const page = await visit("/nothing", { accept });
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(await page.text()).toStartWith("<!doctype html>");
    }
    for (const accept of ["application/json", "application/problem+json", "application/json;q=0.9, */*;q=0.1"]) {
      const error = await visit("/nothing", { accept });
      expect([error.status, error.headers.get("content-type")]).toEqual([404, "application/json;charset=utf-8"]);
      expect(await error.json()).toEqual({ error: "This link does not exist" });
    }
  });

  test("the page has no script but the way back, and may be neither framed nor indexed", async () => {
    const page = await visit("/nothing", { accept: "text/html" });
    const html = await page.text();
    const policy = page.headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(html).toContain(`<style nonce="${nonce}">`);
    expect(html.match(/<script[^>]*>/gi)).toEqual([`<script nonce="${nonce}">`]);
    expect(html).toMatch(/<script[^>]*>if\(history\.length>1\)[^<]*<\/script>/);
    expect(html).not.toMatch(/\son\w+=/i);
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const other = await visit("/nothing", { accept: "text/html" });
    expect(other.headers.get("content-security-policy")).not.toBe(policy);
  });

  test("HEAD has the status, no body, and the length that the page has", async () => {
    const ask = (method: string, coding: string) =>
      fetch(`${service.url}/nothing`, { method, headers: { accept: "text/html", "accept-encoding": coding } });
    const [head, page] = [await ask("HEAD", "identity"), await ask("GET", "identity")];
    expect([head.status, await head.text()]).toEqual([404, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(await page.text())));
    // Compressed, each page has its own length, since each has its own nonce.
    expect((await ask("HEAD", "gzip")).headers.get("content-encoding")).toBe("gzip");
  });

  test("a link created at an address that was just visited is served immediately", async () => {
    expect((await visit("/soon")).status).toBe(404);
    await service.createLink(ada, { defaultUrl: destination, slug: "soon" });
    expect((await visit("/soon")).status).toBe(302);
  });
});

describe("methods", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("405 for %s, which records nothing", async (method) => {
    for (const path of ["/spring", "/Spring/"]) {
      const response = await fetch(service.url + path, { method, redirect: "manual" });
      expect([response.status, response.headers.get("allow"), response.headers.get("location")]).toEqual([
        405,
        "GET, HEAD",
        null,
      ]);
    }
  });

  test("reserved paths belong to the API", async () => {
    expect((await call("GET", "/health")).status).toBe(200);
    for (const path of ["/API/V1/auth/me", "/internal/x", "/.well-known/x", "/metrics/x"]) {
      expect((await call("GET", path)).headers.get("content-type")).toStartWith("application/json");
    }
  });
});
