/** Hostile values in a bulk creation: each is refused as in a single creation, while the request itself succeeds. */
import { describe } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";
import { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const { token, orgId } = await service.register();
const [shared] = await service.sql`select id from domains where org_id is null`;

const names = ["deviceTypes", "browsers", "deviceVendors", "deviceModels", "regions", "cities"];
const conditions = {
  ...Object.fromEntries(names.map((name) => [name, ["a"]])),
  countries: ["DE"],
  languages: ["en"],
  platform: ["ios"],
  daysOfWeek: [1],
  query: [{ name: "a", values: ["a"] }],
  referrers: ["a.example"],
  addresses: ["192.0.2.1"],
};

/** Sends a body as the only link of a bulk request and returns the result for that link as if it were the response. */
const call: typeof service.call = async (method, path, { body, ...options } = {}) => {
  const { headers, ...reply } = await service.call<BulkLinkResult>(method, path, {
    ...options,
    body: { links: [body] },
  });
  if (reply.status !== 200) throw new Error(`One link made the whole answer ${reply.status}`);
  const [failure] = reply.body.errors;
  const told = failure ? { error: failure.error, details: failure.details } : reply.body.created[0];
  return { status: failure ? statusOf(failure.error) : 201, headers, body: JSON.parse(JSON.stringify(told)) };
};

/** Maps error messages to the status of a single creation. */
const statusOf = (error: string): number => (error.includes("no such") ? 404 : error.includes("taken") ? 409 : 400);

describe("POST links/bulk", async () => {
  testHostileBodies(
    { ...service, call },
    {
      method: "POST",
      path: `/api/v1/organizations/${orgId}/links/bulk`,
      schema: LinkInput,
      valid: {
        defaultUrl: "https://example.com/",
        domainId: String(shared?.id),
        appProfileId: await addApp(service, orgId, {}),
        slug: undefined,
        rules: [{ priority: 1, destinationUrl: "https://example.com/rule", conditions }],
        splitTargets: [{ key: "a", destinationUrl: "https://example.com/a", weight: 1 }],
        deepLinkPayload: { screen: "home" },
        utm: { source: "a" },
        marketing: { referralCode: "a" },
        leadCapture: { fields: [{ name: "email" }] },
        retargetingPixels: [{ provider: "meta", id: "1" }],
        ctaOverlay: { enabled: false },
        social: { title: "Sale", imageUrl: "https://example.com/sale.png" },
        tags: ["spring"],
      },
      credentials: { token },
      echoed: ["title", "utm.source"],
    },
  );
});
