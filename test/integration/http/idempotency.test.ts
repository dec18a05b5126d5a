/** `Idempotency-Key` on the two operations that accept it. */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";

const DAY_MS = 86_400_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;

async function workspace() {
  const account = await service.register();
  const apiKey = await service.createApiKey(account, ["events:write", "links:write"]);
  return { account, apiKey };
}
const ada = await workspace();

const operations = [
  ["POST /api/v1/events", "/api/v1/events", "events", { name: "purchase", value: 1, metadata: { a: 1, b: 2 } }],
  [
    "POST /api/v1/links",
    "/api/v1/links",
    "links",
    { defaultUrl: "https://example.com/", utm: { source: "a", term: "b" } },
  ],
] as const;

describe.each(operations)("%s", (_, path, table, body) => {
  const send = (key: string, sent: unknown = body, apiKey = ada.apiKey) =>
    call<Record<string, unknown>>("POST", path, { apiKey, body: sent, headers: { "idempotency-key": key } });
  const rows = async () => Number((await sql`select count(*) from ${sql(table)}`)[0]?.count);
  const reversed = Object.fromEntries(Object.entries(body).toReversed());

  test("a repeated body gets the same response and changes nothing", async () => {
    const first = await send("same");
    const before = await rows();
    const again = await send("same", reversed);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(await rows()).toBe(before);
  });

  test("another body with the same key is refused", async () => {
    await send("other");
    const before = await rows();
    const nested = { ...body, ...("utm" in body ? { utm: { source: "b" } } : { metadata: { a: 2 } }) };
    expectFailure(await send("other", nested), 400, ["Idempotency-Key"]);
    expect(await rows()).toBe(before);
  });

  test("simultaneous requests create one record, and all of them return it", async () => {
    const before = await rows();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send("at once")));
    expect(await rows()).toBe(before + 1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1);
  });

  test("a failed request can be retried with the same key", async () => {
    expectFailure(await send("failed", { ...body, defaultUrl: "no URL", name: "" }), 400);
    expect((await send("failed")).status).toBe(201);
  });

  test("a key applies only within its organization and operation", async () => {
    const eve = await workspace();
    const [mine, theirs] = [await send("shared"), await send("shared", body, eve.apiKey)];
    expect(theirs.status).toBe(201);
    expect(theirs.body._id).not.toBe(mine.body._id);
  });

  test("without a key each repeated request creates a record", async () => {
    const before = await rows();
    for (const _ of [1, 2]) await call("POST", path, { apiKey: ada.apiKey, body });
    expect(await rows()).toBe(before + 2);
  });

  test("a key can be reused after 24 hours, and expired responses are deleted", async () => {
    const first = await send("kept");
    now += DAY_MS - 1;
    expect((await send("kept")).body._id).toBe(first.body._id);
    now += 1;
    const fresh = await send("kept", { ...body, ...("name" in body ? { name: "refund" } : { title: "fresh" }) });
    expect(fresh.status).toBe(201);
    expect(fresh.body._id).not.toBe(first.body._id);
    for (let key = 0; key < 12; key++) await send(`later ${key}`);
    const [old] =
      await sql`select count(*)::int as count from idempotent_answers where created_at <= ${new Date(now - DAY_MS)}`;
    expect(old?.count).toBe(0);
  });
});

test("stored responses contain neither the key nor the password of the request", async () => {
  const body = { defaultUrl: "https://example.com/", password: "hunter2 hunter2" };
  const headers = { "idempotency-key": "a key to look for" };
  expect((await call("POST", "/api/v1/links", { apiKey: ada.apiKey, body, headers })).status).toBe(201);
  const kept = (await sql`select row_to_json(a)::text as text from idempotent_answers a`)
    .map(({ text }) => text)
    .join();
  expect(kept).not.toContain("hunter2");
  expect(kept).not.toContain("a key to look for");
});
