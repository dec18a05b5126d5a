import { expect, test } from "bun:test";
import { hardConnections } from "./hard-connections";

test("connections that are idle, half said, half-closed, reset and never read cost those who behave no answer and no click, and none stays open", async () => {
  const report = await hardConnections({ connections: 150, isPatient: false });
  expect(report).toMatchObject({ wrong: {}, failed: 0, why: "", refused: 0, lost: 0, countedTwice: 0, leftOpen: 0 });
  expect(report.inLane).toBeGreaterThan(0);
  expect(report.acknowledged).toBeGreaterThan(0);
}, 240_000);
