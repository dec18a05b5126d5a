import { describe, expect, test } from "bun:test";
import { createAddressCheck } from "@/platform/outbound/addresses";

const classOf = createAddressCheck([]);

const REFUSED: [what: string, ...addresses: string[]][] = [
  ["this network", "0.0.0.0", "0.1.2.3"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
  ["private networks", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
  ["link-local", "169.254.0.1", "169.254.255.255", "fe80::1", "febf::1"],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
  ["metadata services", "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"],
  ["a cloud's host service", "168.63.129.16", "::ffff:168.63.129.16"],
  ["protocol assignments", "192.0.0.1", "192.0.0.170", "192.88.99.1", "2001:1::1", "2001:1ff::1"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  ["reserved and broadcast", "240.0.0.1", "255.255.255.255"],
  ["the unspecified address", "::"],
  ["unique local", "fc00::1", "fdff::1"],
  ["site-local", "fec0::1"],
  ["IPv4 mapped", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "0:0:0:0:0:ffff:7f00:1"],
  ["IPv4 compatible", "::127.0.0.1", "::8.8.8.8"],
  ["IPv4 translated", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1"],
  ["6to4", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1"],
  ["Teredo", "2001::1", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
  ["discard, ORCHID and segment routing", "100::1", "2001:10::1", "2001:20::1", "5f00::1"],
  ["what was never given out", "1000::1", "4000::1", "8000::1", "e000::1"],
  ["zones", "fe80::1%eth0", "::1%lo"],
  ["no addresses at all", "", "localhost", "127.0.0.1 ", "1.2.3.4:80", "[::1]", "٤.٤.٤.٤"],
];

const PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.1"];
const EDGES = ["100.63.255.255", "100.128.0.0", "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.167.1.1"];
const PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001:830::200e", "2001:200::1", "::ffff:8.8.8.8"];

describe("refused", () => {
  for (const [what, ...addresses] of REFUSED) {
    test.each(addresses)(`${what}: %s`, (address) => {
      expect(classOf(address)).toBe("refused");
    });
  }
});

describe("public", () => {
  test.each([...PUBLIC, ...EDGES, ...PUBLIC_V6])("%s", (address) => {
    expect(classOf(address)).toBe("public");
  });
});

describe("allowed by the operator", () => {
  const check = createAddressCheck(["127.0.0.1", "10.1.0.0/16", "fd00:1::/32", "::1"]);

  test.each(["127.0.0.1", "::ffff:127.0.0.1", "10.1.255.255", "::ffff:10.1.0.1", "fd00:1::5", "::1"])(
    "%s",
    (address) => {
      expect(check(address)).toBe("allowed");
    },
  );

  test.each(["127.0.0.2", "10.2.0.1", "fd00:2::5", "::2", "64:ff9b::7f00:1", "::127.0.0.1"])("not %s", (address) => {
    expect(check(address)).toBe("refused");
  });

  test("a setting that is neither an address nor a network is refused immediately", () => {
    expect(() => createAddressCheck(["intranet"])).toThrow();
  });
});
