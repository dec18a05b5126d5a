/** One email address in the spellings in which browsers, providers and people send it. */
import { describe, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, startSsoService } from "@test/support/accounts/sso";
import { expectFailure } from "@test/support/failure";
import type { Account } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Invitation, Member } from "@/contract/accounts/members";

const service = await startSsoService();
const { call, sql } = service;
const PASSWORD = "quartz trombone lagoon";

/** An address as most browsers send it, and as Chromium does, which converts the domain. */
function spellings(): [typed: string, converted: string] {
  const local = `ada-${crypto.randomUUID().slice(0, 8)}`;
  return [`${local}@Bücher.test`, `${local}@xn--bcher-kva.test`];
}

const register = (email: string, inviteToken?: string) =>
  call<AuthSession>("POST", "/api/v1/auth/register", {
    body: { name: "Ada", email, password: PASSWORD, organizationName: "Acme", ...(inviteToken && { inviteToken }) },
  });
const logIn = (email: string, inviteToken?: string) =>
  call<AuthSession>("POST", "/api/v1/auth/login", { body: { email, password: PASSWORD, inviteToken } });
const invite = ({ orgId, token }: Account, email: string, role = "admin") =>
  call<Invitation>("POST", `/api/v1/organizations/${orgId}/members/invite`, { token, body: { email, role } });
const members = async ({ orgId, token }: Account) =>
  (await call<{ members: Member[] }>("GET", `/api/v1/organizations/${orgId}/members`, { token })).body.members;

describe("an account", () => {
  test("is signed in to with the domain as typed or converted, whichever registered it", async () => {
    for (const [first, second] of [spellings(), spellings().toReversed()]) {
      const { status, body } = await register(first ?? "");
      expect(status).toBe(201);
      for (const email of [first, second]) {
        const again = await logIn(email ?? "");
        expect([again.status, again.body.user?._id]).toEqual([200, body.user._id]);
      }
      expectFailure(await register(second ?? ""), 409, ["email"]);
    }
  });

  test("with accents in the local part is the same, composed or decomposed", async () => {
    const email = `josé-${crypto.randomUUID().slice(0, 8)}@example.com`;
    expect((await register(email.normalize("NFD"))).status).toBe(201);
    expect((await logIn(email.normalize("NFC"))).status).toBe(200);
  });

  test("that an earlier version stored as Chromium sent it is found in both spellings", async () => {
    const [typed, converted] = spellings();
    await register(typed);
    await sql`update users set email = ${converted} where email = ${typed.toLowerCase()}`;
    for (const email of [typed, converted]) expect((await logIn(email)).status).toBe(200);
    expectFailure(await register(typed), 409, ["email"]);
  });
});

describe("an invitation", () => {
  test("is accepted in the other spelling", async () => {
    const owner = await service.register();
    const [typed, converted] = spellings();
    const { inviteToken } = (await invite(owner, typed)).body;
    expect((await register(converted, inviteToken)).status).toBe(201);
    const other = await service.register();
    expect((await logIn(typed, (await invite(other, converted)).body.inviteToken)).status).toBe(200);
    expectFailure(await invite(owner, typed), 409, ["email"]);
  });

  test("made again in the other spelling replaces the first", async () => {
    const owner = await service.register();
    const [typed, converted] = spellings();
    const first = await invite(owner, typed, "viewer");
    await sql`update memberships set invited_email = ${converted} where id = ${first.body._id}`;
    expect((await invite(owner, typed, "member")).body).toMatchObject({ _id: first.body._id, role: "member" });
  });

  test("gives its role at the first single sign-on, whose provider sends the other spelling", async () => {
    const [owner, provider] = [await service.register(), startFalseProvider()];
    const { startUrl } = await enableSso(service, owner, provider, {
      allowedDomains: ["bücher.test"],
      defaultRole: "viewer",
    });
    const [typed] = spellings();
    const { _id } = (await invite(owner, typed)).body;
    provider.claims = { sub: "ada", email: typed, email_verified: true, name: "Ada" };
    expect((await signIn(startUrl)).error).toBeUndefined();
    expect(await members(owner)).toHaveLength(2);
    expect((await members(owner))[0]).toMatchObject({ _id, role: "admin", status: "active" });
  });
});

test("single sign-on finds the account that was registered with the address as typed", async () => {
  const [owner, provider] = [await service.register(), startFalseProvider()];
  const { startUrl } = await enableSso(service, owner, provider, { allowedDomains: ["bücher.test"] });
  const [typed] = spellings();
  const { user } = (await register(typed)).body;
  provider.claims = { sub: "ada", email: typed, email_verified: true, name: "Ada" };
  expect((await signIn(startUrl)).error).toBeUndefined();
  expect((await members(owner))[0]).toMatchObject({ userId: user._id });
});

test("the audit log is filtered by either spelling of the actor's address", async () => {
  const [typed, converted] = spellings();
  const { body } = await register(typed);
  const [{ _id: orgId = "" } = {}] = body.organizations;
  for (const email of [typed, converted]) {
    const path = `/api/v1/organizations/${orgId}/audit-logs?teamEmail=${encodeURIComponent(email)}`;
    expect((await call<{ total: number }>("GET", path, { token: body.token })).body.total).toBe(1);
  }
});
