/** Periodic jobs on several servers: one of them does each job, and another one takes over if it dies. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { until } from "@test/support/until";
import { createLog } from "@/platform/telemetry/log";
import { type PeriodicJob, startPeriodic } from "@/workers/periodic";

const LOOK_EVERY_MS = 10;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let logged = "";
const log = createLog((text) => {
  logged += text;
});

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`truncate periodic_jobs`;
  logged = "";
});

const start = (job: Pick<PeriodicJob, "run"> & { everyMs?: number }) =>
  startPeriodic({
    sql: database.sql,
    log,
    jobs: [{ name: "count", everyMs: DAY_MS, ...job }],
    lookEveryMs: LOOK_EVERY_MS,
  });

const makeDue = () => database.sql`
  insert into periodic_jobs (name, due_at) values ('count', now()) on conflict (name) do update set due_at = now()`;

async function row() {
  const [job] = await database.sql`
    select extract(epoch from due_at - now())::float8 as "dueInS", leased_by as "leasedBy" from periodic_jobs`;
  return job;
}

describe("a job", () => {
  test("that is new is not due immediately", async () => {
    let runs = 0;
    const periodic = start({ run: async () => ({ runs: ++runs }) });
    await until(async () => (await row()) !== undefined);
    await periodic.stop();
    expect(runs).toBe(0);
    expect((await row())?.dueInS).toBeGreaterThan(3_000);
  });

  test("with an interval of two minutes is due within two at first, and after a failure", async () => {
    let runs = 0;
    const periodic = start({
      everyMs: 120_000,
      run: () => {
        runs++;
        return Promise.reject(new Error("no luck"));
      },
    });
    await until(async () => (await row()) !== undefined);
    expect((await row())?.dueInS).toBeLessThanOrEqual(120);
    await makeDue();
    await until(async () => runs === 1 && (await row())?.leasedBy === null);
    await periodic.stop();
    expect((await row())?.dueInS).toBeLessThanOrEqual(120);
  });

  test("runs once among several servers, and is due again a day later", async () => {
    let runs = 0;
    await makeDue();
    const servers = Array.from({ length: 4 }, () => start({ run: async () => ({ runs: ++runs }) }));
    await until(async () => ((await row())?.dueInS ?? 0) > 80_000);
    for (const server of servers) await server.stop();
    expect(runs).toBe(1);
    expect(await row()).toMatchObject({ leasedBy: null });
    log.flush();
    expect(logged).toContain('"job":"count","runs":1');
  });

  test("that fails is logged and due again sooner", async () => {
    await makeDue();
    const periodic = start({ run: () => Promise.reject(new Error("no luck")) });
    await until(async () => ((await row())?.dueInS ?? 0) > 800);
    await periodic.stop();
    expect((await row())?.dueInS).toBeLessThan(1_000);
    log.flush();
    expect(logged).toContain("no luck");
    expect(logged).toContain('"level":"error","message":"periodic job failed"');
  });

  test("that Postgres hinders is no error: it is due again sooner as well", async () => {
    await makeDue();
    const periodic = start({
      run: async () => ({ found: await database.sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)` }),
    });
    await until(async () => ((await row())?.dueInS ?? 0) > 800);
    await periodic.stop();
    log.flush();
    expect(logged).toContain('"level":"warn","message":"periodic job failed"');
    expect(logged).not.toContain('"level":"error"');
  });

  test("whose server died is taken over when its lease expires", async () => {
    let runs = 0;
    await makeDue();
    await database.sql`update periodic_jobs set leased_by = ${crypto.randomUUID()}, leased_until = now() + interval '1 hour'`;
    const periodic = start({ run: async () => ({ runs: ++runs }) });
    await Bun.sleep(10 * LOOK_EVERY_MS);
    expect(runs).toBe(0);
    await database.sql`update periodic_jobs set leased_until = now() - interval '1 second'`;
    await until(() => runs === 1);
    await periodic.stop();
  });

  test("runs although the clock of Postgres was a year ahead when it was last done, and when a server died of it", async () => {
    let runs = 0;
    await makeDue();
    await database.sql`update periodic_jobs set due_at = now() + interval '1 year',
      leased_by = ${crypto.randomUUID()}, leased_until = now() + interval '1 year'`;
    const periodic = start({ run: async () => ({ runs: ++runs }) });
    await until(async () => runs === 1 && (await row())?.leasedBy === null);
    await periodic.stop();
    expect((await row())?.dueInS).toBeLessThanOrEqual(86_400);
  });
});

test("jobs that cannot be looked up are logged once, not each of them with each look", async () => {
  let looks = 0;
  const sql = Object.assign(() => {
    looks++;
    return Promise.reject(new Error("Postgres is unavailable"));
  }) as unknown as typeof database.sql;
  const jobs = ["one", "two"].map((name) => ({ name, everyMs: DAY_MS, run: async () => ({}) }));
  const periodic = startPeriodic({ sql, log, jobs, lookEveryMs: LOOK_EVERY_MS });
  await until(() => looks >= 3 * jobs.length);
  await periodic.stop();
  log.flush();
  expect(logged.match(/could not look up a periodic job/g)).toHaveLength(1);
});

describe("stopping", () => {
  test.each([
    ["ends early", () => {}],
    ["rejects when it is aborted", (signal: AbortSignal) => signal.throwIfAborted()],
  ])("aborts a job that %s, waits for it, and makes it due immediately", async (_, end) => {
    await makeDue();
    const begun = Promise.withResolvers<void>();
    const periodic = start({
      run: async (signal) => {
        begun.resolve();
        await until(() => signal.aborted);
        end(signal);
        return {};
      },
    });
    await begun.promise;
    await periodic.stop();
    await periodic.stop();
    const job = await row();
    // Due immediately, neither in a day nor in a minute as after a failure. The clocks of two cores may differ by
    // microseconds.
    expect(job?.dueInS).toBeLessThan(1);
    expect(job?.leasedBy).toBeNull();
    log.flush();
    expect(logged).not.toContain("failed");
  });
});
