/** With and without the lane, the same bytes get the same response and leave the same click. */
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { scrape } from "@test/support/scrape";
import { type Account, CLIENT_HEADER, startTestService, type TestService } from "@test/support/service";
import { waitUntilDrained } from "../../support/clicks/drained";

const HOST = "go.lane.test";
const links = {
  plain: { defaultUrl: "https://example.com/landing?a=b#end" },
  rules: {
    defaultUrl: "https://example.com/",
    rules: [
      { priority: 1, destinationUrl: "https://example.com/de", conditions: { languages: ["de"] } },
      { priority: 2, destinationUrl: "https://example.com/phone", conditions: { platform: ["ios" as const] } },
      { priority: 3, destinationUrl: "https://example.com/asked", conditions: { query: [{ name: "vip" }] } },
      { priority: 4, destinationUrl: "https://example.com/news", conditions: { referrers: ["news.example.com"] } },
    ],
    utm: { source: "lane" },
  },
  random: {
    defaultUrl: "https://example.com/",
    splitTargets: [{ key: "all", destinationUrl: "https://example.com/all", weight: 1 }],
  },
  titled: { defaultUrl: "https://example.com/", title: "Äpfel 🍏", deepLinkPayload: { name: "größer" } },
  asks: { defaultUrl: "https://example.com/", password: "a secret" },
  few: { defaultUrl: "https://example.com/", maxClicks: 1_000 },
  ended: { defaultUrl: "https://example.com/", expiresAt: "2020-01-01" },
  shows: { defaultUrl: "https://example.com/", leadCapture: { enabled: true, fields: [] } },
};

/** The parts of one request, written one after the other. */
type Pieces = readonly string[];

interface Side {
  service: TestService;
  account: Account;
  port: number;
}

async function start(lane: "on" | "off"): Promise<Side> {
  const service = await startTestService({ env: { FAST_LANE: lane, SHORT_DOMAIN: HOST, LOG_LEVEL: "warn" } });
  const account = await service.register();
  for (const [slug, link] of Object.entries(links)) await service.createLink(account, { slug, ...link });
  const port = Number(new URL(service.url).port);
  for (const slug of Object.keys(links)) await exchange(port, [[ask(`/${slug}`, ["User-Agent: warm"])]]);
  return { service, account, port };
}

const [withLane, without] = await Promise.all([start("on"), start("off")]);
const sides = [withLane, without];

let visitors = 0;

function address(number: number): string {
  return `${CLIENT_HEADER}: 81.2.${number >> 8}.${number & 255}`;
}

function ask(target: string, lines: string[] = [], { method = "GET", version = "HTTP/1.1" } = {}): string {
  const named = lines.some((line) => /^host:/i.test(line)) ? lines : [`Host: ${HOST}`, ...lines];
  return `${[`${method} ${target} ${version}`, ...named].join("\r\n")}\r\n\r\n`;
}

/**
 * Sends each request once the previous one has its response, then one that closes the connection. Returns everything
 * received.
 */
async function exchange(port: number, requests: readonly Pieces[], last = address(0)): Promise<string> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  const ended = once(socket, "close");
  let answer = "";
  let heard = Promise.withResolvers<void>();
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
    heard.resolve();
    heard = Promise.withResolvers();
  });
  for (const pieces of [...requests, [ask("/plain", ["User-Agent: last", "Connection: close", last])]]) {
    const before = answer.length;
    for (const piece of pieces) {
      socket.write(piece, "latin1");
      await Bun.sleep(0);
    }
    const isHead = pieces[0]?.startsWith("HEAD") === true;
    while (!socket.closed && !isWhole(answer.slice(before), isHead)) await Promise.race([heard.promise, ended]);
  }
  await ended;
  return answer;
}

function isWhole(answer: string, isHead: boolean): boolean {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  if (rest.length === 0) return false;
  const length = isHead ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  return rest.join("\r\n\r\n").length >= length;
}

/** Replaces what differs between any two responses. */
const known = (answer: string): string =>
  answer
    .replaceAll(/Date: [^\r]+/g, "Date: now")
    .replaceAll(/nonce(-|=")[\w+/=-]+/g, "nonce$1…")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id")
    .replaceAll(/(type="hidden" name="\w+" value=")[^"]+/g, "$1…");

async function expectSame(requests: readonly Pieces[]): Promise<string> {
  const last = address(++visitors);
  const [here, there] = await Promise.all(sides.map(({ port }) => exchange(port, requests, last)));
  expect(known(here ?? "")).toBe(known(there ?? ""));
  return here ?? "";
}

/** Returns all clicks and opens as sorted text, without ids, times and other values of their own. */
async function clicksOf({ service }: Side): Promise<string[]> {
  await waitUntilDrained(service.service);
  const rows = await service.sql<{ click: Record<string, unknown> }[]>`
    select to_jsonb(clicks) as click from clicks union all select to_jsonb(opens) as click from opens
  `;
  const own = /^(id|.*_id|occurred_at|at|visitor.*|link_version|address_key)$/;
  return rows.map(({ click }) => JSON.stringify(Object.entries(click).filter(([name]) => !own.test(name)))).toSorted();
}

const IPHONE =
  "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1";
const CHROME =
  "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

const resolve = (path: string, query = "") =>
  ask(`/api/v1/resolve?domain=${HOST}&slug=${path.slice(1)}${query}`, ["Host: localhost", CHROME]);

const single: [string, string[]][] = [
  ["a link", [ask("/plain", [CHROME])]],
  ["a query that goes along", [ask("/plain?utm_source=x&a=c&wm_cid=1", [CHROME])]],
  ["an empty query", [ask("/plain?", [CHROME])]],
  ["a language", [ask("/rules", [CHROME, "Accept-Language: de-AT,de;q=0.9"])]],
  ["a phone", [ask("/rules", [IPHONE])]],
  ["a query that a rule asks for", [ask("/rules?vip=1", [CHROME])]],
  ["a referrer", [ask("/rules", [CHROME, "Referer: https://news.example.com/story?secret=1"])]],
  ["a prefetch", [ask("/rules", [CHROME, "Sec-Purpose: prefetch;prerender"])]],
  ["client hints", [ask("/plain", [CHROME, 'Sec-CH-UA: "Chromium";v="130"'])]],
  ["no User-Agent", [ask("/plain")]],
  ["a split", [ask("/random", [CHROME])]],
  ["a connection that closes", [ask("/plain", [CHROME, "Connection: close"])]],
  ["a connection that is kept alive", [ask("/plain", [CHROME, "Connection: keep-alive"])]],
  ["HEAD", [ask("/plain", [CHROME], { method: "HEAD" })]],
  ["OPTIONS", [ask("/plain", [CHROME], { method: "OPTIONS" })]],
  ["a form", [`${ask("/plain", [CHROME, "Content-Length: 3"], { method: "POST" })}a=b`]],
  ["a GET with a body", [`${ask("/plain", [CHROME, "Content-Length: 3"])}a=b`]],
  ["HTTP/1.0", [ask("/plain", [CHROME, "Connection: keep-alive"], { version: "HTTP/1.0" })]],
  ["a slug in capitals", [ask("/PLAIN", [CHROME])]],
  ["an escaped slug", [ask("/pl%61in", [CHROME])]],
  ["a slash at the end", [ask("/plain/", [CHROME])]],
  ["a host in capitals", [ask("/plain", [`Host: ${HOST.toUpperCase()}`, CHROME])]],
  ["two hosts", [ask("/plain", [`Host: ${HOST}`, "Host: other.lane.test", CHROME])]],
  ["a host with a port", [ask("/plain", [`Host: ${HOST}:8080`, CHROME])]],
  ["an unknown slug", [ask("/nothing", [CHROME])]],
  ["an unknown slug for a program", [ask("/nothing", [CHROME, "Accept: application/json"])]],
  ["a password", [ask("/asks", [CHROME])]],
  ["a password that is right", [ask("/asks?pw=a%20secret", [CHROME])]],
  ["a place of few", [ask("/few", [CHROME])]],
  ["a link that has ended", [ask("/ended", [CHROME])]],
  ["a page", [ask("/shows", [CHROME, "Accept: text/html"])]],
  ["the API", [ask("/health/none", ["Host: localhost", CHROME, "Accept: application/json"])]],
  ["an app's question", [resolve("/plain")]],
  ["an app's question with its own facts", [resolve("/rules", "&platform=ios&language=de&visitorId=v1&query=vip%3D1")]],
  ["an app's question about a title beyond ASCII", [resolve("/titled")]],
  ["an app's question of what is unknown", [resolve("/nothing")]],
  ["an app's question with a fault", [resolve("/plain", "&platform=none")]],
  ["an app's question on a short domain", [ask("/api/v1/resolve?slug=plain", [CHROME])]],
  ["an app's question about a password", [resolve("/asks")]],
  ["bytes that are no request", ["\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"]],
];

describe("one request, then one that closes the connection", () => {
  test.each(single)("%s", async (_, pieces) => {
    const number = ++visitors;
    const ofVisitor = pieces.map((piece) => piece.replace("\r\n\r\n", `\r\n${address(number)}\r\n\r\n`));
    expect(await expectSame([ofVisitor])).not.toBe("");
  });
});

test("twenty requests of different kinds on one connection get the same responses", async () => {
  const slugs = ["plain", "rules", "plain", "random", "nothing", "rules", "few", "plain", "asks", "plain"];
  const all = [...slugs, ...slugs].map((slug, index) => [ask(`/${slug}?n=${index}`, [CHROME, address(++visitors)])]);
  const answer = await expectSame(all);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(all.length + 1);
});

/** Requests that the lane passes on to the server behind it, with the status of each. */
async function others({ service, account }: Side): Promise<[string, number][]> {
  const slugs = ["cold-1", "cold-2", "cold-3"];
  for (const slug of slugs) await service.createLink(account, { slug, defaultUrl: "https://example.com/" });
  const body = JSON.stringify({ email: account.email, password: "wrong" });
  const json = ["Host: localhost", "Content-Type: application/json", `Content-Length: ${body.length}`];
  return [
    [ask("/api/v1/auth/me", ["Host: localhost", `Authorization: Bearer ${account.token}`]), 200],
    [`${ask("/api/v1/auth/login", json, { method: "POST" })}${body}`, 401],
    [ask("/nothing", [CHROME]), 404],
    [ask("/plain", [CHROME, "X-Odd: \xe9"]), 302],
    ...slugs.map((slug): [string, number] => [ask(`/${slug}`, [CHROME]), 302]),
  ];
}

const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

test("a connection returns to the lane after each request that the lane passes on", async () => {
  for (const side of sides) {
    const mixed = await others(side);
    const before = await lanesOf(side);
    const requests = mixed.flatMap(([other]) => [[other], [ask("/plain", [CHROME])]]);
    const answer = await exchange(side.port, requests);
    expect(statusesOf(answer)).toEqual([...mixed.flatMap(([, status]) => [status, 302]), 302]);
    const after = await lanesOf(side);
    // The additional visit is the one that closes the connection. The second tunnel is that of `/metrics`.
    const isOn = side === withLane;
    expect(after.visits - before.visits).toBe(isOn ? mixed.length + 1 : 0);
    expect(after.tunnels - before.tunnels).toBe(isOn ? 2 : 0);
  }
});

test("the lane answers what comes through proxies itself, and a connection returns to it from behind", async () => {
  const before = await lanesOf(withLane);
  const proxies = [["Connection: Keep-Alive"], ["Te: trailers"], ["connection: keep-alive", "te: trailers"]];
  const visits = proxies.map((lines) => [ask("/plain", [CHROME, ...lines, address(++visitors)])]);
  const missed = proxies.map((lines) => [ask("/nothing", [CHROME, ...lines, address(++visitors)])]);
  const answer = await expectSame([...missed, ...visits]);
  expect(statusesOf(answer)).toEqual([404, 404, 404, 302, 302, 302, 302]);
  const after = await lanesOf(withLane);
  expect(after.visits - before.visits).toBe(visits.length + 1);
});

test("the lane answers resolve requests itself", async () => {
  const before = await lanesOf(withLane);
  const questions = [[resolve("/plain")], [resolve("/rules", "&platform=ios")], [resolve("/titled")]];
  for (const { port } of sides) {
    expect(statusesOf(await exchange(port, questions))).toEqual([200, 200, 200, 302]);
  }
  const after = await lanesOf(withLane);
  expect(after.visits - before.visits).toBe(questions.length + 1);
});

async function lanesOf({ service }: Side) {
  const read = await scrape(service.url);
  return { visits: read("waymark_lane_visits_total"), tunnels: read("waymark_lane_connections_handed_on_total") };
}

test("a request in two parts gets the same response, wherever it is split", async () => {
  const text = ask("/rules?vip=1", [CHROME, "Accept-Language: fr", address(++visitors)]);
  for (let at = 1; at < text.length; at += 7) await expectSame([[text.slice(0, at), text.slice(at)]]);
});

test("the same clicks are stored with and without the lane", async () => {
  const [here, there] = [await clicksOf(withLane), await clicksOf(without)];
  expect(here.length).toBeGreaterThan(single.length);
  expect(here).toEqual(there);
});

test("a request that the lane passes on keeps its client's address", async () => {
  const { service, account } = withLane;
  const { body } = await service.call<{ sessions: { ip: string }[] }>("GET", "/api/v1/auth/sessions", {
    token: account.token,
  });
  expect(body.sessions).toBeArray();
  const headers = { [CLIENT_HEADER]: "203.0.113.9" };
  await service.call("POST", "/api/v1/auth/login", {
    headers,
    body: { email: account.email, password: account.password },
  });
  const again = await service.call<{ sessions: { ip: string }[] }>("GET", "/api/v1/auth/sessions", {
    token: account.token,
  });
  expect(again.body.sessions.map(({ ip }) => ip)).toContain("203.0.113.9");
});
