import { afterEach, describe, expect, test } from "bun:test";
import { createLog } from "@/platform/log";
import { type DispatcherOptions, startDispatcher } from "@/workers/webhook-dispatcher";

interface Item {
  name: string;
  isFailing: boolean;
}

type Stop = { stop(): Promise<void> };
let started: Stop[] = [];
afterEach(async () => {
  await Promise.all(started.map((each) => each.stop()));
  started = [];
});

const item = (name: string, isFailing = false): Item => ({ name, isFailing });

function dispatch(waiting: Item[], options: Partial<DispatcherOptions<Item>> = {}) {
  const delivered: string[] = [];
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  const dispatcher = startDispatcher<Item>({
    take: async ({ all }) => waiting.splice(0, all),
    deliver: async ({ name }) => {
      delivered.push(name);
    },
    onSilent() {},
    log,
    pollMs: 60_000,
    stopMs: 50,
    ...options,
  });
  started.push(dispatcher);
  const read = () => {
    log.flush();
    return logged;
  };
  return { dispatcher, delivered, logged: read };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 5_000) throw new Error("It never came to that");
    await Bun.sleep(1);
  }
}

describe("a dispatcher", () => {
  test("sends what is due, and what it is woken for", async () => {
    const waiting = [item("a"), item("b")];
    const { dispatcher, delivered } = dispatch(waiting);
    await until(() => delivered.length === 2);
    waiting.push(item("c"));
    dispatcher.wake();
    await until(() => delivered.length === 3);
    expect(delivered).toEqual(["a", "b", "c"]);
  });

  test("looks by itself, too", async () => {
    const waiting: Item[] = [];
    const { delivered } = dispatch(waiting, { pollMs: 1 });
    waiting.push(item("late"));
    await until(() => delivered.length === 1);
  });

  test("has no more under way than there are places, and goes on as they become free", async () => {
    const waiting = ["a", "b", "c", "d", "e"].map((name) => item(name));
    const ends: (() => void)[] = [];
    let [underWay, most] = [0, 0];
    dispatch(waiting, {
      places: 2,
      deliver: async () => {
        most = Math.max(most, ++underWay);
        await new Promise<void>((end) => ends.push(end));
        underWay--;
      },
    });
    for (let ended = 0; ended < 5; ended++) {
      await until(() => ends.length > ended);
      ends[ended]?.();
    }
    expect([most, waiting.length]).toEqual([2, 0]);
  });

  test("leaves half of its places to endpoints that do not fail", async () => {
    const rooms: { all: number; failing: number }[] = [];
    const waiting = [item("dead", true), item("dead", true)];
    dispatch(waiting, {
      places: 4,
      pollMs: 1,
      take: async (room) => {
        rooms.push(room);
        return waiting.splice(0, room.failing);
      },
      deliver: () => new Promise(() => {}),
    });
    await until(() => rooms.length > 1);
    expect(rooms.slice(0, 2)).toEqual([
      { all: 4, failing: 2 },
      { all: 2, failing: 0 },
    ]);
  });

  test("has places for others once what is under way is slow, up to a bound", async () => {
    const waiting = ["a", "b", "c", "d", "e", "f"].map((name) => item(name));
    const rooms: number[] = [];
    dispatch(waiting, {
      places: 2,
      slowMs: 0,
      slowMax: 3,
      pollMs: 1,
      take: async ({ all }) => {
        rooms.push(all);
        return waiting.splice(0, all);
      },
      deliver: () => new Promise(() => {}),
    });
    await until(() => waiting.length === 1);
    expect(rooms).toEqual([2, 2, 1]);
  });

  test("bears whatever goes wrong, and says so", async () => {
    const waiting = [item("breaks"), item("works")];
    let tries = 0;
    const { delivered, logged } = dispatch(waiting, {
      pollMs: 1,
      take: async () => {
        if (++tries === 1) throw new Error("no Postgres");
        return waiting.splice(0, 1);
      },
      deliver: async ({ name }) => {
        if (name === "breaks") throw new Error("no settling");
        delivered.push(name);
      },
    });
    await until(() => delivered.length === 1);
    expect(logged()).toContain("no Postgres");
  });
});

describe("stopping", () => {
  test("takes nothing more, and gives what is under way its time", async () => {
    const end = Promise.withResolvers<void>();
    const waiting = [item("a")];
    let isDone = false;
    const { dispatcher, delivered } = dispatch(waiting, {
      stopMs: 60_000,
      deliver: async ({ name }) => {
        delivered.push(name);
        await end.promise;
        isDone = true;
      },
    });
    await until(() => delivered.length === 1);
    const stopped = dispatcher.stop();
    waiting.push(item("b"));
    dispatcher.wake();
    end.resolve();
    await stopped;
    expect([isDone, delivered]).toEqual([true, ["a"]]);
  });

  test("breaks off what takes longer, and twice is fine", async () => {
    let isBrokenOff = false;
    let isUnderWay = false;
    const { dispatcher } = dispatch([item("hangs")], {
      deliver: (_, signal) => {
        isUnderWay = true;
        return new Promise<void>((end) =>
          signal.addEventListener("abort", () => {
            isBrokenOff = true;
            end();
          }),
        );
      },
    });
    await until(() => isUnderWay);
    await Promise.all([dispatcher.stop(), dispatcher.stop()]);
    await dispatcher.stop();
    expect(isBrokenOff).toBe(true);
  });

  test("does not wait for ever for a take that hangs", async () => {
    const { dispatcher } = dispatch([], { take: () => new Promise(() => {}) });
    await dispatcher.stop();
  });
});
