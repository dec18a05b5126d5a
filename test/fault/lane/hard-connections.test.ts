import { expect, test } from "bun:test";
import { hardConnections } from "./hard-connections";

test("idle, partial, half-closed, reset and unread connections cost others no response or click and are all closed", async () => {
  const report = await hardConnections({ connections: 150, isPatient: false });
  expect(report).toMatchObject({ wrong: {}, failed: 0, why: "", refused: 0, lost: 0, countedTwice: 0, leftOpen: 0 });
  expect(report.inLane).toBeGreaterThan(0);
  expect(report.acknowledged).toBeGreaterThan(0);
}, 240_000);
