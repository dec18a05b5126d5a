import { describe, expect, test } from "bun:test";
import {
  BURST_CLICKS_MAX,
  BURST_WINDOW_MS,
  createBotSigns,
  REPEAT_CLICKS_MAX,
  REPEAT_WINDOW_MS,
  type SuspectVisit,
  spamScore,
} from "@/clicks/bot-signs";
import { AT } from "./records";

const visit = (changes: Partial<SuspectVisit> = {}): SuspectVisit => ({
  at: AT,
  linkId: "link",
  visitor: "0123456789abcdef",
  agentBot: null,
  isHead: false,
  isPrefetch: false,
  ...changes,
});

const judgeAll = (visits: readonly SuspectVisit[]) => {
  const { judge } = createBotSigns();
  return visits.map((each) => judge(each).reasons);
};

describe("one visit", () => {
  test.each([
    ["of a person", {}, [], 0],
    ["of a crawler that says so", { agentBot: "crawler" }, ["crawler"], 20],
    ["without a user agent", { agentBot: "no_user_agent" }, ["no_user_agent"], 40],
    ["by HEAD", { isHead: true }, ["head"], 10],
    ["of a browser that looks ahead", { isPrefetch: true }, ["prefetch"], 10],
    ["with all of these", { agentBot: "crawler", isHead: true, isPrefetch: true }, ["crawler", "head", "prefetch"], 40],
  ] as const)("%s", (_, signs, reasons, score) => {
    expect(createBotSigns().judge(visit(signs))).toEqual({ reasons: [...reasons], spamScore: score });
  });
});

describe("a burst", () => {
  const spread = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => visit({ at: AT + index * everyMs, linkId: `link ${index}` }));

  test("begins with the click after the most a person makes in ten seconds, on any links", () => {
    const reasons = judgeAll(spread(BURST_CLICKS_MAX + 2, 10));
    expect(reasons.slice(0, BURST_CLICKS_MAX).flat()).toEqual([]);
    expect(reasons.slice(BURST_CLICKS_MAX)).toEqual([["burst"], ["burst"]]);
  });

  test("is none when the clicks are further apart", () => {
    expect(judgeAll(spread(100, BURST_WINDOW_MS / BURST_CLICKS_MAX)).flat()).toEqual([]);
  });

  test("is one visitor's: others click in peace", () => {
    const others = spread(100, 1).map((each, index) => ({ ...each, visitor: `visitor ${index}` }));
    expect(judgeAll(others).flat()).toEqual([]);
  });

  test("is over once the visitor has been quiet", () => {
    const later = visit({ at: AT + 10 * BURST_WINDOW_MS, linkId: "another" });
    expect(judgeAll([...spread(50, 1), later]).at(-1)).toEqual([]);
  });
});

describe("a repeat", () => {
  const same = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => visit({ at: AT + index * everyMs }));

  test("begins with the click after ten on one link in a minute", () => {
    const reasons = judgeAll(same(REPEAT_CLICKS_MAX + 1, 1000));
    expect(reasons.slice(0, -1).flat()).toEqual([]);
    expect(reasons.at(-1)).toEqual(["repeat"]);
  });

  test("is none when the clicks are further apart", () => {
    expect(judgeAll(same(50, REPEAT_WINDOW_MS / REPEAT_CLICKS_MAX)).flat()).toEqual([]);
  });

  test("is none on several links", () => {
    const links = same(20, 1000).map((each, index) => ({ ...each, linkId: `link ${index % 2}` }));
    expect(judgeAll(links).flat()).toEqual([]);
  });
});

test("scores add up to at most 100, and only what hides reaches a review", () => {
  expect(spamScore(["burst", "repeat"])).toBe(100);
  expect(spamScore(["burst"])).toBeGreaterThanOrEqual(70);
  expect(spamScore(["no_user_agent", "repeat"])).toBeGreaterThanOrEqual(70);
  expect(spamScore(["crawler", "head", "prefetch"])).toBeLessThan(70);
});
