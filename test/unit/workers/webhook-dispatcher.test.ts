import { afterEach, describe, expect, test } from "bun:test";
import { until } from "@test/support/until";
import { createLog } from "@/platform/telemetry/log";
import {
  type DispatchedDelivery,
  type DispatcherOptions,
  startDispatcher,
  type WantedDeliveries,
} from "@/workers/webhook-dispatcher";
import type { AttemptOutcome, ClaimedLine } from "@/workers/webhook-line";

type Options = DispatcherOptions<DispatchedDelivery, AttemptOutcome>;
type Stop = { stop(): Promise<void> };
let started: Stop[] = [];
afterEach(async () => {
  await Promise.all(started.map((each) => each.stop()));
  started = [];
});

const DELIVERED: AttemptOutcome = { isDelivered: true, durationMs: 1 };
const FAILED: AttemptOutcome = { isDelivered: false, durationMs: 1 };

/** Starts a dispatcher on a stand-in for the queue in Postgres: settled deliveries leave their lines. */
function dispatch(waiting: Record<string, string[]>, options: Partial<Options> = {}, failing: string[] = []) {
  const sent: string[] = [];
  const settled: string[] = [];
  const claims: { room: { all: number; failing: number }; held: readonly string[] }[] = [];
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  const lineOf = (id: string): ClaimedLine => ({
    id,
    orgId: "",
    url: `https://${id}.example.com/`,
    isFailing: failing.includes(id),
    batch: false,
  });
  const takeOf = ({ webhookId, room, held }: WantedDeliveries) =>
    (waiting[webhookId] ?? [])
      .filter((id) => !held.includes(id))
      .slice(0, room)
      .map((id) => ({ id, webhookId, dueAt: "2026-01-01" }));
  const dispatcher = startDispatcher<DispatchedDelivery, AttemptOutcome>({
    claim: async (room, held) => {
      claims.push({ room, held: [...held] });
      const due = Object.keys(waiting).filter((id) => waiting[id]?.length && !held.includes(id));
      return due.map(lineOf);
    },
    take: async (wants) => wants.flatMap(takeOf),
    send: async ({ id }) => {
      sent.push(id);
      return DELIVERED;
    },
    settle: async (tried) => {
      for (const { delivery } of tried) {
        settled.push(delivery.id);
        const line = waiting[delivery.webhookId] ?? [];
        waiting[delivery.webhookId] = line.filter((id) => id !== delivery.id);
      }
    },
    renew: async () => {},
    release: async () => {},
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
  return { dispatcher, sent, settled, claims, logged: read };
}

const many = (count: number, name = "") => Array.from({ length: count }, (_, number) => `${name}${number}`);
const never = () => new Promise<never>(() => {});

describe("a dispatcher", () => {
  test("sends each due delivery once, and checks for more when woken", async () => {
    const waiting: Record<string, string[]> = { one: many(30) };
    const { dispatcher, sent, settled } = dispatch(waiting);
    await until(() => settled.length === 30);
    waiting.other = ["late"];
    dispatcher.wake();
    await until(() => sent.length === 31);
    expect(sent).toEqual([...many(30), "late"]);
  });

  test("also polls without being woken", async () => {
    const waiting: Record<string, string[]> = {};
    const { sent } = dispatch(waiting, { pollMs: 1 });
    waiting.one = ["late"];
    await until(() => sent.length === 1);
  });

  test("has at most four deliveries in progress at a new endpoint, and continues as they end", async () => {
    const ends: (() => void)[] = [];
    let [underWay, most] = [0, 0];
    const { settled } = dispatch(
      { one: many(12) },
      {
        send: async () => {
          most = Math.max(most, ++underWay);
          await new Promise<void>((end) => ends.push(end));
          underWay--;
          return { isDelivered: true, durationMs: 5_000 };
        },
      },
    );
    await until(() => underWay === 4);
    for (let ended = 0; ended < 12; ended++) {
      await until(() => ends.length > ended);
      ends[ended]?.();
    }
    await until(() => settled.length === 12);
    expect(most).toBe(4);
  });

  test("tries a failing endpoint once per claim, and continues immediately once a delivery succeeds", async () => {
    let answer = FAILED;
    let sent = 0;
    const { dispatcher, claims } = dispatch(
      { dead: many(3) },
      {
        send: async () => {
          sent++;
          return answer;
        },
        settle: async () => {},
      },
      ["dead"],
    );
    await until(() => sent === 1);
    const before = claims.length;
    dispatcher.wake();
    await until(() => claims.length > before && sent === 2);
    answer = DELIVERED;
    dispatcher.wake();
    await until(() => sent > 4);
  });

  test("limits failing endpoints to half of its places, and leaves the others to healthy ones", async () => {
    const dead = Object.fromEntries(many(6, "dead").map((id) => [id, [`${id}'s`]]));
    const underWay: string[] = [];
    const waiting: Record<string, string[]> = { ...dead, alive: many(9, "alive") };
    const { claims } = dispatch(
      waiting,
      {
        places: { all: 8, slow: 4 },
        pollMs: 1,
        send: ({ id }) => {
          underWay.push(id);
          return never();
        },
      },
      Object.keys(dead),
    );
    await until(() => underWay.length === 8);
    await until(() => claims.length > 3);
    expect(underWay.filter((id) => id.startsWith("dead"))).toHaveLength(4);
    expect(underWay.filter((id) => id.startsWith("alive"))).toHaveLength(4);
    expect(claims.at(-1)?.room.failing).toBe(0);
  });

  test("takes no more from a queue whose results cannot be recorded, and records them once possible", async () => {
    let isAway = true;
    const noted: string[] = [];
    const waiting = { one: many(20) };
    const { sent, logged } = dispatch(waiting, {
      pollMs: 1,
      settle: async (tried) => {
        if (isAway) throw new Error("no Postgres");
        noted.push(...tried.map(({ delivery }) => delivery.id));
        waiting.one = waiting.one.filter((id) => !noted.includes(id));
      },
    });
    await until(() => logged().includes("no Postgres"));
    const before = sent.length;
    expect(before).toBeLessThan(20);
    isAway = false;
    await until(() => noted.length === 20);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test("survives errors and logs them", async () => {
    let tries = 0;
    const { settled, logged } = dispatch(
      { one: ["breaks"], other: ["works"] },
      {
        pollMs: 1,
        send: async ({ id }) => {
          if (id === "breaks" && ++tries === 1) throw new Error("no sending");
          return DELIVERED;
        },
      },
    );
    await until(() => settled.length === 2);
    expect(settled).toContain("works");
    expect(logged()).toContain("no sending");
  });
});

describe("stopping", () => {
  test("takes no more, lets deliveries in progress end, records them, and releases its queues", async () => {
    const end = Promise.withResolvers<AttemptOutcome>();
    const waiting: Record<string, string[]> = { one: ["a"] };
    let isReleased = false;
    const { dispatcher, sent, settled } = dispatch(waiting, {
      stopMs: 60_000,
      send: ({ id }) => {
        sent.push(id);
        return end.promise;
      },
      release: async () => {
        isReleased = true;
      },
    });
    await until(() => sent.length === 1);
    const stopped = dispatcher.stop();
    waiting.one?.push("b");
    dispatcher.wake();
    end.resolve(DELIVERED);
    await stopped;
    expect([settled, sent, isReleased]).toEqual([["a"], ["a"], true]);
  });

  test("aborts deliveries that take too long, records nothing of them, and can be repeated", async () => {
    let isUnderWay = false;
    const { dispatcher, settled } = dispatch(
      { one: ["hangs"] },
      {
        send: (_, signal) => {
          isUnderWay = true;
          return new Promise((end) => signal.addEventListener("abort", () => end(FAILED)));
        },
      },
    );
    await until(() => isUnderWay);
    await Promise.all([dispatcher.stop(), dispatcher.stop()]);
    await dispatcher.stop();
    expect(settled).toEqual([]);
  });

  test("does not wait forever for Postgres", async () => {
    const { dispatcher } = dispatch({}, { claim: never, release: never });
    await dispatcher.stop();
  });
});
