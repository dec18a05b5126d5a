/** Batches of so many links that COPY writes their figures: the counts are the same, on every connection. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { ClickDatabase } from "@/clicks/writer/click-database";
import { verifyFigures } from "@/figures/verify/verify";
import { createLink, createOrganization, record, type Visit } from "../analytics/recorded";

const LINKS = 130;
const AT = Date.UTC(2026, 10, 18, 13);

let database: TestDatabase;
let writer: ClickDatabase;

beforeAll(async () => {
  database = await createDatabase();
  writer = new ClickDatabase(database.url);
});
afterAll(async () => {
  await writer.close();
  await database.drop();
});

/** Returns the URL for a role that has all rights on tables but may create none. */
async function lowlyUrl(): Promise<string> {
  const role = `lowly_${crypto.randomUUID().slice(0, 8)}`;
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  await database.sql.unsafe(`
    create role ${role} login password 'lowly'; grant all on all tables in schema public to ${role};
    grant all on all sequences in schema public to ${role}; revoke temporary on database "${name}" from public`);
  return Object.assign(url, { username: role, password: "lowly" }).href;
}

const staged = async () =>
  (await database.sql`select relname from pg_class where relpersistence = 't' and relkind = 'r' order by relname`).map(
    ({ relname }) => relname,
  );

test.each([
  ["brought in by COPY", true],
  ["sent as parameters, where the role may make no temporary tables", false],
])("figures and counters of many links are what was clicked, %s", async (_, mayStage) => {
  if (!mayStage) {
    await writer.close();
    writer = new ClickDatabase(await lowlyUrl());
  }
  const { org, domain } = await createOrganization(database, mayStage ? "many" : "lowly");
  const links: string[] = [];
  for (let made = 0; made < LINKS; made++) links.push(await createLink(database, org, domain));
  const visits = (link: string, place: number): Visit[] => [
    { org, link, at: new Date(AT + place).toISOString(), visitor: BigInt(place), country: "DE", city: `Ort ${place}` },
    { org, link, at: new Date(AT + place).toISOString(), visitor: BigInt(place % 7), isBot: place % 2 === 0 },
    { org, link, at: new Date(AT).toISOString(), visitor: 1n, source: "direct" },
  ];
  const batch = links.flatMap(visits);

  await record(database, writer, batch);
  await record(database, writer, batch);
  expect(await staged()).toEqual(mayStage ? ["staged_figures"] : []);
  writer.reset();
  await record(database, writer, batch);

  const [counted] = await database.sql`
    select sum(clicks)::int as clicks, sum(bot_clicks)::int as bots, max(last_click_at) as last, count(*)::int as links
    from link_counters where org_id = ${org}`;
  const bots = LINKS / 2;
  expect(counted).toEqual({ clicks: 3 * (2 * LINKS - bots), bots: 3 * bots, last: expect.anything(), links: LINKS });
  const found: unknown[] = [];
  await verifyFigures(database.sql, {
    span: {},
    orgId: org,
    isRepairing: false,
    onDifference: (difference) => found.push(difference),
  });
  expect(found).toEqual([]);
});
