/** `Idempotency-Key` on the operations that accept it. */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const DAY_MS = 86_400_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;

async function workspace() {
  const account = await service.register();
  const apiKey = await service.createApiKey(account, ["events:write", "links:write"]);
  // Unlike a session, it lasts for as long as the clock is moved here.
  const path = `/api/v1/organizations/${account.orgId}/access-tokens`;
  const body = { name: "script", scopes: ["links"] };
  const { body: made } = await call<{ token: string }>("POST", path, { ...account, body });
  return { account, apiKey, token: made.token };
}
const ada = await workspace();

type Workspace = typeof ada;

const newLink = { defaultUrl: "https://example.com/", utm: { source: "a", term: "b" } };
const byServer = ({ apiKey }: Workspace) => ({ apiKey });
const byMember = ({ token }: Workspace) => ({ token });
const ownLinks = ({ account: { orgId } }: Workspace) => `/api/v1/organizations/${orgId}/links`;
const operations = [
  [
    "POST /api/v1/events",
    { pathOf: () => "/api/v1/events", signedInAs: byServer, table: "events" },
    { name: "purchase", value: 1, metadata: { a: 1, b: 2 } },
  ],
  ["POST /api/v1/links", { pathOf: () => "/api/v1/links", signedInAs: byServer, table: "links" }, newLink],
  ["POST /api/v1/organizations/{orgId}/links", { pathOf: ownLinks, signedInAs: byMember, table: "links" }, newLink],
] as const;

describe.each(operations)("%s", (_, { pathOf, signedInAs, table }, body) => {
  const create = (sent: unknown, by: Workspace, headers?: Record<string, string>) =>
    call<Record<string, unknown>>("POST", pathOf(by), { ...signedInAs(by), body: sent, ...(headers && { headers }) });
  const send = (key: string, sent: unknown = body, by = ada) => create(sent, by, { "idempotency-key": key });
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
    const [mine, theirs] = [await send("shared"), await send("shared", body, eve)];
    expect(theirs.status).toBe(201);
    expect(theirs.body._id).not.toBe(mine.body._id);
  });

  test("without a key each repeated request creates a record", async () => {
    const before = await rows();
    for (const _ of [1, 2]) await create(body, ada);
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

test("a key of the server and the same key of a member are different keys", async () => {
  const headers = { "idempotency-key": "of both" };
  const [byKey, bySession] = await Promise.all([
    call<Link>("POST", "/api/v1/links", { ...byServer(ada), body: newLink, headers }),
    call<Link>("POST", ownLinks(ada), { ...byMember(ada), body: newLink, headers }),
  ]);
  expect([byKey.status, bySession.status]).toEqual([201, 201]);
  expect(bySession.body._id).not.toBe(byKey.body._id);
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
