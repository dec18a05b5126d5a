import { describe, expect, test } from "bun:test";
import { operatorCheck } from "@/http/operator";

const TOKEN = "0123456789abcdef0123";

interface Asked {
  peer?: string;
  url?: string;
  headers?: Record<string, string>;
  metricsToken?: string | null;
}

function isOperator({ peer = "127.0.0.1", url = "http://localhost:3000/metrics", headers, metricsToken }: Asked) {
  const settings = { metricsToken: metricsToken ?? null, clientIpHeader: "x-client" };
  const server = { requestIP: () => ({ address: peer, port: 1, family: "IPv4" as const }) };
  return operatorCheck(settings, () => server)(new Request(url, { headers }));
}

const basic = (text: string) => `Basic ${btoa(text)}`;

describe("recognized as the machine itself", () => {
  test.each<[string, Asked]>([
    ["by IPv4", {}],
    ["by another of its loopback addresses", { peer: "127.1.2.3" }],
    ["by IPv6", { peer: "::1", url: "http://[::1]:3000/metrics" }],
    ["by IPv4 mapped into IPv6", { peer: "::ffff:127.0.0.1" }],
    ["by address", { url: "http://127.0.0.1:3000/metrics" }],
    ["by a name below localhost", { url: "http://waymark.localhost/metrics" }],
    ["with a token that is none, where none is needed", { headers: { authorization: "Bearer none" } }],
  ])("%s", (_, asked) => {
    expect(isOperator(asked)).toBe(true);
  });
});

describe("not recognized as the machine itself", () => {
  test.each<[string, Asked]>([
    ["another machine", { peer: "192.0.2.1" }],
    ["another machine by IPv6", { peer: "2001:db8::127" }],
    ["one whose address only looks like it", { peer: "27.0.0.1" }],
    ["nobody known", { peer: "" }],
    ["a trusted proxy on the machine that names its client", { headers: { "x-client": "203.0.113.9" } }],
    ["one that names the machine itself", { headers: { "x-client": "127.0.0.1" } }],
    ["one that names nobody", { headers: { "x-client": "" } }],
    ["any proxy on the machine", { headers: { "x-forwarded-for": "203.0.113.9" } }],
    ["any proxy that says it is one", { headers: { via: "1.1 caddy" } }],
    ["a proxy that passes the name on and nothing else", { url: "https://go.acme.com/metrics" }],
    ["a page whose name resolves to the machine", { url: "http://rebound.evil.example:3000/metrics" }],
    ["a name that only begins like it", { url: "http://127.0.0.1.evil.example/metrics" }],
    ["a name that only ends like it", { url: "http://evillocalhost/metrics" }],
  ])("%s", (_, asked) => {
    expect(isOperator(asked)).toBe(false);
  });
});

describe("a local caller that closes its connection, as nginx does by default", () => {
  const headers = { connection: "close" };

  test("is the operator if no token is configured", () => {
    expect(isOperator({ headers })).toBe(true);
  });

  test.each(["close", "Close", "TE, close"])("needs the token if one is configured (%s)", (connection) => {
    expect(isOperator({ headers: { connection }, metricsToken: TOKEN })).toBe(false);
    const authorization = `Bearer ${TOKEN}`;
    expect(isOperator({ headers: { connection, authorization }, metricsToken: TOKEN })).toBe(true);
  });

  test.each(["keep-alive", "Keep-Alive, TE"])(
    "differs from one that keeps it, which needs no token (%s)",
    (connection) => {
      expect(isOperator({ headers: { connection }, metricsToken: TOKEN })).toBe(true);
    },
  );
});

describe("from another machine", () => {
  const elsewhere = { peer: "192.0.2.1", metricsToken: TOKEN };

  test.each([
    ["the token", `Bearer ${TOKEN}`],
    ["the token under a scheme in small letters", `bearer ${TOKEN}`],
    ["the token as a basic password", basic(`caddy:${TOKEN}`)],
    ["the token as a basic password of nobody", basic(`:${TOKEN}`)],
  ])("%s is enough", (_, authorization) => {
    expect(isOperator({ ...elsewhere, headers: { authorization } })).toBe(true);
  });

  test.each([
    ["another token", "Bearer another-token-of-no-use"],
    ["a token that begins like it", `Bearer ${TOKEN}4`],
    ["a token that it begins with", `Bearer ${TOKEN.slice(0, -1)}`],
    ["the token under another scheme", `ApiKey ${TOKEN}`],
    ["the token as a basic name", basic(`${TOKEN}:`)],
    ["no scheme", TOKEN],
    ["nothing", ""],
  ])("%s is not enough", (_, authorization) => {
    expect(isOperator({ ...elsewhere, headers: { authorization } })).toBe(false);
  });

  test("nothing is enough if no token is configured", () => {
    for (const authorization of ["Bearer null", "Bearer undefined", "Bearer ", basic(":")])
      expect(isOperator({ peer: "192.0.2.1", headers: { authorization } })).toBe(false);
  });
});
