/** An invitation is valid only while its author may invite. */
import { beforeEach, describe, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, startSsoService } from "@test/support/accounts/sso";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import type { Account, CallOptions } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Invitation, Member } from "@/contract/accounts/members";

const service = await startSsoService();
const { call, sql } = service;
let owner: Account;
/** The second owner, who invites. */
let inviter: Account;

beforeEach(async () => {
  owner = await service.register();
  inviter = await addMember(service, owner.orgId, "owner");
});

const members = <Body>(method: string, rest: string, options: CallOptions) =>
  call<Body>(method, `/api/v1/organizations/${owner.orgId}/members${rest}`, options);

async function invite(role: string, by = inviter) {
  const email = `guest-${crypto.randomUUID()}@example.com`;
  const reply = await members<Invitation>("POST", "/invite", { token: by.token, body: { email, role } });
  expect(reply.status).toBe(200);
  return { email, inviteToken: reply.body.inviteToken, _id: reply.body._id };
}

const list = async () => (await members<{ members: Member[] }>("GET", "", { token: owner.token })).body.members;
const invited = async () => (await list()).filter(({ status }) => status === "invited").map(({ email }) => email);

async function membershipOf({ email }: Account): Promise<string> {
  return `/${(await list()).find((member) => member.email === email)?._id}`;
}

const demote = async (account: Account, role: string) =>
  members("PATCH", await membershipOf(account), { token: owner.token, body: { role } });

const accept = (guest: { email: string; inviteToken: string }) =>
  call<AuthSession>("POST", "/api/v1/auth/register", {
    body: { name: "Guest", password: "quartz trombone lagoon", email: guest.email, inviteToken: guest.inviteToken },
  });

describe("invitations are withdrawn", () => {
  test.each(["member", "viewer"])("if their author becomes a %s, with an audit entry for each", async (role) => {
    const [guest, chief] = [await invite("member"), await invite("owner")];
    const others = await invite("member", owner);
    expect((await demote(inviter, role)).status).toBe(200);
    expect(await invited()).toEqual([others.email]);
    for (const each of [guest, chief]) expectFailure(await accept(each), 400);
    expect((await accept(others)).status).toBe(201);
    const audited = await sql`select resource_id as id from audit_logs
      where org_id = ${owner.orgId} and action = 'member.remove'`;
    expect(audited.map(({ id }) => id).toSorted()).toEqual([guest._id, chief._id].toSorted());
  });

  test("to roles that an admin may not give, if their author is no longer owner but admin", async () => {
    const [guest, chief] = [await invite("admin"), await invite("owner")];
    await demote(inviter, "admin");
    expect(await invited()).toEqual([guest.email]);
    expectFailure(await accept(chief), 400);
    expect((await accept(guest)).status).toBe(201);
  });

  test("if their author is removed or leaves", async () => {
    const guest = await invite("viewer");
    expect((await members("DELETE", await membershipOf(inviter), { token: owner.token })).status).toBe(200);
    expect(await invited()).toEqual([]);
    expectFailure(await accept(guest), 400);
    const leaver = await addMember(service, owner.orgId, "admin");
    const second = await invite("viewer", leaver);
    expect((await members("DELETE", await membershipOf(leaver), { token: leaver.token })).status).toBe(200);
    expectFailure(await accept(second), 400);
  });

  test("if their author's account is deleted, and give no rights by password or single sign-on", async () => {
    const guest = await invite("admin");
    const page = async () => (await call("GET", `/app/invite?token=${guest.inviteToken}`)).status;
    expect(await page()).toBe(200);
    await sql`delete from users where email = ${inviter.email}`;
    expect(await page()).toBe(410);
    expectFailure(await accept(guest), 400);
    const provider = startFalseProvider();
    const { startUrl } = await enableSso(service, owner, provider, {
      allowedDomains: ["example.com"],
      defaultRole: "viewer",
    });
    provider.claims = { sub: guest.email, email: guest.email, email_verified: true, name: "Guest" };
    expect((await signIn(startUrl)).error).toBeUndefined();
    expect((await list()).find(({ email }) => email === guest.email)?.role).toBe("viewer");
  });
});

test("an invitation repeated by someone who may invite stays valid, whoever sent the first", async () => {
  const guest = await invite("member");
  const again = await members<Invitation>("POST", "/invite", {
    token: owner.token,
    body: { email: guest.email, role: "member" },
  });
  await demote(inviter, "viewer");
  expect((await accept({ ...guest, inviteToken: again.body.inviteToken })).status).toBe(201);
});

describe("an invitation whose role somebody else changed", () => {
  const changeRole = async ({ _id }: { _id: string }, role: string, by: Account) =>
    expect((await members("PATCH", `/${_id}`, { token: by.token, body: { role } })).status).toBe(200);

  test("to owner, though an admin sent it, is accepted: the owner stands for it", async () => {
    const admin = await addMember(service, owner.orgId, "admin");
    const guest = await invite("viewer", admin);
    await changeRole(guest, "owner", owner);
    expect((await accept(guest)).status).toBe(201);
    expect((await list()).find(({ email }) => email === guest.email)?.role).toBe("owner");
  });

  test("to a higher one holds as long as that person may invite, and not as long as its sender may", async () => {
    const guest = await invite("viewer");
    await changeRole(guest, "member", owner);
    await demote(inviter, "viewer");
    expect(await invited()).toEqual([guest.email]);
    const chief = await invite("viewer", owner);
    const second = await addMember(service, owner.orgId, "owner");
    await changeRole(chief, "owner", second);
    await demote(second, "admin");
    expectFailure(await accept(chief), 400);
    expect((await accept(guest)).status).toBe(201);
  });

  test("to a lower one holds as long as its sender may invite", async () => {
    const guest = await invite("member", owner);
    await changeRole(guest, "viewer", inviter);
    await demote(inviter, "viewer");
    expect((await accept(guest)).status).toBe(201);
  });
});
