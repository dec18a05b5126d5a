/** Only statements that the query builder sends often are prepared. */
import { afterAll, describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { asc, eq, inArray, sql } from "drizzle-orm";
import { type Database, openDatabase } from "@/platform/db/client";
import { FrequentStatements } from "@/platform/db/connection/frequent-statements";
import { organizations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const OFTEN = 10;
const ID = crypto.randomUUID();
const database = await createDatabase();

function opened(isPrepared = true, url = database.url): Database {
  const own = openDatabase(url, { pool: "tool", isPrepared });
  afterAll(own.close);
  return own;
}

const findUser = (db: Db) => db.select({ id: users.id }).from(users).where(eq(users.id, ID));
const preparedOn = async ({ sql: own }: Database, of: string): Promise<number> => {
  const rows = await own.unsafe("select statement from pg_prepared_statements where statement like '%' || $1 || '%'", [
    of,
  ]);
  return rows.length;
};
async function times<Answer>(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let time = 0; time < count; time++) answers.push(await ask());
  return answers;
}

describe("a statement of the query builder", () => {
  test("is prepared once it has been sent often", async () => {
    const own = opened();
    await times(OFTEN - 1, () => findUser(own.db));
    expect(await preparedOn(own, `from "users"`)).toBe(0);
    await times(3, () => findUser(own.db));
    expect(await preparedOn(own, `from "users"`)).toBe(1);
  });

  test("takes one round trip once it is prepared", async () => {
    const proxy = await TcpProxy.start(Number(new URL(database.url).port));
    const own = opened(true, proxy.urlThrough(database.url));
    const turnsOf = async () => {
      const before = proxy.turns;
      await findUser(own.db);
      return proxy.turns - before;
    };
    await findUser(own.db);
    expect(await times(3, turnsOf)).toEqual([2, 2, 2]);
    await times(OFTEN, () => findUser(own.db));
    expect(await times(3, turnsOf)).toEqual([1, 1, 1]);
    await own.close();
    await proxy.cut();
  });

  test("also counts within transactions and savepoints, with the same results", async () => {
    const own = opened();
    const slug = `s${crypto.randomUUID()}`;
    await own.db.transaction(async (tx) => {
      await tx.insert(organizations).values({ id: Bun.randomUUIDv7(), name: "Ada's", slug, plan: "free" });
      const find = (db: Db) =>
        db.select({ name: organizations.name }).from(organizations).where(eq(organizations.slug, slug));
      const found = await times(OFTEN, () => tx.transaction((inner) => find(inner)));
      expect([...found, await find(tx)]).toEqual(Array.from({ length: OFTEN + 1 }, () => [{ name: "Ada's" }]));
    });
    expect(await preparedOn(own, `from "organizations"`)).toBe(1);
  });

  test("is never prepared if a pooler does not allow it", async () => {
    const own = opened(false);
    await times(OFTEN * 2, () => findUser(own.db));
    expect(await preparedOn(own, `from "users"`)).toBe(0);
  });

  test("is planned every time if it has a limit or an offset", async () => {
    const own = opened();
    const page = (db: Db) => findUser(db).orderBy(asc(users.createdAt)).limit(5);
    await times(OFTEN * 2, () => page(own.db));
    await times(OFTEN * 2, () => own.db.execute(sql`select id from users where id <> ${ID} offset ${3}`));
    expect(await preparedOn(own, "users")).toBe(0);
    await times(OFTEN * 2, () => findUser(own.db).orderBy(asc(users.createdAt)));
    expect(await preparedOn(own, "users")).toBe(1);
  });

  test("is not prepared if its list of values has another length each time", async () => {
    const own = opened();
    const some = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
    for (let count = 1; count <= 40; count++) {
      await own.db
        .select({ id: users.id })
        .from(users)
        .where(inArray(users.id, some(count)));
    }
    expect(await preparedOn(own, "users")).toBe(0);
  });

  test("keeps working if a column is added in the meantime", async () => {
    const own = opened();
    await times(OFTEN * 2, () => own.db.select().from(users).where(eq(users.id, ID)));
    await own.sql.unsafe(`alter table users add column later text default 'x'`);
    expect(await own.db.select().from(users).where(eq(users.id, ID))).toEqual([]);
    await own.sql.unsafe("alter table users drop column later");
  });
});

describe("limits", () => {
  test("no more than 300 are prepared, even if more are frequent", () => {
    const statements = new FrequentStatements();
    const askOften = (text: string) => Array.from({ length: OFTEN }, () => statements.isFrequent(text)).at(-1);
    const prepared = Array.from({ length: 1_000 }, (_, index) => askOften(`select ${index}`));
    expect(prepared.filter(Boolean)).toHaveLength(300);
    expect(statements.isFrequent("select 0")).toBe(true);
    expect(askOften("select 999")).toBe(false);
  });

  test("a long text is never counted as frequent", () => {
    const statements = new FrequentStatements();
    const asked = Array.from({ length: OFTEN * 2 }, () => statements.isFrequent("x".repeat(5_001)));
    expect(new Set(asked)).toEqual(new Set([false]));
  });

  test("a frequent statement is found among many rare ones", () => {
    const statements = new FrequentStatements();
    const asked = Array.from({ length: 20_000 }, (_, index) => {
      statements.isFrequent(`select ${index}`);
      return statements.isFrequent("select often");
    });
    expect(asked.indexOf(true)).toBe(OFTEN - 1);
  });
});
