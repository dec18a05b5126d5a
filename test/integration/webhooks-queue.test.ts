/** The queue of deliveries and its dispatchers, on a database of their own, with endpoints on this machine. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/postgres";
import { eventually, expectSigned, makeDue, type Receiver, startReceiver } from "@test/support/webhooks";
import type { WebhookEvent } from "@/contract/webhooks";
import { DAY_MS } from "@/core/time-range";
import { createDeliveryQueue, type Lease } from "@/modules/webhooks/queue";
import { deleteOldDeliveries } from "@/modules/webhooks/retention";
import { closeSecret } from "@/modules/webhooks/secret";
import { statementsOn } from "@/platform/db/statements";
import { openKeys } from "@/platform/keys";
import { createLog } from "@/platform/log";
import { createOutbound } from "@/platform/outbound";
import { createSeal } from "@/platform/seal";
import { createAnnounce } from "@/platform/webhook-outbox";
import { createWebhookSender } from "@/platform/webhook-sender";
import { makeSecret } from "@/platform/webhook-signature";
import { type Dispatcher, startDispatcher } from "@/workers/webhook-dispatcher";
import { seedOrganization } from "./clicks/fixture";

const keys = await openKeys({ appSecret: "a secret of the queue's tests alone", appSecretPrevious: null, dataDir: "" });
const seal = createSeal(keys);
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const send = createWebhookSender({ outbound, clock: Date.now });
const log = createLog(() => {});
const ROOM = { all: 100, failing: 100 };

let database: TestDatabase;
let orgId: string;
let dispatchers: Dispatcher[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`truncate webhooks, webhook_deliveries`;
  orgId = await seedOrganization(database.sql);
});
afterEach(async () => {
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  dispatchers = [];
});

const openQueue = () => createDeliveryQueue({ db: database.db, seal, send, random: () => 0.5 });

/** As each server has one. */
function dispatch(count = 1): void {
  for (let started = 0; started < count; started++) {
    dispatchers.push(startDispatcher({ ...openQueue(), onSilent() {}, log, pollMs: 20, stopMs: 100 }));
  }
}

interface Endpoint {
  id: string;
  secret: string;
}

async function listen(url: string, events: WebhookEvent[] = ["custom.event"]): Promise<Endpoint> {
  const [id, secret] = [Bun.randomUUIDv7(), makeSecret()];
  const sealed = closeSecret(seal, id, secret);
  await database.sql`insert into webhooks (id, org_id, url, events, secret, secret_hint)
    values (${id}, ${orgId}, ${url}, ${events}, ${sealed.secret}, ${sealed.secretHint})`;
  return { id, secret };
}

const announce = createAnnounce(() => {});

async function tell(count = 1): Promise<void> {
  for (let number = 0; number < count; number++) {
    const happening = { event: "custom.event" as const, orgId, at: Date.now(), data: { number } };
    await announce(statementsOn(database.db), happening);
  }
}

const rows = () => database.sql`
  select *, extract(epoch from due_at - last_attempt_at)::float8 as "waitS" from webhook_deliveries order by id`;
const row = async () => (await rows())[0];
const statuses = async () => (await rows()).map(({ status }) => status);
const webhook = async ({ id }: Endpoint) => (await database.sql`select * from webhooks where id = ${id}`)[0];
const numbersOf = (receiver: Receiver) => receiver.received.map(({ body }) => body.data.number);

describe("a delivery that fails", () => {
  test.each([
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/")],
    ["400", () => new Response("no", { status: 400 })],
    ["503", () => new Response("down", { status: 503 })],
  ])("with %s is tried again 5 s later, as the same message", async (_, answer) => {
    const receiver = startReceiver();
    receiver.answer = answer;
    const endpoint = await listen(receiver.url);
    await tell();
    dispatch();
    await eventually(async () => (await row())?.duration_ms !== null);
    const failed = await row();
    expect(failed).toMatchObject({ status: "pending", attempts: 1, response_status: answer().status });
    expect(failed?.error).toContain(String(answer().status));
    expect(failed?.waitS).toBeWithin(5, 30);
    expect((await webhook(endpoint))?.failing_since).not.toBeNull();

    receiver.answer = () => new Response("ok");
    await makeDue(database.sql);
    await receiver.until(2);
    const [first, second] = receiver.received;
    expect(second?.text).toBe(String(first?.text));
    expect(second?.headers.get("webhook-id")).toBe(String(first?.body.id));
    await eventually(async () => (await statuses())[0] === "delivered");
    expect(await row()).toMatchObject({ attempts: 2, response_status: 200, response_body: "ok", error: null });
    expect((await webhook(endpoint))?.failing_since).toBeNull();
  });

  test("with Retry-After waits for as long", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "900" } });
    await listen(receiver.url);
    await tell();
    dispatch();
    await eventually(async () => (await row())?.duration_ms !== null);
    expect((await row())?.waitS).toBeWithin(900, 930);
  });

  test("ten times has failed", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 500 });
    const endpoint = await listen(receiver.url);
    await tell();
    await database.sql`update webhook_deliveries set attempts = 9`;
    dispatch();
    await eventually(async () => (await statuses())[0] === "failed");
    expect(await row()).toMatchObject({ attempts: 10, due_at: null, delivered_at: null });
    expect((await webhook(endpoint))?.is_active).toBe(true);
  });

  test.each([
    ["not public", "http://10.0.0.1/", "The host is not on the public internet"],
    ["a name of this machine", "http://localhost.localdomain:1/", "The host"],
    ["nobody's", "http://127.0.0.1:1/", "No connection"],
  ])("since its host is %s says so", async (_, url, error) => {
    await listen(url);
    await tell();
    dispatch();
    await eventually(async () => (await row())?.duration_ms !== null);
    expect(await row()).toMatchObject({ status: "pending", response_status: null, response_body: null });
    expect((await row())?.error).toStartWith(error);
  });

  test("since the secret cannot be opened says so, and sends nothing", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await database.sql`update webhooks set secret = '\\x00'`;
    await tell();
    dispatch();
    await eventually(async () => (await row())?.duration_ms !== null);
    expect((await row())?.error).toContain("secret");
    expect(receiver.received).toHaveLength(0);
  });
});

describe("an endpoint", () => {
  const disabled = async (endpoint: Endpoint, reason: string) => {
    await eventually(async () => (await webhook(endpoint))?.is_active === false);
    expect((await webhook(endpoint))?.disabled_reason).toBe(reason);
    const entries = await database.sql`select * from audit_logs where org_id = ${orgId}`;
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ action: "webhook.disable", actor_type: "system", resource_id: endpoint.id });
  };

  test("that answers 410 is turned off at once; what waits for it waits on", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 410 });
    const endpoint = await listen(receiver.url);
    await tell(6);
    dispatch();
    await disabled(endpoint, "The endpoint answered 410 Gone");
    await eventually(async () => (await rows()).every(({ attempts, status }) => attempts === 0 || status === "failed"));
    const sent = receiver.received.length;
    expect(await statuses()).toContain("pending");
    await tell();
    expect(await rows()).toHaveLength(6);
    expect(await openQueue().take({ all: 10, failing: 10 })).toEqual([]);
    expect(receiver.received).toHaveLength(sent);
  });

  test("that has failed for five days is turned off, and no sooner", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 500 });
    const endpoint = await listen(receiver.url);
    const failingFor = (ms: number) =>
      database.sql`update webhooks set failing_since = now() - ${`${ms} milliseconds`}::interval`;
    await failingFor(5 * DAY_MS - 60_000);
    await tell();
    dispatch();
    await eventually(async () => (await row())?.duration_ms !== null);
    expect((await webhook(endpoint))?.is_active).toBe(true);
    await failingFor(5 * DAY_MS);
    await makeDue(database.sql);
    await disabled(endpoint, "Every delivery has failed for five days");
  });

  test("that answered 410 where it led before stays on where it leads now", async () => {
    const receiver = startReceiver();
    const endpoint = await listen(receiver.url);
    receiver.answer = async () => {
      await database.sql`update webhooks set url = 'https://hooks.example.com/'`;
      return new Response(null, { status: 410 });
    };
    await tell();
    dispatch();
    await eventually(async () => (await statuses())[0] === "failed");
    expect(await webhook(endpoint)).toMatchObject({ is_active: true, failing_since: null });
  });

  test("that hangs delays no other, has four under way, and one once it is known to fail", async () => {
    const [slow, fast] = [startReceiver(), startReceiver()];
    const release = Promise.withResolvers<void>();
    let underWay = 0;
    slow.answer = async () => {
      underWay++;
      await release.promise;
      return new Response(null, { status: 500 });
    };
    const hanging = await listen(slow.url);
    await tell(600);
    await listen(fast.url);
    await tell(5);
    dispatch(2);
    await fast.until(5);
    await eventually(() => underWay === 4);
    const [taken] = await database.sql`select count(*)::int as count from webhook_deliveries where attempts > 0
      and webhook_id = ${hanging.id}`;
    expect(taken?.count).toBe(4);
    release.resolve();
    await eventually(async () => (await webhook(hanging))?.failing_since !== null);
    expect((await openQueue().take(ROOM))?.length ?? 0).toBeLessThanOrEqual(1);
    await database.sql`update webhooks set is_active = false`;
  }, 60_000);

  test("is told the oldest first, by one of several servers, each message once", async () => {
    const receiver = startReceiver();
    const endpoint = await listen(receiver.url);
    await tell(40);
    dispatch(3);
    await receiver.until(40);
    await eventually(async () => (await statuses()).every((status) => status === "delivered"));
    const numbers = numbersOf(receiver).map(Number);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, number) => number));
    // Four are under way at once, so that each may come before three others.
    for (const [place, number] of numbers.entries()) expect(Math.abs(place - number)).toBeLessThan(8);
    for (const each of receiver.received) expectSigned(each, endpoint.secret);
  });
});

describe("a lease", () => {
  const take = async (): Promise<Lease[]> => (await openQueue().take(ROOM)) ?? [];
  const alive = new AbortController().signal;

  test("is taken by one alone, oldest first, four of an endpoint", async () => {
    await listen("https://hooks.example.com/");
    await tell(6);
    const taken = await take();
    expect(taken.map(({ body }) => JSON.parse(body).data.number)).toEqual([0, 1, 2, 3]);
    expect(await take()).toEqual([]);
  });

  test("that ended without a word is another's, and whoever held it has no say any more", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await tell();
    const [dead] = await take();
    await database.sql`update webhook_deliveries set due_at = now()`;
    const [second] = await take();
    expect([dead?.id, second?.attempts]).toEqual([second?.id, 2]);
    receiver.answer = () => new Response(null, { status: 500 });
    if (!dead || !second) throw new Error("There are leases");
    await openQueue().deliver(dead, alive);
    expect((await row())?.duration_ms).toBeNull();
    receiver.answer = () => new Response();
    await openQueue().deliver(second, alive);
    expect(await statuses()).toEqual(["delivered"]);
  });

  test("that comes to a delivery ends the failing, also where that began after it was taken", async () => {
    const receiver = startReceiver();
    const endpoint = await listen(receiver.url);
    await tell(2);
    const [fails, works] = await take();
    if (!fails || !works) throw new Error("There are leases");
    receiver.answer = () => new Response(null, { status: 500 });
    await openQueue().deliver(fails, alive);
    expect((await webhook(endpoint))?.failing_since).not.toBeNull();
    receiver.answer = () => new Response();
    await openQueue().deliver(works, alive);
    expect((await webhook(endpoint))?.failing_since).toBeNull();
  });

  test("that is broken off is left as it is", async () => {
    const receiver = startReceiver();
    const breaking = new AbortController();
    receiver.answer = () => {
      breaking.abort();
      return new Promise(() => {});
    };
    const endpoint = await listen(receiver.url);
    await tell();
    const [lease] = await take();
    if (lease) await openQueue().deliver(lease, breaking.signal);
    expect(await row()).toMatchObject({ status: "pending", attempts: 1, duration_ms: null, error: null });
    expect((await webhook(endpoint))?.failing_since).toBeNull();
  });

  test("of a webhook that was deleted meanwhile hurts nobody", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await tell();
    const [lease] = await take();
    await database.sql`delete from webhooks`;
    receiver.answer = () => new Response(null, { status: 410 });
    if (lease) await openQueue().deliver(lease, alive);
    expect([await rows(), receiver.received.length]).toMatchObject([[], 1]);
  });

  test("is not taken while another server takes", async () => {
    await listen("https://hooks.example.com/");
    await tell();
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended('waymark webhook deliveries', 0))`;
      expect(await openQueue().take(ROOM)).toBeUndefined();
    });
    expect(await take()).toHaveLength(1);
  });

  test("of endpoints that fail is taken as far as there is room for such, and hides no other", async () => {
    for (let made = 0; made < 3; made++) await listen("https://hooks.example.com/");
    await tell(200);
    await database.sql`update webhooks set failing_since = now()`;
    expect(await openQueue().take({ all: 10, failing: 2 })).toHaveLength(2);
    const alive = await listen("https://hooks.example.com/", ["custom.event"]);
    await tell();
    const taken = await openQueue().take({ all: 10, failing: 0 });
    expect(taken?.map(({ webhookId }) => webhookId)).toEqual([alive.id]);
  });
});

describe("an answer", () => {
  test("is read up to 16 KB, and kept up to one, whatever it holds", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(`\0ä${"a".repeat(100_000)}`);
    await listen(receiver.url);
    await tell();
    dispatch();
    await eventually(async () => (await statuses())[0] === "delivered");
    const kept = String((await row())?.response_body);
    expect(kept).toStartWith("\u{fffd}äa");
    expect(kept.length).toBe(1_023);
  });
});

describe("the log", () => {
  test("is kept for 30 days, whatever came of a delivery", async () => {
    await listen("https://hooks.example.com/");
    await tell(7);
    const aged = (days: number, status: string) => database.sql`
      update webhook_deliveries set created_at = now() - ${`${days} days`}::interval - interval '1 minute', status = ${status}
      where id in (select id from webhook_deliveries where created_at > now() - interval '1 day' limit 1)`;
    await aged(30, "delivered");
    await aged(30, "failed");
    await aged(31, "pending");
    await aged(29, "delivered");
    const options = { sql: database.sql, now: Date.now(), batchRows: 2 };
    expect(await deleteOldDeliveries({ ...options, signal: AbortSignal.abort() })).toBe(0);
    expect(await deleteOldDeliveries({ ...options, signal: new AbortController().signal })).toBe(3);
    expect((await statuses()).toSorted()).toEqual(["delivered", "pending", "pending", "pending"]);
  });
});
