/** Periodic checks of links: what is due, what a new blocklist changes, and what is left to other runs. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorResponse, startTestWebRisk } from "@test/support/outside/web-risk";
import { startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { Link } from "@/contract/links/links";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { createSafetyChecker } from "@/modules/safety/checker";
import { openDatabase } from "@/platform/db/client";
import type { LinkChange } from "@/platform/link-cache/changes";
import { createOutbound } from "@/platform/outbound/outbound";
import { routingChanges } from "@/platform/routing-changes";
import { openBlocklist } from "@/platform/safety/blocklist";
import { createWebRisk } from "@/platform/safety/web-risk";
import { createLog } from "@/platform/telemetry/log";
import { safetyChecks } from "@/workers/safety-checks";

const folder = await mkdtemp(join(tmpdir(), "waymark-checks-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const google = startTestWebRisk();
// A server without sources: it gives links the status `unknown`.
const service = await startTestService({ env: { SHORT_DOMAIN: "safe.example" } });
const ada = await service.register();
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());
let logged = "";
const log = createLog((text) => {
  logged += text;
});
const never = new AbortController().signal;

interface Sources {
  blocklist?: string;
  isAsking?: boolean;
  inMs?: number;
}

/** Returns the periodic check of a server with these sources, whose clock is `inMs` ahead. */
async function checks({ blocklist, isAsking = false, inMs = 0 }: Sources) {
  const path = join(folder, "blocklist.txt");
  if (blocklist !== undefined) await writeFile(path, blocklist);
  const list = blocklist === undefined ? null : await openBlocklist(path, { lookEveryMs: 10 });
  const changes: LinkChange[] = [];
  const clock = () => Date.now() + inMs;
  const checker = createSafetyChecker({
    db: database.db,
    clock,
    log,
    changeRouting: routingChanges(
      database.db,
      async (change) => void changes.push(change),
      () => {},
    ),
    blocklist: list,
    webRisk: isAsking
      ? createWebRisk({
          webRisk: { apiKey: google.key, apiUrl: google.url },
          outbound: createOutbound({ allow: ["127.0.0.1"] }),
          clock,
        })
      : null,
    isServed: () => false,
  });
  const { run } = safetyChecks({ ...checker, log });
  return {
    path,
    list,
    changes,
    checker,
    run: (signal = never) => run(signal),
    [Symbol.dispose]: () => list?.[Symbol.dispose](),
  };
}

const create = (defaultUrl: string) => service.createLink(ada, { defaultUrl });
const statusOf = async ({ _id }: Link) =>
  (await service.call<Link>("GET", `/api/v1/organizations/${ada.orgId}/links/${_id}`, { token: ada.token })).body.safety
    .status;
const visited = async ({ slug }: Link) => (await service.visit(`/${slug}`, { host: "safe.example" })).status;

beforeEach(async () => {
  google.threats.clear();
  google.failing = null;
  google.asked.length = 0;
  await service.sql`update links set safety_checked_at = now()`;
});

describe("a link due for a check", () => {
  test("is checked, least recently checked first, and is then no longer due", async () => {
    const [later, never_] = [await create("https://a.example/due"), await create("https://b.example/due")];
    await service.sql`update links set safety_checked_at = now() - interval '25 hours' where id = ${later._id}`;
    await service.sql`update links set safety_checked_at = null where id = ${never_._id}`;
    using server = await checks({ isAsking: true });
    expect((await server.checker.due(10)).map(({ id }) => id)).toEqual([never_._id, later._id]);
    expect(await server.run()).toEqual({ swept: undefined, safe: 2 });
    expect(google.asked.toSorted()).toEqual(["https://a.example/due", "https://b.example/due"]);
    expect(await server.checker.due(10)).toEqual([]);
    expect(await statusOf(later)).toBe("safe");
    expect(server.changes).toEqual([]);
  });

  test("is one that a server checked whose clock was far ahead, after the others", async () => {
    const [ahead, never_] = [await create("https://a.example/ahead"), await create("https://b.example/never")];
    await service.sql`update links set safety_checked_at = now() + interval '2 years' where id = ${ahead._id}`;
    await service.sql`update links set safety_checked_at = null where id = ${never_._id}`;
    using server = await checks({ isAsking: true });
    expect((await server.checker.due(1)).map(({ id }) => id)).toEqual([never_._id]);
    expect((await server.checker.due(10)).map(({ id }) => id)).toEqual([never_._id, ahead._id]);
    expect(await server.run()).toEqual({ swept: undefined, safe: 2 });
    expect(await server.checker.due(10)).toEqual([]);
  });

  test("is any link checked more than a day ago with Web Risk, or a week ago without", async () => {
    const { _id } = await create("https://a.example/week");
    const isDue = async (sources: Sources) => {
      using server = await checks(sources);
      return (await server.checker.due(1_000)).some(({ id }) => id === _id);
    };
    expect([
      await isDue({ isAsking: true, inMs: DAY_MS - HOUR_MS }),
      await isDue({ isAsking: true, inMs: DAY_MS + HOUR_MS }),
      await isDue({ inMs: DAY_MS + HOUR_MS }),
      await isDue({ inMs: 7 * DAY_MS + HOUR_MS }),
    ]).toEqual([false, true, false, true]);
  });

  test("that has become listed is blocked on all servers", async () => {
    const link = await create("https://phish.example/now");
    expect(await visited(link)).toBe(302);
    await service.sql`update links set safety_checked_at = null where id = ${link._id}`;
    google.threats.set("https://phish.example/now", ["SOCIAL_ENGINEERING"]);
    using server = await checks({ isAsking: true });
    expect(await server.run()).toEqual({ swept: undefined, unsafe: 1 });
    expect(server.changes.map(({ id, version }) => ({ id, version }))).toEqual([{ id: link._id, version: 2 }]);
    await eventually(() => visited(link), 403);
  });

  test("is not checked if it is deleted", async () => {
    const { _id } = await create("https://a.example/deleted");
    await service.sql`update links set safety_checked_at = null, deleted_at = now() where id = ${_id}`;
    using server = await checks({ isAsking: true });
    expect(await server.checker.due(10)).toEqual([]);
    expect(await server.checker.recheck({ id: _id, orgId: (await firstDue(server, _id)).orgId })).toBe("gone");
  });

  test("stays safe while Web Risk is unavailable, and is due again within an hour", async () => {
    const link = await create("https://a.example/away");
    await service.sql`
      update links set safety = '{"status":"safe","reasons":[]}', safety_checked_at = null where id = ${link._id}`;
    google.failing = () => errorResponse(500, "INTERNAL");
    using server = await checks({ isAsking: true });
    expect(await server.run()).toEqual({ swept: undefined, unanswered: 1 });
    expect(await statusOf(link)).toBe("safe");
    expect(await server.checker.due(10)).toEqual([]);
    using later = await checks({ isAsking: true, inMs: HOUR_MS });
    expect((await later.checker.due(10)).map(({ id }) => id)).toEqual([link._id]);
  });

  test("is left unchanged and still due when the run is stopped", async () => {
    const link = await create("https://a.example/stop");
    await service.sql`update links set safety_checked_at = null where id = ${link._id}`;
    google.failing = () => Promise.withResolvers<Response>().promise;
    using server = await checks({ isAsking: true });
    const stopping = new AbortController();
    const running = server.run(stopping.signal);
    await eventually(() => google.asked.length, 1);
    stopping.abort();
    expect(await running).toEqual({ swept: undefined });
    expect((await server.checker.due(10)).map(({ id }) => id)).toEqual([link._id]);
    expect(logged).not.toContain("could not check a link's safety");
  });

  /** Returns the link as `due` does, although it is deleted. */
  async function firstDue(server: Awaited<ReturnType<typeof checks>>, id: string) {
    const found = await service.sql`update links set deleted_at = null where id = ${id} returning 1`;
    const [first] = await server.checker.due(1);
    await service.sql`update links set deleted_at = now() where id = ${id}`;
    if (!first || found.length === 0) throw new Error("Nothing is due");
    return first;
  }
});

describe("a new blocklist", () => {
  test("blocks links with any listed destination, and unblocks those no longer listed", async () => {
    const [byDefault, byRule, other] = [
      await create("https://evil.example/"),
      await service.createLink(ada, {
        defaultUrl: "https://a.example/",
        rules: [{ priority: 1, destinationUrl: "https://www.worse.example/", conditions: {} }],
      }),
      await create("https://a.example/other"),
    ];
    using server = await checks({ blocklist: "evil.example\n*.worse.example\n", inMs: 60_000 });
    expect(await server.run()).toMatchObject({ swept: 2 });
    expect([await statusOf(byDefault), await statusOf(byRule), await statusOf(other)]).toEqual([
      "unsafe",
      "unsafe",
      "unknown",
    ]);
    await eventually(() => visited(byDefault), 403);
    expect(await server.run()).toEqual({ swept: undefined });

    const generation = server.list?.generation ?? 0;
    await writeFile(server.path, "worse.example\nanother.example\n");
    await eventually(() => server.list?.generation, generation + 1);
    expect(await server.run()).toMatchObject({ swept: 2 });
    expect([await statusOf(byDefault), await statusOf(byRule)]).toEqual(["safe", "safe"]);
    await eventually(() => visited(byDefault), 302);
  });

  test("is applied to links only after the other servers had time to read it", async () => {
    const link = await create("https://early.example/");
    using early = await checks({ blocklist: "early.example\n" });
    expect([await early.run(), await statusOf(link)]).toEqual([{ swept: undefined }, "unknown"]);
    using later = await checks({ blocklist: "early.example\n", inMs: 60_000 });
    expect([await later.run(), await statusOf(link)]).toMatchObject([{ swept: 1 }, "unsafe"]);
  });

  test("is applied to all links, beyond one page", async () => {
    await service.sql`
      insert into links (id, org_id, domain_id, slug, slug_key, default_url, safety_checked_at)
      select gen_random_uuid(), org_id, domain_id, 'many-' || n, 'many-' || n, 'https://many.example/' || n, now()
      from links, generate_series(1, 2500) n where links.id = (select id from links where deleted_at is null limit 1)`;
    using server = await checks({ blocklist: "early.example\nhttps://many.example/2499\n", inMs: 60_000 });
    expect(await server.run()).toMatchObject({ swept: 1 });
    const found = await service.sql`select slug from links where safety ->> 'status' = 'unsafe' and slug like 'many-%'`;
    expect(found.map(({ slug }) => slug)).toEqual(["many-2499"]);
  });

  test("blocks listed links without waiting for Web Risk, which is asked afterwards", async () => {
    const [one, other] = [await create("https://slow.example/1"), await create("https://slow.example/2")];
    google.failing = () => errorResponse(503, "UNAVAILABLE");
    using server = await checks({
      blocklist: "early.example\nhttps://many.example/2499\nslow.example\n",
      isAsking: true,
      inMs: 60_000,
    });
    expect(await server.checker.sweep(never)).toBe(2);
    expect([await statusOf(one), await statusOf(other)]).toEqual(["unsafe", "unsafe"]);
    expect(google.asked).toEqual([]);
    using later = await checks({ isAsking: true, inMs: HOUR_MS });
    expect((await later.checker.due(10)).map(({ id }) => id).toSorted()).toEqual([one._id, other._id].toSorted());
  });
});
