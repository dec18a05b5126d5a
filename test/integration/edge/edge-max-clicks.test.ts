import { describe, expect, test } from "bun:test";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";
import type { OrgId } from "@/core/ids";
import { createClickLimit } from "@/edge/click-limit";
import { VISIT_PLACES } from "@/platform/db/pools";

const service = await startTestService();
const { call, sql, visit } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const HUMAN = {
  accept: "application/json",
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
};

const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const admitted = async ({ _id }: Link) =>
  Number((await sql`select admitted from link_admissions where link_id = ${_id}`)[0]?.admitted ?? 0);
const statuses = async (link: Link, count: number, headers: Record<string, string> = HUMAN) => {
  const replies = await Promise.all(Array.from({ length: count }, () => visit(link, headers)));
  return replies.map(({ status }) => status);
};
const countOf = (list: number[], status: number) => list.filter((each) => each === status).length;

describe("maxClicks", () => {
  test("of 10 admits exactly 10 of 50 simultaneous visitors, and no one after", async () => {
    const link = await create({ maxClicks: 10 });
    const first = await statuses(link, 50);
    expect([countOf(first, 302), countOf(first, 410)]).toEqual([10, 40]);
    expect(await statuses(link, 5)).toEqual([410, 410, 410, 410, 410]);
    expect(await admitted(link)).toBe(10);
    expect(await (await visit(link, HUMAN)).json()).toEqual({ error: "This link has reached its limit of visits" });
  });

  test("leaves connections to people at the dashboard while crowds wait for places", async () => {
    const links = await Promise.all(Array.from({ length: VISIT_PLACES + 4 }, () => create({ maxClicks: 4 })));
    for (const link of links) await statuses(link, 1);
    const ids = links.map(({ _id }) => `'${_id}'`).join();
    const places = `select from link_admissions where link_id in (${ids}) for update`;
    const list = () => call("GET", `/api/v1/organizations/${ada.orgId}/links`, { token: ada.token });
    const { crowds, lists } = await whileLocked(sql, places, async () => {
      const crowds = links.map((link) => statuses(link, 5));
      await waitUntilBlocked(sql, VISIT_PLACES);
      const lists = await Promise.all(Array.from({ length: 20 }, list));
      return { crowds, lists };
    });
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200));
    for (const crowd of crowds) {
      const seen = await crowd;
      expect([countOf(seen, 302), countOf(seen, 410)]).toEqual([3, 2]);
    }
  });

  test("admits exactly as many of a crowd that comes to two servers at once", async () => {
    const link = await create({ maxClicks: 77 });
    const limits = [createClickLimit(service.db), createClickLimit(service.db)];
    const visitor = { id: link._id, orgId: ada.orgId as OrgId };
    const crowd = Array.from({ length: 400 }, (_, index) => limits[index % 2]?.admit(visitor, 77));
    const outcomes = await Promise.all(crowd);
    expect(outcomes.filter(Boolean)).toHaveLength(77);
    expect(await admitted(link)).toBe(77);
  });

  test("of 1 admits only the first visitor", async () => {
    const link = await create({ maxClicks: 1 });
    expect([...(await statuses(link, 1)), ...(await statuses(link, 1))]).toEqual([302, 410]);
  });

  test("counts a browser whose User-Agent names a crawler only beyond the stored length", async () => {
    const link = await create({ maxClicks: 1 });
    const padded = { ...HUMAN, "user-agent": `${HUMAN["user-agent"].padEnd(512)} Googlebot/2.1` };
    expect([...(await statuses(link, 1, padded)), ...(await statuses(link, 1, padded))]).toEqual([302, 410]);
  });

  test("that is raised admits the difference; lowered, it admits no one", async () => {
    const link = await create({ maxClicks: 2 });
    const patch = (maxClicks: number | null) =>
      call("PATCH", `/api/v1/organizations/${ada.orgId}/links/${link._id}`, { token: ada.token, body: { maxClicks } });
    await statuses(link, 5);
    await patch(3);
    expect(countOf(await statuses(link, 5), 302)).toBe(1);
    await patch(1);
    expect(countOf(await statuses(link, 5), 302)).toBe(0);
    await patch(null);
    expect(countOf(await statuses(link, 5), 302)).toBe(5);
    expect(await admitted(link)).toBe(3);
  });

  test("is independent of the link's click counters", async () => {
    const link = await create({ maxClicks: 1 });
    await sql`
      insert into link_counters (org_id, link_id, writer, clicks)
      select org_id, id, 999, 1000 from links where id = ${link._id}`;
    expect(await statuses(link, 1)).toEqual([302]);
  });
});

describe("does not count toward maxClicks:", () => {
  const onlookers: [name: string, headers: Record<string, string>, method?: string][] = [
    ["a crawler", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" }],
    ["a previewer of a messenger", { "user-agent": "WhatsApp/2.23.20.0" }],
    ["a script", { "user-agent": "curl/8.5.0" }],
    ["a browser that fetches ahead", { ...HUMAN, "sec-purpose": "prefetch;prerender" }],
    ["an older browser that fetches ahead", { ...HUMAN, purpose: "prefetch" }],
    ["Firefox fetching ahead", { ...HUMAN, "x-moz": "prefetch" }],
    ["Safari's preview", { ...HUMAN, "x-purpose": "preview" }],
    ["HEAD", HUMAN, "HEAD"],
  ];

  test.each(onlookers.map(([name, headers, method = "GET"]) => [name, headers, method] as const))(
    "%s is redirected while a place is left, and gets 410 after",
    async (_, headers, method) => {
      const link = await create({ maxClicks: 1 });
      const look = () => fetch(link.shortUrl, { method, redirect: "manual", headers });
      expect([(await look()).status, (await look()).status]).toEqual([302, 302]);
      expect(await admitted(link)).toBe(0);
      expect(await statuses(link, 1)).toEqual([302]);
      expect((await look()).status).toBe(410);
      expect(await admitted(link)).toBe(1);
    },
  );

  test("a visitor refused for another reason", async () => {
    const link = await create({ maxClicks: 1, password: "open sesame", expiresAt: "2099-01-01T00:00:00Z" });
    expect(await statuses(link, 3)).toEqual([403, 403, 403]);
    expect((await visit(`/${link.slug}?pw=wrong`, HUMAN)).status).toBe(403);
    expect((await fetch(link.shortUrl, { method: "POST" })).status).toBe(403);
    expect((await fetch(link.shortUrl, { method: "DELETE" })).status).toBe(405);
    expect(await admitted(link)).toBe(0);
    expect((await visit(`/${link.slug}?pw=open+sesame`, HUMAN)).status).toBe(302);
    expect((await visit(`/${link.slug}?pw=open+sesame`, HUMAN)).status).toBe(410);
    expect((await visit(`/${link.slug}?pw=wrong`, HUMAN)).status).toBe(410);
  });

  test("resolve and preview, which report when the limit is reached", async () => {
    const link = await create({ maxClicks: 1 });
    const resolve = () => call("GET", `/api/v1/resolve?domain=${service.host}&slug=${link.slug}`, { headers: HUMAN });
    const preview = () =>
      call<{ blockers: string[] }>("POST", `/api/v1/organizations/${ada.orgId}/links/preview`, {
        token: ada.token,
        body: { slug: link.slug },
      });
    for (let round = 1; round <= 3; round++) {
      expect((await resolve()).status).toBe(200);
      expect((await preview()).body.blockers).toEqual([]);
    }
    expect(await statuses(link, 1)).toEqual([302]);
    expect((await resolve()).status).toBe(410);
    expect((await preview()).body.blockers).toEqual(["max_clicks_reached"]);
    expect(await admitted(link)).toBe(1);
  });
});

test("maxClicks admits exactly as many simultaneous visitors on a link with a password", async () => {
  const link = await create({ maxClicks: 3, password: "open sesame" });
  const replies = await Promise.all(Array.from({ length: 20 }, () => visit(`/${link.slug}?pw=open+sesame`, HUMAN)));
  expect(
    countOf(
      replies.map(({ status }) => status),
      302,
    ),
  ).toBe(3);
  expect(await admitted(link)).toBe(3);
});
