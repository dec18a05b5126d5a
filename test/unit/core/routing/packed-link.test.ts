import { describe, expect, test } from "bun:test";
import type { LinkDefinition } from "@/core/routing/link";
import { packLink, unpackLink } from "@/core/routing/packed-link";

const plain: LinkDefinition = {
  id: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e",
  number: 7,
  version: 3,
  orgVersion: 1,
  orgId: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0f",
  title: null,
  shortUrl: "https://go.example.com/x",
  defaultUrl: "https://example.com/landing",
  rules: [],
  splitTargets: [],
  deepLinkPayload: null,
  utm: null,
  marketing: null,
  app: null,
  expiredUrl: null,
  social: null,
  appendClickId: false,
  page: null,
  gate: {
    isActive: true,
    isDomainVerified: true,
    isUnsafe: false,
    startsAt: null,
    expiresAt: null,
    maxClicks: null,
    passwordHash: null,
  },
};

const rich: LinkDefinition = {
  ...plain,
  title: "Überraschung 漢字",
  rules: [{ priority: 1, destinationUrl: "https://example.com/de", conditions: { countries: ["DE"] } }],
  splitTargets: [{ key: "a", destinationUrl: "https://example.com/a", weight: 2 }],
  deepLinkPayload: { product: { id: 1, tags: ["x", null] } },
  utm: { source: "mail" },
  marketing: { referralCode: "r", appendToDestination: true },
  app: {
    ios: { bundleId: "com.example", appStoreId: "123" },
    android: { packageName: "com.example" },
    fallback: "web",
  },
  expiredUrl: null,
  social: { title: "Ausverkauf 🦊", imageUrl: "https://example.com/a.png" },
  appendClickId: true,
  page: null,
  gate: { ...plain.gate, isActive: false, startsAt: 1, expiresAt: 2, maxClicks: 3, passwordHash: "$argon2id$x" },
};

const bioPage: LinkDefinition = {
  ...plain,
  splitTargets: [{ key: "a", label: "Ours", destinationUrl: "https://example.com/a", weight: 0, isActive: true }],
  page: {
    kind: "bio",
    bio: "Zwei\nZeilen",
    theme: { preset: "dark", accent: "#ffb300" },
    items: [
      { key: "a", title: "Ours", url: "https://example.com/a", icon: "shop", isActive: true },
      { key: "b", title: "Linked", linkId: "link", linkUrl: "https://go.example.com/b", isActive: false },
    ],
  },
};

const { id, orgId, shortUrl } = plain;
const nothingKnown = { id: "", orgId: "", shortUrl: "" };

describe.each([
  ["when its ids and its short URL are known", { id, orgId, shortUrl }],
  ["when they are not", nothingKnown],
])("%s", (_, known) => {
  test.each([
    ["as most are", plain],
    ["with everything", rich],
    ["that is a bio page", bioPage],
  ])("a link %s unpacks to the same link", (_, definition) => {
    expect(unpackLink(packLink(definition, known), known)).toEqual(definition);
  });
});

test("a typical packed link contains only what distinguishes it from others", () => {
  expect(JSON.parse(packLink(plain, { id, orgId, shortUrl })).slice(1)).toEqual([7, 3, "https://example.com/landing"]);
  expect(JSON.parse(packLink(plain, nothingKnown)).slice(1)).toEqual([
    ...["0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e", 7, 3, "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0f"],
    ...["https://go.example.com/x", "https://example.com/landing"],
  ]);
});

test("a missing field unpacks to its usual value", () => {
  const { expiredUrl: _, ...lacking } = plain;
  expect(unpackLink(packLink(lacking as LinkDefinition, nothingKnown), nothingKnown)).toEqual(plain);
});

test("unpacking a link does not change a link unpacked before", () => {
  const known = { id, orgId, shortUrl };
  const [one, other] = [unpackLink(packLink(plain, known), known), unpackLink(packLink(rich, known), known)];
  expect([one, other]).toEqual([plain, rich]);
});
