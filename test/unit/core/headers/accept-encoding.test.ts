import { expect, test } from "bun:test";
import { acceptsCoding } from "@/core/headers/accept-encoding";

test.each([
  ["gzip, deflate, br", true, true],
  ["GZIP;q=0.001", true, false],
  ["deflate, br;q=1.0", false, true],
  ["*", true, true],
  ["*;q=0, gzip", true, false],
  ["gzip;q=0, *", false, true],
  ["gzip; q=0.000, br;q=0", false, false],
  ["identity", false, false],
  ["x-gzip, brotli", false, false],
  ["", false, false],
  [null, false, false],
])("%p accepts gzip: %p, br: %p", (header, gzip, br) => {
  expect([acceptsCoding(header, "gzip"), acceptsCoding(header, "br")]).toEqual([gzip, br]);
});
