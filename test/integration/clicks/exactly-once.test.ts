/** Batches interrupted wherever possible: each is applied once, and all counts agree afterwards. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import postgres from "postgres";
import { createEnrichment, type Enrich } from "@/clicks/enrich/enrich";
import type { ClickRecord } from "@/clicks/record";
import { BATCH_STEPS, type Batch, type BatchStep } from "@/clicks/writer/batch";
import { BatchWriter } from "@/clicks/writer/batch-writer";
import { ClickDatabase, ConnectionLostError } from "@/clicks/writer/click-database";
import type { PoisonedRecord } from "@/clicks/writer/poisoned-record";
import { Retries } from "@/clicks/writer/retry";
import { createSketch, decodeSketch, estimate, mergeInto, PRECISION } from "@/figures/uniques";
import { FigureStore } from "@/figures/write/figure-store";
import { visitorSecret } from "@/platform/visitor";
import {
  allAre,
  clickOn,
  ownSpool,
  type SeededLink,
  seedLink,
  seedOrganization,
  sumsOf,
  VISITOR_SECRET,
} from "./fixture";

const NOWHERE = { edition: 1, lookup: () => undefined, [Symbol.dispose]: () => undefined };
const CLICKS = 40;

let database: TestDatabase;
let clicks: ClickDatabase;
let enrich: Enrich;
let links: SeededLink[];
let poisoned: PoisonedRecord[];

beforeEach(async () => {
  database = await createDatabase();
  clicks = new ClickDatabase(database.url);
  enrich = createEnrichment(NOWHERE, visitorSecret(VISITOR_SECRET, "none"));
  const orgId = await seedOrganization(database.sql);
  links = [await seedLink(database.sql, orgId), await seedLink(database.sql, orgId)];
  poisoned = [];
});
afterEach(async () => {
  await clicks.close();
  await database.drop();
});

const target = { orgId: "", defaultUrl: "https://example.com/", rules: [], splitTargets: [], utm: {} };

function records(): ClickRecord[] {
  return Array.from({ length: CLICKS }, (_, index) => {
    const link = links[index % links.length];
    if (!link) throw new Error("There are links.");
    return clickOn(link, { kind: index % 10 === 9 ? "open" : "click" });
  });
}

async function batchOf(all: readonly ClickRecord[], spoolId: string): Promise<Batch> {
  const { applied, identity: spool } = await ownSpool(clicks, spoolId);
  const enriched = await enrich(
    all.map((record, index) => ({ record, targets: target, end: { segment: 1, offset: (index + 1) * 100 } })),
  );
  return { spool, from: applied, to: { segment: 1, offset: all.length * 100 }, clicks: enriched };
}

function writer(steps: readonly BatchStep[] = BATCH_STEPS, through = clicks): BatchWriter {
  return new BatchWriter({
    database: through,
    figures: new FigureStore((error) => Promise.reject(error)),
    visitorSecret: visitorSecret(VISITOR_SECRET, "none"),
    retries: new Retries(new AbortController().signal, () => undefined),
    onPoison: (records) => poisoned.push(...records),
    onFailure: () => undefined,
    steps,
  });
}

/** Returns all steps; the connection is lost once, after step number `after`. */
function interruptedSteps(after: number): { steps: BatchStep[]; wasInterrupted(): boolean } {
  let isInterrupted = false;
  const steps = BATCH_STEPS.map((step, index): BatchStep => {
    return async (tx, batch) => {
      await step(tx, batch);
      if (index !== after || isInterrupted) return;
      isInterrupted = true;
      throw new ConnectionLostError("gone");
    };
  });
  return { steps, wasInterrupted: () => isInterrupted };
}

async function expectAppliedOnce(): Promise<void> {
  const opens = CLICKS / 10;
  expect(await sumsOf(database.sql)).toEqual({ ...allAre(CLICKS - opens), applied: CLICKS });
  expect(await database.sql`select 1 from opens`).toHaveLength(opens);
  const sketches =
    await database.sql`select visitors as sketch from figures_hourly where link_id = ${links[0]?.id ?? ""} and visitors is not null`;
  const visitors = createSketch(PRECISION);
  for (const { sketch } of sketches) mergeInto(visitors, decodeSketch(sketch));
  expect(estimate(visitors)).toBe(CLICKS / 2);
}

describe("a batch", () => {
  test.each(BATCH_STEPS.map((_, index) => [index]))(
    "is applied once when step %d is its last for the first time",
    async (after) => {
      const { steps, wasInterrupted } = interruptedSteps(after);
      const batch = await batchOf(records(), Bun.randomUUIDv7());
      const each = writer(steps);
      expect(await each.apply(batch)).toEqual(batch.to);
      expect(wasInterrupted()).toBe(true);
      expect(each.applied).toBe(CLICKS);
      await expectAppliedOnce();
    },
  );

  test("is applied once when the server ends its connection after each step", async () => {
    let ended = 0;
    const steps = BATCH_STEPS.map((step, index): BatchStep => {
      return async (tx, batch) => {
        await step(tx, batch);
        if (ended !== index) return;
        ended += 1;
        const [row] = await tx.run<{ pid: number }>("select pg_backend_pid() as pid");
        await database.sql`select pg_terminate_backend(${row?.pid ?? 0}, 5000)`;
      };
    });
    const batch = await batchOf(records(), Bun.randomUUIDv7());
    expect(await writer(steps).apply(batch)).toEqual(batch.to);
    expect(ended).toBe(BATCH_STEPS.length);
    await expectAppliedOnce();
  });

  test("is applied once when the response to its commit is lost", async () => {
    class DeafDatabase extends ClickDatabase {
      override async transaction<Result>(work: Parameters<ClickDatabase["transaction"]>[0]): Promise<Result> {
        await super.transaction(work);
        throw new ConnectionLostError("gone before the answer");
      }
    }
    const deaf = new DeafDatabase(database.url);
    const batch = await batchOf(records(), Bun.randomUUIDv7());
    const each = writer(BATCH_STEPS, deaf);
    expect(await each.apply(batch)).toEqual(batch.to);
    expect(each.applied).toBe(CLICKS);
    await deaf.close();
    await expectAppliedOnce();
  });

  test("is applied once by two writers at the same time", async () => {
    const batch = await batchOf(records(), Bun.randomUUIDv7());
    const other = new ClickDatabase(database.url);
    const positions = await Promise.all([writer().apply(batch), writer(BATCH_STEPS, other).apply(batch)]);
    expect(positions).toEqual([batch.to, batch.to]);
    await other.close();
    await expectAppliedOnce();
  });

  test("is skipped when the spool has moved on, and returns the spool's new position", async () => {
    const spoolId = Bun.randomUUIDv7();
    const batch = await batchOf(records(), spoolId);
    await database.sql`update spools set segment = 7, position = 70 where id = ${spoolId}`;
    expect(await writer().apply(batch)).toEqual({ segment: 7, offset: 70 });
    expect(await sumsOf(database.sql)).toEqual(allAre(0));
  });

  test("is not applied once another process has taken over a copy of its spool", async () => {
    const spoolId = Bun.randomUUIDv7();
    const batch = await batchOf(records(), spoolId);
    await database.sql`update spools set incarnation = gen_random_uuid() where id = ${spoolId}`;
    expect(await writer().apply(batch)).toBeUndefined();
    expect(await sumsOf(database.sql)).toEqual(allAre(0));
  });

  test("skips clicks that another spool has applied or is applying", async () => {
    const all = records();
    const whole = await batchOf(all, Bun.randomUUIDv7());
    const half = await batchOf(all.slice(0, CLICKS / 2), Bun.randomUUIDv7());
    const other = new ClickDatabase(database.url);
    const [one, two] = [writer(), writer(BATCH_STEPS, other)];
    expect(await Promise.all([one.apply(whole), two.apply(half)])).toEqual([whole.to, half.to]);
    expect(await writer().apply(await batchOf(all, Bun.randomUUIDv7()))).toBeDefined();
    await other.close();
    expect(one.applied + two.applied).toBe(CLICKS);
    await expectAppliedOnce();
    expect(poisoned).toEqual([]);
  });

  test("loses only the records that Postgres refuses, wherever they are in the batch", async () => {
    const all = records().map((record): ClickRecord => ({ ...record, kind: "click" }));
    const refused = [0, 17, 18, CLICKS - 1];
    // Postgres refuses nothing that we write, so the test makes it refuse some records.
    await database.sql.unsafe(
      `alter table clicks add constraint picky check (id not in (${refused.map((index) => `'${all[index]?.id}'`)}))`,
    );
    const batch = await batchOf(all, Bun.randomUUIDv7());
    expect(await writer().apply(batch)).toEqual(batch.to);
    expect(await sumsOf(database.sql)).toEqual(allAre(CLICKS - refused.length));
    expect(poisoned.map(({ reason }) => reason)).toEqual(refused.map(() => "refused"));
    expect(poisoned.map(({ line }) => all.findIndex(({ id }) => line.includes(id)))).toEqual(refused);
  });
});

test("no transaction hangs when its connections are dropped at any moment", async () => {
  const rounds = async () => {
    const each = new ClickDatabase(database.url);
    for (let round = 0; round < 8; round++) {
      const working = each.transaction((tx) => tx.run("select 1"));
      const failing = each.inTime(() => each.reader.unsafe("select 1 / 0"));
      await Promise.allSettled([working, failing]);
    }
    expect(await each.transaction((tx) => tx.run("select 1 as one"))).toEqual([{ one: 1 }]);
    await each.close();
  };
  await Promise.all(Array.from({ length: 8 }, rounds));
});

describe("when Postgres does not respond", () => {
  let hasty: ClickDatabase;
  beforeEach(() => {
    hasty = new ClickDatabase(database.url, 100);
  });
  afterEach(() => hasty.close());

  /** Retries, because on a busy machine even reconnecting may take longer than the timeout. */
  async function orLater<Result>(attempt: () => Promise<Result>, tries = 6): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 0) throw error;
      return orLater(attempt, tries - 1);
    }
  }

  test("a transaction times out, and the next one works", async () => {
    expect(await faultOf(hasty.transaction((tx) => tx.run("select pg_sleep(30)")))).toBeInstanceOf(Error);
    const one = () => hasty.transaction((tx) => tx.run<{ one: number }>("select 1 as one"));
    expect(await orLater(one)).toEqual([{ one: 1 }]);
  });

  test("a read times out, and the next one works", async () => {
    expect(await faultOf(hasty.inTime(async () => hasty.reader`select pg_sleep(30)`))).toBeInstanceOf(Error);
    expect(await orLater(() => hasty.inTime(async () => hasty.reader`select 1 as one`))).toMatchObject([{ one: 1 }]);
  });

  test("the timeout grows with each try until a slow transaction completes", async () => {
    const slow = () => hasty.transaction((tx) => tx.run("select pg_sleep(0.3)"));
    let faults = 0;
    for (let tries = 0; tries < 10 && (await faultOf(slow())) !== undefined; tries++) {
      // A quick query in between does not shorten the wait; on a busy machine even this one may take too long.
      await faultOf(hasty.inTime(async () => hasty.reader`select 1`));
      faults++;
    }
    expect(faults).toBeLessThan(5);
  });

  test("a batch that keeps timing out is applied in smaller parts, which grow again later", async () => {
    const through: number[] = [];
    const only =
      (count: number): BatchStep =>
      async (tx, { clicks }) => {
        if (clicks.length > count) await tx.run("select pg_sleep(100)");
        through.push(clicks.length);
      };
    const steps = [...BATCH_STEPS, only(10)];
    const batch = await batchOf(records(), Bun.randomUUIDv7());
    const each = writer(steps, hasty);
    expect(await each.apply(batch)).toEqual(batch.to);
    expect({ applied: each.applied, largest: Math.max(...through) <= 10 }).toEqual({ applied: CLICKS, largest: true });
    await expectAppliedOnce();
    steps[BATCH_STEPS.length] = only(CLICKS);
    while (through.at(-1) !== CLICKS) await each.apply(await batchOf(records(), Bun.randomUUIDv7()));
  });

  test("the locks of an abandoned transaction are released at the next try", async () => {
    await database.sql`create table locked (id int)`;
    const lock = "lock table locked in access exclusive mode";
    const name = Promise.withResolvers<string>();
    const end = Promise.withResolvers<void>();
    const held = clicks.transaction(async (tx) => {
      await tx.run(lock);
      const [own] = await tx.run<{ name: string }>("select current_setting('application_name') as name");
      name.resolve(own?.name ?? "");
      await end.promise;
    });
    held.catch(name.reject);
    // Simulates a network that lost the end of the connection: a backend with that name still exists.
    const left = postgres(database.url, { max: 1, connection: { application_name: await name.promise } });
    clicks.reset();
    const isLeftHolding = Promise.withResolvers<void>();
    const leftover = left.begin(async (tx) => {
      await tx.unsafe(lock);
      isLeftHolding.resolve();
      await end.promise;
    });
    leftover.catch(isLeftHolding.reject);
    await isLeftHolding.promise;
    expect(await faultOf(clicks.transaction((tx) => tx.run(lock)))).toBeUndefined();
    end.resolve();
    expect(await faultOf(held)).toBeInstanceOf(Error);
    expect(await faultOf(leftover)).toBeInstanceOf(Error);
    await left.end({ timeout: 0 });
  });

  const faultOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
});
