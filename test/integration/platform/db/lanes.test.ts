import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { type Database, openDatabase } from "@/platform/db/client";
import { LANES, takeLane } from "@/platform/db/lanes";

let database: TestDatabase;
/** Two pools, because a single one has fewer connections than there are lanes. */
let pools: Database[];
beforeAll(async () => {
  database = await createDatabase();
  pools = [1, 2].map(() => openDatabase(database.url, { pool: "requests" }));
});
afterAll(async () => {
  for (const pool of pools) await pool.close();
  await database.drop();
});

/** Begins a transaction that holds a lane until it is released. */
function hold(orgId: string, index: number) {
  const taken = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  const ended = pools[index % 2]?.db.transaction(async (tx) => {
    taken.resolve(await takeLane(tx, orgId));
    await released.promise;
  });
  return {
    lane: taken.promise,
    async release() {
      released.resolve();
      await ended;
    },
  };
}

const UNTAKEN = Symbol("untaken");
const soon = (lane: Promise<number>) => Promise.race([lane, Bun.sleep(150).then(() => UNTAKEN)]);

describe("lanes", () => {
  test("are held by one transaction of an organization each, and a further one waits until any ends", async () => {
    const [ada, eve] = [crypto.randomUUID(), crypto.randomUUID()];
    const holders = Array.from({ length: LANES }, (_, index) => hold(ada, index));
    const lanes = await Promise.all(holders.map(({ lane }) => lane));
    expect(lanes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LANES }, (_, lane) => lane));

    const next = hold(ada, 0);
    expect<unknown>(await soon(next.lane)).toBe(UNTAKEN);
    const other = hold(eve, 1);
    expect(await other.lane).toBe(0);

    for (const holder of [...holders, other]) await holder.release();
    expect(await next.lane).toBeLessThan(LANES);
    await next.release();
  });

  test("are free again after a failed transaction", async () => {
    const org = crypto.randomUUID();
    const failing = pools[0]?.db.transaction(async (tx) => {
      await takeLane(tx, org);
      throw new Error("failed");
    });
    await expect(failing).rejects.toThrow("failed");
    const holder = hold(org, 1);
    expect(await holder.lane).toBe(0);
    await holder.release();
  });
});
