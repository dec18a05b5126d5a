import { describe, expect, test } from "bun:test";
import { fieldsOf } from "@test/support/failure";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { AccessTokenInput } from "@/contract/accounts/access-tokens";
import { ApiKeyInput } from "@/contract/accounts/api-keys";
import { LoginInput, RegisterInput } from "@/contract/accounts/auth";
import { InviteMemberInput, RoleInput } from "@/contract/accounts/members";
import { OrganizationInput, OrganizationUpdate } from "@/contract/accounts/organizations";
import { PasswordForgottenInput, PasswordResetInput } from "@/contract/accounts/password-reset";
import { SsoExchangeInput } from "@/contract/accounts/sso";
import { CodeInput, DisableTwoFactorInput, TwoFactorLoginInput } from "@/contract/accounts/two-factor";

const service = await startTestService();
const ada = await service.register();

describe("POST auth/register", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/auth/register",
    schema: RegisterInput,
    // The address is taken, so only odd values of a field can cost a password hash.
    valid: { name: "Eve", email: ada.email, password: "quartz trombone", organizationName: "Eve's" },
  });
});

describe("POST auth/login", () => {
  test("odd text as a password is refused with 401", async () => {
    for (const password of ["'; drop table users; --", "🦊🐙", "__proto__", "a\r\nb"]) {
      const { status } = await service.call("POST", "/api/v1/auth/login", { body: { email: ada.email, password } });
      expect(status).toBe(401);
    }
  });

  test("wrong types are refused, naming the field", async () => {
    for (const wrong of [5, true, [], ["a"], {}, { $gt: "" }, null, "a\0b", "\ud800"]) {
      for (const field of Object.keys(LoginInput.properties)) {
        const body = { email: ada.email, password: "a password", [field]: wrong };
        const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/login", { body });
        expect([field, wrong, reply.status, fieldsOf(reply.body)]).toEqual([field, wrong, 400, [field]]);
      }
    }
  });
});

describe("POST auth/2fa/enable", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/auth/2fa/enable",
    schema: CodeInput,
    valid: { code: "not a code" },
    credentials: { token: ada.token },
  });
});

describe("POST auth/2fa/disable", () => {
  // Two-factor is not enabled, so every body of the right form is refused alike.
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/auth/2fa/disable",
    schema: DisableTwoFactorInput,
    valid: { password: "quartz trombone", code: "123456" },
    credentials: { token: ada.token },
  });
});

describe("POST auth/login/2fa", () => {
  test("odd text as a challenge is refused with 401", async () => {
    for (const challengeToken of [
      "'; drop table users; --",
      "🦊🐙",
      "__proto__",
      "a.b.c",
      "eyJhbGciOiJub25lIn0.e30.",
    ]) {
      const body = { challengeToken, code: "123456" };
      expect((await service.call("POST", "/api/v1/auth/login/2fa", { body })).status).toBe(401);
    }
  });

  test("wrong types are refused, naming the field", async () => {
    for (const wrong of [5, true, [], ["a"], {}, { $gt: "" }, null, "", "a\0b", "\ud800"]) {
      for (const field of Object.keys(TwoFactorLoginInput.properties)) {
        const body = { challengeToken: "none", code: "123456", [field]: wrong };
        const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/login/2fa", { body });
        expect([field, wrong, reply.status, fieldsOf(reply.body)]).toEqual([field, wrong, 400, [field]]);
      }
    }
  });
});

describe("POST organizations", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/organizations",
    schema: OrganizationInput,
    valid: { name: "Another" },
    credentials: { token: ada.token },
  });
});

describe("PATCH organization", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `/api/v1/organizations/${ada.orgId}`,
    schema: OrganizationUpdate,
    valid: {
      name: "Acme",
      branding: {
        displayName: "Acme",
        logoUrl: "https://acme.example/logo.svg",
        accentColor: "#1f4fd8",
        supportUrl: "https://acme.example/support",
        footerText: "Acme Ltd",
      },
      settings: { appendClickId: true },
    },
    credentials: { token: ada.token },
    echoed: ["branding.displayName", "branding.footerText"],
  });
});

describe("POST members/invite", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `/api/v1/organizations/${ada.orgId}/members/invite`,
    schema: InviteMemberInput,
    valid: { email: ada.email, role: "viewer" },
    credentials: { token: ada.token },
  });
});

describe("PATCH members", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `/api/v1/organizations/${ada.orgId}/members/${Bun.randomUUIDv7()}`,
    schema: RoleInput,
    valid: { role: "viewer" },
    credentials: { token: ada.token },
  });
});

describe("POST auth/password/forgot", () => {
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/auth/password/forgot",
    schema: PasswordForgottenInput,
    valid: { email: ada.email },
  });
});

describe("POST auth/password/reset", () => {
  test("wrong types are refused, naming the field", async () => {
    for (const wrong of [5, true, [], ["a"], {}, { $gt: "" }, null, "", "a\0b", "\ud800"]) {
      for (const field of Object.keys(PasswordResetInput.properties)) {
        const body = { token: "none", password: "quartz trombone", [field]: wrong };
        const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/password/reset", { body });
        expect([field, wrong, reply.status, fieldsOf(reply.body)]).toEqual([field, wrong, 400, [field]]);
      }
    }
  });
});

describe("POST auth/sso/exchange", () => {
  test("wrong types are refused, naming the field", async () => {
    for (const wrong of [5, true, [], ["a"], {}, { $gt: "" }, null, "", "a\0b", "\ud800"]) {
      for (const field of Object.keys(SsoExchangeInput.properties)) {
        const body = { code: "none", codeVerifier: "v".repeat(43), [field]: wrong };
        const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/sso/exchange", { body });
        expect([field, wrong, reply.status, fieldsOf(reply.body)]).toEqual([field, wrong, 400, [field]]);
      }
    }
  });
});

describe("POST auth/verify-email", () => {
  test("a token of a wrong type or form is refused, naming the field", async () => {
    for (const token of [5, true, [], ["a"], {}, { $gt: "" }, null, "", "a\0b", "\ud800", "a.b.c", "x".repeat(1_001)]) {
      const reply = await service.call<Record<string, unknown>>("POST", "/api/v1/auth/verify-email", {
        body: { token },
      });
      expect([token, reply.status, fieldsOf(reply.body)]).toEqual([token, 400, ["token"]]);
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

describe("POST access-tokens", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `/api/v1/organizations/${ada.orgId}/access-tokens`,
    schema: AccessTokenInput,
    valid: { name: "script", scopes: ["read"], expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    credentials: { token: ada.token },
  });
});
