/** Leads: recorded once per visit, counted with it, listed and erased. */
import { describe, expect, test } from "bun:test";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { leadsIn } from "@test/support/leads";
import { startTestService } from "@test/support/service";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { LeadPage } from "@/contract/links/leads";

const service = await startTestService();
const { call } = service;
const leave = leadsIn(service.databaseUrl);

async function workspace() {
  const account = await service.register();
  const { token, orgId } = account;
  const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const path = `/api/v1/organizations/${orgId}/links/${link._id}/leads`;
  return {
    account,
    link,
    path,
    leave: (draft: Partial<Parameters<typeof leave>[0]> = {}) => leave({ orgId, linkId: link._id, ...draft }),
    list: async (query = "") => (await call<LeadPage>("GET", path + query, { token })).body,
    erase: (id: string) => call("DELETE", `${path}/${id}`, { token }),
    remove: () => call("DELETE", `/api/v1/organizations/${orgId}/links/${link._id}`, { token }),
    async figures(query = "") {
      const overview = `/api/v1/organizations/${orgId}/analytics/overview${query}`;
      const { body } = await call<AnalyticsOverview>("GET", overview, { token });
      return {
        funnel: body.conversionFunnel.find(({ stage }) => stage === "leads")?.count,
        series: body.timeseries.reduce((sum, bucket) => sum + bucket.leads, 0),
        events: [body.conversionFunnel.find(({ stage }) => stage === "events")?.count, body.eventValue, body.byEvent],
      };
    },
  };
}
const ada = await workspace();
const eve = await workspace();
const viewer = await addMember(service, ada.account.orgId, "viewer");
const counted = (count: number) => ({ funnel: count, series: count, events: [0, 0, []] });

describe("400 names the invalid field:", () => {
  test.each([
    ["a page before the first", "page=0", ["page"]],
    ["more than a hundred at once", "limit=101", ["limit"]],
    ["text for numbers", "page=a&limit=b", ["page", "limit"]],
  ])("%s", async (_, query, fields) => {
    expectFailure(await call("GET", `${ada.path}?${query}`, { token: ada.account.token }), 400, fields);
  });
});

describe("403", () => {
  test("for a viewer who tries to erase a lead", async () => {
    await ada.leave();
    const [lead] = (await ada.list()).leads;
    expectFailure(await call("DELETE", `${ada.path}/${lead?._id}`, { token: viewer.token }), 403);
    expect((await ada.list()).leads[0]?._id).toBe(`${lead?._id}`);
  });
});

describe("404", () => {
  test.each([
    ["unknown", Bun.randomUUIDv7()],
    ["no id", "spring"],
  ])("for a lead that is %s", async (_, id) => {
    expectFailure(await ada.erase(id), 404);
  });

  test("for a lead of another link or another organization, without erasing it", async () => {
    const other = await service.createLink(ada.account, { defaultUrl: "https://example.com/" });
    await ada.leave();
    await eve.leave();
    const before = await tableState(service.sql);
    const { token } = ada.account;
    const [mine, theirs] = [(await ada.list()).leads[0]?._id, (await eve.list()).leads[0]?._id];
    expectFailure(await call("DELETE", `${ada.path.replace(ada.link._id, other._id)}/${mine}`, { token }), 404);
    expectFailure(await ada.erase(`${theirs}`), 404);
    expectFailure(await call("GET", ada.path.replace(ada.link._id, eve.link._id), { token }), 404);
    expect(await tableState(service.sql)).toEqual(before);
  });

  test("for a deleted link, whose leads stay counted", async () => {
    const { account, path, leave, remove, erase, figures } = await workspace();
    await leave();
    await remove();
    expectFailure(await call("GET", path, { token: account.token }), 404);
    expectFailure(await call("GET", `${path}/export.csv`, { token: account.token }), 404);
    expectFailure(await erase(Bun.randomUUIDv7()), 404);
    expect(await figures()).toEqual(counted(1));
  });
});

describe("a lead", () => {
  test("is listed as submitted, newest first and in pages, also for viewers", async () => {
    const { account, link, path, leave } = await workspace();
    const reader = await addMember(service, account.orgId, "viewer");
    const start = Date.now() - 60_000;
    const drafts = Array.from({ length: 5 }, (_, index) => ({ at: start + index, fields: { name: `Ada ${index}` } }));
    for (const draft of drafts.toReversed()) await leave(draft);
    const page = async (query: string) => (await call<LeadPage>("GET", path + query, { token: reader.token })).body;
    const { leads, ...about } = await page("");
    expect(about).toEqual({ page: 1, limit: 25, total: 5, totalPages: 1 });
    expect(leads).toEqual(
      drafts.toReversed().map(({ at, fields }) => ({
        _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        linkId: link._id,
        fields: { name: fields.name },
        visitorId: "9f3c1e0b7a25d486",
        createdAt: new Date(at).toISOString(),
      })),
    );
    expect(await page("?page=2&limit=2")).toEqual({
      page: 2,
      limit: 2,
      total: 5,
      totalPages: 3,
      leads: leads.slice(2, 4),
    });
  });

  test("can have fields with any name and any text", async () => {
    const { leave, list } = await workspace();
    const fields: Record<string, string> = JSON.parse(
      '{"__proto__": "=1+1", "constructor": "\\n\\"<b>", "🦊": "\\u2028"}',
    );
    await leave({ fields });
    expect(Object.entries((await list()).leads[0]?.fields ?? {}).toSorted()).toEqual(Object.entries(fields).toSorted());
  });

  test("counts immediately in the funnel and time series of its link and of all links, but not as an event", async () => {
    const { account, link, leave, figures } = await workspace();
    const other = await service.createLink(account, { defaultUrl: "https://example.com/" });
    for (let times = 0; times < 3; times++) await leave();
    await leave({ linkId: other._id });
    const lately = `from=${new Date(Date.now() - 60_000).toISOString()}`;
    for (const query of ["?", "?includeBots=true&", `?${lately}&`]) {
      expect(await figures(query)).toEqual(counted(4));
      expect(await figures(`${query}linkId=${link._id}`)).toEqual(counted(3));
    }
    expect((await (await workspace()).figures()).funnel).toBe(0);
  });

  test("is stored once for each visit and link, even if it is sent fifty times at once", async () => {
    const { account, link, leave, list, figures } = await workspace();
    const other = await service.createLink(account, { defaultUrl: "https://example.com/" });
    const clickId = Bun.randomUUIDv7();
    await Promise.all(Array.from({ length: 50 }, (_, index) => leave({ clickId, fields: { try: `${index}` } })));
    const { leads, total } = await list();
    expect(total).toBe(1);
    expect(await figures()).toEqual(counted(1));
    await leave({ clickId, fields: { try: "again" } });
    expect((await list()).leads).toEqual(leads);
    await leave({ clickId, linkId: other._id });
    expect(await figures(`?linkId=${link._id}`)).toEqual(counted(1));
    expect(await figures()).toEqual(counted(2));
  });

  test("is counted for each of a hundred simultaneous visits", async () => {
    const { leave, figures } = await workspace();
    await Promise.all(Array.from({ length: 100 }, () => leave()));
    expect(await figures()).toEqual(counted(100));
  });

  test("is refused for an unknown link, and not counted", async () => {
    const before = await tableState(service.sql);
    const { account } = ada;
    await expect(leave({ orgId: account.orgId, linkId: Bun.randomUUIDv7() })).rejects.toThrow();
    expect(await tableState(service.sql)).toEqual(before);
  });
});

describe("an erased lead", () => {
  test("disappears from lists and exports, loses its data, stays counted, and cannot be stored again", async () => {
    const { account, path, leave, list, erase, figures } = await workspace();
    const { clickId } = await leave({ fields: { email: "erased@example.com" }, visitorId: "00000000000000aa" });
    await leave({ fields: { email: "kept@example.com" } });
    const lead = (await list()).leads.find(({ fields }) => fields.email === "erased@example.com");
    const id = `${lead?._id}`;
    expect((await erase(id.toUpperCase())).body).toEqual({ _id: id, deleted: true });
    await leave({ clickId, fields: { email: "erased@example.com" } });
    expect((await list()).leads.map(({ fields }) => fields)).toEqual([{ email: "kept@example.com" }]);
    const csv = await call<string>("GET", `${path}/export.csv`, { token: account.token });
    expect(csv.body.split("\r\n")).toHaveLength(3);
    expect(await figures()).toEqual(counted(2));
    const [row] = await service.sql`select fields, visitor_id from leads where id = ${id}`;
    expect(row).toEqual({ fields: {}, visitor_id: "" });
    expectFailure(await erase(id), 404);
  });

  test("leaves an audit entry without the lead's personal data", async () => {
    const { account, link, leave, list, erase } = await workspace();
    await leave({ fields: { email: "private@example.com" }, visitorId: "00000000000000ab" });
    const id = `${(await list()).leads[0]?._id}`;
    await erase(id);
    const [entry] = await service.sql`select * from audit_logs where resource_id = ${id}`;
    expect(entry).toMatchObject({
      org_id: account.orgId,
      action: "lead.delete",
      resource_type: "lead",
      actor_email: account.email,
      changes: { linkId: { from: link._id, to: null } },
    });
    expect(JSON.stringify(entry)).not.toMatch(/private@|00000000000000ab/);
  });
});
