import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { temporaryFolder } from "@test/unit/clicks/records";
import { anonymise } from "@/clicks/erase-visits";
import type { ClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import { deleteApplied, markApplied } from "@/clicks/spool/housekeeping";
import { segmentName, segmentSequences } from "@/clicks/spool/segment";
import { Spool } from "@/clicks/spool/spool";
import * as spoolFolders from "@/clicks/spool/spool-folders";
import { statementsOn } from "@/platform/db/statements";
import { acquireFileLock } from "@/platform/file-lock";
import { visitorSecret } from "@/platform/visitor";
import {
  allAre,
  clickOn,
  type LoggedPipeline,
  PATIENT,
  type SeededLink,
  seedLink,
  seedOrganization,
  startPipeline,
  sumsOf,
  VISITOR_SECRET,
} from "./fixture";

let database: TestDatabase;
let folder: ReturnType<typeof temporaryFolder>;
let link: SeededLink;
const open: ClickPipeline[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  database = await createDatabase();
  link = await seedLink(database.sql, await seedOrganization(database.sql));
});
afterEach(async () => {
  for (const pipeline of open.splice(0)) await pipeline.close();
  await database.drop();
  folder.remove();
});

async function start(changes: Parameters<typeof startPipeline>[2] = {}) {
  const pipeline = startPipeline(folder.path, database.url, changes);
  open.push(pipeline);
  return pipeline;
}

/**
 * Leaves what a killed process leaves: its spool, without a lock. The spool appears complete, by a rename, for
 * processes that look for such spools.
 */
async function abandonSpool(
  records: readonly ClickRecord[],
  path = join(folder.path, "spool", Bun.randomUUIDv7()),
): Promise<string> {
  const making = `${path}.making`;
  mkdirSync(making, { recursive: true });
  const options = { folder: making, sequenceBefore: 0, bytesMax: 1e9, fsyncMs: 0 };
  const spool = new Spool({ ...options, onCommit: () => undefined, onFault: () => undefined });
  await Promise.all(records.map((record) => spool.append(record)));
  await spool.close();
  renameSync(making, path);
  return path;
}

/** Deletes from Postgres what it has lost once it is restored to an earlier state. */
async function setBack(rows: "all" | "the last batch"): Promise<void> {
  await database.sql`delete from clicks`;
  if (rows === "all") await database.sql`delete from spools`;
  else await database.sql`update spools set segment = 0, position = 0`;
  for (const table of ["link_counters", "figures_hourly", "figures_daily"])
    await database.sql`delete from ${database.sql(table)}`;
}

const clicks = (count: number) => Array.from({ length: count }, () => clickOn(link));
const untilLogged = async (pipeline: LoggedPipeline, message: string, times = 1) => {
  while (pipeline.logged().split(message).length <= times) await Bun.sleep(5);
};
const APPLIED = "applied the spool of a dead process";
const untilGone = async (path: string) => {
  while (existsSync(path)) await Bun.sleep(5);
};
const newestOf = (path: string) => join(path, segmentName(segmentSequences(readdirSync(path)).at(-1) ?? 0));

describe("an abandoned spool", () => {
  test("is continued by the next process, in a new segment after its torn tail", async () => {
    const path = await abandonSpool(clicks(3));
    const torn = newestOf(path);
    appendFileSync(torn, Buffer.from([200, 0, 0, 0, 1, 2, 3]));
    const size = statSync(torn).size;
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(4));
    expect(readdirSync(join(folder.path, "spool"))).toHaveLength(1);
    expect(statSync(torn).size).toBe(size);
    expect(newestOf(path)).not.toBe(torn);
    expect(pipeline.logged()).toContain("torn tail");
  });

  test("besides the continued one is applied as well", async () => {
    for (const count of [2, 3, 5]) await abandonSpool(clicks(count));
    const pipeline = await start();
    await untilLogged(pipeline, APPLIED, 2);
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(10));
  });

  test("applied in between does not disturb the figures of the continued one", async () => {
    for (const count of [2, 3]) await abandonSpool(clicks(count));
    const pipeline = await start();
    await untilLogged(pipeline, APPLIED);
    await Promise.all(clicks(4).map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(9));
  });

  test("that was partly applied is continued from that position", async () => {
    const first = await start();
    await Promise.all(clicks(5).map((record) => first.append(record)));
    await first.close();
    const [path = ""] = readdirSync(join(folder.path, "spool"));
    const before = newestOf(join(folder.path, "spool", path));
    const second = await start(PATIENT);
    await Promise.all(clicks(5).map((record) => second.append(record)));
    await second.close();
    expect(await sumsOf(database.sql)).toEqual(allAre(10));
    expect(existsSync(before)).toBe(true);
  });

  test("that is empty does not get in the way, nor does an unrelated folder", async () => {
    mkdirSync(join(folder.path, "spool", Bun.randomUUIDv7()), { recursive: true });
    mkdirSync(join(folder.path, "spool", "something else"));
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    expect(readdirSync(join(folder.path, "spool"))).toContain("something else");
  });
});

describe("the backlog of dead processes", () => {
  /** More than a batch holds, also where Postgres seems so far away, on a busy machine, that batches are twice as large. */
  const MANY = 65_600;
  const GONE = Bun.randomUUIDv7();
  /** Clicks of an organization that is gone are read, but not written, which would take a busy machine a minute. */
  const unwritten = () => Array.from({ length: MANY }, () => clickOn({ ...link, orgId: GONE }));
  /** The transactions that wrote the clicks of a link, oldest first. */
  const transactionsOf = async ({ id }: SeededLink) => {
    const rows = await database.sql<{ number: number }[]>`
      select distinct xmin::text::int as number from clicks where link_id = ${id} order by 1`;
    return rows.map(({ number }) => number);
  };

  /** Postgres holds up every click on a slow link until the returned lock is released. */
  async function holdUp({ id }: SeededLink) {
    await database.sql.unsafe(`
      create function wait_for_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(77); return new; end $$;
      create trigger wait_for_test before insert on clicks for each row
        when (new.link_id = '${id}') execute function wait_for_test()`);
    const connection = await database.sql.reserve();
    await connection`select pg_advisory_lock(77)`;
    const isHoldingUp = async () => {
      const [row] = await database.sql`select from pg_locks where locktype = 'advisory' and not granted`;
      return row !== undefined;
    };
    return {
      async untilHoldingUp() {
        while (!(await isHoldingUp())) await Bun.sleep(5);
      },
      async release() {
        await connection`select pg_advisory_unlock(77)`;
        connection.release();
      },
    };
  }

  test.each([
    ["two batches of one spool", (slow: SeededLink) => [[clickOn(slow), ...unwritten(), clickOn(slow)]]],
    ["two spools", (slow: SeededLink) => [[clickOn(slow)], [clickOn(slow)]]],
  ])("lets the clicks of this process go first between %s", async (_, spoolsOf) => {
    const slow = await seedLink(database.sql, link.orgId);
    const live = await seedLink(database.sql, link.orgId);
    const lock = await holdUp(slow);
    await abandonSpool([]);
    for (const records of spoolsOf(slow)) await abandonSpool(records);
    const pipeline = await start();
    await lock.untilHoldingUp();
    await pipeline.append(clickOn(live));
    await lock.release();
    await waitUntilDrained(pipeline);
    await untilLogged(pipeline, APPLIED, spoolsOf(slow).length);
    const [[first = 0, last = 0], [own = 0]] = [await transactionsOf(slow), await transactionsOf(live)];
    expect(own).toBeGreaterThan(first);
    expect(own).toBeLessThan(last);
  });

  test("is left to the next process when this one closes", async () => {
    const slow = await seedLink(database.sql, link.orgId);
    const lock = await holdUp(slow);
    await abandonSpool([]);
    for (const _ of [1, 2]) await abandonSpool([clickOn(slow)]);
    const pipeline = await start();
    await lock.untilHoldingUp();
    await pipeline.append(clickOn(link));
    const closed = pipeline.close();
    await lock.release();
    await closed;
    expect(await sumsOf(database.sql)).toMatchObject({ clicks: 2, applied: 2 });
    await untilLogged(await start(), APPLIED, 2);
    expect(await sumsOf(database.sql)).toEqual(allAre(3));
  });
});

describe("an adopted spool", () => {
  /** The response of Postgres to a commit. */
  const COMMITTED = "COMMIT\0";
  let line: TcpProxy;
  let adopted: string;

  beforeEach(async () => {
    line = await TcpProxy.start(Number(new URL(database.url).port));
    // The process continues with this empty spool and adopts the next one.
    await abandonSpool([]);
  });
  afterEach(() => line.cut());

  async function adopt(records: readonly ClickRecord[]): Promise<LoggedPipeline> {
    adopted = await abandonSpool(records);
    const pipeline = startPipeline(folder.path, line.urlThrough(database.url));
    open.push(pipeline);
    await untilLogged(pipeline, APPLIED);
    return pipeline;
  }
  const bytesOf = (path: string) =>
    segmentSequences(readdirSync(path)).reduce((sum, each) => sum + statSync(join(path, segmentName(each))).size, 0);
  /** As if what was applied had been kept for more than an hour. */
  const letTheHourPass = (path: string) => {
    const longAgo = Date.now() / 1000 - 3_601;
    for (const each of segmentSequences(readdirSync(path))) utimesSync(join(path, segmentName(each)), longAgo, longAgo);
  };

  test.each(["all", "the last batch"] as const)(
    "is kept, and applied again where Postgres has forgotten %s later on",
    async (rows) => {
      const pipeline = await adopt(clicks(20));
      await setBack(rows);
      pipeline.forget();
      await untilLogged(pipeline, APPLIED, 2);
      const { applied, ...sums } = await sumsOf(database.sql);
      expect(sums).toMatchObject({ clicks: 20, distinct: 20, counters: 20, linkHours: 20, organizationDays: 20 });
      expect(applied).toBeGreaterThanOrEqual(20);
    },
  );

  test("is also kept by later processes, which apply it again if Postgres has lost it", async () => {
    await (await adopt(clicks(20))).close();
    const second = await start();
    await untilLogged(second, APPLIED);
    await second.close();
    expect(await sumsOf(database.sql)).toEqual(allAre(20));
    expect(bytesOf(adopted)).toBeGreaterThan(0);
    await setBack("all");
    await untilLogged(await start(), APPLIED);
    expect(await sumsOf(database.sql)).toEqual(allAre(20));
  });

  test("is kept for an hour from when it was applied, not from when it was written", async () => {
    adopted = await abandonSpool(clicks(3));
    letTheHourPass(adopted);
    const pipeline = await start();
    await untilLogged(pipeline, APPLIED);
    await pipeline.close();
    expect(bytesOf(adopted)).toBeGreaterThan(0);
    letTheHourPass(adopted);
    await start();
    await untilGone(adopted);
    expect(await sumsOf(database.sql)).toEqual(allAre(3));
  });

  test("is emptied when the disk is full", async () => {
    const pipeline = await adopt(clicks(3));
    const { openSync } = fs;
    using _ = spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
      if (String(path).endsWith(".seg")) throw new Error("ENOSPC: no space left on device, open");
      return openSync(path, ...rest);
    });
    expect(await pipeline.append(clickOn(link))).toBe(false);
    expect(bytesOf(adopted)).toBe(0);
  });

  test("counts as applied only once all of it is, even if the response to one commit is lost", async () => {
    const records = clicks(8);
    // Postgres refuses a record of the second half, so the batch is written in halves.
    await database.sql.unsafe(`alter table clicks add constraint picky check (id <> '${records[5]?.id}')`);
    const lost = Promise.withResolvers<number>();
    line.intercept(COMMITTED, async () => {
      lost.resolve((await sumsOf(database.sql)).clicks);
      return false;
    });
    const pipeline = await adopt(records);
    expect(await lost.promise).toBe(4);
    expect((await sumsOf(database.sql)).clicks).toBe(7);
    expect(pipeline.stats()).toMatchObject({ poisoned: 1 });
  });

  test.each(["all", "the last batch"] as const)(
    "is applied again before it counts as applied where Postgres has forgotten %s meanwhile",
    async (rows) => {
      line.intercept(COMMITTED, async () => {
        await setBack(rows);
        return true;
      });
      await adopt(clicks(20));
      const { applied, ...sums } = await sumsOf(database.sql);
      expect(sums).toMatchObject({ clicks: 20, distinct: 20, counters: 20, linkHours: 20, organizationDays: 20 });
      expect(applied).toBeGreaterThanOrEqual(20);
    },
  );
});

describe("a disk error", () => {
  const OFTEN = { adoptEveryMs: 5 };

  test("while adopting a spool does not block other spools, and is retried", async () => {
    const path = join(folder.path, "spool", Bun.randomUUIDv7());
    const pipeline = await start(OFTEN);
    // A file cannot contain a lock, so adopting it fails.
    writeFileSync(path, "");
    await untilLogged(pipeline, "cannot adopt the spool of a dead process");
    await abandonSpool(clicks(3));
    await untilLogged(pipeline, APPLIED);
    rmSync(path);
    await abandonSpool(clicks(4), path);
    await untilLogged(pipeline, APPLIED, 2);
    expect(await sumsOf(database.sql)).toEqual(allAre(7));
  });

  test("while adopting a spool at startup does not keep the process from starting", async () => {
    mkdirSync(join(folder.path, "spool"));
    writeFileSync(join(folder.path, "spool", Bun.randomUUIDv7()), "");
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(1));
    expect(pipeline.logged()).toContain("cannot adopt the spool of a dead process");
  });

  test("while removing a spool is retried", async () => {
    using removal = spyOn(spoolFolders, "removeSpoolFolder").mockImplementationOnce(() => {
      throw new Error("EIO: i/o error, unlink");
    });
    const pipeline = await start(OFTEN);
    await untilGone(await abandonSpool([]));
    expect(removal).toHaveBeenCalledTimes(2);
    expect(pipeline.logged()).toContain("cannot remove a spool that is applied");
  });

  test("while reading an abandoned spool does not delay the process's own, and is retried", async () => {
    await abandonSpool([]);
    const path = await abandonSpool(clicks(3));
    // Can be opened, but not read.
    const unreadable = join(path, segmentName(2_000_000_000));
    mkdirSync(unreadable);
    const pipeline = await start(OFTEN);
    await untilLogged(pipeline, "could not apply the spool of a dead process");
    await Promise.all(clicks(4).map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    expect(pipeline.logged().match(/could not apply the spool of a dead process/g)).toHaveLength(1);
    rmdirSync(unreadable);
    await untilLogged(pipeline, APPLIED);
    expect(await sumsOf(database.sql)).toEqual(allAre(7));
  });

  test("while listing the spools does not end the process", async () => {
    const pipeline = await start(OFTEN);
    const [spools, elsewhere] = [join(folder.path, "spool"), join(folder.path, "elsewhere")];
    renameSync(spools, elsewhere);
    await untilLogged(pipeline, "cannot adopt the spool of a dead process");
    renameSync(elsewhere, spools);
    await abandonSpool(clicks(3));
    await untilLogged(pipeline, APPLIED);
    expect(await sumsOf(database.sql)).toEqual(allAre(3));
  });
});

describe("a copied volume", () => {
  let copy: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    copy = temporaryFolder();
  });
  afterEach(() => copy.remove());

  const copyVolume = () => cpSync(folder.path, copy.path, { recursive: true });
  const startCopy = async () => {
    const pipeline = startPipeline(copy.path, database.url);
    open.push(pipeline);
    return pipeline;
  };
  const appendTo = (pipeline: ClickPipeline, count: number) =>
    Promise.all(clicks(count).map((record) => pipeline.append(record)));
  const drainAll = async (...pipelines: ClickPipeline[]) => {
    for (const each of pipelines) await waitUntilDrained(each);
  };

  async function eraseOne(table: "clicks" | "opens"): Promise<void> {
    const [person] = await database.sql<{ visitor: string; hour: number }[]>`
      select visitor::text as visitor, extract(epoch from date_trunc('hour', occurred_at))::float8 * 1000 as hour
      from ${database.sql(table)} limit 1`;
    if (!person) throw new Error("There are visits");
    const hour = { table, linkId: link.id, visitor: BigInt(person.visitor), hour: person.hour };
    const to = { nobody: 42n, secret: visitorSecret(VISITOR_SECRET, "none") };
    expect(await database.db.transaction((tx) => anonymise(statementsOn(tx), link.orgId, hour, to))).toBe(1);
  }

  test("does not bring back visits erased in the meantime", async () => {
    const one = await start();
    await Promise.all(
      [...clicks(3), ...clicks(2).map((visit) => ({ ...visit, kind: "open" as const }))].map(one.append),
    );
    await drainAll(one);
    await one.close();
    copyVolume();
    await drainAll(await start());
    for (const table of ["clicks", "opens"] as const) await eraseOne(table);
    const rows = async () => [
      await database.sql`select id, visitor::text from clicks order by id`,
      await database.sql`select id, visitor::text from opens order by id`,
    ];
    const before = await rows();
    const copy = await startCopy();
    await appendTo(copy, 1);
    await drainAll(copy);
    expect(copy.logged()).toContain("spool was copied");
    const [after, opensAfter] = await rows();
    expect(after).toHaveLength(4);
    expect(after).toEqual(expect.arrayContaining(before[0] ?? []));
    expect(opensAfter).toEqual(before[1]);
    expect(await sumsOf(database.sql)).toMatchObject({ clicks: 4, counters: 4, linkHours: 4, organizationDays: 4 });
  });

  test("of a process that has ended: both copies run, and each click is applied once", async () => {
    await abandonSpool(clicks(50));
    copyVolume();
    const [one, two] = [await start(), await startCopy()];
    await Promise.all([appendTo(one, 20), appendTo(two, 30)]);
    await drainAll(one, two);
    await Promise.all([appendTo(one, 1), appendTo(two, 2)]);
    await drainAll(one, two);
    expect(await sumsOf(database.sql)).toEqual(allAre(103));
    expect(one.logged() + two.logged()).toContain("spool was copied");
    expect(await database.sql`select 1 from spools`).toHaveLength(2);
  });

  test("of a process that keeps running: shared clicks and each copy's own are all applied once", async () => {
    const one = await start();
    await appendTo(one, 10);
    await drainAll(one);
    const held = await hold();
    await appendTo(one, 20);
    copyVolume();
    await appendTo(one, 30);
    const two = await startCopy();
    await appendTo(two, 40);
    await held.release();
    await drainAll(one, two);
    await Promise.all([appendTo(one, 1), appendTo(two, 2)]);
    await drainAll(one, two);
    expect(await sumsOf(database.sql)).toEqual(allAre(103));
  });

  test("restored to an older state loses no later clicks", async () => {
    const first = await start();
    await appendTo(first, 10);
    await first.close();
    copyVolume();
    const second = await start();
    await appendTo(second, 20);
    await second.close();
    const back = await startCopy();
    await appendTo(back, 5);
    await drainAll(back);
    expect(await sumsOf(database.sql)).toEqual(allAre(35));
  });

  /** Keeps every writer from applying anything until it is released. */
  async function hold() {
    const connection = await database.sql.reserve();
    await connection`begin`;
    await connection`lock table spools in access exclusive mode`;
    return {
      release: async () => {
        await connection`commit`;
        connection.release();
      },
    };
  }
});

describe("a Postgres restored to an earlier state", () => {
  const applied = async () => (await sumsOf(database.sql)).clicks;

  test.each(["all", "the last batch"] as const)("that has lost %s gets the clicks again", async (rows) => {
    const pipeline = await start();
    await Promise.all(clicks(20).map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    await setBack(rows);
    await pipeline.append(clickOn(link));
    while ((await applied()) < 21) await Bun.sleep(20);
    await waitUntilDrained(pipeline);
    const { applied: counted, ...sums } = await sumsOf(database.sql);
    expect(sums).toMatchObject({ clicks: 21, distinct: 21, counters: 21, linkHours: 21, organizationDays: 21 });
    expect(counted).toBeGreaterThanOrEqual(21);
  });
});

describe("a damaged spool", () => {
  const poison = () =>
    readFileSync(join(folder.path, "spool", "poison"), "utf8")
      .trim()
      .split("\n");

  test("loses only the record whose length field is damaged", async () => {
    const path = await abandonSpool(clicks(408));
    const segment = newestOf(path);
    const bytes = readFileSync(segment);
    const tenth = Array.from({ length: 10 }).reduce<number>((end) => end + 8 + bytes.readUInt32LE(end), 0);
    const lost = bytes.subarray(tenth, tenth + 8 + bytes.readUInt32LE(tenth));
    bytes.writeUInt8(bytes.readUInt8(tenth + 1) ^ 0x40, tenth + 1);
    writeFileSync(segment, bytes);
    const pipeline = await start();
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(407));
    expect(pipeline.stats()).toMatchObject({ damagedBytes: lost.length, poisoned: 1, pendingBytes: 0 });
    expect(poison().map((line) => JSON.parse(line))).toMatchObject([
      { reason: "damaged", line: Buffer.from(lost).toString("base64") },
    ]);
    expect(pipeline.logged()).toContain("spool data is damaged on disk");
  });

  test("truncated after it was applied continues with what is written next", async () => {
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    const [id = ""] = readdirSync(join(folder.path, "spool"));
    truncateSync(newestOf(join(folder.path, "spool", id)), 5);
    await Promise.all(clicks(3).map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(4));
  });

  test("truncated before it was applied reports how many bytes are lost", async () => {
    const path = await abandonSpool(clicks(1));
    const pipeline = await start();
    const stop = await database.sql.reserve();
    await stop`begin`;
    await stop`lock table spools in access exclusive mode`;
    await pipeline.append(clickOn(link));
    truncateSync(newestOf(path), 0);
    await stop`commit`;
    stop.release();
    await waitUntilDrained(pipeline);
    expect(pipeline.stats().damagedBytes).toBeGreaterThan(100);
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    expect((await sumsOf(database.sql)).clicks).toBe(2);
    expect(pipeline.stats().pendingBytes).toBe(0);
  });
});

test("the spool of a live process is left alone", async () => {
  const path = await abandonSpool(clicks(3));
  const lock = acquireFileLock(join(path, "lock"));
  const pipeline = await start();
  await pipeline.append(clickOn(link));
  await waitUntilDrained(pipeline);
  expect(await sumsOf(database.sql)).toEqual(allAre(1));
  lock?.release();
});

describe("applied segments", () => {
  const now = Date.now();
  const put = (sequence: number, bytes: number, ageMs: number) => {
    const path = join(folder.path, segmentName(sequence));
    writeFileSync(path, Buffer.alloc(bytes));
    utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
  };
  const kept = () => segmentSequences(readdirSync(folder.path));
  const HOUR_MS = 3_600_000;

  test("are kept for an hour", () => {
    put(1, 10, HOUR_MS + 1);
    put(2, 10, HOUR_MS - 1000);
    put(3, 10, HOUR_MS + 1);
    deleteApplied(folder.path, 3, 1e9, now);
    expect(kept()).toEqual([2, 3]);
  });

  test("are deleted earlier, oldest first, if they take too much space", () => {
    for (const sequence of [1, 2, 3, 4]) put(sequence, 10, 0);
    deleteApplied(folder.path, 4, 20, now);
    expect(kept()).toEqual([2, 3, 4]);
  });

  test("are deleted except the newest, which is emptied", () => {
    put(1, 10, HOUR_MS + 1);
    deleteApplied(folder.path, 2, 1e9, now);
    expect(kept()).toEqual([1]);
    expect(statSync(join(folder.path, segmentName(1))).size).toBe(0);
  });

  test("deleted by another thread at the same time cause no error", () => {
    put(1, 10, HOUR_MS + 1);
    // Compared after the size is known and before the file is emptied.
    const compared = {
      valueOf() {
        rmSync(join(folder.path, segmentName(1)));
        return 0;
      },
    };
    deleteApplied(folder.path, 2, compared as never, now - HOUR_MS);
    expect(kept()).toEqual([]);
    // A segment that is listed but no longer exists.
    symlinkSync(join(folder.path, "gone"), join(folder.path, segmentName(2)));
    put(3, 10, 0);
    markApplied(folder.path, 1, 4, now - HOUR_MS);
    expect(statSync(join(folder.path, segmentName(3))).mtimeMs).toBeCloseTo(now - HOUR_MS, -1);
  });
});
