/**
 * Every operation of the OpenAPI document against every role and every wrong organization, so that a new operation is
 * covered as soon as it exists. Other tests check the responses to those who are allowed in.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { addExport } from "@test/support/accounts/archives";
import { addApp, addDomain, addMember, addSuspect, tableState } from "@test/support/accounts/tenants";
import { type DescribedRoute, describeApp, operationsOf } from "@test/support/document/described";
import { addLead } from "@test/support/leads";
import { addImport } from "@test/support/outside/imports";
import { addDelivery, createWebhook } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { ROLES, type Role } from "@/contract/accounts/access";
import { roleAllows } from "@/core/ids";

const service = await startTestService();
const { routes, document } = await describeApp();
const ofOrganizations = routes.filter(({ access, isHidden }) => access.member !== undefined && !isHidden);

async function organization(name: string) {
  const owner = await service.register();
  const { orgId, token } = owner;
  const home = `/api/v1/organizations/${orgId}`;
  const created = async (path: string, body: object) =>
    (await service.call<{ _id: string }>("POST", `${home}/${path}`, { token, body })).body._id;
  const link = await service.createLink(owner, { defaultUrl: `https://${name}.example.com/` });
  const members = new Map<Role, string>([["owner", token]]);
  for (const role of ["viewer", "member", "admin"] as const) {
    members.set(role, (await addMember(service, orgId, role)).token);
  }
  const [membership] = await service.sql`select id from memberships where org_id = ${orgId} and role = 'viewer'`;
  const webhook = await createWebhook(service, owner, "https://hooks.example.com/", ["click"]);
  const children: Record<string, string> = {
    webhookId: webhook._id,
    deliveryId: await addDelivery(service, orgId, webhook._id),
    linkId: link._id,
    domainId: await addDomain(service, orgId, { hostname: `go.${name}.example`, isVerified: false }),
    appId: await addApp(service, orgId, {}),
    clickId: await addSuspect(service, orgId, link._id),
    leadId: await addLead(service, orgId, link._id),
    keyId: await created("api-keys", { name: "server", scopes: ["links:read"] }),
    tokenId: await created("access-tokens", { name: "script", scopes: ["read"] }),
    exportId: await addExport(service, orgId),
    importId: await addImport(service, orgId),
    reportId: await created("analytics/reports", { name: "Weekly" }),
    bioPageId: await created("bio-pages", { title: name }),
    membershipId: membership?.id,
    externalId: name,
  };
  return { orgId, members, children, token };
}
const ada = await organization("ada");
const eve = await organization("eve");

type Organization = typeof ada;
type Children = Organization["children"];

const filled = (path: string, orgId: string, children: Children) =>
  path.replace(":orgId", orgId).replaceAll(/:(\w+)/g, (_, name) => children[name] ?? "");

/** Returns only the status, because a stream never ends. */
async function ask(method: string, path: string, token: string, body: unknown = {}): Promise<number> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = method === "GET" ? undefined : JSON.stringify(body);
  const { status } = await fetch(service.url + path, { method, headers, body: sent, signal: leaving.signal });
  leaving.abort();
  return status;
}

/** Returns the document's own example, so that only the credentials can be wrong. */
function exampleOf({ method, documentPath }: DescribedRoute): unknown {
  const operation = operationsOf(document).find((each) => each.method === method && each.path === documentPath);
  const content = operation?.requestBody?.content ?? {};
  // In place of an upload, JSON would start an import from another service's API.
  return ("multipart/form-data" in content ? undefined : content["application/json"]?.example) ?? {};
}

/** Everyone may leave, so the record decides whether a role is enough: below admin, only one's own membership. */
const LEAVING = "DELETE /api/v1/organizations/:orgId/members/:membershipId";

const unknown: Children = Object.fromEntries(Object.keys(ada.children).map((name) => [name, Bun.randomUUIDv7()]));

test("there is a record for every path parameter", () => {
  const names = ofOrganizations.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ""));
  expect([...new Set(names)].filter((name) => name !== "orgId" && !(name in ada.children))).toEqual([]);
});

describe.each(ROLES.map((role) => [role] as const))("a %s", (role) => {
  const token = ada.members.get(role) ?? "";

  test.each(ofOrganizations.map((route) => [route.method, route.path, route] as const))(
    "%s %s",
    async (method, path, route) => {
      const status = await ask(method, filled(path, ada.orgId, unknown), token, exampleOf(route));
      const needed = `${method} ${path}` === LEAVING ? "admin" : (route.access.member ?? "owner");
      if (roleAllows(role, needed)) expect([401, 403]).not.toContain(status);
      else expect(status).toBe(403);
    },
  );
});

describe("access across organizations", () => {
  const told = ofOrganizations.map((route) => [route.method, route.path, route] as const);
  // Under an external id, which clients choose, there may be any record, or none yet.
  const withChildren = told.filter(([, , { path }]) => /:(?!orgId|externalId)/.test(path));

  // Deliveries to the webhooks that the roles created are still retried, which would look like a change.
  beforeAll(async () => {
    const kept = [ada.children.webhookId ?? "", eve.children.webhookId ?? ""];
    await service.sql`delete from webhooks where id not in ${service.sql(kept)}`;
    await service.sql`delete from webhook_deliveries where webhook_id not in ${service.sql(kept)}`;
  });

  async function changingNothing(work: () => Promise<void>): Promise<void> {
    const before = await tableState(service.sql);
    await work();
    expect(await tableState(service.sql)).toEqual(before);
  }

  test.each(told)("%s %s in another organization is 404, whoever owns the records", async (method, path, route) => {
    await changingNothing(async () => {
      for (const children of [ada.children, eve.children]) {
        expect(await ask(method, filled(path, ada.orgId, children), eve.token, exampleOf(route))).toBe(404);
      }
    });
  });

  test.each(withChildren)(
    "%s %s in one's own organization with another's record is 404",
    async (method, path, route) => {
      await changingNothing(async () => {
        expect(await ask(method, filled(path, eve.orgId, ada.children), eve.token, exampleOf(route))).toBe(404);
      });
    },
  );

  const named: [method: string, path: string, body: object][] = [
    ["POST", "links", { defaultUrl: "https://example.com/", domainId: ada.children.domainId }],
    ["POST", "links", { defaultUrl: "https://example.com/", appProfileId: ada.children.appId }],
    ["PATCH", "links/:linkId", { appProfileId: ada.children.appId }],
    ["POST", "bio-pages", { title: "Bio", domainId: ada.children.domainId }],
    ["POST", "bio-pages", { title: "Bio", links: [{ title: "a", linkId: ada.children.linkId }] }],
    ["PATCH", "bio-pages/:bioPageId", { links: [{ title: "a", linkId: ada.children.linkId }] }],
    ["POST", "analytics/reports", { name: "Weekly", filters: { linkId: ada.children.linkId } }],
    ["PATCH", "analytics/reports/:reportId", { filters: { linkId: ada.children.linkId } }],
    ["GET", `analytics/overview?linkId=${ada.children.linkId}`, {}],
    ["GET", `analytics/export.csv?linkId=${ada.children.linkId}`, {}],
    ["GET", `analytics/insights?linkId=${ada.children.linkId}`, {}],
    ["GET", `analytics/best-destination?linkId=${ada.children.linkId}`, {}],
    ["GET", `analytics/broken-campaigns?linkId=${ada.children.linkId}`, {}],
  ];
  test.each(named)("%s %s with another's record in body or query is 404", async (method, rest, body) => {
    await changingNothing(async () => {
      const path = filled(`/api/v1/organizations/:orgId/${rest}`, eve.orgId, eve.children);
      expect(await ask(method, path, eve.token, body)).toBe(404);
    });
  });
});
