/** Plain addresses are parsed by hand; the result is the same as the library's. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr, { IPv6 } from "ipaddr.js";
import { mapAddress } from "@/core/networks";

/** Maps an address with the library only. */
function byLibrary(address: string): number | number[] | undefined {
  if (!IPv6.isValid(address)) return undefined;
  const parsed = IPv6.parse(address);
  if (!parsed.isIPv4MappedAddress()) return parsed.toByteArray();
  return parsed.toIPv4Address().octets.reduce((bits, octet) => bits * 256 + octet, 0);
}

const group = fc.oneof(
  fc.constantFrom("", "0", "00", "0000", "ffff", "FFFF", "1", "a1B2", "00001", "g", "1.2.3.4", "1%eth0"),
  fc.nat(0xffff).map((number) => number.toString(16)),
);
const anything = fc.array(group, { minLength: 1, maxLength: 10 }).map((groups) => groups.join(":"));
const mapped = fc.nat(0xffffffff).map((bits) => `::ffff:${(bits >>> 16).toString(16)}:${(bits & 0xffff).toString(16)}`);
const spelled = fc.ipV6().map((address) => (ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address));

test("an IPv6 address is parsed just as by the library", () => {
  fc.assert(
    fc.property(fc.oneof(anything, fc.ipV6(), spelled, mapped), (address) => {
      fc.pre(address.includes(":"));
      expect([address, mapAddress(address)]).toEqual([address, byLibrary(address)]);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  "::",
  "::1",
  "1::",
  ":::",
  "1:",
  ":1",
  "1::2::3",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "1:2:3:4::5:6:7:8",
  "1:2:3:4:5:6:7:8:9",
  "::ffff:192.0.2.1",
  "::ffff:0:192.0.2.1",
  "::ffff:192.0.2",
  "::ffff:192.0.2.01",
  "::ffff:192.0.2.1%eth0",
  "::ffff:c000:201",
  "0:0:0:0:0:ffff:c000:201",
  "fe80::1%eth0",
  "64:ff9b::192.0.2.1",
  "2001:DB8::a",
  "12345::",
])("%s is parsed just as by the library", (address) => expect(mapAddress(address)).toEqual(byLibrary(address)));
