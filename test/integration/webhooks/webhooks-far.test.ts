/**
 * The queue of deliveries on a server far from Postgres, where each round trip takes long. The dispatcher gives up a
 * round that takes too long, so the number of round trips must not grow with that of the endpoints.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { idOf } from "@test/support/ids";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { createDeliveryQueue, type TakenDelivery } from "@/modules/webhooks/queue";
import { closeWebhookSecret } from "@/modules/webhooks/secret";
import { openDatabase } from "@/platform/db/client";
import { openKeys } from "@/platform/keys";
import { createSeal } from "@/platform/seal";
import { makeSecret } from "@/platform/webhooks/webhook-signature";
import { seedOrganization } from "../clicks/fixture";

const seal = createSeal(await openKeys({ appSecret: "a secret of far servers", appSecretPrevious: null, dataDir: "" }));
const { sql, url, drop } = await createDatabase();
const proxy = await TcpProxy.start(Number(new URL(url).port));
// With a single connection, no round trip is one of another connection that is being opened.
const far = openDatabase(proxy.urlThrough(url), { pool: "tool", isPrepared: false });
afterAll(async () => {
  await far.close();
  await proxy.cut();
  await drop();
});

const send = () => Promise.reject(new Error("Nothing is sent"));
const queue = createDeliveryQueue({ db: far.db, seal, send, random: () => 0.5 });

const MANY = 30;

interface Claimed {
  deliveries: TakenDelivery[];
  /** Round trips that it took to take them. */
  turns: number;
}

/** Adds webhooks of as many organizations, each with a delivery, and takes these. */
async function takeOf(count: number, batch = false): Promise<Claimed> {
  await sql`truncate webhooks, webhook_deliveries, audit_logs`;
  for (let made = 0; made < count; made++) {
    const [id, orgId] = [Bun.randomUUIDv7(), await seedOrganization(sql)];
    const { secret, secretHint } = closeWebhookSecret(seal, id, makeSecret());
    await sql`insert into webhooks (id, org_id, url, events, secret, secret_hint, batch)
      values (${id}, ${orgId}, 'https://example.com/', '{custom.event}', ${secret}, ${secretHint}, ${batch})`;
    await sql`insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
      values (${idOf(sql)}, ${orgId}, ${id}, 'custom.event', gen_random_uuid(), '{}', now() - interval '1 minute')`;
  }
  const claimed = await queue.claim({ all: count, failing: count }, []);
  const wants = claimed.map(({ id }) => ({ webhookId: id, room: 4, after: null, held: [], batch }));
  let deliveries: TakenDelivery[] = [];
  const turns = await turnsOf(async () => {
    deliveries = await queue.take(wants);
  });
  expect(deliveries).toHaveLength(count);
  return { deliveries, turns };
}

async function turnsOf(work: () => Promise<void>): Promise<number> {
  const before = proxy.turns;
  await work();
  return proxy.turns - before;
}

const failures = (deliveries: TakenDelivery[], status: number) =>
  deliveries.map((delivery) => ({
    delivery,
    attempt: { isDelivered: false, status, answer: null, error: "It failed", durationMs: 1 },
  }));

describe("the number of endpoints makes no difference to the round trips that it takes", () => {
  test("to record that they failed", async () => {
    const turns: number[] = [];
    for (const count of [1, MANY]) {
      const { deliveries } = await takeOf(count);
      turns.push(await turnsOf(() => queue.settle(failures(deliveries, 500))));
    }
    expect(turns[1]).toBe(Number(turns[0]));
    const [failing] = await sql`
      select count(*)::int as count from webhooks join webhook_deliveries on webhook_id = webhooks.id
      where failing_since is not null and tried_at is not null and attempts = 1 and status = 'pending'`;
    expect(failing).toEqual({ count: MANY });
  });

  test("to turn off those that are gone", async () => {
    const turns: number[] = [];
    for (const count of [1, MANY]) {
      const { deliveries } = await takeOf(count);
      turns.push(await turnsOf(() => queue.settle(failures(deliveries, 410))));
    }
    expect(turns[1]).toBe(Number(turns[0]));
    const [off] = await sql`
      select count(*)::int as count from webhooks join audit_logs on resource_id = webhooks.id::text
        and audit_logs.org_id = webhooks.org_id and action = 'webhook.disable' where not is_active`;
    expect(off).toEqual({ count: MANY });
  });

  test("to gather batches for them", async () => {
    const { turns: ofOne } = await takeOf(1, true);
    const { turns: ofMany, deliveries } = await takeOf(MANY, true);
    expect(ofMany).toBe(ofOne);
    expect(new Set(deliveries.map(({ event, webhookId }) => `${event} ${webhookId}`)).size).toBe(MANY);
    expect(new Set(deliveries.map(({ event }) => event))).toEqual(new Set(["batch"]));
  });
});
