/** The domain of a short URL: the organization's primary verified domain, another one of its own, or the shared one. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const create = (body: Record<string, unknown>, { token, orgId }: Account = ada) =>
  call<Link & Record<string, unknown>>("POST", `/api/v1/organizations/${orgId}/links`, {
    token,
    body: { defaultUrl, ...body },
  });
/** Visits with the given host. */
const at = (host: string, path: string) => service.visit(path, { host });
const [shared] = await sql`select id from domains where org_id is null`;
const sharedId = String(shared?.id);

const unverified = await addDomain(service, ada.orgId, {
  hostname: "new.ada.test",
  isVerified: false,
  isPrimary: true,
});
const verified = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });

describe("400", () => {
  test("for a link on an unverified domain", async () => {
    expectFailure(await create({ domainId: unverified }), 400, ["domainId"]);
  });
});

describe("a link without domainId", () => {
  test("is created on the shared domain while no verified domain is primary", async () => {
    const { body } = await create({ slug: "home" });
    expect([body.domainId, body.shortUrl]).toEqual([sharedId, `http://${service.host}/home`]);
  });

  test("is created on the primary verified domain once there is one", async () => {
    const bob = await service.register();
    const primary = await addDomain(service, bob.orgId, { hostname: "go.bob.test", isPrimary: true });
    await addDomain(service, bob.orgId, { hostname: "other.bob.test" });
    const { body } = await create({ slug: "home" }, bob);
    expect([body.domainId, body.shortUrl]).toEqual([primary, "https://go.bob.test/home"]);
    expect((await create({ slug: "home", domainId: sharedId }, bob)).status).toBe(409);
    expect((await at("go.bob.test", "/home")).headers.get("location")).toBe(defaultUrl);
  });
});

describe("a link on a custom domain", () => {
  test("is served there with or without a port, in any case, and with a trailing dot", async () => {
    const { body } = await create({ slug: "spring", domainId: verified });
    expect(body.shortUrl).toBe("https://go.ada.test/spring");
    for (const host of ["go.ada.test", "go.ada.test:8443", "GO.Ada.TEST", "go.ada.test.", "go.ada.test.:80"]) {
      expect((await at(host, "/spring")).status).toBe(302);
    }
  });

  test("is served nowhere else", async () => {
    await create({ slug: "only-here", domainId: verified });
    for (const host of [
      service.host,
      "ada.test",
      "evil.go.ada.test",
      "go.ada.test.evil.test",
      "new.ada.test",
      "127.0.0.1",
    ]) {
      expect((await at(host, "/only-here")).status).toBe(404);
    }
  });

  test("is separate from a link with the same slug on the shared domain", async () => {
    await create({ slug: "twice", domainId: verified, defaultUrl: "https://example.com/own" });
    await create({ slug: "twice", domainId: sharedId, defaultUrl: "https://example.com/shared" });
    expect((await at("go.ada.test", "/twice")).headers.get("location")).toBe("https://example.com/own");
    expect((await at(service.host, "/twice")).headers.get("location")).toBe("https://example.com/shared");
  });

  test("can have a prefix and letters beyond ASCII", async () => {
    const { body } = await create({ slug: "größe", pathPrefix: "Maß/XL", domainId: verified });
    expect(body.shortUrl).toBe("https://go.ada.test/Ma%C3%9F/XL/gr%C3%B6%C3%9Fe");
    expect((await at("go.ada.test", new URL(body.shortUrl).pathname)).status).toBe(302);
    expect((await at("go.ada.test", "/MASS/xl/GR%C3%96SSE")).status).toBe(302);
  });

  test("may lead to the same path on another host, but not to itself by any scheme or port", async () => {
    const other = await create({ slug: "x", domainId: verified, defaultUrl: "https://example.com/x" });
    expect(other.status).toBe(201);
    for (const url of ["https://go.ada.test/y", "http://go.ada.test/Y", "https://go.ada.test:443/y/?a=b"]) {
      expectFailure(await create({ slug: "y", domainId: verified, defaultUrl: url }), 400, ["defaultUrl"]);
    }
  });

  test("is not served while its domain is unverified, and preview says why", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "lapsed.ada.test" });
    await create({ slug: "kept", domainId });
    await sql`update domains set is_verified = false where id = ${domainId}`;
    expect((await at("lapsed.ada.test", "/kept")).status).toBe(404);
    const preview = await call("POST", `/api/v1/organizations/${ada.orgId}/links/preview`, {
      token: ada.token,
      body: { shortUrl: "https://lapsed.ada.test/kept" },
    });
    expect(preview.body).toMatchObject({ ok: false, blockers: ["domain_unverified"] });
  });
});

test("a link is created on the domain that it names, even if another one is primary", async () => {
  const carol = await service.register();
  await addDomain(service, carol.orgId, { hostname: "go.carol.test", isPrimary: true });
  const second = await addDomain(service, carol.orgId, { hostname: "second.carol.test" });
  const { body } = await create({ slug: "s", domainId: second }, carol);
  expect(body.shortUrl).toBe("https://second.carol.test/s");
});

test("paths of the API are ordinary slugs on a custom domain", async () => {
  expect((await at("go.ada.test", "/health")).status).toBe(404);
  expect((await create({ slug: "health", domainId: verified })).status).toBe(201);
  expect((await at("go.ada.test", "/health")).headers.get("location")).toBe(defaultUrl);
});
