/** What a dashboard's host shows of its organization before anyone signs in, and what no other host shows. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startTestService } from "@test/support/service";
import { untilShown } from "@test/support/until";
import { VISITOR_ICONS_PATH } from "@/contract/public";
import { pagePalette } from "@/core/pages/page-palette";

const service = await startTestService();
const { sql } = service;
const account = await service.register();
const path = (hostname: string) => `/api/v1/public/dashboard-branding?hostname=${encodeURIComponent(hostname)}`;
const ask = (hostname: string) => service.call("GET", path(hostname));
const NONE = { enabled: false, branding: { displayName: "Waymark", accentColor: "#1f4fd8" } };
const branding = { displayName: "Acme Links", logoUrl: "https://acme.example/logo.svg", accentColor: "#c00" };

await sql`update organizations set branding = ${JSON.stringify(branding)}, settings = ${JSON.stringify({ secret: 1 })}
  where id = ${account.orgId}`;
await add("app.acme.example", { enabled: true });
await add("xn--bcher-kva.example", { enabled: true });
await add("go.acme.example", { enabled: false });
await add("new.acme.example", {});
await add("claimed.example", { enabled: true }, false);
while ((await ask("xn--bcher-kva.example")).body.enabled !== true) await Bun.sleep(5);

describe("400", () => {
  test.each([
    ["without a hostname", "/api/v1/public/dashboard-branding", "required"],
    ["with an empty one", path(""), "expected 1 to 260 characters"],
    ["with one that is too long", path("a".repeat(261)), "expected 1 to 260 characters"],
    ["with a NUL byte", path("a\0b"), "must not contain a NUL byte"],
  ])("%s", async (_, url, fault) => {
    const { status, body } = await service.call("GET", url);
    expect(status).toBe(400);
    expect(body.details).toEqual([`hostname: ${fault}`]);
  });
});

describe("200 with the service's own branding, naming no organization", () => {
  test.each([
    "unknown.example",
    "go.acme.example",
    "new.acme.example",
    "claimed.example",
    "acme.example",
    "x.app.acme.example",
    "app.acme.example.evil.example",
    "app.acme.example@evil.example",
    service.host,
    "localhost",
    "127.0.0.1",
    "not a host",
    "%",
    "' or true --",
    "*.acme.example",
    "__proto__",
  ])("for %j", async (hostname) => {
    const { status, body } = await ask(hostname);
    expect({ status, body }).toEqual({ status: 200, body: NONE });
  });
});

describe("200 with the organization's branding", () => {
  test.each(["app.acme.example", "APP.Acme.Example", "app.acme.example.", "app.acme.example:8443", "bücher.example"])(
    "for %j",
    async (hostname) => {
      const { status, headers, body } = await ask(hostname);
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(body).toEqual({
        enabled: true,
        organization: { _id: account.orgId, name: "Acme 1", slug: expect.any(String), branding },
        branding,
      });
    },
  );
});

describe("the sign-in page", () => {
  const signIn = async (host: string) => (await service.visit("/app/sign-in", { host })).text();

  test("uses the branding of the host's organization", async () => {
    const page = await untilShown(() => signIn("app.acme.example"), "<title>Sign in · Acme Links</title>");
    expect(page).toContain(`<img src="${VISITOR_ICONS_PATH}/${account.orgId}"`);
    expect(page).toContain(`--accent:${pagePalette(branding.accentColor).light.accent}`);
  });

  test("uses the service's own branding on other hosts", async () => {
    const page = await signIn(service.host);
    expect(page).toContain("<title>Sign in · Waymark</title>");
    expect(page).not.toContain("<img");
  });

  test("escapes the organization's name", async () => {
    const name = `</title><script>alert("1")</script>`;
    const { orgId } = await service.register();
    await sql`update organizations set name = ${name} where id = ${orgId}`;
    const id = await addDomain(service, orgId, { hostname: "odd.example" });
    await sql`update domains set dashboard = '{"enabled": true}' where id = ${id}`;
    await addDomain(service, orgId, { hostname: "unused.odd.example", isVerified: false });
    while ((await ask("odd.example")).body.enabled !== true) await Bun.sleep(5);
    const page = await untilShown(() => signIn("odd.example"), "&lt;script");
    expect(page).not.toContain("<script");
  });
});

async function add(hostname: string, dashboard: Record<string, boolean>, isVerified = true): Promise<void> {
  const id = await addDomain(service, account.orgId, { hostname, isVerified: false });
  await sql`update domains set dashboard = ${JSON.stringify(dashboard)}, is_verified = ${isVerified} where id = ${id}`;
  // Adding this unused domain announces the change above.
  await addDomain(service, account.orgId, { hostname: `unused.${hostname}`, isVerified: false });
}
