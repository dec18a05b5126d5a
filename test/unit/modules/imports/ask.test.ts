/** The error messages for failed requests to another service's API. */
import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type AskParts, ask, noList } from "@/modules/imports/api/ask";
import { OutboundError } from "@/platform/outbound/error";
import type { OutboundAnswer } from "@/platform/outbound/outbound";

const NOW = Date.UTC(2026, 0, 31, 12);
const inTwoMinutes = new Date(NOW + 120_000);

const asking = (isUsualAddress: boolean, request: () => Promise<OutboundAnswer>): AskParts => ({
  ...{ outbound: { request }, clock: () => NOW, title: "Dub", signal: new AbortController().signal, isUsualAddress },
  access: { apiKey: "k", baseUrl: "https://api.dub.co" },
});

const answered = (status: number) => async () =>
  ({ status, headers: new Headers(), body: new Uint8Array() }) as OutboundAnswer;

const request = { path: "/links", headers: {} };

test.each([
  ["in JSON is its own", '{"type": "not-found"}', true],
  ["in other text may be that of a proxy", "404 page not found", false],
])("a 404 %s", async (_, text, isSaid) => {
  const body = new TextEncoder().encode(text);
  const parts = asking(true, async () => ({ ...(await answered(404)()), body }));
  expect(await ask(parts, request)).toEqual({
    ...{ isGone: true, isSaid, waitMs: null, fault: "Dub responded with status 404" },
  });
});

describe("a response that a proxy has compressed", () => {
  const text = JSON.stringify({ links: ["é"] });
  const packed = (encoding: string, body: Uint8Array) =>
    asking(true, async () => ({
      ...(await answered(200)()),
      headers: new Headers({ "content-encoding": encoding }),
      body,
    }));
  const unusable = { waitMs: null, fault: "Dub returned a compressed response that cannot be unpacked" };

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["Identity", (body: string) => Buffer.from(body)],
  ])("with %s is read", async (encoding, pack) => {
    expect(await ask(packed(encoding, pack(text)), request)).toEqual({ body: JSON.parse(text) });
  });

  test.each([
    ["is cut off", "gzip", gzipSync(text).subarray(0, 20)],
    ["would fill the memory", "gzip", gzipSync(Buffer.alloc(9 * 2 ** 20))],
    ["is of another kind", "zstd", Buffer.from(text)],
  ])("and %s is asked for again", async (_, encoding, body) => {
    expect(await ask(packed(encoding, body), request)).toEqual(unusable);
  });
});

describe("a limit of requests is waited for", () => {
  const limited = { fault: "Dub allows no more requests for now", isLimited: true as const };
  const refusing = (status: number, text: string, headers: Record<string, string> = {}) =>
    asking(true, async () => ({
      ...(await answered(status)()),
      ...{ headers: new Headers(headers), body: new TextEncoder().encode(text) },
    }));

  test.each<[what: string, status: number, text: string, headers: Record<string, string>, waitMs: number | null]>([
    ["as many seconds as it says", 429, "", { "retry-after": "90" }, 90_000],
    ["until the time that it says", 429, "", { "retry-after": inTwoMinutes.toUTCString() }, 120_000],
    ["until then in Unix time", 429, "", { "retry-after": `${Number(inTwoMinutes) / 1_000}` }, 120_000],
    ["until then in milliseconds, as Dub says it", 429, "", { "retry-after": `${Number(inTwoMinutes)}` }, 120_000],
    ["at least a second after a time that is past", 429, "", { "retry-after": `${NOW - 5_000}` }, 1_000],
    ["though it says nothing", 429, "slow down", {}, null],
    ["though it refuses the key at the same time", 403, '{"message":"RATE_LIMIT_EXCEEDED"}', {}, null],
    ["of a month, too", 403, '{"message":"MONTHLY_RATE_LIMIT_EXCEEDED"}', {}, null],
  ])("%s", async (_, status, text, headers, waitMs) => {
    expect(await ask(refusing(status, text, headers), request)).toEqual({ ...limited, waitMs });
  });

  test("but not a key that it refuses", () =>
    expect(ask(refusing(403, '{"message":"FORBIDDEN"}'), request)).rejects.toThrow(
      "credentials.apiKey: Dub refuses it (403)",
    ));
});

describe("an error blames the address only if it was specified", () => {
  test.each([
    [true, "Dub answers that there is no such list (404)"],
    [false, "credentials.baseUrl: there is no API of Dub at it (404)"],
  ])("no list, at the usual address: %p", async (isUsual, sentence) => {
    const parts = asking(isUsual, answered(404));
    expect(await ask(parts, request)).toMatchObject({ isGone: true });
    expect(noList(parts).message).toBe(sentence);
  });

  test.each([
    [true, "Dub redirects the request (302), and the key is for its own address alone"],
    [false, "credentials.baseUrl: it redirects (302); use the address that it leads to"],
  ])("a redirect, at the usual address: %p", (isUsual, sentence) =>
    expect(ask(asking(isUsual, answered(302)), request)).rejects.toThrow(sentence),
  );

  test.each([
    [true, "Dub cannot be reached: its host has a private network address here"],
    [false, "credentials.baseUrl: must not be a private network address"],
  ])("a private network, at the usual address: %p", (isUsual, sentence) => {
    const refused = () => Promise.reject(new OutboundError("not_public", "10.0.0.1"));
    return expect(ask(asking(isUsual, refused), request)).rejects.toThrow(sentence);
  });
});
