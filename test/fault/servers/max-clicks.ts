/**
 * Links that admit a hundred visitors, and a thousand who come concurrently, over two servers with one Postgres and
 * Redis. Each round has one open link and one with a password; among the visitors are some that must not count: bots,
 * HEAD, prefetches, previews, resolves and wrong passwords.
 *
 *   bun test/fault/servers/max-clicks.ts [rounds]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedis } from "@test/support/servers/redis";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";

export interface MaxClicksReport {
  rounds: number;
  /** People who came to a link, each once. */
  visitors: number;
  /** Over both links of all rounds: the sum of `maxClicks`, the visitors admitted, and those recorded in Postgres. */
  places: number;
  admitted: number;
  noted: number;
  /** Links that admitted more or fewer visitors than `maxClicks`. */
  wrongLinks: number;
  /** Visits that must not count, and responses that none should get. */
  onlookers: number;
  unexpected: Record<string, number>;
}

const VISITORS = 1000;
const PLACES = 100;
const ONLOOKERS = 300;
const PASSWORD = "open sesame";
const DOMAIN = "go.example.test";
/** Long enough for a busy machine. */
const ANSWER_MS_MAX = 100_000;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

export async function maxClicks({ rounds }: { rounds: number }): Promise<MaxClicksReport> {
  const servers = await startServers();
  const report: MaxClicksReport = {
    rounds,
    visitors: 0,
    places: 0,
    admitted: 0,
    noted: 0,
    wrongLinks: 0,
    onlookers: 0,
    unexpected: {},
  };
  try {
    const owner = await register(servers.ports[0]);
    for (let round = 1; round <= rounds; round++) {
      for (const password of [null, PASSWORD]) await race(servers, owner, password, report);
    }
    return report;
  } finally {
    await servers.stop();
  }
}

/** Sends all visits to one link concurrently. */
async function race({ ports, sql }: Servers, owner: Owner, password: string | null, report: MaxClicksReport) {
  const link = await createLink(owner, password);
  const visit = (index: number) => {
    const path = password === null ? `/${link.slug}` : `/${link.slug}?pw=${encodeURIComponent(password)}`;
    return request(ports[index % 2] ?? 0, "GET", path, { address: addressOf(index), agent: BROWSER });
  };
  const onlook = (index: number) => lookOn(ports[index % 2] ?? 0, index, owner, link);
  const visits = Array.from({ length: VISITORS }, (_, index) => visit(index));
  const onlookers = Array.from({ length: ONLOOKERS }, (_, index) => onlook(index));
  const statuses = await Promise.all(visits);
  note(report, () => "visitor", statuses, [302, 410]);
  note(report, lookOf, await Promise.all(onlookers), [200, 302, 403, 410]);
  // By now both servers know that none is left.
  note(report, () => "latecomer", await Promise.all([visit(1), visit(2)]), [410]);
  const admitted = statuses.filter((status) => status === 302).length;
  const [row] = await sql<{ admitted: number }[]>`select admitted from link_admissions where link_id = ${link.id}`;
  report.visitors += VISITORS;
  report.places += PLACES;
  report.admitted += admitted;
  report.noted += Number(row?.admitted ?? 0);
  report.onlookers += ONLOOKERS;
  if (admitted !== PLACES || Number(row?.admitted) !== PLACES) report.wrongLinks += 1;
}

function note(report: MaxClicksReport, who: (index: number) => string, statuses: number[], expected: number[]): void {
  for (const [index, status] of statuses.entries()) {
    if (expected.includes(status)) continue;
    const name = `${who(index)} ${status}`;
    report.unexpected[name] = (report.unexpected[name] ?? 0) + 1;
  }
}

interface Link {
  id: string;
  slug: string;
  isGuarded: boolean;
}

const LOOKS = ["bot", "program without a name", "HEAD", "prefetch", "resolve", "preview", "wrong password"] as const;
type Look = (typeof LOOKS)[number];

const lookOf = (index: number): Look => LOOKS[index % LOOKS.length] ?? "bot";

/** Sends one of several requests that must not count, in turn. */
function lookOn(port: number, index: number, owner: Owner, { slug, isGuarded }: Link): Promise<number> {
  const path = `/${slug}?pw=${encodeURIComponent(PASSWORD)}`;
  const visitor = { address: addressOf(VISITORS + index), agent: BROWSER };
  const resolve = `/api/v1/resolve?domain=${DOMAIN}&slug=${slug}&password=${encodeURIComponent(PASSWORD)}`;
  const bot = { ...visitor, agent: "Googlebot/2.1 (+http://www.google.com/bot.html)" };
  const prefetch = { ...visitor, more: "Sec-Purpose: prefetch;prerender\r\n" };
  // A person with a wrong password; for a link without one, a program.
  const wrong = isGuarded ? visitor : { ...visitor, agent: "curl/8.5.0" };
  const looks: Record<Look, () => Promise<number>> = {
    bot: () => request(port, "GET", path, bot),
    "program without a name": () => request(port, "GET", path, { ...visitor, agent: "" }),
    HEAD: () => request(port, "HEAD", path, visitor),
    prefetch: () => request(port, "GET", path, prefetch),
    // The API responds at the service's own host names.
    resolve: () => request(port, "GET", resolve, { ...visitor, host: "localhost" }),
    preview: () => preview(port, owner, slug),
    "wrong password": () => request(port, "GET", `/${slug}?pw=wrong`, wrong),
  };
  return looks[lookOf(index)]();
}

interface Sender {
  address: string;
  agent: string;
  more?: string;
  host?: string;
}

async function request(port: number, method: string, path: string, sender: Sender) {
  const { address, agent, more = "", host = DOMAIN } = sender;
  const lines = `Host: ${host}\r\nX-Client: ${address}\r\nUser-Agent: ${agent}\r\n${more}Connection: close\r\n`;
  return (await sendRaw(port, `${method} ${path} HTTP/1.1\r\n${lines}\r\n`, ANSWER_MS_MAX)).status;
}

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

async function preview(port: number, { orgId, token }: Owner, slug: string): Promise<number> {
  return (await api(port, `/api/v1/organizations/${orgId}/links/preview`, { slug }, token)).status;
}

interface Owner {
  port: number;
  orgId: string;
  token: string;
}

function api(port: number, path: string, body: object, token?: string): Promise<Response> {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const headers = { "content-type": "application/json", ...authorization };
  return fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function register(port: number): Promise<Owner> {
  const input = { name: "Ada", email: "ada@example.com", password: "a long passphrase", organizationName: "Acme" };
  const response = await api(port, "/api/v1/auth/register", input);
  const { token, organizations } = JSON.parse(await response.text());
  if (response.status !== 201) throw new Error(`register answered ${response.status}`);
  return { port, token, orgId: organizations[0]._id };
}

async function createLink({ port, orgId, token }: Owner, password: string | null): Promise<Link> {
  const input = { defaultUrl: "https://example.com/", maxClicks: PLACES, ...(password === null ? {} : { password }) };
  const response = await api(port, `/api/v1/organizations/${orgId}/links`, input, token);
  const { _id, slug } = JSON.parse(await response.text());
  if (response.status !== 201) throw new Error(`create link answered ${response.status}`);
  return { id: _id, slug, isGuarded: password !== null };
}

interface Servers {
  ports: readonly [number, number];
  sql: Sql;
  stop(): Promise<void>;
}

async function startServers(): Promise<Servers> {
  const database = await createDatabase();
  const redis = await startRedis();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-max-clicks-"));
  const ports = [await takePort(), await takePort()] as const;
  const processes: ServiceProcess[] = [];
  const stop = async () => {
    await Promise.all(processes.map((each) => each.end()));
    await Promise.all([database.drop(), redis.stop(), rm(dataDir, { recursive: true, force: true })]);
  };
  try {
    // One after the other, because the first one creates the secret that both use.
    for (const port of ports) {
      const env = {
        WORKERS: "1",
        REDIS_URL: redis.url,
        SHORT_DOMAIN: DOMAIN,
        APP_SECRET: "for two servers of one service, long",
        TRUSTED_PROXIES: "127.0.0.1",
        CLIENT_IP_HEADER: "x-client",
      };
      const options = { port, dataDir: join(dataDir, String(port)), databaseUrl: database.url, env };
      processes.push(new ServiceProcess(options));
      await untilUp(port);
    }
    return { ports, sql: database.sql, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilUp(port: number): Promise<void> {
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const giveUpAt = performance.now() + ANSWER_MS_MAX;
  while (!(await isUp())) {
    if (performance.now() > giveUpAt) throw new Error("The service did not start");
    await Bun.sleep(20);
  }
}

export const isExact = ({ places, admitted, noted, wrongLinks, unexpected }: MaxClicksReport): boolean =>
  wrongLinks === 0 && admitted === places && noted === places && Object.keys(unexpected).length === 0;

if (import.meta.main) {
  const report = await maxClicks({ rounds: Number(Bun.argv[2] ?? 20) });
  const { unexpected, ...figures } = report;
  console.table({ ...figures, ...unexpected });
  await endRun();
  process.exit(isExact(report) ? 0 : 1);
}
