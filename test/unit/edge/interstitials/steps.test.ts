import { expect, test } from "bun:test";
import type { StepsPage } from "@/core/routing/link";
import { nextStep, type Stage } from "@/edge/interstitials/steps";

const page = (over: Partial<StepsPage>): StepsPage => ({ kind: "steps", lead: null, cta: null, pixels: [], ...over });
const everything = page({ lead: {}, cta: {} });
const person: Stage = {
  page: null,
  hasAnswered: false,
  isNavigation: true,
  offersApp: false,
  handsOff: false,
  firesPixels: false,
};

test.each<[string, Partial<Stage>, ReturnType<typeof nextStep>]>([
  ["nothing in the way", {}, null],
  ["the form before all else", { page: everything, offersApp: true, handsOff: true, firesPixels: true }, "lead"],
  ["the form before whoever shows no pages", { page: everything, isNavigation: false }, "lead"],
  ["after the form the call to action", { page: everything, hasAnswered: true }, "cta"],
  [
    "after the form nothing for whoever shows no pages",
    { page: everything, hasAnswered: true, isNavigation: false },
    null,
  ],
  [
    "the call to action, which takes the token along",
    { page: page({ cta: {} }), offersApp: true, handsOff: true },
    "cta",
  ],
  ["the app before its store", { offersApp: true, handsOff: true }, "in_app"],
  ["the store before pixels alone, which its page fires", { handsOff: true, firesPixels: true }, "hand_off"],
  ["pixels alone", { firesPixels: true }, "pixels"],
  [
    "none but the form for whoever shows no pages",
    { page: page({ cta: {} }), isNavigation: false, offersApp: true, handsOff: true, firesPixels: true },
    null,
  ],
])("%s", (_, over, expected) => {
  expect(nextStep({ ...person, ...over })).toBe(expected);
});
