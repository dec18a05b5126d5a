/** Days stored in columns: when they are stored, what outdates them, and what deletes them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { deleteOrganization } from "@/admin/delete-organization";
import { anonymise } from "@/clicks/erase-visits";
import { deleteExpired } from "@/clicks/retention";
import { moveFigures } from "@/clicks/verdicts";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { buildDays, isOutdated } from "@/figures/columns/build-days";
import { LoadedDays } from "@/figures/columns/loaded-days";
import { deleteTagNotes } from "@/figures/columns/tag-notes";
import { statementsOf } from "@/figures/verify/standstill";
import { Copies } from "@/platform/db/copies";
import { clicks } from "@/platform/db/schema/clicks";
import { createLog } from "@/platform/telemetry/log";
import { NOW, openAnalytics } from "./workspace";

const DAYS = ["2026-11-18", "2026-11-19", "2026-11-20"] as const;
const [FIRST, SECOND] = DAYS;
const RANGE = { from: `${FIRST}T00:00:00Z`, to: "2026-11-21T00:00:00Z" };

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let organization: Awaited<ReturnType<typeof analytics.workspace>>;
let orgId: OrgId;
beforeAll(async () => {
  analytics = await openAnalytics();
});
beforeEach(async () => {
  organization = await analytics.workspace();
  orgId = organization.org as OrgId;
  await organization.record(
    DAYS.flatMap((day) =>
      [1n, 2n, 3n].map((visitor) => ({ at: `${day}T10:00:00.000Z`, visitor, country: visitor === 3n ? "AT" : "DE" })),
    ),
  );
});
afterAll(() => analytics.close());

const build = (clicksMin = 1) => buildDays(analytics.sql, { now: NOW, orgId, clicksMin });

/**
 * Reads through a service with empty caches, which has to read stored days or clicks; with `rawMax` 0, only stored
 * days.
 */
async function germans(rawMax?: number) {
  const columns = new LoadedDays(new Copies());
  const answer = await organization
    .bounded({ columns, rawMax })
    .filtered(orgId, { ...RANGE, filters: { country: ["DE"] } });
  return [answer.totalClicks, answer.uniqueVisitors];
}

async function storedDays(): Promise<string[]> {
  const rows = await analytics.sql<{ day: string }[]>`
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day from click_days where org_id = ${orgId} order by day`;
  return rows.map(({ day }) => day);
}

/** Deletes the clicks but not their figures: what is still found then comes from stored days. */
const loseClicks = () => analytics.sql`delete from clicks where org_id = ${orgId}`;

const inTransaction = (work: (tx: ReturnType<typeof statementsOf>) => Promise<unknown>) =>
  analytics.sql.begin((tx) => work(statementsOf(tx)));

describe("past days", () => {
  test("are stored once and read instead of the clicks", async () => {
    expect(await isOutdated(analytics.sql, { now: NOW, orgId, clicksMin: 1 })).toBe(true);
    expect(await build()).toMatchObject({ days: 3, clicks: 9 });
    expect(await isOutdated(analytics.sql, { now: NOW, orgId, clicksMin: 1 })).toBe(false);
    expect(await build()).toMatchObject({ days: 0, bytes: 0 });
    await loseClicks();
    expect(await germans()).toEqual([6, 2]);
  });

  test("with few clicks are not stored, and neither is today", async () => {
    await organization.record([{ at: "2026-11-21T10:00:00Z", visitor: 1n, country: "DE" }]);
    expect(await build(4)).toMatchObject({ days: 0 });
    await build();
    expect(await storedDays()).toEqual([...DAYS]);
  });

  test("are outdated by a late click, which counts immediately, and are stored again", async () => {
    await build();
    await organization.record([{ at: `${SECOND}T11:00:00Z`, visitor: 9n, country: "DE", writer: 2 }]);
    expect(await germans()).toEqual([7, 3]);
    expect(await build()).toMatchObject({ days: 1, clicks: 4 });
    await loseClicks();
    expect(await germans()).toEqual([7, 3]);
  });

  test("are outdated by a verdict", async () => {
    await build();
    const [click] = await analytics.database.db
      .select()
      .from(clicks)
      .where(and(eq(clicks.orgId, orgId), eq(clicks.visitor, 1n)));
    if (!click) throw new Error("The click is there");
    await inTransaction(async (tx) => {
      await tx.run(
        "update clicks set verdict = 'confirmed', is_bot = true where org_id = $1::text::uuid and id = $2::text::uuid",
        [orgId, click.id],
      );
      await moveFigures(tx, [{ click, from: "pending" }], "confirmed");
    });
    expect(await germans()).toEqual([5, 2]);
  });

  test("are deleted in the same transaction that erases one of their visitors", async () => {
    await build();
    const hour = {
      table: "clicks",
      linkId: organization.link,
      hour: Date.parse(`${FIRST}T10:00:00Z`),
      visitor: 1n,
    } as const;
    const secret = { keyed: new Bun.CryptoHasher("sha256", "secret") };
    await inTransaction((tx) => anonymise(tx, orgId, hour, { nobody: 77n, secret: { ...secret, rotation: "none" } }));
    expect(await storedDays()).toEqual(DAYS.slice(1));
    expect(await germans()).toEqual([6, 3]);
    expect(await build()).toMatchObject({ days: 1 });
    await loseClicks();
    expect(await germans()).toEqual([6, 3]);
  });

  test("are deleted with clicks past the plan's retention, and not stored again", async () => {
    await build();
    await analytics.sql`update organizations set plan = 'short' where id = ${orgId}`;
    const retentionDays = { short: (Date.parse("2026-11-21") - Date.parse(SECOND)) / DAY_MS };
    const log = createLog(() => undefined);
    await deleteExpired({ sql: analytics.sql, log, now: NOW, retentionDays, signal: new AbortController().signal });
    expect(await storedDays()).toEqual(DAYS.slice(1));
    expect(await build()).toMatchObject({ days: 0 });
  });

  test("belong to one organization, and are deleted with it", async () => {
    await build();
    const other = await analytics.workspace();
    expect(await other.filtered({ ...RANGE, filters: { country: ["DE"] } })).toMatchObject({
      totalClicks: 0,
      uniqueVisitors: 0,
    });
    const [{ slug } = { slug: "" }] = await analytics.sql<
      { slug: string }[]
    >`select slug from organizations where id = ${orgId}`;
    await deleteOrganization(analytics.database, [slug, slug]);
    expect(await storedDays()).toEqual([]);
  });
});

test("days in memory are outdated once the figures change", async () => {
  const columns = new LoadedDays(new Copies());
  const service = organization.bounded({ columns });
  const ask = async () => (await service.filtered(orgId, { ...RANGE, filters: { country: ["DE"] } })).totalClicks;
  expect(await ask()).toBe(6);
  await organization.record([{ at: `${SECOND}T11:00:00Z`, visitor: 9n, country: "DE" }]);
  expect(await ask()).toBe(7);
  columns.forget();
  expect(await ask()).toBe(7);
});

test("Postgres counts the clicks if there are too many to load into columns", async () => {
  expect(await germans(8)).toEqual([6, 2]);
  await build();
  await loseClicks();
  expect(await germans(0)).toEqual([6, 2]);
  await analytics.sql`delete from click_days where org_id = ${orgId}`;
  expect(await germans(8)).toEqual([0, 0]);
});

describe("clicks by tag", () => {
  const retag = (tags: string[], link = organization.link) =>
    analytics.sql`update links set tags = ${`{${tags.join(",")}}`}::text::text[] where id = ${link}`;
  /** Returns two servers that cache tags. */
  const servers = () => [1, 2].map(() => organization.bounded({ columns: new LoadedDays(new Copies()) }));
  const tagsBy = async (server: ReturnType<typeof organization.bounded>) =>
    ((await server.filtered(orgId, { ...RANGE, filters: { country: ["DE"] } })).byTag ?? []).map(({ tag, count }) => [
      tag,
      count,
    ]);

  test("follow the current tags of links, also on servers that read earlier ones", async () => {
    const other = await organization.addLink();
    await organization.record([{ at: `${FIRST}T10:00:00.000Z`, visitor: 1n, country: "DE", link: other }]);
    await retag(["spring", "sale"]);
    const both = servers();
    for (const server of both)
      expect(await tagsBy(server)).toEqual([
        ["sale", 6],
        ["spring", 6],
      ]);
    await retag(["spring"], other);
    await retag(["sale", "autumn"]);
    for (const server of both)
      expect(await tagsBy(server)).toEqual([
        ["autumn", 6],
        ["sale", 6],
        ["spring", 1],
      ]);
    await analytics.sql`update links set deleted_at = now() where id = ${organization.link}`;
    for (const server of both) expect(await tagsBy(server)).toEqual([["spring", 1]]);
  });

  test("follow a change that was in progress during an earlier read, once it is committed", async () => {
    await retag(["spring"]);
    const [server] = servers();
    if (!server) throw new Error("There are servers");
    expect(await tagsBy(server)).toEqual([["spring", 6]]);
    await analytics.sql.begin(async (tx) => {
      await tx`update links set tags = '{autumn}' where id = ${organization.link}`;
      await retag(["summer"], await organization.addLink());
      expect(await tagsBy(server)).toEqual([["spring", 6]]);
    });
    expect(await tagsBy(server)).toEqual([["autumn", 6]]);
  });

  test("for parts of days are the same from columns and from Postgres, even with many tags", async () => {
    await retag(Array.from({ length: 201 }, (_, number) => `tag-${String(number).padStart(3, "0")}`));
    const range = { from: `${FIRST}T00:00:00Z`, to: `${SECOND}T10:00:00.001Z` };
    const told = await Promise.all(
      [{ rawMax: -1 }, { rawMax: 6 }].map((bounds) => organization.bounded(bounds).filtered(orgId, range)),
    );
    expect(told.map(({ byTag }) => byTag?.at(-1))).toEqual([
      { tag: "tag-009", count: 6 },
      { tag: "tag-009", count: 6 },
    ]);
  });

  test("have records of tag changes that are deleted after a day", async () => {
    await retag(["spring"]);
    const notes = async () => (await analytics.sql`select 1 from tag_changes where org_id = ${orgId}`).length;
    await deleteTagNotes(analytics.sql);
    expect(await notes()).toBe(1);
    await analytics.sql`update tag_changes set created_at = now() - interval '25 hours' where org_id = ${orgId}`;
    await deleteTagNotes(analytics.sql);
    expect(await notes()).toBe(0);
  });
});
