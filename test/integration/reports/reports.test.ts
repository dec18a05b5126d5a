import { describe, expect, test } from "bun:test";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import { REPORTS_MAX, type Report } from "@/contract/analytics/reports";
import { SERIES_METRICS } from "@/contract/analytics/series";
import { HOUR_MS } from "@/core/time/time-range";

const NOW = Date.parse("2026-11-21T20:30:00Z");

let now = NOW;
const service = await startTestService({ clock: () => now });
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const { token, orgId } = ada;
const reports = `/api/v1/organizations/${orgId}/analytics/reports`;
const unknown = Bun.randomUUIDv7();

const create = async (body: Record<string, unknown>) => {
  const reply = await call<Report>("POST", reports, { token, body: { name: "Weekly traffic", ...body } });
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
  return reply.body;
};
const update = (id: string, body: unknown) => call<Report>("PATCH", `${reports}/${id}`, { token, body });
const rowsOf = (text: unknown) => String(text).slice(0, -2).split("\r\n");

describe("400", () => {
  const wrong: [name: string, filters: Record<string, unknown>, detail: string][] = [
    ["a period beside from", { period: "7d", from: "2026-01-01T00:00:00Z" }, "filters.period: cannot be combined with"],
    ["a period beside to", { period: "7d", to: "2026-01-01T00:00:00Z" }, "filters.period: cannot be combined with"],
    [
      "an inverted range",
      { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
      "filters.from: must be before filters.to",
    ],
    [
      "an empty range",
      { from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00+01:00" },
      "filters.from: must be before filters.to",
    ],
    [
      "a range over two years",
      { from: "2024-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
      "filters.from: must be at most 2 years before filters.to",
    ],
    ["a day there is not", { from: "2026-02-30T00:00:00Z" }, "filters.from: expected a valid date"],
    ["an unknown period", { period: "1y" }, "filters.period: expected one of 24h, 7d, 30d, 90d"],
  ];

  test.each(wrong)("for %s, created or changed", async (_, filters, detail) => {
    const { _id } = await create({});
    const before = await tableState(sql);
    for (const reply of [
      await call("POST", reports, { token, body: { name: "a", filters } }),
      await update(_id, { filters }),
    ]) {
      expectFailure({ ...reply, body: { ...reply.body } }, 400);
      expect(Object(reply.body).details).toEqual([expect.stringContaining(detail)]);
    }
    expect(await tableState(sql)).toEqual(before);
  });

  test.each([
    ["unknown", ["clicks", "revenue"], "metrics[1]"],
    ["named twice", ["clicks", "clicks"], "metrics"],
    ["none", [], "metrics"],
    ["no list", "clicks", "metrics"],
  ])("for metrics that are %s, with those there are", async (_, metrics, field) => {
    const reply = await call("POST", reports, { token, body: { name: "a", metrics } });
    expectFailure(reply, 400, [field]);
    expect(String(reply.body.details)).toContain("clicks, uniqueVisitors, opens, installs, leads, events, eventValue");
  });

  test.each([{}, { name: null }, { name: " " }, { name: "a".repeat(121) }])("for %j as a name", async (body) => {
    expectFailure(await call("POST", reports, { token, body }), 400, ["name"]);
  });

  test("for an invalid page", async () => {
    expectFailure(await call("GET", `${reports}?limit=101`, { token }), 400, ["limit"]);
  });
});

describe("403", () => {
  test("for viewers, who may only read and export", async () => {
    const viewer = await addMember(service, orgId, "viewer");
    const { _id } = await create({});
    const as = { token: viewer.token };
    expectFailure(await call("POST", reports, { ...as, body: { name: "a" } }), 403);
    expectFailure(await call("PATCH", `${reports}/${_id}`, { ...as, body: { name: "a" } }), 403);
    expectFailure(await call("DELETE", `${reports}/${_id}`, as), 403);
    expect((await call("GET", reports, as)).status).toBe(200);
    expect((await call("GET", `${reports}/${_id}/export.csv`, as)).status).toBe(200);
  });
});

describe("404", () => {
  test("for another organization's link, and for an unknown one", async () => {
    const theirs = await service.createLink(eve, { defaultUrl: "https://example.com/" });
    const { _id } = await create({});
    for (const linkId of [theirs._id, unknown, "spring"]) {
      expectFailure(await call("POST", reports, { token, body: { name: "a", filters: { linkId } } }), 404);
      expectFailure(await update(_id, { filters: { linkId } }), 404);
    }
  });

  test("for an unknown report", async () => {
    for (const id of [unknown, "1"]) {
      expectFailure(await update(id, { name: "a" }), 404);
      expectFailure(await call("DELETE", `${reports}/${id}`, { token }), 404);
      expectFailure(await call("GET", `${reports}/${id}/export.csv`, { token }), 404);
    }
  });
});

describe("409", () => {
  test(`for more than ${REPORTS_MAX} reports, also when they come at once`, async () => {
    const { token, orgId } = await service.register();
    const path = `/api/v1/organizations/${orgId}/analytics/reports`;
    const room = 3;
    await sql`insert into reports (id, org_id, name, filters, metrics)
      select gen_random_uuid(), ${orgId}, 'r' || n, '{}', '{clicks}' from generate_series(1, ${REPORTS_MAX - room}) n`;
    const replies = await Promise.all(
      Array.from({ length: room + 4 }, () => call("POST", path, { token, body: { name: "one more" } })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(room);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectFailure(reply, 409);
    expect(replies.find(({ status }) => status === 409)?.body.error).toBe(
      "This organization has reached its limit of 200 reports; delete one to create another",
    );
  });
});

describe("200", () => {
  test("a report has the values it was created with, and all metrics by default", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const filters = { from: "2026-01-01T02:00:00+02:00", to: "2026-02-01T00:00:00Z", linkId: link._id };
    expect(await create({ description: "For Mondays", filters })).toEqual({
      _id: expect.any(String),
      name: "Weekly traffic",
      description: "For Mondays",
      filters: { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z", linkId: link._id },
      metrics: [...SERIES_METRICS],
      createdBy: expect.any(String),
      createdAt: "2026-11-21T20:30:00.000Z",
      updatedAt: "2026-11-21T20:30:00.000Z",
    });
    const bare = await create({ filters: { period: "7d", from: null, linkId: null, includeBots: true } });
    expect(bare.filters).toEqual({ period: "7d", includeBots: true });
    expect((await create({ metrics: ["opens", "clicks"] })).metrics).toEqual(["opens", "clicks"]);
  });

  test("a change keeps absent fields, replaces given ones and clears those that are null", async () => {
    const { _id } = await create({
      description: "a",
      filters: { period: "7d", includeBots: true },
      metrics: ["opens"],
    });
    expect((await update(_id, { name: " Renamed " })).body).toMatchObject({
      name: "Renamed",
      description: "a",
      filters: { period: "7d", includeBots: true },
      metrics: ["opens"],
    });
    expect((await update(_id, { filters: { period: "30d" } })).body.filters).toEqual({ period: "30d" });
    const { body } = await update(_id, { description: null, filters: null, metrics: null });
    expect(body).toMatchObject({ name: "Renamed", filters: {}, metrics: [...SERIES_METRICS] });
    expect(body.description).toBeUndefined();
  });

  test("the audit log lists each change by field, and none that changes nothing", async () => {
    const { _id } = await create({ filters: { period: "7d" } });
    await update(_id, { filters: { period: "30d" } });
    await update(_id, { filters: { period: "30d" }, description: null });
    await call("DELETE", `${reports}/${_id}`, { token });
    const entries = await sql`select action, resource_type, changes, actor_email from audit_logs
      where resource_id = ${_id} order by id`;
    expect(entries.map(({ action }) => action)).toEqual(["report.create", "report.update", "report.delete"]);
    expect(entries[1]).toMatchObject({
      resource_type: "report",
      actor_email: ada.email,
      changes: { filters: { from: { period: "7d" }, to: { period: "30d" } } },
    });
  });

  test("a deleted report is gone", async () => {
    const { _id } = await create({});
    const reply = await call("DELETE", `${reports}/${_id}`, { token });
    expect([reply.status, reply.body]).toEqual([200, { _id, deleted: true }]);
    expectFailure(await call("DELETE", `${reports}/${_id}`, { token }), 404);
  });

  test("the list is paged, newest first, and contains the organization's own reports only", async () => {
    const account = await service.register();
    const path = `/api/v1/organizations/${account.orgId}/analytics/reports`;
    for (const name of ["first", "second", "third"]) await call("POST", path, { token: account.token, body: { name } });
    const { body } = await call<{ reports: Report[] }>("GET", `${path}?limit=2`, { token: account.token });
    expect(body).toMatchObject({ page: 1, limit: 2, total: 3, totalPages: 2 });
    expect(body.reports.map(({ name }) => name)).toEqual(["third", "second"]);
  });
});

describe("an export", () => {
  const exported = (id: string) => call<string>("GET", `${reports}/${id}/export.csv`, { token });

  test("contains the report's metrics only, in a file named after the report", async () => {
    const { _id } = await create({
      name: 'Ärger, "quoted"',
      filters: { from: "2026-11-10T10:00:00Z", to: "2026-11-10T12:00:00Z" },
      metrics: ["opens", "clicks"],
    });
    const { status, headers, body } = await exported(_id);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(headers.get("content-disposition")).toBe(
      'attachment; filename="_rger,-_quoted_-2026-11-10-2026-11-10.csv"; ' +
        "filename*=UTF-8''%C3%84rger%2C-%22quoted%22-2026-11-10-2026-11-10.csv",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toBe("at,opens,clicks\r\n2026-11-10T10:00:00.000Z,0,0\r\n2026-11-10T11:00:00.000Z,0,0\r\n");
  });

  test("of a relative period moves with time, of a fixed range does not", async () => {
    const relative = await create({ filters: { period: "7d" }, metrics: ["clicks"] });
    const fixed = await create({
      filters: { from: "2026-11-01T00:00:00Z", to: "2026-11-09T00:00:00Z" },
      metrics: ["clicks"],
    });
    const ends = async (id: string) => {
      const rows = rowsOf((await exported(id)).body);
      return [rows[1], rows.at(-1)].map((row) => row?.slice(0, 10));
    };
    expect([await ends(relative._id), await ends(fixed._id)]).toEqual([
      ["2026-11-14", "2026-11-21"],
      ["2026-11-01", "2026-11-08"],
    ]);
    now = NOW + 6 * HOUR_MS;
    expect([await ends(relative._id), await ends(fixed._id)]).toEqual([
      ["2026-11-15", "2026-11-22"],
      ["2026-11-01", "2026-11-08"],
    ]);
    now = NOW;
  });

  test.each([
    ["a relative period", { period: "7d" }, 7],
    ["no range", {}, 30],
  ])("of %s begins at a full hour, as in the dashboard", async (_, filters, days) => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const { _id } = await create({ filters: { ...filters, linkId: link._id }, metrics: ["clicks"] });
    const begin = Date.parse("2026-11-21T20:00:00Z") - days * 24 * HOUR_MS;
    for (const at of [begin - 1, begin]) {
      now = at;
      await service.visit(link, { "user-agent": "Mozilla/5.0 Firefox/140.0", accept: "text/html" });
    }
    await waitUntilDrained(service.service);
    now = NOW;
    const counts = rowsOf((await exported(_id)).body).slice(1);
    expect(counts.map((row) => Number(row.split(",")[1])).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test("of one link still works after the link is deleted", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const { _id } = await create({ filters: { linkId: link._id.toUpperCase() } });
    await call("DELETE", `/api/v1/organizations/${orgId}/links/${link._id}`, { token });
    expect((await exported(_id)).status).toBe(200);
    expect((await update(_id, { filters: { linkId: link._id } })).status).toBe(200);
  });

  test("with filters counts the matching clicks, and leaves metrics empty that clicks do not provide", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/", tags: ["spring"] });
    const { country, ...others } = { country: ["unknown", "DE", "DE"], rule: ["none"], tag: ["spring"] };
    const filters = { from: "2026-11-21T20:00:00Z", to: "2026-11-21T21:00:00Z", country, ...others };
    const metrics = ["clicks", "uniqueVisitors", "opens"];
    const { _id, filters: kept } = await create({ filters: { ...filters, city: [], split: null }, metrics });
    const narrowed = { country: ["unknown", "DE"], ...others };
    expect(kept).toEqual({ from: "2026-11-21T20:00:00.000Z", to: "2026-11-21T21:00:00.000Z", ...narrowed });
    const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    for (const _ of [1, 2]) await service.visit(link, { "user-agent": browser, accept: "text/html" });
    await waitUntilDrained(service.service);
    expect(rowsOf((await exported(_id)).body)).toEqual([
      "at,clicks,uniqueVisitors,opens",
      "2026-11-21T20:00:00.000Z,2,1,",
    ]);
    // Saving the same again changes nothing.
    await update(_id, { filters });
    await update(_id, { filters: { ...filters, tag: ["autumn"] } });
    expect(rowsOf((await exported(_id)).body)).toEqual([
      "at,clicks,uniqueVisitors,opens",
      "2026-11-21T20:00:00.000Z,0,0,",
    ]);
    const [audit] = await sql`select count(*)::int as entries from audit_logs where resource_id = ${_id}`;
    expect(audit?.entries).toBe(2);
  });

  test("with unknown, foreign or invalid filters cannot be saved", async () => {
    const theirs = await service.createLink(eve, { defaultUrl: "https://example.com/" });
    const wrong: [Record<string, unknown>, number, string][] = [
      [{ domainId: [unknown] }, 404, "filters.domainId: there is no such domain"],
      [{ linkId: theirs._id, tag: ["spring"] }, 404, "filters.linkId: there is no such link"],
      [{ rule: ["first"] }, 400, "filters.rule[0]: expected a number, or none"],
    ];
    for (const [filters, status, detail] of wrong) {
      const reply = await call("POST", reports, { token, body: { name: "a", filters } });
      expect([reply.status, Object(reply.body).details]).toEqual([status, [detail]]);
    }
    for (const [filters, field] of [
      [{ tag: ["a".repeat(51)] }, "filters.tag[0]"],
      [{ country: "DE" }, "filters.country"],
      [{ country: Array.from({ length: 21 }, String) }, "filters.country"],
    ] as const) {
      expectFailure(await call("POST", reports, { token, body: { name: "a", filters } }), 400, [field]);
    }
  });

  test("of all metrics is available without a report", async () => {
    const path = `/api/v1/organizations/${orgId}/analytics/export.csv`;
    const query = "from=2026-11-20T00:00:00Z&to=2026-11-20T02:00:00Z&includeBots=true";
    const { status, headers, body } = await call<string>("GET", `${path}?${query}`, { token });
    expect([status, headers.get("content-disposition")]).toEqual([
      200,
      'attachment; filename="analytics-2026-11-20-2026-11-20.csv"',
    ]);
    expect(rowsOf(body)).toEqual([
      `at,${SERIES_METRICS.join(",")}`,
      "2026-11-20T00:00:00.000Z,0,0,0,0,0,0,0",
      "2026-11-20T01:00:00.000Z,0,0,0,0,0,0,0",
    ]);
    expectFailure(await call("GET", `${path}?linkId=${unknown}`, { token }), 404);
    expectFailure(await call("GET", `${path}?from=2027-01-01T00:00:00Z`, { token }), 400, ["from"]);
  });
});
