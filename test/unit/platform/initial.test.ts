import { describe, expect, test } from "bun:test";
import { accentOf, DEFAULT_ACCENT, drawInitial, initialOf } from "@/platform/images/initial";

describe("initialOf", () => {
  test.each([
    ["Acme", "A"],
    ["acme", "A"],
    ["  «acme»", "A"],
    ["école", "E"],
    ["Ørsted", "Ø"],
    ["łódź", "Ł"],
    ["straße"[4] ?? "", "S"],
    ["ﬁrst", "F"],
    ["9lives", "9"],
    ["Ωμέγα", "Ω"],
    ["άλφα", "Α"],
    ["жук", "Ж"],
    ["йод", "Й"],
    ["հայ", "Հ"],
    ["მზე", "მ"],
    ["שלום", "ש"],
    ["سلام", "س"],
    ["東京 Tower", "T"],
  ])("of %j is %s", (name, initial) => {
    expect(initialOf(name)).toBe(initial);
  });

  test.each(["東京", "서울", "🙂🙃", "", "   ", "\u0000\uffff\ud800", "<&\">'", "‮"])("%j has no initial", (name) => {
    expect(initialOf(name)).toBe("");
  });

  test("only the beginning of a very long name is read", () => {
    expect(initialOf(`${"東".repeat(1_000_000)}A`)).toBe("");
  });
});

describe("accentOf", () => {
  test.each([
    ["#1F4FD8", "#1f4fd8"],
    ["#fA0", "#ffaa00"],
    [undefined, DEFAULT_ACCENT],
    ["", DEFAULT_ACCENT],
    ["red", DEFAULT_ACCENT],
    ["#12345", DEFAULT_ACCENT],
    ['#fff"/><script>', DEFAULT_ACCENT],
  ])("%j is %s", (given, accent) => {
    expect(accentOf(given)).toBe(accent);
  });
});

describe("drawInitial", () => {
  test.each([
    ["#000000", "#ffffff"],
    ["#ffffff", "#000000"],
    ["#1f4fd8", "#ffffff"],
    ["#ffd400", "#000000"],
    ["#777777", "#000000"],
  ])("on %s the letter is %s", (accent, ink) => {
    expect(drawInitial("A", accent)).toContain(`fill="${ink}"`);
  });

  test("a name without a letter gets the mark, and neither it nor a letter uses a font", () => {
    expect(drawInitial("", "#000000")).toMatch(/<path d="M[\d LQZM]+"/);
    expect(drawInitial("A", "#000000")).not.toContain("<text");
  });
});
