/** Old clicks stored in columns: what cannot be changed is refused, and what has to be changed is converted back. */
import type { Account, client } from "@test/support/service";
import type { Sql } from "postgres";
import { ensurePartitions } from "@/clicks/partitions";
import { commandsBelow } from "./guide";

interface OldMonths {
  server: ReturnType<typeof client>;
  sql: Sql;
  account: Account;
  linkId: string;
  admin(...values: string[]): Promise<string>;
}

const MONTH = "2026-01";
const CLICKS = 1_000;
const VISITORS = 10;
/** The seventh of the visitors. */
const VISITOR_ID = "0000000000000007";

/** Returns what went wrong. */
export async function storeOldMonths({ server, sql, account, linkId, admin }: OldMonths): Promise<string[]> {
  const { orgId, token } = account;
  const wrong: string[] = [];
  const expect = (isSo: boolean, what: string) => void (isSo || wrong.push(what));
  const ofVisitor = async () =>
    (await sql`select 1 from clicks where org_id = ${orgId} and visitor = ${Number(VISITOR_ID)}`).length;
  await ensurePartitions(sql, new Date(`${MONTH}-15`));
  await sql`
    insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, route_kind, destination_url, is_bot,
      bot_reasons, spam_score)
    select md5(place::text)::uuid, ${`${MONTH}-10`}::timestamptz + place * interval '1 minute', ${orgId}::uuid, ${linkId}::uuid,
      place % ${VISITORS}::int, 'ios', 'default', 'https://example.com/', false, '{}', 0
    from generate_series(1, ${CLICKS}::int) as place`;
  const [store = [], turnBack = []] = await commandsBelow("Store old clicks in columns");
  const stored = await admin(...store);
  expect(stored.includes(`clicks of ${MONTH} in columns`), `Not stored in columns: ${stored}`);
  expect((await ofVisitor()) === CLICKS / VISITORS, "Clicks are missing in columns");
  const refused = await server.call("POST", `/api/v1/organizations/${orgId}/privacy/erase`, {
    ...{ token, body: { visitorId: VISITOR_ID } },
  });
  expect(refused.status === 503, `An erasure in columns was answered ${refused.status}`);
  expect((await ofVisitor()) === CLICKS / VISITORS, "A refused erasure erased");
  const [organization] = await sql<{ slug: string }[]>`select slug from organizations where id = ${orgId}`;
  await admin("erase", organization?.slug ?? "", VISITOR_ID);
  expect((await ofVisitor()) === 0, "A visitor in columns was not erased");
  await admin(...store);
  const turned = await admin(...turnBack);
  expect(turned.includes(`clicks of ${MONTH} in rows`), `Not turned back: ${turned}`);
  await admin(...store);
  return wrong;
}
