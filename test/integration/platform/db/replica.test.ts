/**
 * Figures and exports from a streaming replica: never older than earlier responses, and from the primary if the
 * replica fails.
 */
import { afterAll, describe, expect, spyOn, test } from "bun:test";
import dns from "node:dns";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase } from "@test/support/servers/postgres";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import { type Database, openDatabase } from "@/platform/db/client";
import { openReplica, type Replica } from "@/platform/db/replica/replica";
import { createLog } from "@/platform/telemetry/log";

const READS = /^waymark_replica_reads_total\{.*from="(\w+)".*\} (\d+)$/gm;
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

const hosts = await startPrimaryAndStandby();
const way = await TcpProxy.start(Number(new URL(hosts.standbyUrl).port));
const service = await startTestService({ env: { DATABASE_URL: hosts.primaryUrl, DATABASE_READ_URL: readUrl() } });
const onPrimary = openDatabase(hosts.primaryUrl, { pool: "tool" });
// Registered after the hook that stops the service, which therefore runs first.
afterAll(async () => {
  await onPrimary.close();
  await way.cut();
  await hosts.end();
});
const account = await service.register();

/** Returns the replica's URL through a proxy that can be cut. */
function readUrl(): string {
  const url = new URL(hosts.standbyUrl);
  url.port = String(way.port);
  return url.href;
}

const ofOrganization = <Body>(path: string) =>
  service.call<Body>("GET", `/api/v1/organizations/${account.orgId}/${path}`, { token: account.token });

async function overview(query = ""): Promise<{ status: number; clicks: number }> {
  const { status, body } = await ofOrganization<OverviewAnswer>(`analytics/overview${query}`);
  return { status, clicks: body.totalClicks };
}

async function reads(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Object.fromEntries([...text.matchAll(READS)].map(([, from, count]) => [from ?? "", Number(count)]));
}

/** Returns the databases that served the reads of `work`. */
async function readIn(work: () => Promise<unknown>): Promise<string[]> {
  const before = await reads();
  await work();
  const after = await reads();
  return Object.keys(after).filter((from) => (after[from] ?? 0) > (before[from] ?? 0));
}

/**
 * Repeats the request until the replica serves it: on a busy machine the replica may lag, and then the primary
 * responds.
 */
const untilAnsweredThere = (path: string) =>
  until(async () => {
    const where = await readIn(async () => expect((await ofOrganization(path)).status).toBe(200));
    return where.join() === "replica";
  });

const untilRead = (from: string) => until(async () => (await readIn(() => overview())).join() === from);

async function onReplica(statement: string): Promise<void> {
  await using database = openDatabase(hosts.standbyUrl, { pool: "tool" });
  await database.sql.unsafe(statement);
}

const makeLink = () => service.createLink(account, { defaultUrl: "https://example.com/" });

async function click(link: { shortUrl: string }): Promise<void> {
  const { status } = await service.visit(link, BROWSER);
  expect(status).toBe(302);
  await waitUntilDrained(service.service);
}

describe("the replica answers", () => {
  test.each([
    "analytics/overview",
    "analytics/breakdown?by=country",
    "analytics/top-links",
    "analytics/unserved",
    "analytics/clicks",
    "analytics/clicks/export.csv",
    "analytics/export.csv",
    "analytics/insights",
    "analytics/anomalies",
    "links/export.csv",
    "links/export.jsonl",
  ])("GET %s", (path) => untilAnsweredThere(path));

  test("a link's leads as CSV", async () => {
    const { _id } = await makeLink();
    await untilAnsweredThere(`links/${_id}/leads/export.csv`);
  });

  test("an archive of the organization", async () => {
    const path = `/api/v1/organizations/${account.orgId}/exports`;
    const where = await readIn(async () => {
      const { status } = await service.call("POST", path, { token: account.token });
      expect(status).toBe(202);
      await until(
        async () =>
          (await ofOrganization<{ exports: { status: string }[] }>("exports")).body.exports[0]?.status === "done",
      );
    });
    expect(where).toContain("replica");
  });
});

describe("reads never go back in time", () => {
  test("a link and its clicks are visible immediately", async () => {
    for (let round = 1; round <= 20; round++) {
      const link = await makeLink();
      expect(await overview(`?linkId=${link._id}`)).toEqual({ status: 200, clicks: 0 });
      await click(link);
      expect(await overview(`?linkId=${link._id}`)).toEqual({ status: 200, clicks: 1 });
    }
  });

  test("the primary answers while replay on the replica is paused; the replica does once it has caught up", async () => {
    await untilRead("replica");
    const before = (await overview()).clicks;
    await onReplica("select pg_wal_replay_pause()");
    try {
      const link = await makeLink();
      await click(link);
      expect(await readIn(async () => expect((await overview()).clicks).toBe(before + 1))).toEqual(["primary"]);
    } finally {
      await onReplica("select pg_wal_replay_resume()");
    }
    await untilRead("replica");
    expect((await overview()).clicks).toBe(before + 1);
  });
});

describe("the primary answers when the replica", () => {
  test("is disconnected, and the replica answers once it is back", async () => {
    await way.cut();
    expect(await readIn(async () => expect((await overview()).status).toBe(200))).toEqual(["primary"]);
    await until(async () => service.logged().includes("the replica is unavailable"));
    expect((await service.call("GET", "/ready")).status).toBe(200);
    await way.open();
    await untilRead("replica");
  });

  test("falls silent, also during a query", async () => {
    await untilRead("replica");
    way.silence();
    const asked = await Promise.all(Array.from({ length: 5 }, () => overview()));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await way.cut();
    await way.open();
    await untilRead("replica");
  });

  test("cancels a query that blocks its replay", async () => {
    await using replica = await openBeside(readUrl());
    const asked = await untilReplicaIsAsked(async (place) => {
      const answer = await replica.read((from) => place(from, () => replica.database.sql.unsafe(CANCELLED)));
      expect(answer).toBe("from the primary");
    });
    expect(asked).toEqual(["replica", "primary"]);
    expect(replica.reads.replica).toBe(0);
  });
});

test("an error unrelated to the replica is returned without repeating the query on the primary", async () => {
  await using replica = await openBeside(readUrl());
  const noSuchMonth = () => Promise.reject(new RangeError("No such month"));
  const asked = await untilReplicaIsAsked(async (place) => {
    const answer = replica.read((from) => place(from, noSuchMonth, noSuchMonth));
    await expect(answer).rejects.toThrow("No such month");
  });
  expect(asked).toEqual(["replica"]);
});

describe("a name that resolves to several servers", () => {
  const NAME = "replicas.invalid";
  const isReplica = (replica: Replica) =>
    replica.read(async (place) => {
      if (place === "primary") return "the primary was asked";
      const [row] = await replica.database.sql.unsafe("select pg_is_in_recovery() as yes");
      return row?.yes;
    });

  test.skipIf(process.platform !== "linux")("is read from where it was checked, until that fails", async () => {
    const one = await TcpProxy.start(Number(new URL(hosts.standbyUrl).port));
    const other = await TcpProxy.start(Number(new URL(hosts.primaryUrl).port), { host: "127.0.0.2", port: one.port });
    let leadsTo = ["127.0.0.1", "127.0.0.2"];
    using lookup = spyOn(dns, "lookup").mockImplementation(((...asked: unknown[]) => {
      const found = leadsTo.map((address) => ({ address, family: 4 }));
      if (typeof asked.at(-1) === "function") (asked.at(-1) as (...found: unknown[]) => void)(null, found);
      leadsTo = leadsTo.slice(-1);
    }) as typeof dns.lookup);
    const url = new URL(one.urlThrough(hosts.standbyUrl));
    url.hostname = NAME;
    await using replica = await openBeside(url.href);
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(other.connections).toBe(0);
    await until(async () => (await isReplica(replica)) === true);
    expect(other.connections).toBe(0);

    other.leadTo(Number(new URL(hosts.standbyUrl).port));
    await one.cut();
    await until(async () => (await isReplica(replica)) === true);
    expect(other.connections).toBeGreaterThan(1);
    await other.cut();
  });
});

describe("reads are not sent to", () => {
  test("the primary itself", async () => {
    await using replica = await openBeside(hosts.primaryUrl);
    expect(replica.state).toBe("away");
    expect(await replica.read(async (place) => place)).toBe("primary");
  });

  test("a replica of another database", async () => {
    const other = await createDatabase();
    await using replica = await openBeside(hosts.standbyUrl, other);
    expect(await replica.read(async (place) => place)).toBe("primary");
    await other.drop();
  });
});

/** Raises the error with which Postgres cancels a query on a replica that would delay replay. */
const CANCELLED = "do $$ begin raise exception using errcode = '40001'; end $$";

type Ask = () => PromiseLike<unknown>;
type NotedAsk = (from: string, onReplica: Ask, onPrimary?: Ask) => Promise<unknown>;

/**
 * Reads until the replica is asked first, because one that lags is skipped. Resolves to the databases asked in that
 * read.
 */
async function untilReplicaIsAsked(read: (place: NotedAsk) => Promise<void>): Promise<string[]> {
  let asked: string[] = [];
  await until(async () => {
    asked = [];
    await read(async (from, onReplica, onPrimary = async () => "from the primary") => {
      asked.push(from);
      return from === "replica" ? onReplica() : onPrimary();
    });
    return asked[0] === "replica";
  });
  return asked;
}

/** Opens another connection to the replica beside the service's. */
async function openBeside(readUrl: string, primary: Pick<Database, "sql"> = onPrimary): Promise<Replica> {
  const addresses = { databaseUrl: hosts.primaryUrl, directUrl: hosts.primaryUrl };
  const replica = await openReplica({ readUrl, ...addresses, primary, log: createLog(() => {}) });
  if (!replica) throw new Error("There is no replica");
  return replica;
}
