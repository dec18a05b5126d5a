/** The error messages for failed requests to another service's API. */
import { describe, expect, test } from "bun:test";
import { type AskParts, ask, noList } from "@/modules/imports/api/ask";
import { OutboundError } from "@/platform/outbound/error";
import type { OutboundAnswer } from "@/platform/outbound/outbound";

const asking = (isUsualAddress: boolean, request: () => Promise<OutboundAnswer>): AskParts => ({
  ...{ outbound: { request }, clock: () => 0, title: "Dub", signal: new AbortController().signal, isUsualAddress },
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
