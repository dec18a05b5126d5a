import { afterAll, expect, test } from "bun:test";
import { livePromises } from "@test/support/memory/live-promises";
import { createDatabase } from "@test/support/servers/postgres";
import { ClickDatabase } from "@/clicks/writer/click-database";

const TURNS = 300;

const database = await createDatabase();
const clicks = new ClickDatabase(database.url);
afterAll(async () => {
  await clicks.close();
  await database.drop();
});

test("transactions on a long-lived connection leak no promises", async () => {
  const write = () => clicks.transaction(async (tx) => void (await tx.send("select 1")));
  await write();
  const before = livePromises();
  for (let turn = 0; turn < TURNS; turn++) await write();
  expect(livePromises() - before).toBeLessThan(TURNS / 10);
});
