/** The queue of deliveries and its dispatchers, on a database of their own, with endpoints on this machine. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { expectSigned, makeDue, type Receiver, startReceiver } from "@test/support/outside/webhooks";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { until } from "@test/support/until";
import type { WebhookEvent } from "@/contract/webhooks";
import { DAY_MS } from "@/core/time/time-range";
import { boundBacklogs, bringMisdatedForward } from "@/modules/webhooks/backlog";
import { createDeliveryQueue, type DeliveryQueue, type TakenDelivery } from "@/modules/webhooks/queue";
import { deleteOldDeliveries } from "@/modules/webhooks/retention";
import { closeWebhookSecret } from "@/modules/webhooks/secret";
import { statementsOn } from "@/platform/db/statements";
import { openKeys } from "@/platform/keys";
import { createOutbound } from "@/platform/outbound/outbound";
import { createSeal } from "@/platform/seal";
import { createLog } from "@/platform/telemetry/log";
import { createAnnounce } from "@/platform/webhooks/webhook-outbox";
import { createWebhookSender } from "@/platform/webhooks/webhook-sender";
import { makeSecret } from "@/platform/webhooks/webhook-signature";
import { type Dispatcher, startDispatcher } from "@/workers/webhook-dispatcher";
import { seedOrganization } from "../clicks/fixture";

const keys = await openKeys({ appSecret: "a secret of the queue's tests alone", appSecretPrevious: null, dataDir: "" });
const seal = createSeal(keys);
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const send = createWebhookSender({ outbound, clock: Date.now });
/** Sends, but may not reach addresses of this machine. */
const strictSend = createWebhookSender({ outbound: createOutbound({ allow: [] }), clock: Date.now });
const log = createLog(() => {});
const ROOM = { all: 100, failing: 100 };
const alive = new AbortController().signal;

let database: TestDatabase;
let orgId: string;
let dispatchers: Dispatcher[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  // A dispatcher of the test before may still end a statement, and then one of the two has to give way.
  await until(async () => Boolean(await database.sql`truncate webhooks, webhook_deliveries`));
  orgId = await seedOrganization(database.sql);
});
afterEach(async () => {
  silence();
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  dispatchers = [];
});

const openQueue = (by = send) => createDeliveryQueue({ db: database.db, seal, send: by, random: () => 0.5 });

/** Releases what a test holds up. */
let silence = () => {};

/**
 * Takes what a server without a dispatcher would send now: four of each endpoint that it claims, one if the endpoint
 * fails.
 */
async function claimAndTake(queue: DeliveryQueue = openQueue(), room = ROOM): Promise<TakenDelivery[]> {
  const claimed = await queue.claim(room, []);
  const wants = claimed.map(({ id, isFailing, batch }) => ({ webhookId: id, room: isFailing ? 1 : 4, batch }));
  return queue.take(wants.map((want) => ({ ...want, after: null, held: [] })));
}

const deliver = async (queue: DeliveryQueue, delivery: TakenDelivery) =>
  queue.settle([{ delivery, attempt: await queue.send(delivery, alive) }]);

/** Starts dispatchers, of which each server has one. */
function dispatch(count = 1, by = send): void {
  for (let started = 0; started < count; started++) {
    dispatchers.push(startDispatcher({ ...openQueue(by), onSilent() {}, log, pollMs: 20, stopMs: 100 }));
  }
}

interface Endpoint {
  id: string;
  secret: string;
}

async function listen(url: string, events: WebhookEvent[] = ["custom.event"]): Promise<Endpoint> {
  const [id, secret] = [Bun.randomUUIDv7(), makeSecret()];
  const sealed = closeWebhookSecret(seal, id, secret);
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
    await until(async () => (await row())?.duration_ms !== null);
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
    await until(async () => (await statuses())[0] === "delivered");
    expect(await row()).toMatchObject({ attempts: 2, response_status: 200, response_body: "ok", error: null });
    expect((await webhook(endpoint))?.failing_since).toBeNull();
  });

  test("waits for as long as Retry-After says", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "900" } });
    await listen(receiver.url);
    await tell();
    dispatch();
    await until(async () => (await row())?.duration_ms !== null);
    expect((await row())?.waitS).toBeWithin(900, 930);
  });

  test("with Retry-After holds back all other deliveries to the endpoint for as long", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "900" } });
    await listen(receiver.url);
    await tell(6);
    const queue = openQueue();
    const [delivery] = await claimAndTake(queue);
    if (delivery) await deliver(queue, delivery);
    const later = async (seconds: number) => {
      await database.sql`update webhooks set tried_at = tried_at - ${`${seconds} seconds`}::interval`;
      return claimAndTake(queue);
    };
    expect(await later(890)).toEqual([]);
    expect(await later(20)).toHaveLength(1);
  });

  test("ten times becomes failed, and the webhook stays on", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 500 });
    const endpoint = await listen(receiver.url);
    await tell();
    await database.sql`update webhook_deliveries set attempts = 9`;
    dispatch();
    await until(async () => (await statuses())[0] === "failed");
    expect(await row()).toMatchObject({ attempts: 10, due_at: null, delivered_at: null });
    expect((await webhook(endpoint))?.is_active).toBe(true);
  });

  test.each([
    ["not public", "http://10.0.0.1/", "The host is not on the public internet", strictSend],
    ["a name of this machine", "http://localhost:1/", "The host is not on the public internet", strictSend],
    ["nobody's", "http://127.0.0.1:1/", "Connection failed", send],
  ])("since its host is %s says so", async (_, url, error, by) => {
    await listen(url);
    await tell();
    dispatch(1, by);
    await until(async () => (await row())?.duration_ms !== null);
    expect(await row()).toMatchObject({ status: "pending", response_status: null, response_body: null });
    expect((await row())?.error).toStartWith(error);
  });

  test("because the secret cannot be decrypted records that, and sends nothing", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await database.sql`update webhooks set secret = '\\x00'`;
    await tell();
    dispatch();
    await until(async () => (await row())?.duration_ms !== null);
    expect((await row())?.error).toContain("secret");
    expect(receiver.received).toHaveLength(0);
  });
});

describe("an endpoint", () => {
  const disabled = async (endpoint: Endpoint, reason: string) => {
    await until(async () => (await webhook(endpoint))?.is_active === false);
    expect((await webhook(endpoint))?.disabled_reason).toBe(reason);
    const entries = await database.sql`select * from audit_logs where org_id = ${orgId}`;
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ action: "webhook.disable", actor_type: "system", resource_id: endpoint.id });
  };

  test("that answers 410 is turned off at once, and its pending deliveries stay pending", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 410 });
    const endpoint = await listen(receiver.url);
    await tell(6);
    dispatch();
    await disabled(endpoint, "The endpoint returned 410 Gone");
    await until(async () => (await rows()).every(({ attempts, status }) => attempts === 0 || status === "failed"));
    expect(await statuses()).toContain("pending");
    const sent = receiver.received.length;
    await tell();
    expect(await rows()).toHaveLength(6);
    expect(await claimAndTake()).toEqual([]);
    expect(receiver.received).toHaveLength(sent);
  });

  test("is turned off after failing for five days, and not before", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 500 });
    const endpoint = await listen(receiver.url);
    const failingFor = (ms: number) =>
      database.sql`update webhooks set failing_since = now() - ${`${ms} milliseconds`}::interval, tried_at = null`;
    await failingFor(5 * DAY_MS - 60_000);
    await tell();
    dispatch();
    await until(async () => (await row())?.duration_ms !== null);
    expect((await webhook(endpoint))?.is_active).toBe(true);
    await failingFor(5 * DAY_MS);
    await makeDue(database.sql);
    await disabled(endpoint, "Every delivery failed for five days");
  });

  test("stays on if nothing was tried for days in between, and is turned off once five more days failed", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(null, { status: 500 });
    const endpoint = await listen(receiver.url);
    const failing = (since: string, tried: string) => database.sql`
      update webhooks set failing_since = now() - ${since}::text::interval, tried_at = now() - ${tried}::text::interval`;
    await failing("33 days", "30 days");
    await tell();
    dispatch();
    await until(async () => (await row())?.duration_ms !== null);
    const [since] = await database.sql`
      select is_active, failing_since > now() - interval '1 day' as is_recent from webhooks where id = ${endpoint.id}`;
    expect(since).toEqual({ is_active: true, is_recent: true });
    await failing("5 days", "29 hours");
    await makeDue(database.sql);
    await disabled(endpoint, "Every delivery failed for five days");
  });

  test("stays on if its URL was changed while the old one answered 410", async () => {
    const [gone, moved] = [startReceiver(), startReceiver()];
    const endpoint = await listen(gone.url);
    gone.answer = async () => {
      await database.sql`update webhooks set url = ${moved.url}`;
      return new Response(null, { status: 410 });
    };
    await tell();
    dispatch();
    await until(async () => (await statuses())[0] === "delivered");
    expect([gone.received.length, moved.received.length]).toEqual([1, 1]);
    expect(await webhook(endpoint)).toMatchObject({ is_active: true, failing_since: null });
  });

  test("keeps apart what its former and its new URL answer, recorded together", async () => {
    const endpoint = await listen("https://former.example.com/");
    await tell(3);
    const queue = openQueue();
    const [late, ...others] = await claimAndTake(queue);
    if (!late) throw new Error("One is due");
    const url = "https://new.example.com/";
    await database.sql`update webhooks set url = ${url}`;
    const failed = { isDelivered: false, answer: null, error: "It failed", durationMs: 1 };
    await queue.settle([
      { delivery: late, attempt: { ...failed, status: 410 } },
      ...others.map((delivery) => ({ delivery: { ...delivery, url }, attempt: { ...failed, status: 500 } })),
    ]);
    expect(await webhook(endpoint)).toMatchObject({ is_active: true, disabled_reason: null });
    expect((await webhook(endpoint))?.failing_since).not.toBeNull();
    expect(await statuses()).toEqual(["pending", "pending", "pending"]);

    const due = await database.sql`select id from webhook_deliveries where due_at <= now()`;
    expect(due.map(({ id }) => id)).toEqual([late.id]);
    const worked = { ...failed, isDelivered: true, status: 200, error: null };
    await queue.settle([{ delivery: { ...late, attempts: 2 }, attempt: worked }]);
    expect((await webhook(endpoint))?.failing_since).not.toBeNull();
  });

  test("that hangs delays no other endpoint and gets at most four simultaneous requests", async () => {
    const [slow, fast] = [startReceiver(), startReceiver()];
    const release = Promise.withResolvers<void>();
    silence = release.resolve;
    slow.answer = async () => {
      await release.promise;
      return new Response(null, { status: 500 });
    };
    const hanging = await listen(slow.url);
    await tell(600);
    await listen(fast.url);
    await tell(5);
    dispatch(2);
    await fast.until(5);
    await until(() => slow.received.length === 4);
    release.resolve();
    await until(async () => (await webhook(hanging))?.failing_since !== null);
  });

  test("that is failing is tried by one server only, at most once a second", async () => {
    const receiver = startReceiver();
    let [underWay, most] = [0, 0];
    // By the clock of Postgres, which makes the pauses: on a busy machine, requests arrive some time later.
    const triedAt: number[] = [];
    receiver.answer = async () => {
      most = Math.max(most, ++underWay);
      triedAt.push(Date.parse((await webhook(failing))?.tried_at));
      await Bun.sleep(20);
      underWay--;
      return new Response(null, { status: 500 });
    };
    const failing = await listen(receiver.url);
    await tell(20);
    await database.sql`update webhooks set failing_since = now()`;
    dispatch(3);
    await until(() => triedAt.length >= 3);
    expect(most).toBe(1);
    const apart = triedAt.slice(1).map((at, index) => at - Number(triedAt[index]));
    for (const ms of apart) expect(ms).toBeGreaterThan(900);
  });

  test("that works again gets all its pending deliveries at once", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await tell(50);
    await database.sql`update webhooks set failing_since = now() - interval '1 day', tried_at = now() - interval '1 hour'`;
    dispatch();
    await receiver.until(50);
    await until(async () => (await statuses()).every((status) => status === "delivered"));
  });

  test("that is fast gets many simultaneous requests, a slow one four", async () => {
    const [quick, slow] = [startReceiver(), startReceiver()];
    const most = [0, 0];
    for (const [index, { receiver, ms }] of [
      { receiver: quick, ms: 20 },
      { receiver: slow, ms: 600 },
    ].entries()) {
      let underWay = 0;
      receiver.answer = async () => {
        most[index] = Math.max(Number(most[index]), ++underWay);
        // The first four are sent together, but may arrive one after the other.
        await until(() => Number(most[index]) >= 4);
        await Bun.sleep(ms);
        underWay--;
        return new Response("ok");
      };
    }
    await listen(quick.url);
    await tell(1_500);
    await listen(slow.url);
    await tell(8);
    dispatch();
    await Promise.all([quick.until(1_500), slow.until(8)]);
    expect(most[0]).toBeWithin(16, 65);
    expect(most[1]).toBe(4);
  }, 240_000);

  test("gets each message exactly once from several servers, roughly oldest first", async () => {
    const receiver = startReceiver();
    const endpoint = await listen(receiver.url);
    await tell(40);
    const begun: number[] = [];
    dispatch(3, (message, ...others) => {
      begun.push(JSON.parse(message.body).data.number);
      return send(message, ...others);
    });
    await receiver.until(40);
    await until(async () => (await statuses()).every((status) => status === "delivered"));
    const numbers = numbersOf(receiver).map(Number);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, number) => number));
    // How early or late one arrives that was sent in its turn depends on its connection.
    for (const [place, number] of begun.entries()) expect(Math.abs(place - number)).toBeLessThan(16);
    for (const each of receiver.received) expectSigned(each, endpoint.secret);
  });
});

describe("a webhook's queue", () => {
  test("belongs to one server, which takes the oldest deliveries first and then the next ones", async () => {
    const endpoint = await listen("https://hooks.example.com/");
    await tell(6);
    const [queue, other] = [openQueue(), openQueue()];
    const taken = await claimAndTake(queue);
    expect(taken.map(({ body }) => JSON.parse(body).data.number)).toEqual([0, 1, 2, 3]);
    expect(await claimAndTake(other)).toEqual([]);
    expect(await other.take([{ webhookId: endpoint.id, room: 4, after: null, held: [], batch: false }])).toEqual([]);
    const held = taken.map(({ id }) => id);
    const after = String(taken.at(-1)?.dueAt);
    for (const from of [after, null]) {
      const next = await queue.take([{ webhookId: endpoint.id, room: 4, after: from, held, batch: false }]);
      expect(next.map(({ body }) => JSON.parse(body).data.number)).toEqual([4, 5]);
    }
  });

  test("passes to another server when the lease of a dead one ends, and the dead one's results are ignored", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await tell();
    const [dead, alive] = [openQueue(), openQueue()];
    const [first] = await claimAndTake(dead);
    expect(await claimAndTake(alive)).toEqual([]);
    await database.sql`update webhooks set leased_until = now()`;
    const [second] = await claimAndTake(alive);
    expect(second?.messageId).toBe(String(first?.messageId));
    if (!first || !second) throw new Error("Both have it");
    await dead.renew([first.webhookId]);
    receiver.answer = () => new Response(null, { status: 500 });
    await deliver(alive, second);
    receiver.answer = () => new Response();
    await deliver(dead, first);
    expect(await row()).toMatchObject({ status: "pending", attempts: 1, response_status: 500 });
    expect(await dead.take([{ webhookId: first.webhookId, room: 1, after: null, held: [], batch: false }])).toEqual([]);
  });

  test("passes to another server although the clock of Postgres was a year ahead when its server died", async () => {
    await listen("https://hooks.example.com/");
    await tell();
    expect(await claimAndTake()).toHaveLength(1);
    await database.sql`update webhooks set leased_until = now() + interval '1 year'`;
    expect(await claimAndTake()).toHaveLength(1);
  });

  test("with deliveries and failures of a time in which the clock of Postgres was a year ahead is tried again", async () => {
    await listen("https://hooks.example.com/");
    await tell(3);
    await database.sql`update webhook_deliveries set due_at = due_at + interval '1 year'`;
    await database.sql`update webhooks set failing_since = now() + interval '1 year', tried_at = now() + interval '1 year'`;
    expect(await claimAndTake()).toHaveLength(0);
    expect(await bringMisdatedForward({ db: database.db, signal: alive, batchRows: 2 })).toBe(3);
    expect(await bringMisdatedForward({ db: database.db, signal: alive })).toBe(0);
    expect(await claimAndTake()).toHaveLength(1);
  });

  test("whose next attempt is a day away is not tried before", async () => {
    await listen("https://hooks.example.com/");
    await tell();
    await database.sql`update webhook_deliveries set attempts = 9, due_at = now() + interval '28 hours'`;
    expect(await bringMisdatedForward({ db: database.db, signal: alive })).toBe(0);
  });

  test("is released to other servers when its server stops", async () => {
    await listen("https://hooks.example.com/");
    await tell();
    const queue = openQueue();
    expect(await claimAndTake(queue)).toHaveLength(1);
    await queue.release();
    expect(await claimAndTake()).toHaveLength(1);
  });

  test("counts as failing since the last failed attempt, also when a success is settled together with it", async () => {
    const receiver = startReceiver();
    const endpoint = await listen(receiver.url);
    await tell(3);
    const queue = openQueue();
    const [one, two, three] = await claimAndTake(queue);
    if (!one || !two || !three) throw new Error("There are three");
    const [works, fails] = [200, 500];
    const tryAs = async (delivery: TakenDelivery, answer: number) => {
      receiver.answer = () => new Response(null, { status: answer });
      return { delivery, attempt: await queue.send(delivery, alive) };
    };
    await database.sql`update webhooks set failing_since = now() - interval '4 days'`;
    await queue.settle([await tryAs(one, works), await tryAs(two, fails)]);
    const { failing_since: since } = (await webhook(endpoint)) ?? {};
    expect(Date.now() - Date.parse(since)).toBeLessThan(DAY_MS);
    await queue.settle([await tryAs(three, works)]);
    expect((await webhook(endpoint))?.failing_since).toBeNull();
    expect((await statuses()).toSorted()).toEqual(["delivered", "delivered", "pending"]);
  });

  test("of a webhook deleted during a delivery is handled without an error", async () => {
    const receiver = startReceiver();
    await listen(receiver.url);
    await tell();
    const queue = openQueue();
    const [taken] = await claimAndTake(queue);
    await database.sql`delete from webhooks`;
    receiver.answer = () => new Response(null, { status: 410 });
    if (taken) await deliver(queue, taken);
    expect(receiver.received).toHaveLength(1);
    expect(await claimAndTake()).toEqual([]);
  });

  test("of a failing endpoint is claimed within the limit for failing ones, least recently tried first", async () => {
    const failing: string[] = [];
    for (let made = 0; made < 3; made++) failing.push((await listen("https://hooks.example.com/")).id);
    await tell();
    await database.sql`update webhooks set failing_since = now() - interval '1 hour'`;
    for (const [minutes, id] of [failing[2], failing[0], failing[1]].entries()) {
      await database.sql`update webhooks set tried_at = now() - ${`${10 - minutes} minutes`}::interval where id = ${String(id)}`;
    }
    const works = await listen("https://hooks.example.com/");
    await tell();
    const claim = async (room: { all: number; failing: number }) =>
      (await openQueue().claim(room, [])).map(({ id }) => id);
    expect(await claim({ all: 10, failing: 1 })).toEqual(expect.arrayContaining([works.id, String(failing[2])]));
    expect(await claim({ all: 10, failing: 1 })).toEqual([String(failing[0])]);
    expect(await claim({ all: 10, failing: 10 })).toEqual([String(failing[1])]);
  });

  test("stays unchanged when a shutdown interrupts a delivery", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Promise(() => {});
    const endpoint = await listen(receiver.url);
    await tell();
    dispatch();
    await receiver.until(1);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    expect(await row()).toMatchObject({ status: "pending", attempts: 0, duration_ms: null, error: null });
    expect(await webhook(endpoint)).toMatchObject({ failing_since: null, leased_by: null });
  });
});

describe("a transaction that locks a webhook and then its deliveries, as a redelivery does, never deadlocks with", () => {
  const isWaiting = async () =>
    (await database.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      .length > 0;

  async function expectNoDeadlock(endpoint: Endpoint, begin: () => Promise<unknown>): Promise<void> {
    let begun: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select 1 from webhooks where id = ${endpoint.id} for no key update`;
      begun = begin();
      await until(isWaiting);
      await tx`update webhook_deliveries set due_at = clock_timestamp() where webhook_id = ${endpoint.id}`;
    });
    await begun;
  }

  test("a success that ends the endpoint's failing state", async () => {
    const endpoint = await listen(startReceiver().url);
    await tell();
    const queue = openQueue();
    const [delivery] = await claimAndTake(queue);
    if (!delivery) throw new Error("There is one");
    await database.sql`update webhooks set failing_since = now()`;
    await expectNoDeadlock(endpoint, () => deliver(queue, delivery));
    expect([await statuses(), (await webhook(endpoint))?.failing_since]).toEqual([["delivered"], null]);
  });

  test("the job that drops the oldest deliveries beyond the limit", async () => {
    const endpoint = await listen("https://hooks.example.com/");
    await tell(5);
    await expectNoDeadlock(endpoint, () => boundBacklogs({ db: database.db, signal: alive, pendingMax: 3 }));
    expect((await statuses()).filter((status) => status === "dropped")).toHaveLength(2);
    expect(Number((await webhook(endpoint))?.dropped)).toBe(2);
  });
});

describe("a response", () => {
  test("is truncated to 1 KB in the delivery log, with NUL characters replaced", async () => {
    const receiver = startReceiver();
    receiver.answer = () => new Response(`\0ä${"a".repeat(100_000)}`);
    await listen(receiver.url);
    await tell();
    dispatch();
    await until(async () => (await statuses())[0] === "delivered");
    const kept = String((await row())?.response_body);
    expect(kept).toStartWith("\u{fffd}äa");
    expect(kept.length).toBe(1_023);
  });
});

describe("the delivery log", () => {
  test("is kept for 30 days, whatever the status of a delivery", async () => {
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
