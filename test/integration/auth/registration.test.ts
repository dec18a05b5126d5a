/** Who may register, depending on the operator's setting. */
import { describe, expect, test } from "bun:test";
import { openAccountBrowser } from "@test/support/accounts/app-pages";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, startSsoService } from "@test/support/accounts/sso";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService, type TestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import { passwordFault } from "@/modules/auth/password-rules";

const input = (fields: object = {}) => ({
  name: "Ada",
  email: `ada-${crypto.randomUUID()}@example.com`,
  password: "quartz trombone lagoon",
  organizationName: "Acme",
  ...fields,
});

const register = ({ call }: TestService, fields: object = {}) =>
  call<AuthSession>("POST", "/api/v1/auth/register", { body: input(fields) });

/** Registers the service's first account. */
async function first(service: TestService): Promise<Account> {
  const body = input();
  const reply = await service.call<AuthSession>("POST", "/api/v1/auth/register", { body });
  expect(reply.status).toBe(201);
  const { token, organizations } = reply.body;
  return { ...body, token, orgId: organizations[0]?._id ?? "" };
}

async function invited(
  { call }: TestService,
  { token, orgId }: Account,
): Promise<{ email: string; inviteToken: string }> {
  const body = { email: `guest-${crypto.randomUUID()}@example.com`, role: "member" };
  const path = `/api/v1/organizations/${orgId}/members/invite`;
  const reply = await call<{ inviteToken: string }>("POST", path, { token, body });
  expect(reply.status).toBe(200);
  return { email: body.email, inviteToken: reply.body.inviteToken };
}

describe.each(["invited", "closed"])("REGISTRATION=%s", (policy) => {
  test("creates the first account: one of ten simultaneous registrations succeeds, and the others are refused with a reason", async () => {
    const service = await startTestService({ env: { REGISTRATION: policy } });
    const replies = await Promise.all(Array.from({ length: 10 }, () => register(service)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(403)]);
    const refused = await register(service);
    expectFailure(refused, 403);
    expect(JSON.stringify(refused.body)).toMatch(policy === "closed" ? /closed/ : /invitation/);
    expect(await service.sql`select email from users`).toHaveLength(1);
  });

  test("is explained on the page that creates accounts", async () => {
    const service = await startTestService({ env: { REGISTRATION: policy } });
    await first(service);
    const { status, html } = await openAccountBrowser(service).send("/app/register", input());
    expect([status, html]).toEqual([403, expect.stringContaining("You cannot create an account here yourself.")]);
  });

  test("is offered on the sign-in page only until there is an account", async () => {
    const service = await startTestService({ env: { REGISTRATION: policy } });
    const person = openAccountBrowser(service);
    const [link, form] = ['href="/app/register', 'action="/app/register"'];
    expect((await person.open("/app/sign-in")).html).toContain(link);
    expect((await person.open("/app/register")).html).toContain(form);
    await first(service);
    expect((await person.open("/app/sign-in")).html).not.toContain(link);
    expect((await person.send("/app/sign-in", { email: "no@example.com", password: "wrong" })).html).not.toContain(
      link,
    );
    const { status, html } = await person.open("/app/register?returnTo=%2Fapp%2Fo%2Facme%2Flinks");
    expect([status, html]).toEqual([403, expect.stringContaining("You cannot create an account here yourself.")]);
    expect(html).not.toContain(form);
    expect(html).toContain('href="/app/sign-in?returnTo=%2Fapp%2Fo%2Facme%2Flinks"');
  });
});

describe("an invitation", () => {
  test("is required to register when REGISTRATION=invited, and works only for its own email", async () => {
    const service = await startTestService({ env: { REGISTRATION: "invited" } });
    const ada = await first(service);
    const invitation = await invited(service, ada);
    expectFailure(await register(service, { email: invitation.email }), 403);
    expectFailure(await register(service, { inviteToken: "none" }), 400);
    expectFailure(await register(service, { inviteToken: invitation.inviteToken }), 400);
    const guest = await register(service, invitation);
    expect(guest.status).toBe(201);
    expect(guest.body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
  });

  test("that is none tells nobody when REGISTRATION=invited which addresses have an account", async () => {
    const service = await startTestService({ env: { REGISTRATION: "invited" } });
    const { email } = await first(service);
    const inviteToken = "x".repeat(43);
    const replies = await Promise.all([{ email }, {}].map((fields) => register(service, { ...fields, inviteToken })));
    for (const reply of replies) expectFailure(reply, 400);
    expect(replies[0]?.body).toEqual(replies[1]?.body as never);
  });

  test("does not allow registering when REGISTRATION=closed, but an existing account can accept it", async () => {
    const service = await startTestService({ env: { REGISTRATION: "closed" } });
    const invitation = await invited(service, await first(service));
    const page = await openAccountBrowser(service).open(`/app/invite?token=${invitation.inviteToken}`);
    expect(Object.keys(page.fields)).not.toContain("name");
    expect(page.fields.account).toBe("yes");
    expect(page.html).not.toContain("I do not have an account yet");
    expect(page.html).toContain("Accounts here are created by the operator of this service.");
    expectFailure(await register(service, invitation), 403);
    const [user] = await service.sql`select password_hash as hash from users`;
    await service.sql`insert into users (id, name, email, password_hash)
      values (${Bun.randomUUIDv7()}, 'Guest', ${invitation.email}, ${user?.hash})`;
    const body = { ...invitation, password: input().password };
    expect((await service.call("POST", "/api/v1/auth/login", { body })).status).toBe(200);
  });
});

test.each([
  ["open", undefined],
  ["invited", undefined],
  ["closed", "registration_closed"],
])("with REGISTRATION=%s a first sign-in by a provider comes to %p", async (policy, error) => {
  const service = await startSsoService({ env: { REGISTRATION: policy } });
  const provider = startFalseProvider();
  const { startUrl } = await enableSso(service, await first(service), provider, { allowedDomains: ["example.com"] });
  const email = "bea@example.com";
  provider.claims = { sub: email, email, email_verified: true, name: "Bea" };
  expect((await signIn(startUrl)).error).toBe(error);
});

describe("password rules", () => {
  const faultOf = (password: string) => passwordFault(password, "Ada.Lovelace@Example.com");

  test.each(["password", "BASEBALL", "1qaz2wsx", "87654321", "qwertyuiop", "trustno1", "samantha1", "letmein123"])(
    "refuse one of the most common: %s",
    (password) => expect(faultOf(password)).toContain("too common"),
  );

  test("refuse the email address, and the service's name however it is padded", () => {
    expect(faultOf("ada.lovelace@example.COM")).toContain("email");
    for (const password of ["waymark1", "Waymark2026!", "WAYMARK_", "way-mark"]) {
      expect(faultOf(password)).toContain("name of the service");
    }
  });

  test("accept other passwords", () => {
    for (const password of ["quartz trombone lagoon", "waymark lagoon", "# Copyright (c) 2021", "ünïcödé words"]) {
      expect(faultOf(password)).toBeUndefined();
    }
  });

  test("report the fault under the password field", async () => {
    const service = await startTestService();
    expectFailure(await register(service, { password: "Samantha1" }), 400, ["password"]);
  });
});
