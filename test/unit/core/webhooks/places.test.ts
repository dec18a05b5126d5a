import { describe, expect, test } from "bun:test";
import { type Asking, shareOut } from "@/core/webhooks/places";
import { nextWindow, WINDOW_MAX, WINDOW_MIN } from "@/core/webhooks/window";

const asking = (over: Partial<Asking>): Asking => ({ destination: "", room: 4, underWay: 0, isSlow: false, ...over });
let destinations = 0;
const elsewhere = (over: Partial<Asking> = {}) => asking({ destination: String(++destinations), ...over });
const PLACES = { all: 20, slow: 10 };
const shares = (endpoints: Asking[]) => {
  const given = shareOut(endpoints, PLACES);
  return endpoints.map((endpoint) => given.get(endpoint) ?? 0);
};

describe("places for simultaneous requests", () => {
  test("are given as requested while there are enough", () => {
    expect(shares([elsewhere({ room: 6 }), elsewhere({ room: 0 }), elsewhere({ room: 3 })])).toEqual([6, 0, 3]);
  });

  test("are limited to one per endpoint once half of them are taken", () => {
    const busy = elsewhere({ room: 4, underWay: 10 });
    expect(shares([busy, elsewhere(), elsewhere({ underWay: 1 }), elsewhere()])).toEqual([0, 1, 0, 1]);
  });

  test("never exceed the total", () => {
    const underWay = elsewhere({ room: 0, underWay: 19 });
    expect(shares([underWay, elsewhere(), elsewhere()])).toEqual([0, 1, 0]);
  });

  test("of slow endpoints are limited to a part of them", () => {
    const slow = () => elsewhere({ isSlow: true, room: 1, underWay: 0 });
    const hanging = elsewhere({ isSlow: true, room: 0, underWay: 9 });
    expect(shares([hanging, slow(), slow(), elsewhere({ room: 1 })])).toEqual([0, 1, 0, 1]);
  });

  test("of one organization on one host share the maximum of one endpoint, but each gets its minimum", () => {
    const one = () => asking({ destination: "the same", room: WINDOW_MAX, underWay: 0 });
    const given = shareOut([one(), one(), one()], { all: 1_000, slow: 500 });
    expect([...given.values()]).toEqual([WINDOW_MAX, WINDOW_MIN, WINDOW_MIN]);
  });
});

describe("a window", () => {
  const quick = { isDelivered: true, durationMs: 20 };
  test.each([
    ["grows with each quick success while it is full", 4, quick, true, 5],
    ["stays where it is not full", 4, quick, false, 4],
    ["has an upper bound", WINDOW_MAX, quick, true, WINDOW_MAX],
    ["is halved by what is slow", 40, { isDelivered: true, durationMs: 501 }, true, 20],
    ["is halved by a failure", 40, { isDelivered: false, durationMs: 1 }, true, 20],
    ["has a lower bound", 5, { isDelivered: false, durationMs: 1 }, true, WINDOW_MIN],
  ])("%s", (_, window, answered, wasFull, next) => {
    expect(nextWindow(window, answered, wasFull)).toBe(next);
  });
});
