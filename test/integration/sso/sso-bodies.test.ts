import { describe } from "bun:test";
import { ssoPath } from "@test/support/accounts/sso";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { SsoUpdate } from "@/contract/accounts/sso";

const service = await startTestService();
const { token, orgId } = await service.register();

describe("PATCH sso", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: ssoPath(orgId),
    schema: SsoUpdate,
    valid: {
      enabled: false,
      issuer: "https://login.acme.example",
      clientId: "waymark",
      clientSecret: "a secret",
      allowedDomains: ["acme.example"],
      defaultRole: "member",
      enforce: false,
    },
    credentials: { token },
  });
});
