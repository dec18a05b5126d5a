/** A rule's conditions are never silently dropped, because the rule would then apply to everyone. */
import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { expectFailure, fieldsOf } from "@test/support/failure";
import { type Reply, startTestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";

const service = await startTestService();
const ada = await service.register();
const apiKey = await service.createApiKey(ada, ["links:write"]);
const defaultUrl = "https://example.com/";
const kept = await service.createLink(ada, { defaultUrl });
const links = `/api/v1/organizations/${ada.orgId}/links`;

type Send = (fields: Record<string, unknown>) => Promise<Reply>;

/** Operations that write rules into a link. */
const doors: [name: string, send: Send][] = [
  ["POST links", (fields) => service.call("POST", links, { token: ada.token, body: { defaultUrl, ...fields } })],
  ["PATCH a link", (body) => service.call("PATCH", `${links}/${kept._id}`, { token: ada.token, body })],
  ["POST links by key", (fields) => service.call("POST", "/api/v1/links", { apiKey, body: { defaultUrl, ...fields } })],
  [
    "POST links/bulk",
    async (fields) => {
      const body = { links: [{ defaultUrl, ...fields }] };
      const reply = await service.call<BulkLinkResult>("POST", `${links}/bulk`, { token: ada.token, body });
      const [failure] = reply.body.errors;
      const { index: _, ...told } = failure ?? { index: 0 };
      return { ...reply, status: failure ? 400 : 201, body: told };
    },
  ],
];

const destinationUrl = "https://example.com/rule";
const ruled = (rule: Record<string, unknown>) => ({ rules: [{ destinationUrl, ...rule }] });

describe.each(doors)("%s", (_, send) => {
  test.each<[name: string, fields: Record<string, unknown>, detail: string]>([
    [
      "an unknown condition",
      ruled({ conditions: { platforms: ["ios"] } }),
      "rules[0].conditions.platforms: there is no such field; did you mean platform?",
    ],
    [
      "a condition that is like none",
      ruled({ conditions: { carrier: ["acme"] } }),
      "rules[0].conditions.carrier: there is no such field; expected one of platform, deviceTypes,",
    ],
    [
      "conditions by another name",
      ruled({ condition: { platform: ["ios"] } }),
      "rules[0].condition: there is no such field; did you mean conditions?",
    ],
    [
      "a condition beside the conditions",
      ruled({ country: ["DE"] }),
      "rules[0].country: there is no such field; did you mean conditions.countries?",
    ],
    [
      "a country that is none",
      ruled({ conditions: { countries: ["DE", "UK"] } }),
      'rules[0].conditions.countries[1]: "UK" is not an ISO 3166-1 country code; did you mean GB?',
    ],
    [
      "a language that is none",
      ruled({ conditions: { languages: ["english"] } }),
      'rules[0].conditions.languages[0]: "english" is not the language tag that browsers send; did you mean en?',
    ],
    [
      "a value of a query parameter that no visit could match",
      ruled({ conditions: { query: [{ name: "src", values: ["tv", "é".repeat(250)] }] } }),
      "rules[0].conditions.query[0].values[1]: no visit could match",
    ],
    [
      "query parameters that no visit could match together",
      ruled({ conditions: { query: ["a", "b", "c", "d", "e"].map((name) => ({ name, values: ["x".repeat(255)] })) } }),
      "rules[0].conditions.query: no visit could match",
    ],
    [
      "a misspelt weight",
      { splitTargets: [{ key: "a", destinationUrl, wieght: 5 }] },
      "splitTargets[0].wieght: there is no such field; did you mean weight?",
    ],
    [
      "a misspelt switch",
      { splitTargets: [{ key: "a", destinationUrl, active: false }] },
      "splitTargets[0].active: there is no such field; did you mean isActive?",
    ],
  ])("%s is refused with 400 and a hint at what is expected", async (_, fields, detail) => {
    const before = await tableState(service.sql);
    const { status, body } = await send(fields);
    expect({ status, details: Object(body).details }).toEqual({
      status: 400,
      details: [expect.stringContaining(detail)],
    });
    expect(await tableState(service.sql)).toEqual(before);
  });

  test("other unknown fields are ignored and not stored", async () => {
    const fields = {
      ...ruled({ _id: "1", note: "mine", conditions: { platform: ["ios"], countries: ["de"], languages: ["en_US"] } }),
      splitTargets: [{ key: "a", destinationUrl, _id: "1" }],
      unknown: true,
    };
    expect((await send(fields)).status).toBeOneOf([200, 201]);
    const [row] = await service.sql`select rules, split_targets from links order by updated_at desc limit 1`;
    expect(JSON.stringify(row)).not.toMatch(/note|_id|unknown/);
  });
});

describe("one response names every invalid field of a link", () => {
  const wrong = {
    title: 5,
    slug: "a b",
    domainId: Bun.randomUUIDv7(),
    appProfileId: Bun.randomUUIDv7(),
    rules: [
      { destinationUrl: "ftp://example.com/", conditions: { platforms: ["ios"], startTime: "9" } },
      { destinationUrl: 5, conditions: { countries: ["Germany"] } },
    ],
    splitTargets: [{ key: "a", destinationUrl: "nowhere" }],
    startsAt: "2030-02-30",
    tags: [" "],
  };
  const atFault = [
    "appProfileId",
    "rules[0].conditions.platforms",
    "rules[0].conditions.startTime",
    "rules[0].destinationUrl",
    "rules[1].conditions.countries[0]",
    "rules[1].destinationUrl",
    "splitTargets[0].destinationUrl",
    "startsAt",
    "tags[0]",
    "title",
  ];
  const ofNewLinks = ["domainId", "slug"];

  test.each(doors)("%s", async (name, send) => {
    const { status, body } = await send(wrong);
    const fields = name.startsWith("PATCH") ? atFault : [...atFault, ...ofNewLinks].toSorted();
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields });
  });

  test("including those that the schema alone does not find", async () => {
    const later = { startsAt: "2030-02-01", expiresAt: "2030-01-01" };
    for (const [name, send] of doors) {
      const reply = await send({ ...later, slug: "docs", appProfileId: "none", tags: [" "] });
      const fields = ["appProfileId", "expiresAt", "tags[0]"];
      expectFailure(reply, 400, name.startsWith("PATCH") ? fields : [...fields, "slug"]);
    }
  });

  test("but it is a 404 if only the domain and the app are unknown", async () => {
    const body = { defaultUrl, domainId: Bun.randomUUIDv7(), appProfileId: Bun.randomUUIDv7() };
    expectFailure(await service.call("POST", links, { token: ada.token, body }), 404);
  });
});

describe("a rule stored before conditions were checked", () => {
  test("is still read, listed and served", async () => {
    const link = await service.createLink(ada, { defaultUrl, slug: "older", ...ruled({}) });
    const rules = [
      { destinationUrl, conditions: { countries: ["UK"], languages: ["english"] } },
      { destinationUrl: "https://example.com/everyone", conditions: { platforms: ["ios"] } },
    ];
    await service.sql`update links set rules = ${JSON.stringify(rules)}::text::jsonb where id = ${link._id}`;
    const read = await service.call("GET", `${links}/${link._id}`, { token: ada.token });
    expect({ status: read.status, rule: Object(read.body).rules[0] }).toEqual({ status: 200, rule: rules[0] });
    expect((await service.call("GET", links, { token: ada.token })).status).toBe(200);
    const visit = await service.visit(link);
    expect(visit.headers.get("location")).toBe("https://example.com/everyone");
    const renamed = await service.call("PATCH", `${links}/${link._id}`, { token: ada.token, body: { title: "Old" } });
    expect(renamed.status).toBe(200);
  });
});

describe("a date", () => {
  test("may omit the time, which is then midnight in UTC, and may be up to the end of the year 9999", async () => {
    const link = await service.createLink(ada, { defaultUrl, startsAt: "2026-05-01", expiresAt: "9999-12-31" });
    expect(link).toMatchObject({ startsAt: "2026-05-01T00:00:00.000Z", expiresAt: "9999-12-31T00:00:00.000Z" });
    const latest = "9999-12-31T23:59:59.999Z";
    const body = { expiresAt: latest };
    const reply = await service.call("PATCH", `${links}/${link._id}`, { token: ada.token, body });
    expect(reply.body).toMatchObject(body);
    const later = { expiresAt: "9999-12-31T23:59:59-01:00" };
    expectFailure(await service.call("PATCH", `${links}/${link._id}`, { token: ada.token, body: later }), 400, [
      "expiresAt",
    ]);
  });

  test.each([
    ["GET", "analytics/overview?from=2026-11-01&to=2026-11-03", undefined],
    ["GET", "audit-logs?from=2026-11-01&to=9999-12-31", undefined],
    ["POST", "links/preview", { shortUrl: kept.shortUrl, now: "2026-11-01" }],
    ["POST", "analytics/reports", { name: "May", filters: { from: "2026-05-01", to: "2026-06-01" } }],
    ["POST", "api-keys", { name: "server", scopes: ["links:read"], expiresAt: "9999-12-31" }],
  ])("is accepted without a time by %s %s", async (method, path, body) => {
    const { status } = await service.call(method, `/api/v1/organizations/${ada.orgId}/${path}`, {
      token: ada.token,
      body,
    });
    expect(status).toBeOneOf([200, 201]);
  });
});
