import { beforeEach, describe, expect, test } from "bun:test";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";

const service = await startTestService({ env: { TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" } });
const { visit } = service;
const ada = await service.register();
const PASSWORD = "öpen & sesame+1";
const link = await service.createLink(ada, {
  defaultUrl: "https://example.com/?a=1",
  slug: "guarded",
  password: PASSWORD,
});
/** Each test uses a new visitor, because wrong attempts are limited by address. */
const json = { accept: "application/json", "x-client": "" };
let visitors = 0;
beforeEach(() => {
  visitors += 1;
  json["x-client"] = `192.0.2.${visitors}`;
});
const encoded = encodeURIComponent(PASSWORD);

const post = (body: string | FormData, headers: Record<string, string> = {}, path = "/guarded") =>
  fetch(service.url + path, { method: "POST", redirect: "manual", headers: { ...json, ...headers }, body });
const form = (fields: Record<string, string>, path?: string) =>
  post(new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded" }, path);
const outcome = async (response: Response) =>
  response.status === 302
    ? response.headers.get("location")
    : `${response.status} ${Object(await response.json()).error}`;

const REQUIRED = "403 This link requires a password";
const WRONG = "403 The password is incorrect";

describe("403", () => {
  test("without a password, as a form for browsers and as JSON", async () => {
    const page = await visit(link, { accept: "text/html" });
    const html = await page.text();
    expect(page.status).toBe(403);
    expect(html).toContain('<form method="post">');
    expect(html).toContain('<input id="password" name="password" type="password"');
    expect(html).toContain('<label for="password">');
    expect(page.headers.get("content-security-policy")).toContain("form-action http: https:");
    expect(await outcome(await visit(link, json))).toBe(REQUIRED);
    expect((await fetch(link.shortUrl, { method: "HEAD" })).status).toBe(403);
  });

  test("with an error in the form after a wrong password", async () => {
    const page = await visit("/guarded?pw=wrong", { accept: "text/html" });
    expect([page.status, (await page.text()).includes('role="alert"')]).toEqual([403, true]);
  });

  test.each([
    ["empty", "", REQUIRED],
    ["wrong", "wrong", WRONG],
    ["in another case", PASSWORD.toUpperCase(), WRONG],
    ["with a space at its end", `${PASSWORD} `, WRONG],
    ["cut short", PASSWORD.slice(0, -1), WRONG],
    ["far too long", "a".repeat(3000), WRONG],
    ["with a NUL byte", `${PASSWORD}\0`, WRONG],
  ])("password %s, in the query or in the form", async (_, password, expected) => {
    expect(await outcome(await visit(`/guarded?pw=${encodeURIComponent(password)}`, json))).toBe(expected);
    expect(await outcome(await form({ password }))).toBe(expected);
    expect(await outcome(await form({}, `/guarded?pw=${encodeURIComponent(password)}`))).toBe(expected);
  });

  test("for a password behind a second question mark, which is not read as a password", async () => {
    expect(await outcome(await visit(`/guarded??pw=${encoded}`, json))).toBe(REQUIRED);
  });

  test("for a wrong password in the header, even with the correct one in the query", async () => {
    const response = await visit(`/guarded?pw=${encoded}`, { ...json, "x-link-password": "wrong" });
    expect(await outcome(response)).toBe(WRONG);
  });

  test.each([
    ["JSON", JSON.stringify({ password: PASSWORD }), "application/json"],
    ["plain text", `password=${encoded}`, "text/plain"],
    ["no type", `password=${encoded}`, ""],
    ["a field of another name", `pass=${encoded}`, "application/x-www-form-urlencoded"],
    ["a form of 300 KB", `x=${"a".repeat(300_000)}&password=${encoded}`, "application/x-www-form-urlencoded"],
  ])("for a POST of %s", async (_, body, type) => {
    expect(await outcome(await post(body, { "content-type": type }))).toBe(REQUIRED);
  });
});

describe("302", () => {
  test("for a password in the query, which is not passed to the destination", async () => {
    for (const name of ["pw", "password"]) {
      const response = await visit(`/guarded?b=2&${name}=${encoded}&c=3`, json);
      expect(await outcome(response)).toBe("https://example.com/?a=1&b=2&c=3");
    }
  });

  test("for a password in the header", async () => {
    const plain = await service.createLink(ada, { defaultUrl: "https://example.com/", password: "plain words" });
    expect(await outcome(await visit(plain, { ...json, "x-link-password": "plain words" }))).toBe(
      "https://example.com/",
    );
  });

  test("for a password in the header in any script, in UTF-8 and as fetch writes it", async () => {
    const port = Number(new URL(service.url).port);
    const [umlauts, script] = ["öpen ßesame", "開けゴマ"];
    const links = await Promise.all(
      [umlauts, script].map((password) => service.createLink(ada, { defaultUrl: "https://example.com/", password })),
    );
    for (const [index, password] of [umlauts, script].entries()) {
      const { slug } = links[index] ?? {};
      const lines = [`Host: ${service.host}`, `X-Client: ${json["x-client"]}`, `X-Link-Password: ${password}`];
      const request = `GET /${slug} HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(port, request)).status).toBe(302);
    }
    expect((await visit(`/${links[0]?.slug}`, { ...json, "x-link-password": umlauts })).status).toBe(302);
  });

  test.each([
    ["composed", "NFC", "NFD"],
    ["decomposed", "NFD", "NFC"],
  ] as const)("for a password that was set %s, however the visitor's keyboard writes it", async (_, setAs, sentAs) => {
    const [text, defaultUrl] = ["Grüße từ Hà Nội", "https://example.com/"];
    const { slug } = await service.createLink(ada, { defaultUrl, password: text.normalize(setAs) });
    const path = `/${slug}`;
    expect(await outcome(await form({ password: text.normalize(sentAs) }, path))).toBe(defaultUrl);
    expect(await outcome(await form({ password: text.normalize(setAs) }, path))).toBe(defaultUrl);
    expect(await outcome(await form({ password: "Gruße tu Ha Noi" }, path))).toBe(WRONG);
  });

  test("for a password whose hash is of its decomposed form, as earlier releases stored it", async () => {
    const password = "Grüße".normalize("NFD");
    const old = await service.createLink(ada, { defaultUrl: "https://example.com/", password: "replaced below" });
    const hash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
    const path = `/api/v1/organizations/${ada.orgId}/links/${old._id}`;
    await service.sql`update links set password_hash = ${hash} where id = ${old._id}`;
    expect((await service.call("PATCH", path, { token: ada.token, body: { title: "Old" } })).status).toBe(200);
    expect(await outcome(await form({ password }, `/${old.slug}`))).toBe("https://example.com/");
  });

  test("for the longest password, whose characters take two units each", async () => {
    const password = "🦊".repeat(128);
    const long = await service.createLink(ada, { defaultUrl: "https://example.com/", password });
    expect(await outcome(await form({ password }, `/${long.slug}`))).toBe("https://example.com/");
    expect(await outcome(await form({ password: `${password}🦊` }, `/${long.slug}`))).toBe(WRONG);
  });

  test("for a password in the form, which keeps the query of the short URL", async () => {
    expect(await outcome(await form({ password: PASSWORD }))).toBe("https://example.com/?a=1");
    expect(await outcome(await form({ password: PASSWORD }, "/guarded?utm_source=x"))).toBe(
      "https://example.com/?a=1&utm_source=x",
    );
    expect(await outcome(await form({ password: PASSWORD }, "/Guarded/?pw=wrong"))).toBe("https://example.com/?a=1");
  });

  test("for HEAD as for GET", async () => {
    const response = await fetch(`${service.url}/guarded?pw=${encoded}`, { method: "HEAD", redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "https://example.com/?a=1"]);
  });

  test("a changed password applies from the next visit, and the old one is refused", async () => {
    const changing = await service.createLink(ada, { defaultUrl: "https://example.com/", password: "first one" });
    const path = `/api/v1/organizations/${ada.orgId}/links/${changing._id}`;
    const by = async (password: string) => outcome(await visit(`/${changing.slug}?pw=${password}`, json));
    expect(await by("first+one")).toBe("https://example.com/");
    await service.call("PATCH", path, { token: ada.token, body: { password: "second one" } });
    expect([await by("first+one"), await by("second+one")]).toEqual([WRONG, "https://example.com/"]);
    await service.call("PATCH", path, { token: ada.token, body: { password: null } });
    expect(await outcome(await visit(changing, json))).toBe("https://example.com/");
  });

  test("by a form that was open when the password was removed", async () => {
    const opened = await service.createLink(ada, { defaultUrl: "https://example.com/", password: "no longer" });
    const path = `/api/v1/organizations/${ada.orgId}/links/${opened._id}`;
    expect(await outcome(await visit(opened, json))).toBe(REQUIRED);
    await service.call("PATCH", path, { token: ada.token, body: { password: null } });
    const sent = await form({ password: "no longer" }, `/${opened.slug}?a=1`);
    expect(await outcome(sent)).toBe("https://example.com/?a=1");
    expect((await form({ unrelated: "field" }, `/${opened.slug}`)).status).toBe(405);
  });

  test("forty simultaneous visitors are all redirected, although only two hashes run at a time", async () => {
    const fresh = await service.createLink(ada, { defaultUrl: "https://example.com/", password: "for everyone" });
    const visits = Array.from({ length: 40 }, () => visit(`/${fresh.slug}?pw=for+everyone`, json));
    const statuses = (await Promise.all(visits)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([302]));
  });
});

test.each(["PUT", "PATCH", "DELETE"])("405 for %s, even with the password", async (method) => {
  const response = await fetch(`${service.url}/guarded?pw=${encoded}`, { method, redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([405, null]);
});
