import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { CustomEvent } from "@/contract/events";

const service = await startTestService();
const { call } = service;

async function workspace() {
  const account = await service.register();
  const apiKey = await service.createApiKey(account, ["events:write", "links:write"]);
  const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const send = (body: unknown, headers?: Record<string, string>) =>
    call<CustomEvent & Record<string, unknown>>("POST", "/api/v1/events", { apiKey, body, headers });
  const overview = async (query = "") => {
    const path = `/api/v1/organizations/${account.orgId}/analytics/overview${query}`;
    return (await call<AnalyticsOverview>("GET", path, { token: account.token })).body;
  };
  return { account, apiKey, link, send, overview };
}
const ada = await workspace();
const eve = await workspace();

const levels = (count: number): unknown => (count === 0 ? 1 : { a: levels(count - 1) });
const bytes = (length: number) => ({ a: "x".repeat(length - '{"a":""}'.length) });
const figuresOf = ({ conversionFunnel, timeseries, eventValue, byEvent }: AnalyticsOverview) => ({
  funnel: conversionFunnel.find(({ stage }) => stage === "events")?.count,
  series: timeseries.reduce((sum, bucket) => sum + bucket.events, 0),
  value: eventValue,
  byEvent: byEvent.map(({ name, count, value }) => [name, count, value]),
});

describe("400 names the field at fault:", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["no name", { name: undefined }, ["name"]],
    ["an empty name", { name: "" }, ["name"]],
    ["a blank name", { name: " \t" }, ["name"]],
    ["a name of 101 characters", { name: "a".repeat(101) }, ["name"]],
    ["a name with a NUL byte", { name: "a\0b" }, ["name"]],
    ["a value as text", { value: "5" }, ["value"]],
    ["a value past a million millions", { value: 1e12 + 1 }, ["value"]],
    ["a value far past it", { value: -1e308 }, ["value"]],
    ["a visitor of 256 characters", { visitorId: "a".repeat(256) }, ["visitorId"]],
    ["metadata that is a list", { metadata: ["a"] }, ["metadata"]],
    ["metadata over 16 KB", { metadata: bytes(16 * 1024 + 1) }, ["metadata"]],
    ["metadata over 32 levels", { metadata: levels(33) }, ["metadata"]],
  ])("%s", async (_, fields, names) => {
    expectFailure(await ada.send({ name: "purchase", ...fields }), 400, names);
  });

  test.each([
    ["empty", ""],
    ["too long", "k".repeat(256)],
  ])("an Idempotency-Key that is %s", async (_, key) => {
    expectFailure(await ada.send({ name: "a" }, { "idempotency-key": key }), 400, ["Idempotency-Key"]);
  });
});

describe("401", () => {
  test("with a session instead of an API key, or without credentials", async () => {
    const body = { name: "purchase" };
    expectFailure(await call("POST", "/api/v1/events", { token: ada.account.token, body }), 401);
    expectFailure(await call("POST", "/api/v1/events", { body }), 401);
  });
});

describe("404", () => {
  test.each([
    ["another's", () => ada.link._id],
    ["unknown", () => Bun.randomUUIDv7()],
    ["no id", () => "spring"],
  ])("a linkId that is %s; nothing is written", async (_, linkId) => {
    const before = await tableState(service.sql);
    expectFailure(await eve.send({ name: "purchase", linkId: linkId() }, { "idempotency-key": "404" }), 404);
    expect(await tableState(service.sql)).toEqual(before);
  });
});

describe("201", () => {
  test("returns the event with its id and time, without absent or null fields", async () => {
    const { link, send } = await workspace();
    const event = {
      name: "purchase 🦊",
      linkId: link._id,
      visitorId: "customer-1842",
      value: 49.9,
      metadata: { orderId: "A-1", items: [1, { b: null }] },
    };
    const { status, body } = await send({ ...event, _id: "mine", occurredAt: "2020-01-01T00:00:00Z", orgId: "x" });
    expect([status, body]).toEqual([201, { ...event, _id: body._id, occurredAt: body.occurredAt }]);
    expect(body._id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(Math.abs(Date.parse(body.occurredAt) - Date.now())).toBeLessThan(60_000);
    const nothing = await send({ name: "a", linkId: null, visitorId: null, value: null, metadata: null });
    expect(Object.keys(nothing.body).toSorted()).toEqual(["_id", "name", "occurredAt"]);
  });

  test("stores all of its fields", async () => {
    const { link, send } = await workspace();
    const { body } = await send({
      name: "a",
      linkId: link._id.toUpperCase(),
      visitorId: "v",
      value: 0.1234567,
      metadata: { b: 1 },
    });
    const [row] = await service.sql`select *, value::text as value from events where id = ${body._id}`;
    expect(row).toMatchObject({ name: "a", link_id: link._id, visitor_id: "v", value: "0.123457", metadata: { b: 1 } });
  });

  test("counts immediately in the funnel, time series, names and value, overall and for its link", async () => {
    const { link, send, overview } = await workspace();
    await send({ name: "purchase", linkId: link._id, value: 0.1 });
    await send({ name: "purchase", value: 0.2 });
    await send({ name: "refund", linkId: link._id, value: -5 });
    await send({ name: "sign-up" });
    for (const query of ["", "?includeBots=true", `?from=${new Date(Date.now() - 60_000).toISOString()}`]) {
      expect(figuresOf(await overview(query))).toEqual({
        funnel: 4,
        series: 4,
        value: -4.7,
        byEvent: [
          ["purchase", 2, 0.3],
          ["refund", 1, -5],
          ["sign-up", 1, 0],
        ],
      });
    }
    expect(figuresOf(await overview(`?linkId=${link._id}`))).toEqual({
      funnel: 2,
      series: 2,
      value: -4.9,
      byEvent: [
        ["purchase", 1, 0.1],
        ["refund", 1, -5],
      ],
    });
  });

  test("counts for the link whose click it names, unless it names a link", async () => {
    const { account, link, send, overview } = await workspace();
    const other = await service.createLink(account, { defaultUrl: "https://example.com/" });
    await service.call("PATCH", `/api/v1/organizations/${account.orgId}`, {
      token: account.token,
      body: { settings: { appendClickId: true } },
    });
    const { headers } = await service.visit(link);
    const clickId = new URL(headers.get("location") ?? "").searchParams.get("wm_cid") ?? "";
    await waitUntilDrained(service.service);
    for (const visitorId of [clickId, clickId.toUpperCase()])
      expect((await send({ name: "purchase", visitorId })).body).toMatchObject({ linkId: link._id, visitorId });
    expect((await send({ name: "purchase", visitorId: clickId, linkId: other._id })).body.linkId).toBe(other._id);
    for (const visitorId of [Bun.randomUUIDv7(), crypto.randomUUID(), "customer-1842"])
      expect((await send({ name: "purchase", visitorId })).body).not.toHaveProperty("linkId");
    expect((await eve.send({ name: "purchase", visitorId: clickId })).body).not.toHaveProperty("linkId");
    expect(figuresOf(await overview(`?linkId=${link._id}`)).funnel).toBe(2);
    expect(figuresOf(await overview()).funnel).toBe(6);
  });

  test("takes any id of a visitor, also one that read as a click's id is of the year 10889", async () => {
    const visitorId = "ffffffff-ffff-7fff-bfff-ffffffffffff";
    expect(await ada.send({ name: "purchase", visitorId })).toMatchObject({ status: 201, body: { visitorId } });
  });

  test("counts for a link that has been deleted", async () => {
    const { account, link, send, overview } = await workspace();
    await call("DELETE", `/api/v1/organizations/${account.orgId}/links/${link._id}`, { token: account.token });
    expect((await send({ name: "purchase", linkId: link._id })).status).toBe(201);
    expect(figuresOf(await overview(`?linkId=${link._id}`)).funnel).toBe(1);
  });

  test("counts every one of many simultaneous events on the same figures", async () => {
    const { link, send, overview } = await workspace();
    const names = ["a", "b", "c"];
    const sent = Array.from({ length: 120 }, (_, index) =>
      send({ name: names[index % 3], linkId: index % 2 === 0 ? link._id : undefined, value: 0.01 }),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]));
    const byEvent = names.map((name) => [name, 40, 0.4]);
    expect(figuresOf(await overview())).toEqual({ funnel: 120, series: 120, value: 1.2, byEvent });
  });
});

describe("an overview", () => {
  test("lists the ten most frequent names, alphabetically if equally frequent", async () => {
    const { send, overview } = await workspace();
    const names = Array.from({ length: 12 }, (_, index) => `event ${String.fromCharCode(97 + index)}`);
    await Promise.all([...names, "event l"].map((name) => send({ name })));
    const { byEvent, conversionFunnel } = await overview();
    expect(byEvent.map(({ name }) => name)).toEqual(["event l", ...names.slice(0, 9)]);
    expect(conversionFunnel.at(-1)?.count).toBe(13);
  });

  test("counts no event of another organization", async () => {
    const { overview } = await workspace();
    await ada.send({ name: "purchase", linkId: ada.link._id });
    expect(figuresOf(await overview())).toEqual({ funnel: 0, series: 0, value: 0, byEvent: [] });
  });
});
