/** More API requests than Postgres can serve: none waits for long, and nothing else waits for them. */
import { afterAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { scrape } from "@test/support/scrape";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { OverviewStream } from "@/modules/analytics/stream";
import { asRequest, RequestQueue, readsFiguresOf } from "@/platform/db/connection/request-queue";
import { REQUEST_PLACES } from "@/platform/db/pools";
import { createLog } from "@/platform/telemetry/log";

const PLACES = REQUEST_PLACES.requests ?? 0;
const GATE = 4711;
const DEFAULT = "https://example.com/";
const LONG_MS = 600_000;

const service = await startTestService();
const account = await service.register();
const links = `/api/v1/organizations/${account.orgId}/links`;
for (const slug of ["not-in-memory", "also-not-in-memory"])
  await service.createLink(account, { defaultUrl: DEFAULT, slug });
await service.createLink(account, { defaultUrl: DEFAULT, slug: "limited", maxClicks: 5 });
// New links whose title says so wait for the test.
await service.sql.unsafe(`
  create function wait_for_test() returns trigger language plpgsql as $$
  begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock_shared(${GATE});
    return new;
  end $$;
  create trigger wait_for_test before insert on links for each row when (new.title = 'slow')
  execute function wait_for_test()`);

let creations = 0;
/** Each request comes from another client: what one client creates at the same time shares a connection. */
const create = (title: string, slug?: string, signal?: AbortSignal) =>
  fetch(service.url + links, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.token}`,
      "content-type": "application/json",
      "user-agent": `client ${creations++}`,
    },
    body: JSON.stringify({ defaultUrl: DEFAULT, title, slug }),
    signal,
  });

const waitingRequests = async () => (await scrape(service.url))("waymark_requests_waiting");
const heldInPostgres = async () =>
  (await service.sql`select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`).length;

/** Runs the work while requests that Postgres cannot finish have every connection that requests may take. */
async function whileFull(work: () => Promise<void>): Promise<Response[]> {
  const [full, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = service.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${GATE})`;
    full.resolve();
    await done.promise;
  });
  await full.promise;
  const slow = Array.from({ length: PLACES }, () => create("slow"));
  try {
    await until(async () => (await heldInPostgres()) === PLACES);
    await work();
  } finally {
    done.resolve();
    await gate;
  }
  return Promise.all(slow);
}

test("a request that gets no connection is refused with 503 and when to retry; those that have one succeed", async () => {
  const slow = await whileFull(async () => {
    const refused = await create("late");
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "1",
      { error: "The service is busy; try again shortly" },
    ]);
    expect((await scrape(service.url))("waymark_requests_refused_total")).toBeGreaterThan(0);
    expect(service.logged()).not.toContain("request failed");
  });
  expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await create("after")).status).toBe(201);
}, 240_000);

test("visits, also of links that are not in memory, and their clicks do not wait for requests", async () => {
  await whileFull(async () => {
    expect((await service.visit("/not-in-memory")).status).toBe(302);
    const asked = `domain=${encodeURIComponent(service.host)}&slug=also-not-in-memory`;
    expect((await service.call("GET", `/api/v1/resolve?${asked}`)).status).toBe(200);
    expect((await service.visit("/unknown-to-all")).status).toBe(404);
    await waitUntilDrained(service.service);
    expect((await service.call("GET", "/health")).body).toMatchObject({ status: "ok" });
  });
}, 240_000);

test("nor does a resolve of a link with maxClicks, and visits to the link do not wait for it", async () => {
  const asked = `/api/v1/resolve?domain=${encodeURIComponent(service.host)}&slug=limited`;
  await whileFull(async () => {
    const resolved = Array.from({ length: 3 }, () => service.call("GET", asked));
    const visits = [service.visit("/limited", { "user-agent": "Googlebot/2.1" }), service.visit("/limited")];
    expect((await Promise.all(resolved)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([302, 302]);
  });
}, 240_000);

test("a request whose client has left by then is not begun", async () => {
  await whileFull(async () => {
    const leaving = new AbortController();
    const left = create("left", "left-behind", leaving.signal).catch((error: Error) => error.name);
    await until(async () => (await waitingRequests()) === 1);
    leaving.abort();
    await left;
    await until(async () => (await waitingRequests()) === 0);
  });
  // By then, it would have been served before this one.
  expect((await create("next")).status).toBe(201);
  expect(await service.sql`select from links where slug = 'left-behind'`).toHaveLength(0);
}, 240_000);

const waitingForFigures = async () =>
  (await service.sql`select from pg_locks where relation = 'figures_daily'::regclass and not granted`).length;

test("while the figures of one organization take long, others are served", async () => {
  const other = await service.register();
  // Clicks of the visits before would wait for the table as well.
  await waitUntilDrained(service.service);
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = service.sql.begin(async (tx) => {
    await tx`lock table figures_daily in access exclusive mode`;
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  const overviews = Array.from({ length: PLACES }, () =>
    service.call("GET", `/api/v1/organizations/${account.orgId}/analytics/overview`, { token: account.token }),
  );
  try {
    await until(async () => {
      const [begun, waiting] = [await waitingForFigures(), await waitingRequests()];
      return begun >= PLACES / 2 && begun + waiting >= PLACES;
    });
    const list = await service.call("GET", `/api/v1/organizations/${other.orgId}/links`, { token: other.token });
    expect(list.status).toBe(200);
    expect(await waitingForFigures()).toBe(PLACES / 2);
  } finally {
    done.resolve();
    await gate;
  }
  expect((await Promise.all(overviews)).map(({ status }) => status)).toEqual(overviews.map(() => 200));
}, 240_000);

const database = await createDatabase();
const clients: postgres.Sql[] = [];
afterAll(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

/** Returns a queue with one place by default, and its client, which has more connections. */
function queueOf(options: Partial<ConstructorParameters<typeof RequestQueue>[0]> = {}) {
  const client = postgres(database.url, { max: 10 });
  clients.push(client);
  const queue = new RequestQueue({ places: 1, newWaitMsMax: LONG_MS, fullAfterMs: LONG_MS, ...options });
  return { queue, own: queue.on(client) };
}

const request = <Result>(work: () => Promise<Result>) => asRequest(new AbortController().signal, work);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "served",
    (error: Error) => ("code" in error ? error.code : error.name),
  );

/** Takes the only place until it is given back. */
function holdPlace({ queue, own }: ReturnType<typeof queueOf>) {
  const held = Promise.withResolvers<void>();
  const holder = request(() => own.begin(() => held.promise));
  const release = () => {
    held.resolve();
    return holder;
  };
  return { queue, own, release };
}

test("once one has waited for too long, later ones are refused immediately, and it is still served", async () => {
  const { own, release } = holdPlace(queueOf({ fullAfterMs: 0, standingMs: 0 }));
  const first = codeOf(request(async () => own`select 1`));
  expect(await codeOf(request(async () => own`select 2`))).toBe("CONNECTIONS_TAKEN");
  await release();
  expect(await first).toBe("served");
});

test("what a request has begun comes before what is new", async () => {
  const given = queueOf();
  const { queue, own } = given;
  const order: string[] = [];
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const older = request(async () => {
    await own`select 1`;
    begun.resolve();
    await goOn.promise;
    await own`select 2`;
    order.push("begun");
  });
  await begun.promise;
  const { release } = holdPlace(given);
  const newer = request(async () => {
    await own`select 3`;
    order.push("new");
  });
  await until(() => queue.waiting === 1);
  goOn.resolve();
  await until(() => queue.waiting === 2);
  await release();
  await Promise.all([older, newer]);
  expect(order).toEqual(["begun", "new"]);
});

describe("reads of figures", () => {
  /** Begins reads that end together. */
  function beginReads({ own }: ReturnType<typeof queueOf>) {
    const done = Promise.withResolvers<void>();
    let begun = 0;
    const read = (orgId: string, signal = new AbortController().signal) =>
      asRequest(signal, () => {
        readsFiguresOf(orgId);
        return codeOf(
          own.begin(() => {
            begun++;
            return done.promise;
          }),
        );
      });
    return { read, end: () => done.resolve(), begun: () => begun };
  }

  test("of one organization take half of the places, those of all leave two to other requests", async () => {
    const given = queueOf({ places: 8 });
    const { read, end, begun } = beginReads(given);
    const ofOne = Array.from({ length: 6 }, () => read("one"));
    await until(() => begun() === 4 && given.queue.waiting === 2);
    const ofOther = Array.from({ length: 3 }, () => read("other"));
    await until(() => begun() === 6 && given.queue.waiting === 3);
    const others = Array.from({ length: 3 }, () => codeOf(request(async () => given.own`select 1`)));
    expect(await Promise.all(others)).toEqual(["served", "served", "served"]);
    end();
    expect(new Set(await Promise.all([...ofOne, ...ofOther]))).toEqual(new Set(["served"]));
    expect([begun(), given.queue.waiting]).toEqual([9, 0]);
  });

  test("whose client has left by then are not begun", async () => {
    const given = queueOf({ places: 2 });
    const { read, end, begun } = beginReads(given);
    const first = read("one");
    await until(() => begun() === 1);
    const leaving = new AbortController();
    const left = [read("one", leaving.signal), read("other", leaving.signal)];
    await until(() => given.queue.waiting === 2);
    leaving.abort();
    expect(await Promise.all(left)).toEqual(["REQUEST_ABANDONED", "REQUEST_ABANDONED"]);
    expect(await read("one", leaving.signal)).toBe("REQUEST_ABANDONED");
    end();
    expect(await first).toBe("served");
    expect([begun(), given.queue.waiting]).toEqual([1, 0]);
  });

  test("for a live stream do not come before what is new, and do not end with who opened it", async () => {
    const given = queueOf();
    const { queue, own } = given;
    const order: string[] = [];
    const hub = new OverviewStream({
      overview: async () => {
        const [overview] = await own<AnalyticsOverview[]>`select 1 as "totalClicks"`;
        order.push("overview");
        return overview as AnalyticsOverview;
      },
      membersAmong: async (_, credentialIds) => new Set(credentialIds),
      clock: Date.now,
      log: createLog(() => undefined),
      ending: new AbortController().signal,
    });
    const opening = new AbortController();
    const open = () => hub.open({ orgId: "org" as OrgId, credentialId: "session", intervalMs: 20 });
    const streams = await asRequest(opening.signal, async () => [open(), open()]);
    await until(() => order.length > 1);
    const { release } = holdPlace(given);
    opening.abort();
    const newer = request(async () => {
      await own`select 2`;
      order.push("new");
    });
    await until(() => queue.waiting === 2);
    order.length = 0;
    await release();
    await newer;
    await until(() => order.length > 1);
    expect(order.slice(0, 2)).toEqual(["new", "overview"]);
    for (const { body } of streams) await body?.cancel();
  });
});

test("a transaction whose request asks outside of it does not wait for itself", async () => {
  const { own } = queueOf();
  const db = drizzle(own);
  const answers = await request(() =>
    db.transaction(async (tx) => [
      ...(await db.execute(sql`select 1 as outside`)),
      ...(await tx.transaction((inner) => inner.execute(sql`select 2 as inside`))),
      ...(await own.begin((other) => other`select 3 as other`)),
    ]),
  );
  expect(answers).toEqual([{ outside: 1 }, { inside: 2 }, { other: 3 }]);
});

test("statements that fail or are read in parts, and transactions that roll back, leave no place taken", async () => {
  const { own } = queueOf({ newWaitMsMax: 0 });
  await request(async () => {
    expect(await codeOf(own.unsafe("select nothing"))).toBe("42703");
    expect(await codeOf(own`select ${own.unsafe("1")} / ${0}::int`)).toBe("22012");
    expect(await codeOf(own.begin(() => Promise.reject(new RangeError())))).toBe("RangeError");
    for await (const rows of own`select generate_series(1, 9)`.cursor(2)) {
      expect(rows).toHaveLength(2);
      break;
    }
  });
  expect(await codeOf(request(async () => own`select 1`))).toBe("served");
});
