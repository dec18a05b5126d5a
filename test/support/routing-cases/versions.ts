/** OS versions are compared numerically, segment by segment. Both bounds are inclusive. */
import { type ConditionDraft, conditionCase } from "./shape";

const on = (osVersion: string) => ({ platform: "ios" as const, osVersion });

const drafts: ConditionDraft[] = [
  { name: "the least version itself is enough", when: { minOsVersion: "17.4" }, visitor: on("17.4"), matches: true },
  {
    name: "a patch below the least version is not enough",
    when: { minOsVersion: "17.4" },
    visitor: on("17.3.9"),
    matches: false,
  },
  {
    name: "a patch above the least version is enough",
    when: { minOsVersion: "17.4" },
    visitor: on("17.4.1"),
    matches: true,
  },
  { name: "10 is more than 9", when: { minOsVersion: "9" }, visitor: on("10"), matches: true },
  { name: "1.10 is more than 1.9", when: { minOsVersion: "1.9" }, visitor: on("1.10"), matches: true },
  { name: "1.9 is less than 1.10", when: { minOsVersion: "1.10" }, visitor: on("1.9"), matches: false },
  { name: "missing segments of the visitor are 0", when: { minOsVersion: "17.0.0" }, visitor: on("17"), matches: true },
  { name: "missing segments of the bound are 0", when: { maxOsVersion: "17" }, visitor: on("17.0.0"), matches: true },
  {
    name: "17 as the greatest version leaves out 17.0.1",
    when: { maxOsVersion: "17" },
    visitor: on("17.0.1"),
    matches: false,
  },
  {
    name: "the greatest version itself is allowed",
    when: { maxOsVersion: "16.7.2" },
    visitor: on("16.7.2"),
    matches: true,
  },
  {
    name: "a range of one version holds it",
    when: { minOsVersion: "15.0", maxOsVersion: "15" },
    visitor: on("15.0.0"),
    matches: true,
  },
  {
    name: "below a range fails",
    when: { minOsVersion: "15", maxOsVersion: "16" },
    visitor: on("14.8"),
    matches: false,
  },
  {
    name: "above a range fails",
    when: { minOsVersion: "15", maxOsVersion: "16" },
    visitor: on("16.1"),
    matches: false,
  },
  {
    name: "a range upside down holds nothing",
    when: { minOsVersion: "16", maxOsVersion: "15" },
    visitor: on("15.5"),
    matches: false,
  },
  {
    name: "leading zeros mean nothing",
    when: { minOsVersion: "10.04", maxOsVersion: "10.4" },
    visitor: on("10.004"),
    matches: true,
  },
  {
    name: "what follows the numbers means nothing",
    when: { maxOsVersion: "14.2" },
    visitor: on("14.2-beta3"),
    matches: true,
  },
  {
    name: "an unknown version fails a greatest version",
    when: { maxOsVersion: "99" },
    visitor: { platform: "ios" },
    matches: false,
  },
  { name: "a version without a number is unknown", when: { maxOsVersion: "99" }, visitor: on("Vista"), matches: false },
];

export const versionCases = drafts.map(conditionCase);
