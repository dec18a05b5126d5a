/** Each operation that takes an `Idempotency-Key` creates once, and shows a secret again to whoever has the key. */
import { afterAll, describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { describeApp, operationsOf } from "@test/support/document/described";
import { expectFailure } from "@test/support/failure";
import { PROOF_MAIL, startSmtp } from "@test/support/servers/smtp";
import { startTestService } from "@test/support/service";
import { deleteOldAnswers } from "@/modules/idempotency/retention";

const DAY_MS = 86_400_000;
const APP_SECRET = "the secret under which responses are sealed";
const smtp = await startSmtp({}, PROOF_MAIL);
afterAll(() => smtp.stop());
const service = await startTestService({ env: { APP_SECRET, SMTP_URL: smtp.url, MAIL_FROM: "no-reply@acme.test" } });
const { call, sql } = service;
const ada = await service.register();
const apiKey = await service.createApiKey(ada, ["links:write", "events:write"]);

const operations = operationsOf((await describeApp()).document).filter(({ parameters = [] }) =>
  parameters.some(({ name }) => name === "Idempotency-Key"),
);
type Operation = (typeof operations)[number];

interface Creation {
  table: string;
  /** Undefined for an operation without a body. */
  body?: Record<string, unknown>;
  /** What another body has instead. */
  other?: Record<string, unknown>;
  /** The field of the response that shows a secret. */
  secret?: string;
}
const newLink = { table: "links", body: { defaultUrl: "https://example.com/" }, other: { title: "Other" } };
const CREATIONS: Record<string, Creation> = {
  createLink: newLink,
  createLinkWithApiKey: newLink,
  createLinks: {
    table: "links",
    body: { links: [{ defaultUrl: "https://example.com/" }, { defaultUrl: "no URL" }] },
    other: { links: [{ defaultUrl: "https://example.com/other" }] },
  },
  createCustomEvent: { table: "events", body: { name: "purchase" }, other: { value: 2 } },
  createOrganization: { table: "organizations", body: { name: "Acme" }, other: { name: "Other" } },
  createDomain: { table: "domains", body: { hostname: "go.repeated.test" }, other: { caseSensitive: true } },
  createApp: { table: "app_profiles", body: { name: "Acme" }, other: { pathPrefix: "app" } },
  createBioPage: { table: "bio_pages", body: { title: "Acme" }, other: { bio: "Other" } },
  createReport: { table: "reports", body: { name: "Weekly" }, other: { description: "Other" } },
  createExport: { table: "organization_exports" },
  createApiKey: {
    table: "api_keys",
    body: { name: "Shop", scopes: ["links:read"] },
    other: { name: "Other" },
    secret: "key",
  },
  createWebhook: {
    table: "webhooks",
    body: { url: "https://hooks.example.com/", events: ["click"] },
    other: { events: ["link.created"] },
    secret: "secret",
  },
  createAccessToken: {
    table: "access_tokens",
    body: { name: "script", scopes: ["read"] },
    other: { name: "Other" },
    secret: "token",
  },
  inviteMember: {
    table: "memberships",
    body: { email: "bob@repeated.test", role: "viewer" },
    other: { role: "member" },
    secret: "inviteToken",
  },
};

const pathOf = ({ path }: Operation) => path.replace("{orgId}", ada.orgId);
const signedIn = ({ security = [] }: Operation, token = ada.token) =>
  security.some((one) => "apiKey" in one) ? { apiKey } : { token };

function send(operation: Operation, key: string, body: Record<string, unknown> | undefined, token?: string) {
  const headers = { "idempotency-key": key };
  const by = signedIn(operation, token);
  return call("POST", pathOf(operation), { ...by, headers, ...(body && { body }) });
}

test("all of them are tested here", () => {
  expect(operations.map(({ operationId }) => operationId ?? "").sort()).toEqual(Object.keys(CREATIONS).sort());
});

const tested = Object.entries(CREATIONS).flatMap(([id, creation]) => {
  const operation = operations.find(({ operationId }) => operationId === id);
  return operation ? [[id, { ...creation, operation }] as const] : [];
});

const KEY = "a key of mine";
const rowsIn = async (table: string) => (await sql`select 1 from ${sql(table)}`).length;

describe.each(tested)("%s", (_, { operation, table, body, secret }) => {
  test("creates once, however often it is sent, and returns the same each time", async () => {
    const before = await rowsIn(table);
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => send(operation, KEY, body)));
    const again = await send(operation, KEY, body);
    expect(first?.status).toBeOneOf([200, 201, 202]);
    const shown = ({ status, body: of, headers }: typeof again) => ({ status, of, etag: headers.get("etag") });
    for (const each of [...others, again]) expect(first && shown(each)).toEqual(first && shown(first));
    expect(await rowsIn(table)).toBe(before + 1);
    if (secret) expect(again.body[secret]).toBeString();
  });
});

describe.each(tested.filter(([, { other }]) => other))("%s", (_, { operation, table, body, other }) => {
  test("refuses another body with the key", async () => {
    await send(operation, KEY, body);
    const before = await rowsIn(table);
    expectFailure(await send(operation, KEY, { ...body, ...other }), 400, ["Idempotency-Key"]);
    expect(await rowsIn(table)).toBe(before);
  });
});

describe.each(tested.filter(([, { secret }]) => secret))("%s", (_, { operation, body, secret = "" }) => {
  test("keeps no secret that can be read", async () => {
    const shown = String((await send(operation, KEY, body)).body[secret]);
    const kept = await sql`select operation, row_to_json(a)::text as text from idempotent_answers a`;
    const own = kept.filter((row) => row.operation.startsWith(`POST ${operation.path}`));
    expect(own.length).toBeGreaterThan(0);
    for (const { text } of own) {
      expect(text).not.toContain(shown);
      // Neither in the encoding of the sealed text.
      expect(atob(JSON.parse(text).answer)).not.toContain(shown);
    }
  });
});

test("an invitation that is sent again is mailed once", async () => {
  const invite = operations.find(({ operationId }) => operationId === "inviteMember");
  if (!invite) throw new Error("There is no such operation");
  const to = "carol@repeated.test";
  for (const _ of [1, 2, 3]) expect((await send(invite, "mailed", { email: to, role: "viewer" })).status).toBe(200);
  // A later mail comes after all of the earlier ones.
  await send(invite, "later", { email: "dave@repeated.test", role: "viewer" });
  const isLast = (mails: { to: string[] }[]) => mails.some((mail) => mail.to.includes("dave@repeated.test"));
  let mails = await smtp.until(0);
  while (!isLast(mails)) mails = await smtp.until(mails.length + 1);
  expect(mails.filter((mail) => mail.to.includes(to))).toHaveLength(1);
});

test("two members who use the same key have access tokens of their own", async () => {
  const tokens = operations.find(({ operationId }) => operationId === "createAccessToken");
  if (!tokens) throw new Error("There is no such operation");
  const bob = await addMember(service, ada.orgId, "member");
  const body = { name: "script", scopes: ["read"] };
  const [mine, theirs] = [await send(tokens, "shared", body), await send(tokens, "shared", body, bob.token)];
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.userId).not.toBe(mine.body.userId);
  expect(theirs.body.token).not.toBe(mine.body.token);
});

test("an admin who sends an owner's invitation again does not get it", async () => {
  const invite = operations.find(({ operationId }) => operationId === "inviteMember");
  if (!invite) throw new Error("There is no such operation");
  const admin = await addMember(service, ada.orgId, "admin");
  const body = { email: "frank@repeated.test", role: "owner" };
  expect((await send(invite, "an owner's", body)).status).toBe(200);
  expectFailure(await send(invite, "an owner's", body, admin.token), 403);
});

test("two owners of one organization who use the same key create organizations of their own", async () => {
  const eve = await addMember(service, ada.orgId, "owner");
  const headers = { "idempotency-key": "of two owners" };
  const create = async (token: string) => {
    const made = await call<{ _id: string }>("POST", "/api/v1/organizations", {
      token,
      headers,
      body: { name: "New" },
    });
    expect(made.status).toBe(201);
    return made.body._id;
  };
  const mine = await create(ada.token);
  await sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${mine}, id, 'owner' from users where email = ${eve.email}`;
  const theirs = await create(eve.token);
  expect(theirs).not.toBe(mine);
  expect([await create(ada.token), await create(eve.token)]).toEqual([mine, theirs]);
});

describe("once the service has another secret, a response that shows a secret", () => {
  const path = `/api/v1/organizations/${ada.orgId}/api-keys`;
  const body = { name: "Shop", scopes: ["links:read"] };
  const headers = { "idempotency-key": "before the rotation" };

  async function answers(env: Record<string, string>) {
    const token = await accessToken();
    const first = await call("POST", path, { token, body, headers });
    const other = await startTestService({
      env: { DATABASE_URL: service.databaseUrl, APP_SECRET: "x".repeat(40), ...env },
    });
    return [first, await other.call("POST", path, { token, body, headers })] as const;
  }

  async function accessToken(): Promise<string> {
    const asked = { ...ada, body: { name: "script", scopes: ["manage"] } };
    const made = await call<{ token: string }>("POST", `/api/v1/organizations/${ada.orgId}/access-tokens`, asked);
    return made.body.token;
  }

  test("is returned while the previous one is accepted", async () => {
    const [first, again] = await answers({ APP_SECRET_PREVIOUS: APP_SECRET });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  test("can no longer be read, which is said, and nothing is created again", async () => {
    const [, again] = await answers({});
    expectFailure(again, 409, ["Idempotency-Key"]);
  });
});

test("responses are deleted after a day, whether or not others are stored", async () => {
  const left = async () => (await sql`select 1 from idempotent_answers`).length;
  const count = await left();
  expect(count).toBeGreaterThan(3);
  const { signal } = new AbortController();
  expect(await deleteOldAnswers({ sql, now: Date.now() + DAY_MS - 3_600_000, signal, batchRows: 2 })).toBe(0);
  expect(await deleteOldAnswers({ sql, now: Date.now() + DAY_MS, signal, batchRows: 2 })).toBe(count);
  expect(await left()).toBe(0);
});
