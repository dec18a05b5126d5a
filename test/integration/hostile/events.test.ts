import { describe } from "bun:test";
import { addSuspect } from "@test/support/accounts/tenants";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { PrivacyErasureInput } from "@/contract/accounts/privacy";
import { AbuseBulkInput, AbuseReviewInput } from "@/contract/analytics/abuse";
import { CustomEventInput } from "@/contract/events";

const service = await startTestService();
const ada = await service.register();
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });

describe("POST events", async () => {
  const apiKey = await service.createApiKey(ada, ["events:write"]);
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/events",
    schema: CustomEventInput,
    valid: { name: "purchase", linkId: link._id, visitorId: "customer", value: 1, metadata: { orderId: "A-1" } },
    credentials: { apiKey },
    echoed: ["name", "visitorId"],
  });
});

describe("PATCH analytics/abuse-queue", async () => {
  const clickId = await addSuspect(service, ada.orgId, link._id);
  testHostileBodies(service, {
    method: "PATCH",
    path: `/api/v1/organizations/${ada.orgId}/analytics/abuse-queue/${clickId}`,
    schema: AbuseReviewInput,
    valid: { status: "confirmed", note: "a note" },
    credentials: { token: ada.token },
    echoed: ["note"],
  });
});

describe("POST analytics/abuse-queue/bulk", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `/api/v1/organizations/${ada.orgId}/analytics/abuse-queue/bulk`,
    schema: AbuseBulkInput,
    valid: { addressId: "0123456789abcdef", status: "confirmed", note: "a note" },
    credentials: { token: ada.token },
  });
});

describe("POST privacy/erase", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `/api/v1/organizations/${ada.orgId}/privacy/erase`,
    schema: PrivacyErasureInput,
    valid: { visitorId: "customer", email: "nobody@example.com" },
    credentials: { token: ada.token },
  });
});
