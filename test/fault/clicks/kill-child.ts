/**
 * One of the processes that `kill.ts` kills: appends clicks as fast as they are acknowledged, and writes down which
 * were.
 */
import { openSync, writeSync } from "node:fs";
import { clickOn, startPipeline } from "@test/integration/clicks/fixture";
import { SAFARI } from "@test/unit/clicks/records";
import type { ChildSettings } from "./kill";

const APPENDS_A_TURN = 32;
const TURN_EVERY_MS = 5;

const { folder, databaseUrl, links, notes: path }: ChildSettings = JSON.parse(process.argv[2] ?? "{}");
const notes = openSync(path, "ax");
const pipeline = startPipeline(folder, databaseUrl, { fsyncMs: 10 });

const draw = () => {
  const link = links[Math.floor(Math.random() * links.length)];
  if (!link) throw new Error("There are links.");
  return clickOn(link, { userAgent: Math.random() < 0.1 ? "curl/8.4.0" : SAFARI });
};

for (;;) {
  const records = Array.from({ length: APPENDS_A_TURN }, draw);
  const answers = await Promise.all(records.map((record) => pipeline.append(record)));
  const acknowledged = records.filter((_, index) => answers[index]);
  writeSync(notes, acknowledged.map(({ id }) => `${id}\n`).join(""));
  await Bun.sleep(TURN_EVERY_MS);
}
