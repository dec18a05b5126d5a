import { expect, test } from "bun:test";
import { shedReports } from "@/clicks/shed-reports";

const PENDING = { pendingBytes: 7 };
const STATS = { ...PENDING, applied: 0, poisoned: 0, damagedBytes: 0, batches: 0, lagMs: 0 };

function reporting() {
  const said: unknown[] = [];
  const stats = { ...STATS, appended: 0, shed: 0, isBlocked: false };
  const log = {
    error: (message: string, fields: unknown) => said.push([message, fields]),
    info: (message: string, fields: unknown) => said.push([message, fields]),
  };
  const report = shedReports({ stats: () => stats }, log);
  return (changes: Partial<typeof stats>) => {
    Object.assign(stats, changes);
    report();
    return said.splice(0);
  };
}

const dropped = (shed: number, since: number) => [["clicks are being dropped", { shed, since, ...PENDING }]];

test("says that clicks are dropped while more of them are, and once that they are recorded again", () => {
  const report = reporting();
  expect(report({ appended: 5 })).toEqual([]);
  expect(report({ shed: 2, isBlocked: true })).toEqual(dropped(2, 2));
  expect(report({ shed: 6 })).toEqual(dropped(6, 4));
  expect(report({ appended: 9, isBlocked: false })).toEqual([["clicks are recorded again", { shed: 6 }]]);
  expect(report({ appended: 12 })).toEqual([]);
  expect(report({ shed: 7, isBlocked: true })).toEqual(dropped(7, 1));
});

test.each([
  ["no click has come since", { isBlocked: false }],
  ["the disk refused another moments ago", { appended: 8 }],
  ["others are still dropped", { appended: 8, shed: 3, isBlocked: false }],
])("does not say that clicks are recorded again while %s", (_, changes) => {
  const report = reporting();
  report({ shed: 2, isBlocked: true });
  expect(report(changes)).toEqual("shed" in changes ? dropped(3, 1) : []);
  expect(report({ appended: 20, isBlocked: false })).toHaveLength(1);
});
