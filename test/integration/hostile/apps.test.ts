import { describe } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { AppConfigInput, AppProfileInput, AppProfileUpdate } from "@/contract/apps";

const service = await startTestService();
const ada = await service.register();
const credentials = { token: ada.token };
const home = `/api/v1/organizations/${ada.orgId}`;
const made = await service.call<{ _id: string }>("POST", `${home}/apps`, { ...credentials, body: { name: "App" } });
const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });

const target = {
  ios: {
    teamId: "A1B2C3D4E5",
    bundleId: "com.acme.shop",
    appStoreId: "284882215",
    scheme: "acme",
    providerToken: "123456",
    campaignName: "spring",
  },
  android: {
    packageName: "com.acme.shop",
    sha256CertFingerprints: [Array.from({ length: 32 }, () => "A1").join(":")],
    scheme: "acme",
  },
  fallback: "store",
  iconUrl: "https://acme.com/icon.png",
  subtitle: "Order ahead, skip the queue",
};
const profile = { name: "App", pathPrefix: "shop", ...target };

describe("POST apps", () => {
  const route = { method: "POST", path: `${home}/apps`, schema: AppProfileInput, valid: profile };
  testHostileBodies(service, { ...route, credentials });
});

describe("PATCH apps", () => {
  const route = { method: "PATCH", path: `${home}/apps/${made.body._id}`, schema: AppProfileUpdate, valid: profile };
  testHostileBodies(service, { ...route, credentials });
});

describe("PATCH domains/{domainId}/app-config", () => {
  const path = `${home}/domains/${domainId}/app-config`;
  testHostileBodies(service, {
    method: "PATCH",
    path,
    schema: AppConfigInput,
    valid: { name: "App", ...target },
    credentials,
  });
});
