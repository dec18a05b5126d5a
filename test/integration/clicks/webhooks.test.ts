/** Deliveries of clicks and opens: written with their batch, once each, and only where a webhook subscribes to them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { createEnrichment, type EnrichedClick } from "@/clicks/enrich/enrich";
import type { ClickRecord } from "@/clicks/record";
import { announceVisits } from "@/clicks/writer/announce";
import { BATCH_STEPS, type Batch, type BatchStep } from "@/clicks/writer/batch";
import { BatchWriter } from "@/clicks/writer/batch-writer";
import { ClickDatabase, ConnectionLostError } from "@/clicks/writer/click-database";
import type { PoisonedRecord } from "@/clicks/writer/poisoned-record";
import { Retries } from "@/clicks/writer/retry";
import type { BatchTransaction } from "@/clicks/writer/transaction";
import { FigureStore } from "@/figures/write/figure-store";
import { visitorSecret } from "@/platform/visitor";
import { clickOn, ownSpool, type SeededLink, seedLink, seedOrganization, VISITOR_SECRET } from "./fixture";

const NOWHERE = { edition: 1, lookup: () => undefined, [Symbol.dispose]: () => undefined };
const TARGET = { orgId: "", defaultUrl: "https://example.com/", rules: [], splitTargets: [], utm: {} };
const CLICKS = 30;

let database: TestDatabase;
let clicks: ClickDatabase;
let link: SeededLink;
let poisoned: PoisonedRecord[];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`truncate webhooks, webhook_deliveries, clicks`;
  clicks = new ClickDatabase(database.url);
  link = await seedLink(database.sql, await seedOrganization(database.sql));
  poisoned = [];
});
afterEach(() => clicks.close());

async function listen(events: string[], orgId = link.orgId): Promise<string> {
  const id = Bun.randomUUIDv7();
  await database.sql`insert into webhooks (id, org_id, url, events, secret, secret_hint)
    values (${id}, ${orgId}, 'https://hooks.example.com/', ${events}, '\\x00', '')`;
  return id;
}

/** Enriches the records. Each comes from its own address, so that all count as people's. */
function enriched(records: readonly ClickRecord[]): Promise<EnrichedClick[]> {
  const enrich = createEnrichment(NOWHERE, visitorSecret(VISITOR_SECRET, "none"));
  return enrich(
    records.map((record, index) => ({ record, targets: TARGET, end: { segment: 1, offset: (index + 1) * 100 } })),
  );
}

const records = (count = CLICKS, kind: "click" | "open" = "click") =>
  Array.from({ length: count }, (_, index) =>
    clickOn(link, { kind, address: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }),
  );

async function batchOf(all: readonly ClickRecord[]): Promise<Batch> {
  const { applied, identity: spool } = await ownSpool(clicks);
  return { spool, from: applied, to: { segment: 1, offset: all.length * 100 }, clicks: await enriched(all) };
}

const apply = (batch: Batch, steps: readonly BatchStep[] = BATCH_STEPS) =>
  new BatchWriter({
    database: clicks,
    figures: new FigureStore((error) => Promise.reject(error)),
    visitorSecret: visitorSecret(VISITOR_SECRET, "none"),
    retries: new Retries(new AbortController().signal, () => undefined),
    onPoison: (refused) => poisoned.push(...refused),
    onFailure: () => undefined,
    steps,
  }).apply(batch);

const idsOf = async () =>
  (await database.sql`select body from webhook_deliveries order by due_at, id`).map(
    ({ body }) => JSON.parse(body).data._id,
  );

describe("deliveries of a batch", () => {
  test.each(BATCH_STEPS.map((_, index) => [index]))(
    "that loses its connection behind step %i are written once",
    async (after) => {
      await listen(["click"]);
      const all = records();
      let isInterrupted = false;
      const steps = BATCH_STEPS.map(
        (step, index): BatchStep =>
          async (tx, batch) => {
            await step(tx, batch);
            if (index !== after || isInterrupted) return;
            isInterrupted = true;
            throw new ConnectionLostError("gone");
          },
      );
      await apply(await batchOf(all), steps);
      expect(isInterrupted).toBe(true);
      expect(await idsOf()).toEqual(all.map(({ id }) => id));
    },
  );

  test("keep the order of the clicks, even if there are more than one COPY takes", async () => {
    await listen(["click"]);
    const all = records(2_500);
    await apply(await batchOf(all));
    expect(await idsOf()).toEqual(all.map(({ id }) => id));
  });

  test("are not written for a webhook deleted at that moment, and no click is lost", async () => {
    const [gone, kept] = [await listen(["click"]), await listen(["click"])];
    const all = records(1);
    const deleting: BatchStep = async () => {
      await database.sql`delete from webhooks where id = ${gone}`;
    };
    await apply(await batchOf(all), [...BATCH_STEPS.slice(0, -1), deleting, ...BATCH_STEPS.slice(-1)]);
    const rows = await database.sql`select webhook_id from webhook_deliveries`;
    expect(rows.map(({ webhook_id }) => webhook_id)).toEqual([kept]);
    expect(await database.sql`select 1 from clicks`).toHaveLength(1);
    expect(poisoned).toEqual([]);
  });
});

describe("statements", () => {
  function recording() {
    const asked: string[] = [];
    const run: BatchTransaction["run"] = async (statement, parameters) => {
      asked.push(statement.trim().split(/\s+/)[0] ?? "");
      return clicks.reader.unsafe(statement, parameters);
    };
    const tx: BatchTransaction = {
      ...{ run, send: run },
      copy: async () => {
        asked.push("copy");
      },
      mayStage: true,
    };
    return { tx, asked };
  }

  const turnedOff = async () => {
    await listen(["click"]);
    await database.sql`update webhooks set is_active = false`;
  };

  test.each([
    ["where nobody has a webhook", async () => {}],
    ["where it is turned off", turnedOff],

    ["where it listens to something else", () => listen(["link.created", "custom.event"])],
    ["where it is another organization's", async () => listen(["click"], await seedOrganization(database.sql))],
  ])("are one, %s", async (_, prepare) => {
    await prepare();
    const { tx, asked } = recording();
    await announceVisits(tx, await enriched([...records(), ...records(3, "open")]), "http://localhost");
    expect(asked).toEqual(["select"]);
  });

  test("are none for an empty batch", async () => {
    const { tx, asked } = recording();
    await announceVisits(tx, [], "http://localhost");
    expect(asked).toEqual([]);
  });

  test("query links only if a webhook subscribes to opens", async () => {
    await listen(["click"]);
    const { tx, asked } = recording();
    await announceVisits(tx, await enriched([...records(), ...records(3, "open")]), "http://localhost");
    expect(asked).toEqual(["select", "copy"]);
    await listen(["link.opened"]);
    await announceVisits(tx, await enriched(records(3, "open")), "http://localhost");
    expect(asked.slice(2)).toEqual(["select", "select", "copy"]);
  });
});
