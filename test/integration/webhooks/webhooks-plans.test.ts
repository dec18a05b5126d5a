/** What the queue's statements read while many deliveries wait: the oldest of each webhook, never the whole backlog. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { idOf } from "@test/support/ids";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { sql } from "drizzle-orm";
import { backlogsOf, boundBacklogs } from "@/modules/webhooks/backlog";
import { gatherDeliveries } from "@/modules/webhooks/batches";
import * as store from "@/modules/webhooks/queue-store";
import { recordResults } from "@/modules/webhooks/settle-store";
import type { Drizzle } from "@/platform/db/client";
import { seedOrganization } from "../clicks/fixture";

const HEAP = 20_000;
const SERVER = Bun.randomUUIDv7();
/** Pages of 8 KB; the backlog itself has thousands. */
const PAGES_MAX = 400;

const settled = (ids: string[]) =>
  ids.map((id) => ({
    id,
    attempts: 1,
    attempt: { isDelivered: true, status: 200, answer: "ok", error: null, durationMs: 5 },
    waitMs: null,
  }));

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Plan[];
}

let database: TestDatabase;
let orgId: string;
beforeAll(async () => {
  database = await createDatabase();
  orgId = await seedOrganization(database.sql);
});
afterAll(() => database.drop());

const URL_OF_ALL = "https://hooks.example.com/";
const endpointOf = (webhookId: string) => ({ webhookId, url: URL_OF_ALL });

async function addWebhook(isActive: boolean): Promise<string> {
  const id = Bun.randomUUIDv7();
  await database.sql`insert into webhooks (id, org_id, url, events, is_active, secret, secret_hint)
    values (${id}, ${orgId}, ${URL_OF_ALL}, '{click}', ${isActive}, '\\x00', '')`;
  return id;
}

const addDeliveries = (ids: string[], count: number) => database.sql`
  insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
  select ${idOf(database.sql)}, ${orgId}, h.id::uuid, 'click', gen_random_uuid(), repeat('x', 300),
    now() - interval '1 hour' + number * interval '1 millisecond'
  from unnest(${ids}::text[]) as h (id), generate_series(1, ${count}::int) number`;

/** Executes statements with `explain (analyze)` and collects their plans. */
function explained(db: Drizzle, plans: Plan[]): Drizzle {
  const execute = async (statement: ReturnType<typeof sql>) => {
    const rows = await db.execute<{ "QUERY PLAN": { Plan: Plan }[] }>(
      sql`explain (analyze, buffers, timing off, format json) ${statement}`,
    );
    const [{ Plan: plan } = { Plan: undefined }] = rows[0]?.["QUERY PLAN"] ?? [];
    if (plan) plans.push(plan);
    return [];
  };
  return new Proxy(db, { get: (target, name) => (name === "execute" ? execute : Reflect.get(target, name)) });
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
const pagesOf = ({ "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 }: Plan) => hit + read;

/** What the table contained when its statistics were last collected, if at all. */
type Before = "nothing" | "empty" | "delivered";

const STATISTICS: [when: string, before: Before, after: boolean][] = [
  ["there are none", "nothing", false],
  ["they are of an empty table", "empty", false],
  ["they are of a day on which all was delivered", "delivered", false],
  ["they are of the full one", "nothing", true],
];

describe.each(STATISTICS)(
  "with a large backlog of a webhook that is turned off, where statistics say %s",
  (_, before, after) => {
    const live: string[] = [];
    const plans: Plan[] = [];
    let db: Drizzle;

    beforeAll(async () => {
      await database.sql`truncate webhooks, webhook_deliveries`;
      const off = await addWebhook(false);
      for (let made = 0; made < 10; made++) live.push(await addWebhook(true));
      if (before === "delivered") {
        await addDeliveries(live.slice(1, 2), 800);
        await database.sql`update webhook_deliveries set status = 'delivered', attempts = 1, due_at = null`;
      }
      if (before !== "nothing") await database.sql`vacuum analyze webhook_deliveries`;
      await addDeliveries([off], HEAP);
      await addDeliveries(live.slice(0, 1), HEAP);
      await addDeliveries(live, 20);
      if (after) await database.sql`vacuum analyze webhook_deliveries`;
      db = explained(database.db, plans);
    });
    beforeEach(() => {
      plans.length = 0;
    });

    const own = () => database.sql`update webhooks set leased_by = ${SERVER}, leased_until = now() + interval '1 hour'`;
    const wanted = (room: number) => live.map((webhookId) => ({ webhookId, room, after: null, held: [] }));
    const some = async () =>
      (await database.sql`select id from webhook_deliveries where webhook_id = ${String(live[0])} limit 64`).map(
        ({ id }) => id,
      );

    const statements: [what: string, carryOut: () => Promise<unknown>][] = [
      ["a claim", () => store.claim(db, SERVER, { all: 100, failing: 100 }, [])],
      ["a take", async () => own().then(() => store.take(db, SERVER, wanted(16)))],
      [
        "what a line goes on with",
        async () =>
          own().then(() =>
            store.take(db, SERVER, [{ webhookId: String(live[0]), room: 64, after: null, held: [SERVER] }]),
          ),
      ],
      ["a settlement", async () => recordResults(db, settled(await some()), live.map(endpointOf))],
      [
        "gathering",
        () =>
          gatherDeliveries(
            db,
            live.map((webhookId) => ({ webhookId, room: 1 })),
          ),
      ],
    ];
    test.each(statements)("%s reads few pages, through an index", async (what, carryOut) => {
      await carryOut();
      expect(plans).toHaveLength(1);
      const [plan] = plans;
      if (!plan) throw new Error("It was explained");
      const scans = nodes(plan).filter(
        (node) => node["Relation Name"] === "webhook_deliveries" && node["Node Type"] !== "ModifyTable",
      );
      expect(scans.map((scan) => scan["Node Type"])).not.toContain("Seq Scan");
      const indexes = new Set(scans.map((scan) => scan["Index Name"]));
      expect([...indexes]).toEqual([what === "a settlement" ? "webhook_deliveries_pkey" : "webhook_deliveries_line"]);
      expect(scans.reduce((sum, scan) => sum + pagesOf(scan), 0)).toBeLessThan(PAGES_MAX);
    });

    test("counting the pending deliveries of a list of webhooks scans no whole table", async () => {
      await backlogsOf(
        db,
        live.map((id) => ({ id, pendingCounted: 0 })),
      );
      const scans = plans.flatMap(nodes).filter((node) => node["Relation Name"] === "webhook_deliveries");
      expect(scans.map((scan) => scan["Node Type"])).not.toContain("Seq Scan");
    });

    test("counting deliveries that waited too long does not read the whole backlog", async () => {
      await boundBacklogs({ db, signal: new AbortController().signal });
      const scans = plans.flatMap(nodes).filter((node) => node["Relation Name"] === "webhook_deliveries");
      expect(scans.map((scan) => scan["Node Type"])).not.toContain("Seq Scan");
      // Two scans find the webhooks with a backlog, one counts whole backlogs (from an index only, after a vacuum), and
      // the last counts the old deliveries.
      expect(scans).toHaveLength(4);
      expect(scans.slice(3).reduce((sum, scan) => sum + pagesOf(scan), 0)).toBeLessThan(PAGES_MAX);
    });
  },
);
