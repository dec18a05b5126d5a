/** Visits that were turned away, from the edge to the API: whose they are, why, what was requested and how often. */
import { beforeAll, describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { type Account, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { Link } from "@/contract/links/links";
import { HOUR_MS } from "@/core/time/time-range";

const NOW = Date.parse("2026-06-01T12:30:00.000Z");
const HOUR = "2026-06-01T12:00:00.000Z";
const PEOPLE = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36" };
const defaultUrl = "https://example.com/";

let now = NOW;
const service = await startTestService({ clock: () => now });
const { sql, host } = service;
const ada = await service.register();
const eve = await service.register();

const visit = (path: string, headers: Record<string, string> = {}) =>
  service.visit(path, { host, ...PEOPLE, ...headers });

async function unserved({ orgId, token }: Account, query = ""): Promise<UnservedVisits> {
  const path = `/api/v1/organizations/${orgId}/analytics/unserved${query}`;
  const { status, body } = await service.call<UnservedVisits>("GET", path, { token });
  expect(status).toBe(200);
  return body;
}

/** Waits for the counts, which arrive within seconds. */
const untilCounted = (account: Account, total: number): Promise<void> =>
  until(async () => (await unserved(account, "?includeBots=true")).total >= total);

type Told = Pick<UnservedVisits["visits"][number], "reason" | "status" | "linkId" | "address" | "count">;

const told = ({ visits }: UnservedVisits): Told[] =>
  visits.map(({ reason, status, linkId, address, count }) => ({ reason, status, linkId, address, count }));

let links: Record<"expired" | "off" | "early" | "locked" | "used", Link>;
let domainId: string;
beforeAll(async () => {
  domainId = await addDomain(service, ada.orgId, { hostname: "go.acme.test" });
  const create = (slug: string, facts: object) => service.createLink(ada, { defaultUrl, slug, ...facts });
  links = {
    expired: await create("gone", { expiresAt: new Date(NOW + HOUR_MS).toISOString(), title: "Spring sale" }),
    off: await create("off", {}),
    early: await create("early", { startsAt: new Date(NOW + 24 * HOUR_MS).toISOString() }),
    locked: await create("locked", { password: "open sesame" }),
    used: await create("used", { maxClicks: 1 }),
  };
  const path = `/api/v1/organizations/${ada.orgId}/links/${links.off._id}`;
  await service.call("PATCH", path, { token: ada.token, body: { isActive: false } });
});

describe("visits that were turned away", () => {
  test("are counted by link and reason, or by requested path, and add up to all such visits", async () => {
    for (let times = 0; times < 3; times++) await visit("/off?secret=1");
    await visit("/early");
    expect((await visit("/locked")).status).toBe(403);
    await visit("/locked", { "x-link-password": "wrong" });
    expect((await visit("/used")).status).toBe(302);
    expect((await visit("/used")).status).toBe(410);
    const resolve = `/api/v1/resolve?domain=${host}&slug=off`;
    expect((await service.call("GET", resolve, { headers: { "user-agent": "okhttp/4.12.0" } })).status).toBe(404);
    const own = { host: "go.acme.test" };
    for (let times = 0; times < 4; times++) await visit("/Promo%2DOld/2024?email=a@b.example", own);
    await visit("/%1b%e2%80%aeevil%0a", own);
    await visit("/", own);
    await visit("/promo-old/2024", { ...own, "user-agent": "curl/8.0" });
    await visit("/promo-old/2024", { ...own, purpose: "prefetch" });
    now = NOW + HOUR_MS;
    for (let times = 0; times < 2; times++) expect((await visit("/gone")).status).toBe(410);
    await untilCounted(ada, 18);

    const answer = await unserved(ada, "?from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z");
    expect(answer.total).toBe(16);
    const nowhere: Pick<Told, "reason" | "status" | "linkId"> = { reason: "unknown", status: 404, linkId: null };
    expect(told(answer)).toEqual([
      { reason: "inactive", status: 404, linkId: links.off._id, address: "/off", count: 4 },
      { ...nowhere, address: "/promo-old/2024", count: 4 },
      { reason: "expired", status: 410, linkId: links.expired._id, address: "/gone", count: 2 },
      { reason: "max_clicks_reached", status: 410, linkId: links.used._id, address: "/used", count: 1 },
      { reason: "not_started", status: 404, linkId: links.early._id, address: "/early", count: 1 },
      { reason: "password_incorrect", status: 403, linkId: links.locked._id, address: "/locked", count: 1 },
      { reason: "password_required", status: 403, linkId: links.locked._id, address: "/locked", count: 1 },
      ...["/", "/\ufffd\ufffdevil\ufffd"].map((address) => ({ ...nowhere, address, count: 1 })),
    ]);
    expect(answer.visits[2]).toMatchObject({
      title: "Spring sale",
      hostname: host,
      lastAt: "2026-06-01T13:00:00.000Z",
    });
    expect(answer.visits[1]).toMatchObject({ domainId, hostname: "go.acme.test", lastAt: HOUR });
    expect(answer.byReason.slice(0, 2)).toEqual([
      { reason: "unknown", status: 404, count: 6 },
      { reason: "inactive", status: 404, count: 4 },
    ]);
    expect(answer.timeseries).toHaveLength(24);
    expect(answer.timeseries.filter(({ count }) => count > 0)).toEqual([
      { at: HOUR, count: 14 },
      { at: "2026-06-01T13:00:00.000Z", count: 2 },
    ]);
  });

  test("are filtered by domain, link, reason and range, with and without bots", async () => {
    const totals = async (query: string) => (await unserved(ada, query)).total;
    expect(await totals(`?domainId=${domainId}`)).toBe(6);
    expect(await totals(`?domainId=${domainId}&includeBots=true`)).toBe(8);
    expect(await totals(`?linkId=${links.off._id}`)).toBe(4);
    expect(await totals("?reason=expired")).toBe(2);
    expect(await totals("?to=2026-06-01T13:00:00Z")).toBe(14);
    expect(await totals("?from=2026-06-01T12:59:00Z")).toBe(16);
    expect(await totals("?from=2026-06-01T13:00:00Z")).toBe(2);
    const answer = await unserved(ada, "?limit=1&reason=unknown");
    expect([answer.visits.length, answer.total]).toEqual([1, 6]);
  });

  test("are not counted on hosts without an organization, nor shown to another organization", async () => {
    const [before] = await sql`select sum(jsonb_array_length(counts))::int as told from unserved_visits`;
    for (const other of [host, "unknown.example", "localhost"]) await visit("/nothing-there", { host: other });
    await visit("/off");
    await untilCounted(ada, 19);
    const [after] = await sql`select sum(jsonb_array_length(counts))::int as told from unserved_visits`;
    expect(after?.told - before?.told).toBe(1);
    expect((await unserved(eve)).visits).toEqual([]);
  });

  test("from an address over the probing limit are counted without their paths", async () => {
    const own = { host: "go.acme.test", "x-client": "203.0.113.9" };
    for (let times = 0; times < 70; times++) await visit(`/probe-${times}`, own);
    await untilCounted(ada, 89);
    const answer = await unserved(ada, `?includeBots=true&reason=probing`);
    expect(told(answer)).toEqual([{ reason: "probing", status: 429, linkId: null, address: null, count: 10 }]);
  });
});
