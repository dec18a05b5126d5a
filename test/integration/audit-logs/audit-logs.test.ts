/** Who changed what, and when: written with the change, readable by admins, filtered exactly. */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { AuditLogPage } from "@/contract/accounts/audit-logs";

const service = await startTestService();
const { call } = service;
const ada = await service.register();
const eve = await service.register();
const admin = await addMember(service, ada.orgId, "admin");
const member = await addMember(service, ada.orgId, "member");
const home = `/api/v1/organizations/${ada.orgId}`;

async function logsOf(query = "", token = ada.token) {
  return (await call<AuditLogPage>("GET", `${home}/audit-logs${query}`, { token })).body;
}
const actionsOf = async (query: string) => (await logsOf(query)).auditLogs.map(({ action }) => action);

describe("400 names the field at fault:", () => {
  test.each([
    ["a page before the first", "page=0", ["page"]],
    ["more than a hundred at once", "limit=101", ["limit"]],
    ["text for an instant", "from=yesterday", ["from"]],
    ["days that do not exist", "from=2026-02-30T00:00:00Z&to=2026-02-31T00:00:00Z", ["from", "to"]],
    ["a range that ends before it begins", "from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z", ["from"]],
    ["an empty action", "action=", ["action"]],
    ["a NUL byte", "teamEmail=%00", ["teamEmail"]],
  ])("%s", async (_, query, fields) => {
    expectFailure(await call("GET", `${home}/audit-logs?${query}`, { token: ada.token }), 400, fields);
  });
});

test("403 for members, who may make changes but not see who made them", async () => {
  expectFailure(await call("GET", `${home}/audit-logs`, { token: member.token }), 403);
});

test("404 in another organization", async () => {
  expectFailure(await call("GET", `${home}/audit-logs`, { token: eve.token }), 404);
});

describe("200", () => {
  test("shows who made each change, from where, and the values before and after", async () => {
    const headers = { "user-agent": "audit test" };
    const input = { defaultUrl: "https://example.com/", slug: "told", title: "Spring", password: "open sesame" };
    const { body: link } = await call<{ _id: string }>("POST", `${home}/links`, { token: member.token, body: input });
    const path = `${home}/links/${link._id}`;
    await call("PATCH", path, {
      token: admin.token,
      headers,
      body: { title: "Autumn", tags: ["a"], password: "another" },
    });
    await call("DELETE", path, { token: ada.token });
    const { auditLogs } = await logsOf("?resourceType=link");
    expect(auditLogs.map(({ action, actor }) => [action, actor.type, actor.email])).toEqual([
      ["link.delete", "user", ada.email],
      ["link.update", "user", admin.email],
      ["link.create", "user", member.email],
    ]);
    expect(auditLogs.every(({ resourceId }) => resourceId === link._id)).toBe(true);
    const [, updated, created] = auditLogs;
    expect(updated).toMatchObject({
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      userAgent: "audit test",
      changes: {
        title: { from: "Spring", to: "Autumn" },
        tags: { from: [], to: ["a"] },
        password: { from: "set", to: "replaced" },
      },
    });
    expect(created?.changes).toMatchObject({ slug: { from: null, to: "told" }, title: { from: null, to: "Spring" } });
    expect(JSON.stringify(auditLogs)).not.toMatch(/open sesame|another|argon2/);
  });

  test("shows that an API key made a change", async () => {
    const apiKey = await service.createApiKey(ada, ["links:write"]);
    await call("POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://example.com/", slug: "by-key" } });
    const [entry] = (await logsOf("?action=link.create")).auditLogs;
    expect(entry?.actor).toMatchObject({ type: "apiKey", email: null });
    expect(JSON.stringify(await logsOf("?action=api_key.create"))).not.toContain(apiKey);
  });

  test("has no entry for a PATCH to the current values or for a failed request", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "same", title: "Same" });
    const before = (await logsOf()).total;
    await call("PATCH", `${home}/links/${_id}`, { token: ada.token, body: { title: "Same" } });
    await call("PATCH", `${home}/links/${_id}`, { token: ada.token, body: { title: 5 } });
    await call("POST", `${home}/links`, {
      token: ada.token,
      body: { defaultUrl: "https://example.com/", slug: "same" },
    });
    expect((await logsOf()).total).toBe(before);
  });

  test("filters match exactly and are combined", async () => {
    expect(new Set(await actionsOf("?action=link.create"))).toEqual(new Set(["link.create"]));
    expect(await actionsOf("?action=link")).toEqual([]);
    expect(new Set(await actionsOf("?resourceType=api_key"))).toEqual(new Set(["api_key.create"]));
    const byMember = await logsOf(`?teamEmail=${encodeURIComponent(member.email.toUpperCase())}`);
    expect(byMember.auditLogs.map(({ action }) => action)).toEqual(["link.create"]);
    expect(await actionsOf(`?teamEmail=${member.email}&action=link.update`)).toEqual([]);
    expect(await actionsOf("?teamEmail=nobody@example.com")).toEqual([]);
  });

  test("a range includes its start and excludes its end", async () => {
    const [newest] = (await logsOf("?limit=1")).auditLogs;
    const at = newest?.createdAt ?? "";
    const next = new Date(Date.parse(at) + 1).toISOString();
    expect((await logsOf(`?from=${at}&to=${next}`)).auditLogs.map(({ _id }) => _id)).toContain(newest?._id ?? "");
    expect((await logsOf(`?to=${at}`)).auditLogs.map(({ _id }) => _id)).not.toContain(newest?._id ?? "");
    expect((await logsOf(`?from=${next}`)).total).toBe(0);
  });

  test("pages contain each entry once, newest first", async () => {
    const { total } = await logsOf();
    const pages = Array.from({ length: Math.ceil(total / 3) }, (_, index) => logsOf(`?limit=3&page=${index + 1}`));
    const entries = (await Promise.all(pages)).flatMap(({ auditLogs }) => auditLogs);
    expect(new Set(entries.map(({ _id }) => _id)).size).toBe(total);
    expect(entries.map(({ _id }) => _id)).toEqual(
      entries
        .map(({ _id }) => _id)
        .toSorted()
        .toReversed(),
    );
    expect(await logsOf("?limit=3&page=99")).toMatchObject({ auditLogs: [], total, page: 99 });
  });

  test("names what was changed as it is called now, also a link that is deleted", async () => {
    const bob = await service.register();
    const at = `/api/v1/organizations/${bob.orgId}`;
    const made = async (what: string, body: object, change: object) => {
      const { body: one } = await call<{ _id: string }>("POST", `${at}/${what}`, { ...bob, body });
      const { status } = await call("PATCH", `${at}/${what.replace("/invite", "")}/${one._id}`, {
        ...bob,
        body: change,
      });
      expect(status).toBe(200);
      return one._id;
    };
    const defaultUrl = "https://example.com/";
    const deleted = await made("links", { defaultUrl, slug: "bare" }, { isActive: false });
    await call("DELETE", `${at}/links/${deleted}`, bob);
    const hook = { url: "https://example.com/hook", events: ["click"] };
    const expected = {
      [deleted]: "bare",
      [await made("links", { defaultUrl, slug: "named", title: "Spring" }, { title: "Autumn" })]: "Autumn",
      [await made("bio-pages", { title: "Acme" }, { bio: "Shoes" })]: "Acme",
      [await made("apps", { name: "Shop" }, { subtitle: "Shoes" })]: "Shop",
      [await made("domains", { hostname: "go.bob.example" }, { redirects: { root: defaultUrl } })]: "go.bob.example",
      [await made("webhooks", hook, { isActive: false })]: "https://example.com/hook",
      [await made("analytics/reports", { name: "Weekly", filters: {} }, {})]: "Weekly",
      [await made("members/invite", { email: "zoe@example.com", role: "viewer" }, { role: "member" })]:
        "zoe@example.com",
    };
    const { body } = await call<AuditLogPage>("GET", `${at}/audit-logs?limit=100`, bob);
    const named = body.auditLogs.filter(({ resourceId }) => resourceId in expected);
    expect(named.length).toBeGreaterThan(2 * Object.keys(expected).length - 2);
    for (const { resourceId, resourceName } of named) expect(resourceName).toBe(expected[resourceId]);
    const registered = body.auditLogs.filter(({ resourceType }) => resourceType === "organization");
    expect(registered.every(({ resourceName }) => resourceName === undefined)).toBe(true);
  });
});
