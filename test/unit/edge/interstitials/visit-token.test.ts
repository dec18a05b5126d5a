import { describe, expect, test } from "bun:test";
import { createVisitTokens, type VisitToken } from "@/edge/interstitials/visit-token";
import { openKeys } from "@/platform/keys";

const secret = (letter: string) => letter.repeat(40);
const passesOf = async (appSecret: string, appSecretPrevious: string | null = null) =>
  createVisitTokens(await openKeys({ appSecret, appSecretPrevious, dataDir: "" }));
const passes = await passesOf(secret("a"));

const NOW = Date.UTC(2030, 0, 31, 12);
const HOUR_MS = 3_600_000;
const id = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";
const linkOf = (linkId: string, passwordHash: string | null = null) => ({ id: linkId, gate: { passwordHash } });
const link = linkOf(id);
const pass: VisitToken = { clickId: "0198f2b1-0000-7abc-8def-0123456789ab", visitorKey: "00ff8800aa55c3e1", at: NOW };
const text = passes.make(link, pass);
const routed: VisitToken = { ...pass, route: "00a1b2c3d4ff" };
const routedText = passes.make(link, routed);

test("a visit token returns its visit for an hour", () => {
  expect(passes.read(text, link, NOW)).toEqual(pass);
  expect(passes.read(text, link, NOW + HOUR_MS)).toEqual(pass);
  expect(text).toMatch(/^[\w-]{64}$/);
});

test("a visit token returns the route, if it was made with one", () => {
  expect(passes.read(text, link, NOW)?.route).toBeUndefined();
  expect(passes.read(routedText, link, NOW)).toEqual(routed);
  expect(routedText).toMatch(/^[\w-]{72}$/);
});

test("a visit token stays valid under the previous secret while that is accepted", async () => {
  expect((await passesOf(secret("b"), secret("a"))).read(text, link, NOW)).toEqual(pass);
  expect((await passesOf(secret("b"))).read(text, link, NOW)).toBeNull();
});

describe("a visit token is invalid", () => {
  test.each([
    ["after the hour", text, link, NOW + HOUR_MS + 1],
    ["long before it was made", text, link, NOW - HOUR_MS],
    ["at another link", text, linkOf(id.replace(/e$/, "f")), NOW],
    ["once the link has a password", text, linkOf(id, "$argon2id$one"), NOW],
    ["under another password", passes.make(linkOf(id, "$argon2id$one"), pass), linkOf(id, "$argon2id$two"), NOW],
    ["cut short", text.slice(0, -1), link, NOW],
    ["with something behind it", `${text}A`, link, NOW],
    ["with a route behind it", `${text}AAAAAAAA`, link, NOW],
    ["without its route", routedText.slice(0, -8), link, NOW],
    ["in another alphabet", `${text.slice(0, -1)}+`, link, NOW],
    ["empty", "", link, NOW],
    ["absent", null, link, NOW],
  ])("%s", (_, given, at, now) => {
    expect(passes.read(given, at, now)).toBeNull();
  });

  test.each([text, routedText])("if any of its characters is changed: %s", (given) => {
    for (let at = 0; at < given.length; at++) {
      const other = given[at] === "A" ? "B" : "A";
      expect(passes.read(given.slice(0, at) + other + given.slice(at + 1), link, NOW)).toBeNull();
    }
  });
});
