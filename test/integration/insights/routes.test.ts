/** Computed analytics over a running service: who may ask, and what real visits result in. */
import { describe, expect, test } from "bun:test";
import { addDomain, addMember } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { FILTER_NAMES } from "@/contract/analytics/analytics-filters";
import type {
  BestDestination,
  BrokenCampaigns,
  CampaignInsights,
  ConversionPrediction,
  TrafficAnomalies,
} from "@/contract/analytics/insights";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { BioPage } from "@/contract/links/bio-pages";
import type { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const eve = await service.register();
const { call } = service;
const link = await service.createLink(ada, {
  defaultUrl: "https://shop.example.com/",
  splitTargets: [
    { key: "a", destinationUrl: "https://shop.example.com/a?x=1" },
    { key: "b", destinationUrl: "https://shop.example.com/b" },
  ],
});
const FIGURES = ["overview", "breakdown", "top-links", "export.csv", "clicks", "clicks/export.csv", "unserved"];
const COMPUTED = ["insights", "anomalies", "conversion-prediction", "best-destination", "broken-campaigns"];
const at = (computed: string, query = "") => `/api/v1/organizations/${ada.orgId}/analytics/${computed}${query}`;

describe.each([...FIGURES, ...COMPUTED])("GET analytics/%s", (figures) => {
  test("200 for the last day of the last year that dates may have, and 400 beyond", async () => {
    const ask = (range: string) => call("GET", at(figures, `?by=os&${range}`), { token: ada.token });
    expect((await ask("from=9999-12-30&to=9999-12-31")).status).toBe(200);
    expectFailure(await ask("from=9999-12-31&to=9999-12-31T23:59:59Z"), 400, ["to"]);
  });
});

describe.each([
  ...COMPUTED.map((computed) => [computed, FILTER_NAMES.filter((name) => name !== "linkId")] as const),
  ["unserved", FILTER_NAMES.filter((name) => name !== "linkId" && name !== "domainId")] as const,
])("GET analytics/%s", (path, filters) => {
  test("400: filters that it does not have, each by name, instead of figures of everything", async () => {
    for (const name of filters)
      expectFailure(await call("GET", at(path, `?${name}=1`), { token: ada.token }), 400, [name]);
    const query = `?linkId=${link._id}&device=mobile&country=DE&country=AT`;
    expectFailure(await call("GET", at(path, query), { token: ada.token }), 400, ["country", "device"]);
  });

  test("400: more than one link, instead of figures of one or none", async () => {
    const other = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
    const query = `?linkId=${link._id}&linkId=${other._id}`;
    expectFailure(await call("GET", at(path, query), { token: ada.token }), 400, ["linkId"]);
  });

  test("401: no session, whatever the filters", async () =>
    expectFailure(await call("GET", at(path, "?country=DE")), 401));
});

describe.each([...FIGURES, ...COMPUTED])("GET analytics/%s", (figures) => {
  test("200 for the first days that dates may have", async () => {
    for (const range of ["to=1970-01-05", "from=1970-01-01&to=1970-01-02", "from=1970-02-01&to=1970-03-01"]) {
      const { status } = await call("GET", at(figures, `?by=os&${range}`), { token: ada.token });
      expect([range, status]).toEqual([range, 200]);
    }
  });
});

describe.each(COMPUTED)("GET analytics/%s", (computed) => {
  test("400: a reversed or too long range, and an invalid flag", async () => {
    const ask = (query: string) => call("GET", at(computed, query), { token: ada.token });
    expectFailure(await ask("?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z"), 400, ["from"]);
    expectFailure(await ask("?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"), 400, ["from"]);
    expectFailure(await ask("?includeBots=perhaps"), 400, ["includeBots"]);
  });

  test("401: no session", async () => expectFailure(await call("GET", at(computed)), 401));

  test("404: a user who is not a member, and another organization's link", async () => {
    expectFailure(await call("GET", at(computed), { token: eve.token }), 404);
    const others = `/api/v1/organizations/${eve.orgId}/analytics/${computed}?linkId=${link._id}`;
    expectFailure(await call("GET", others, { token: eve.token }), 404);
  });

  test("200: a viewer, for any range, and with the link's id in capitals", async () => {
    const { token } = await addMember(service, ada.orgId, "viewer");
    const ranges = [
      "",
      "?from=2026-01-01T10:20:00Z&to=2026-01-01T10:21:00Z",
      "?from=2025-01-01T00:00:00Z&to=2026-12-31T00:00:00Z",
    ];
    for (const query of [...ranges, `?linkId=${link._id.toUpperCase()}&includeBots=true`]) {
      const { status, body } = await call<Record<string, unknown>>("GET", at(computed, query), { token });
      expect([query, status, Object.keys(body).slice(0, 3)]).toEqual([query, 200, ["generatedAt", "range", "summary"]]);
    }
  });

  test("counts toward the same rate limit as the overview", async () => {
    const limitOf = async (path: string) => {
      const { headers } = await call("GET", path, { token: ada.token });
      const [limit, left, reset] = ["limit", "remaining", "reset"].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`)),
      );
      return { limit, left: left ?? 0, reset };
    };
    // A second try, for the rare case that a window ends in between.
    for (let tries = 0; tries < 2; tries++) {
      const [before, after] = [await limitOf(at("overview")), await limitOf(at(computed))];
      if (before.reset !== after.reset && tries === 0) continue;
      expect(after).toEqual({ ...before, left: before.left - 1 });
      return;
    }
  });
});

test("visits and the events that name them are counted for the targets that the visits led to", async () => {
  const home = `/api/v1/organizations/${ada.orgId}`;
  await call("PATCH", home, { token: ada.token, body: { settings: { appendClickId: true } } });
  const apiKey = await service.createApiKey(ada, ["events:write"]);
  const sent = { a: 0, b: 0 };
  for (let visitor = 0; visitor < 60; visitor++) {
    const answer = await service.visit(link, {
      "x-client": `198.51.100.${visitor}`,
      "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
    });
    const url = new URL(answer.headers.get("location") ?? "");
    const target = url.pathname === "/a" ? "a" : "b";
    sent[target]++;
    if (target === "b") {
      const clickId = url.searchParams.get("wm_cid");
      const visitorId = visitor % 2 ? clickId : clickId?.toUpperCase();
      const body = { name: "purchase", linkId: link._id, visitorId };
      expect((await call("POST", "/api/v1/events", { apiKey, body })).status).toBe(201);
    }
  }
  await waitUntilDrained(service.service);
  const { body } = await call<BestDestination>("GET", at("best-destination"), { token: ada.token });
  expect(
    Object.fromEntries(
      body.recommendation.candidates.map(({ splitTarget, clicks, events }) => [splitTarget, [clicks, events]]),
    ),
  ).toEqual({ a: [sent.a, 0], b: [sent.b, sent.b] });
  expect(body.summary).toMatchObject({ clicks: 60, conversions: sent.b });
});

describe("a link that has admitted all its visits", () => {
  const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
  const limited = async (input: Pick<LinkInput, "maxClicks">) => {
    const { _id, shortUrl } = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", ...input });
    let visitors = 0;
    return {
      _id,
      visit: async () =>
        (await service.visit({ shortUrl }, { "x-client": `203.0.113.${++visitors}`, "user-agent": firefox })).status,
      async set(maxClicks: number) {
        const path = `/api/v1/organizations/${ada.orgId}/links/${_id}`;
        expect((await call("PATCH", path, { token: ada.token, body: { maxClicks } })).status).toBe(200);
      },
      async faults() {
        const query = `?linkId=${_id}`;
        const turnedAway = () => call<UnservedVisits>("GET", at("unserved", query), { token: ada.token });
        await waitUntilDrained(service.service);
        while ((await turnedAway()).body.total === 0) await Bun.sleep(50);
        const { body } = await call<BrokenCampaigns>("GET", at("broken-campaigns", query), { token: ada.token });
        return body.campaigns.map(({ type }) => type).filter((type) => type === "used_up");
      },
    };
  };

  test("is told, also if one of its clicks was a fraud and counts no more", async () => {
    const raffle = await limited({ maxClicks: 2 });
    expect([await raffle.visit(), await raffle.visit(), await raffle.visit()]).toEqual([302, 302, 410]);
    expect(await raffle.faults()).toEqual(["used_up"]);
    const [suspect] = await service.sql<{ id: string }[]>`
      update clicks set spam_score = 90 where link_id = ${raffle._id} returning id`;
    const review = { token: ada.token, body: { status: "confirmed" } };
    expect((await call("PATCH", at(`abuse-queue/${suspect?.id}`), review)).status).toBe(200);
    expect(await raffle.visit()).toBe(410);
    expect(await raffle.faults()).toEqual(["used_up"]);
  });

  test("is told no more once its limit was raised, however many clicks it had before it had one", async () => {
    const popular = await limited({});
    expect([await popular.visit(), await popular.visit(), await popular.visit()]).toEqual([302, 302, 302]);
    await popular.set(1);
    expect([await popular.visit(), await popular.visit()]).toEqual([302, 410]);
    expect(await popular.faults()).toEqual(["used_up"]);
    await popular.set(3);
    expect(await popular.visit()).toBe(302);
    expect(await popular.faults()).toEqual([]);
  });
});

test("a bio page that is turned off or deleted is called a page", async () => {
  const di = await service.register();
  const home = `/api/v1/organizations/${di.orgId}`;
  const made = { token: di.token, body: { title: "Acme" } };
  const { body: page } = await call<BioPage>("POST", `${home}/bio-pages`, made);
  const ask = async <Body>(computed: string) =>
    (await call<Body>("GET", `${home}/analytics/${computed}?linkId=${page._id}`, { token: di.token })).body;
  const [unseen] = (await ask<CampaignInsights>("insights")).insights;
  expect([unseen?.summary, unseen?.evidence[0]]).toEqual(["This page had no clicks in the range.", "1 page"]);
  const off = { token: di.token, body: { isActive: false } };
  expect((await call("PATCH", `${home}/bio-pages/${page._id}`, off)).status).toBe(200);
  await service.visit({ shortUrl: page.url }, { "user-agent": "Mozilla/5.0 Firefox/140.0" });
  const found = async () => (await ask<BrokenCampaigns>("broken-campaigns")).campaigns;
  await until(async () => (await found()).length > 0);
  expect((await found()).map(({ type, recommendation }) => [type, recommendation])).toEqual([
    ["inactive_link", "Turn the page on again, or remove it wherever it is still shown."],
  ]);
  await call("DELETE", `${home}/bio-pages/${page._id}`, { token: di.token });
  const { summary } = await ask<CampaignInsights>("insights");
  expect(summary.text).toBe("The page was deleted, so there is nothing about it to change");
});

test("a link that was deleted gets no advice, and a prediction says that it was", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", title: "Sale" });
  const idle = await service.createLink(cy, { defaultUrl: "https://shop.example.com/" });
  const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
  for (let visit = 0; visit < 30; visit++) await service.visit(made, headers);
  await waitUntilDrained(service.service);
  await service.sql`update figures_hourly set clicks = clicks * 10 where org_id = ${cy.orgId}`;
  await service.sql`update figures_daily set clicks = clicks * 10 where org_id = ${cy.orgId}`;
  const ask = async <Body>(computed: string, { _id }: { _id: string }) =>
    (await call<Body>("GET", `${home}/analytics/${computed}?linkId=${_id}`, { token: cy.token })).body;
  const before = await ask<CampaignInsights>("insights", made);
  expect(before.insights.map(({ id }) => id)).toContain("setup:no_conversions");
  for (const link of [made, idle]) await call("DELETE", `${home}/links/${link._id}`, { token: cy.token });
  for (const link of [made, idle]) {
    const { insights, summary } = await ask<CampaignInsights>("insights", link);
    expect([insights, summary.text]).toEqual([[], "The link was deleted, so there is nothing about it to change"]);
  }
  const { summary } = await ask<ConversionPrediction>("conversion-prediction", made);
  expect(summary.notes[0]).toMatch(/^`Sale` was deleted on .* UTC; this is what to expect if it served as before$/);
  const unvisited = (await ask<ConversionPrediction>("conversion-prediction", idle)).summary;
  expect(unvisited.notes[0]).toMatch(/ was deleted on [\d-]* at [\d:]* UTC$/);
});

test("links deleted since their visits are not among those that were checked for faults", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const told = async () =>
    (await call<BrokenCampaigns>("GET", `${home}/analytics/broken-campaigns`, { token: cy.token })).body.summary;
  const links = [];
  for (const visitor of [1, 2]) {
    const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", utm: { source: "mail" } });
    const headers = { "x-client": `203.0.113.${visitor}`, "user-agent": "Mozilla/5.0 Firefox/140.0" };
    expect((await service.visit(made, headers)).status).toBe(302);
    links.push(`${home}/links/${made._id}`);
  }
  await waitUntilDrained(service.service);
  const [first = "", second = ""] = links;
  await call("DELETE", first, { token: cy.token });
  expect(await told()).toMatchObject({ data: "enough", text: expect.stringContaining("in 1 link checked"), clicks: 2 });
  await call("DELETE", second, { token: cy.token });
  expect(await told()).toMatchObject({ data: "none", text: expect.stringContaining("No link that still exists was") });
});

test("links deleted since their visits leave no link out of those whose destinations are compared", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const visit = async (made: { shortUrl: string }, visitor: number) => {
    const headers = { "x-client": `203.0.113.${visitor}`, "user-agent": "Mozilla/5.0 Firefox/140.0" };
    expect((await service.visit(made, headers)).status).toBe(302);
  };
  const kept = await service.createLink(cy, { defaultUrl: "https://shop.example.com/kept" });
  await visit(kept, 1);
  const deleted = await Promise.all(
    Array.from({ length: 10 }, () => service.createLink(cy, { defaultUrl: "https://shop.example.com/" })),
  );
  for (const each of deleted) for (const visitor of [1, 2]) await visit(each, visitor);
  await waitUntilDrained(service.service);
  for (const { _id } of deleted) await call("DELETE", `${home}/links/${_id}`, { token: cy.token });
  const { body } = await call<BestDestination>("GET", `${home}/analytics/best-destination`, { token: cy.token });
  expect(body.recommendation.candidates.map(({ linkId, clicks }) => [linkId, clicks])).toEqual([[kept._id, 1]]);
});

test("a purchase and its refund are two events with a value, and events without one are none", async () => {
  const cy = await service.register();
  const apiKey = await service.createApiKey(cy, ["events:write"]);
  const { _id: linkId, shortUrl } = await service.createLink(cy, { defaultUrl: "https://shop.example.com/" });
  const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
  expect((await service.visit({ shortUrl }, headers)).status).toBe(302);
  for (const body of [
    { name: "purchase", value: 50, linkId },
    { name: "purchase", value: -50 },
    { name: "scroll", value: 0 },
    { name: "look" },
  ])
    expect((await call("POST", "/api/v1/events", { apiKey, body })).status).toBe(201);
  await waitUntilDrained(service.service);
  for (const [query, counted] of [
    ["", 2],
    [`?from=${new Date(Date.now() - 600_000).toISOString()}`, 2],
    [`?linkId=${linkId}`, 1],
  ] as const) {
    const path = `/api/v1/organizations/${cy.orgId}/analytics/conversion-prediction${query}`;
    const { body } = await call<ConversionPrediction>("GET", path, { token: cy.token });
    expect([query, body.prediction.baseline.events]).toEqual([query, counted]);
  }
});

test("an address that people request without a link is told until there is a link or a bio page", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const hostname = "spring.acme.test";
  const domainId = await addDomain(service, cy.orgId, { hostname });
  const paths = ["/Sprnig", "/2026/N%C3%B6tes", "/me"];
  for (const path of paths) {
    for (let visitor = 1; visitor <= 20; visitor++) {
      const headers = { host: hostname, "x-client": `203.0.113.${visitor}`, "user-agent": "Mozilla/5.0 Firefox/140.0" };
      expect((await service.visit(path, headers)).status).toBe(404);
    }
  }
  await until(async () => {
    const { body } = await call<UnservedVisits>("GET", `${home}/analytics/unserved`, { token: cy.token });
    return body.total === 20 * paths.length;
  });
  const told = async () => {
    const { body } = await call<BrokenCampaigns>("GET", `${home}/analytics/broken-campaigns`, { token: cy.token });
    return body.campaigns.map(({ id }) => id).sort();
  };
  const idOf = (path: string) => `unknown_address:${hostname}${path}`;
  expect(await told()).toEqual(["/2026/nötes", "/me", "/sprnig"].map(idOf));
  const made = await service.createLink(cy, {
    defaultUrl: "https://shop.example.com/?utm_source=a",
    slug: "sprnig",
    domainId,
  });
  expect(await told()).toEqual(["/2026/nötes", "/me"].map(idOf));
  await service.createLink(cy, {
    defaultUrl: "https://shop.example.com/?utm_source=a",
    ...{ slug: "nötes", pathPrefix: "2026", domainId },
  });
  const page = { title: "Cy", slug: "me", domainId, links: [] };
  expect((await call("POST", `${home}/bio-pages`, { token: cy.token, body: page })).status).toBe(200);
  expect(await told()).toEqual([]);
  await call("DELETE", `${home}/links/${made._id}`, { token: cy.token });
  expect(await told()).toEqual([idOf("/sprnig")]);
});

test("an address on a case-sensitive domain is told until there is a link in just these letters", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const hostname = "case.acme.test";
  const domainId = await addDomain(service, cy.orgId, { hostname, isCaseSensitive: true });
  for (let visitor = 1; visitor <= 20; visitor++) {
    const headers = { host: hostname, "x-client": `203.0.113.${visitor}`, "user-agent": "Mozilla/5.0 Firefox/140.0" };
    expect((await service.visit("/aB", headers)).status).toBe(404);
  }
  const told = async () => {
    const { body } = await call<BrokenCampaigns>("GET", `${home}/analytics/broken-campaigns`, { token: cy.token });
    return body.campaigns.map(({ id }) => id);
  };
  await until(async () => (await told()).length > 0);
  expect(await told()).toEqual([`unknown_address:${hostname}/aB`]);
  const defaultUrl = "https://shop.example.com/?utm_source=a";
  await service.createLink(cy, { defaultUrl, slug: "ab", domainId });
  expect(await told()).toEqual([`unknown_address:${hostname}/aB`]);
  await service.createLink(cy, { defaultUrl, slug: "aB", domainId });
  expect(await told()).toEqual([]);
});

test("visitors whom a domain sends elsewhere are not said to be turned away", async () => {
  const cy = await service.register();
  const home = `/api/v1/organizations/${cy.orgId}`;
  const hostname = "onward.acme.test";
  const domainId = await addDomain(service, cy.orgId, { hostname });
  const put = (path: string, body: object) => call("PATCH", `${home}/${path}`, { token: cy.token, body });
  const off = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", slug: "off", domainId });
  expect((await put(`links/${off._id}`, { isActive: false })).status).toBe(200);
  const visitAll = async () => {
    const statuses = new Set<number>();
    for (const path of ["/off", "/sprnig"]) {
      for (let visitor = 1; visitor <= 20; visitor++) {
        const headers = {
          host: hostname,
          "x-client": `203.0.113.${visitor}`,
          "user-agent": "Mozilla/5.0 Firefox/140.0",
        };
        statuses.add((await service.visit(path, headers)).status);
      }
    }
    return [...statuses];
  };
  const told = async () => {
    const { body } = await call<BrokenCampaigns>("GET", `${home}/analytics/broken-campaigns`, { token: cy.token });
    return body.campaigns.map(({ type }) => type).sort();
  };
  expect(await visitAll()).toEqual([404]);
  await until(async () => (await told()).length === 2);
  expect(await told()).toEqual(["inactive_link", "unknown_address"]);
  expect((await put(`domains/${domainId}`, { redirects: { notFound: "https://shop.example.com/lost" } })).status).toBe(
    200,
  );
  expect(await visitAll()).toEqual([302]);
  expect(await told()).toEqual([]);
  expect((await put(`domains/${domainId}`, { redirects: { expired: "https://shop.example.com/over" } })).status).toBe(
    200,
  );
  expect(await told()).toEqual(["inactive_link", "unknown_address"]);
});

test("events whose name only ever takes money back are no conversions", async () => {
  const cy = await service.register();
  const apiKey = await service.createApiKey(cy, ["events:write"]);
  const { _id: linkId } = await service.createLink(cy, { defaultUrl: "https://shop.example.com/" });
  for (const body of [
    { name: "purchase", value: 50, linkId },
    { name: "refund", value: -20, linkId },
    { name: "refund", value: -30, linkId },
  ])
    expect((await call("POST", "/api/v1/events", { apiKey, body })).status).toBe(201);
  for (const query of ["", `?from=${new Date(Date.now() - 600_000).toISOString()}`, `?linkId=${linkId}`]) {
    const path = `/api/v1/organizations/${cy.orgId}/analytics/conversion-prediction${query}`;
    const { body } = await call<ConversionPrediction>("GET", path, { token: cy.token });
    expect([query, body.prediction.baseline.events]).toEqual([query, 1]);
  }
});

describe("a range that has not ended", () => {
  const DAY_MS = 86_400_000;
  const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const ask = async <Body>(account: Account, computed: string, from: string, to: string) => {
    const path = `/api/v1/organizations/${account.orgId}/analytics/${computed}?from=${from}&to=${to}`;
    const { status, body } = await call<Body>("GET", path, { token: account.token });
    expect(status).toBe(200);
    return body;
  };

  test("is told to lie ahead if it has not begun, and nobody is asked to share links because of it", async () => {
    const cy = await service.register();
    await service.createLink(cy, { defaultUrl: "https://shop.example.com/" });
    const ahead = [daysAhead(1), daysAhead(8)] as const;
    const { summary, prediction } = await ask<ConversionPrediction>(cy, "conversion-prediction", ...ahead);
    expect(summary.text).toBe("The range has not begun, so there are no clicks to predict from yet");
    expect(prediction.recommendations).toEqual([expect.stringContaining("Choose a range that has begun")]);
    const found = await ask<CampaignInsights>(cy, "insights", ...ahead);
    expect(found).toMatchObject({ summary: { text: expect.stringContaining("has not begun") }, insights: [] });
    const { insights } = await ask<CampaignInsights>(cy, "insights", daysAhead(-8), daysAhead(1));
    expect(insights).toMatchObject([{ id: "setup:no_clicks", summary: "Your link had no clicks in the range." }]);
  });

  test("is projected from today on, not from its end", async () => {
    const cy = await service.register();
    const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/" });
    const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
    expect((await service.visit(made, headers)).status).toBe(302);
    await waitUntilDrained(service.service);
    await service.sql`update figures_hourly set hour = hour - interval '2 days' where org_id = ${cy.orgId}`;
    await service.sql`update figures_daily set day = day - interval '2 days' where org_id = ${cy.orgId}`;
    const textOf = async (to: number) =>
      (await ask<ConversionPrediction>(cy, "conversion-prediction", daysAhead(-10), daysAhead(to))).summary.text;
    expect(await textOf(10)).toContain("in the 20 days from today on;");
    expect(await textOf(-1)).toContain("in the 9 days after the range;");
    const path = `/api/v1/organizations/${cy.orgId}/analytics/conversion-prediction?from=${daysAhead(-10)}`;
    const { body } = await call<ConversionPrediction>("GET", path, { token: cy.token });
    expect(body.summary.text).toContain("in the 10 days from today on;");
  });
});

test("a link that was paused, prolonged or archived on purpose is not told of as one that failed", async () => {
  const DAY_MS = 86_400_000;
  const cy = await service.register();
  const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", title: "Sale" });
  const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
  expect((await service.visit(made, headers)).status).toBe(302);
  await waitUntilDrained(service.service);
  // Forty clicks a day until a week ago, and none since.
  await service.sql`
    insert into figures_daily select earlier.* from figures_daily, generate_series(7, 60) as ago cross join lateral
      jsonb_populate_record(figures_daily, jsonb_build_object('day', day - ago * interval '1 day', 'clicks', 40)) as earlier
    where figures_daily.org_id = ${cy.orgId}`;
  const path = `/api/v1/organizations/${cy.orgId}/links/${made._id}`;
  const change = async (body: object) => {
    expect((await call("PATCH", path, { token: cy.token, body })).status).toBe(200);
    await service.sql`
      update link_revisions set changed_at = now() - interval '7 days'
      where link_id = ${made._id} and changed_at > now() - interval '6 days' and version > 1`;
  };
  const told = async () => {
    const query = `?linkId=${made._id}`;
    const { body } = await call<TrafficAnomalies>(
      "GET",
      `/api/v1/organizations/${cy.orgId}/analytics/anomalies${query}`,
      { token: cy.token },
    );
    return body.anomalies.map(({ severity, summary }) => [severity, summary.split(". ")[1]]);
  };
  expect(await told()).toEqual([["high", undefined]]);
  await change({ isArchived: true });
  expect(await told()).toEqual([["low", expect.stringMatching(/^`Sale` was archived on .* UTC, though archived/)]]);
  await change({ isArchived: false });
  expect(await told()).toEqual([["high", undefined]]);
  await change({ isActive: false });
  expect(await told()).toEqual([["low", expect.stringMatching(/^`Sale` was paused on [\d-]* at [\d:]* UTC$/)]]);
  await change({ isActive: true, expiresAt: new Date(Date.now() + 30 * DAY_MS).toISOString() });
  expect(await told()).toEqual([["high", undefined]]);
});

test("a link that people took out of use has not lost its visitors in that time", async () => {
  const cy = await service.register();
  const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", utm: { source: "mail" } });
  const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
  expect((await service.visit(made, headers)).status).toBe(302);
  await waitUntilDrained(service.service);
  // Forty clicks a day until four days ago, and none in the last three whole days.
  await service.sql`
    insert into figures_daily select earlier.* from figures_daily, generate_series(4, 60) as ago cross join lateral
      jsonb_populate_record(figures_daily, jsonb_build_object('day', day - ago * interval '1 day', 'clicks', 40)) as earlier
    where figures_daily.org_id = ${cy.orgId}`;
  const found = async () => {
    const path = `/api/v1/organizations/${cy.orgId}/analytics/broken-campaigns?linkId=${made._id}`;
    return (await call<BrokenCampaigns>("GET", path, { token: cy.token })).body.campaigns;
  };
  let version = 1;
  const changeAt = async (when: string, body: object) => {
    const path = `/api/v1/organizations/${cy.orgId}/links/${made._id}`;
    expect((await call("PATCH", path, { token: cy.token, body })).status).toBe(200);
    await service.sql`update link_revisions set changed_at = now() - ${when}::interval
      where link_id = ${made._id} and version = ${++version}`;
  };
  const lost = expect.objectContaining({ type: "traffic_collapse", severity: "high" });
  const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  expect(await found()).toEqual([lost]);
  const stops: [begin: object, end: object][] = [
    [{ isActive: false }, { isActive: true }],
    [{ startsAt: daysFromNow(30) }, { startsAt: null }],
    [{ expiresAt: daysFromNow(-5) }, { expiresAt: null }],
  ];
  for (const [begin, end] of stops) {
    await changeAt("5 days", begin);
    await changeAt("1 hour", end);
    expect([begin, await found()]).toEqual([begin, []]);
    await service.sql`update link_revisions set changed_at = now() - interval '4 days 1 hour'
      where link_id = ${made._id} and version = ${version}`;
    expect([begin, await found()]).toEqual([begin, [lost]]);
  }
  // Half a day explains no more than half a day.
  await changeAt("60 hours", { isActive: false });
  await changeAt("48 hours", { isActive: true });
  const [still] = await found();
  expect(still?.evidence).toContainEqual(expect.stringContaining("less those of 12 hours in which it was out of use"));
});

test("a link whose domain was not verified has not lost its visitors, and the domain is told of while it is not", async () => {
  const cy = await service.register();
  const domainId = await addDomain(service, cy.orgId, { hostname: "go.unverified.example" });
  const made = await service.createLink(cy, {
    domainId,
    defaultUrl: "https://shop.example.com/",
    utm: { source: "mail" },
  });
  const headers = {
    host: "go.unverified.example",
    "x-client": "203.0.113.1",
    "user-agent": "Mozilla/5.0 Firefox/140.0",
  };
  const visit = () => service.visit(new URL(made.shortUrl).pathname, headers);
  expect((await visit()).status).toBe(302);
  await waitUntilDrained(service.service);
  // Forty clicks a day until four days ago, and none in the last three whole days.
  await service.sql`
    insert into figures_daily select earlier.* from figures_daily, generate_series(4, 60) as ago cross join lateral
      jsonb_populate_record(figures_daily, jsonb_build_object('day', day - ago * interval '1 day', 'clicks', 40)) as earlier
    where figures_daily.org_id = ${cy.orgId}`;
  const ask = async <Body>(path: string, query = "") =>
    (await call<Body>("GET", `/api/v1/organizations/${cy.orgId}/analytics/${path}${query}`, { token: cy.token })).body;
  const found = async (query = "") =>
    (await ask<BrokenCampaigns>("broken-campaigns", query)).campaigns.map(({ id, severity }) => [id, severity]);
  const lost = [[`traffic_collapse:${made._id}`, "high"]];
  expect(await found()).toEqual(lost);
  const change = (isVerified: boolean, when: string) => service.sql`
    with changed as (update domains set is_verified = ${isVerified} where id = ${domainId})
    insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type, created_at)
    values (${Bun.randomUUIDv7()}, ${cy.orgId}, ${isVerified ? "domain.verify" : "domain.unverify"}, 'domain', ${domainId},
      'system', now() - ${when}::interval)`;
  await change(false, "5 days");
  for (const query of ["", `?linkId=${made._id}`])
    expect(await found(query)).toEqual([["unverified_domain:go.unverified.example", "high"]]);
  const { anomalies } = await ask<TrafficAnomalies>("anomalies", `?linkId=${made._id}`);
  const why = /was unreachable on [\d-]* at [\d:]* UTC, because its domain was not verified$/;
  expect(anomalies).toMatchObject([{ severity: "low", summary: expect.stringMatching(why) }]);
  await change(true, "1 hour");
  expect(await found()).toEqual([]);
  await service.sql`update audit_logs set created_at = now() - interval '4 days 1 hour'
    where org_id = ${cy.orgId} and action = 'domain.verify'`;
  expect(await found()).toEqual(lost);
});

test("the clicks of a link that people paused are not said to fall, unless it serves on", async () => {
  const cy = await service.register();
  const made = await service.createLink(cy, { defaultUrl: "https://shop.example.com/", title: "Sale" });
  const headers = { "x-client": "203.0.113.1", "user-agent": "Mozilla/5.0 Firefox/140.0" };
  expect((await service.visit(made, headers)).status).toBe(302);
  await waitUntilDrained(service.service);
  // Forty clicks a day until twelve days ago.
  await service.sql`
    insert into figures_daily select earlier.* from figures_daily, generate_series(12, 60) as ago cross join lateral
      jsonb_populate_record(figures_daily, jsonb_build_object('day', day - ago * interval '1 day', 'clicks', 40)) as earlier
    where figures_daily.org_id = ${cy.orgId}`;
  const link = `/api/v1/organizations/${cy.orgId}/links/${made._id}`;
  const found = async () => {
    const path = `/api/v1/organizations/${cy.orgId}/analytics/insights?linkId=${made._id}`;
    const { insights, summary } = (await call<CampaignInsights>("GET", path, { token: cy.token })).body;
    return { isFalling: insights.some(({ id }) => id === "risk:falling_clicks"), notes: summary.notes };
  };
  const paused = expect.stringMatching(/^`Sale` was paused on .* UTC, so its clicks are not said to rise or fall$/);
  expect(await found()).toEqual({ isFalling: true, notes: [] });
  for (const [body, expected] of [
    [{ isArchived: true }, { isFalling: true, notes: [] }],
    [{ isActive: false }, { isFalling: false, notes: [paused] }],
  ] as const) {
    expect((await call("PATCH", link, { token: cy.token, body })).status).toBe(200);
    await service.sql`update link_revisions set changed_at = now() - interval '11 days'
      where link_id = ${made._id} and version > 1`;
    expect(await found()).toEqual({ ...expected, notes: [...expected.notes] });
  }
});

test("the items of a bio page are no split test, because visitors choose among them", async () => {
  const dee = await service.register();
  const { orgId, token } = dee;
  const home = `/api/v1/organizations/${orgId}`;
  const apiKey = await service.createApiKey(dee, ["events:write"]);
  await call("PATCH", home, { token, body: { settings: { appendClickId: true } } });
  const items = ["one", "two"].map((title) => ({ title, url: `https://example.com/${title}` }));
  const { body: page } = await call<{ _id: string; url: string; links: { key: string }[] }>(
    "POST",
    `${home}/bio-pages`,
    {
      ...{ token, body: { title: "Dee", links: items } },
    },
  );
  for (let visitor = 0; visitor < 64; visitor++) {
    const item = page.links[visitor % 2]?.key ?? "";
    const headers = { "x-client": `203.0.113.${visitor}`, "user-agent": "Mozilla/5.0 Firefox/140.0" };
    const { status, headers: answered } = await fetch(`${page.url}?item=${item}`, { headers, redirect: "manual" });
    expect(status).toBe(302);
    const visitorId = URL.parse(answered.get("location") ?? "")?.searchParams.get("wm_cid");
    const body = { name: "purchase", value: 5, linkId: page._id, visitorId };
    if (visitor % 2 === 0) expect((await call("POST", "/api/v1/events", { apiKey, body })).status).toBe(201);
  }
  await waitUntilDrained(service.service);
  const ask = async <Answer>(what: string) =>
    (await call<Answer>("GET", `${home}/analytics/${what}?linkId=${page._id}`, { token })).body;
  const { recommendation } = await ask<BestDestination>("best-destination");
  expect(recommendation.best).toBeNull();
  const candidates = recommendation.candidates.toSorted((one, other) => one.events - other.events);
  expect(candidates.map(({ clicks, events, metrics }) => [clicks, events, metrics.compared])).toEqual([
    [32, 0, false],
    [32, 32, false],
  ]);
  expect((await ask<BrokenCampaigns>("broken-campaigns")).campaigns).toEqual([]);
  const { insights } = await ask<CampaignInsights>("insights");
  expect(insights.map(({ id }) => id).filter((id) => /split|best_destination|utm/.test(id))).toEqual([]);
});
