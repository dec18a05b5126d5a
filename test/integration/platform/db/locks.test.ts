/** Locks of an organization: held by one transaction at a time, and taken in one order. */
import { expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { keepLockOrder, LOCKS, type OrganizationLock, takeLock } from "@/platform/db/locks";

const { db, sql } = await createDatabase();
const [one, other] = await Promise.all(["one", "other"].map(makeOrganization));

async function makeOrganization(slug: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into organizations (id, name, slug, plan) values (${id}, ${slug}, ${slug}, 'unlimited')`;
  return id;
}

/** Resolves once any session waits for a lock in this database. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const [found] =
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (found) return;
    await Bun.sleep(5);
  }
}

test.each(LOCKS.filter((lock) => lock !== "user"))(
  "%s is one's at a time, and each organization's own",
  async (lock) => {
    const order: string[] = [];
    let next: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await takeLock(tx, one ?? "", lock);
      next = db.transaction(async (second) => {
        await takeLock(second, one ?? "", lock);
        order.push("second");
      });
      await db.transaction((elsewhere) => takeLock(elsewhere, other ?? "", lock));
      await somebodyWaits();
      order.push("first");
    });
    await next;
    expect(order).toEqual(["first", "second"]);
  },
);

test.each<[OrganizationLock, OrganizationLock]>([
  ["links", "organization"],
  ["figures", "webhooks"],
])("after %s, %s is refused: others take them the other way round", async (first, second) => {
  const both = db.transaction(async (tx) => {
    await takeLock(tx, one ?? "", first);
    await takeLock(tx, one ?? "", second);
  });
  const said = await both.then(String, (error: Error) => error.message);
  expect(said).toBe(`Lock ${second} must be taken before ${first}`);
});

test("after a user's row, locking the organization is refused, also where a store locks its row itself", async () => {
  for (const organization of [takeLock, (tx: typeof db) => keepLockOrder(tx, "organization")]) {
    const both = db.transaction(async (tx) => {
      keepLockOrder(tx, "user");
      await organization(tx, one ?? "", "organization");
    });
    const said = await both.then(String, (error: Error) => error.message);
    expect(said).toBe("Lock organization must be taken before user");
  }
});
