/**
 * Links changed under load on two servers of one Postgres, with and without a shared Redis: how soon each server
 * serves an acknowledged change, and whether any keeps serving something older.
 *
 *   bun test/fault/servers/changes.ts [changes] [seconds of the race]
 *
 * The race: several writers change the same few links as fast as they can, readers visit them on both servers, the
 * servers' listening connections are terminated repeatedly, and their caches are too small for what is visited.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedis } from "@test/support/servers/redis";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { SteadyLoad } from "@test/support/steady-load";
import type { Sql } from "postgres";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Link } from "@/contract/links/links";

export interface ChangesOptions {
  changes: number;
  raceMs: number;
  /** Rounds of changes after the race that no server is notified of, each checked a second later. */
  lastRounds?: number;
  isWithRedis: boolean;
  /** How long something older may be served before it counts as stale: a second, on a machine that is not busy. */
  staleAfterMs?: number;
  /** Visits of other links meanwhile, on both servers together. */
  perSecond?: number;
}

export interface ChangesReport {
  redis: "with" | "without";
  changes: number;
  /**
   * Milliseconds from the response to a change to the start of the first visit that it served, on the same server and
   * on the other.
   */
  ownP99Ms: number;
  ownMaxMs: number;
  otherP50Ms: number;
  otherP99Ms: number;
  otherMaxMs: number;
  /** Visits that started more than a second (or `staleAfterMs`) after a response and still served something older. */
  staleAfterSecond: number;
  /** Links that a server served with an older destination in the end. */
  staleInTheEnd: number;
  raceWrites: number;
  raceReads: number;
  listenersEnded: number;
  /** As `staleInTheEnd`, a second (or `staleAfterMs`) after the race and after each of the last rounds. */
  raceStale: number;
}

const LINKS = 100;
const RACED_LINKS = 5;
const FILLERS = 2_000;
const CHANGERS = 4;
const RACE_WRITERS = 6;
const RACE_READERS = 4;
/** Each member may send a limited number of requests per minute; together they may send more than the writers can. */
const RACE_MEMBERS = 12;
const END_LISTENERS_EVERY_MS = 300;
const LAST_ROUNDS = 10;
const STALE_AFTER_MS = 1_000;
const GIVE_UP_MS = 60_000;
const DOMAIN = "changes.example.test";
const SECRET = "one secret for both servers, of enough length";

type Server = ReturnType<typeof client>;

export async function changes(options: ChangesOptions): Promise<ChangesReport> {
  await using stack = new AsyncDisposableStack();
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const redis = options.isWithRedis ? await startRedis() : undefined;
  stack.defer(async () => redis?.stop());
  const shared: Record<string, string> = { SHORT_DOMAIN: DOMAIN, APP_SECRET: SECRET, WORKERS: "1" };
  if (redis) shared.REDIS_URL = redis.url;
  // Enough for the observed links, but not for those of the race.
  const small = { ...shared, LINK_CACHE_MB: "1" };
  const reports = await withServers(database.url, small, async (servers) => ({
    ...(await observe(servers, options)),
    ...(await race(servers, database.sql, options)),
  }));
  return { redis: redis ? "with" : "without", changes: options.changes, ...reports };
}

type Servers = readonly [Server, Server];

async function withServers<Result>(
  databaseUrl: string,
  env: Record<string, string>,
  work: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  // Folders are deleted after the services that use them have stopped.
  const onEnd = stack.use(new AsyncDisposableStack());
  const services: ServiceProcess[] = [];
  stack.defer(async () => void (await Promise.all(services.map((service) => service.end()))));
  const start = async (): Promise<Server> => {
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-changes-"));
    onEnd.defer(() => rm(dataDir, { recursive: true, force: true }));
    const port = await takePort();
    services.push(new ServiceProcess({ port, dataDir, databaseUrl, env }));
    const server = client(`http://localhost:${port}`);
    await until(async () => (await server.call("GET", "/health")).status === 200);
    return server;
  };
  return await work(await Promise.all([start(), start()]));
}

/** A link, with its acknowledged versions and their times. */
interface Observed {
  link: Link;
  answers: { version: number; at: number }[];
}

async function observe(servers: Servers, { changes: count, perSecond = 500, staleAfterMs }: ChangesOptions) {
  const account = await servers[0].register();
  const make = async (_: unknown, index: number): Promise<Observed> => {
    const link = await servers[0].createLink(account, { slug: `seen-${index}`, defaultUrl: destination(0) });
    for (const server of servers) await versionAt(server, link.slug);
    return { link, answers: [] };
  };
  const observed = await Promise.all(Array.from({ length: LINKS }, make));
  const urls = observed.flatMap(({ link }) => servers.map(({ url }) => `${url}/${link.slug}`));
  const load = new SteadyLoad({ urls, headers: { host: DOMAIN }, perSecond });
  await load.window("changes");
  const delays = { own: [] as number[], other: [] as number[] };
  let done = 0;
  let staleAfterSecond = 0;
  const changer = async (first: number) => {
    for (let turn = 0; done < count; turn++) {
      const number = ++done;
      // Each changer has its own links.
      const item = observed[(first + turn * CHANGERS) % LINKS];
      const [own, other] = number % 2 ? servers : [servers[1], servers[0]];
      if (!item) throw new Error("There is no such link");
      await change(own, account, item.link._id, number);
      const at = performance.now();
      item.answers.push({ version: number, at });
      const [ownMs, otherMs] = await Promise.all([own, other].map((server) => untilServed(server, item, number, at)));
      delays.own.push(ownMs ?? Number.NaN);
      delays.other.push(otherMs ?? Number.NaN);
    }
  };
  const visitor = async () => {
    for (let turn = 0; done < count; turn++) {
      const item = observed[(turn * 7) % LINKS];
      const server = servers[turn % 2];
      if (item && server && (await isStale(server, item, staleAfterMs))) staleAfterSecond++;
    }
  };
  await Promise.all([...Array.from({ length: CHANGERS }, (_, first) => changer(first)), visitor()]);
  await load.end();
  const wanted = observed.map(({ link, answers }) => [link.slug, answers.at(-1)?.version ?? 0] as const);
  return { ...figuresOf(delays), staleAfterSecond, staleInTheEnd: await countWrong(servers, wanted) };
}

async function untilServed(server: Server, { link }: Observed, version: number, since: number): Promise<number> {
  for (;;) {
    const begunAt = performance.now();
    if ((await versionAt(server, link.slug)) >= version) return begunAt - since;
    if (begunAt - since > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
  }
}

async function isStale(server: Server, { link, answers }: Observed, afterMs = STALE_AFTER_MS): Promise<boolean> {
  const begunAt = performance.now();
  const least = answers.findLast(({ at }) => at < begunAt - afterMs)?.version ?? 0;
  return (await versionAt(server, link.slug)) < least;
}

async function race(servers: Servers, sql: Sql, options: ChangesOptions) {
  const { raceMs, lastRounds = LAST_ROUNDS, staleAfterMs } = options;
  const account = await servers[0].register();
  const members: Account[] = [];
  // One after the other: a busy server refuses a password that waits long behind others.
  while (members.length < RACE_MEMBERS) members.push(await invited(servers[0], account));
  const slugs = Array.from({ length: RACED_LINKS }, (_, index) => `raced-${index}`);
  const links = await Promise.all(
    slugs.map((slug) => servers[0].createLink(account, { slug, defaultUrl: destination(0) })),
  );
  await fill(sql, account.orgId);
  const counts = { raceWrites: 0, raceReads: 0, listenersEnded: 0 };
  const endsAt = performance.now() + raceMs;
  const again = async (count: number, once: (turn: number) => Promise<void>) => {
    const one = async (_: unknown, first: number) => {
      for (let turn = first; performance.now() < endsAt; turn += count) await once(turn);
    };
    await Promise.all(Array.from({ length: count }, one));
  };
  const writing = again(RACE_WRITERS, async (turn) => {
    const link = links[turn % RACED_LINKS];
    const server = servers[turn % 2];
    const member = members[turn % RACE_MEMBERS];
    if (link && server && member) await change(server, member, link._id, ++counts.raceWrites);
  });
  const reading = again(RACE_READERS, async (turn) => {
    const server = servers[(turn >> 1) % 2];
    const slug = turn % 2 ? slugs[turn % RACED_LINKS] : `filler-${(turn * 31) % FILLERS}`;
    if (server && slug) await versionAt(server, slug);
    counts.raceReads++;
  });
  const ending = again(1, async () => {
    counts.listenersEnded += await endListeners(sql);
    await Bun.sleep(END_LISTENERS_EVERY_MS);
  });
  await Promise.all([writing, reading, ending]);
  let raceStale = await countStale(servers, sql, slugs, staleAfterMs);
  for (let round = 1; round <= lastRounds; round++) {
    await changeUnheard(sql, () =>
      Promise.all(links.map(({ _id }) => change(servers[0], account, _id, ++counts.raceWrites))),
    );
    raceStale += await countStale(servers, sql, slugs, staleAfterMs);
  }
  return { ...counts, raceStale };
}

/** Terminates the servers' listening connections and returns how many there were. */
async function endListeners(sql: Sql): Promise<number> {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'waymark listener' and datname = current_database()`;
  return ended.length;
}

/** Runs the changes while listening connections are terminated continuously. */
async function changeUnheard(sql: Sql, changeAll: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const ending = (async () => {
    while (!isOver) await endListeners(sql);
  })();
  await changeAll();
  isOver = true;
  await ending;
}

/** Waits a second, and counts the links that a server still serves in an older version after that time. */
async function countStale(servers: Servers, sql: Sql, slugs: string[], afterMs = STALE_AFTER_MS): Promise<number> {
  const staleAt = performance.now() + afterMs;
  await Bun.sleep(STALE_AFTER_MS);
  for (;;) {
    const isOver = performance.now() >= staleAt;
    const old = await countOld(servers, sql, slugs);
    if (old === 0 || isOver) return old;
    await Bun.sleep(20);
  }
}

async function countOld(servers: Servers, sql: Sql, slugs: string[]): Promise<number> {
  const rows = await sql<{ slug: string; url: string }[]>`
    select slug, default_url as url from links where slug in ${sql(slugs)}`;
  return countWrong(
    servers,
    rows.map(({ slug, url }) => [slug, versionOf(url)] as const),
  );
}

/** Creates links that are never changed, more than the caches can hold. */
async function fill(sql: Sql, orgId: string): Promise<void> {
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), ${orgId}, (select id from domains where org_id is null), slug, slug, 'https://example.com/0'
    from (select 'filler-' || number as slug from generate_series(0, ${FILLERS - 1}) as number)`;
}

const destination = (version: number): string => `https://example.com/${version}`;

const versionOf = (url: string | null): number => Number(url?.split("/").at(-1) ?? Number.NaN);

async function versionAt(server: Server, slug: string): Promise<number> {
  const response = await server.visit(`/${slug}`, { host: DOMAIN });
  return versionOf(response.headers.get("location"));
}

async function change(server: Server, { orgId, token }: Account, id: string, version: number): Promise<void> {
  const path = `/api/v1/organizations/${orgId}/links/${id}`;
  const { status } = await server.call("PATCH", path, { token, body: { defaultUrl: destination(version) } });
  if (status !== 200) throw new Error(`A change was answered ${status}`);
}

/** Registers a user through an invitation to the owner's organization. */
async function invited(server: Server, { orgId, token }: Account): Promise<Account> {
  const [email, password] = [`${crypto.randomUUID()}@example.com`, `a long passphrase ${crypto.randomUUID()}`];
  const path = `/api/v1/organizations/${orgId}/members/invite`;
  const invitation = await server.call<{ inviteToken: string }>("POST", path, {
    token,
    body: { email, role: "member" },
  });
  const { status, body } = await server.call<AuthSession>("POST", "/api/v1/auth/register", {
    body: { name: "Racer", email, password, inviteToken: invitation.body.inviteToken },
  });
  if (status !== 201) throw new Error(`A registration was answered ${status}`);
  return { email, password, orgId, token: body.token };
}

/**
 * Counts the links that a server does not serve in the wanted version, including those that it does not serve at all.
 */
async function countWrong(servers: Servers, wanted: (readonly [slug: string, version: number])[]): Promise<number> {
  let wrong = 0;
  for (const [slug, version] of wanted) {
    for (const server of servers) if ((await versionAt(server, slug)) !== version) wrong++;
  }
  return wrong;
}

function figuresOf(delays: { own: number[]; other: number[] }) {
  const at = (all: number[], share: number) => {
    const sorted = all.toSorted((a, b) => a - b);
    return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  };
  const { own, other } = delays;
  return {
    ...{ ownP99Ms: at(own, 0.99), ownMaxMs: at(own, 1) },
    ...{ otherP50Ms: at(other, 0.5), otherP99Ms: at(other, 0.99), otherMaxMs: at(other, 1) },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error("The service did not start");
    await Bun.sleep(20);
  }
}

if (import.meta.main) {
  const [count = "1000", raceSeconds = "30"] = Bun.argv.slice(2);
  const options = { changes: Number(count), raceMs: Number(raceSeconds) * 1000 };
  const reports = [await changes({ ...options, isWithRedis: true }), await changes({ ...options, isWithRedis: false })];
  console.table(reports);
  await endRun();
  const isFine = reports.every((report) => report.staleAfterSecond + report.staleInTheEnd + report.raceStale === 0);
  process.exit(isFine ? 0 : 1);
}
