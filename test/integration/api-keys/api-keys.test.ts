import { describe, expect, test } from "bun:test";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Reply, startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import { type Role, SCOPES } from "@/contract/accounts/access";
import type { ApiKey } from "@/contract/accounts/api-keys";

const DAY_MS = 86_400_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}/api-keys`;

type Created = ApiKey & { key: string } & Record<string, unknown>;
const create = (body: unknown, token = ada.token) => call<Created>("POST", path, { token, body });
const list = (query = "", token = ada.token) =>
  call<{ apiKeys: ApiKey[]; total: number } & Record<string, unknown>>("GET", path + query, { token });
const revoke = (id: string, token = ada.token) => call("DELETE", `${path}/${id}`, { token });
const read = (apiKey: string) => call("GET", `/api/v1/links/${Bun.randomUUIDv7()}`, { apiKey });

describe("creating", () => {
  test.each([
    ["no name", { scopes: ["links:read"] }, ["name"]],
    ["a blank name", { name: " ", scopes: ["links:read"] }, ["name"]],
    ["a name of 121 characters", { name: "a".repeat(121), scopes: ["links:read"] }, ["name"]],
    ["no scopes", { name: "a" }, ["scopes"]],
    ["an empty list of scopes", { name: "a", scopes: [] }, ["scopes"]],
    ["one scope that is no list", { name: "a", scopes: "links:read" }, ["scopes"]],
    ["an unknown scope", { name: "a", scopes: ["links:read", "links:*"] }, ["scopes[1]"]],
    ["a scope in capitals", { name: "a", scopes: ["LINKS:READ"] }, ["scopes[0]"]],
    ["a scope twice", { name: "a", scopes: ["links:read", "links:read"] }, ["scopes"]],
    ["an end in the past", { name: "a", scopes: ["links:read"], expiresAt: "2020-01-01T00:00:00Z" }, ["expiresAt"]],
    ["an end that is no day", { name: "a", scopes: ["links:read"], expiresAt: "2099-02-30T00:00:00Z" }, ["expiresAt"]],
    ["an end without an offset", { name: "a", scopes: ["links:read"], expiresAt: "2099-01-01T00:00" }, ["expiresAt"]],
  ])("400 for %s", async (_, body, fields) => {
    const before = await tableState(sql);
    expectFailure(await create(body), 400, fields);
    expect(await tableState(sql)).toEqual(before);
  });

  test("400 for an expiry at the current instant", async () => {
    expectFailure(await create({ name: "a", scopes: ["qr:read"], expiresAt: new Date(now).toISOString() }), 400, [
      "expiresAt",
    ]);
  });

  test("201 shows the key once", async () => {
    const { status, body } = await create({ name: " Shop server ", scopes: ["links:write", "links:read"] });
    expect(status).toBe(201);
    expect(body.key).toMatch(/^wm_live_[0-9A-Za-z]{36}$/);
    const { key, ...record } = body;
    expect(record).toEqual({
      _id: record._id,
      name: "Shop server",
      prefix: key.slice(0, 12),
      scopes: ["links:read", "links:write"],
      createdAt: record.createdAt,
    });
    const found = (await list()).body.apiKeys.find(({ _id }) => _id === record._id);
    expect(found).toEqual(record);
  });

  test("only the hash of the key is stored, and the log does not contain the key", async () => {
    const { body } = await create({ name: "secret", scopes: ["links:read"] });
    await read(body.key);
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    for (const { name } of tables) {
      const [row] = await sql`select coalesce(string_agg(t::text, ''), '') as text from ${sql(name)} t`;
      expect(String(row?.text)).not.toContain(body.key.slice(12));
    }
    const hash = new Bun.CryptoHasher("sha256").update(body.key).digest();
    const [stored] = await sql`select id from api_keys where hash = ${hash}`;
    expect(stored?.id).toBe(body._id);
    expect(service.logged()).toContain("/api/v1/links/:linkId");
    expect(service.logged()).not.toContain(body.key.slice(12));
  });

  test("is recorded in the audit log, and so is revoking", async () => {
    const { body } = await create({ name: "audited", scopes: ["qr:read"] });
    await revoke(body._id);
    const entries = await sql`select action, resource_type, actor_type, actor_email from audit_logs
      where org_id = ${ada.orgId} and resource_id = ${body._id} order by id`;
    expect(entries.map((entry) => Object.values(entry))).toEqual([
      ["api_key.create", "api_key", "user", ada.email],
      ["api_key.revoke", "api_key", "user", ada.email],
    ]);
  });
});

describe("listing", () => {
  test.each(["page=0", "page=-1", "page=1.5", "page=x", "page=", "limit=0", "limit=101", "limit=1e9"])(
    "400 for %s",
    async (query) => {
      expectFailure(await list(`?${query}`), 400, [query.split("=", 1).join()]);
    },
  );

  test("returns pages, newest first, without keys or hashes", async () => {
    const bob = await service.register();
    const names = ["first", "second", "third"];
    for (const name of names) {
      const body = { name, scopes: ["qr:read"] };
      await call("POST", `/api/v1/organizations/${bob.orgId}/api-keys`, { token: bob.token, body });
    }
    const page = (query: string) =>
      call<{ apiKeys: Created[] } & Record<string, unknown>>(
        "GET",
        `/api/v1/organizations/${bob.orgId}/api-keys?${query}`,
        { token: bob.token },
      );
    const first = (await page("limit=2")).body;
    expect(first.apiKeys.map(({ name }) => name)).toEqual(["third", "second"]);
    expect(first).toMatchObject({ page: 1, limit: 2, total: 3, totalPages: 2 });
    expect((await page("limit=2&page=2")).body.apiKeys.map(({ name }) => name)).toEqual(["first"]);
    expect((await page("limit=2&page=3")).body.apiKeys).toEqual([]);
    expect(first.apiKeys.flatMap(Object.keys).filter((field) => /key|hash/i.test(field))).toEqual([]);
  });
});

describe("revoking", () => {
  test("404 for an unknown or already revoked key, and for an invalid id", async () => {
    const { body } = await create({ name: "gone", scopes: ["qr:read"] });
    expect((await revoke(body._id)).body).toEqual({ _id: body._id, deleted: true });
    expectFailure(await revoke(body._id), 404);
    expectFailure(await revoke(Bun.randomUUIDv7()), 404);
    expectFailure(await revoke("1"), 404);
  });

  test("200 ends the key immediately, and the list shows when", async () => {
    const { body } = await create({ name: "leaked", scopes: ["links:read"] });
    expectFailure(await read(body.key), 404);
    await revoke(body._id);
    expectFailure(await read(body.key), 401);
    const found = (await list()).body.apiKeys.find(({ _id }) => _id === body._id);
    expect(found?.revokedAt).toBe(new Date(now).toISOString());
  });
});

describe("a key", () => {
  test("works until its expiry, and no longer from that millisecond on", async () => {
    const expiresAt = new Date(now + DAY_MS).toISOString();
    const { body } = await create({ name: "temporary", scopes: ["links:read"], expiresAt });
    expect(body.expiresAt).toBe(expiresAt);
    const start = now;
    now = start + DAY_MS - 1;
    expectFailure(await read(body.key), 404);
    now = start + DAY_MS;
    expectFailure(await read(body.key), 401);
    now = start;
  });

  test("records when it was last used", async () => {
    const { body } = await create({ name: "used", scopes: ["links:read"] });
    await read(body.key);
    const used = async () => (await list()).body.apiKeys.find(({ _id }) => _id === body._id)?.lastUsedAt;
    await eventually(used, new Date(now).toISOString());
  });

  test("stops working when its organization is deleted", async () => {
    const bob = await service.register();
    const key = await service.createApiKey(bob, ["links:read"]);
    await sql`delete from organizations where id = ${bob.orgId}`;
    expectFailure(await read(key), 401);
  });
});

describe("roles", () => {
  const routes: [string, (token: string) => Promise<Reply>][] = [
    ["list", (token) => list("", token)],
    ["create", (token) => create({ name: "by role", scopes: [...SCOPES] }, token)],
    ["revoke", (token) => revoke(Bun.randomUUIDv7(), token)],
  ];
  const allowed: Record<Role, boolean> = { viewer: false, member: false, admin: true, owner: true };

  for (const [role, isAllowed] of Object.entries(allowed) as [Role, boolean][]) {
    test(`a ${role} ${isAllowed ? "may" : "may not"} see, make and revoke keys`, async () => {
      const account = await addMember(service, ada.orgId, role);
      for (const [name, request] of routes) {
        const reply = await request(account.token);
        if (!isAllowed) expectFailure(reply, 403);
        else expect([name, reply.status]).toEqual([name, { list: 200, create: 201, revoke: 404 }[name] ?? 0]);
      }
    });
  }
});
