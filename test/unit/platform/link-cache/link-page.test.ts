import { describe, expect, test } from "bun:test";
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import { servedPageOf } from "@/platform/link-cache/link-page";

const nothing = { leadCapture: null, ctaOverlay: null, retargetingPixels: [] };
/** Returns a value as a row may contain it that was written before shapes were checked. */
const unchecked = <Shape>(json: string): Shape => JSON.parse(json);

test("only enabled parts are shown", () => {
  const leadCapture: LeadCapture = { enabled: true, title: "Sign up" };
  const ctaOverlay: CtaOverlay = { enabled: true };
  const on: RetargetingPixel = { provider: "meta", id: "1" };
  const off: RetargetingPixel = { ...on, isActive: false };
  expect(servedPageOf({ leadCapture, ctaOverlay, retargetingPixels: [on, off] })).toEqual({
    kind: "steps",
    lead: leadCapture,
    cta: ctaOverlay,
    pixels: [on],
  });
  expect(servedPageOf({ ...nothing, ctaOverlay })).toMatchObject({ lead: null, cta: ctaOverlay, pixels: [] });
});

test("blank texts are left out, so that their defaults are shown", () => {
  const fields = [{ name: "email", label: " ", required: true }];
  const leadCapture: LeadCapture = { enabled: true, title: " ", buttonText: "\t", consentText: "", fields };
  const ctaOverlay: CtaOverlay = { enabled: true, message: " ", buttonText: "\u3000", mode: "overlay" };
  expect(servedPageOf({ ...nothing, leadCapture, ctaOverlay })).toEqual({
    kind: "steps",
    lead: { enabled: true, fields: [{ name: "email", required: true }] },
    cta: { enabled: true, mode: "overlay" },
    pixels: [],
  });
});

describe("there is no page for", () => {
  test.each<[string, Parameters<typeof servedPageOf>[0]]>([
    ["nothing", nothing],
    ["what is off", { ...nothing, leadCapture: { enabled: false }, ctaOverlay: {} }],
    ["a form of another shape", { ...nothing, leadCapture: unchecked(`{"enabled":true,"fields":"email"}`) }],
    ["an overlay of another shape", { ...nothing, ctaOverlay: unchecked(`{"enabled":true,"message":5}`) }],
    [
      "a pixel of a provider there is not",
      { ...nothing, retargetingPixels: unchecked(`[{"provider":"x1","id":"1"}]`) },
    ],
    ["a pixel whose id is none", { ...nothing, retargetingPixels: [{ provider: "meta", id: "<script>" }] }],
    ["a pixel that is an empty object", { ...nothing, retargetingPixels: unchecked("[{}]") }],
  ])("%s", (_, columns) => {
    expect(servedPageOf(columns)).toBeNull();
  });
});
