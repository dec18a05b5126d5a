/** Stored figures read with SQL only, as an operator reads them, equal those that the service reads. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import fc from "fast-check";
import { type Counts, countsOf, decodeCounts, encodeCounts, KEYS_END } from "@/figures/counts";
import { CLICK_DIMENSION_NAMES } from "@/figures/dimensions";
import { codeOf, dimensionOf, figureDimensionCode, valueIdOf } from "@/figures/keys";
import {
  addHash,
  createSketch,
  decodeSketch,
  encodeSketch,
  estimate,
  foldToPrecision,
  PRECISION,
} from "@/figures/uniques";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import { clickOn, seedLink, seedOrganization, startPipeline } from "../clicks/fixture";

const CLICKS = 600;
const CODES = [...CLICK_DIMENSION_NAMES, "open_platform" as const, "open_source" as const].map(figureDimensionCode);

let database: TestDatabase;
let organization: string;

beforeAll(async () => {
  database = await createDatabase();
  organization = await seedOrganization(database.sql);
  const links = [await seedLink(database.sql, organization), await seedLink(database.sql, organization)] as const;
  const folder = temporaryFolder();
  const pipeline = startPipeline(folder.path, database.url);
  for (let index = 0; index < CLICKS; index++) {
    pipeline.append(
      clickOn(links[index % 2 === 0 ? 0 : 1], {
        at: Date.now() - index * 60_000,
        kind: index % 7 === 0 ? "open" : "click",
        isHead: index % 11 === 0,
        visitorId: `visitor ${index}`,
        query: `utm_source=mail&utm_campaign=${index % 5}`,
        referrer: index % 3 === 0 ? "https://news.example.com/" : "",
      }),
    );
  }
  await waitUntilDrained(pipeline);
  await pipeline.close();
  folder.remove();
});
afterAll(() => database.drop());

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

async function countsInSql(packed: readonly Uint8Array[]) {
  const rows = await database.sql<{ place: string; counts: (string | number)[][] }[]>`
    select place, coalesce(json_agg(json_build_array(dimension, value_id, count)) filter (where count is not null), '[]') as counts
    from unnest(${textArrayLiteral(packed.map(hex))}::text::text[]) with ordinality as given (bytes, place)
    left join lateral waymark_counts(decode(bytes, 'hex')) on true group by place order by place`;
  return rows.map(({ counts }) => counts);
}

const countsInCode = ({ keys, counts }: Counts) =>
  Array.from(keys, (key, index) => [dimensionOf(codeOf(key)), valueIdOf(key), counts[index] ?? 0]);

async function uniquesInSql(sketches: readonly Uint8Array[]): Promise<(number | null)[]> {
  const rows = await database.sql<{ visitors: number | null }[]>`
    select waymark_uniques(decode(bytes, 'hex'))::float8 as visitors
    from unnest(${textArrayLiteral(sketches.map(hex))}::text::text[]) with ordinality as given (bytes, place) order by place`;
  return rows.map(({ visitors }) => visitors);
}

describe("waymark_counts", () => {
  test("reads what is stored", async () => {
    const rows = await database.sql<{ counts: Buffer }[]>`
      select counts from figures_hourly union all select counts from figures_daily`;
    expect(rows.length).toBeGreaterThan(20);
    const read = await countsInSql(rows.map(({ counts }) => counts));
    expect(read).toEqual(rows.map(({ counts }) => countsInCode(decodeCounts(counts))));
    expect(new Set(read.flat().map(([dimension]) => dimension)).size).toBeGreaterThan(10);
  });

  test("reads all possible counts: of every dimension, negative and up to the maximum", async () => {
    const key = fc
      .tuple(fc.integer({ min: 0, max: 2 ** 26 - 2 }), fc.constantFrom(...CODES))
      .map(([value, code]) => Math.min(value * 64 + code, KEYS_END - 1));
    const count = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    const drawn = fc.sample(fc.array(fc.tuple(key, count), { maxLength: 60 }), { numRuns: 100, seed: 20_261_122 });
    const all = drawn.map((entries) => countsOf(entries));
    expect(await countsInSql(all.map(encodeCounts))).toEqual(all.map(countsInCode));
  });

  test("reads counts of older releases, which have four bits for the dimension", async () => {
    const old = Uint8Array.of((1 << 4) | 3, 20, 16, 7);
    expect(decodeCounts(old)).toEqual(
      countsOf([
        [67, 10],
        [131, -4],
      ]),
    );
    expect(await countsInSql([old])).toEqual([countsInCode(decodeCounts(old))]);
  });

  test("gives each dimension its name", async () => {
    const rows = await database.sql<{ code: number; name: string }[]>`
      select code, waymark_dimension(code) as name from unnest(${arrayLiteral(CODES)}::text::int[]) as code`;
    expect(rows.map(({ code, name }) => [code, name])).toEqual(CODES.map((code) => [code, dimensionOf(code)]));
  });
});

describe("waymark_uniques", () => {
  test("reads what is stored", async () => {
    const rows = await database.sql<{ visitors: Buffer }[]>`
      select visitors from figures_hourly where visitors is not null
      union all select visitors from figures_daily where visitors is not null`;
    expect(rows.length).toBeGreaterThan(20);
    expect(await uniquesInSql(rows.map(({ visitors }) => visitors))).toEqual(
      rows.map(({ visitors }) => estimate(decodeSketch(visitors))),
    );
  });

  test("estimates like the service, from no visitors to over a hundred thousand, at several precisions", async () => {
    const sketch = createSketch(PRECISION);
    const sketches = [createSketch(PRECISION)];
    let hash = 1n;
    for (const size of [1, 100, 1_536, 1_537, 5_000, 40_000, 100_000]) {
      for (let added = 0; added < size; added++) {
        hash = BigInt.asUintN(64, hash * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
        addHash(sketch, hash ^ (hash >> 29n));
      }
      for (const precision of [4, 8, 12, PRECISION])
        sketches.push(foldToPrecision(decodeSketch(encodeSketch(sketch)), precision));
    }
    sketches.push({ precision: 4, visitors: new Uint8Array(16) });
    expect(await uniquesInSql(sketches.map(encodeSketch))).toEqual(sketches.map(estimate));
  });

  test("returns null for a damaged sketch", async () => {
    const damaged = [
      [],
      [1],
      [2, 0, 14, 0],
      [1, 0, 3, 0],
      [1, 2, 14, 0],
      [1, 0, 14, 0, 9],
      [1, 1, 14, 0, 0, 0, 0],
      [1, 1, 4, 0, ...Array(12).fill(255)],
    ];
    expect(await uniquesInSql(damaged.map((bytes) => Uint8Array.from(bytes)))).toEqual(damaged.map(() => null));
  });
});

describe("the SQL statements in the operator's guide", () => {
  let answers: Record<string, string | number>[][];

  beforeAll(async () => {
    const guide = await Bun.file("src/http/docs/guide/operating.md").text();
    const statements = [...guide.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, statement = ""]) => statement);
    const [row] = await database.sql<{ slug: string }[]>`select slug from organizations where id = ${organization}`;
    answers = [];
    for (const statement of statements) {
      answers.push([...(await database.sql.unsafe(statement.replaceAll("'acme'", `'${row?.slug}'`)))]);
    }
  });

  test("return the clicks of each campaign", async () => {
    const campaigns = Map.groupBy(
      (answers[0] ?? []).filter(({ dimension }) => dimension === "utmCampaign"),
      ({ value }) => value,
    );
    const told = [...campaigns].map(([value, rows]) => ({
      value,
      clicks: rows.reduce((sum, { clicks }) => sum + Number(clicks), 0),
    }));
    const clicks = await database.sql<{ value: string; clicks: number }[]>`
      select utm_campaign as value, count(*)::int as clicks from clicks
      where org_id = ${organization} and not is_bot group by 1 order by 1`;
    expect(told.sort((one, other) => (String(one.value) < String(other.value) ? -1 : 1))).toEqual([...clicks]);
    expect(told).toHaveLength(5);
  });

  test("return the clicks and visitors of each day", async () => {
    const days = await database.sql<{ clicks: number; visitors: number }[]>`
      select count(*)::int as clicks, count(distinct visitor)::float8 as visitors from clicks
      where org_id = ${organization} and not is_bot
      group by date_trunc('day', occurred_at, 'UTC') order by date_trunc('day', occurred_at, 'UTC') desc`;
    expect((answers[1] ?? []).map(({ clicks, visitors }) => ({ clicks, visitors: Number(visitors) }))).toEqual([
      ...days,
    ]);
  });
});
