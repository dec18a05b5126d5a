/**
 * `bun run demo`: starts a service with its own data, creates an organization with a dozen links of all kinds, makes
 * a few thousand visits with real user agents from around the world, prints what to look at, and keeps running.
 * `--visits=N` sets the number of visits; `--exit` exits when done. Reads only PORT, HOST and DATA_DIR from the
 * environment, so a database or Redis configured there is not touched. `--database=postgres://…` uses that database
 * instead of its own.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import UserAgent from "user-agents";
import { type Config, readConfig } from "@/config";
import type { AuthSession } from "@/contract/accounts/auth";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { SettingError } from "@/platform/setting-error";
import { createLog } from "@/platform/telemetry/log";
import { requireDataFolder } from "@/processes/data-folder";
import { claimPort } from "@/processes/predecessor";
import { refusalOf } from "@/processes/refusal";
import { handleSignals, stopHandlers } from "@/processes/signals";
import { startService } from "@/service";
import { demoLinks } from "./demo-links";

const ADDRESS_HEADER = "x-demo-address";
const AT_ONCE = 32;
const PASSWORD = "demo demo demo";

const { values } = parseArgs({
  options: {
    visits: { type: "string", default: "3000" },
    exit: { type: "boolean", default: false },
    database: { type: "string" },
  },
});

async function main(config: Config, stack: AsyncDisposableStack): Promise<void> {
  const postgres = config.databaseUrl === null ? await ownPostgres(config, stack) : undefined;
  const stop = () => stack.disposeAsync().then(() => process.exit(0));
  const force = () => {
    postgres?.abort();
    process.exit(1);
  };
  handleSignals({ ...stopHandlers({ stop, force }), SIGHUP: stop });
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? null;
  const log = createLog(() => {});
  const service = await startService({ ...config, databaseUrl }, log);
  stack.defer(() => service.stop());
  const session = await register(service.url);
  const orgId = session.organizations[0]?._id ?? "";
  const links = await createLinks(service.url, orgId, session.token);
  console.log(`An organization with ${links.length} links; ${values.visits} visits follow …`);
  await visitAll(links, Number(values.visits));
  await service.drainClicks();
  const overview = await api<AnalyticsOverview>(
    `${service.url}/api/v1/organizations/${orgId}/analytics/overview`,
    session.token,
  );
  console.log(report(service.url, orgId, session, links, overview));
  if (values.exit) await stop();
}

/** Starts a Postgres in the data folder. Throws if another process already runs one there. */
async function ownPostgres({ dataDir, host, port }: Config, stack: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  requireDataFolder(dataDir);
  using _claim = await claimPort(host, port);
  const embedded = await startEmbeddedPostgres(dataDir, () => {});
  if (!embedded.isOwner) throw new SettingError("DATA_DIR", `another demo is using ${dataDir}`);
  stack.defer(() => embedded.stop());
  return embedded;
}

const register = (url: string) =>
  api<AuthSession>(`${url}/api/v1/auth/register`, undefined, {
    name: "Demo",
    email: `demo-${Date.now()}@example.com`,
    password: PASSWORD,
    organizationName: "Demo Outdoor",
  });

async function createLinks(url: string, orgId: string, token: string): Promise<Link[]> {
  const links: Link[] = [];
  for (const input of demoLinks(new Date())) {
    links.push(await api<Link>(`${url}/api/v1/organizations/${orgId}/links`, token, input));
  }
  return links;
}

/** Visits popular links more often than others (Zipf), each visitor three times on average. */
async function visitAll(links: Link[], count: number): Promise<void> {
  const visitors = Array.from({ length: Math.ceil(count / 3) }, makeVisitor);
  for (let done = 0; done < count; done += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - done) }, () =>
      fetch(pickZipf(links).shortUrl, { redirect: "manual", headers: pick(visitors) }),
    );
    await Promise.all(batch);
  }
}

const LANGUAGES = ["en-US,en;q=0.9", "de-DE,de;q=0.9", "fr-FR,fr;q=0.9", "ja-JP,ja;q=0.9", "pt-BR,pt;q=0.9"];
const REFERRERS = ["https://www.google.com/", "https://www.instagram.com/", "https://news.ycombinator.com/", ""];
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

function makeVisitor(): Record<string, string> {
  const referer = pick(REFERRERS);
  return {
    "user-agent": Math.random() < 0.05 ? BOT : new UserAgent().toString(),
    "accept-language": pick(LANGUAGES),
    [ADDRESS_HEADER]: [
      randomInteger(11, 190),
      randomInteger(0, 256),
      randomInteger(0, 256),
      randomInteger(1, 255),
    ].join("."),
    ...(referer ? { referer } : {}),
  };
}

const randomInteger = (from: number, below: number): number => from + Math.floor(Math.random() * (below - from));

function pick<Item>(items: Item[]): Item {
  const item = items[randomInteger(0, items.length)];
  if (item === undefined) throw new Error("Nothing to pick from");
  return item;
}

const pickZipf = (links: Link[]): Link => links[Math.floor((links.length + 1) ** Math.random()) - 1] ?? pick(links);

async function api<Body>(url: string, token?: string, body?: unknown): Promise<Body> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

function report(url: string, orgId: string, session: AuthSession, links: Link[], overview: AnalyticsOverview): string {
  const top = (items: object[]) =>
    items
      .slice(0, 5)
      .map((item) => Object.values(item).join(" "))
      .join(", ");
  return `
${links.map((link) => `  ${link.shortUrl.padEnd(44)} ${link.title ?? ""}`).join("\n")}

${overview.totalClicks} clicks of ${overview.uniqueVisitors} visitors, without bots
  countries  ${top(overview.byCountry)}
  devices    ${top(overview.byDevice)}
  browsers   ${top(overview.byBrowser)}
  referrers  ${top(overview.byReferrer)}

Next, try
  ${url}/docs
  curl -si ${links[0]?.shortUrl} -A 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15'
  curl -s ${url}/api/v1/organizations/${orgId}/analytics/overview -H 'Authorization: Bearer ${session.token}'
Sign in as ${session.user.email} with "${PASSWORD}". Press Ctrl-C to stop.`;
}

const config = readConfig({
  PORT: Bun.env.PORT,
  HOST: Bun.env.HOST,
  DATA_DIR: join(Bun.env.DATA_DIR || ".data", "demo"),
  DATABASE_URL: values.database,
  TRUSTED_PROXIES: "127.0.0.1, ::1",
  CLIENT_IP_HEADER: ADDRESS_HEADER,
});
const stack = new AsyncDisposableStack();
await main(config, stack).catch(async (error: unknown) => {
  await stack.disposeAsync();
  console.error(refusalOf(error, config));
  process.exit(1);
});
