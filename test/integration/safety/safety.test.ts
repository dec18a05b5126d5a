/**
 * A link's safety from creation to rescan, with a blocklist and a stand-in for Web Risk, and what two servers serve
 * accordingly.
 */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { errorResponse, startTestWebRisk } from "@test/support/outside/web-risk";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { AuditLog } from "@/contract/accounts/audit-logs";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";
import type { Safety } from "@/contract/links/safety";

const EVIL = "https://evil.example/landing";
const PHISH = "https://phish.example/login";
const GOOD = "https://shop.example.com/";

const folder = await mkdtemp(join(tmpdir(), "waymark-safety-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const BLOCKLIST_FILE = join(folder, "blocklist.txt");
await writeFile(BLOCKLIST_FILE, "evil.example\n");

const google = startTestWebRisk();
const env = {
  BLOCKLIST_FILE,
  SHORT_DOMAIN: "safe.example",
  WEB_RISK_API_KEY: google.key,
  WEB_RISK_API_URL: google.url,
  OUTBOUND_ALLOW: "127.0.0.1",
};
const service = await startTestService({ env });
const second = await startTestService({ env: { ...env, DATABASE_URL: service.databaseUrl } });
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const call = <Body>(method: string, rest: string, body?: unknown) =>
  service.call<Body>(method, `${links}${rest}`, { token: ada.token, body });
const patch = async (id: string, body: unknown) => (await call<Link>("PATCH", `/${id}`, body)).body;
const safetyOf = async (id: string) => (await call<Link>("GET", `/${id}`)).body.safety;
const rescan = (id: string) => call<Safety>("POST", `/${id}/safety/rescan`);
const visited = async (slug: string, server: TestService = service) =>
  (await server.visit(`/${slug}`, { host: "safe.example" })).status;
const historyOf = async (id: string) => {
  const path = `/api/v1/organizations/${ada.orgId}/audit-logs?action=link.safety&limit=100`;
  const { body } = await service.call<{ auditLogs: AuditLog[] }>("GET", path, { token: ada.token });
  return body.auditLogs.filter(({ resourceId }) => resourceId === id).map(({ actor, changes }) => ({ actor, changes }));
};

/** Waits until Web Risk has been asked about the link. */
const settled = (id: string) =>
  eventually(async () => {
    const [row] = await service.sql`select safety_checked_at is null as is_due from links where id = ${id}`;
    return Boolean(row?.is_due);
  }, false);

beforeEach(() => {
  google.threats.clear();
  google.failing = null;
  google.asked.length = 0;
});

describe("a new link", () => {
  test.each([
    ["its default", { defaultUrl: EVIL }],
    ["a rule", { defaultUrl: GOOD, rules: [{ priority: 1, destinationUrl: EVIL, conditions: {} }] }],
    ["a split target", { defaultUrl: GOOD, splitTargets: [{ key: "a", weight: 1, destinationUrl: EVIL }] }],
    ["its button", { defaultUrl: GOOD, ctaOverlay: { enabled: true, buttonUrl: EVIL } }],
  ])("that leads to a blocked host by %s never serves", async (_, input) => {
    const link = await service.createLink(ada, input);
    const reasons = ["blocklist: evil.example is on this service's blocklist"];
    expect(link.safety).toEqual({
      status: "unsafe",
      reasons,
      checkedAt: expect.any(String),
      destinations: [{ url: EVIL, status: "unsafe", reasons }],
    });
    expect(await visited(link.slug)).toBe(403);
    const preview = await call<LinkPreview>("POST", "/preview", { shortUrl: link.shortUrl });
    expect([preview.body.ok, preview.body.blockers, preview.body.safety.status]).toEqual([false, ["unsafe"], "unsafe"]);
  });

  test("that imitates a brand is suspicious, but redirects", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://paypal-login.example/" });
    expect([link.safety.status, await visited(link.slug)]).toEqual(["suspicious", 302]);
    expect(link.safety.reasons).toEqual([
      "brand_in_foreign_host: paypal-login.example contains paypal but is not its domain",
    ]);
  });

  test("that leads to another short link is suspicious", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://safe.example/other" });
    expect(link.safety.reasons).toEqual(["own_short_link: safe.example is a short domain of this service"]);
  });

  test("is safe after the blocklist check, and Web Risk is asked after the response", async () => {
    const link = await service.createLink(ada, { defaultUrl: `${GOOD}new` });
    expect([link.safety.status, link.safety.reasons]).toEqual(["safe", []]);
    await settled(link._id);
    expect(google.asked).toContain(`${GOOD}new`);
    const [row] =
      await service.sql`select version, updated_at > created_at as is_later from links where id = ${link._id}`;
    expect(row).toMatchObject({ version: 1, is_later: false });
    expect(await historyOf(link._id)).toEqual([]);
  });

  test("that Web Risk lists is soon blocked on both servers, with the reason in its history", async () => {
    google.threats.set(PHISH, ["SOCIAL_ENGINEERING"]);
    const link = await service.createLink(ada, { defaultUrl: PHISH });
    await eventually(() => visited(link.slug), 403);
    await eventually(() => visited(link.slug, second), 403);
    const reasons = [
      "web_risk_social_engineering: Google Web Risk lists phish.example for deception, such as phishing",
    ];
    expect(await safetyOf(link._id)).toMatchObject({ status: "unsafe", reasons });
    expect(await historyOf(link._id)).toEqual([
      {
        actor: { type: "system", _id: null, email: null },
        changes: { status: { from: "safe", to: "unsafe" }, reasons: { from: [], to: reasons } },
      },
    ]);
    const resolved = await service.call("GET", `/api/v1/resolve?domain=safe.example&slug=${link.slug}`);
    expect(resolved.status).toBe(403);
  });
});

describe("a changed link", () => {
  test("is blocked and unblocked at once, on both servers", async () => {
    const { _id, slug } = await service.createLink(ada, { defaultUrl: GOOD });
    expect([await visited(slug), await visited(slug, second)]).toEqual([302, 302]);
    expect((await patch(_id, { defaultUrl: EVIL })).safety.status).toBe("unsafe");
    expect(await visited(slug)).toBe(403);
    await eventually(() => visited(slug, second), 403);
    expect((await patch(_id, { defaultUrl: GOOD })).safety.status).toBe("safe");
    expect(await visited(slug)).toBe(302);
    await eventually(() => visited(slug, second), 302);
    expect((await historyOf(_id)).map(({ changes }) => changes.status)).toEqual([
      { from: "unsafe", to: "safe" },
      { from: "safe", to: "unsafe" },
    ]);
  });

  test("keeps the results for unchanged destinations without asking Web Risk", async () => {
    google.threats.set(PHISH, ["MALWARE"]);
    const { _id } = await service.createLink(ada, { defaultUrl: PHISH });
    await eventually(async () => (await safetyOf(_id)).status, "unsafe");
    google.failing = () => errorResponse(500, "INTERNAL");
    expect((await patch(_id, { title: "Renamed" })).safety.status).toBe("unsafe");
    const rules = [{ priority: 1, destinationUrl: GOOD, conditions: {} }];
    expect((await patch(_id, { rules })).safety.status).toBe("unsafe");
    expect((await patch(_id, { defaultUrl: GOOD, rules: null })).safety.status).toBe("safe");
  });

  test("is never judged by its former destination", async () => {
    const [former, present] = [`${PHISH}?edited`, `${GOOD}edited`];
    const answers = { [former]: Promise.withResolvers<object>(), [present]: Promise.withResolvers<object>() };
    google.failing = async () => Response.json(await answers[google.asked.at(-1) ?? ""]?.promise);
    const timesAsked = (url: string) => async () => google.asked.filter((asked) => asked === url).length;
    const { _id, slug } = await service.createLink(ada, { defaultUrl: former });
    await eventually(timesAsked(former), 1);
    await patch(_id, { defaultUrl: present });
    await eventually(timesAsked(present), 1);
    answers[former]?.resolve({ threat: { threatTypes: ["MALWARE"], expireTime: google.expireTime } });
    // The check of the former destination finished too late, so another one begins.
    await eventually(timesAsked(present), 2);
    expect([(await safetyOf(_id)).status, await visited(slug)]).toEqual(["safe", 302]);
    google.failing = null;
    answers[present]?.resolve({});
    await settled(_id);
    expect([(await safetyOf(_id)).status, await visited(slug)]).toEqual(["safe", 302]);
  });
});

describe("a rescan", () => {
  test("of an unknown link is 404", async () => {
    expect((await rescan(Bun.randomUUIDv7())).status).toBe(404);
    expect((await rescan("none")).status).toBe(404);
  });

  test("detects new threats, and threats that are gone", async () => {
    const { _id, slug } = await service.createLink(ada, { defaultUrl: `${PHISH}?rescan` });
    await settled(_id);
    google.threats.set(`${PHISH}?rescan`, ["UNWANTED_SOFTWARE"]);
    const found = await rescan(_id);
    expect([found.status, found.body.status, await visited(slug)]).toEqual([200, "unsafe", 403]);
    expect(found.body).toEqual(await safetyOf(_id));
    google.threats.clear();
    expect([(await rescan(_id)).body.status, await visited(slug)]).toEqual(["safe", 302]);
  });

  test("keeps the last result when Web Risk is unavailable, and the link is due again soon", async () => {
    const url = `${PHISH}?away`;
    google.threats.set(url, ["MALWARE"]);
    const { _id } = await service.createLink(ada, { defaultUrl: url });
    await eventually(async () => (await safetyOf(_id)).status, "unsafe");
    google.failing = () => errorResponse(503, "UNAVAILABLE");
    expect((await rescan(_id)).body.status).toBe("unsafe");
    const [row] = await service.sql`
      select safety_checked_at between now() - interval '1 day' and now() - interval '23 hours' as is_due_soon
      from links where id = ${_id}`;
    expect(row?.is_due_soon).toBe(true);
  });

  test("does not delay redirects while Web Risk is silent", async () => {
    const { _id, slug } = await service.createLink(ada, { defaultUrl: `${GOOD}silent` });
    await settled(_id);
    const silence = Promise.withResolvers<Response>();
    google.failing = () => silence.promise;
    const rescanned = rescan(_id);
    await eventually(async () => google.asked.filter((url) => url === `${GOOD}silent`).length, 2);
    expect(await visited(slug)).toBe(302);
    silence.resolve(errorResponse(500, "INTERNAL"));
    expect((await rescanned).body.status).toBe("safe");
  });

  test("requested many times simultaneously answers every request", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl: `${GOOD}crowd` });
    await settled(_id);
    google.failing = async () => {
      await Bun.sleep(50);
      return Response.json({});
    };
    const answers = await Promise.all(Array.from({ length: 12 }, () => rescan(_id)));
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, "safe"]));
  });

  test("of a link that changes during every check still ends", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl: `${GOOD}busy` });
    await settled(_id);
    let changes = 0;
    google.failing = async () => {
      await patch(_id, { title: `Title ${++changes}` });
      return Response.json({});
    };
    const { status, body } = await rescan(_id);
    expect([status, body.status]).toEqual([200, "safe"]);
  });

  test("is limited to sixty a minute per organization", async () => {
    const eve: Account = await service.register();
    const { _id } = await service.createLink(eve, { defaultUrl: GOOD });
    const path = `/api/v1/organizations/${eve.orgId}/links/${_id}/safety/rescan`;
    const statuses: number[] = [];
    for (let made = 0; made < 61; made++) {
      statuses.push((await service.call("POST", path, { token: eve.token })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
    const refused = await service.call("POST", path, { token: eve.token });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

test("the Web Risk key is never logged", async () => {
  google.failing = () => errorResponse(500, "INTERNAL");
  const { _id } = await service.createLink(ada, { defaultUrl: `${GOOD}logged` });
  await rescan(_id);
  await eventually(async () => service.logged().includes("Google Web Risk did not respond"), true);
  expect(service.logged()).toContain("Google Web Risk did not respond");
  expect(service.logged()).not.toContain(google.key);
});

describe("a fallback URL", () => {
  test("is checked together with a link's other destinations", async () => {
    const { body } = await call<Link>("POST", "", { defaultUrl: GOOD, slug: "ended", expiredUrl: EVIL });
    expect([body.safety.status, await visited("ended")]).toEqual(["unsafe", 403]);
    expect((await patch(body._id, { expiredUrl: null })).safety.status).not.toBe("unsafe");
    expect(await visited("ended")).toBe(302);
  });

  test("of a domain is refused if it is listed, and accepted while Web Risk is unavailable", async () => {
    const id = await addDomain(service, ada.orgId, { hostname: "go.safe.test" });
    const set = (redirects: object) =>
      service.call("PATCH", `/api/v1/organizations/${ada.orgId}/domains/${id}`, {
        token: ada.token,
        body: { redirects },
      });
    google.threats.set(PHISH, ["SOCIAL_ENGINEERING"]);
    expectFailure(await set({ root: GOOD, notFound: PHISH, expired: EVIL }), 400, [
      "redirects.expired",
      "redirects.notFound",
    ]);
    google.failing = () => errorResponse(500, "INTERNAL");
    expectFailure(await set({ notFound: EVIL }), 400, ["redirects.notFound"]);
    expect((await set({ notFound: `${GOOD}lost` })).status).toBe(200);
    for (const server of [service, second]) {
      const location = async () => (await server.visit("/nothing", { host: "go.safe.test" })).headers.get("location");
      await eventually(location, `${GOOD}lost`);
    }
  });
});
