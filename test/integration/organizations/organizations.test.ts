import { describe, expect, test } from "bun:test";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import {
  ORGANIZATIONS_OWNED_MAX,
  type Organization,
  type OrganizationSettings,
} from "@/contract/accounts/organizations";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const member = await addMember(service, ada.orgId, "member");
const admin = await addMember(service, ada.orgId, "admin");
const path = `/api/v1/organizations/${ada.orgId}`;

const conversions: OrganizationSettings["conversions"] = ["installs", "leads", "valued_events"];

type Body = Organization & Record<string, unknown>;
const read = (token = ada.token) => call<Body>("GET", path, { token });
const change = (body: unknown, token = ada.token) => call<Body>("PATCH", path, { token, body });
const make = (body: unknown, token = ada.token) => call<Body>("POST", "/api/v1/organizations", { token, body });

describe("400", () => {
  const long = `https://example.com/${"a".repeat(2_048)}`;

  test.each([
    ["a name that is null", { name: null }, ["name"]],
    ["a blank name", { name: "  " }, ["name"]],
    ["a name of 121 characters", { name: "a".repeat(121) }, ["name"]],
    ["a branding that is a list", { branding: [] }, ["branding"]],
    ["a colour by name", { branding: { accentColor: "red" } }, ["branding.accentColor"]],
    ["a colour of four digits", { branding: { accentColor: "#1234" } }, ["branding.accentColor"]],
    ["a colour with a tail", { branding: { accentColor: "#123456;}" } }, ["branding.accentColor"]],
    ["a logo by script", { branding: { logoUrl: "javascript:alert(1)" } }, ["branding.logoUrl"]],
    ["a logo as data", { branding: { logoUrl: "data:image/png;base64,AA==" } }, ["branding.logoUrl"]],
    ["a logo with a password in its URL", { branding: { logoUrl: "https://a:b@example.com/" } }, ["branding.logoUrl"]],
    ["a support page by mail", { branding: { supportUrl: "mailto:help@example.com" } }, ["branding.supportUrl"]],
    ["a support page without host", { branding: { supportUrl: "https://" } }, ["branding.supportUrl"]],
    ["a support page of more than 2,048 characters", { branding: { supportUrl: long } }, ["branding.supportUrl"]],
    ["a blank display name", { branding: { displayName: " " } }, ["branding.displayName"]],
    ["a footer of 501 characters", { branding: { footerText: "a".repeat(501) } }, ["branding.footerText"]],
    ["settings that are text", { settings: "appendClickId" }, ["settings"]],
    ["a conversion that is none", { settings: { conversions: ["clicks"] } }, ["settings.conversions[0]"]],
    ["no conversion at all", { settings: { conversions: [] } }, ["settings.conversions"]],
    ["a setting of a wrong type", { settings: { appendClickId: "true" } }, ["settings.appendClickId"]],
  ])("%s", async (_, body, fields) => {
    const before = await tableState(sql);
    expectFailure(await change(body), 400, fields);
    expect(await tableState(sql)).toEqual(before);
  });

  test("every invalid field at once", async () => {
    const branding = { logoUrl: "logo.png", supportUrl: "ftp://example.com/" };
    expectFailure(await change({ name: " ", branding }), 400, ["branding.logoUrl", "branding.supportUrl", "name"]);
  });

  test("a new organization without a name, or with a blank one", async () => {
    expectFailure(await make({}), 400, ["name"]);
    expectFailure(await make({ name: " " }), 400, ["name"]);
  });
});

describe("403", () => {
  test("for a change by a viewer or a member", async () => {
    for (const { token } of [viewer, member]) expectFailure(await change({ name: "Ours" }, token), 403);
  });
});

describe("404", () => {
  test("for users who are not members", async () => {
    const eve = await service.register();
    expectFailure(await read(eve.token), 404);
    expectFailure(await change({ name: "Eve's" }, eve.token), 404);
  });
});

describe("200", () => {
  test("a viewer reads every field", async () => {
    const { status, body } = await read(viewer.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      _id: ada.orgId,
      name: expect.any(String),
      slug: expect.any(String),
      branding: {},
      settings: { appendClickId: false, conversions },
    });
  });

  test("an admin changes the organization, and unknown or read-only fields are ignored", async () => {
    const [before] = await sql`select slug, plan from organizations where id = ${ada.orgId}`;
    const branding = {
      displayName: "Acme",
      logoUrl: "https://ACME.example/logo ä.svg",
      accentColor: "#1F4fd8",
      supportUrl: "http://acme.example/support",
      footerText: "Acme Ltd\nLondon",
      script: "<script>",
    };
    const foreign = { _id: "x", slug: "taken", plan: "scale", routingVersion: 99, createdAt: "2020-01-01T00:00:00Z" };
    const settings = { appendClickId: true, plan: "scale" };
    const { status, body } = await change({ name: " Acme ", branding, settings, ...foreign }, admin.token);
    expect(status).toBe(200);
    const { script: _, ...known } = branding;
    expect(body).toEqual({
      _id: ada.orgId,
      name: "Acme",
      slug: before?.slug,
      branding: { ...known, logoUrl: "https://acme.example/logo%20%C3%A4.svg" },
      settings: { appendClickId: true, conversions },
    });
    expect((await read()).body).toEqual(body);
    const [after] = await sql`select slug, plan, settings from organizations where id = ${ada.orgId}`;
    expect(after).toEqual({ ...before, settings: { appendClickId: true } });
  });

  test("absent fields stay, objects are replaced, null clears", async () => {
    await change({ name: "Acme", branding: { displayName: "A", footerText: "B" }, settings: { appendClickId: true } });
    expect((await change({})).body).toMatchObject({ name: "Acme", branding: { displayName: "A", footerText: "B" } });
    const replaced = await change({ branding: { displayName: null, accentColor: "#fff" } });
    expect(replaced.body.branding).toEqual({ accentColor: "#fff" });
    expect(replaced.body.settings).toEqual({ appendClickId: true, conversions });
    const chosen = await change({ settings: { conversions: ["leads"] } });
    expect(chosen.body.settings).toEqual({ appendClickId: false, conversions: ["leads"] });
    const cleared = await change({ branding: null, settings: null });
    expect(cleared.body).toMatchObject({ name: "Acme", branding: {}, settings: { appendClickId: false } });
  });

  test("each change is in the audit log, by field, but not one that changes nothing", async () => {
    await change({ name: "First", branding: { displayName: "A" }, settings: null });
    await sql`delete from audit_logs where org_id = ${ada.orgId}`;
    await change({ name: "Second", branding: { displayName: "A" } }, admin.token);
    await change({ name: "Second", settings: { appendClickId: false } });
    await change({ settings: { appendClickId: true } });
    const entries = await sql`select action, resource_type, resource_id, actor_email, changes from audit_logs
      where org_id = ${ada.orgId} order by id`;
    const one = { action: "organization.update", resource_type: "organization", resource_id: ada.orgId };
    expect([...entries]).toEqual([
      { ...one, actor_email: admin.email, changes: { name: { from: "First", to: "Second" } } },
      {
        ...one,
        actor_email: ada.email,
        changes: {
          settings: { from: { appendClickId: false, conversions }, to: { appendClickId: true, conversions } },
        },
      },
    ]);
  });

  test("a setting applies to links from the next visit on, even if they are cached", async () => {
    await change({ settings: null });
    const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
    const target = async () => (await service.visit(link)).headers.get("location");
    expect(await target()).toBe("https://shop.example.com/");
    await change({ settings: { appendClickId: true } });
    expect(await target()).toMatch(/^https:\/\/shop\.example\.com\/\?wm_cid=/);
    await change({ settings: { appendClickId: false } });
    expect(await target()).toBe("https://shop.example.com/");
  });
});

describe("another organization", () => {
  test("201 and only the user who created it is a member", async () => {
    const { status, body } = await make({ name: " Side project ", slug: "mine", plan: "scale" }, viewer.token);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Side project", slug: expect.stringMatching(/^side-project-/), branding: {} });
    const rows = await sql`select m.role, u.email from memberships m join users u on u.id = m.user_id
      where m.org_id = ${body._id}`;
    expect([...rows]).toEqual([{ role: "owner", email: viewer.email }]);
    expectFailure(await call("GET", `/api/v1/organizations/${body._id}`, { token: ada.token }), 404);
  });

  test("403 for a session that another organization's identity provider opened", async () => {
    const { token, email } = await service.register();
    await sql`update sessions set sso_org_id = ${ada.orgId}
      where user_id = (select id from users where email = ${email})`;
    expectFailure(await make({ name: "Mine" }, token), 403);
  });

  test("409 beyond the number that one user may own, even for simultaneous requests", async () => {
    const { token, email } = await service.register();
    await sql`with made as (
      insert into organizations (id, name, slug, plan)
      select gen_random_uuid(), 'o', 'made-' || n, 'unlimited' from generate_series(3, ${ORGANIZATIONS_OWNED_MAX}) n
      returning id)
      insert into memberships (id, org_id, user_id, role)
      select gen_random_uuid(), made.id, users.id, 'owner' from made, users where email = ${email}`;
    const replies = await Promise.all(["a", "b", "c"].map((name) => make({ name }, token)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});
