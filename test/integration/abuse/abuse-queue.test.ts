/** The abuse queue and its verdicts over the API, on clicks from real visits. */
import { beforeAll, describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { REPEATS_MAX } from "@/clicks/enrich/bot-signs";
import type { AbuseGroup, AbuseItem } from "@/contract/analytics/abuse";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call } = service;
const SUSPECTS = 6;
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0" };

interface Page {
  items: AbuseItem[];
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

const queue = ({ orgId }: Account) => `/api/v1/organizations/${orgId}/analytics/abuse-queue`;
const list = (account: Account, query = "") =>
  call<Page & Record<string, unknown>>("GET", queue(account) + query, { token: account.token });
const review = (account: Account, clickId: string, body: unknown) =>
  call<AbuseItem & Record<string, unknown>>("PATCH", `${queue(account)}/${clickId}`, { token: account.token, body });

/** Creates an organization with a visitor who clicks so often in a short time that the last clicks are suspicious. */
async function suspected() {
  const account = await service.register();
  const link = await service.createLink(account, { defaultUrl: "https://example.com/", title: "Spring" });
  for (let visit = 0; visit < REPEATS_MAX + SUSPECTS; visit++) {
    await service.visit(link, BROWSER);
    await nextMillisecond();
  }
  await waitUntilDrained(service.service);
  const { items } = (await list(account)).body;
  return { account, link, items, ids: items.map(({ clickId }) => clickId) };
}

/**
 * Waits for the next millisecond: of pairs of visits within one millisecond, one in 8,192 is taken for a single visit
 * (see `marks`), and a suspect would be missing.
 */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await Bun.sleep(0);
}

let scene: Awaited<ReturnType<typeof suspected>>;
let stranger: Account;
beforeAll(async () => {
  scene = await suspected();
  stranger = await service.register();
});

describe("400", () => {
  test.each([
    ["a status there is not", { status: "guilty" }, ["status"]],
    ["no status", { note: "a" }, ["status"]],
    ["a note of 1,001 characters", { status: "confirmed", note: "a".repeat(1_001) }, ["note"]],
  ])("%s", async (_, body, fields) => {
    expectFailure(await review(scene.account, scene.ids[0] ?? "", body), 400, fields);
  });

  test("an unknown status to list by", async () => {
    expectFailure(await list(scene.account, "?status=guilty"), 400, ["status"]);
  });
});

describe("403", () => {
  test("a viewer can read but not review; a member can do both", async () => {
    const [viewer, member] = [
      await addMember(service, scene.account.orgId, "viewer"),
      await addMember(service, scene.account.orgId, "member"),
    ];
    expect((await list(viewer)).body.total).toBe(SUSPECTS);
    expectFailure(await review(viewer, scene.ids[0] ?? "", { status: "confirmed" }), 403);
    expect((await review(member, scene.ids[0] ?? "", { status: "pending" })).status).toBe(200);
  });
});

describe("404", () => {
  test.each([
    ["unknown", () => Bun.randomUUIDv7()],
    ["no id", () => "1"],
    ["another organization's", () => scene.ids[0] ?? ""],
  ])("a click that is %s", async (_, id) => {
    expectFailure(await review(stranger, id(), { status: "confirmed" }), 404);
  });

  test("a click that is not suspicious", async () => {
    const [click] = await service.sql`select id from clicks where org_id = ${scene.account.orgId} and spam_score < 70`;
    expectFailure(await review(scene.account, click?.id, { status: "confirmed" }), 404);
  });
});

describe("200", () => {
  test("the queue lists pending clicks, newest first, with link, visitor, reasons and score", async () => {
    const { body } = await list(scene.account);
    expect(body).toMatchObject({ page: 1, limit: 25, total: SUSPECTS, totalPages: 1 });
    expect(body.items.map(({ clickId }) => clickId)).toEqual(scene.ids.toSorted().toReversed());
    expect(body.items[0]).toMatchObject({
      link: { _id: scene.link._id, title: "Spring", shortUrl: scene.link.shortUrl, isDeleted: false },
      visitor: { platform: "desktop", browser: "Firefox", os: "Linux" },
      reasons: ["repeat"],
      score: 80,
      status: "pending",
      reviewedBy: null,
      reviewedAt: null,
      note: null,
    });
    expect(new Set(body.items.map(({ visitor }) => visitor._id)).size).toBe(1);
  });

  test("the queue has pages, and lists any one status or all", async () => {
    const { account, ids } = await suspected();
    const [first = "", second = "", third = ""] = ids;
    await review(account, second, { status: "confirmed" });
    await review(account, third, { status: "dismissed" });
    const idsOf = async (query: string) => (await list(account, query)).body.items.map(({ clickId }) => clickId);
    expect(await idsOf("")).toEqual([first, ...ids.slice(3)]);
    expect(await idsOf("?status=confirmed")).toEqual([second]);
    expect(await idsOf("?status=dismissed")).toEqual([third]);
    expect(await idsOf("?status=all")).toEqual(ids);
    expect(await idsOf("?status=all&limit=2&page=2")).toEqual(ids.slice(2, 4));
    expect((await list(account, "?status=all&limit=2&page=2")).body).toMatchObject({
      total: 6,
      totalPages: 3,
      page: 2,
    });
    expect(await idsOf("?page=9")).toEqual([]);
  });

  test("a verdict is returned, stored with its reviewer, and recorded in the audit log", async () => {
    const { account, ids } = await suspected();
    const [id = ""] = ids;
    const [user] = await service.sql`select id from users where email = ${account.email}`;
    const { body } = await review(account, id, { status: "dismissed", note: "Our own load test" });
    expect(body).toMatchObject({
      clickId: id,
      status: "dismissed",
      reviewedBy: user?.id,
      reviewedAt: expect.any(String),
      note: "Our own load test",
    });
    expect((await review(account, id, { status: "dismissed" })).body).toEqual(body);
    expect((await list(account, "?status=dismissed")).body.items).toEqual([body]);
    const again = await review(account, id, { status: "pending", note: null });
    expect(again.body).toMatchObject({ status: "pending", reviewedBy: null, reviewedAt: null, note: null });
    const entries = await service.sql`
      select actor_email, resource_type, resource_id, changes from audit_logs
      where org_id = ${account.orgId} and action = 'abuse.review' order by id`;
    const entry = { actor_email: account.email, resource_type: "click", resource_id: id };
    const note = "Our own load test";
    expect(entries.map((each) => ({ ...each }))).toEqual([
      { ...entry, changes: { status: { from: "pending", to: "dismissed" }, note: { from: null, to: note } } },
      { ...entry, changes: { status: { from: "dismissed", to: "pending" }, note: { from: note, to: null } } },
    ]);
  });

  test("a click that is given back is the last of its link", async () => {
    const account = await service.register();
    const [repeated, other] = [
      await service.createLink(account, { defaultUrl: "https://example.com/", title: "Repeated" }),
      await service.createLink(account, { defaultUrl: "https://example.com/", title: "Other" }),
    ];
    for (const link of [...Array.from({ length: REPEATS_MAX }, () => repeated), other, repeated]) {
      await service.visit(link, BROWSER);
      await nextMillisecond();
    }
    await waitUntilDrained(service.service);
    const recentlyClicked = async () => {
      const path = `/api/v1/organizations/${account.orgId}/links?sort=lastClickAt`;
      const { body } = await call<{ links: Link[] }>("GET", path, { token: account.token });
      return body.links.map(({ title }) => title);
    };
    expect(await recentlyClicked()).toEqual(["Other", "Repeated"]);
    const [suspect] = (await list(account)).body.items;
    expect((await review(account, suspect?.clickId ?? "", { status: "dismissed" })).status).toBe(200);
    expect(await recentlyClicked()).toEqual(["Repeated", "Other"]);
  });

  test("the figures and the link's own count follow a verdict immediately", async () => {
    const { account, link, ids } = await suspected();
    const figures = async () => {
      const path = `/api/v1/organizations/${account.orgId}`;
      const { token } = account;
      const [humans, all, own] = await Promise.all([
        call<AnalyticsOverview>("GET", `${path}/analytics/overview`, { token }),
        call<AnalyticsOverview>("GET", `${path}/analytics/overview?includeBots=true`, { token }),
        call<Link>("GET", `${path}/links/${link._id}`, { token }),
      ]);
      return [humans.body.totalClicks, all.body.totalClicks, own.body.clickCount];
    };
    const [humans = 0, all = 0] = await figures();
    expect(await figures()).toEqual([humans, all, humans]);
    await review(account, ids[0] ?? "", { status: "dismissed" });
    expect(await figures()).toEqual([humans + 1, all, humans + 1]);
    await review(account, ids[1] ?? "", { status: "confirmed" });
    expect(await figures()).toEqual([humans + 1, all - 1, humans + 1]);
    await review(account, ids[0] ?? "", { status: "confirmed" });
    expect(await figures()).toEqual([humans, all - 2, humans]);
  });

  test("all clicks from an address are found as a group and dismissed in bulk", async () => {
    const { account, link, ids } = await suspected();
    const address = (await list(account)).body.items[0]?.addressId;
    expect(address).toMatch(/^[0-9a-f]{16}$/);
    const { token } = account;
    const groups = await call<{ groups: AbuseGroup[] }>("GET", `${queue(account)}/groups?by=address`, { token });
    expect(groups.body.groups).toMatchObject([{ addressId: address, clicks: SUSPECTS, reasons: ["repeat"] }]);
    const bulk = (body: object) => call("POST", `${queue(account)}/bulk`, { token, body });
    expect((await bulk({ addressId: address, status: "dismissed" })).body).toEqual({ changed: SUSPECTS, remaining: 0 });
    expect((await list(account, `?status=dismissed&linkId=${link._id}`)).body.total).toBe(ids.length);
    const { body } = await call<Link>("GET", `/api/v1/organizations/${account.orgId}/links/${link._id}`, { token });
    expect(body.clickCount).toBe(REPEATS_MAX + SUSPECTS);
  });

  test("clicks of a deleted link can be reviewed like others", async () => {
    const { account, link, ids } = await suspected();
    await call("DELETE", `/api/v1/organizations/${account.orgId}/links/${link._id}`, { token: account.token });
    const { status, body } = await review(account, ids[0] ?? "", { status: "confirmed" });
    expect([status, body.link.isDeleted]).toEqual([200, true]);
  });
});
