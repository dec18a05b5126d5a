import { describe } from "bun:test";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { InstallAttributionInput, MatchInput } from "@/contract/match";
import { shape } from "@/contract/schema";

const service = await startTestService();
const { provider, ...tokens } = InstallAttributionInput.properties;

describe("POST match", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/match",
    schema: MatchInput,
    valid: { matchToken: "none" },
  });
});

/** Tests each token on its own, because they exclude each other. */
describe.each(Object.entries(tokens))("POST match/install-attribution with %s", (field, token) => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/match/install-attribution",
    schema: shape({ [field]: token, provider }),
    valid: { [field]: "none", provider: "custom" },
  });
});
