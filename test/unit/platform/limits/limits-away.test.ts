/**
 * Limits while Redis is stopped, frozen, or slow to return. The tests use their own Redis, because they freeze and
 * kill it.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { findProgram, REDIS_SERVER } from "@test/support/servers/system-program";
import { takePort } from "@test/support/servers/test-port";
import { until } from "@test/support/until";
import type { Subprocess } from "bun";
import { type Limits, openLimits } from "@/platform/limits/limits";

const MINUTE = 60_000;
/** On a busy machine, Redis may take longer than the service lets a visitor wait. */
const WAIT_MS_MAX = 2_000;
/** Longer than until Redis is tried again. */
const TRIED_AGAIN_MS = 1_500;
const port = await takePort();
const servers: Subprocess[] = [];
const opened: Limits[] = [];

function launch(): Subprocess {
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = Bun.spawn([findProgram(REDIS_SERVER), ...flags], { stdout: "ignore", stderr: "ignore" });
  servers.push(server);
  return server;
}

afterAll(async () => {
  for (const limits of opened) limits[Symbol.dispose]();
  for (const server of servers) {
    server.kill("SIGKILL");
    await server.exited;
  }
});

const errors: unknown[] = [];

function limiter(name: string) {
  const limits = openLimits({
    clock: Date.now,
    database: "",
    redisUrl: `redis://127.0.0.1:${port}`,
    waitMsMax: WAIT_MS_MAX,
    onError: (error) => errors.push(error),
  });
  opened.push(limits);
  return limits.limiter({ name, windowMs: MINUTE });
}

describe("without Redis", () => {
  test("each process allows half of the limit, rounded up, and reports that limit", async () => {
    const one = limiter("absent");
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => one.take("a", 7)));
    expect(verdicts.filter(({ ok }) => ok).length).toBe(4);
    expect(verdicts[0]).toMatchObject({ ok: true, limit: 4, remaining: 3 });
    expect(Array.from({ length: 9 }, () => one.takeNow("b", 5).ok).filter(Boolean).length).toBe(3);
    one.giveBack("b");
    expect([one.takeNow("b", 5).ok, one.takeNow("b", 5).ok]).toEqual([true, false]);
  });
});

describe("a Redis that freezes", () => {
  test("does not block requests: limits continue at half, and are full again when it is back", async () => {
    const redis = launch();
    const one = limiter("frozen");
    await until(() => one.peek("", 10).limit === 10);
    expect(await one.take("a", 10)).toMatchObject({ ok: true, limit: 10, remaining: 9 });

    redis.kill("SIGSTOP");
    // The limit is two seconds here. However busy the machine is, a timer of that comes before one of five seconds.
    const tooLate = Bun.sleep(5000).then(() => []);
    const taken = Promise.all(Array.from({ length: 50 }, () => one.take("a", 10)));
    const verdicts = await Promise.race([taken, tooLate]);
    expect(verdicts).toHaveLength(50);
    // Half of the limit is five, of which one was taken before.
    expect(verdicts.filter(({ ok }) => ok).length).toBe(4);
    expect(await one.take("a", 10)).toMatchObject({ ok: false, limit: 5 });
    expect((await one.take("b", 10)).limit).toBe(5);
    expect(errors.length).toBeGreaterThan(0);

    redis.kill("SIGCONT");
    await until(() => one.peek("", 10).limit === 10);
    const fresh = await Promise.all(Array.from({ length: 20 }, () => one.take("c", 10)));
    expect(fresh.filter(({ ok }) => ok).length).toBe(10);
  });

  test("is not waited for again while it stays frozen", async () => {
    const [redis] = servers;
    const one = limiter("still frozen");
    await until(() => one.peek("", 10).limit === 10);
    redis?.kill("SIGSTOP");
    expect((await one.take("a", 10)).limit).toBe(5);
    await Bun.sleep(TRIED_AGAIN_MS);
    expect(one.peek("", 10).limit).toBe(5);

    redis?.kill("SIGCONT");
    await until(() => one.peek("", 10).limit === 10);
    expect(await one.take("c", 10)).toMatchObject({ ok: true, limit: 10, remaining: 9 });
  });

  test("is sent at most a bounded number of commands in the meantime", async () => {
    const [redis] = servers;
    const one = limiter("bounded");
    await until(() => one.peek("", 10).limit === 10);
    redis?.kill("SIGSTOP");
    for (let key = 0; key < 5000; key++) one.takeNow(String(key), 10);
    expect(one.peek("", 10).limit).toBe(5);
    redis?.kill("SIGCONT");
    await until(() => one.peek("", 10).limit === 10);
  });
});

test("a Redis that is killed and restarted shares limits again without a restart of the service", async () => {
  const one = limiter("killed");
  const two = limiter("killed");
  await until(() => one.peek("", 10).limit + two.peek("", 10).limit === 20);
  const [redis] = servers;
  redis?.kill("SIGKILL");
  await redis?.exited;
  await until(() => one.peek("", 10).limit === 5);
  expect((await one.take("a", 10)).ok).toBe(true);
  launch();
  await until(() => one.peek("", 10).limit + two.peek("", 10).limit === 20);
  for (let take = 1; take <= 4; take++) expect((await one.take("d", 4)).ok).toBe(true);
  expect((await two.take("d", 4)).ok).toBe(false);
});

test("after closing, limits continue within the process", async () => {
  const [limits] = opened;
  limits?.[Symbol.dispose]();
  limits?.[Symbol.dispose]();
  const one = limits?.limiter({ name: "closed", windowMs: MINUTE });
  expect(await one?.take("a", 2)).toMatchObject({ ok: true, limit: 1 });
  expect(await one?.take("a", 2)).toMatchObject({ ok: false });
});
