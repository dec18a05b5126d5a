import { describe, expect, test } from "bun:test";
import { DomainInput } from "@/contract/domains";
import { checkHostname, comparedHostname, hostnameOf } from "@/core/names/hostname";

describe("a host name is normalized", () => {
  test.each([
    ["go.acme.com", "go.acme.com"],
    ["Go.ACME.Com", "go.acme.com"],
    ["go.acme.com.", "go.acme.com"],
    [" go.acme.com ", "go.acme.com"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.DE", "xn--mnchen-3ya.de"],
    ["mu\u0308nchen.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["straße.de", "xn--strae-oqa.de"],
    ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
    ["go。acme。com", "go.acme.com"],
    ["1.example", "1.example"],
    ["a-b.c-d.com", "a-b.c-d.com"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
  ])("%p becomes %p", (written, hostname) => {
    expect(checkHostname(written)).toEqual({ ok: true, hostname });
  });
});

describe("an invalid host name is refused with the reason", () => {
  test.each([
    ["https://go.acme.com", "scheme"],
    ["HTTP://go.acme.com/", "scheme"],
    ["go.acme.com/path", "path"],
    ["go.acme.com?x=1", "path"],
    ["go.acme.com#top", "path"],
    ["go.acme.com:443", "port"],
    ["go.acme.com:", "port"],
    ["*.acme.com", "wildcard"],
    ["192.0.2.1", "IP address"],
    ["0x7f.1", "IP address"],
    ["2130706433", "IP address"],
    ["127.1", "IP address"],
    ["１２７.0.0.1", "IP address"],
    ["[2001:db8::1]", "IP address"],
    ["2001:db8::1", "IP address"],
    ["::1", "IP address"],
    ["localhost", "two labels"],
    ["com", "two labels"],
    ["", "host name"],
    [".", "host name"],
    ["go..acme.com", "host name"],
    [".acme.com", "host name"],
    ["go.acme.com..", "host name"],
    ["-go.acme.com", "host name"],
    ["go-.acme.com", "host name"],
    ["_dmarc.acme.com", "host name"],
    ["go_to.acme.com", "host name"],
    [`${"a".repeat(64)}.com`, "host name"],
    ["xn--a.com", "host name"],
    ["user@acme.com", "characters"],
    ["go acme.com", "characters"],
    ["go.acme.com\n.evil.com", "characters"],
    ["go%2eacme.com", "characters"],
    ["go.acme.com\\evil", "characters"],
    ["<go>.acme.com", "characters"],
    ["go\u0001.acme.com", "host name"],
    ["\u202ego.acme.com", "host name"],
    [`${"a.".repeat(121)}com`, "longer"],
  ])("%p", (written, reason) => {
    const checked = checkHostname(written);
    expect(checked.ok).toBe(false);
    if (!checked.ok) expect(checked.fault).toContain(reason);
  });

  test("one too long for its DNS record", () => {
    const labels = `${"a".repeat(60)}.`.repeat(4);
    expect(checkHostname(labels)).toMatchObject({ ok: true });
    expect(checkHostname(`b.${labels}`)).toMatchObject({ ok: false });
  });
});

test("the host of a request is compared without port, trailing dot and case", () => {
  expect(["GO.acme.com:8443", "go.acme.com.", "go.acme.com.:80"].map(comparedHostname)).toEqual(
    new Array(3).fill("go.acme.com"),
  );
});

test("the host of an origin has no port and no brackets", () => {
  expect(["https://go.acme.com:8443", "http://[::1]:3000"].map(hostnameOf)).toEqual(["go.acme.com", "::1"]);
});

test("the longest host name is as long as the API's contract says", () => {
  const max = DomainInput.properties.hostname.maxLength ?? 0;
  const ofLength = (length: number) => `${"a.".repeat(100)}${"b".repeat(length - 204)}.com`;
  expect(ofLength(max)).toHaveLength(max);
  expect(checkHostname(ofLength(max)).ok).toBe(true);
  expect(checkHostname(ofLength(max + 1)).ok).toBe(false);
});
