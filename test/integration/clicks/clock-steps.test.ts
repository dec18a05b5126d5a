/** A machine whose clock is set while clicks are applied: a virtual machine that resumes, or a late NTP. */
import { afterAll, expect, spyOn, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { until } from "@test/support/until";
import { createEnrichment } from "@/clicks/enrich/enrich";
import { createCommitCell, type FromWorker } from "@/clicks/messages";
import { Spool } from "@/clicks/spool/spool";
import { TakenSpools } from "@/clicks/spool/taken-spools";
import { ClickApplier } from "@/clicks/writer/applier";
import { HOUR_MS } from "@/core/time/time-range";
import { openGeo } from "@/platform/geo/geo";
import { createLog } from "@/platform/telemetry/log";
import { databaseOf, visitorSecret } from "@/platform/visitor";
import { clickOn, seedLink, seedOrganization, VISITOR_SECRET } from "./fixture";

const database = await createDatabase();
const dataDir = await makeQuickFolder();
const geo = await openGeo();
afterAll(async () => {
  geo[Symbol.dispose]();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const realNow = Date.now;
let setBy = 0;
const wall = spyOn(Date, "now").mockImplementation(() => realNow() + setBy);
afterAll(() => wall.mockRestore());

test.each([-HOUR_MS, HOUR_MS])("clicks go on reaching Postgres after it is set by %d ms during a batch", async (ms) => {
  const link = await seedLink(database.sql, await seedOrganization(database.sql));
  const spoolsFolder = join(dataDir, `spool${ms}`);
  await mkdir(spoolsFolder);
  const log = createLog(() => undefined);
  const spools = new TakenSpools({ spoolsFolder, database: databaseOf(VISITOR_SECRET), log });
  const committed = createCommitCell();
  committed.set(1, 0);
  const spool = new Spool({
    ...{ folder: spools.own.path, sequenceBefore: 0, bytesMax: 1e9, fsyncMs: 0 },
    onCommit: committed.set,
    onFault: (fault) => {
      throw fault;
    },
  });
  let applied = 0;
  const secret = visitorSecret(VISITOR_SECRET, "none");
  const applier = new ClickApplier({
    settings: {
      ...{ databaseUrl: database.url, visitorSecret: VISITOR_SECRET, visitorRotation: "none", spoolsFolder },
      ...{ spoolId: spools.own.id, committed: committed.shared, adoptEveryMs: 60_000, keptBytesMax: 1e9 },
    },
    enrichment: (share) => createEnrichment(geo, secret, share),
    sendToMain(message: FromWorker) {
      if (message.type !== "progress" || !message.batch) return;
      applied += message.batch.clicks;
      setBy = ms;
    },
  });
  const running = applier.run();
  await spool.append(clickOn(link));
  await until(() => applied === 1);
  await spool.append(clickOn(link));
  await until(() => applied === 2);
  await spool.close();
  applier.close(committed.get(), Date.now() + 60_000);
  await running;
  expect(await database.sql`select from clicks where link_id = ${link.id}`).toHaveLength(2);
});
