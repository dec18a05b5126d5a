/** Whatever of a response is cached between visits would be the same for any other visitor within that second. */
import { describe, expect, test } from "bun:test";
import { routeTo } from "@/core/routing/route";
import { answerText } from "@/lane/answer";

const URL = "https://example.com/";
const NOON = Date.UTC(2026, 5, 10, 12);
const written = Promise.resolve(true);
const route = routeTo(URL, URL, {});

const answer = (now: number, { location = URL, isLast = false, by = route } = {}) =>
  String(answerText({ route: by, location, written }, now, isLast));
const told = (location: string, date: string, ending = "") =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nCache-Control: private, no-store\r\n` +
  `Referrer-Policy: no-referrer-when-downgrade\r\nx-robots-tag: noindex\r\n${ending}` +
  `Date: Wed, 10 Jun 2026 ${date} GMT\r\nContent-Length: 0\r\n\r\n`;

test("a response has the date of the second in which it is sent", () => {
  const other = routeTo("https://example.com/other", "https://example.com/other", {});
  for (const [after, date] of [
    [0, "12:00:00"],
    [999, "12:00:00"],
    [1_000, "12:00:01"],
    [0, "12:00:00"],
  ] as const) {
    expect(answer(NOON + after)).toBe(told(URL, date));
    expect(answer(NOON + after, { by: other, location: other.url })).toBe(told(other.url, date));
  }
});

test("another location or a closed connection for one visitor does not affect the next", () => {
  const elsewhere = "https://example.com/?utm_source=mail";
  for (const _ of [1, 2]) {
    expect(answer(NOON)).toBe(told(URL, "12:00:00"));
    expect(answer(NOON, { location: elsewhere })).toBe(told(elsewhere, "12:00:00"));
    expect(answer(NOON, { isLast: true })).toBe(told(URL, "12:00:00", "Connection: close\r\n"));
  }
});

describe("JSON for apps", () => {
  const toldJson = (text: string, length: number, date: string, ending = "") =>
    "HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\nAccess-Control-Allow-Origin: *\r\n" +
    `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n${ending}` +
    `Date: Wed, 10 Jun 2026 ${date} GMT\r\nContent-Length: ${length}\r\n\r\n${text}`;

  test.each([
    ["for all", '{"title":"a"}', 13, true],
    ["for one visitor", '{"title":"a"}', 13, false],
    ["beyond ASCII", '{"title":"ü€"}', 17, true],
  ])("%s, it has its length in bytes and the date of its second", (_, text, length, isForAll) => {
    const json = { text, isForAll };
    const at = (after: number, isLast = false) => String(answerText({ json, written }, NOON + after, isLast));
    for (const [after, date] of [
      [0, "12:00:00"],
      [999, "12:00:00"],
      [1_000, "12:00:01"],
    ] as const) {
      expect(at(after)).toBe(toldJson(text, length, date));
      expect(at(after, true)).toBe(toldJson(text, length, date, "Connection: close\r\n"));
      expect(at(after)).toBe(toldJson(text, length, date));
    }
  });
});
