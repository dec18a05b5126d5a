import { describe } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { DashboardHostingInput, DomainInput, DomainUpdate } from "@/contract/domains";

const service = await startTestService();
const ada = await service.register();
const domains = `/api/v1/organizations/${ada.orgId}/domains`;
const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.example" });
const credentials = { token: ada.token };

describe("POST domains", () => {
  const valid = { hostname: "go.acme.com" };
  testHostileBodies(service, { method: "POST", path: domains, schema: DomainInput, valid, credentials });
});

describe("PATCH domains/{domainId}", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `${domains}/${domainId}`,
    schema: DomainUpdate,
    valid: {
      redirects: { root: "https://example.com/", notFound: "https://example.com/", expired: "https://example.com/" },
    },
    credentials,
  });
});

describe("PATCH domains/{domainId}/dashboard", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `${domains}/${domainId}/dashboard`,
    schema: DashboardHostingInput,
    valid: { enabled: false, isPrimary: false },
    credentials,
  });
});
