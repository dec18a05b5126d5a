/** What passes for its own key or host without being converted must be what the conversion returns. */
import { expect, test } from "bun:test";
import { formerSlugKey, slugKey } from "@/core/names/slug";
import { isItsOwnKey, normaliseHost } from "@/platform/link-cache/address";

const SHORT_DOMAIN = "go.example.com:8080";

test.each([
  ["go.example.com", "go.example.com"],
  ["GO.Example.com", "go.example.com"],
  ["go.example.com.", "go.example.com"],
  ["go.example.com:443", "go.example.com"],
  ["go.example.com.:443", "go.example.com"],
  [SHORT_DOMAIN, SHORT_DOMAIN],
  ["GO.example.com:8080", SHORT_DOMAIN],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
  ["192.0.2.1", "192.0.2.1"],
  ["localhost:3000", "localhost"],
])("the host %s is %s", (written, host) => {
  expect(normaliseHost(written, SHORT_DOMAIN)).toBe(host);
});

test.each(["spring", "a-b_c.d~e!f+g", "2026", "a/b/spring", "..."])("%s is its own key", (path) => {
  expect(isItsOwnKey(path)).toBe(true);
  expect(slugKey(path)).toBe(path);
  expect(formerSlugKey(path)).toBeNull();
});

test.each(["", "Spring", "a b", "%61", "/a", "a/", "a//b", "straße", "a\0", "a\n"])(
  "%j has to be converted",
  (path) => {
    expect(isItsOwnKey(path)).toBe(false);
  },
);
