/** The same traffic gets the same verdicts, whether one process or four write its clicks, concurrently or late. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { AT, clickRecord, temporaryFolder } from "@test/unit/clicks/records";
import { shareThrough } from "@/clicks/enrich/shared-marks";
import type { ClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import { seedLink, seedOrganization, startPipeline } from "./fixture";

const WRITERS = 4;
/** The traffic crosses the boundary of a minute. */
const START = AT - (AT % 60_000) - 20_000;

let database: TestDatabase;
const folders: ReturnType<typeof temporaryFolder>[] = [];
let writers: ClickPipeline[];

beforeAll(async () => {
  database = await createDatabase();
  writers = Array.from({ length: WRITERS }, () => {
    const folder = temporaryFolder();
    folders.push(folder);
    return startPipeline(folder.path, database.url);
  });
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.close()));
  await database.drop();
  for (const folder of folders) folder.remove();
});

/**
 * Returns the clicks of a hammering visitor, a venue full of phones and a flood of made-up browsers, within 40
 * seconds.
 */
function traffic(link: { id: string; orgId: string }, at = START): ClickRecord[] {
  const from = (count: number, address: string, userAgent: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => {
      const time = at + Math.floor((index * 40_000) / count);
      return clickRecord({ linkId: link.id, orgId: link.orgId, at: time, address, userAgent: userAgent(index) });
    });
  const phone = (index: number) =>
    `Mozilla/5.0 (Linux; Android 14; Phone ${index}) Chrome/126.0.0.0 Mobile Safari/537.36`;
  return [
    ...from(100, "192.0.2.1", phone.bind(null, 0)),
    ...from(200, "192.0.2.2", phone),
    ...from(700, "192.0.2.3", phone),
  ];
}

async function verdicts(deal: (records: ClickRecord[], link: { id: string; orgId: string }) => Promise<void>) {
  const link = await seedLink(database.sql, await seedOrganization(database.sql));
  await deal(traffic(link), link);
  const rows = await database.sql<{ reasons: string; clicks: number }[]>`
    select array_to_string(bot_reasons, ',') || case when is_bot then ' bot' else '' end as reasons, count(*)::int as clicks
    from clicks where org_id = ${link.orgId} group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ reasons, clicks }) => [reasons.trim(), clicks]));
}

async function write(writer: ClickPipeline | undefined, records: readonly ClickRecord[]): Promise<void> {
  if (!writer) throw new Error("There is no such writer");
  expect(await Promise.all(records.map((record) => writer.append(record)))).not.toContain(false);
  await waitUntilDrained(writer);
}

const dealt = (records: readonly ClickRecord[]) =>
  writers.map((writer, own) => ({ writer, records: records.filter((_, index) => index % WRITERS === own) }));

const EXPECTED = { "": 60 + 120 + 120, "repeat bot": 40, crowd: 80 + 480, "flood bot": 100 };

test("one writer gives the expected verdicts", async () => {
  expect(await verdicts((records) => write(writers[0], records))).toEqual(EXPECTED);
});

test("four concurrent writers give the same verdicts as one", async () => {
  const atOnce = async (records: ClickRecord[]) => {
    await Promise.all(dealt(records).map(({ writer, records: own }) => write(writer, own)));
  };
  expect(await verdicts(atOnce)).toEqual(EXPECTED);
});

test("four writers taking turns in small batches give the same verdicts as one", async () => {
  const inParts = async (records: ClickRecord[]) => {
    for (const part of [0, 1]) {
      for (const { writer, records: own } of dealt(records)) {
        await write(writer, own.slice((part * own.length) / 2, ((part + 1) * own.length) / 2));
      }
    }
  };
  expect(await verdicts(inParts)).toEqual(EXPECTED);
});

test("a spool applied late gets the same verdicts, judged by the minute of its clicks", async () => {
  const late = async (records: ClickRecord[], link: { id: string; orgId: string }) => {
    const now = traffic(link, Date.now());
    await write(writers[1], now);
    await write(writers[0], records);
    await database.sql`delete from clicks where org_id = ${link.orgId} and occurred_at > ${new Date(AT + 3_600_000)}`;
  };
  expect(await verdicts(late)).toEqual(EXPECTED);
});

test("for a much-used key, Postgres reads the known marks once a batch, not once per mark", async () => {
  const plans: string[] = [];
  const share = shareThrough(async (statement, parameters) => {
    const plan = await database.sql.unsafe(`explain ${statement}`, parameters);
    plans.push(plan.map((line) => line["QUERY PLAN"]).join("\n"));
    return [];
  });
  await share([{ orgId: crypto.randomUUID(), key: 1, marks: [1, 2, 3] }]);
  expect(plans.join()).toContain("hashed SubPlan");
});
