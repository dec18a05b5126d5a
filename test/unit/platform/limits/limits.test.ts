import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startRedis, type TestRedis } from "@test/support/servers/redis";
import Redis from "ioredis";
import { limitedAddress } from "@/platform/limits/address";
import { type Limiter, openLimits } from "@/platform/limits/limits";
import { createWindows } from "@/platform/limits/windows";

const START = Date.parse("2026-06-01T12:00:00.250Z");
const MINUTE = 60_000;
let now = START;
const clock = () => now;
const onError = (error: unknown) => {
  throw error;
};
const alone = (windowMs = MINUTE, keysMax?: number): Limiter =>
  openLimits({ clock, redisUrl: null, database: "", onError }).limiter({ name: "test", windowMs, keysMax });
const outcomes = (limiter: Limiter, key: string, limit: number, takes: number) =>
  Array.from({ length: takes }, () => limiter.takeNow(key, limit).ok);

beforeEach(() => {
  now = START;
});

describe("a key in one process", () => {
  test("is refused beyond its limit until its window ends, which begins with the first take", () => {
    const limiter = alone();
    expect(outcomes(limiter, "a", 3, 5)).toEqual([true, true, true, false, false]);
    now = START + MINUTE - 1;
    expect(limiter.takeNow("a", 3).ok).toBe(false);
    now = START + MINUTE;
    expect(outcomes(limiter, "a", 3, 4)).toEqual([true, true, true, false]);
    now = START + 2 * MINUTE - 1;
    expect(limiter.takeNow("a", 3).ok).toBe(false);
  });

  test("reports what remains and when the window ends, in whole seconds rounded up", () => {
    const limiter = alone();
    const resetAt = START + MINUTE;
    expect(limiter.takeNow("a", 2)).toEqual({ ok: true, limit: 2, remaining: 1, resetAt, retryAfterSeconds: 60 });
    now = START + 58_001;
    expect(limiter.takeNow("a", 2)).toEqual({ ok: true, limit: 2, remaining: 0, resetAt, retryAfterSeconds: 2 });
    now = START + MINUTE - 1;
    expect(limiter.takeNow("a", 2)).toEqual({ ok: false, limit: 2, remaining: 0, resetAt, retryAfterSeconds: 1 });
  });

  test("is independent of other keys and of other limiters", () => {
    const limits = openLimits({ clock, redisUrl: null, database: "", onError });
    const [one, two] = [limits.limiter({ name: "1", windowMs: 10 }), limits.limiter({ name: "2", windowMs: 10 })];
    expect([...outcomes(one, "a", 1, 2), ...outcomes(one, "b", 1, 2)]).toEqual([true, false, true, false]);
    expect(outcomes(two, "a", 1, 2)).toEqual([true, false]);
  });

  test("is charged by cost; a cost that does not fit is refused and takes nothing", () => {
    const limiter = alone();
    expect(limiter.takeNow("a", 10, 8).remaining).toBe(2);
    expect(limiter.takeNow("a", 10, 3)).toMatchObject({ ok: false, remaining: 2 });
    expect(limiter.takeNow("a", 10, 2)).toMatchObject({ ok: true, remaining: 0 });
    expect(limiter.takeNow("b", 10, 11).ok).toBe(false);
  });

  test("may have another limit with each take", () => {
    const limiter = alone();
    outcomes(limiter, "a", 5, 5);
    expect([limiter.takeNow("a", 5).ok, limiter.takeNow("a", 7).ok, limiter.takeNow("a", 5).ok]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("is not charged by a peek", () => {
    const limiter = alone();
    expect(limiter.peek("a", 1)).toMatchObject({ ok: true, remaining: 1, resetAt: START + MINUTE });
    expect(limiter.peek("a", 1, 2).ok).toBe(false);
    limiter.takeNow("a", 1);
    expect(limiter.peek("a", 1)).toMatchObject({ ok: false, remaining: 0 });
  });

  test("gets back what is given back, but never more than it took", () => {
    const limiter = alone();
    outcomes(limiter, "a", 3, 3);
    limiter.giveBack("a");
    expect(outcomes(limiter, "a", 3, 2)).toEqual([true, false]);
    limiter.giveBack("a", 100);
    limiter.giveBack("nobody");
    expect(outcomes(limiter, "a", 3, 4)).toEqual([true, true, true, false]);
  });

  test("is counted exactly when many takes wait simultaneously", async () => {
    const limiter = alone();
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => limiter.take("a", 60)));
    expect(verdicts.filter(({ ok }) => ok).length).toBe(60);
  });
});

describe("memory", () => {
  test("holds no more keys than its limit, and always keeps the latest half of them", () => {
    const windows = createWindows(MINUTE, 1000);
    for (let key = 1; key <= 1_000_000; key++) {
      windows.open(String(key), now).own = 1;
      if (windows.size > 1000) throw new Error(`${windows.size} keys are held`);
    }
    for (let key = 999_501; key <= 1_000_000; key++) expect(windows.find(String(key), now)?.own).toBe(1);
    expect(windows.find("999000", now)).toBeUndefined();
  });

  test("is freed after a flood, when a later key arrives", () => {
    const windows = createWindows(MINUTE, 1000);
    for (let key = 0; key < 1000; key++) windows.open(String(key), now);
    for (let minute = 1; minute <= 2; minute++) windows.open("one of us", now + minute * MINUTE);
    expect(windows.size).toBeLessThanOrEqual(2);
  });

  test("keeps a window until its end, whenever others begin", () => {
    const windows = createWindows(MINUTE, 1000);
    windows.open("first", now);
    windows.open("late", now + MINUTE - 1).own = 1;
    windows.open("next", now + MINUTE);
    expect(windows.find("late", now + 2 * MINUTE - 2)?.own).toBe(1);
    expect(windows.find("late", now + 2 * MINUTE - 1)).toBeUndefined();
    expect(windows.open("late", now + 2 * MINUTE - 1).own).toBe(0);
  });
});

describe("an address is limited by", () => {
  test.each([
    ["itself in IPv4", "192.0.2.1", "c0000201"],
    ["its IPv4 where that is mapped", "::ffff:192.0.2.1", "c0000201"],
    ["its IPv4 where that is mapped in hexadecimal", "::ffff:c000:201", "c0000201"],
    ["its IPv4 where a translator stands between", "64:ff9b::192.0.2.1", "c0000201"],
    ["its IPv4 behind a translator in hexadecimal", "64:ff9b::c000:201", "c0000201"],
    ["its /64 beside that network", "64:ff9b:1::c000:201", "0064ff9b00010000"],
    ["its /64 in IPv6", "2001:db8:1:2:3:4:5:6", "20010db800010002"],
    ["its /64 however it is written", "2001:0DB8:1:2::", "20010db800010002"],
    ["one place for all that is no address", "", "unreadable"],
    ["that place, however long it is", "x".repeat(9999), "unreadable"],
  ])("%s", (_, address, expected) => {
    expect(limitedAddress(address)).toBe(expected);
  });

  test("its own /64, not a neighboring one", () => {
    expect(limitedAddress("2001:db8:1:3::1")).not.toBe(limitedAddress("2001:db8:1:2::1"));
  });
});

describe("two servers with one Redis", () => {
  let redis: TestRedis;
  const opened: Disposable[] = [];
  const server = async (name: string, windowMs = MINUTE, clock = Date.now): Promise<Limiter> => {
    redis ??= await startRedis();
    // On a busy machine, Redis may take longer than the service lets a visitor wait.
    const limits = openLimits({ clock, redisUrl: redis.url, database: "one", waitMsMax: 30_000, onError });
    opened.push(limits);
    const limiter = limits.limiter({ name, windowMs });
    // Until Redis is connected, the limit is halved.
    while (limiter.peek("", 10).limit < 10) await Bun.sleep(1);
    return limiter;
  };
  const untilGone = async (key: string) => {
    const client = new Redis(redis.url);
    while ((await client.exists(`waymark:limit:one:${key}`)) > 0) await Bun.sleep(1);
    client.disconnect();
  };
  afterAll(async () => {
    for (const limits of opened) limits[Symbol.dispose]();
    await redis?.stop();
  });

  test("together allow exactly the limit, however many takes are simultaneous", async () => {
    const servers = [await server("exact"), await server("exact")];
    const verdicts = await Promise.all(Array.from({ length: 400 }, (_, index) => servers[index % 2]?.take("a", 60)));
    expect(verdicts.filter((verdict) => verdict?.ok).length).toBe(60);
    for (const each of servers) expect((await each.take("b", 1)).ok).toBe(each === servers[0]);
  });

  test("report what remains after the takes of both, and when the window of the first take ends", async () => {
    const [here, there] = [await server("left"), await server("left")];
    const from = Date.now();
    const first = await here.take("a", 10, 4);
    const second = await there.take("a", 10, 5);
    expect([first.remaining, second.remaining]).toEqual([6, 1]);
    expect(Math.abs(second.resetAt - first.resetAt)).toBeLessThanOrEqual(Date.now() - from + 1);
    expect(await here.take("a", 10, 2)).toMatchObject({ ok: false, remaining: 1 });
  });

  test("learn of each other's takes that did not wait for Redis", async () => {
    const [here, there] = [await server("behind"), await server("behind")];
    for (let take = 1; take <= 10; take++) expect(here.takeNow("a", 10).ok).toBe(true);
    while ((await there.take("a", 10)).ok) await Bun.sleep(1);
    expect(there.takeNow("a", 10)).toMatchObject({ ok: false, remaining: 0 });
    expect(here.takeNow("a", 10).ok).toBe(false);
  });

  test("together stop near the limit once each knows the other's takes", async () => {
    const [here, there] = [await server("sum"), await server("sum")];
    let taken = 0;
    for (let round = 1; round <= 60; round++) {
      for (const each of [here, there]) if (each.takeNow("a", 20).ok) taken += 1;
      // Taking 0 waits for Redis, after everything that was reported before.
      await Promise.all([here.take("a", 20, 0), there.take("a", 20, 0)]);
    }
    expect(taken).toBeGreaterThanOrEqual(20);
    // Each may be one response of Redis behind.
    expect(taken).toBeLessThanOrEqual(24);
  });

  test("give back only what they took themselves", async () => {
    const [here, there] = [await server("back"), await server("back")];
    await here.take("a", 2);
    await here.take("a", 2);
    here.giveBack("a");
    there.giveBack("a");
    while ((await there.take("a", 3, 0)).remaining < 2) await Bun.sleep(1);
    expect([(await there.take("a", 2)).ok, (await there.take("a", 2)).ok]).toEqual([true, false]);
    expect((await here.take("a", 2)).ok).toBe(false);
  });

  test.each([
    ["that waited", (limiter: Limiter) => limiter.take("a", 10)],
    [
      "that did not wait",
      (limiter: Limiter) => {
        limiter.takeNow("a", 10);
        // Taking 0 waits for Redis, after everything that was reported before.
        return limiter.take("a", 10, 0);
      },
    ],
  ])("leave a window's takes behind if it ended in Redis first: takes %s", async (how, take) => {
    // With a fixed clock, no window ever ends in this process.
    const limiter = await server(`behind Redis, ${how}`, 50, () => START);
    await limiter.take("a", 10, 7);
    await untilGone(`behind Redis, ${how}:a`);
    expect((await take(limiter)).remaining).toBe(9);
    await untilGone(`behind Redis, ${how}:a`);
    expect((await take(limiter)).remaining).toBe(9);
  });

  test("forget a window that ended in Redis when they give back", async () => {
    const limiter = await server("back too late", 50, () => START);
    await limiter.take("a", 10, 7);
    await untilGone("back too late:a");
    limiter.giveBack("a", 2);
    expect((await limiter.take("a", 10)).remaining).toBe(9);
  });

  test("give a count that Redis was left with an end", async () => {
    const limiter = await server("endless", 50);
    const client = new Redis(redis.url);
    await client.set("waymark:limit:one:endless:a", 10);
    client.disconnect();
    expect((await limiter.take("a", 10)).ok).toBe(false);
    await untilGone("endless:a");
  });

  test("allow again when the window has ended", async () => {
    const windowMs = 50;
    const servers = [await server("anew", windowMs), await server("anew", windowMs)];
    const begun = performance.now();
    let allowed = 0;
    while (allowed < 3) {
      const verdicts = await Promise.all(servers.map((each) => each.take("a", 1)));
      allowed += verdicts.filter(({ ok }) => ok).length;
    }
    // On a busy machine, the two may ask in different windows; together they never get more than one in each.
    expect(allowed).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / windowMs) + 1);
  });
});

describe("a clock that is set back", () => {
  test("locks nobody out until it shows the former time again", () => {
    const limiter = alone();
    expect(outcomes(limiter, "a", 2, 3)).toEqual([true, true, false]);
    now = START - 60 * MINUTE;
    expect(outcomes(limiter, "a", 2, 3)).toEqual([true, true, false]);
    now = START - 59 * MINUTE;
    expect(limiter.takeNow("a", 2).ok).toBe(true);
  });

  test("by less than a window lets no key take more", () => {
    const limiter = alone();
    expect(outcomes(limiter, "a", 2, 3)).toEqual([true, true, false]);
    now = START - MINUTE / 2;
    expect(limiter.takeNow("a", 2).ok).toBe(false);
  });

  test("does not keep keys whose windows have ended", () => {
    const windows = createWindows(MINUTE, 1_000);
    windows.open("before", now);
    now -= 60 * MINUTE;
    windows.open("after", now);
    now += MINUTE;
    windows.open("later", now);
    expect(windows.size).toBe(2);
  });
});
