import { describe, expect, test } from "bun:test";
import { clientAddress } from "@/platform/client-address";

const PROXY = "10.0.0.1";
const CLIENT = "203.0.113.9";

/** Returns the client's address for a connection from `peer` with these headers. */
function client(peer: string, stated: string | string[] | undefined, trustedProxies = ["10.0.0.0/8"]): string {
  const headers = new Headers();
  for (const value of [stated ?? []].flat()) headers.append("x-forwarded-for", value);
  const addressOf = clientAddress({ trustedProxies, clientIpHeader: "x-forwarded-for" });
  return addressOf(new Request("http://localhost/", { headers }), serverFor(peer));
}

const serverFor = (peer: string) => ({ requestIP: () => ({ address: peer, port: 1, family: "IPv4" as const }) });

describe("a peer that is not a trusted proxy", () => {
  test.each([
    ["states anything", "198.51.100.1", CLIENT],
    ["states a trusted proxy", "198.51.100.1", PROXY],
    ["states a list", "198.51.100.1", `${CLIENT}, ${PROXY}`],
    ["comes by IPv6", "2001:db8::1", CLIENT],
    ["is next to the trusted network", "11.0.0.0", CLIENT],
    ["is no address", "", CLIENT],
  ])("is the client, though it %s", (_, peer, stated) => {
    expect(client(peer, stated)).toBe(peer);
  });

  test("is the client if no proxy is trusted or no header is configured", () => {
    expect(client(PROXY, CLIENT, [])).toBe(PROXY);
    const addressOf = clientAddress({ trustedProxies: [PROXY], clientIpHeader: null });
    const request = new Request("http://localhost/", { headers: { "x-forwarded-for": CLIENT } });
    expect(addressOf(request, serverFor(PROXY))).toBe(PROXY);
  });
});

describe("a trusted proxy states", () => {
  test.each([
    ["one address", CLIENT, CLIENT],
    ["one in IPv6", "2001:db8::7", "2001:db8::7"],
    ["one in capitals", "2001:DB8::A", "2001:db8::a"],
    ["one mapped into IPv6", `::ffff:${CLIENT}`, CLIENT],
    ["one mapped in capitals", `::FFFF:${CLIENT}`, CLIENT],
    ["one mapped in hexadecimal", "::ffff:cb00:7109", CLIENT],
    ["one mapped and written in full", "0:0:0:0:0:FFFF:cb00:7109", CLIENT],
    ["one mapped with all its zeros", `0000:0000:0000:0000:0000:ffff:${CLIENT}`, CLIENT],
    ["the largest, mapped in hexadecimal", "::ffff:ffff:ffff", "255.255.255.255"],
    ["one that only looks mapped", "::ffff:0:cb00:7109", "::ffff:0:cb00:7109"],
    ["one with a port", `${CLIENT}:5678`, CLIENT],
    ["one of IPv6 in brackets", "[2001:db8::7]", "2001:db8::7"],
    ["one of IPv6 with a port", "[2001:db8::7]:443", "2001:db8::7"],
    ["the loopback with a port", "[::1]:80", "::1"],
    ["one mapped with a port", `[::ffff:${CLIENT}]:80`, CLIENT],
    ["one mapped in hexadecimal with a port", "[::ffff:cb00:7109]:80", CLIENT],
    ["one in quotes", `"[2001:db8::7]:443"`, "2001:db8::7"],
    ["one with a zone", "fe80::7%eth0", "fe80::7"],
    ["one among spaces", `  ${CLIENT}\t`, CLIENT],
    ["a list that ends with the client", `198.51.100.1, ${CLIENT}`, CLIENT],
    ["a list that ends with trusted proxies", `198.51.100.1, ${CLIENT}, 10.1.1.1,10.2.2.2`, CLIENT],
    ["trusted proxies with ports", `198.51.100.1, ${CLIENT}:1, 10.1.1.1:2, [::ffff:10.2.2.2]:3`, CLIENT],
    ["trusted proxies alone: the furthest is the client", "10.3.3.3, 10.1.1.1", "10.3.3.3"],
    ["one that is trusted itself", "10.3.3.3", "10.3.3.3"],
  ])("%s", (_, stated, expected) => {
    expect(client(PROXY, stated)).toBe(expected);
  });

  test("the same header twice, which counts as one list", () => {
    expect(client(PROXY, ["198.51.100.1", CLIENT])).toBe(CLIENT);
    expect(client(PROXY, [`198.51.100.1, ${CLIENT}`, "10.1.1.1"])).toBe(CLIENT);
    expect(client(PROXY, [CLIENT, "198.51.100.1, 10.1.1.1"])).toBe("198.51.100.1");
  });

  test("one address over a connection by IPv6, or by IPv4 mapped into it", () => {
    expect(client("2001:db8:aa::1", CLIENT, ["2001:db8:aa::/48"])).toBe(CLIENT);
    expect(client("2001:db8:ab::1", CLIENT, ["2001:db8:aa::/48"])).toBe("2001:db8:ab::1");
    expect(client(`::ffff:${PROXY}`, CLIENT)).toBe(CLIENT);
    expect(client("::ffff:a00:1", CLIENT)).toBe(CLIENT);
    expect(client(PROXY, CLIENT, ["::ffff:10.0.0.0/104"])).toBe(CLIENT);
  });
});

describe("a trusted proxy states something that is not an address:", () => {
  test.each([
    ["text", "not an address"],
    ["nothing", ""],
    ["spaces", "   "],
    ["commas", ",,"],
    ["unknown", "unknown"],
    ["too large a part", "256.1.1.1"],
    ["too few parts", "1.2.3"],
    ["a port alone", ":80"],
    ["a port that is none", `${CLIENT}:http`],
    ["half a bracket", "[2001:db8::7"],
    ["IPv4 in brackets and text", "[1.2.3.4]x"],
    ["a very long text", "1".repeat(10_000)],
    ["very many commas", ",".repeat(10_000)],
  ])("with %s, the proxy is the client", (_, stated) => {
    expect(client(PROXY, stated)).toBe(PROXY);
  });

  test("entries before it do not count, even if they are addresses", () => {
    expect(client(PROXY, `${CLIENT}, unknown`)).toBe(PROXY);
    expect(client(PROXY, `${CLIENT}, `)).toBe(PROXY);
    expect(client(PROXY, `${CLIENT}, not an address, 10.1.1.1`)).toBe("10.1.1.1");
  });

  test("the far end of a very long list of trusted proxies does not count", () => {
    const list = [CLIENT, ...Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)].join(",");
    expect(client(PROXY, list)).toStartWith("10.0.3.");
  });
});

describe("a trusted network", () => {
  test.each([
    ["0.0.0.0/0", "198.51.100.1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::/0", "2001:db8::1", true],
    ["198.51.100.0/31", "198.51.100.1", true],
    ["198.51.100.0/31", "198.51.100.2", false],
    ["198.51.100.1", "198.51.100.1", true],
    ["198.51.100.1", "198.51.100.0", false],
    ["255.255.255.255", "255.255.255.255", true],
    ["128.0.0.0/1", "203.0.113.1", true],
    ["128.0.0.0/1", "127.0.0.1", false],
    ["2001:db8::/33", "2001:db8:7fff::1", true],
    ["2001:db8::/33", "2001:db8:8000::1", false],
    ["2001:db8::1", "2001:db8::1", true],
    ["2001:db8::1", "2001:db8::2", false],
    ["fd00::/8", "fdff::1", true],
    ["fd00::/8", "fc00::1", false],
  ])("%s has %s: %p", (network, peer, isTrusted) => {
    expect(client(peer, CLIENT, [network])).toBe(isTrusted ? CLIENT : peer);
  });
});
