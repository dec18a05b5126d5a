/** Only people's installs count: who gets a token on the way to a store, and which claims count. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { IPHONE, NAVIGATION, PIXEL, visitorOf, visitTokenIn } from "@test/support/forms";
import { SECRET } from "@test/support/match";
import { createWebhook, startReceiver } from "@test/support/outside/webhooks";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { settleLateClicks } from "@/clicks/late-clicks";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import type { MatchResponse } from "@/contract/match";
import { DAY_MS } from "@/core/time/time-range";
import { statementsOf } from "@/figures/verify/standstill";
import { verifyFigures } from "@/figures/verify/verify";
import { takeFiguresLock } from "@/platform/db/locks";

const service = await startTestService({ env: { APP_SECRET: SECRET, OUTBOUND_ALLOW: "127.0.0.1" } });
const PLAY = "https://play.google.com/store/apps/details?id=com.example.app";
const APP_STORE = "https://apps.apple.com/app/id284882215";

interface Figures {
  clicks: number;
  installs: number;
  opens: number;
}

async function workspace() {
  const account = await service.register();
  const appProfileId = await addApp(service, account.orgId, {
    ios: { appStoreId: "284882215" },
    android: { packageName: "com.example.app" },
  });
  const create = (input = {}) =>
    service.createLink(account, { defaultUrl: "https://example.com/", appProfileId, ...input });
  const overview = async (query = ""): Promise<Figures> => {
    const path = `/api/v1/organizations/${account.orgId}/analytics/overview?${query}`;
    await waitUntilDrained(service.service);
    const { body } = await service.call<AnalyticsOverview>("GET", path, { token: account.token });
    return { clicks: body.totalClicks, installs: body.installs, opens: body.opens };
  };
  return { ...account, create, overview };
}

let addresses = 0;
const freshAddress = () => `10.200.${++addresses >> 8}.${addresses & 255}`;

const visit = (link: Link, { method = "GET", ...headers }: Record<string, string> = {}) =>
  fetch(link.shortUrl, {
    method,
    redirect: "manual",
    headers: { "user-agent": PIXEL, [CLIENT_HEADER]: freshAddress(), ...headers },
  });

const tokenIn = (location: string | null): string | undefined =>
  /(?:match_token%3D|[?&]ct=)([\w-]{30})/.exec(location ?? "")?.[1];
const tokenOf = async (link: Link, headers: Record<string, string> = {}) =>
  tokenIn((await visit(link, headers)).headers.get("location"));

const claim = async (matchToken: string, address = freshAddress()) => {
  const { status, body } = await service.call<MatchResponse>("POST", "/api/v1/match", {
    body: { matchToken },
    headers: { [CLIENT_HEADER]: address, "user-agent": "okhttp/4.12.0" },
  });
  expect(status).toBe(200);
  return body;
};

/** A claim waits two seconds at most for the verdict on its click, and the thread that judges clicks has low priority. */
const waitUntilJudged = () => waitUntilDrained(service.service);

/** Does what a job does every minute. */
const settle = (now = Date.now()) => settleLateClicks({ db: service.db, now, signal: new AbortController().signal });

async function expectNoDifference(orgId: string): Promise<void> {
  const found: object[] = [];
  await verifyFigures(service.sql, { span: {}, orgId, isRepairing: false, onDifference: (each) => found.push(each) });
  expect(found).toEqual([]);
}

describe("a redirect to a store has no token", () => {
  const nobodies: [name: string, headers: Record<string, string>][] = [
    ["a robot", { "user-agent": `${PIXEL} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)` }],
    ["a link preview", { "user-agent": `facebookexternalhit/1.1 ${PIXEL}` }],
    ["HEAD", { method: "HEAD" }],
    ["Sec-Purpose: prefetch", { "sec-purpose": "prefetch" }],
    ["Sec-Purpose: prefetch;prerender", { "sec-purpose": "prefetch;prerender" }],
    ["Purpose: prefetch", { purpose: "prefetch" }],
    ["Purpose: prefetch beside another Sec-Purpose", { "sec-purpose": "whatever", purpose: "prefetch" }],
    ["X-Moz: prefetch", { "x-moz": "prefetch" }],
    ["X-Purpose: preview", { "x-purpose": "preview" }],
  ];

  test.each(nobodies)("for %s, by fallback, rule or split, and to either store", async (_, headers) => {
    const { create } = await workspace();
    const rule = { priority: 1, destinationUrl: PLAY, conditions: { platform: ["android" as const] } };
    const links = {
      fallback: await create(),
      rule: await create({ rules: [rule] }),
      split: await create({ splitTargets: [{ key: "a", destinationUrl: PLAY, weight: 1, isActive: true }] }),
      appStore: await create({ defaultUrl: APP_STORE, appProfileId: null }),
    };
    for (const [name, link] of Object.entries(links)) {
      const { status, headers: answered } = await visit(link, headers);
      const location = answered.get("location") ?? "";
      const store = name === "appStore" ? `${APP_STORE}?mt=8` : PLAY;
      expect([name, status, location]).toEqual([name, 302, store]);
      expect([name, await tokenOf(link)]).toEqual([name, expect.any(String)]);
    }
  });

  test("for a prefetch of a bio page's item", async () => {
    const { orgId, token } = await workspace();
    const { body } = await service.call<{ url: string }>("POST", `/api/v1/organizations/${orgId}/bio-pages`, {
      token,
      body: { title: "Ada", links: [{ title: "The app", url: PLAY }] },
    });
    const html = await (await fetch(body.url, { headers: NAVIGATION })).text();
    const item = `${body.url}${/href="(\?item=[^"]+)"/.exec(html)?.[1]}`;
    const locationOf = async (headers: Record<string, string>) =>
      (await fetch(item, { redirect: "manual", headers: { "user-agent": PIXEL, ...headers } })).headers.get("location");
    expect(await locationOf({ purpose: "prefetch" })).toBe(PLAY);
    expect(tokenIn(await locationOf({}))).toBeString();
  });
});

test("visits by forty bots get no token, and count as neither installs nor clicks", async () => {
  const { create, overview } = await workspace();
  const link = await create();
  const tokens = await Promise.all(
    Array.from({ length: 40 }, () => tokenOf(link, { "user-agent": `python-requests/2.31 ${PIXEL}` })),
  );
  expect(tokens.filter((token) => token !== undefined)).toEqual([]);
  expect(await overview()).toEqual({ clicks: 0, installs: 0, opens: 0 });
});

describe("a claim", () => {
  test("counts with a person's click, even before that click is in Postgres", async () => {
    const { orgId, create, overview } = await workspace();
    const link = await create();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => tokenOf(link)));
    const claims = await Promise.all(tokens.map((token) => claim(token ?? "")));
    expect(claims.map(({ matched }) => matched)).toEqual([true, true, true, true, true]);
    expect(await overview()).toEqual({ clicks: 5, installs: 5, opens: 5 });
    await expectNoDifference(orgId);
  });

  test("of a click judged to be a bot's is answered, counts as a bot's and triggers no webhook", async () => {
    const { orgId, token: session, create, overview } = await workspace();
    const link = await create();
    const receiver = startReceiver();
    await createWebhook(service, { orgId, token: session, email: "", password: "" }, receiver.url, [
      "link.matched",
      "link.opened",
    ]);
    const address = freshAddress();
    const tokens: string[] = [];
    for (let visits = 1; visits <= 75; visits++) tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
    await waitUntilJudged();
    const claims = await Promise.all(tokens.map((token) => claim(token)));
    expect(claims.every(({ matched, deepLinkPayload }) => matched === true && deepLinkPayload !== undefined)).toBe(
      true,
    );
    const counted = await overview();
    expect(counted).toEqual({ clicks: 60, installs: 60, opens: 60 });
    expect(await overview("includeBots=true")).toEqual({ clicks: 75, installs: 75, opens: 75 });
    await until(() => receiver.received.length >= 2 * counted.installs);
    const [told] = await service.sql`
      select count(*)::int as waiting from webhook_deliveries where org_id = ${orgId}`;
    expect(told?.waiting).toBe(2 * counted.installs);
    await expectNoDifference(orgId);
  });

  test("follows each change of the verdict on its click", async () => {
    const { orgId, token, create, overview } = await workspace();
    const link = await create();
    const address = freshAddress();
    const tokens: string[] = [];
    for (let visits = 1; visits <= 63; visits++) tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
    await waitUntilJudged();
    for (const each of tokens.slice(-4)) await claim(each);
    expect(await overview()).toEqual({ clicks: 60, installs: 1, opens: 1 });
    const judge = (status: string) =>
      service.call("POST", `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`, {
        token,
        body: { linkId: link._id, status },
      });
    expect((await judge("dismissed")).body).toEqual({ changed: 3, remaining: 0 });
    expect(await overview()).toEqual({ clicks: 63, installs: 4, opens: 4 });
    await expectNoDifference(orgId);
    await judge("confirmed");
    expect(await overview()).toEqual({ clicks: 60, installs: 1, opens: 1 });
    await judge("pending");
    expect(await overview("includeBots=true")).toEqual({ clicks: 63, installs: 4, opens: 4 });
    await expectNoDifference(orgId);
  });

  test("of a click confirmed as abuse counts nowhere, whichever came first, until the verdict changes", async () => {
    const partialHour = `from=${new Date(Date.now() - 1).toISOString()}`;
    const { orgId, token, create, overview } = await workspace();
    const link = await create();
    const address = freshAddress();
    const tokens: string[] = [];
    for (let visits = 1; visits <= 63; visits++) tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
    await waitUntilJudged();
    for (const each of tokens.slice(-5, -1)) await claim(each);
    const expectFigures = async (people: Figures, all: Figures) => {
      expect(await overview()).toEqual(people);
      expect(await overview("includeBots=true")).toEqual(all);
      expect(await overview(`includeBots=true&${partialHour}`)).toEqual(all);
      expect(await overview(`includeBots=true&linkId=${link._id}`)).toEqual(all);
      await expectNoDifference(orgId);
    };
    const judge = (status: string) =>
      service.call("POST", `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`, {
        token,
        body: { linkId: link._id, status },
      });
    await expectFigures({ clicks: 60, installs: 2, opens: 2 }, { clicks: 63, installs: 4, opens: 4 });
    expect((await judge("confirmed")).body).toEqual({ changed: 3, remaining: 0 });
    await expectFigures({ clicks: 60, installs: 2, opens: 2 }, { clicks: 60, installs: 2, opens: 2 });
    expect((await claim(tokens.at(-1) ?? "")).matched).toBe(true);
    await expectFigures({ clicks: 60, installs: 2, opens: 2 }, { clicks: 60, installs: 2, opens: 2 });
    await judge("pending");
    await expectFigures({ clicks: 60, installs: 2, opens: 2 }, { clicks: 63, installs: 5, opens: 5 });
    await judge("confirmed");
    await judge("dismissed");
    await expectFigures({ clicks: 63, installs: 5, opens: 5 }, { clicks: 63, installs: 5, opens: 5 });
  });

  test("that waits for a verdict on its click counts by that verdict", async () => {
    const { orgId, create, overview } = await workspace();
    const token = (await tokenOf(await create())) ?? "";
    expect(await overview()).toEqual({ clicks: 1, installs: 0, opens: 0 });
    let claimed: Promise<MatchResponse> | undefined;
    await service.sql.begin(async (tx) => {
      await takeFiguresLock(statementsOf(tx), orgId);
      claimed = claim(token);
      await until(
        async () => (await service.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).length > 0,
      );
      await tx`update clicks set verdict = 'confirmed', is_bot = true where org_id = ${orgId}`;
    });
    expect((await claimed)?.matched).toBe(true);
    expect(await overview("includeBots=true")).toMatchObject({ installs: 0, opens: 0 });
  });

  test("that came long before its click counts like it once that is in Postgres", async () => {
    const { orgId, token, create, overview } = await workspace();
    const link = await create();
    const address = freshAddress();
    const tokens: string[] = [];
    await service.sql.begin(async (tx) => {
      // Clicks can be read, but not written.
      await tx`lock table clicks in share mode`;
      for (let visits = 1; visits <= 63; visits++)
        tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
      const claims = await Promise.all([...tokens.slice(0, 2), ...tokens.slice(-2)].map((each) => claim(each)));
      expect(claims.map(({ matched }) => matched)).toEqual([true, true, true, true]);
    });
    await waitUntilJudged();
    await settle();
    expect(await overview()).toEqual({ clicks: 60, installs: 2, opens: 2 });
    expect(await overview("includeBots=true")).toEqual({ clicks: 63, installs: 4, opens: 4 });
    await expectNoDifference(orgId);
    const judge = (status: string) =>
      service.call("POST", `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`, {
        token,
        body: { linkId: link._id, status },
      });
    await judge("confirmed");
    expect(await overview("includeBots=true")).toEqual({ clicks: 60, installs: 2, opens: 2 });
    await judge("dismissed");
    expect(await overview()).toEqual({ clicks: 63, installs: 4, opens: 4 });
    await expectNoDifference(orgId);
  });

  test("that came a month before its click follows the verdict on it", async () => {
    const { orgId, token, create, overview } = await workspace();
    const link = await create();
    await service.sql.begin(async (tx) => {
      // Clicks can be read, but not written.
      await tx`lock table clicks in share mode`;
      expect((await claim((await tokenOf(link)) ?? "")).matched).toBe(true);
      await settle(Date.now() + 30 * DAY_MS);
    });
    await waitUntilJudged();
    await settle(Date.now() + 30 * DAY_MS);
    expect(await overview()).toEqual({ clicks: 1, installs: 1, opens: 1 });
    // As of a crowd behind one address, whose clicks count until they are judged.
    await service.sql`update clicks set spam_score = 70, bot_reasons = '{crowd}' where org_id = ${orgId}`;
    await service.call("POST", `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`, {
      token,
      body: { linkId: link._id, status: "confirmed" },
    });
    expect(await overview("includeBots=true")).toEqual({ clicks: 0, installs: 0, opens: 0 });
    await expectNoDifference(orgId);
  });

  test("of a click that an earlier release confirmed as abuse leaves all figures after the upgrade", async () => {
    const { orgId, token, create, overview } = await workspace();
    const link = await create();
    const address = freshAddress();
    const tokens: string[] = [];
    for (let visits = 1; visits <= 62; visits++) tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
    await waitUntilJudged();
    for (const each of [tokens[0], tokens.at(-1)]) await claim(each ?? "");
    // An earlier release left the install as it had counted: as a bot's.
    const clicks = await service.sql`select token_hash, click_id from claims where org_id = ${orgId}`;
    await service.sql`update claims set click_id = null where org_id = ${orgId}`;
    const path = `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`;
    await service.call("POST", path, { token, body: { linkId: link._id, status: "confirmed" } });
    for (const { token_hash, click_id } of clicks)
      await service.sql`update claims set click_id = ${click_id} where token_hash = ${token_hash}`;
    expect(await overview("includeBots=true")).toEqual({ clicks: 60, installs: 2, opens: 2 });
    const statements = (await Bun.file("drizzle/migrations/0061_awaited_clicks.sql").text()).split(
      "--> statement-breakpoint",
    );
    await service.sql.unsafe(statements.at(-1) ?? "");
    await settle();
    for (const query of ["", "includeBots=true"])
      expect(await overview(query)).toEqual({ clicks: 60, installs: 1, opens: 1 });
    await expectNoDifference(orgId);
  });

  test("whose click never comes stays as it counted, and awaits it for a month", async () => {
    const { orgId, create, overview } = await workspace();
    const matchToken = (await tokenOf(await create())) ?? "";
    await waitUntilJudged();
    await service.sql`delete from clicks where org_id = ${orgId}`;
    expect((await claim(matchToken)).matched).toBe(true);
    const awaiting = async () =>
      (await service.sql`select 1 from claims where org_id = ${orgId} and awaited_at is not null`).length;
    await settle(Date.now() + 30 * DAY_MS);
    expect([await awaiting(), (await overview()).installs]).toEqual([1, 1]);
    await settle(Date.now() + 32 * DAY_MS);
    expect([await awaiting(), (await overview()).installs]).toEqual([0, 1]);
  });

  test("counts for each of the phones behind one address", async () => {
    const { create, overview } = await workspace();
    const link = await create();
    const address = freshAddress();
    const tokens: string[] = [];
    for (let phones = 1; phones <= 40; phones++) tokens.push((await tokenOf(link, { [CLIENT_HEADER]: address })) ?? "");
    await waitUntilJudged();
    for (const each of tokens) expect((await claim(each, address)).matched).toBe(true);
    expect(await overview()).toEqual({ clicks: 40, installs: 40, opens: 40 });
  });
});

test("a form sent three times counts as one install", async () => {
  const { create, overview } = await workspace();
  const leadCapture = { enabled: true, fields: [{ name: "email", label: "Email", type: "email" as const }] };
  const link = await create({ leadCapture });
  const { open, send } = visitorOf(service, freshAddress());
  const path = new URL(link.shortUrl).pathname;
  const headers = { "user-agent": PIXEL };
  const pass = visitTokenIn(await (await open(path, headers)).text());
  const tokens: (string | undefined)[] = [];
  for (let times = 1; times <= 3; times++) {
    const { status, headers: answered } = await send(path, { wm_pass: pass, email: "ada@example.com" }, headers);
    expect(status).toBe(303);
    tokens.push(tokenIn(answered.get("location")));
  }
  expect([tokens[0], new Set(tokens).size]).toEqual([expect.any(String), 1]);
  await claim(tokens[0] ?? "");
  await claim(tokens[2] ?? "");
  expect((await overview()).installs).toBe(1);
});

test("a form sent from two devices counts as one install, also if its rule is gone by the second time", async () => {
  const { create, overview, orgId, token: session } = await workspace();
  const leadCapture = { enabled: true, fields: [{ name: "email", label: "Email", type: "email" as const }] };
  const rules = ["android" as const, "ios" as const].map((platform, priority) => ({
    ...{ priority, destinationUrl: priority === 0 ? PLAY : APP_STORE, conditions: { platform: [platform] } },
  }));
  const link = await create({ leadCapture, rules });
  const { open, send } = visitorOf(service, freshAddress());
  const path = new URL(link.shortUrl).pathname;
  const pass = visitTokenIn(await (await open(path, { "user-agent": PIXEL })).text());
  const tokens: (string | undefined)[] = [];
  for (const agent of [PIXEL, IPHONE]) {
    const sent = await send(path, { wm_pass: pass, email: "ada@example.com" }, { "user-agent": agent });
    tokens.push(tokenIn(sent.headers.get("location") ?? (await sent.text()).replaceAll("&amp;", "&")));
    // As long as the link has the rule that the form was shown for, it leads there from any device.
    const instead = { ...rules[0], destinationUrl: "https://example.com/", conditions: { platform: ["desktop"] } };
    const change = { token: session, body: { rules: [instead, rules[1]] } };
    await service.call("PATCH", `/api/v1/organizations/${orgId}/links/${link._id}`, change);
  }
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) await claim(token ?? "");
  expect(await overview()).toMatchObject({ clicks: 1, installs: 1 });
});

test("a hand-off page has a person's token in its link and in the text for the clipboard", async () => {
  const { create } = await workspace();
  const link = await create();
  const page = await (await fetch(link.shortUrl, { headers: { ...NAVIGATION, "user-agent": IPHONE } })).text();
  const token = tokenIn(/href="([^"]*apps\.apple\.com[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? null);
  expect(token).toBeString();
  expect(page).toContain(`data-copy="${link.shortUrl}?match_token=${token}"`);
});
