/** Periodic checks of destinations: which are requested, how, and when one is reported as dead. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Link } from "@/contract/links/links";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { createAsk } from "@/modules/destinations/ask";
import { createDestinationChecker } from "@/modules/destinations/service";
import { openDatabase } from "@/platform/db/client";
import { createOutbound } from "@/platform/outbound/outbound";
import { createLog } from "@/platform/telemetry/log";
import { checkDestinations, unvisitedDestinationChecks } from "@/workers/destination-checks";

const service = await startTestService({ env: { SHORT_DOMAIN: "wm.example" } });
const ada = await service.register();
const database = openDatabase(service.databaseUrl, { pool: "tool", name: "waymark destination checks" });
afterAll(() => database.close());
const { sql, db } = database;
const orgId = ada.orgId as OrgId;

let asked: string[] = [];
let atOnce = 0;
let mostAtOnce = 0;
let agents = new Set<string | null>();
const answers = new Map<string, (request: Request) => Response | Promise<Response>>();
const site = startSite(async (request) => {
  const { pathname } = new URL(request.url);
  asked.push(`${request.method} ${pathname}`);
  agents.add(request.headers.get("user-agent"));
  mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  // A concurrent request, if there were one, would arrive during this pause.
  await Bun.sleep(1);
  atOnce--;
  return (await answers.get(pathname)?.(request)) ?? new Response("here");
});

let logged = "";
const log = createLog((text) => {
  logged += text;
});
const PERSON =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const never = new AbortController().signal;
/** Longer than any run may take, so that a run ends by its own limits, however busy the machine is. */
const HANGING_MS = 600_000;

/** Returns the checker of a server whose clock is `inMs` ahead. */
function checks(inMs = 0, totalMs?: number, linkMs?: number) {
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const checker = createDestinationChecker({
    sql,
    db,
    outbound,
    clock: () => Date.now() + inMs,
    serviceHost: "wm.example",
    totalMs,
    linkMs,
  });
  return {
    ...checker,
    run: (signal = never) => checkDestinations({ ...checker, log }).run(signal),
    runUnvisited: (signal = never) => unvisitedDestinationChecks({ ...checker, log, runMsMax: HANGING_MS }).run(signal),
  };
}

/** Creates a link to these paths of the site that was clicked just now. */
async function visited(path: string, ...targets: string[]): Promise<Link> {
  const link = await service.createLink(ada, {
    defaultUrl: path.startsWith("http") ? path : `${site.url}${path}`,
    splitTargets: targets.map((target) => ({ key: target.slice(1), destinationUrl: `${site.url}${target}` })),
  });
  // Numeric addresses look suspicious.
  await service.sql`update links set safety = '{"status":"unknown","reasons":[]}' where id = ${link._id}`;
  await clicked(link);
  return link;
}

const clicked = (link: Link, at = new Date()) => service.sql`
  insert into link_counters (org_id, link_id, writer, clicks, last_click_at) values (${ada.orgId}, ${link._id}, 1, 1, ${at})`;

const known = async (link: Link) => {
  const rows = await service.sql`
    select url, status, http_status, error, failures, failing_since is null as is_well from destination_checks
    where link_id = ${link._id} order by url`;
  return rows.map(({ url, status, http_status, failures }) => [
    String(url).replace(site.url, ""),
    status,
    http_status,
    failures,
  ]);
};

const brokenOf = async (link: Link) => {
  const path = `/api/v1/organizations/${ada.orgId}/analytics/broken-campaigns?linkId=${link._id}`;
  const { body } = await service.call<{ campaigns: { type: string }[] }>("GET", path, { token: ada.token });
  return body.campaigns.map(({ type }) => type);
};

beforeEach(async () => {
  await service.sql`update links set deleted_at = now() where deleted_at is null`;
  answers.clear();
  asked = [];
  agents = new Set();
  mostAtOnce = 0;
});

describe("what is due for a check", () => {
  test("includes links clicked within 30 days, at most once a day", async () => {
    const link = await visited("/used");
    const old = await service.createLink(ada, { defaultUrl: `${site.url}/old` });
    await clicked(old, new Date(Date.now() - 31 * DAY_MS));
    await service.createLink(ada, { defaultUrl: `${site.url}/unused` });
    expect(await checks().due(10)).toEqual([{ id: link._id, orgId }]);
    expect(await checks().run()).toEqual({ well: 1 });
    expect(asked).toEqual(["HEAD /used"]);
    expect(await checks().due(10)).toEqual([]);
    expect(await checks(DAY_MS - HOUR_MS).due(10)).toEqual([]);
    expect((await checks(DAY_MS + HOUR_MS).due(10)).map(({ id }) => id)).toEqual([link._id]);
  });

  test("includes what a server checked whose clock was far ahead", async () => {
    const link = await visited("/ahead");
    await service.sql`update links set destinations_checked_at = now() + interval '2 years' where id = ${link._id}`;
    expect((await checks().due(10)).map(({ id }) => id)).toEqual([link._id]);
    expect(await checks().run()).toEqual({ well: 1 });
    expect(await checks().due(10)).toEqual([]);
  });

  test("excludes inactive, expired, unsafe and deleted links", async () => {
    const [off, expired, unsafe, deleted] = [
      await visited("/1"),
      await visited("/2"),
      await visited("/3"),
      await visited("/4"),
    ];
    await service.sql`update links set is_active = false where id = ${off._id}`;
    await service.sql`update links set expires_at = now() - interval '1 hour' where id = ${expired._id}`;
    await service.sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${unsafe._id}`;
    await service.sql`update links set deleted_at = now() where id = ${deleted._id}`;
    expect(await checks().due(10)).toEqual([]);
    expect(await checks().recheck({ id: deleted._id, orgId }, never)).toBe("gone");
  });
});

test("of a bio page that people follow, the items are checked, and reported if they are dead", async () => {
  answers.set("/gone", () => new Response(null, { status: 404 }));
  const path = `/api/v1/organizations/${ada.orgId}/bio-pages`;
  const paths = ["/here", "/gone"];
  const body = { title: "Acme", links: paths.map((each) => ({ title: each, url: site.url + each })) };
  const { body: page } = await service.call<Link>("POST", path, { token: ada.token, body });
  await service.sql`update links set safety = '{"status":"unknown","reasons":[]}' where id = ${page._id}`;
  expect([await checks().run(), asked]).toEqual([{}, []]);
  await clicked(page);
  expect(await checks(DAY_MS).run()).toEqual({ failing: 1 });
  expect(asked.toSorted()).toEqual(["GET /gone", "HEAD /gone", "HEAD /here"]);
  expect(await brokenOf(page)).toEqual([]);
  expect(await checks(DAY_MS + HOUR_MS).run()).toEqual({ dead: 1 });
  expect(await brokenOf(page)).toEqual(["dead_destination"]);
});

test("of an expired link, the URL that its visitors are sent on to is checked, and reported if it is dead", async () => {
  answers.set("/over", () => new Response(null, { status: 404 }));
  const [link, unvisited] = [
    await visited("/before"),
    await service.createLink(ada, { defaultUrl: `${site.url}/new` }),
  ];
  for (const { _id } of [link, unvisited]) {
    await service.sql`update links set created_at = now() - interval '1 day',
      expires_at = now() - interval '1 hour', expired_url = ${`${site.url}/over`},
      safety = '{"status":"unknown","reasons":[]}' where id = ${_id}`;
  }
  expect(await checks().run()).toEqual({ failing: 1 });
  expect(await checks(2 * HOUR_MS).run()).toEqual({ dead: 1 });
  expect(await checks(60_000).runUnvisited()).toMatchObject({ failing: 1 });
  expect(new Set(asked)).toEqual(new Set(["HEAD /over", "GET /over"]));
  expect(await known(link)).toEqual([["/over", "broken", 404, 2]]);
  const { status, headers } = await service.visit(`/${link.slug}`, { host: "wm.example", "user-agent": PERSON });
  expect([status, headers.get("location")]).toEqual([302, `${site.url}/over`]);
  await until(async () => (await brokenOf(link)).length > 0);
  expect(await brokenOf(link)).toEqual(["dead_destination"]);
});

test("a link that has ended is checked for as long as it sends visitors on, however long ago it was clicked", async () => {
  const create = () => service.createLink(ada, { defaultUrl: "https://example.com/", maxClicks: 1 });
  const [expired, full, unvisited] = [await create(), await create(), await create()];
  for (const { _id } of [expired, full, unvisited]) {
    await service.sql`update links set expired_url = ${`${site.url}/over`}, created_at = now() - interval '90 days',
      safety = '{"status":"unknown","reasons":[]}' where id = ${_id}`;
  }
  for (const { _id } of [expired, unvisited]) {
    await service.sql`update links set expires_at = now() - interval '60 days' where id = ${_id}`;
  }
  await clicked(expired, new Date(Date.now() - 61 * DAY_MS));
  expect(await checks().due(10)).toEqual([]);
  const visit = ({ slug }: Link) => service.visit(`/${slug}`, { host: "wm.example", "user-agent": PERSON });
  expect((await visit(expired)).headers.get("location")).toBe(`${site.url}/over`);
  await visit(full);
  expect((await visit(full)).headers.get("location")).toBe(`${site.url}/over`);
  const counted = () => service.sql`select 1 from unserved_visits, jsonb_to_recordset(counts) as counted ("linkId" uuid)
    where "linkId" in (${expired._id}, ${full._id})`;
  await until(async () => (await counted()).length === 2);
  const due = async (inMs: number) => (await checks(inMs).due(10)).map(({ id }) => id).toSorted();
  expect(await due(DAY_MS + HOUR_MS)).toEqual([expired._id, full._id].toSorted());
  expect(await due(32 * DAY_MS)).toEqual([]);
});

describe("among links that nobody visits", () => {
  const unvisited = (path: string) => service.createLink(ada, { defaultUrl: `http://site.test${path}` });
  /**
   * Links are created with the name of the site and then changed to its numeric address, the only one that reaches
   * it.
   */
  const lead = (id: string, path: string) =>
    service.sql`update links set default_url = ${`${site.url}${path}`} where id = ${id}`;

  test("a dead one is found, reported, and cleared once it responds again", async () => {
    answers.set("/gone", () => new Response(null, { status: 404 }));
    const link = await unvisited("/");
    await lead(link._id, "/gone");
    expect(await checks(60_000).run()).toEqual({});
    expect(await checks(60_000).runUnvisited()).toEqual({ failing: 1 });
    expect(await checks(120_000).runUnvisited()).toEqual({});
    expect(await checks(2 * HOUR_MS).runUnvisited()).toEqual({ dead: 1 });
    expect(await brokenOf(link)).toEqual(["dead_destination"]);
    expect(await checks(3 * HOUR_MS).runUnvisited()).toEqual({});
    answers.delete("/gone");
    expect(await checks(DAY_MS + 3 * HOUR_MS).runUnvisited()).toEqual({ well: 1 });
    expect(await brokenOf(link)).toEqual([]);
    expect(await checks(9 * DAY_MS).runUnvisited()).toEqual({});
  });

  test("a working one is checked once, and again if its destination changes or it is reactivated", async () => {
    const { _id } = await unvisited("/");
    await lead(_id, "/new");
    const ask = async () => {
      const outcomes = await checks(60_000).runUnvisited();
      return [outcomes, asked.splice(0)] as const;
    };
    expect(await ask()).toEqual([{ well: 1 }, ["HEAD /new"]]);
    expect(await ask()).toEqual([{}, []]);
    await service.sql`update links set title = 'Spring', version = version + 1 where id = ${_id}`;
    expect(await ask()).toEqual([{}, []]);
    await lead(_id, "/elsewhere");
    expect(await ask()).toEqual([{ well: 1 }, ["HEAD /elsewhere"]]);
    await service.sql`update links set is_active = false where id = ${_id}`;
    expect(await ask()).toEqual([{}, []]);
    await service.sql`update links set is_active = true where id = ${_id}`;
    expect((await ask())[0]).toEqual({ well: 1 });
  });

  test("a bio page has its items checked when it is new or they change, and dead ones are reported", async () => {
    answers.set("/gone", () => new Response(null, { status: 404 }));
    const path = `/api/v1/organizations/${ada.orgId}/bio-pages`;
    const itemAt = (each: string) => ({ title: each, url: site.url + each });
    const pageWith = async (method: string, under: string, paths: string[]) => {
      const body = { title: "Acme", links: paths.map(itemAt) };
      const { body: page } = await service.call<Link>(method, path + under, { token: ada.token, body });
      await service.sql`update links set safety = '{"status":"unknown","reasons":[]}' where id = ${page._id}`;
      return page;
    };
    const page = await pageWith("POST", "", ["/here", "/gone"]);
    expect(await checks(60_000).runUnvisited()).toEqual({ failing: 1 });
    expect(asked.splice(0).toSorted()).toEqual(["GET /gone", "HEAD /gone", "HEAD /here"]);
    expect(await checks(2 * HOUR_MS).runUnvisited()).toEqual({ dead: 1 });
    expect(await brokenOf(page)).toEqual(["dead_destination"]);
    await pageWith("PATCH", `/${page._id}`, ["/here", "/new"]);
    asked = [];
    expect(await checks(3 * HOUR_MS).runUnvisited()).toEqual({ well: 1 });
    expect(asked.toSorted()).toEqual(["HEAD /here", "HEAD /new"]);
    expect(await brokenOf(page)).toEqual([]);
    expect(await checks(9 * DAY_MS).runUnvisited()).toEqual({});
  });

  test("one organization's bulk delays neither others' links nor visited ones, and a run is bounded", async () => {
    const bea = await service.register();
    const { _id } = await unvisited("/bulk");
    await service.sql`
      insert into links (id, org_id, domain_id, slug, slug_key, default_url)
      select gen_random_uuid(), org_id, domain_id, 'bulk-' || n, 'bulk-' || n, ${`${site.url}/bulk`}
      from links, generate_series(1, 1200) as n where links.id = ${_id}`;
    const other = await service.createLink(bea, { defaultUrl: "http://site.test/" });
    await lead(other._id, "/other");
    await visited("/used");
    const { dueUnvisited, run, runUnvisited } = checks(60_000);
    const first = await dueUnvisited(50);
    expect([first.length, first.some(({ id }) => id === other._id)]).toEqual([50, true]);
    expect(await run()).toEqual({ well: 1 });
    const { well } = await runUnvisited();
    expect(well).toBe(500);
    expect(asked).toContain("HEAD /other");
  });
});

describe("a destination", () => {
  test.each<[string, number, string, number]>([
    ["that answers", 200, "ok", 0],
    ["that asks to sign in", 401, "ok", 0],
    ["that refuses robots", 403, "ok", 0],
    ["that is too busy", 429, "ok", 0],
    ["that is not there", 404, "broken", 1],
    ["that is gone", 410, "broken", 1],
    ["that fails", 503, "broken", 1],
  ])("%s with %i is %s", async (_, status, health, failures) => {
    answers.set("/page", () => new Response(null, { status }));
    const link = await visited("/page");
    await checks().run();
    expect(await known(link)).toEqual([["/page", health, status, failures]]);
  });

  test("that does not support HEAD is requested by GET", async () => {
    answers.set(
      "/get",
      ({ method }) =>
        new Response(method === "HEAD" ? null : "x".repeat(100_000), { status: method === "HEAD" ? 405 : 200 }),
    );
    const link = await visited("/get");
    await checks().run();
    expect([asked, await known(link)]).toEqual([["HEAD /get", "GET /get"], [["/get", "ok", 200, 0]]]);
  });

  test("is judged by where its redirects end", async () => {
    answers.set("/from", () => Response.redirect(`${site.url}/lost`, 302));
    answers.set("/lost", () => new Response(null, { status: 404 }));
    const link = await visited("/from");
    await checks().run();
    expect(await known(link)).toEqual([["/from", "broken", 404, 1]]);
  });

  test("that refuses connections is unreachable; one in a private network gets no verdict", async () => {
    const [silent, inner] = [await visited("http://127.0.0.1:9/"), await visited("http://10.1.2.3/")];
    expect(await checks().run()).toEqual({ failing: 1, well: 1 });
    expect((await known(silent)).map(([, status, code]) => [status, code])).toEqual([["unreachable", null]]);
    expect(await known(inner)).toEqual([]);
  });

  test("on the service's own host is not requested, because that would count as a visit", async () => {
    await visited("http://wm.example/other");
    const spelledOut = await visited("http://wm.example./other");
    expect(await checks().run()).toEqual({ well: 2 });
    expect([asked, await known(spelledOut)]).toEqual([[], []]);
  });
});

describe("a failing destination", () => {
  test("is dead after two failures in a row, at least an hour apart, until it responds again", async () => {
    answers.set("/gone", () => new Response(null, { status: 404 }));
    const link = await visited("/gone", "/kept");
    expect(await checks().run()).toEqual({ failing: 1 });
    expect(await brokenOf(link)).toEqual([]);
    expect(await checks(HOUR_MS / 2).due(10)).toEqual([]);
    expect(await checks(HOUR_MS + 60_000).run()).toEqual({ dead: 1 });
    expect(await known(link)).toEqual([
      ["/gone", "broken", 404, 2],
      ["/kept", "ok", 200, 0],
    ]);
    expect(await brokenOf(link)).toEqual(["dead_destination"]);
    answers.delete("/gone");
    expect(await checks(DAY_MS + 2 * HOUR_MS).run()).toEqual({ well: 1 });
    expect(await brokenOf(link)).toEqual([]);
  });

  test("is not dead after two failures within minutes", async () => {
    answers.set("/flaky", () => new Response(null, { status: 500 }));
    const link = await visited("/flaky");
    const due = { id: link._id, orgId };
    await checks().recheck(due, never);
    await checks(60_000).recheck(due, never);
    expect(await known(link)).toEqual([["/flaky", "broken", 500, 1]]);
  });

  test("is forgotten once the link no longer leads to it", async () => {
    answers.set("/former", () => new Response(null, { status: 404 }));
    const link = await visited("/former");
    await checks().run();
    await service.call("PATCH", `/api/v1/organizations/${ada.orgId}/links/${link._id}`, {
      token: ada.token,
      body: { defaultUrl: `${site.url}/new` },
    });
    await checks(2 * HOUR_MS).run();
    expect(await known(link)).toEqual([["/new", "ok", 200, 0]]);
  });
});

describe("fair use", () => {
  test("requests to a host come one at a time, name the checker, and cover a shared URL once", async () => {
    for (let index = 0; index < 12; index++) await visited(`/page-${index % 6}`, `/target-${index}`);
    expect(await checks().run()).toEqual({ well: 12 });
    expect(mostAtOnce).toBe(1);
    expect(asked.toSorted()).toEqual(
      [
        ...Array.from({ length: 6 }, (_, index) => `HEAD /page-${index}`),
        ...Array.from({ length: 12 }, (_, index) => `HEAD /target-${index}`),
      ].toSorted(),
    );
    expect([...agents]).toEqual(["Mozilla/5.0 (compatible; Waymark-DestinationCheck/1.0; +https://wm.example)"]);
  });
});

test("a URL that is requested again gets its former result for ten minutes, also if the clock is set back", async () => {
  let now = Date.now();
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const ask = createAsk({ outbound, clock: () => now, serviceHost: "wm.example" });
  await ask(`${site.url}/again`, never);
  now -= HOUR_MS;
  await ask(`${site.url}/again`, never);
  expect(asked).toEqual(["HEAD /again"]);
  now += 10 * 60_000;
  await ask(`${site.url}/again`, never);
  expect(asked).toEqual(["HEAD /again", "HEAD /again"]);
});

test("a host that times out gets no further requests, and its other pages get no verdict", async () => {
  const waiting = () => new Promise<Response>(() => {});
  answers.set("/slow", waiting);
  const link = await visited("/slow", "/other");
  expect(await checks(0, 200).run()).toEqual({ failing: 1 });
  expect(asked).toEqual(["HEAD /slow", "GET /slow"]);
  expect((await known(link)).map(([path, status]) => [path, status])).toEqual([["/slow", "unreachable"]]);
});

test("a link whose check takes too long is abandoned and is no longer due", async () => {
  answers.set("/endless", () => new Promise<Response>(() => {}));
  const link = await visited("/endless", "/last");
  expect(await checks(0, undefined, 500).recheck({ id: link._id, orgId }, never)).toBe("well");
  expect([asked, await known(link)]).toEqual([["HEAD /endless"], []]);
  expect(await checks().due(10)).toEqual([]);
});

describe("a link", () => {
  test("that changes during its check stays due, and the result is discarded", async () => {
    const link = await visited("/changing");
    answers.set("/changing", async () => {
      await service.sql`update links set version = version + 1 where id = ${link._id}`;
      return new Response("here");
    });
    expect(await checks().recheck({ id: link._id, orgId }, never)).toBe("changed");
    expect(await known(link)).toEqual([]);
    expect((await checks().due(10)).map(({ id }) => id)).toEqual([link._id]);
  });

  test("whose check is aborted stays due and is not counted as failed", async () => {
    const link = await visited("/slow");
    const stopping = new AbortController();
    answers.set("/slow", () => {
      stopping.abort();
      return new Promise<Response>(() => {});
    });
    expect(await checks().run(stopping.signal)).toEqual({});
    expect([await known(link), logged]).toEqual([[], ""]);
    expect((await checks().due(10)).map(({ id }) => id)).toEqual([link._id]);
  });
});
