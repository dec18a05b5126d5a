import { describe, expect, test } from "bun:test";
import { fieldsOf } from "@test/support/failure";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { ApiKeyInput } from "@/contract/api-keys";
import { LoginInput, RegisterInput } from "@/contract/auth";

const service = await startTestService();
const ada = await service.register();

describe("POST auth/register", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/auth/register",
    schema: RegisterInput,
    // Never taken as it is, so that a field's odd values alone cost a password hash.
    valid: { name: "Eve", email: ada.email, password: "quartz trombone", organizationName: "Eve's" },
  });
});

describe("POST auth/login", () => {
  test("odd text as a password is a wrong password", async () => {
    for (const password of ["'; drop table users; --", "🦊🐙", "__proto__", "a\r\nb"]) {
      const { status } = await service.call("POST", "/api/v1/auth/login", { body: { email: ada.email, password } });
      expect(status).toBe(401);
    }
  });

  test("wrong types are refused, each by its name", async () => {
    for (const wrong of [5, true, [], ["a"], {}, { $gt: "" }, null, "a\0b", "\ud800"]) {
      for (const field of Object.keys(LoginInput.properties)) {
        const body = { email: ada.email, password: "a password", [field]: wrong };
        const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/login", { body });
        expect([field, wrong, reply.status, fieldsOf(reply.body)]).toEqual([field, wrong, 400, [field]]);
      }
    }
  });
});

describe("POST api-keys", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `/api/v1/organizations/${ada.orgId}/api-keys`,
    schema: ApiKeyInput,
    valid: { name: "server", scopes: ["links:read"], expiresAt: "2030-01-01T00:00:00Z" },
    credentials: { token: ada.token },
  });
});
