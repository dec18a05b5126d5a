/**
 * Requests that no browser sends: they still get a response, which is never an error of the server and has no header
 * of the sender's.
 */
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { type RawReply, rawGet, sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { port } = service.service;
const ada = await service.register();
const link = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "known", pathPrefix: "a" });
const HOST = `Host: ${service.host}`;

function expectBorne(reply: RawReply): void {
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(500);
  expect(reply.headers.map(([name]) => name)).not.toContain("x-evil");
  expect(reply.headers.map(([name]) => name)).not.toContain("set-cookie");
}

test("the valid link used by the tests below redirects", async () => {
  expect(new URL(link.shortUrl).pathname).toBe("/a/known");
  expect((await rawGet(port, "/a/known", [HOST])).status).toBe(302);
});

test.each(["evil.com/a?b", "a b", "[", "evil.com:99999", ""])(
  "a page is refused under the host %j as well when another page referred the visit",
  async (host) => {
    expectBorne(
      await rawGet(port, "/known", [`Host: ${host}`, "Accept: text/html", "Referer: https://news.example.com/"]),
    );
  },
);

describe("a path", () => {
  const targets: [name: string, target: string, status: number][] = [
    ["with a broken escape", "/%zz", 400],
    ["with half an escape", "/a/known%", 400],
    ["with an escaped slash", "/a%2Fknown", 400],
    ["with an escaped NUL", "/a/known%00", 400],
    ["that is a NUL", "/%00", 400],
    ["with an escaped line break", "/known%0d%0aX-Evil:%201", 404],
    ["with escapes that are no UTF-8", "/%ff%fe", 400],
    ["with an overlong escape of a slash", "/%c0%af", 400],
    ["with an escaped lone surrogate", "/%ed%a0%80", 400],
    ["of escaped dots", "/%2e%2e/%2e%2e/etc/passwd", 404],
    ["of dots", "/../../etc/passwd", 404],
    ["with a backslash, which is a slash", "/a\\known", 302],
    ["of slashes", "////", 400],
    ["with two hundred segments", `/${"a/".repeat(200)}`, 404],
    ["with a thousand segments", `/${"a/".repeat(1000)}`, 400],
    ["with a slug of 600 letters", `/${"a".repeat(600)}`, 400],
    ["with a bar and braces", "/|{}^`", 404],
    ["that is a URL", "/https://evil.example/", 404],
    ["with another host behind it", "//evil.example/known", 404],
    ["of a prototype's member", "/__proto__", 404],
    ["of another member", "/constructor", 404],
    ["of a template", "/$%7B7*7%7D", 404],
    ["of SQL", "/'%20or%20'1'='1", 404],
    ["with a fragment", "/a/known#x", 404],
    ["with a semicolon", "/a/known;x=1", 404],
  ];

  test.each(targets)("%s (%s) returns %i", async (_, target, status) => {
    const reply = await rawGet(port, target, [HOST, "Accept: application/json"]);
    expectBorne(reply);
    expect([target.slice(0, 60), reply.status]).toEqual([target.slice(0, 60), status]);
  });

  test.each([8_000, 20_000, 100_000])("of %i characters is refused", async (length) => {
    const reply = await rawGet(port, `/${"a".repeat(length)}`, [HOST]);
    expectBorne(reply);
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });

  test("with a query of 12,000 characters redirects or returns 414 or 431", async () => {
    const reply = await rawGet(port, `/a/known?${"a".repeat(12_000)}=1`, [HOST]);
    expectBorne(reply);
    expect([302, 414, 431]).toContain(reply.status);
  });

  test("with raw bytes beyond ASCII returns a 4xx", async () => {
    for (const bytes of ["\xc3\xa4", "\xff\xfe", "a\x80b"]) {
      const request = `GET /${bytes} HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`;
      const reply = await sendRaw(port, Buffer.from(request, "latin1"));
      expectBorne(reply);
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
  });

  test("in absolute form redirects or is refused, without a server error", async () => {
    for (const target of [`http://${service.host}/a/known`, `HTTP://${service.host.toUpperCase()}/a/known`]) {
      const reply = await rawGet(port, target, [HOST]);
      expectBorne(reply);
      expect([302, 400]).toContain(reply.status);
    }
    expectBorne(await rawGet(port, "http://evil.example/a/known", [HOST]));
    expectBorne(await rawGet(port, "ftp://x", [HOST]));
    expectBorne(await rawGet(port, "*", [HOST]));
    expectBorne(await rawGet(port, "a/known", [HOST]));
  });

  test("cannot inject a header into the response through its query", async () => {
    for (const query of ["a=%0d%0aX-Evil:%201", "a=%0aSet-Cookie:%20a=b", "a=\u2028", "%0d%0a%0d%0a<h1>"]) {
      const reply = await rawGet(port, `/a/known?${query}`, [HOST]);
      expectBorne(reply);
      const location = reply.headers.find(([name]) => name === "location")?.[1] ?? "";
      expect([reply.status, /^[\x21-\x7e]+$/.test(location)]).toEqual([302, true]);
    }
  });
});

describe("a host", () => {
  const hosts: [name: string, lines: string[]][] = [
    ["that goes on as a path and a query", ["Host: evil.com/a?b"]],
    ["with a user name", [`Host: user@${service.host}`]],
    ["with a fragment", ["Host: evil.com#x"]],
    ["with a space", ["Host: evil .com"]],
    ["that is empty", ["Host:"]],
    ["that is a dot", ["Host: ."]],
    ["with a port that is none", ["Host: localhost:99999"]],
    ["with a port of letters", ["Host: localhost:abc"]],
    ["with a negative port", ["Host: localhost:-1"]],
    ["with brackets open", ["Host: [::1"]],
    ["that is an IPv6 address", ["Host: [::1]:80"]],
    ["with an escape", ["Host: evil%2ecom"]],
    ["with quotes", ['Host: "localhost"']],
    ["with angle brackets", ["Host: <script>"]],
    ["with a backslash", ["Host: evil\\com"]],
    ["with a tab", ["Host: evil\tcom"]],
    ["of 300 characters", [`Host: ${"a".repeat(300)}.com`]],
    ["of 8,000 characters", [`Host: ${"a".repeat(8000)}`]],
    ["of emoji", ["Host: \u{1f98a}.example"]],
    ["of punycode that is none", ["Host: xn--\u{ff}.example"]],
    ["named twice", [HOST, "Host: evil.example"]],
    ["that is absent", []],
  ];

  test.each(hosts)("%s causes no server error on any kind of path", async (_, lines) => {
    for (const target of ["/a/known", "/", "/health", "/api/v1/auth/me", "/api/v1/resolve?domain=a&slug=b", "/%zz"]) {
      expectBorne(await rawGet(port, target, lines));
    }
  });

  test.each([
    ["the same host twice", [HOST, HOST]],
    ["another host second", [HOST, "Host: evil.example"]],
    ["another host first", ["Host: evil.example", HOST]],
    ["an empty host second", [HOST, "Host:"]],
    ["an empty host first", ["Host:", HOST]],
    ["two empty hosts", ["Host:", "host:"]],
  ])("named twice (%s) gets 400, whatever is asked for", async (_, lines) => {
    const statuses = await Promise.all(
      ["/a/known", "/none", "/", "/health", "/api/v1/auth/me", "/api/v1/resolve?domain=a&slug=b", "/docs"].map(
        async (target) => (await rawGet(port, target, lines)).status,
      ),
    );
    expect(statuses).toEqual(statuses.map(() => 400));
  });

  test("of another domain does not serve this domain's links", async () => {
    // In development, the machine's own names and addresses also serve the shared domain's links.
    const isOfMachine = (line = "") => /^Host: (?:localhost:\d+|\[::1\]:80)$/.test(line);
    for (const [, lines] of hosts.slice(0, 20).filter(([, [line]]) => !isOfMachine(line))) {
      expect((await rawGet(port, "/a/known", lines)).headers.map(([name]) => name)).not.toContain("location");
    }
  });
});

describe("a request", () => {
  test.each([
    ["of HTTP/1.0", `GET /a/known HTTP/1.0\r\n${HOST}\r\n\r\n`],
    ["of HTTP/1.0 without a host", "GET /a/known HTTP/1.0\r\n\r\n"],
    ["of an unknown method", `BREW /a/known HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`],
    ["to trace", `TRACE /a/known HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`],
    ["to connect", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nConnection: close\r\n\r\n"],
    ["with a body on GET", `GET /a/known HTTP/1.1\r\n${HOST}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
    [
      "with two lengths",
      `POST /a/known HTTP/1.1\r\n${HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab`,
    ],
    [
      "with length and chunks",
      `POST /a/known HTTP/1.1\r\n${HOST}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    ],
    [
      "with a header of 20 KB",
      `GET /a/known HTTP/1.1\r\n${HOST}\r\nUser-Agent: ${"a".repeat(20_000)}\r\nConnection: close\r\n\r\n`,
    ],
    [
      "with a header that folds",
      `GET /a/known HTTP/1.1\r\n${HOST}\r\nUser-Agent: a\r\n b\r\nConnection: close\r\n\r\n`,
    ],
  ])("%s is answered or refused", async (_, request) => {
    const reply = await sendRaw(port, request);
    expect(reply.status).toBeLessThan(500);
    expect(reply.headers.map(([name]) => name)).not.toContain("x-evil");
  });

  test("with odd headers redirects or returns 400", async () => {
    for (const line of [
      "User-Agent: \x01\x02",
      "User-Agent: \xff\xfe",
      "Accept-Language: ,,,;q=,*;q=9,\u{1f98a}",
      `Accept-Language: ${"en,".repeat(2000)}`,
      "Referer: javascript:alert(1)",
      "Referer: not a url",
      "X-Forwarded-For: 1.2.3.4, ::::",
      "Sec-Purpose: ;;;",
      "Accept: \x7f",
      "Cookie: a=b; a=c",
    ]) {
      const request = `GET /a/known HTTP/1.1\r\n${HOST}\r\n${line}\r\nConnection: close\r\n\r\n`;
      const reply = await sendRaw(port, Buffer.from(request, "latin1"));
      expect([302, 400]).toContain(reply.status);
    }
  });
});

test("a form that breaks off halfway does not disturb the server", async () => {
  const leadCapture = { enabled: true };
  await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "form", leadCapture });
  const head = `POST /form HTTP/1.1\r\n${HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99`;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${head}\r\n\r\nemail=`);
  // After three more responses, the server has begun to read the request, and later has seen its connection close.
  for (let others = 0; others < 3; others++) await rawGet(port, "/a/known", [HOST]);
  socket.destroy();
  for (let others = 0; others < 3; others++) await rawGet(port, "/a/known", [HOST]);
});

test("after all that, the service is healthy and has logged no warning or error", async () => {
  expect((await rawGet(port, "/a/known", [HOST])).status).toBe(302);
  expect((await service.call("GET", "/health")).body).toMatchObject({ status: "ok" });
  const bad = service
    .logged()
    .split("\n")
    .filter((line) => /"level":"(error|warn)"/.test(line));
  expect(bad).toEqual([]);
});
