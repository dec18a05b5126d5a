/** Figures by rule, from visits over HTTP: each rule keeps its own, however the link's rules are changed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { importArchive } from "@test/support/accounts/archives";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { BreakdownAnswer } from "@/contract/analytics/breakdown";
import type { ClickDetail, ClickPage } from "@/contract/analytics/clicks";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import type { RevisionPage } from "@/contract/links/revisions";
import type { RoutingRule } from "@/contract/routing";
import { createCsvReader } from "@/core/csv/reader";
import { numberAt } from "@/core/rules/rule-numbers";
import { verifyFigures } from "@/figures/verify/verify";
import { writeArchive } from "@/platform/archive/write";
import { openDatabase } from "@/platform/db/client";

const service = await startTestService();
const { sql } = service;
const there = await startTestService();
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
const to = (name: string) => `https://example.com/${name}`;
const rule = (name: string): RoutingRule => ({
  destinationUrl: to(name),
  conditions: { query: [{ name: "to", values: [name] }] },
});

const call = <Body>(method: string, path: string, body?: object) =>
  service.call<Body>(method, `${home}/${path}`, { token: ada.token, body });
const ask = async <Body>(path: string) => (await call<Body>("GET", path)).body;

const linkWith = (...names: string[]): Promise<Link> =>
  service.createLink(ada, { defaultUrl: to("default"), rules: names.map(rule) });

async function change({ _id }: Link, rules: object[]): Promise<Link> {
  const { status, body } = await call<Link>("PATCH", `links/${_id}`, { rules });
  if (status !== 200) throw new Error(`PATCH answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns the numbers of a link's rules by the ends of their destinations. */
const numbersOf = ({ rules }: Link) =>
  Object.fromEntries(
    rules.map(({ destinationUrl }, index) => [destinationUrl.split("/").at(-1), numberAt(rules, index)]),
  );

let addresses = 0;
async function visit({ shortUrl }: Link, ...names: string[]): Promise<void> {
  for (const name of names) {
    const address = `81.2.${++addresses >> 8}.${addresses & 255}`;
    const { headers } = await service.visit(
      { shortUrl: `${shortUrl}?to=${name}` },
      { "user-agent": FIREFOX, [CLIENT_HEADER]: address },
    );
    expect(headers.get("location")).toStartWith(to(name));
  }
}

const DAY_MS = 86_400_000;
const range = `from=${new Date(Date.now() - DAY_MS).toISOString()}&to=${new Date(Date.now() + DAY_MS).toISOString()}`;

async function byRule({ _id }: Link): Promise<Record<string, number>> {
  await waitUntilDrained(service.service);
  const { rows } = await ask<BreakdownAnswer>(`analytics/breakdown?by=rule&linkId=${_id}&${range}`);
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
}

const totalOf = async (query: string): Promise<number> =>
  (await ask<OverviewAnswer>(`analytics/overview?${range}&${query}`)).totalClicks;

const clicksOf = async (query: string): Promise<ClickPage["clicks"]> =>
  (await ask<ClickPage>(`analytics/clicks?limit=100&${range}&${query}`)).clicks;

async function expectFiguresVerified(): Promise<void> {
  const differences: unknown[] = [];
  await verifyFigures(sql, {
    span: {},
    orgId: ada.orgId,
    isRepairing: false,
    onDifference: (difference) => differences.push(difference),
  });
  expect(differences).toEqual([]);
}

describe("figures follow a rule", () => {
  let link: Link;
  const numbers: unknown[] = [];
  beforeAll(async () => {
    link = await linkWith("a", "b", "c");
    numbers.push(numbersOf(link));
    await visit(link, "a", "b", "b", "c", "c", "c");
    const steps: [rules: string[], visits: string[]][] = [
      [
        ["b", "c"],
        ["b", "c"],
      ],
      [
        ["c", "b"],
        ["c", "b"],
      ],
      [
        ["d", "c", "b"],
        ["d", "c"],
      ],
    ];
    for (const [names, visits] of steps) {
      const changed = await change(link, names.map(rule));
      numbers.push(numbersOf(changed));
      await visit(changed, ...visits);
    }
  });

  test("that is deleted, moved, or has another one inserted before it", async () => {
    expect(numbers).toEqual([
      { a: 0, b: 1, c: 2 },
      { b: 1, c: 2 },
      { c: 2, b: 1 },
      { d: 3, c: 2, b: 1 },
    ]);
    expect(await byRule(link)).toEqual({ 0: 1, 1: 4, 2: 6, 3: 1 });
  });

  test.each([
    ["a", 0, 1],
    ["b", 1, 4],
    ["c", 2, 6],
    ["d", 3, 1],
  ])("in every filter: %s", async (name, number, clicks) => {
    await waitUntilDrained(service.service);
    const ofRule = `linkId=${link._id}&rule=${number}`;
    expect(await totalOf(ofRule)).toBe(clicks);
    expect(await totalOf(`${ofRule}&browser=Firefox&destination=${to(name)}`)).toBe(clicks);
    const listed = await clicksOf(ofRule);
    expect(listed).toHaveLength(clicks);
    for (const { route } of listed) expect(route).toMatchObject({ destinationUrl: to(name), ruleNumber: number });
  });

  test("while a click keeps its position, and what explains it", async () => {
    const positions = (await clicksOf(`linkId=${link._id}&rule=2`)).map(({ route }) => route.ruleIndex);
    expect(positions).toEqual([1, 0, 1, 2, 2, 2]);
    for (const { _id } of await clicksOf(`linkId=${link._id}`)) {
      const { why, route } = await ask<ClickDetail>(`analytics/clicks/${_id}`);
      expect(why).toMatchObject({ isSame: true, route });
    }
  });

  test("in the CSV files", async () => {
    const read = async (path: string) => {
      const [names = [], ...rows] = createCsvReader().push(await ask<string>(`analytics/${path}&${range}`));
      return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
    };
    const rows = await read(`clicks/export.csv?linkId=${link._id}&rule=3`);
    expect(rows).toEqual([expect.objectContaining({ ruleIndex: "0", ruleNumber: "3", destinationUrl: to("d") })]);
  });

  test("as the raw clicks say", async () => {
    await expectFiguresVerified();
    const stored = await sql<{ value: string; count: number }[]>`
      select value, sum(counted.count)::int as count from figures_daily figures
      cross join waymark_counts(figures.counts) counted join figure_values on figure_values.id = counted.value_id
      where figures.link_id = ${link._id} and counted.dimension = 'rule' group by 1 order by 1`;
    expect(stored.map(({ value, count }) => [value, count])).toEqual([
      ["0", 1],
      ["1", 4],
      ["2", 6],
      ["3", 1],
    ]);
  });

  test("of an abuse verdict", async () => {
    const suspect = await linkWith("a", "b");
    await change(suspect, [rule("b")]);
    await visit(suspect, "b");
    await waitUntilDrained(service.service);
    const [click] = await clicksOf(`linkId=${suspect._id}`);
    await sql`update clicks set spam_score = 80 where id = ${click?._id ?? ""}`;
    const path = `analytics/abuse-queue/${click?._id}`;
    expect((await call("PATCH", path, { status: "confirmed" })).status).toBe(200);
    expect(await byRule(suspect)).toEqual({});
    expect((await call("PATCH", path, { status: "dismissed" })).status).toBe(200);
    expect(await byRule(suspect)).toEqual({ 1: 1 });
    await expectFiguresVerified();
  });
});

describe("a rule keeps its number", () => {
  test("if the rules are sent again, which changes nothing", async () => {
    const link = await linkWith("a", "b", "c");
    const moved = await change(link, ["c", "a", "b"].map(rule));
    expect(numbersOf(moved)).toEqual({ c: 2, a: 0, b: 1 });
    for (const rules of [moved.rules, ["c", "a", "b"].map(rule)]) {
      const { updatedAt, rules: after } = await change(link, rules);
      expect([updatedAt, after]).toEqual([moved.updatedAt, moved.rules]);
    }
    const { total } = await ask<RevisionPage>(`links/${link._id}/revisions`);
    expect(total).toBe(2);
  });

  test("with which it is sent, whatever else of it changes", async () => {
    const link = await linkWith("a", "b");
    const changed = await change(link, [{ ...rule("x"), number: 1 }, rule("new"), { ...rule("y"), number: 0 }]);
    expect(numbersOf(changed)).toEqual({ x: 1, new: 2, y: 0 });
  });

  test("if only its conditions, its destination or its priority changes", async () => {
    const link = await linkWith("a", "b", "c");
    const changed = await change(link, [
      { ...rule("c"), priority: 5 },
      { ...rule("b"), destinationUrl: to("elsewhere") },
      { ...rule("a"), conditions: { countries: ["DE"] } },
    ]);
    expect(numbersOf(changed)).toEqual({ c: 2, elsewhere: 1, a: 0 });
  });

  test("if another one equals it", async () => {
    const link = await linkWith("a", "a", "b");
    const changed = await change(link, ["b", "a", "a", "a"].map(rule));
    expect(changed.rules.map(({ number }) => number)).toEqual([2, 0, 1, undefined]);
    expect(numberAt(changed.rules, 3)).toBe(3);
  });

  test("in bulk changes and by external id", async () => {
    const { body } = await call<Link>("PUT", "links/by-external-id/kept", {
      defaultUrl: to("default"),
      rules: [rule("a"), rule("b")],
    });
    const put = await call<Link>("PUT", "links/by-external-id/kept", { defaultUrl: to("d"), rules: [rule("b")] });
    expect([put.status, numbersOf(put.body)]).toEqual([200, { b: 1 }]);
    const changes = { rules: [rule("c"), rule("b")] };
    const bulk = await call<{ updated: Link[] }>("PATCH", "links/bulk", { ids: [body._id], changes });
    expect(bulk.body.updated.map(numbersOf)).toEqual([{ c: 2, b: 1 }]);
  });

  test("in a preview of the change", async () => {
    const link = await linkWith("a", "b");
    const { body } = await call<{ link: Link }>("POST", "links/preview", {
      shortUrl: link.shortUrl,
      link: { rules: [rule("new"), rule("b")] },
    });
    expect(numbersOf(body.link)).toEqual({ new: 2, b: 1 });
  });
});

describe("a number is never used again", () => {
  test("after the rule that had it is deleted", async () => {
    const link = await linkWith("a", "b");
    expect(numbersOf(await change(link, [rule("a"), rule("b"), rule("c")]))).toEqual({ a: 0, b: 1, c: 2 });
    expect(numbersOf(await change(link, []))).toEqual({});
    expect(numbersOf(await change(link, [rule("d"), rule("e")]))).toEqual({ d: 3, e: 4 });
  });

  test("by a second rule, and one that the link never had is ignored", async () => {
    const link = await linkWith("a");
    const changed = await change(link, [
      { ...rule("a"), number: 0 },
      { ...rule("b"), number: 0 },
      { ...rule("c"), number: 7 },
    ]);
    expect(numbersOf(changed)).toEqual({ a: 0, b: 1, c: 2 });
  });

  test("by a link of a former release, whose clicks were counted by positions", async () => {
    const link = await linkWith("a", "b");
    await sql`update links set next_rule_number = default where id = ${link._id}`;
    expect(numbersOf(await change(link, [rule("b"), rule("c")]))).toEqual({ b: 1, c: 50 });
    expect(numbersOf(await change(link, [rule("d"), rule("c"), rule("b")]))).toEqual({ d: 51, c: 50, b: 1 });
    await visit(link, "b", "c", "c");
    expect(await byRule(link)).toEqual({ 1: 1, 50: 2 });
  });

  test("from another link, whose rules are copied", async () => {
    const link = await linkWith("a", "b", "c");
    const { rules } = await change(link, [rule("c"), rule("b")]);
    const copy = await service.createLink(ada, { defaultUrl: to("default"), rules });
    expect(numbersOf(copy)).toEqual({ c: 0, b: 1 });
  });

  test.each([[-1], [1.5], ["1"], [2 ** 31]])("and %p is none", async (number) => {
    const link = await linkWith("a");
    const { status, body } = await call("PATCH", `links/${link._id}`, { rules: [{ ...rule("a"), number }] });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("rules[0].number")]);
  });
});

test("restoring a version gives its rules back their numbers, and so their figures", async () => {
  const link = await linkWith("a", "b", "c");
  await visit(link, "a", "b", "b");
  await change(link, [rule("c"), { ...rule("b"), destinationUrl: to("other") }]);
  const { revisions } = await ask<RevisionPage>(`links/${link._id}/revisions`);
  const first = Object(revisions.at(-1)?.snapshot);
  const restored = await change(link, first.rules);
  expect(numbersOf(restored)).toEqual({ a: 0, b: 1, c: 2 });
  await visit(restored, "a", "c");
  expect(await byRule(link)).toEqual({ 0: 2, 1: 2, 2: 1 });
});

test("the version of a former release has positions for numbers", async () => {
  const link = await linkWith("a", "b");
  await sql`
    update link_revisions set snapshot = jsonb_set(snapshot, '{rules}', (
      select jsonb_agg(rule - 'number' order by place) from jsonb_array_elements(snapshot -> 'rules')
        with ordinality as rules (rule, place)))
    where link_id = ${link._id}`;
  await visit(link, "b");
  expect(await byRule(link)).toEqual({ 1: 1 });
  const { revisions } = await ask<RevisionPage>(`links/${link._id}/revisions`);
  expect(Object(revisions[0]?.snapshot).rules).toMatchObject([{ number: 0 }, { number: 1 }]);
});

test("an archive that is imported elsewhere has the same numbers, figures and clicks", async () => {
  const link = await linkWith("a", "b");
  await change(link, [rule("b"), rule("c")]);
  await change(link, [rule("b")]);
  await visit(link, "b");
  await waitUntilDrained(service.service);
  const parts: Uint8Array[] = [];
  for await (const { bytes } of writeArchive({ sql, orgId: ada.orgId, startedAt: Date.now() })) parts.push(bytes);
  const file = join(await makeFolderOfFile(), "archive.tar.gz");
  await Bun.write(file, parts);
  expect(await importArchive(database, file)).toMatchObject({ ok: true });
  const owner = await there.register();
  await there.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${ada.orgId}, id, 'owner' from users where email = ${owner.email}`;
  const read = async <Body>(method: string, path: string, body?: object) =>
    (await there.call<Body>(method, `${home}/${path}`, { token: owner.token, body })).body;

  const { rows } = await read<BreakdownAnswer>("GET", `analytics/breakdown?by=rule&linkId=${link._id}&${range}`);
  expect(rows).toEqual([{ value: "1", count: 1 }]);
  const { clicks } = await read<ClickPage>("GET", `analytics/clicks?linkId=${link._id}&rule=1&${range}`);
  expect(clicks.map(({ route }) => [route.ruleIndex, route.ruleNumber])).toEqual([[0, 1]]);
  const changed = await read<Link>("PATCH", `links/${link._id}`, { rules: [rule("d"), rule("b")] });
  expect(numbersOf(changed)).toEqual({ d: 3, b: 1 });
});
