/** What is kept of links' tags, while they change as often as they are asked for. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { LinkTags } from "@/figures/columns/link-tags";
import { ValueNumbers } from "@/figures/columns/numbers";
import { seedLink, seedOrganization } from "../clicks/fixture";

const LINKS = 3;
const CHANGES = 150;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("lists of tags that no link has any more are discarded", async () => {
  const { sql } = database;
  const orgId = await seedOrganization(sql);
  const numbers = new ValueNumbers();
  const tags = new LinkTags(numbers);
  const links: string[] = [];
  for (let index = 0; index < LINKS; index++) links.push((await seedLink(sql, orgId)).id);
  const texts = new TextEncoder().encode(links.map((id) => id.replaceAll("-", "")).join("\0"));
  numbers.number("link", { codes: new Uint8Array(), count: LINKS, ids: new Uint32Array(), texts });
  let most = 0;
  for (let change = 0; change < CHANGES; change++) {
    await sql`update links set tags = ${sql.array([`tag ${change}`])} where id = ${links[change % LINKS] ?? ""}`;
    await tags.sum(sql, orgId, Uint32Array.of(1, 2, 4), 10);
    most = Math.max(most, tags.lists);
  }
  expect(most).toBeLessThan(CHANGES);
  const last = [CHANGES - 1, CHANGES - 2, CHANGES - 3].map((change) => ({
    tag: `tag ${change}`,
    count: 2 ** (change % LINKS),
  }));
  expect(await tags.sum(sql, orgId, Uint32Array.of(1, 2, 4), 10)).toEqual(last.toSorted((a, b) => b.count - a.count));
});
