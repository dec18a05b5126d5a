/** How visits are judged, on their own and by the other visits of their minute, in one process and in several. */
import { describe, expect, test } from "bun:test";
import {
  type BotReason,
  CROWD_MAX,
  countsAsBot,
  declaredReasons,
  FLOOD_MAX,
  REPEATS_MAX,
  spamScore,
  WINDOW_MS,
} from "@/clicks/enrich/bot-signs";
import { createJudge, type JudgedVisit } from "@/clicks/enrich/judge";
import { type Marks, withMarks } from "@/clicks/enrich/marks";
import type { ShareMarks } from "@/clicks/enrich/shared-marks";
import { AT } from "../records";

/** The start of a minute. */
const MINUTE = AT - (AT % WINDOW_MS);

const visit = (changes: Partial<JudgedVisit> = {}): JudgedVisit => ({
  at: AT,
  id: Bun.randomUUIDv7(),
  orgId: "org",
  declared: [],
  keys: { visitor: "ada spring" },
  ...changes,
});
const visits = (count: number, everyMs: number, changes: Partial<JudgedVisit> = {}, from = MINUTE) =>
  Array.from({ length: count }, (_, index) => visit({ at: from + index * everyMs, ...changes }));

const judgeAll = async (all: readonly JudgedVisit[], judge = createJudge()) =>
  (await judge(all)).map(({ reasons }) => reasons);
const countOf = (found: readonly (readonly BotReason[])[], reason: BotReason) =>
  found.filter((reasons) => reasons.includes(reason)).length;

/** A stand-in for the shared table, which keeps marks in the order in which they were added. */
function sharedMarks() {
  const lists = new Map<number, Marks>();
  let asked = 0;
  const share: ShareMarks = async (told) => {
    asked += told.length;
    return new Map(
      told.map(({ key, marks }) => {
        const list = withMarks(lists.get(key) ?? [], marks);
        lists.set(key, list);
        return [key, list];
      }),
    );
  };
  return { share, asked: () => asked };
}

describe("one visit", () => {
  test.each([
    ["of a person", {}, [], 0, false],
    ["of a crawler that says so", { agentBot: "crawler" }, ["crawler"], 20, true],
    ["without a user agent", { agentBot: "no_user_agent" }, ["no_user_agent"], 40, true],
    ["by HEAD", { isHead: true }, ["head"], 10, true],
    ["of a browser that looks ahead", { isPrefetch: true }, ["prefetch"], 10, true],
    ["with all", { agentBot: "crawler", isHead: true, isPrefetch: true }, ["crawler", "head", "prefetch"], 40, true],
  ] as const)("%s", async (_, signs, reasons, score, isBot) => {
    const declared = declaredReasons({ agentBot: null, isHead: false, isPrefetch: false, ...signs });
    expect(await createJudge()([visit({ declared })])).toEqual([{ reasons: [...reasons], spamScore: score, isBot }]);
  });
});

describe("a visitor's repeats of one link", () => {
  test("count as a bot's beyond the maximum for a person in a minute", async () => {
    const found = await judgeAll(visits(REPEATS_MAX + 3, 900));
    expect(found.slice(0, REPEATS_MAX).flat()).toEqual([]);
    expect(found.slice(REPEATS_MAX)).toEqual([["repeat"], ["repeat"], ["repeat"]]);
  });

  test("count as a person's if they are far enough apart", async () => {
    expect((await judgeAll(visits(300, WINDOW_MS / REPEATS_MAX))).flat()).toEqual([]);
  });

  test("are counted across minute boundaries and batches", async () => {
    const judge = createJudge();
    const around = visits(100, 100, {}, MINUTE - 5_000);
    const found = [await judgeAll(around.slice(0, 33), judge), await judgeAll(around.slice(33), judge)].flat();
    expect(found.slice(0, REPEATS_MAX).flat()).toEqual([]);
    expect(countOf(found, "repeat")).toBe(100 - REPEATS_MAX);
  });

  test("are counted separately for each visitor and link", async () => {
    const people = visits(300, 1).map((each, index) => ({ ...each, keys: { visitor: `visitor ${index % 6}` } }));
    expect((await judgeAll(people)).flat()).toEqual([]);
  });

  test("are forgotten once the visitor has paused", async () => {
    const later = visit({ at: MINUTE + 3 * WINDOW_MS });
    expect((await judgeAll([...visits(200, 1), later])).at(-1)).toEqual([]);
  });

  test("do not include visits that declare themselves as a bot's", async () => {
    const declared = visits(200, 1, { declared: ["crawler"] });
    expect((await judgeAll([...declared, visit()])).at(-1)).toEqual([]);
  });
});

describe("an address", () => {
  const address = (count: number, everyMs: number) =>
    visits(count, everyMs).map((each, index) => ({ ...each, keys: { visitor: `phone ${index}`, address: "venue" } }));

  test("with two hundred visitors in a second is a crowd, which counts as people until it is reviewed", async () => {
    const found = await createJudge()(address(200, 5));
    expect(
      countOf(
        found.map(({ reasons }) => reasons),
        "crowd",
      ),
    ).toBe(200 - CROWD_MAX);
    expect(found.filter(({ isBot }) => isBot)).toEqual([]);
    expect(found.at(-1)).toEqual({ reasons: ["crowd"], isBot: false, spamScore: 70 });
  });

  test("with forty phones shows no sign of a bot", async () => {
    expect((await judgeAll(address(40, 5))).flat()).toEqual([]);
  });

  test("with more visits than a venue makes is a flood, and the excess counts as a bot's", async () => {
    const found = await createJudge()(address(FLOOD_MAX + 50, 50));
    const reasons = found.map((each) => each.reasons);
    expect([countOf(reasons, "crowd"), countOf(reasons, "flood")]).toEqual([FLOOD_MAX - CROWD_MAX, 50]);
    expect(found.filter(({ isBot }) => isBot)).toHaveLength(50);
  });

  test("keeps flooding while the visits continue, even with thousands in one batch", async () => {
    const reasons = await judgeAll(address(20_000, 1));
    expect(countOf(reasons, "flood")).toBe(20_000 - FLOOD_MAX);
  });
});

describe("several judges", () => {
  const dealt = (all: readonly JudgedVisit[], judges: number) =>
    Array.from({ length: judges }, (_, own) => all.filter((_, index) => index % judges === own));

  test("find the same number of repeats as one judge, in any order and batch size", async () => {
    const all = visits(160, 370, {}, MINUTE - 20_000);
    for (const batch of [1, 3, 40]) {
      for (const order of [
        [0, 1, 2, 3],
        [3, 1, 0, 2],
      ]) {
        const { share } = sharedMarks();
        const hands = dealt(all, 4).map((own) => ({ own, judge: createJudge(share) }));
        const found: (readonly BotReason[])[] = [];
        for (let from = 0; from < 40; from += batch) {
          for (const place of order) {
            const hand = hands[place];
            if (hand) found.push(...(await judgeAll(hand.own.slice(from, from + batch), hand.judge)));
          }
        }
        expect([batch, order, countOf(found, "repeat")]).toEqual([batch, order, 160 - REPEATS_MAX]);
      }
    }
  });

  test("judge the same visits the same way again, even after a crash", async () => {
    const { share } = sharedMarks();
    const [own = [], others = []] = dealt(visits(120, 400), 2);
    const judge = createJudge(share);
    const first = await judgeAll(own, judge);
    const second = await judgeAll(others, createJudge(share));
    expect(await judgeAll(own, judge)).toEqual(first);
    expect(await judgeAll(own.slice(0, 30), createJudge(share))).toEqual(first.slice(0, 30));
    expect(countOf([...first, ...second], "repeat")).toBe(60);
  });

  test("do not consult the shared table about ordinary visits", async () => {
    const { share, asked } = sharedMarks();
    const people = visits(1_000, 10).map((each, index) => ({ ...each, keys: { visitor: `visitor ${index}` } }));
    await judgeAll(people, createJudge(share));
    expect(asked()).toBe(0);
  });

  test("judge late visits by the minute in which they were made", async () => {
    const judge = createJudge();
    await judgeAll(visits(200, 1, {}, MINUTE + 60 * WINDOW_MS), judge);
    expect((await judgeAll(visits(REPEATS_MAX, 1), judge)).flat()).toEqual([]);
    expect((await judgeAll(visits(1, 1, {}, MINUTE + 500), judge)).flat()).toEqual(["repeat"]);
  });
});

test("only undeclared signs score high enough for a review", () => {
  expect(spamScore(["flood", "repeat"])).toBe(100);
  for (const reason of ["repeat", "crowd", "flood"] as const) expect(spamScore([reason])).toBeGreaterThanOrEqual(70);
  expect(spamScore(["crawler", "head", "prefetch"])).toBeLessThan(70);
});

test("a crowd alone does not count as a bot's, but any other reason does, even one of an earlier release", () => {
  expect([["crowd"], [], ["crowd", "repeat"], ["burst"], ["crawler"]].map(countsAsBot)).toEqual([
    ...[false, false],
    ...[true, true, true],
  ]);
});
