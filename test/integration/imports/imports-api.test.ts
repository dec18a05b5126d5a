/** Links of other services, fetched from their APIs with the customer's key. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { importProcesses, killImportProcesses } from "@test/support/outside/import-processes";
import { ledgerOf, runImport, waitForImport } from "@test/support/outside/imports";
import { startLinkServices } from "@test/support/outside/link-services";
import { type Account, startTestService } from "@test/support/service";
import type { Import } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";
import { archivedTables } from "@/platform/archive/tables";

const others = startLinkServices();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.0/8" } });
const account = await service.register();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;
const domainMap = { "*": shared };

async function request(source: string, credentials: object = {}, options: object = {}, by: Account = account) {
  const { token, orgId } = by;
  return service.call<Import & { details?: string[] }>("POST", `/api/v1/organizations/${orgId}/imports`, {
    token,
    body: {
      options: { source, domainMap, ...options },
      credentials: { apiKey: others.key, baseUrl: `${others.url}/${source}/`, ...credentials },
    },
  });
}

async function fetched(source: string, credentials: object = {}, options: object = {}): Promise<Import> {
  const { status, body } = await request(source, credentials, options);
  expect([status, body.details]).toEqual([202, undefined]);
  return waitForImport(service, account, body._id);
}

const linkOf = async (id: string | undefined) =>
  (await service.call<Link>("GET", `/api/v1/organizations/${account.orgId}/links/${id}`, { token: account.token }))
    .body;

const range = (count: number, make: (index: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, index) => make(index));

const MADE = "2024-05-02T08:11:00.000Z";

test("the links of each service are imported from all of its pages", async () => {
  others.items = new Map([
    [
      "dub",
      range(101, (n) => ({
        ...{ id: `link_${n}`, domain: "go.acme.com", key: `d${n}`, url: `https://acme.com/${n}`, archived: n === 100 },
        ...{ ios: "https://acme.com/ios", geo: { DE: "https://acme.com/de" }, clicks: 7, createdAt: MADE },
      })),
    ],
    [
      "bitly",
      ["Bk1", "Bk2"].flatMap((group) => [
        {
          ...{ group, id: `acme.ly/${group}`, link: `https://acme.ly/${group}`, long_url: "https://acme.com/b" },
          ...{ custom_bitlinks: [`https://acme.ly/${group}-a`, `https://acme.ly/${group}-b`], title: group },
          ...{ archived: false, created_at: "2020-10-26T17:20:40+0000", tags: ["mail"], deeplinks: [], references: {} },
        },
      ]),
    ],
    [
      "yourls",
      range(501, (n) => ({
        ...{ shorturl: `https://y.acme.com/y${n}`, url: `https://acme.com/${n}`, title: `Y ${n}` },
        ...{ timestamp: "2019-04-02 11:20:05", ip: "203.0.113.7", clicks: String(n) },
      })),
    ],
    [
      "kutt",
      range(51, (n) => ({
        ...{ id: crypto.randomUUID(), address: `k${n}`, target: `https://acme.com/${n}`, password: n === 50 },
        ...{ link: `https://kutt.acme.com/k${n}`, domain: null, description: null, expire_in: null, banned: false },
        ...{ visit_count: 4, created_at: MADE },
      })),
    ],
    [
      "shortio",
      range(51, (n) => ({
        ...{
          idString: `lnk_${n}`,
          originalURL: `https://acme.com/${n}`,
          path: `s${n}`,
          title: `S ${n}`,
          tags: ["spring"],
        },
        ...{ iphoneURL: "https://acme.com/ios", androidURL: null, archived: false, createdAt: MADE },
      })),
    ],
    [
      "rebrandly",
      range(26, (n) => ({
        ...{ id: `r${n}`, title: `R ${n}`, slashtag: `r${n}`, destination: `https://acme.com/${n}`, clicks: 2 },
        ...{ shortUrl: `go.acme.com/r${n}`, domain: { id: "d", fullName: "go.acme.com" }, createdAt: MADE },
      })),
    ],
  ]);
  const counts: Record<string, unknown> = {};
  for (const source of others.items.keys()) {
    const done = await fetched(source);
    counts[source] = [done.status, done.error, done.counts.fetched, done.counts.created];
  }
  expect(counts).toEqual({
    dub: ["done", undefined, 101, 101],
    bitly: ["done", undefined, 2, 6],
    yourls: ["done", undefined, 501, 501],
    kutt: ["done", undefined, 51, 51],
    shortio: ["done", undefined, 51, 51],
    rebrandly: ["done", undefined, 26, 26],
  });
  expect(others.asked.find(({ path }) => path.startsWith("/dub/"))?.path).toBe(
    "/dub/links?page=1&pageSize=100&showArchived=true&sortBy=createdAt&sortOrder=asc",
  );
  expect(others.asked.find(({ path }) => path.startsWith("/shortio/api/links"))?.path).toBe(
    "/shortio/api/links?domain_id=71&limit=50",
  );
  expect((await service.visit("/Bk2-b")).headers.get("location")).toBe("https://acme.com/b");
  expect((await service.visit("/s50")).headers.get("location")).toBe("https://acme.com/50");
});

test("Shlink's redirect rules are imported, too, and the import can be verified without the key", async () => {
  const code = (n: number) => ({ shortCode: n === 0 ? "deep/one" : `h${n}`, domain: null, hasRedirectRules: n === 0 });
  others.items.set(
    "shlink",
    range(51, (n) => ({
      ...{ ...code(n), shortUrl: `https://s.acme.com/${code(n).shortCode}`, longUrl: `https://acme.com/${n}` },
      ...{ dateCreated: "2024-02-11T18:03:22+00:00", tags: ["spring"], title: null, crawlable: false },
      ...{
        visitsSummary: { total: 9, nonBots: 8, bots: 1 },
        meta: { validSince: null, validUntil: null, maxVisits: null },
      },
    })),
  );
  others.rules.set("deep/one", [
    {
      ...{ priority: 1, longUrl: "https://acme.com/android" },
      conditions: [{ type: "device", matchKey: null, matchValue: "android" }],
    },
  ]);
  const done = await fetched("shlink");
  expect(done).toMatchObject({
    source: "shlink",
    fileName: new URL(others.url).host,
    counts: { fetched: 51, created: 51 },
  });
  const [first] = await ledgerOf(service, account, done._id);
  expect(first).toMatchObject({ address: "s.acme.com/deep/one", clicksBefore: 9 });
  expect(await linkOf(first?.linkId)).toMatchObject({
    ...{ slug: "one", pathPrefix: "deep", tags: ["spring"], createdAt: "2024-02-11T18:03:22.000Z" },
    rules: [{ destinationUrl: "https://acme.com/android", conditions: { platform: ["android"] } }],
  });
  const path = `/api/v1/organizations/${account.orgId}/imports/${done._id}/verify`;
  expect((await service.call("POST", path, { token: account.token })).status).toBe(202);
  expect((await waitForImport(service, account, done._id)).counts).toMatchObject({ checked: 51, different: 0 });
});

test("redirect rules are requested six at a time, and each link gets its own", async () => {
  others.items.set(
    "shlink",
    range(20, (n) => ({
      ...{ shortCode: `ruled${n}`, domain: null, hasRedirectRules: n % 3 !== 0, longUrl: "https://acme.com/" },
      ...{ shortUrl: `https://s.acme.com/ruled${n}`, dateCreated: MADE, tags: [], title: null },
    })),
  );
  for (let n = 0; n < 20; n++) {
    const conditions = [{ type: "device", matchKey: null, matchValue: "android" }];
    others.rules.set(`ruled${n}`, [{ priority: 1, longUrl: `https://acme.com/android/${n}`, conditions }]);
  }
  let [underWay, mostUnderWay, failures] = [0, 0, 1];
  const six = Promise.withResolvers<void>();
  others.answering = async ({ url }) => {
    if (!url.includes("redirect-rules")) return undefined;
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    if (underWay === 6) six.resolve();
    await six.promise;
    underWay--;
    // If one request of a page fails, the page is requested again, and goes on where it was.
    return url.includes("ruled8/") && failures-- > 0 ? new Response(null, { status: 503 }) : undefined;
  };
  const done = await fetched("shlink").finally(() => {
    others.answering = null;
  });
  expect([done.error, done.counts.fetched, done.counts.created, mostUnderWay]).toEqual([undefined, 20, 20, 6]);
  const rows = await ledgerOf(service, account, done._id);
  const ruled = await Promise.all(rows.map(async ({ linkId }) => (await linkOf(linkId)).rules));
  expect(rows.map(({ address }) => address)).toEqual(Array.from({ length: 20 }, (_, n) => `s.acme.com/ruled${n}`));
  expect(ruled.map((rules) => rules?.[0]?.destinationUrl)).toEqual(
    Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? undefined : `https://acme.com/android/${n}`)),
  );
});

describe("while a proxy before Shlink answers that it knows no such address,", () => {
  test.each([
    ["the rules of a link are asked for again", "proxied-a", "/redirect-rules"],
    ["a later page of the list is asked for again", "proxied-b", "page=2"],
  ])("%s", async (_, name, part) => {
    others.items.set(
      "shlink",
      range(51, (n) => ({
        ...{ shortCode: `${name}-${n}`, domain: null, hasRedirectRules: n === 50, longUrl: "https://acme.com/" },
        ...{ shortUrl: `https://s.acme.com/${name}-${n}`, dateCreated: MADE, tags: [], title: null },
      })),
    );
    const conditions = [{ type: "device", matchKey: null, matchValue: "android" }];
    others.rules.set(`${name}-50`, [{ priority: 1, longUrl: "https://acme.com/android", conditions }]);
    let times = 2;
    others.answering = ({ url }) =>
      url.includes(part) && times-- > 0 ? new Response("404 page not found", { status: 404 }) : undefined;
    const done = await fetched("shlink").finally(() => {
      others.answering = null;
    });
    expect([done.error, done.counts]).toEqual([undefined, { fetched: 51, records: 51, created: 51 }]);
    const ruled = (await ledgerOf(service, account, done._id)).at(-1);
    expect((await linkOf(ruled?.linkId)).rules).toMatchObject([{ destinationUrl: "https://acme.com/android" }]);
  });
});

test("a link whose rules Shlink does not have any more is listed as incomplete, and not compared", async () => {
  const item = { shortCode: "without", domain: null, hasRedirectRules: true, longUrl: "https://acme.com/", tags: [] };
  others.items.set("shlink", [{ ...item, shortUrl: "https://s.acme.com/without" }]);
  others.answering = ({ url }) =>
    url.includes("/redirect-rules") ? Response.json({ type: "short-url-not-found" }, { status: 404 }) : undefined;
  const done = await fetched("shlink").finally(() => {
    others.answering = null;
  });
  expect(done.counts).toMatchObject({ created: 1, incomplete: 1 });
  const [row] = await ledgerOf(service, account, done._id);
  expect(row?.dropped).toEqual([{ field: "redirectRules", why: "left out: they are missing in what Shlink returned" }]);
  const path = `/api/v1/organizations/${account.orgId}/imports/${done._id}/verify`;
  expect((await service.call("POST", path, { token: account.token })).status).toBe(202);
  expect((await waitForImport(service, account, done._id)).counts).toMatchObject({ checked: 0, notCompared: 1 });
});

test("requests are retried after errors, rate limits and broken JSON, and shifted pages are read completely", async () => {
  const links = range(60, (n) => ({
    ...{ id: String(n), address: `z${n}`, target: "https://acme.com/", link: `https://kutt.acme.com/z${n}` },
  }));
  others.items.set("kutt", links);
  const odd = [
    () => Response.json({ error: "oops" }, { status: 500 }),
    () => new Response('{"total": 60, "data": ['),
    () => Response.json({ error: "later" }, { status: 429, headers: { "retry-after": "1" } }),
    () => undefined,
    () => {
      // One link is deleted behind the first page: those that follow move up, and none is missed.
      links.shift();
      return new Response(JSON.stringify({ total: 59, data: links.slice(40, 90) }).replace('"z45"', '"z4\\x5\u0001"'));
    },
  ];
  others.answering = () => odd.shift()?.();
  const done = await fetched("kutt", {}, { dryRun: true }).finally(() => {
    others.answering = null;
  });
  expect([done.status, done.error, odd.length]).toEqual(["done", undefined, 0]);
  expect(done.counts).toMatchObject({ fetched: 60, records: 60 });
});

describe("a job fails with one sentence", () => {
  let turn = 0;
  const cases: [what: string, source: string, credentials: object, answer: (() => Response) | null, error: string][] = [
    ["for a wrong key", "dub", { apiKey: "wrong" }, null, "credentials.apiKey: Dub refuses it (403)"],
    [
      "where there is no such API",
      "shlink",
      { baseUrl: "/nowhere" },
      null,
      "credentials.baseUrl: there is no API of Shlink at it (404)",
    ],
    [
      "for an endless list",
      "shortio",
      {},
      () =>
        Response.json({
          links: [{ originalURL: "https://acme.com/", path: "e1" }],
          nextPageToken: "1",
          domains: [{ id: 1, hostname: "a.b" }],
        }),
      "Short.io lists the same links again and again",
    ],
    [
      "for pages that go round in a circle",
      "shortio",
      {},
      () => {
        const page = turn++ % 3;
        return Response.json({
          links: [{ originalURL: "https://acme.com/", path: `round${page}` }],
          nextPageToken: `${page}`,
          domains: [{ id: 1, hostname: "a.b" }],
        });
      },
      "Short.io lists the same links again and again",
    ],
    [
      "for a redirect, which the key does not follow",
      "dub",
      {},
      () =>
        new Response(null, {
          status: 302,
          headers: { location: `${others.url.replace("127.0.0.1", "localhost")}/kept` },
        }),
      "credentials.baseUrl: it redirects (302); use the address that it leads to",
    ],
    [
      "for a list of something else",
      "dub",
      {},
      () => Response.json({}, { status: 418 }),
      "Dub refuses the request (418)",
    ],
    [
      "for links that are nested without end",
      "dub",
      {},
      () => new Response(`[{"id":"1","domain":"a.b","key":"deep","geo":${"[".repeat(100_000)}${"]".repeat(100_000)}}]`),
      "Dub returned JSON of more than 500 levels",
    ],
  ];
  test.each(cases)("%s", async (_, source, credentials, answer, error) => {
    others.asked = [];
    others.answering = answer;
    const baseUrl = "baseUrl" in credentials ? `${others.url}/nowhere` : `${others.url}/${source}`;
    const done = await fetched(source, { ...credentials, baseUrl }).finally(() => {
      others.answering = null;
    });
    expect([done.status, done.error]).toEqual(["failed", error]);
    expect(others.asked.filter(({ path }) => path.includes("kept"))).toEqual([]);
    const [row] = await service.sql`select credentials from imports where id = ${done._id}`;
    expect(row?.credentials).toBeNull();
  });
});

/**
 * Linux divides the cores equally between sessions, whatever the priorities within each, so a low priority alone
 * would still take from the server's own share. Where the system has no shares of sessions, the priority counts.
 */
test("the import's process has a small CPU share of its own, and ends before the server if memory runs out", async () => {
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  others.answering = async () => {
    reached.resolve();
    await held.promise;
    return undefined;
  };
  const { body } = await request("dub", {}, { dryRun: true });
  await reached.promise;
  const sharePath = (pid: number | string) => `/proc/${pid}/autogroup`;
  const hasShares = existsSync(sharePath("self"));
  const shareOf = (pid: number | string) => (hasShares ? readFileSync(sharePath(pid), "utf8").trim() : undefined);
  const sessionOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[3]);
  const found = importProcesses(process.pid).map((pid) => ({
    ...{ priority: getPriority(pid), isApart: sessionOf(pid) === pid, share: shareOf(pid)?.split(" ").slice(-2) },
    isServers: hasShares && shareOf(pid) === shareOf("self"),
    endsAt: readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim(),
  }));
  others.answering = null;
  held.resolve();
  await waitForImport(service, account, body._id);
  const share = hasShares ? ["nice", "10"] : undefined;
  const priority = Math.max(getPriority(), 10);
  expect(found).toEqual([{ priority, isApart: true, share, isServers: false, endsAt: "1000" }]);
});

test("an import whose process is killed resumes after the last stored page, and its key stays encrypted", async () => {
  others.items.set(
    "dub",
    range(201, (n) => ({ domain: "go.acme.com", key: `p${n}`, url: "https://acme.com/" })),
  );
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  others.answering = async ({ url }) => {
    if (!url.includes("page=2&")) return undefined;
    reached.resolve();
    await held.promise;
    return undefined;
  };
  const { body } = await request("dub");
  await reached.promise;
  const [row] =
    await service.sql`select credentials, file::text, fetched::text as fetched from imports where id = ${body._id}`;
  expect(row?.credentials.length).toBeGreaterThan(0);
  expect(Buffer.from(row?.credentials).includes(others.key) || JSON.stringify(row).includes(others.key)).toBe(false);
  await killImportProcesses(process.pid);
  others.answering = null;
  held.resolve();
  others.asked = [];
  await service.sql`update imports set leased_until = now() - interval '1 second' where id = ${body._id}`;
  expect(await waitForImport(service, account, body._id)).toMatchObject({
    status: "done",
    counts: { fetched: 201, created: 201 },
  });
  expect(others.asked.map(({ path }) => new URL(path, others.url).searchParams.get("page"))).toEqual(["2", "3"]);
  const [after] = await service.sql`select credentials from imports where id = ${body._id}`;
  expect(after?.credentials).toBeNull();
});

test("an import that was queued for days still runs", async () => {
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  others.answering = async () => {
    reached.resolve();
    await held.promise;
    return undefined;
  };
  others.items.set("kutt", []);
  const first = await request("kutt");
  await reached.promise;
  const next = await request("kutt");
  await service.sql`update imports set created_at = now() - interval '2 days' where id = ${next.body._id}`;
  others.answering = null;
  held.resolve();
  await waitForImport(service, account, first.body._id);
  expect(await waitForImport(service, account, next.body._id)).toMatchObject({ status: "done" });
});

describe("an import that the service tells to wait", () => {
  async function waiting(): Promise<string> {
    others.items.set("rebrandly", [
      { slashtag: "wait", destination: "https://acme.com/", shortUrl: "go.acme.com/wait" },
    ]);
    others.answering = () => new Response(null, { status: 429, headers: { "retry-after": "3000" } });
    const { body } = await request("rebrandly");
    const isWaiting = async (): Promise<boolean> => {
      const [row] =
        await service.sql`select leased_until > now() + interval '40 minutes' as waits from imports where id = ${body._id}`;
      return row?.waits === true;
    };
    while (!(await isWaiting())) await Bun.sleep(20);
    others.answering = null;
    return body._id;
  }

  test("deletes its key when it is cancelled", async () => {
    const id = await waiting();
    const path = `/api/v1/organizations/${account.orgId}/imports/${id}`;
    expect((await service.call("POST", `${path}/cancel`, { token: account.token })).status).toBe(200);
    const [row] = await service.sql`select credentials, status from imports where id = ${id}`;
    expect([row?.credentials, row?.status]).toEqual([null, "cancelled"]);
  });

  test("fails a day after its first request", async () => {
    const id = await waiting();
    const yesterday = String(Date.now() - 86_400_001);
    await service.sql`
      update imports set fetched = jsonb_set(fetched, '{startedAt}', ${yesterday}), leased_until = now() where id = ${id}`;
    const { status, error } = await waitForImport(service, account, id);
    expect([status, error]).toEqual(["failed", "Rebrandly takes longer than a day"]);
  });

  test("lets other imports run, and fails past a million links", async () => {
    const id = await waiting();
    const other = await service.register();
    const text = "slug,url\nturn,https://acme.com/\n";
    expect((await runImport(service, other, { text, options: { domainMap } })).status).toBe("done");
    await service.sql`
      update imports set fetched = jsonb_set(fetched, '{items}', '1000000'), leased_until = now() where id = ${id}`;
    const { status, error } = await waitForImport(service, account, id);
    expect([status, error]).toEqual(["failed", "Rebrandly lists more than 1,000,000 links"]);
  });
});

test("a verification requests old addresses only if asked to, and never those that lead to this service", async () => {
  const asked: string[] = [];
  const answers: Record<string, (method: string, url: URL) => Response> = {
    "/o1": (_, url) => new Response(null, { status: 301, headers: { location: `${url.href}/` } }),
    "/o1/": () => new Response(null, { status: 302, headers: { location: "https://acme.com/1" } }),
    "/o2": () => new Response(null, { status: 302, headers: { location: "https://acme.com/elsewhere" } }),
    "/o3": (method) =>
      method === "HEAD"
        ? new Response(null, { status: 405 })
        : new Response("moved", { status: 302, headers: { location: "https://acme.com/3" } }),
    "/o4": () => new Response(null, { status: 503 }),
    "/o5": () => new Response(null, { status: 404 }),
  };
  const old = Bun.serve({
    port: 0,
    hostname: "127.0.0.2",
    fetch({ method, url }) {
      const { pathname } = new URL(url);
      asked.push(`${method} ${pathname}`);
      return answers[pathname]?.(method, new URL(url)) ?? new Response(null, { status: 500 });
    },
  });
  afterAll(() => old.stop(true));
  const host = `127.0.0.2:${old.port}`;
  const rows = [1, 2, 3, 4, 5].map((n) => `${host}/o${n},https://acme.com/${n}`);
  const text = ["shortUrl,url", ...rows, `127.0.0.1:${old.port}/o6,https://acme.com/6`].join("\n");
  const done = await runImport(service, account, { text, options: { domainMap } });
  expect(done.counts).toMatchObject({ created: 6 });
  const { token, orgId } = account;
  const verified = async (body: object | undefined) => {
    await service.call("POST", `/api/v1/organizations/${orgId}/imports/${done._id}/verify`, { token, body });
    return waitForImport(service, account, done._id);
  };
  expect((await verified({ askOldAddresses: true })).counts).toMatchObject({
    ...{ checked: 6, different: 2, asked: 5, unanswered: 1, leadHere: 1 },
  });
  expect(asked).toEqual([
    "HEAD /o1",
    "HEAD /o1/",
    "HEAD /o2",
    "HEAD /o3",
    "GET /o3",
    "HEAD /o4",
    "GET /o4",
    "HEAD /o5",
    "GET /o5",
  ]);
  const ledger = await ledgerOf(service, account, done._id);
  expect(ledger.map((row) => row.asked)).toEqual([
    { url: `http://${host}/o1`, status: 302, location: "https://acme.com/1" },
    { url: `http://${host}/o2`, status: 302, location: "https://acme.com/elsewhere" },
    { url: `http://${host}/o3`, status: 302, location: "https://acme.com/3" },
    undefined,
    { url: `http://${host}/o5`, status: 404 },
    undefined,
  ]);
  const [here] = ledger.slice(-1);
  expect(here?.notAsked).toBe(
    `127.0.0.1:${old.port} leads here already: its answer would be that of your link, and count as a visit`,
  );
  expect(ledger.map(({ notAsked }) => notAsked === undefined)).toEqual([true, true, true, true, true, false]);
  const csv = await service.call("GET", `/api/v1/organizations/${orgId}/imports/${done._id}/ledger.csv`, { token });
  expect(String(csv.body)).toContain(`not requested: 127.0.0.1:${old.port} leads here already`);
  const desktop = {
    visitor: { summary: "desktop", platform: "desktop" as const, deviceType: "desktop" },
    kind: "asked" as const,
  };
  expect(ledger.map(({ differences }) => differences)).toEqual([
    undefined,
    [{ ...desktop, expected: "https://acme.com/2", actual: "https://acme.com/elsewhere" }],
    ...[undefined, undefined],
    [{ ...desktop, expected: "https://acme.com/5", actual: "nowhere: the link has ended or is turned off" }],
    undefined,
  ]);
  const again = await verified(undefined);
  expect([again.counts.different, again.counts.asked, again.counts.leadHere, asked.length]).toEqual([
    ...[0, undefined, undefined, 9],
  ]);
  const rowsAgain = await ledgerOf(service, account, done._id);
  expect(rowsAgain.map((row) => row.asked ?? row.notAsked).filter(Boolean)).toEqual([]);
});

describe("400 for an invalid import request:", () => {
  test.each([
    ["no credentials", { credentials: undefined }, "credentials: required to import from a service's API"],
    [
      "a source without an API",
      { source: "firebase" },
      expect.stringContaining("options.source: expected one of dub, "),
    ],
    [
      "no address of the own server",
      { source: "shlink", baseUrl: undefined },
      "credentials.baseUrl: required, the address of your own server",
    ],
    [
      "an address in a private network",
      { baseUrl: "http://10.0.0.1" },
      "credentials.baseUrl: must not be a private network address",
    ],
    [
      "an address with a password",
      { baseUrl: "https://a:b@acme.com" },
      expect.stringContaining("credentials.baseUrl: "),
    ],
    [
      "an address with a query",
      { baseUrl: "https://acme.com/?a=1" },
      "credentials.baseUrl: must not have a query or a fragment",
    ],
    ["a key with a line break", { apiKey: "a\nb" }, expect.stringContaining("credentials.apiKey: expected 1 to")],
  ])("%s", async (_, { source = "dub", ...credentials }: Record<string, unknown>, detail) => {
    const body = {
      options: { source, domainMap },
      ...(!("credentials" in credentials) && { credentials: { apiKey: "k", baseUrl: others.url, ...credentials } }),
    };
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const answer = await service.call("POST", path, { token: account.token, body });
    expect([answer.status, answer.body.details]).toEqual([400, [detail]]);
  });

  test("a truncated body, which is not quoted", async () => {
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const body = `{"credentials": {"apiKey": ${others.key}`;
    const answer = await service.call("POST", path, { token: account.token, body });
    expect([answer.status, answer.body]).toEqual([400, { error: "The body is not valid JSON" }]);
  });
});

test("the key is in no response, log, audit entry, ledger or table", async () => {
  const { token, orgId } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const answers = await Promise.all(
    ["/imports?limit=100", "/audit-logs?limit=100"].map((path) => service.call("GET", home + path, { token })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const tables = await service.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [found] =
        await service.sql`select count(*)::int as count from ${service.sql(name ?? "")} t where t::text like ${`%${others.key}%`}`;
      return found?.count;
    }),
  );
  expect(rows.filter((count) => count !== 0)).toEqual([]);
  expect(JSON.stringify(answers) + service.logged()).not.toContain(others.key);
  expect(archivedTables.filter(({ name, columns }) => /^import/.test(name) || columns.includes("credentials"))).toEqual(
    [],
  );
});
