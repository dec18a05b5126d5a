/** An organization's single sign-on as its owners configure it. */
import { describe, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, ssoPath, startSsoService } from "@test/support/accounts/sso";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import type { Account } from "@test/support/service";
import type { SsoConfiguration, SsoUpdate } from "@/contract/accounts/sso";
import { createAttempts } from "@/modules/sso/attempt";
import { openKeys } from "@/platform/keys";
import { createSeal } from "@/platform/seal";

const service = await startSsoService();
const { call, sql, callbackUrl } = service;
const provider = startFalseProvider();
const { issuer, clientId, clientSecret } = provider;
const ada = await service.register();
const admin = await addMember(service, ada.orgId, "admin");

const get = ({ token, orgId }: Account) => call<SsoConfiguration>("GET", ssoPath(orgId), { token });
const patch = ({ token, orgId }: Account, body: unknown) =>
  call<SsoConfiguration & Record<string, unknown>>("PATCH", ssoPath(orgId), { token, body });
const whole: SsoUpdate = { enabled: true, issuer, clientId, allowedDomains: ["acme.test"] };

describe("400", () => {
  test.each([
    ["enabled", { enabled: null }],
    ["enabled", { enabled: "yes" }],
    ["issuer", { issuer: "" }],
    ["issuer", { issuer: "login.acme.test" }],
    ["issuer", { issuer: "javascript:alert(1)" }],
    ["issuer", { issuer: "file:///etc/passwd" }],
    ["issuer", { issuer: " https://login.acme.test" }],
    ["issuer", { issuer: "https://login.acme.test/?a=b" }],
    ["issuer", { issuer: "https://login.acme.test/#a" }],
    ["issuer", { issuer: "https://ada:secret@login.acme.test" }],
    ["issuer", { issuer: "http://login.acme.test" }],
    ["issuer", { issuer: "http://localhost" }],
    ["issuer", { issuer: "http://10.0.0.1" }],
    ["issuer", { issuer: "http://127.0.0.1.evil.test" }],
    ["issuer", { issuer: `https://${"a".repeat(500)}.test` }],
    ["clientId", { clientId: "" }],
    ["clientId", { clientId: "   " }],
    ["clientSecret", { clientSecret: "" }],
    ["allowedDomains[0]", { allowedDomains: ["*.acme.test"] }],
    ["allowedDomains[0]", { allowedDomains: ["acme"] }],
    ["allowedDomains[0]", { allowedDomains: ["CO.uk"] }],
    ["allowedDomains[0]", { allowedDomains: ["https://acme.test"] }],
    ["allowedDomains[0]", { allowedDomains: ["ada@acme.test"] }],
    ["allowedDomains[1]", { allowedDomains: ["acme.test", "127.0.0.1"] }],
    ["allowedDomains", { allowedDomains: "acme.test" }],
    ["allowedDomains", { allowedDomains: Array.from({ length: 51 }, (_, at) => `a${at}.test`) }],
    ["defaultRole", { defaultRole: "owner" }],
    ["defaultRole", { defaultRole: null }],
    ["enforce", { enforce: true }],
    ["enforce", { enforce: 1 }],
  ])("names %s in %j", async (field, body) => {
    expectFailure(await patch(ada, body), 400, [field]);
  });

  test("names every field that is missing when single sign-on is enabled", async () => {
    expectFailure(await patch(ada, { enabled: true }), 400, ["allowedDomains", "clientId", "issuer"]);
    expectFailure(await patch(ada, { ...whole, clientId: null }), 400, ["clientId"]);
    expectFailure(await patch(ada, { ...whole, allowedDomains: [] }), 400, ["allowedDomains"]);
  });

  test.each([
    ["nobody answers", "http://127.0.0.1:1"],
    ["our own network answers", "https://10.0.0.1"],
    ["a cloud's own address answers", "https://169.254.169.254"],
    ["no such host answers", "https://nowhere.invalid"],
    ["the issuer has a slash more", `${issuer}/`],
    ["the issuer has a path", `${issuer}/tenant`],
  ])("names issuer where %s", async (_, issuer) => {
    expectFailure(await patch(ada, { ...whole, issuer }), 400, ["issuer"]);
  });

  test("names issuer where the provider's metadata contains another issuer", async () => {
    const liar = startFalseProvider();
    for (const name of ["https://login.evil.test", `${liar.issuer}/`, "", undefined]) {
      liar.lies = { discovery: (document) => ({ ...document, issuer: name }) };
      expectFailure(await patch(ada, { ...whole, issuer: liar.issuer }), 400, ["issuer"]);
    }
  });

  test("changes nothing and logs nothing", async () => {
    expect((await get(ada)).body).toMatchObject({ enabled: false, hasClientSecret: false, allowedDomains: [] });
    expect((await sql`select 1 from audit_logs where action = 'sso.update'`).length).toBe(0);
  });
});

test("403 for anyone but an owner", async () => {
  expectFailure(await get(admin), 403);
  expectFailure(await patch(admin, { enabled: false }), 403);
});

describe("200", () => {
  test("with defaults where nothing was ever set", async () => {
    const { body } = await get(await service.register());
    expect(body).toEqual({
      ...{ enabled: false, enforce: false, hasClientSecret: false, allowedDomains: [], defaultRole: "viewer" },
      callbackUrl,
      startUrl: expect.stringContaining("/api/v1/auth/sso/start?orgSlug=acme-"),
    });
  });

  test("merges changes, clears with null and normalizes domains", async () => {
    const eve = await service.register();
    await patch(eve, { issuer, clientId, allowedDomains: ["ACME.test", "bücher.example", "acme.test."] });
    const { body } = await patch(eve, { enabled: true, defaultRole: "admin" });
    expect(body).toMatchObject({ enabled: true, issuer, clientId, defaultRole: "admin" });
    expect(body.allowedDomains).toEqual(["acme.test", "xn--bcher-kva.example"]);
    expectFailure(await patch(eve, { allowedDomains: null }), 400, ["allowedDomains"]);
    const off = await patch(eve, { enabled: false, issuer: null, clientId: null, allowedDomains: null });
    expect(off.body).toMatchObject({ enabled: false, allowedDomains: [] });
    expect([off.body.issuer, off.body.clientId]).toEqual([undefined, undefined]);
    expect((await get(eve)).body).toEqual(off.body);
  });

  test("does not contact the provider for changes that do not concern it", async () => {
    const eve = await service.register();
    const short = startFalseProvider();
    await enableSso(service, eve, short);
    short.lies = { discovery: () => new Response("gone", { status: 500 }) };
    expect((await patch(eve, { defaultRole: "member" })).status).toBe(200);
    expect((await patch(eve, { enabled: false })).status).toBe(200);
    expectFailure(await patch(eve, { enabled: true }), 400, ["issuer"]);
  });

  test("writes old and new values to the audit log", async () => {
    const eve = await service.register();
    await enableSso(service, eve, provider);
    await patch(eve, { defaultRole: "member" });
    await patch(eve, { defaultRole: "member" });
    await patch(eve, { clientSecret: "another secret" });
    const entries =
      await sql`select changes from audit_logs where org_id = ${eve.orgId} and action = 'sso.update' order by id`;
    expect(entries.map(({ changes }) => changes)).toEqual([
      {
        enabled: { from: false, to: true },
        issuer: { from: null, to: issuer },
        clientId: { from: null, to: clientId },
        hasClientSecret: { from: false, to: true },
        allowedDomains: { from: [], to: ["acme.test"] },
      },
      { defaultRole: { from: "viewer", to: "member" } },
      { clientSecret: { from: "kept", to: "replaced" } },
    ]);
  });

  test("never makes a new member an owner, even if the stored default role is owner", async () => {
    const eve = await service.register();
    const { startUrl } = await enableSso(service, eve, provider);
    await sql`update sso_configurations set default_role = 'owner' where org_id = ${eve.orgId}`;
    await signIn(startUrl);
    const roles = await sql`select role from memberships where org_id = ${eve.orgId} order by role`;
    expect(roles.map(({ role }) => role)).toEqual(["owner", "admin"].toSorted());
  });
});

describe("the client secret", () => {
  test("is stored encrypted and never returned or logged", async () => {
    const eve = await service.register();
    const said = [await enableSso(service, eve, provider), (await get(eve)).body, (await patch(eve, {})).body];
    const rows = await sql`select * from sso_configurations where org_id = ${eve.orgId}`;
    const logs = await sql`select changes from audit_logs where org_id = ${eve.orgId}`;
    for (const text of [...said, rows, logs].map((value) => JSON.stringify(value)))
      expect(text).not.toContain(clientSecret);
    expect(Buffer.from(rows[0]?.client_secret).toString("latin1")).not.toContain(clientSecret);
    expect(service.logged()).not.toContain(clientSecret);
  });

  test("of another organization cannot be decrypted", async () => {
    const [eve, bea] = [await service.register(), await service.register()];
    const { startUrl } = await enableSso(service, eve, provider);
    await enableSso(service, bea, provider);
    await sql`update sso_configurations set updated_at = now() + interval '1 hour', client_secret =
      (select client_secret from sso_configurations where org_id = ${bea.orgId}) where org_id = ${eve.orgId}`;
    expect((await signIn(startUrl)).error).toBe("server_error");
  });

  test("is cleared when the issuer changes, so that no other provider gets it", async () => {
    const eve = await service.register();
    await enableSso(service, eve, provider);
    const { issuer } = startFalseProvider();
    expect((await patch(eve, { issuer })).body.hasClientSecret).toBe(false);
    const back = await patch(eve, { issuer: provider.issuer, clientSecret });
    expect(back.body.hasClientSecret).toBe(true);
  });

  test("is optional for a provider that requires none", async () => {
    const eve = await service.register();
    const { startUrl, hasClientSecret } = await enableSso(service, eve, provider, { clientSecret: null });
    expect(hasClientSecret).toBe(false);
    expect((await signIn(startUrl)).token).toBeString();
  });
});

test("the cookie is Secure behind https", async () => {
  const keys = await openKeys({
    appSecret: "a secret of at least 32 bytes, made up",
    appSecretPrevious: null,
    dataDir: "",
  });
  const attempts = createAttempts({ seal: createSeal(keys), clock: Date.now, isSecure: true });
  const attempt = { orgId: "a", issuer: "b", state: "c", nonce: "d", verifier: "e", returnTo: "/app", elsewhere: null };
  const pattern = /^__Secure-wm_sso=[\w-]+; Path=\/api\/v1\/auth\/sso; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/;
  expect(attempts.keep(attempt)).toMatch(pattern);
  expect(attempts.forget()).toEndWith("Max-Age=0; HttpOnly; SameSite=Lax; Secure");
  const elsewhere = { dashboard: `https://${"d".repeat(250)}`, codeChallenge: "f".repeat(43) };
  const longest = attempts.keep({ ...attempt, elsewhere, issuer: "b".repeat(500), returnTo: "/".repeat(1_000) });
  expect(longest.length).toBeLessThan(4_096);
});
