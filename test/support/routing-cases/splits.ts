/**
 * Which visitor gets which target. The cases with visitor ids pin the hash function: if it changed, every running
 * split would reassign its visitors.
 */
import type { SplitTarget } from "@/contract/routing";
import type { CaseDraft } from "./shape";

const target = (key: string, rest: Partial<SplitTarget> = {}): SplitTarget => ({
  key,
  destinationUrl: `https://${key}.example.com/`,
  ...rest,
});
const toTarget = (splitKey: string, host = splitKey) =>
  ({ kind: "split", splitKey, destinationUrl: `https://${host}.example.com/` }) as const;

const halves = [target("a"), target("b")];
const thirds = [target("a"), target("b"), target("c")];

export const splitCases: CaseDraft[] = [
  { name: "a target alone gets everyone", link: { splitTargets: [target("a")] }, expect: toTarget("a") },
  {
    name: "a target that is switched off is never chosen",
    link: { splitTargets: [target("a", { isActive: false }), target("b")] },
    expect: toTarget("b"),
  },
  {
    name: "a target of weight 0 is never chosen",
    link: { splitTargets: [target("a"), target("b", { weight: 0 })] },
    expect: toTarget("a"),
  },
  {
    name: "a target alone without weight leaves the default",
    link: { splitTargets: [target("a", { weight: 0 })] },
    expect: {},
  },
  {
    name: "a heavy target that is switched off is never chosen",
    link: { splitTargets: [target("a", { weight: 1_000_000, isActive: false }), target("b", { weight: 1 })] },
    expect: toTarget("b"),
  },
  {
    name: "targets that are all switched off leave the default",
    link: { splitTargets: [target("a", { isActive: false }), target("b", { isActive: false })] },
    expect: {},
  },
  {
    name: "targets without any weight leave the default",
    link: { splitTargets: [target("a", { weight: 0 }), target("b", { weight: 0 })] },
    expect: {},
  },
  { name: "an empty list of targets leaves the default", link: { splitTargets: [] }, expect: {} },
  {
    name: "a target takes the link's UTM along",
    link: { splitTargets: [target("a")], utm: { source: "mail" } },
    expect: { ...toTarget("a"), destinationUrl: "https://a.example.com/?utm_source=mail" },
  },
  {
    name: "a key in Chinese names a target",
    link: { splitTargets: [target("甲", { destinationUrl: "https://a.example.com/" })] },
    expect: toTarget("甲", "a"),
  },
  {
    name: "of two halves, visitor four",
    link: { splitTargets: halves },
    visitor: { visitorId: "visitor-4" },
    expect: toTarget("b"),
  },
  {
    name: "of two halves, visitor five",
    link: { splitTargets: halves },
    visitor: { visitorId: "visitor-5" },
    expect: toTarget("a"),
  },
  {
    name: "of two halves upside down, visitor four",
    link: { splitTargets: halves.toReversed() },
    visitor: { visitorId: "visitor-4" },
    expect: toTarget("b"),
  },
  {
    name: "of two halves upside down, visitor five",
    link: { splitTargets: halves.toReversed() },
    visitor: { visitorId: "visitor-5" },
    expect: toTarget("a"),
  },
  {
    name: "of two halves, a visitor by key",
    link: { splitTargets: halves },
    visitor: { visitorId: "9f86d081884c7d65" },
    expect: toTarget("b"),
  },
  {
    name: "of two halves, a visitor in Japanese",
    link: { splitTargets: halves },
    visitor: { visitorId: "訪問者" },
    expect: toTarget("b"),
  },
  {
    name: "a third target takes visitor one from the second half",
    link: { splitTargets: thirds },
    visitor: { visitorId: "visitor-1" },
    expect: toTarget("c"),
  },
  {
    name: "a third target leaves visitor four to the second",
    link: { splitTargets: thirds },
    visitor: { visitorId: "visitor-4" },
    expect: toTarget("b"),
  },
  {
    name: "a third target leaves visitor five to the first",
    link: { splitTargets: thirds },
    visitor: { visitorId: "visitor-5" },
    expect: toTarget("a"),
  },
  {
    name: "of a tenth and the rest, visitor five",
    link: { splitTargets: [target("a", { weight: 1 }), target("b", { weight: 9 })] },
    visitor: { visitorId: "visitor-5" },
    expect: toTarget("b"),
  },
];
