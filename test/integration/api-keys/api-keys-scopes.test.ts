import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { type Reply, startTestService } from "@test/support/service";
import { SCOPES, type Scope } from "@/contract/accounts/access";

const service = await startTestService();
const { call } = service;
const ada = await service.register();
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
const everyScope = await service.createApiKey(ada, [...SCOPES]);

const operations: [scope: Scope, name: string, request: (apiKey: string) => Promise<Reply>, ok: number][] = [
  [
    "links:write",
    "create a link",
    (apiKey) => call("POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://example.com/" } }),
    201,
  ],
  [
    "events:write",
    "send an event",
    (apiKey) => call("POST", "/api/v1/events", { apiKey, body: { name: "purchase" } }),
    201,
  ],
  ["links:read", "read a link", (apiKey) => call("GET", `/api/v1/links/${link._id}`, { apiKey }), 200],
];

describe("no scope implies another", () => {
  for (const [needed, name, request, ok] of operations) {
    for (const scope of SCOPES) {
      test(`a key with ${scope} ${scope === needed ? "may" : "may not"} ${name}`, async () => {
        const reply = await request(await service.createApiKey(ada, [scope]));
        if (scope === needed) expect(reply.status).toBe(ok);
        else expectFailure(reply, 403);
      });
    }

    test(`a key with all but ${needed} may not ${name}`, async () => {
      const others = SCOPES.filter((scope) => scope !== needed);
      expectFailure(await request(await service.createApiKey(ada, others)), 403);
    });

    test(`a key with every scope may ${name}`, async () => {
      expect((await request(everyScope)).status).toBe(ok);
    });
  }
});

describe("401 for", () => {
  const last = everyScope.slice(-1) === "0" ? "1" : "0";
  const swapped = everyScope.slice(0, 20) + everyScope.charAt(21) + everyScope.charAt(20) + everyScope.slice(22);
  const lastSecret = everyScope.charAt(30) === "0" ? "1" : "0";

  test.each([
    ["a wrong last character", everyScope.slice(0, -1) + last],
    ["a wrong character within", everyScope.slice(0, 30) + lastSecret + everyScope.slice(31)],
    ["two characters in each other's place", swapped === everyScope ? `${everyScope}x` : swapped],
    ["a key in lower case", everyScope.toLowerCase()],
    ["a key that goes on", `${everyScope}0`],
    ["a key cut short", everyScope.slice(0, -1)],
    ["a key without its prefix", everyScope.slice(8)],
    ["the prefix alone", "wm_live_"],
    ["a well-formed key that was never made", "wm_live_0000000000000000000000000000002QggkG"],
    ["a session token as a key", ada.token],
    ["text", "key"],
    ["SQL", "wm_live_'or'1'='1"],
  ])("%s", async (_, key) => {
    expectFailure(await call("GET", `/api/v1/links/${link._id}`, { apiKey: key }), 401);
  });

  test.each([
    ["a session where a key belongs", () => ({ token: ada.token })],
    ["a key as a Bearer token where a key belongs", () => ({ token: everyScope })],
    ["no credentials", () => ({})],
    ["the scheme alone", () => ({ headers: { authorization: "ApiKey" } })],
    ["the key without its scheme", () => ({ headers: { authorization: everyScope } })],
    ["the key in a header of its own", () => ({ headers: { "x-api-key": everyScope } })],
  ])("%s", async (_, credentials) => {
    expectFailure(await call("GET", `/api/v1/links/${link._id}`, credentials()), 401);
    const body = { defaultUrl: "https://example.com/" };
    expectFailure(await call("POST", "/api/v1/links", { ...credentials(), body }), 401);
  });

  test("a key on a route that needs a session, with either scheme", async () => {
    const path = `/api/v1/organizations/${ada.orgId}/links`;
    expectFailure(await call("GET", path, { apiKey: everyScope }), 401);
    expectFailure(await call("GET", path, { token: everyScope }), 401);
    expectFailure(await call("GET", "/api/v1/auth/me", { apiKey: everyScope }), 401);
  });
});

test("a key can read only the links of its own organization", async () => {
  const bob = await service.register();
  const foreign = await service.createApiKey(bob, [...SCOPES]);
  expectFailure(await call("GET", `/api/v1/links/${link._id}`, { apiKey: foreign }), 404);
});
