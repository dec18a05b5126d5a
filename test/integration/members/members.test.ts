import { describe, expect, test } from "bun:test";
import { changingNothing } from "@test/support/accounts/changing-nothing";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { ROLES, type Role } from "@/contract/accounts/access";
import type { Member } from "@/contract/accounts/members";

const service = await startTestService();
const { call, sql } = service;

type MemberBody = Member & Record<string, unknown>;
type Page = { members: Member[]; total: number } & Record<string, unknown>;
const pathOf = (orgId: string) => `/api/v1/organizations/${orgId}/members`;
const list = (by: Account, query = "") => call<Page>("GET", pathOf(by.orgId) + query, { token: by.token });
const invite = (by: Account, email: string, role: Role) =>
  call<MemberBody>("POST", `${pathOf(by.orgId)}/invite`, { token: by.token, body: { email, role } });
const change = (by: Account, id: string, role: unknown) =>
  call<MemberBody>("PATCH", `${pathOf(by.orgId)}/${id}`, { token: by.token, body: { role } });
const remove = (by: Account, id: string) =>
  call<MemberBody>("DELETE", `${pathOf(by.orgId)}/${id}`, { token: by.token });
const links = (by: Account) => call("GET", `/api/v1/organizations/${by.orgId}/links`, { token: by.token });

async function membershipOf({ email, orgId }: Account): Promise<string> {
  const [row] = await sql`select m.id from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} and u.email = ${email}`;
  return String(row?.id);
}
const roleOf = async (id: string) => (await sql`select role from memberships where id = ${id}`)[0]?.role;

const owner = await service.register();
const admin = await addMember(service, owner.orgId, "admin");
const member = await addMember(service, owner.orgId, "member");
const viewer = await addMember(service, owner.orgId, "viewer");
const invited = (await invite(owner, "invited@example.com", "member")).body;
const invitedOwner = (await invite(owner, "next-owner@example.com", "owner")).body;
const ids = {
  owner: await membershipOf(owner),
  admin: await membershipOf(admin),
  member: await membershipOf(member),
  viewer: await membershipOf(viewer),
};
const stranger = await service.register();
const strangerId = await membershipOf(stranger);

describe("400", () => {
  test.each([undefined, null, "", "root", "OWNER", 1, {}])("for %p as a role", async (role) => {
    await changingNothing(sql, async () => expectFailure(await change(owner, ids.member, role), 400, ["role"]));
  });

  test("for an invalid page", async () => {
    expectFailure(await list(owner, "?page=0"), 400, ["page"]);
  });
});

describe("403", () => {
  test.each(ROLES)("for a viewer or a member who changes a role to %s", async (role) => {
    await changingNothing(sql, async () => {
      for (const by of [viewer, member]) {
        for (const id of [ids.owner, ids.viewer, ids.member, Bun.randomUUIDv7()])
          expectFailure(await change(by, id, role), 403);
      }
    });
  });

  test("for a viewer or a member who removes anyone else, whether or not there is such a member", async () => {
    await changingNothing(sql, async () => {
      for (const by of [viewer, member]) {
        for (const id of [ids.owner, ids.admin, invited._id, Bun.randomUUIDv7(), strangerId])
          expectFailure(await remove(by, id), 403);
      }
    });
  });

  test("for an admin who makes anyone an owner, even themselves", async () => {
    await changingNothing(sql, async () => {
      for (const id of [ids.member, ids.admin, invited._id]) expectFailure(await change(admin, id, "owner"), 403);
    });
  });

  test("for an admin who changes or removes an owner or someone invited as one", async () => {
    await changingNothing(sql, async () => {
      for (const id of [ids.owner, invitedOwner._id]) {
        for (const role of ["owner", "viewer"]) expectFailure(await change(admin, id, role), 403);
        expectFailure(await remove(admin, id), 403);
      }
    });
  });
});

describe("404", () => {
  test("for another organization's membership, an unknown one, and an invalid id", async () => {
    await changingNothing(sql, async () => {
      for (const id of [strangerId, Bun.randomUUIDv7(), "1", "invite", "%00", "' or 1=1 --"]) {
        expectFailure(await change(owner, id, "viewer"), 404);
        expectFailure(await remove(owner, id), 404);
      }
    });
  });

  test("for everything, to a user who is not a member", async () => {
    const eve = { ...stranger, orgId: owner.orgId };
    await changingNothing(sql, async () => {
      expectFailure(await list(eve), 404);
      expectFailure(await change(eve, ids.member, "viewer"), 404);
      expectFailure(await remove(eve, strangerId), 404);
    });
  });
});

describe("409", () => {
  test("if the last owner is demoted or leaves", async () => {
    await changingNothing(sql, async () => {
      for (const role of ["admin", "member", "viewer"]) expectFailure(await change(owner, ids.owner, role), 409);
      expectFailure(await remove(owner, ids.owner), 409);
    });
  });
});

describe("listing", () => {
  test("shows everyone all members, newest first, and never a token", async () => {
    const { status, body } = await list(viewer);
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, limit: 25, total: 6, totalPages: 1 });
    expect(body.members.map(({ role, status }) => `${role} ${status}`)).toEqual([
      "owner invited",
      "member invited",
      "viewer active",
      "member active",
      "admin active",
      "owner active",
    ]);
    const [user] = await sql`select id from users where email = ${owner.email}`;
    expect(body.members[1]).toEqual({
      _id: invited._id,
      email: "invited@example.com",
      role: "member",
      status: "invited",
      createdAt: expect.stringMatching(/Z$/),
      invitedBy: user?.id,
      inviteExpiresAt: expect.stringMatching(/Z$/),
    });
    expect(body.members[5]).toEqual({
      _id: ids.owner,
      userId: user?.id,
      email: owner.email,
      name: "Ada",
      role: "owner",
      status: "active",
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(body)).not.toMatch(/token|hash|password/i);
  });

  test("comes in pages", async () => {
    const { body } = await list(owner, "?page=2&limit=4");
    expect(body).toMatchObject({ page: 2, limit: 4, total: 6, totalPages: 2 });
    expect(body.members.map(({ _id }) => _id)).toEqual([ids.admin, ids.owner]);
  });
});

describe("a role", () => {
  test("set by an admin applies from the next request on", async () => {
    const joined = await addMember(service, owner.orgId, "viewer");
    const id = await membershipOf(joined);
    const create = () =>
      call("POST", `/api/v1/organizations/${owner.orgId}/links`, {
        token: joined.token,
        body: { defaultUrl: "https://example.com/" },
      });
    expectFailure(await create(), 403);
    const { status, body } = await change(admin, id, "member");
    expect([status, body]).toEqual([200, { ...body, _id: id, role: "member", status: "active", email: joined.email }]);
    expect((await create()).status).toBe(201);
    await change(owner, id, "viewer");
    expectFailure(await create(), 403);
  });

  test("of another admin, or their own, can be changed by an admin", async () => {
    const [one, other] = [
      await addMember(service, owner.orgId, "admin"),
      await addMember(service, owner.orgId, "admin"),
    ];
    expect((await change(one, await membershipOf(other), "viewer")).status).toBe(200);
    expect((await change(one, await membershipOf(one), "member")).status).toBe(200);
    expectFailure(await change(one, await membershipOf(other), "admin"), 403);
  });

  test("of an owner is given and taken by owners, but not taken from the last one", async () => {
    const account = await service.register();
    const second = await addMember(service, account.orgId, "viewer");
    const secondId = await membershipOf(second);
    expect((await change(account, secondId, "owner")).body.role).toBe("owner");
    expect((await change(second, await membershipOf(account), "viewer")).body.role).toBe("viewer");
    expectFailure(await change(second, secondId, "admin"), 409);
  });

  test("of an invitation can be changed, but an invited owner does not allow the last owner to leave", async () => {
    const account = await service.register();
    const { body } = await invite(account, "later@example.com", "viewer");
    expect((await change(account, body._id, "owner")).body).toMatchObject({ role: "owner", status: "invited" });
    expectFailure(await remove(account, await membershipOf(account)), 409);
  });

  test("has an audit entry for each change, but none if nothing changes", async () => {
    const joined = await addMember(service, owner.orgId, "viewer");
    const id = await membershipOf(joined);
    await change(admin, id, "viewer");
    await change(admin, id, "admin");
    await remove(owner, id);
    const entries = await sql`select action, resource_type, actor_email, changes from audit_logs
      where resource_id = ${id} order by id`;
    const gone = (from: unknown) => ({ from, to: null });
    expect([...entries]).toEqual([
      {
        action: "member.role",
        resource_type: "member",
        actor_email: admin.email,
        changes: { role: { from: "viewer", to: "admin" } },
      },
      {
        action: "member.remove",
        resource_type: "member",
        actor_email: owner.email,
        changes: { email: gone(joined.email), role: gone("admin"), status: gone("active") },
      },
    ]);
  });
});

describe("ending a membership", () => {
  test("applies from the next request on, and only in that organization", async () => {
    const joined = await addMember(service, owner.orgId, "admin");
    const own = (
      await call<{ organizations: { _id: string }[] }>("GET", "/api/v1/auth/me", { token: joined.token })
    ).body.organizations.at(-1);
    const id = await membershipOf(joined);
    expect((await links(joined)).status).toBe(200);
    const reply = await remove(admin, id);
    expect([reply.status, reply.body as unknown]).toEqual([200, { _id: id, deleted: true }]);
    expectFailure(await links(joined), 404);
    expectFailure(await remove(admin, id), 404);
    expect((await links({ ...joined, orgId: own?._id ?? "" })).status).toBe(200);
  });

  test.each(["viewer", "member", "admin", "owner"] as const)("is possible for a %s who leaves", async (role) => {
    const joined = await addMember(service, owner.orgId, role);
    expect((await remove(joined, await membershipOf(joined))).status).toBe(200);
    expectFailure(await links(joined), 404);
  });

  test("of an owner is possible for another owner", async () => {
    const second = await addMember(service, owner.orgId, "owner");
    expect((await remove(owner, await membershipOf(second))).status).toBe(200);
    expect(await roleOf(ids.owner)).toBe("owner");
  });
});

describe("at the same time", () => {
  test("exactly one of two owners who demote each other succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await service.register();
      const other = await addMember(service, one.orgId, "owner");
      const [oneId, otherId] = [await membershipOf(one), await membershipOf(other)];
      const replies = await Promise.all([change(one, otherId, "viewer"), change(other, oneId, "viewer")]);
      // By the time the second request is handled, its sender is a viewer.
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      expect([await roleOf(oneId), await roleOf(otherId)].toSorted()).toEqual(["owner", "viewer"]);
    }
  });

  test("exactly one of two owners who leave succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await service.register();
      const other = await addMember(service, one.orgId, "owner");
      const [oneId, otherId] = [await membershipOf(one), await membershipOf(other)];
      const replies = await Promise.all([remove(one, oneId), remove(other, otherId)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  test("an admin who is removed while inviting leaves no invitation behind", async () => {
    const account = await service.register();
    const leaving = await addMember(service, account.orgId, "admin");
    const id = await membershipOf(leaving);
    const [removed, made] = await Promise.all([
      remove(account, id),
      invite(leaving, "accomplice@example.com", "admin"),
    ]);
    expect(removed.status).toBe(200);
    const entries = await sql<{ action: string }[]>`select action from audit_logs
      where org_id = ${account.orgId} and action like 'member.%' order by id`;
    const actions = entries.map(({ action }) => action);
    if (made.status === 200) expect(actions).toEqual(["member.invite", "member.remove", "member.remove"]);
    else expectFailure(made, 404);
  });
});
