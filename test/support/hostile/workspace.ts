/** An organization with one of each thing that a path parameter can name, for tests that call every operation. */
import { addImport } from "@test/support/outside/imports";
import { addExport } from "../accounts/archives";
import { addApp, addDomain, addSuspect } from "../accounts/tenants";
import { addLead } from "../leads";
import { addDelivery, createWebhook } from "../outside/webhooks";
import type { Account, TestService } from "../service";

export interface Workspace {
  account: Account;
  apiKey: string;
  /** Ids by name of the path parameter. */
  ids: Record<string, string>;
}

interface Made {
  _id: string;
}

export async function makeWorkspace(service: TestService): Promise<Workspace> {
  const account = await service.register();
  const { orgId, token } = account;
  const apiKey = await service.createApiKey(account, ["links:read", "links:write", "events:write", "qr:read"]);
  const link = await service.createLink(account, { defaultUrl: "https://example.com/", slug: "known" });
  const webhook = await createWebhook(service, account, "https://hooks.example.com/", ["click"]);
  const home = `/api/v1/organizations/${orgId}`;
  const make = async (path: string, body: Record<string, unknown>) => {
    const made = await service.call<Made>("POST", `${home}/${path}`, { token, body });
    if (!made.body._id) throw new Error(`${path} answered ${made.status}: ${JSON.stringify(made.body)}`);
    return made.body._id;
  };
  const listed = async <Name extends string>(path: string, name: Name) => {
    const { body } = await service.call<Record<Name, Made[]>>("GET", path, { token });
    return body[name][0]?._id ?? "";
  };
  const ids = {
    orgId,
    linkId: link._id,
    sessionId: await listed("/api/v1/auth/sessions", "sessions"),
    keyId: await listed(`${home}/api-keys`, "apiKeys"),
    tokenId: await make("access-tokens", { name: "script", scopes: ["read"] }),
    leadId: await addLead(service, orgId, link._id),
    domainId: await addDomain(service, orgId, { hostname: "go.everything.test" }),
    appId: await addApp(service, orgId, { pathPrefix: "everything" }),
    clickId: await addSuspect(service, orgId, link._id),
    membershipId: await make("members/invite", { email: "bob@example.com", role: "viewer" }),
    bioPageId: await make("bio-pages", { title: "Acme" }),
    reportId: await make("analytics/reports", { name: "Weekly" }),
    exportId: await addExport(service, orgId),
    importId: await addImport(service, orgId),
    webhookId: webhook._id,
    deliveryId: await addDelivery(service, orgId, webhook._id),
  };
  return { account, apiKey, ids };
}
