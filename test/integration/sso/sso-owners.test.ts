/** An organization always keeps an owner who can sign in, whatever happens to its identity provider. */
import { beforeEach, describe, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, ssoPath, startSsoService } from "@test/support/accounts/sso";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import type { Account } from "@test/support/service";
import type { Member } from "@/contract/accounts/members";

const service = await startSsoService();
const { call, sql } = service;
const provider = startFalseProvider();
let ada: Account;
/** An owner, promoted by Ada, who is a member through the identity provider. */
let bea: { token: string; email: string };

beforeEach(async () => {
  ada = await service.register();
  const { startUrl } = await enableSso(service, ada, provider, { allowedDomains: ["example.com"] });
  const email = `bea-${crypto.randomUUID()}@example.com`;
  provider.claims = { sub: email, email, email_verified: true, name: "Bea" };
  const { token = "" } = await signIn(startUrl);
  bea = { token, email };
  expect((await changeRole(ada.token, email, "owner")).status).toBe(200);
});

const membersPath = () => `/api/v1/organizations/${ada.orgId}/members`;

async function memberPath(email: string): Promise<string> {
  const { body } = await call<{ members: Member[] }>("GET", membersPath(), { token: bea.token });
  return `${membersPath()}/${body.members.find((member) => member.email === email)?._id}`;
}

const changeRole = async (token: string, email: string, role: string) =>
  call("PATCH", await memberPath(email), { token, body: { role } });
const remove = async (token: string, email: string) => call("DELETE", await memberPath(email), { token });
const changeSso = (token: string, body: object) => call("PATCH", ssoPath(ada.orgId), { token, body });

describe("409", () => {
  test("the last owner with a password cannot leave or be demoted, even if single sign-on created another owner", async () => {
    expectFailure(await remove(ada.token, ada.email), 409);
    expectFailure(await remove(bea.token, ada.email), 409);
    for (const role of ["admin", "member", "viewer"]) {
      expectFailure(await changeRole(ada.token, ada.email, role), 409);
      expectFailure(await changeRole(bea.token, ada.email, role), 409);
    }
  });

  test("an owner created by single sign-on does not count as independent just by having a password", async () => {
    await sql`update users set password_hash = 'any' where email = ${bea.email}`;
    expectFailure(await remove(ada.token, ada.email), 409);
  });

  test("single sign-on cannot be turned off or moved, and no last owner can leave, while all owners depend on it", async () => {
    // Some organizations lost their own owner before this was refused.
    await sql`delete from memberships where org_id = ${ada.orgId}
      and user_id = (select id from users where email = ${ada.email})`;
    expectFailure(await changeSso(bea.token, { enabled: false }), 409);
    const other = startFalseProvider();
    expectFailure(await changeSso(bea.token, { issuer: other.issuer }), 409);
    expectFailure(await remove(bea.token, bea.email), 409);
    expect((await changeSso(bea.token, { clientSecret: "another secret of this provider" })).status).toBe(200);
    await addMember(service, ada.orgId, "owner");
    expect((await changeSso(bea.token, { enabled: false })).status).toBe(200);
  });
});

describe("200", () => {
  test("one of two owners with passwords can leave, and so can an owner created by single sign-on", async () => {
    await addMember(service, ada.orgId, "owner");
    expect((await remove(ada.token, ada.email)).status).toBe(200);
    expect((await remove(bea.token, bea.email)).status).toBe(200);
  });
});
