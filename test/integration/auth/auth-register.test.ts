import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";

const service = await startTestService();
const { call, sql } = service;

let made = 0;
const input = (changes: Record<string, unknown> = {}) => ({
  name: "Ada Lovelace",
  email: `ada${++made}@example.com`,
  password: "quartz trombone lagoon",
  organizationName: "Analytical Engines",
  ...changes,
});
const register = (body: unknown) =>
  call<AuthSession & Record<string, unknown>>("POST", "/api/v1/auth/register", { body });

describe("400", () => {
  test.each([
    ["a missing name", { name: undefined }, ["name"]],
    ["a blank name", { name: " \t " }, ["name"]],
    ["a name of 121 characters", { name: "a".repeat(121) }, ["name"]],
    ["a blank organization name", { organizationName: "  " }, ["organizationName"]],
    ["both names blank", { name: " ", organizationName: " " }, ["name", "organizationName"]],
    ["an email without an at sign", { email: "ada.example.com" }, ["email"]],
    ["an email with a space", { email: "a da@example.com" }, ["email"]],
    ["an email with a line break", { email: "ada@example.com\r\nBcc: eve@example.com" }, ["email"]],
    ["two emails", { email: "ada@example.com,eve@example.com" }, ["email"]],
    ["an email with a character nobody sees", { email: "ada\u200b@example.com" }, ["email"]],
    ["an email that turns the text around it", { email: "\u202eada@example.com" }, ["email"]],
    ["an email in angle brackets", { email: "<ada@example.com>" }, ["email"]],
    ["an email in quotes", { email: '"ada"@example.com' }, ["email"]],
    ["an email of 255 characters", { email: `${"a".repeat(243)}@example.com` }, ["email"]],
    ["a password of 7 characters", { password: "zqxjkvb" }, ["password"]],
    ["a password of 129 characters", { password: "zq ".repeat(43) }, ["password"]],
    ["a common password", { password: "password1" }, ["password"]],
    ["a common password in capitals", { password: "QwertyUIOP" }, ["password"]],
    ["a password with a NUL byte", { password: "quartz\0trombone" }, ["password"]],
  ])("%s", async (_, changes, fields) => {
    expectFailure(await register(input(changes)), 400, fields);
  });

  test("the email as the password, whatever its case", async () => {
    const email = "ada.lovelace@example.com";
    expectFailure(await register(input({ email, password: email.toUpperCase() })), 400, ["password"]);
  });

  test("reports all invalid fields at once", async () => {
    const faulty = { name: 5, email: "nobody", password: "short", organizationName: null };
    expectFailure(await register(faulty), 400, ["email", "name", "organizationName", "password"]);
  });

  test("writes nothing to the database", async () => {
    const before = await tableState(sql);
    await register(input({ password: "password1" }));
    await register(input({ organizationName: " " }));
    expect(await tableState(sql)).toEqual(before);
  });
});

describe("409", () => {
  test("for a taken email, in any letter case, and writes nothing", async () => {
    const first = input();
    expect((await register(first)).status).toBe(201);
    const before = await tableState(sql);
    expectFailure(await register(first), 409, ["email"]);
    expectFailure(await register({ ...first, email: first.email.toUpperCase() }), 409, ["email"]);
    expect(await tableState(sql)).toEqual(before);
  });

  test("for all but one of several simultaneous registrations of an email", async () => {
    const same = input();
    const replies = await Promise.all([same, same, same, same].map(register));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const [row] = await sql`select count(*)::int as users from users where email = ${same.email}`;
    expect(row?.users).toBe(1);
    const [orphans] = await sql`
      select count(*)::int as count from organizations o
      where not exists (select 1 from memberships m where m.org_id = o.id)`;
    expect(orphans?.count).toBe(0);
  });
});

describe("201", () => {
  test("for unusual but valid emails, which sign in and appear unchanged in the member list", async () => {
    const emails = [
      "josé@example.com",
      "ada@localhost",
      "ada@bücher.example",
      "o'brien+a@example.com",
      "a..b@ex_a.com",
    ];
    for (const email of emails) {
      const { status, body } = await register(input({ email }));
      expect([status, body.user?.email]).toEqual([201, email]);
      const login = await service.call("POST", "/api/v1/auth/login", { body: { email, password: input().password } });
      expect(login.status).toBe(200);
      const members = `/api/v1/organizations/${body.organizations[0]?._id}/members`;
      const invited = { email: `invited-${email}`, role: "viewer" };
      const invite = await service.call("POST", `${members}/invite`, { token: body.token, body: invited });
      const list = await service.call<{ members: { email: string }[] }>("GET", members, { token: body.token });
      expect([invite.status, list.status]).toEqual([200, 200]);
      expect(list.body.members.map((member) => member.email)).toEqual([invited.email, email]);
    }
  });

  test("returns a session with the user and the organization they own", async () => {
    const { status, body } = await register(input({ email: "Grace.Hopper@Example.COM", name: " Grace " }));
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(["organizations", "token", "user"]);
    expect(body.user).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: "grace.hopper@example.com",
      name: "Grace",
      twoFactorEnabled: false,
      emailVerified: true,
    });
    expect(body.organizations).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "Analytical Engines",
        slug: expect.stringMatching(/^analytical-engines-/),
        branding: {},
      },
    ]);
    const [membership] = await sql`select role from memberships where org_id = ${body.organizations[0]?._id ?? ""}`;
    expect(membership?.role).toBe("owner");
  });

  test.each([
    ["organization names in any script", { organizationName: "分析機関 🚀" }],
    ["an organization name of punctuation alone", { organizationName: "!!!" }],
    ["names at their longest", { name: "a".repeat(120), organizationName: "b".repeat(120) }],
    ["a password of 128 characters", { password: `${"zq ".repeat(42)}zq` }],
    ["a password of emoji", { password: "🦊🐙🦉🐝🦊🐙🦉🐝" }],
    ["fields nobody asked for, which are ignored", { role: "owner", _id: "x", twoFactorEnabled: true, plan: "scale" }],
  ])("%s", async (_, changes) => {
    const { status, body } = await register(input(changes));
    expect(status).toBe(201);
    expect(body.user.twoFactorEnabled).toBe(false);
    expect(body.organizations[0]?.slug).toMatch(/^[a-z0-9-]{8,}$/);
  });

  test("for a password that another keyboard writes in other code points, with which one signs in", async () => {
    const [email, password] = ["keyboards@example.com", "Grüße từ Hà Nội"];
    expect((await register(input({ email, password: password.normalize("NFD") }))).status).toBe(201);
    for (const written of [password.normalize("NFC"), password.normalize("NFD")]) {
      const { status } = await service.call("POST", "/api/v1/auth/login", { body: { email, password: written } });
      expect(status).toBe(200);
    }
  });

  test("never stores, logs or returns the password in plain text", async () => {
    const password = "cobalt-heron-umbrella";
    const { body } = await register(input({ password }));
    expect(JSON.stringify(body)).not.toContain(password);
    const [user] = await sql`select to_jsonb(u)::text as row from users u where id = ${body.user._id}`;
    expect(user?.row).not.toContain(password);
    expect(user?.row).toContain("$argon2id$v=19$");
    expect(service.logged()).not.toContain(password);
  });
});
