/** Values from a source that can be slow, fail and change during a load, with a clock that the test moves. */
import { describe, expect, test } from "bun:test";
import { Refreshed, type RefreshedOptions } from "@/platform/refreshed";

interface Asked {
  key: string;
  owner: string;
}

type Options = RefreshedOptions<Asked, string | null>;

const asked: Asked = { key: "a", owner: "o1" };
const FRESH_MS = 1_000;
const away = () => Promise.reject(new Error("away"));

/** Each load waits until the test resolves `answers[n]`, unless `source.next` is set. */
function refreshedOn(options: Partial<Options> & { isStoodIn?: boolean; missing?: string | null } = {}) {
  const { isStoodIn = false, missing, ...rest } = options;
  const source = {
    now: 0,
    loads: 0,
    failures: [] as string[],
    answers: [] as PromiseWithResolvers<string | null>[],
    next: undefined as (() => Promise<string | null>) | undefined,
  };
  const onLoadFailed = (error: unknown) => void source.failures.push(String(error));
  const values = new Refreshed<Asked, string | null>({
    keyOf: ({ key }) => key,
    load: () => {
      source.loads++;
      if (source.next) return source.next();
      const answer = Promise.withResolvers<string | null>();
      source.answers.push(answer);
      return answer.promise;
    },
    clock: () => source.now,
    freshMs: FRESH_MS,
    loadsMax: 3,
    refusal: () => new Error("too many"),
    weightMax: 10,
    standIn: isStoodIn ? { waitMs: 1, retryMs: 100, onLoadFailed, missing } : undefined,
    ...rest,
  });
  return { values, source };
}

const counted = (source: { loads: number }) => async () => `v${source.loads}`;

describe("a value", () => {
  test("is loaded once for simultaneous requests, and again once it is no longer fresh", async () => {
    const { values, source } = refreshedOn();
    source.next = counted(source);
    expect(await Promise.all([values.of(asked), values.of(asked), values.of(asked)])).toEqual(["v1", "v1", "v1"]);
    source.now = FRESH_MS - 1;
    expect(await values.of(asked)).toBe("v1");
    source.now = FRESH_MS;
    expect(await values.of(asked)).toBe("v2");
  });

  test("of null is cached like any other", async () => {
    const { values, source } = refreshedOn();
    source.next = async () => null;
    expect([await values.of(asked), await values.of(asked), source.loads]).toEqual([null, null, 1]);
  });

  test("that weighs nothing is not cached, and removes the older one", async () => {
    const { values, source } = refreshedOn({ weightOf: (value) => value?.length ?? 0 });
    source.next = async () => "four";
    await values.of(asked);
    expect(values.weight).toBe(4);
    source.next = async () => null;
    values.markOutdated(() => true);
    expect([await values.of(asked), await values.of(asked), values.weight, source.loads]).toEqual([null, null, 0, 3]);
  });

  test("makes room by evicting the least recently used one", async () => {
    const { values, source } = refreshedOn({ weightMax: 2 });
    source.next = counted(source);
    const of = (key: string) => values.of({ ...asked, key });
    await of("a");
    await of("b");
    await of("a");
    await of("c");
    expect([await of("a"), await of("c"), await of("b"), values.weight]).toEqual(["v1", "v3", "v4", 2]);
  });
});

describe("a change", () => {
  test("outdates only the values that it matches", async () => {
    const { values, source } = refreshedOn();
    source.next = counted(source);
    const other = { key: "b", owner: "o2" };
    await values.of(asked);
    await values.of(other);
    values.markOutdated(({ owner }) => owner === "o2");
    expect([await values.of(asked), await values.of(other)]).toEqual(["v1", "v3"]);
  });

  test("during a load: later callers do not get the outdated result, and it is not cached", async () => {
    const { values, source } = refreshedOn();
    const before = values.of(asked);
    values.markOutdated(() => true);
    const after = values.of(asked);
    source.answers[1]?.resolve("new");
    expect(await after).toBe("new");
    source.answers[0]?.resolve("old");
    expect([await before, await values.of(asked), source.loads]).toEqual(["old", "new", 2]);
  });

  test("during a load: its own callers load again if they have attempts left", async () => {
    const { values, source } = refreshedOn({ triesMax: 2 });
    const value = values.of(asked);
    values.markOutdated(() => true);
    source.next = counted(source);
    source.answers[0]?.resolve("old");
    expect([await value, await values.of(asked), source.loads]).toEqual(["v2", "v2", 2]);
  });

  test("during each load: the last value is served, and the next caller loads again", async () => {
    const { values, source } = refreshedOn({ triesMax: 3 });
    source.next = async () => {
      values.markOutdated(() => true);
      return `v${source.loads}`;
    };
    expect([await values.of(asked), await values.of(asked)]).toEqual(["v3", "v6"]);
  });
});

describe("a load that fails", () => {
  test("is shared by all waiting callers, and not cached", async () => {
    const { values, source } = refreshedOn();
    source.next = away;
    const outcomes = await Promise.allSettled([values.of(asked), values.of(asked)]);
    expect([outcomes.map(({ status }) => status), source.loads]).toEqual([["rejected", "rejected"], 1]);
    source.next = async () => "back";
    expect(await values.of(asked)).toBe("back");
  });

  test("is not hidden by an older value if no stand-in is configured", async () => {
    const { values, source } = refreshedOn();
    source.next = async () => "old";
    await values.of(asked);
    source.now = FRESH_MS;
    source.next = away;
    await expect(values.of(asked)).rejects.toThrow("away");
  });

  test("serves the older value, is reported once, and is not retried too soon", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true });
    source.next = async () => "old";
    await values.of(asked);
    values.markOutdated(() => true);
    source.next = away;
    expect(await Promise.all([values.of(asked), values.of(asked), values.of(asked)])).toEqual(["old", "old", "old"]);
    source.now = 99;
    expect([await values.of(asked), source.loads, source.failures]).toEqual(["old", 2, ["Error: away"]]);
    source.now = 100;
    source.next = async () => "back";
    expect(await values.of(asked)).toBe("back");
  });

  test("rejects if there is no older value to serve", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true });
    source.next = away;
    await expect(values.of(asked)).rejects.toThrow("away");
  });

  test("does not delay a change that was reported during the load", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true });
    source.next = async () => "old";
    await values.of(asked);
    source.next = async () => {
      values.markOutdated(() => true);
      throw new Error("away");
    };
    source.now = FRESH_MS;
    expect(await values.of(asked)).toBe("old");
    source.next = async () => "changed";
    expect(await values.of(asked)).toBe("changed");
  });
});

describe("a load that takes long", () => {
  test("serves the older value, and its result is cached when it arrives", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true });
    source.next = async () => "old";
    await values.of(asked);
    source.next = undefined;
    source.now = FRESH_MS;
    expect([await values.of(asked), await values.of(asked), source.loads]).toEqual(["old", "old", 2]);
    source.answers[0]?.resolve("new");
    await source.answers[0]?.promise;
    await Bun.sleep(0);
    expect(await values.of(asked)).toBe("new");
  });

  test("serves the configured replacement for a missing value", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true, missing: null });
    expect([await values.of(asked), await values.of(asked), source.loads]).toEqual([null, null, 1]);
    source.answers[0]?.resolve("new");
    await source.answers[0]?.promise;
    await Bun.sleep(0);
    expect(await values.of(asked)).toBe("new");
  });
});

describe("loads beyond the limit", () => {
  test("are refused, with outdated loads in progress counted", async () => {
    const { values, source } = refreshedOn();
    const others = ["b", "c"].map((key) => values.of({ ...asked, key }));
    const overtaken = values.of(asked);
    values.markOutdated(({ key }) => key === "a");
    await expect(values.of(asked)).rejects.toThrow("too many");
    for (const { resolve } of source.answers) resolve("value");
    expect(await Promise.all([overtaken, ...others])).toEqual(["value", "value", "value"]);
    source.next = async () => "room again";
    expect(await values.of(asked)).toBe("room again");
  });

  test("are reported if another value is served instead", async () => {
    const { values, source } = refreshedOn({ isStoodIn: true, missing: null, loadsMax: 0 });
    expect([await values.of(asked), source.failures]).toEqual([null, ["Error: too many"]]);
  });
});

test("a clock that is set back makes no value last longer", async () => {
  const { values, source } = refreshedOn();
  source.next = counted(source);
  source.now = 10_000_000;
  expect(await values.of(asked)).toBe("v1");
  source.now = 0;
  expect(await values.of(asked)).toBe("v1");
  source.now = FRESH_MS;
  expect(await values.of(asked)).toBe("v2");
});
