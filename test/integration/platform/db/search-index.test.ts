/** The index for searching links: created where Postgres allows it, and not required where it does not. */
import { afterAll, expect, test } from "bun:test";
import { seedLink, seedOrganization } from "@test/integration/clicks/fixture";
import { createDatabase } from "@test/support/servers/postgres";
import type { OrgId } from "@/core/ids";
import { listLinks } from "@/modules/links/list";
import { LETTERS_INDEX, SEARCH_INDEX } from "@/platform/db/schema-version";
import { ensureSearchIndex } from "@/platform/db/search-index";

test("without permission to create extensions, search works unindexed and logs that, and gets the index later", async () => {
  const database = await createDatabase();
  afterAll(() => database.drop());
  const { db, sql } = database;
  const warned: [string, object | undefined][] = [];
  const log = { warn: (message: string, more?: object) => void warned.push([message, more]) };
  const role = `lowly_${crypto.randomUUID().slice(0, 8)}`;
  const isThere = async () =>
    (
      await sql`select to_regclass(${SEARCH_INDEX}) is not null and to_regclass(${LETTERS_INDEX}) is not null as is_there`
    )[0]?.is_there;
  expect(await isThere()).toBe(true);
  await sql.unsafe(`drop index ${SEARCH_INDEX}, ${LETTERS_INDEX}; drop extension btree_gin; drop extension pg_trgm;
    create role ${role}; grant all on all tables in schema public to ${role}; alter table listed_links owner to ${role}`);
  const ensureAs = (name: string) =>
    db.transaction(async (tx) => {
      await tx.execute(`set local role ${name}`);
      await ensureSearchIndex(tx, log);
      await tx.execute("select 1");
    });

  await ensureAs(role);
  expect(warned).toEqual([
    [
      expect.stringContaining("Postgres does not allow"),
      { reason: expect.stringContaining("pg_trgm"), remedy: expect.stringContaining("create extension") },
    ],
  ]);
  expect(await isThere()).toBe(false);
  const { id, orgId } = await seedLink(sql, await seedOrganization(sql), { defaultUrl: "https://example.com/needle" });
  const { rows, total } = await listLinks(db, orgId as OrgId, {
    filter: { search: "NEEDLE" },
    order: { sort: "createdAt", order: "desc" },
    now: new Date(),
    page: 1,
    limit: 25,
  });
  expect([rows.map(({ link }) => link.id), total]).toEqual([[id], 1]);

  await ensureAs("none");
  expect([await isThere(), warned.length]).toEqual([true, 1]);
  await sql.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
});
