import { describe, expect, test } from "bun:test";
import { BioIcon } from "@/edge/pages/bio-icons";
import { letterOf } from "@/pages/brand-header";

test.each([
  ["Acme", "A"],
  ["  éclair", "É"],
  ["e\u0301clair", "E\u0301"],
  ["🦊 fox", "F"],
  ["“7 Days”", "7"],
  ["北京", "北"],
  ["عمر", "ع"],
  ["👩‍🚀", "👩‍🚀"],
  ["\u200b\u2060\ufeff", "•"],
  ["\u200b \u0301", "•"],
  ["\u200b?", "?"],
  ["", ""],
])("%j is shown by %j", (name, letter) => {
  expect(letterOf(name)).toBe(letter);
});

describe("an item's icon", () => {
  test.each([
    ["a service's own, by any way to write it", ["Instagram", "instagram"]],
    ["a service's own, by any way to write it", ["Apple Music", "applemusic"]],
    ["that of a service's new name", ["twitter", "x"]],
    ["a shape of ours", ["e-mail", "mail"]],
  ])("is %s", (_, [name = "", same = ""]) => {
    expect(`${BioIcon({ name })}`).toBe(`${BioIcon({ name: same })}`);
    expect(`${BioIcon({ name })}`).toContain("<svg");
  });

  test("is an escaped letter if there is no drawing for it", () => {
    expect(`${BioIcon({ name: "<b>log" })}`).toBe('<span class="letters" aria-hidden="true">B</span>');
    expect(`${BioIcon({ name: "<" })}`).toContain("&lt;");
  });
});
