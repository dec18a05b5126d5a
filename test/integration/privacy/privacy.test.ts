/** Erasure of one visitor: nothing about the person remains anywhere, and no figure changes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operatorParts } from "@test/support/accounts/operator";
import { addMember, BACKGROUND_TABLES } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { storedSketches } from "@test/support/figures";
import { leadsIn } from "@test/support/leads";
import { createMint, IPHONE, PIXEL, SECRET } from "@test/support/match";
import { createWebhook, startReceiver } from "@test/support/outside/webhooks";
import { type Account, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { commands } from "@/admin/commands";
import * as visits from "@/clicks/erase-visits";
import type { PrivacyErasure } from "@/contract/accounts/privacy";
import type { AbuseItem } from "@/contract/analytics/abuse";
import type { Click, ClickPage } from "@/contract/analytics/clicks";
import type { Link } from "@/contract/links/links";
import type { OrgId } from "@/core/ids";
import { BATCH_EVENT, batchBody } from "@/core/webhooks/batch";
import { messageBody } from "@/core/webhooks/message";
import { decodeSketch, estimate } from "@/figures/uniques";
import { verifyFigures } from "@/figures/verify/verify";
import { createFigureTurns } from "@/http/figure-turns";
import { createPrivacyService } from "@/modules/privacy/service";
import { openDatabase } from "@/platform/db/client";
import { visitorSecret } from "@/platform/visitor";

const service = await startTestService({
  env: { APP_SECRET: SECRET, VISITOR_SALT_ROTATION: "daily", OUTBOUND_ALLOW: "127.0.0.1" },
});
const { call, sql } = service;
const mint = await createMint(service);
const leaveIn = leadsIn(service.databaseUrl);
const receiver = startReceiver();
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

const BEA: Person = {
  headers: { "x-client": "198.51.100.7", "user-agent": IPHONE, "accept-language": "de" },
  name: "customer-1842",
};
const CID: Person = { headers: { "x-client": "198.51.100.8", "user-agent": PIXEL }, name: 'cidney "77\\,}' };
const DAY_MS = 86_400_000;
const DAYS = new URLSearchParams({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});

interface Person {
  headers: Record<string, string>;
  /** The customer's own id for the person. */
  name: string;
}

const EMAIL = "bea@example.org";
const NOTHING = { clicks: 0, opens: 0, claims: 0, events: 0, leads: 0, deliveries: 0 };

let account: Account;
let link: Link;
let other: Link;
let apiKey: string;
let batchId: string;

const erase = (body: object, by = account) =>
  call<PrivacyErasure & Record<string, unknown>>("POST", `/api/v1/organizations/${account.orgId}/privacy/erase`, {
    ...{ token: by.token, body },
  });
const overview = async () =>
  (
    await call("GET", `/api/v1/organizations/${account.orgId}/analytics/overview?includeBots=true&${DAYS}`, {
      token: account.token,
    })
  ).body;

/** Leaves everything that a person may leave. */
async function leaveTraces({ headers, name }: Person): Promise<void> {
  for (const visited of [link, link, other]) await service.visit(visited, headers);
  const at = new URLSearchParams({ domain: service.host, slug: link.shortUrl.split("/").pop() ?? "", visitorId: name });
  expect((await call("GET", `/api/v1/resolve?${at}`, { headers })).status).toBe(200);
  const matchToken = await mint(link._id);
  expect((await call("POST", "/api/v1/match", { body: { matchToken }, headers })).body).toMatchObject({
    matched: true,
  });
  const event = {
    name: "purchase",
    linkId: link._id,
    visitorId: name,
    value: 12.5,
    metadata: { phone: `0664 ${name}` },
  };
  expect(
    (await call("POST", "/api/v1/events", { apiKey, body: event, headers: { "idempotency-key": name } })).status,
  ).toBe(201);
  await waitUntilDrained(service.service);
}

/** Returns every row of every table as text, and sketches as the keys they contain. */
async function everything(leftOut: readonly string[] = []): Promise<string> {
  const tables = await sql<{ name: string }[]>`select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`;
  const looked = tables.filter(({ name }) => !leftOut.includes(name));
  const texts = await Promise.all(
    looked.map(async ({ name }) =>
      (await sql`select to_jsonb(t)::text as line from ${sql(name)} t`).map(({ line }) => line),
    ),
  );
  const keys = (await storedSketches(sql)).map(({ sketch }) => {
    const { visitors } = decodeSketch(sketch);
    if (visitors instanceof Uint8Array) throw new Error("A sketch of a test is exact");
    return [...visitors].map((key) => key.toString(16).padStart(16, "0"));
  });
  return [...texts, ...keys].flat().join("\n");
}

const differences = async () => {
  const found: unknown[] = [];
  await verifyFigures(sql, { span: {}, isRepairing: false, onDifference: (difference) => found.push(difference) });
  return found;
};

const hexOf = (key: string) => BigInt.asUintN(64, BigInt(key)).toString(16).padStart(16, "0");
/** Returns the visitor's key, looked up by the platform of the browser. */
const keyOf = async (os: "ios" | "android") => {
  const rows =
    await sql`select distinct visitor::text from clicks where org_id = ${account.orgId} and platform = ${os}`;
  expect(rows).toHaveLength(1);
  return String(rows[0]?.visitor);
};

beforeAll(async () => {
  account = await service.register();
  apiKey = await service.createApiKey(account, ["events:write"]);
  link = await service.createLink(account, { defaultUrl: "https://example.com/" });
  other = await service.createLink(account, { defaultUrl: "https://example.org/" });
  const webhook = await createWebhook(service, account, receiver.url, [
    "click",
    "custom.event",
    "link.opened",
    "link.matched",
  ]);
  await leaveTraces(BEA);
  await leaveTraces(CID);
  await leaveIn({
    orgId: account.orgId,
    linkId: link._id,
    visitorId: hexOf(await keyOf("ios")),
    fields: { email: ` ${EMAIL.toUpperCase()}` },
  });
  await leaveIn({
    orgId: account.orgId,
    linkId: link._id,
    visitorId: hexOf(await keyOf("android")),
    fields: { email: "cid@example.org", note: "" },
  });
  // Clicks, events, opens and matches of both people.
  await until(async () => {
    const [row] = await sql`select count(*)::int as sent from webhook_deliveries where status = 'delivered'`;
    return row?.sent === 2 * (3 + 1 + 1 + 2);
  });
  batchId = await addBatch(webhook._id);
});

const options = {
  ...{ db: database.db, clock: Date.now, visitorSecret: visitorSecret(new Uint8Array(32), "none"), visits },
  figuresInTurn: createFigureTurns(database.db),
};
const tenant = () => ({
  orgId: account.orgId as OrgId,
  actor: { type: "system" as const, id: null, email: null, ip: null, userAgent: null },
});

/** Leaves a new visitor's clicks on three links. Returns the visitor's id. */
async function leaveClicks(): Promise<string> {
  const headers = { "x-client": "198.51.100.10", "user-agent": IPHONE, "accept-language": crypto.randomUUID() };
  const own = await service.createLink(account, { defaultUrl: "https://example.com/" });
  for (const visited of [link, other, own]) await service.visit(visited, headers);
  await waitUntilDrained(service.service);
  const [row] = await sql`select visitor::text as key from clicks where link_id = ${own._id}`;
  return hexOf(row?.key);
}

/** Inserts one delivery that contains messages about both people. */
async function addBatch(webhookId: string, city = "Graz"): Promise<string> {
  const id = Bun.randomUUIDv7();
  const message = (visitorId: string) =>
    messageBody(Bun.randomUUIDv7(), {
      event: "click",
      orgId: account.orgId,
      at: Date.now(),
      data: { visitorId, city },
    });
  const body = batchBody(Bun.randomUUIDv7(), [message(BEA.name), message(CID.name)]);
  await sql`insert into webhook_deliveries (id, org_id, webhook_id, event, messages, message_id, body, status, response_body)
    values (${id}, ${account.orgId}, ${webhookId}, ${BATCH_EVENT}, 2, ${Bun.randomUUIDv7()}, ${body}, 'delivered', 'thanks')`;
  return id;
}

describe("a request", () => {
  test("gets 400 without a valid visitorId or email", async () => {
    expectFailure(await erase({}), 400, ["visitorId"]);
    expectFailure(await erase({ visitorId: "" }), 400, ["visitorId"]);
    expectFailure(await erase({ email: "bea" }), 400, ["email"]);
    expectFailure(await erase({ visitorId: { toString: 1 }, email: ["a@example.org"] }), 400, ["email", "visitorId"]);
  });

  test("gets 403 from a member and 404 from another organization's user", async () => {
    expectFailure(await erase({ visitorId: BEA.name }, await addMember(service, account.orgId, "member")), 403);
    expectFailure(await erase({ visitorId: BEA.name }, await service.register()), 404);
  });
});

describe("an erasure", () => {
  test("of an unknown person changes nothing, also if another organization knows them", async () => {
    const stranger = await service.register();
    const before = await everything(BACKGROUND_TABLES);
    const path = `/api/v1/organizations/${stranger.orgId}/privacy/erase`;
    for (const visitorId of [BEA.name, hexOf(await keyOf("ios"))]) {
      const { status, body } = await call("POST", path, { token: stranger.token, body: { visitorId, email: EMAIL } });
      expect([status, body.isComplete, Object.values(body.erased ?? {})]).toEqual([200, true, [0, 0, 0, 0, 0, 0]]);
    }
    // The server renews the lease of a webhook that it works on.
    const rows = (text: string) =>
      text
        .replace(/"leased_(?:by|until)": [^,}]+/g, "")
        .split("\n")
        .filter((line) => line.includes(account.orgId) || line.includes(EMAIL));
    expect(rows(await everything(BACKGROUND_TABLES)).sort()).toEqual(rows(before).sort());
  });

  test("deletes every trace of the person, and keeps other people's data and all figures", async () => {
    const [key, others] = [await keyOf("ios"), await keyOf("android")];
    const ids =
      await sql`select id from clicks where visitor = ${key} union all select id from opens where visitor = ${key}`;
    expect(ids).toHaveLength(4);
    const kept = async () => [
      ...(await sql`select id, occurred_at, visitor::text, device_model from clicks where platform = 'android' order by id`),
      ...(await sql`select id, visitor_id, metadata from events where visitor_id = ${CID.name}`),
      ...(await sql`select id, visitor_id, fields from leads where fields ->> 'email' = 'cid@example.org'`),
    ];
    const [before, figures] = [await kept(), await overview()];
    const { status, body } = await erase({ visitorId: BEA.name, email: EMAIL.toUpperCase() });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        _id: expect.any(String),
        erased: { clicks: 3, opens: 2, claims: 1, events: 1, leads: 1, deliveries: 8 },
        isComplete: true,
      },
    });
    const text = await everything();
    const gone = [key, hexOf(key), BEA.name, EMAIL, EMAIL.toUpperCase(), ...ids.map(({ id }) => String(id))];
    expect(gone.filter((trace) => text.includes(trace))).toEqual([]);
    const stays = [others, hexOf(others), "cidney", "cid@example.org"];
    expect(stays.filter((trace) => !text.includes(trace))).toEqual([]);
    const [batch] = await sql`select body, response_body from webhook_deliveries where id = ${batchId}`;
    const data = JSON.parse(batch?.body).events.map((message: { data: unknown }) => message.data);
    expect([data, batch?.response_body]).toEqual([[{ erased: true }, { visitorId: CID.name, city: "Graz" }], null]);
    expect(await kept()).toEqual(before);
    expect(await overview()).toEqual(figures);
    expect(await differences()).toEqual([]);
    const rows = await sql`select distinct visitor, device_model from clicks where platform = 'ios'`;
    expect(rows.map(({ device_model }) => device_model)).toEqual([null]);
  });

  test("is written to the audit log with its counts, without the person", async () => {
    const entries = await sql`select resource_type, resource_id, actor_email, changes from audit_logs
      where org_id = ${account.orgId} and action = 'privacy.erase'`;
    expect([...entries]).toEqual([
      expect.objectContaining({
        ...{ resource_type: "erasure", actor_email: account.email },
        changes: expect.objectContaining({ clicks: { from: null, to: 3 }, leads: { from: null, to: 1 } }),
      }),
    ]);
    expect(JSON.stringify(entries)).not.toContain(BEA.name);
  });

  test("finds nothing when repeated, and the same browser then counts as a new visitor", async () => {
    expect((await erase({ visitorId: BEA.name, email: EMAIL })).body.erased).toEqual(NOTHING);
    await service.visit(link, BEA.headers);
    await waitUntilDrained(service.service);
    expect(await differences()).toEqual([]);
  });

  test("reads batches with text that JSON in Postgres cannot hold, as earlier versions wrote them", async () => {
    const [{ id: webhookId } = { id: "" }] = await sql`select id from webhooks where org_id = ${account.orgId}`;
    const batch = await addBatch(webhookId, "a\0b \\\0 \\u0000 \ud83d! \u{1f600} \\");
    const { status, body } = await erase({ visitorId: BEA.name });
    expect([status, body.erased]).toEqual([200, { ...NOTHING, deliveries: 1 }]);
    const [row] = await sql`select body from webhook_deliveries where id = ${batch}`;
    const kept = { visitorId: CID.name, city: "a\ufffdb \\\ufffd \\u0000 \ufffd! \u{1f600} \\" };
    expect(JSON.parse(row?.body).events.map((message: { data: unknown }) => message.data)).toEqual([
      { erased: true },
      kept,
    ]);
  });

  test("that runs out of time returns isComplete false, and the next one erases the rest", async () => {
    const visitorId = hexOf(await keyOf("android"));
    const hurried = await createPrivacyService({ ...options, deadlineMs: 0 }).erase(tenant(), { visitorId });
    expect([hurried.isComplete, hurried.erased.clicks > 0, hurried.erased.leads]).toEqual([false, true, 0]);
    const rest = (await erase({ visitorId: visitorId.toUpperCase() })).body;
    expect([rest.isComplete, rest.erased.clicks, rest.erased.leads]).toEqual([true, 3 - hurried.erased.clicks, 1]);
    expect(await differences()).toEqual([]);
  });

  test("makes progress with every call, even if its time is already over", async () => {
    const visitorId = await leaveClicks();
    let now = 0;
    const stopwatch = () => {
      now += 60_000;
      return now;
    };
    const service = createPrivacyService({ ...options, stopwatch });
    const calls = [];
    do calls.push(await service.erase(tenant(), { visitorId }));
    while (calls.at(-1)?.isComplete === false && calls.length < 10);
    expect(calls.map(({ isComplete, erased }) => [isComplete, erased.clicks])).toEqual([
      [false, 1],
      [false, 1],
      [true, 1],
    ]);
  });

  test("has its full time for clicks, however long the search through deliveries takes", async () => {
    const visitorId = await leaveClicks();
    let now = 0;
    const dialect = new PgDialect();
    const slow = new Proxy(database.db, {
      get: (db, name) => {
        if (name !== "execute") return Reflect.get(db, name);
        return (query: SQL) => {
          if (dialect.sqlToQuery(query).sql.includes("webhook_deliveries")) now += 60_000;
          return db.execute(query);
        };
      },
    });
    const service = createPrivacyService({ ...options, db: slow, stopwatch: () => now });
    const { isComplete, erased } = await service.erase(tenant(), { visitorId });
    expect(now).toBeGreaterThan(0);
    expect([isComplete, erased.clicks]).toEqual([true, 3]);
  });

  test("removes the visitor from the sketches of days without raw clicks and keeps the visitor counts", async () => {
    const visitor = { "x-client": "198.51.100.9", "user-agent": IPHONE, "accept-language": "fr" };
    const stranger = await service.register();
    const expired = await service.createLink(stranger, { defaultUrl: "https://example.com/" });
    for (const headers of [visitor, visitor, CID.headers]) await service.visit(expired, headers);
    await waitUntilDrained(service.service);
    const [{ key } = { key: "" }] = await sql`select visitor::text as key from clicks
      where org_id = ${stranger.orgId} and platform = 'ios' limit 1`;
    await sql`insert into raw_retention (org_id, kept_from) values (${stranger.orgId}, now() + interval '2 days')`;
    await sql`delete from clicks where org_id = ${stranger.orgId}`;
    const sizes = async () =>
      (await storedSketches(sql, stranger.orgId)).map(({ sketch }) => estimate(decodeSketch(sketch)));
    expect(await everything()).toContain(hexOf(key));
    const before = await sizes();
    const path = `/api/v1/organizations/${stranger.orgId}/privacy/erase`;
    const reply = await call("POST", path, { token: stranger.token, body: { visitorId: hexOf(key) } });
    expect([reply.status, reply.body.isComplete]).toEqual([200, true]);
    expect((await everything()).includes(hexOf(key))).toBe(false);
    expect(await sizes()).toEqual(before);
    expect(before).toEqual([2, 2, 2, 2]);
  });

  test("finds an email with a domain beyond ASCII in the spelling of every browser", async () => {
    const lead = { orgId: account.orgId, linkId: link._id };
    for (const domain of ["Bücher.test", "xn--bcher-kva.test"]) {
      for (const email of ["dora@bücher.test", "dora@xn--bcher-kva.test"]) {
        await leaveIn({ ...lead, fields: { email: `Dora@${domain}` } });
        expect((await erase({ email })).body.erased).toMatchObject({ leads: 1 });
      }
    }
  });

  test("covers the events and claims that name one of the visitor's clicks", async () => {
    const visitorId = await leaveClicks();
    const clicks =
      await sql`select id from clicks where visitor = ${String(BigInt.asIntN(64, BigInt(`0x${visitorId}`)))}`;
    const ids = clicks.map(({ id }) => String(id));
    const [clickId = ""] = ids;
    const event = { name: "purchase", visitorId: clickId, value: 5, metadata: { phone: "0664 317" } };
    const headers = { "idempotency-key": "named by a click" };
    expect((await call("POST", "/api/v1/events", { apiKey, body: event, headers })).status).toBe(201);
    const inCapitals = { ...event, visitorId: clickId.toUpperCase(), metadata: { phone: "0664 318" } };
    const capitals = { "idempotency-key": "named in capitals" };
    expect((await call("POST", "/api/v1/events", { apiKey, body: inCapitals, headers: capitals })).status).toBe(201);
    await call("POST", "/api/v1/match", { body: { matchToken: await mint(link._id) }, headers: CID.headers });
    await sql`update claims set click_id = ${clickId}
      where token_hash = (select token_hash from claims where org_id = ${account.orgId} order by claimed_at desc limit 1)`;
    const told = async () =>
      sql`select 1 from webhook_deliveries where body like ${`%${clickId}%`} and event = 'custom.event'`;
    expect(await told()).toHaveLength(1);
    const { isComplete, erased } = (await erase({ visitorId })).body;
    expect([isComplete, erased]).toEqual([
      true,
      { clicks: 3, opens: 0, claims: 0, events: 2, leads: 0, deliveries: 5 },
    ]);
    const text = await everything();
    const traces = [...ids, clickId.toUpperCase(), "0664 317", "0664 318"];
    expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  test("leaves clicks that are still found by their ids, and have their places in the review queue", async () => {
    const seen = await service.createLink(account, { defaultUrl: "https://example.com/" });
    for (const address of ["198.51.100.11", "198.51.100.12"]) {
      await service.visit(seen, { "x-client": address, "user-agent": IPHONE });
      await waitUntilDrained(service.service);
    }
    await sql`update clicks set spam_score = 90 where link_id = ${seen._id}`;
    const suspects = await sql<{ key: string }[]>`
      select visitor::text as key from clicks where link_id = ${seen._id} order by occurred_at`;
    const [older = "", newer] = suspects.map(({ key }) => hexOf(key));
    expect((await erase({ visitorId: older })).body.erased).toMatchObject({ clicks: 1 });
    const analytics = `/api/v1/organizations/${account.orgId}/analytics`;
    const read = <Body>(path: string) => call<Body>("GET", `${analytics}/${path}`, { token: account.token });
    const { items } = (await read<{ items: AbuseItem[] }>("abuse-queue")).body;
    expect(items.map(({ visitor }) => visitor._id === newer)).toEqual([true, false]);
    const { clicks } = (await read<ClickPage>("clicks")).body;
    const found = await Promise.all(clicks.map(({ _id }) => read<Click>(`clicks/${_id}`)));
    expect(found.map(({ status, body }) => [status, body.occurredAt])).toEqual(
      clicks.map(({ occurredAt }) => [200, occurredAt]),
    );
  });

  describe("that names the visitor by the id of one of their clicks", () => {
    const clicksOf = async (visitorId: string) => {
      const key = String(BigInt.asIntN(64, BigInt(`0x${visitorId}`)));
      const clicks = await sql`select id from clicks where visitor = ${key} order by occurred_at, id`;
      return clicks.map(({ id }) => String(id));
    };

    test("covers the visitor's clicks, events and leads", async () => {
      const visitorId = await leaveClicks();
      const ids = await clicksOf(visitorId);
      await leaveIn({ orgId: account.orgId, linkId: link._id, visitorId, fields: { email: "eve@example.org" } });
      for (const named of ids.slice(0, 2)) {
        const event = { name: "purchase", visitorId: named, value: 5, metadata: { phone: "0664 318" } };
        expect((await call("POST", "/api/v1/events", { apiKey, body: event })).status).toBe(201);
      }
      const figures = await overview();
      const { isComplete, erased } = (await erase({ visitorId: ids[0]?.toUpperCase() })).body;
      expect([isComplete, erased]).toEqual([
        true,
        { clicks: 3, opens: 0, claims: 0, events: 2, leads: 1, deliveries: 5 },
      ]);
      const text = await everything();
      const gone = [...ids, visitorId, "0664 318", "eve@example.org"];
      expect(gone.filter((trace) => text.includes(trace))).toEqual([]);
      expect(await overview()).toEqual(figures);
      expect(await differences()).toEqual([]);
    });

    test("finds the rest by the same id after a call that ran out of time", async () => {
      const visitorId = await leaveClicks();
      const [clickId] = await clicksOf(visitorId);
      await leaveIn({ orgId: account.orgId, linkId: link._id, visitorId, fields: { email: "eve@example.org" } });
      let now = 0;
      const stopwatch = () => {
        now += 60_000;
        return now;
      };
      const hurried = createPrivacyService({ ...options, stopwatch });
      const calls: PrivacyErasure[] = [];
      do calls.push(await hurried.erase(tenant(), { visitorId: clickId }));
      while (calls.at(-1)?.isComplete === false && calls.length < 10);
      const sums = (["clicks", "leads"] as const).map((kind) =>
        calls.reduce((sum, { erased }) => sum + erased[kind], 0),
      );
      expect([calls.length > 1, calls.at(-1)?.isComplete, sums]).toEqual([true, true, [3, 1]]);
      expect(await clicksOf(visitorId)).toEqual([]);
    });

    test("changes nothing in another organization", async () => {
      const visitorId = await leaveClicks();
      const ids = await clicksOf(visitorId);
      const stranger = await service.register();
      const path = `/api/v1/organizations/${stranger.orgId}/privacy/erase`;
      const { body } = await call("POST", path, { token: stranger.token, body: { visitorId: ids[0] } });
      expect([body.isComplete, Object.values(body.erased ?? {})]).toEqual([true, [0, 0, 0, 0, 0, 0]]);
      expect(await clicksOf(visitorId)).toEqual(ids);
    });
  });

  test("by the operator does the same", async () => {
    const run = (name: string, visitor: string) =>
      commands.erase?.run(database.db, [name, visitor], database, operatorParts(service));
    expect(await run("nowhere", CID.name)).toMatchObject({ ok: false });
    const outcome = await run(account.orgId, CID.name);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome?.message).toContain("opens: 1,");
    expect(outcome?.message).toContain("events: 1,");
    expect((await everything()).includes("cidney")).toBe(false);
    expect(await differences()).toEqual([]);
  });
});
