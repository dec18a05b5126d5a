/**
 * Access tokens: created, listed, revoked, and what ends them. `http/access-scopes.test.ts` tests which operations
 * they reach.
 */
import { describe, expect, test } from "bun:test";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { describeApp } from "@test/support/document/described";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import { resetPassword, unlock } from "@/admin/accounts";
import { deleteOrganization } from "@/admin/delete-organization";
import { ACCESS_TOKENS_MAX, type AccessToken } from "@/contract/accounts/access-tokens";
import type { AuditLog } from "@/contract/accounts/audit-logs";
import { deleteOldSignIns } from "@/modules/auth/retention";
import { hashKey } from "@/platform/passwords/key-text";
import { readEvents } from "../analytics/event-stream";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql, db } = service;
const ada = await service.register();

type Created = AccessToken & { token: string };
const pathOf = (orgId: string) => `/api/v1/organizations/${orgId}/access-tokens`;
const post = ({ token, orgId }: Account, body: unknown) => call<Created>("POST", pathOf(orgId), { token, body });
const list = ({ token, orgId }: Account, query = "") =>
  call<{ accessTokens: AccessToken[]; total: number }>("GET", pathOf(orgId) + query, { token });
const revoke = ({ token, orgId }: Account, id: string) => call("DELETE", `${pathOf(orgId)}/${id}`, { token });
const idsIn = async (account: Account, query = "") =>
  (await list(account, query)).body.accessTokens.map(({ _id }) => _id);

async function create(account: Account, scopes = ["read", "links"], changes: object = {}): Promise<Created> {
  const { status, body } = await post(account, { name: "script", scopes, ...changes });
  expect(status).toBe(201);
  return body;
}

/** Requests the links of the organization, as a script would. */
const links = (token: string, orgId = ada.orgId) => call("GET", `/api/v1/organizations/${orgId}/links`, { token });
const statusOf = async (token: string, orgId = ada.orgId) => (await links(token, orgId)).status;

const at = (days: number) => new Date(now + days * DAY_MS).toISOString();
const userIdOf = async ({ email }: Account) => (await sql`select id from users where email = ${email}`)[0]?.id;

describe("creating", () => {
  test("succeeds with the example of the API reference, as does creating an API key", async () => {
    const { document } = await describeApp();
    for (const resource of ["access-tokens", "api-keys"]) {
      const path = `/api/v1/organizations/{orgId}/${resource}`;
      const { example } = document.paths[path]?.post?.requestBody?.content["application/json"] ?? {};
      const reply = await call("POST", path.replace("{orgId}", ada.orgId), { token: ada.token, body: example });
      expect({ resource, status: reply.status }).toEqual({ resource, status: 201 });
    }
  });

  test.each<[string, object, string[]]>([
    ["nothing", {}, ["name", "scopes"]],
    ["a blank name and an end in the past", { name: " ", scopes: ["read"], expiresAt: at(-1) }, ["name", "expiresAt"]],
    [
      "an unknown scope and an end too far away",
      { name: "a", scopes: ["x"], expiresAt: at(367) },
      ["scopes[0]", "expiresAt"],
    ],
    ["a scope twice", { name: "a", scopes: ["read", "read"] }, ["scopes"]],
    ["an API key's scope", { name: "a", scopes: ["links:read"] }, ["scopes[0]"]],
    ["no end at all", { name: "a", scopes: ["read"], expiresAt: null }, ["expiresAt"]],
    [
      "an end at this very moment",
      { name: "a", scopes: ["read"], expiresAt: new Date(now).toISOString() },
      ["expiresAt"],
    ],
  ])("400 for %s", async (_, body, fields) => {
    const before = await tableState(sql);
    expectFailure(await post(ada, body), 400, fields);
    expect(await tableState(sql)).toEqual(before);
  });

  test("201 shows the token once and stores only its hash", async () => {
    const { token, ...record } = await create(ada, ["links", "read"], { name: " Nightly sync " });
    expect(token).toMatch(/^wm_pat_[0-9A-Za-z]{36}$/);
    expect(record).toEqual({
      ...{ _id: record._id, membershipId: record.membershipId, userId: await userIdOf(ada) },
      ...{ name: "Nightly sync", prefix: token.slice(0, 11), scopes: ["read", "links"] },
      ...{ createdAt: new Date(now).toISOString(), expiresAt: at(90) },
    });
    expect((await list(ada)).body.accessTokens[0]).toEqual(record);
    const [stored] = await sql`select id from access_tokens where hash = ${hashKey(token)}`;
    expect(stored?.id).toBe(record._id);
  });

  test("accepts an expiry up to 366 days ahead", async () => {
    expect((await create(ada, ["read"], { expiresAt: at(366) })).expiresAt).toBe(at(366));
  });

  test("409 for more tokens than a member may have, until one is revoked", async () => {
    const bea = await addMember(service, ada.orgId, "viewer");
    const first = await create(bea);
    await sql`
      insert into access_tokens (id, org_id, membership_id, is_made_by_sso, name, prefix, hash, scopes, expires_at)
      select overlay(id::text placing to_char(number, 'FM000000000000') from 25)::uuid, org_id, membership_id, false, name, prefix, sha256(number::text::bytea), scopes, expires_at
      from access_tokens, generate_series(2, ${ACCESS_TOKENS_MAX}::int) number where id = ${first._id}`;
    expectFailure(await post(bea, { name: "one more", scopes: ["read"] }), 409);
    await revoke(bea, first._id);
    await create(bea);
  });

  test("401 if the session is revoked while the token is being created", async () => {
    const bea = await addMember(service, ada.orgId, "viewer");
    const ending = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const held = sql.begin(async (tx) => {
      await tx`update sessions set revoked_at = now() where user_id = (select id from users where email = ${bea.email})`;
      isHeld.resolve();
      await ending.promise;
    });
    await isHeld.promise;
    const made = post(bea, { name: "late", scopes: ["read"] });
    const waiting = () => sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`;
    await until(async () => (await waiting()).length > 0);
    ending.resolve();
    await held;
    expectFailure(await made, 401);
    expect(await sql`select 1 from access_tokens where name = 'late'`).toHaveLength(0);
  });
});

describe("listing and revoking", () => {
  test("members list and revoke their own tokens, admins everyone's; revoking one twice is 404", async () => {
    const [bea, carl] = [await addMember(service, ada.orgId, "member"), await addMember(service, ada.orgId, "admin")];
    const [ofBea, ofCarl] = [await create(bea), await create(carl)];
    expect(await idsIn(bea)).toEqual([ofBea._id]);
    expect(await idsIn(carl)).toEqual(expect.arrayContaining([ofBea._id, ofCarl._id]));
    expect(await idsIn(carl, "?mine=true")).toEqual([ofCarl._id]);
    expect((await list(carl, "?mine=true&limit=1")).body.total).toBe(1);
    expectFailure(await revoke(bea, ofCarl._id), 404);
    expect(await statusOf(ofCarl.token)).toBe(200);
    expect((await revoke(carl, ofBea._id)).body).toEqual({ _id: ofBea._id, deleted: true });
    expectFailure(await links(ofBea.token), 401);
    expectFailure(await revoke(carl, ofBea._id), 404);
    expectFailure(await revoke(carl, "1"), 404);
    expect((await list(bea)).body.accessTokens[0]?.revokedAt).toBe(new Date(now).toISOString());
  });

  test("the audit log records creation and revocation, and names the token that made a change", async () => {
    const { _id, token } = await create(ada, ["links"], { name: "importer" });
    const body = { defaultUrl: "https://example.com/", slug: "by-token" };
    expect((await call("POST", `/api/v1/organizations/${ada.orgId}/links`, { token, body })).status).toBe(201);
    await revoke(ada, _id);
    const path = `/api/v1/organizations/${ada.orgId}/audit-logs?limit=3`;
    const { auditLogs } = (await call<{ auditLogs: AuditLog[] }>("GET", path, { token: ada.token })).body;
    const user = { type: "user" as const, _id: await userIdOf(ada), email: ada.email };
    expect(auditLogs.map(({ action, actor }) => [action, actor])).toEqual([
      ["access_token.revoke", user],
      ["link.create", { ...user, accessToken: { _id, name: "importer" } }],
      ["access_token.create", user],
    ]);
    expect(JSON.stringify(auditLogs)).not.toContain(token.slice(12));
  });
});

describe("a token", () => {
  test("works only for its own organization, with the id in upper or lower case", async () => {
    const eve = await service.register();
    await sql`
      insert into memberships (id, org_id, user_id, role)
      values (${Bun.randomUUIDv7()}, ${eve.orgId}, ${await userIdOf(ada)}, 'owner')`;
    expect(await statusOf(ada.token, eve.orgId)).toBe(200);
    const { token } = await create(ada);
    expectFailure(await links(token, eve.orgId), 404);
    expect(await statusOf(token, ada.orgId.toUpperCase())).toBe(200);
  });

  test("is rejected if mistyped, truncated, of another kind or sent under another scheme", async () => {
    const { token } = await create(ada);
    const last = token.endsWith("0") ? "1" : "0";
    for (const wrong of [token.slice(0, -1) + last, token.slice(0, -1), "wm_pat_", token.replace("pat", "live")]) {
      expectFailure(await links(wrong), 401);
    }
    expectFailure(await call("GET", `/api/v1/links/${Bun.randomUUIDv7()}`, { apiKey: token }), 401);
    expectFailure(await call("GET", `/api/v1/organizations/${ada.orgId}/links`, { apiKey: token }), 401);
  });

  test("cannot do more than the member's current role allows", async () => {
    const bea = await addMember(service, ada.orgId, "admin");
    const { token } = await create(bea, ["links", "manage"]);
    const invalid = () => call("POST", `/api/v1/organizations/${ada.orgId}/apps`, { token, body: {} });
    expectFailure(await invalid(), 400);
    await sql`update memberships set role = 'viewer' where user_id = ${await userIdOf(bea)} and org_id = ${ada.orgId}`;
    const refused = await invalid();
    expectFailure(refused, 403);
    expect(refused.body.error).toContain("role admin");
    expect(await statusOf(token)).toBe(200);
  });

  test("cannot invite, promote, change or remove an owner", async () => {
    const [bea, carl] = [await addMember(service, ada.orgId, "owner"), await addMember(service, ada.orgId, "member")];
    const { token } = await create(ada, ["manage"]);
    const idOf = async (member: Account) => {
      const id = await userIdOf(member);
      return (await sql`select id from memberships where org_id = ${ada.orgId} and user_id = ${id}`)[0]?.id;
    };
    const path = `/api/v1/organizations/${ada.orgId}/members`;
    const [ofBea, ofCarl] = [`${path}/${await idOf(bea)}`, `${path}/${await idOf(carl)}`];
    const invitation = { email: "next@example.com", role: "owner" };
    const before = await tableState(sql);
    for (const refused of [
      await call("POST", `${path}/invite`, { token, body: invitation }),
      await call("PATCH", ofCarl, { token, body: { role: "owner" } }),
      await call("PATCH", ofBea, { token, body: { role: "viewer" } }),
      await call("DELETE", ofBea, { token }),
    ]) {
      expectFailure(refused, 403);
      expect(refused.body.error).toContain("sign in");
    }
    expect(await tableState(sql)).toEqual(before);
    expect((await call("PATCH", ofCarl, { token, body: { role: "admin" } })).status).toBe(200);
    expect((await call("DELETE", ofBea, { token: ada.token })).status).toBe(200);
  });

  test("shares the rate limit of its user's sessions", async () => {
    const bea = await service.register();
    await sql`update organizations set plan = 'free' where id = ${bea.orgId}`;
    const { token } = await create(bea);
    const remaining = async (credential: string) =>
      Number((await links(credential, bea.orgId)).headers.get("x-ratelimit-remaining"));
    const left = await remaining(bea.token);
    expect([await remaining(token), await remaining(bea.token)]).toEqual([left - 1, left - 2]);
  });

  test("can export CSV and open a stream, which ends when the token is revoked", async () => {
    const { _id, token } = await create(ada, ["analytics"]);
    const figures = `/api/v1/organizations/${ada.orgId}/analytics`;
    const csv = await call("GET", `${figures}/export.csv`, { token });
    expect([csv.status, csv.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/csv")]);
    const headers = { authorization: `Bearer ${token}` };
    const events = readEvents(await fetch(`${service.url}${figures}/overview/stream?intervalMs=1000`, { headers }));
    await events.next("snapshot");
    await events.next("snapshot");
    await revoke(ada, _id);
    expect((await events.next("end")).data).toEqual({ reason: "access" });
  });

  test("updates its last-used time at most once a minute", async () => {
    const { _id, token } = await create(ada);
    const lastUsed = async () => (await list(ada)).body.accessTokens.find((each) => each._id === _id)?.lastUsedAt;
    const becomes = (at: number) => eventually(lastUsed, new Date(at).toISOString());
    const start = now;
    await links(token);
    await becomes(start);
    now = start + MINUTE_MS - 1;
    await links(token);
    now = start + MINUTE_MS;
    await links(token);
    await becomes(start + MINUTE_MS);
    now = start;
  });
});

describe("a token stops working", () => {
  test("at its expiry, to the millisecond; its row is deleted 90 days later", async () => {
    const { _id, token } = await create(ada, ["read"], { expiresAt: at(1) });
    const start = now;
    now = start + DAY_MS - 1;
    expect(await statusOf(token)).toBe(200);
    now = start + DAY_MS;
    expectFailure(await links(token), 401);
    now = start;
    const isThere = async () => (await sql`select 1 from access_tokens where id = ${_id}`).length;
    const { signal } = new AbortController();
    for (const past of [0, 1]) {
      await sql`update access_tokens set expires_at = ${new Date(start - 90 * DAY_MS - past)} where id = ${_id}`;
      await deleteOldSignIns({ sql, now: start, signal });
      expect(await isThere()).toBe(1 - past);
    }
  });

  test("when its membership ends, and stays invalid if the member rejoins", async () => {
    const bea = await addMember(service, ada.orgId, "member");
    const { _id, token, membershipId, userId } = await create(bea);
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/members/${membershipId}`, { token: ada.token });
    expectFailure(await links(token), 401);
    expect(await idsIn(ada)).not.toContain(_id);
    await sql`
      insert into memberships (id, org_id, user_id, role) values (${Bun.randomUUIDv7()}, ${ada.orgId}, ${userId}, 'owner')`;
    expectFailure(await links(token), 401);
  });

  const thefts: [what: string, account: () => Promise<Account>, end: (account: Account) => Promise<unknown>][] = [
    ["the operator resets the password", () => service.register(), ({ email }) => resetPassword(db, [email])],
    ["the operator turns two-factor off", () => service.register(), ({ email }) => unlock(db, [email])],
    ["two-factor is enabled", () => service.register(), (account) => withTwoFactor(service, account, now)],
    [
      "two-factor is disabled",
      async () => withTwoFactor(service, await service.register(), now),
      async ({ token, password, ...rest }) => {
        const code = "secret" in rest ? codeAt(String(rest.secret), now) : "";
        const reply = await call("POST", "/api/v1/auth/2fa/disable", { token, body: { password, code } });
        expect(reply.status).toBe(200);
      },
    ],
    ["the account is no more", () => service.register(), ({ email }) => sql`delete from users where email = ${email}`],
    [
      "its organization is deleted",
      () => service.register(),
      async ({ orgId }) => {
        const [row] = await sql`select slug from organizations where id = ${orgId}`;
        expect((await deleteOrganization(service, [orgId, String(row?.slug)])).ok).toBe(true);
      },
    ],
  ];
  test.each(thefts)("when %s", async (_, made, end) => {
    const account = await made();
    const { token } = await create(account);
    expect(await statusOf(token, account.orgId)).toBe(200);
    await end(account);
    expectFailure(await links(token, account.orgId), 401);
    expect(await statusOf((await create(ada)).token)).toBe(200);
  });

  test("but not when its user signs out of the session that created it", async () => {
    const bea = await addMember(service, ada.orgId, "member");
    const { token } = await create(bea);
    await call("POST", "/api/v1/auth/logout", { token: bea.token });
    expect(await statusOf(token)).toBe(200);
  });
});
