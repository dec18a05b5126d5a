/**
 * Which errors of Postgres recur however often a batch is retried, and which may pass. Citus reports some without
 * their code.
 */
import { expect, test } from "bun:test";
import postgres from "postgres";
import { isDataFault, mayBeApplied } from "@/clicks/writer/click-database";
import { unavailableReasonOf } from "@/platform/db/faults";

const fault = (fields: object) => Object.assign(Object.create(postgres.PostgresError.prototype), fields);
const ofWorker = (message: string) => fault({ code: "XX000", routine: "ReportCopyError", message });

test.each([
  ["a row that is there already", fault({ code: "23505", message: "duplicate key" }), true, true],
  ["a row that a check refuses", fault({ code: "23514", message: "violates check constraint" }), true, false],
  ["a lock that was not to be had", fault({ code: "55P03", message: "lock timeout" }), false, false],
  [
    "a row on its way to a default partition",
    fault({ code: "23514", table_name: "clicks_default", message: "violates partition constraint" }),
    false,
    false,
  ],
  [
    "one on its way to the shard of a default partition",
    fault({ code: "23514", table_name: "clicks_default_102033", message: "violates partition constraint" }),
    false,
    false,
  ],
  [
    "a row that a worker has already",
    ofWorker('duplicate key value violates unique constraint "clicks_2026_11_pkey_102061"'),
    true,
    true,
  ],
  [
    "a row that a worker's check refuses",
    ofWorker('new row for relation "clicks_2026_11_102061" violates check constraint "picky"'),
    true,
    true,
  ],
  [
    "a row that a worker had no partition for yet",
    ofWorker('new row for relation "clicks_default_102033" violates partition constraint'),
    false,
    true,
  ],
  ["a worker without room", ofWorker("could not extend file: No space left on device"), false, true],
  [
    "another fault of Citus",
    fault({ code: "XX000", routine: "Other", message: "violates unique constraint" }),
    false,
    false,
  ],
])("%s", (_, error, isOfData, isMaybeApplied) => {
  expect({ isOfData: isDataFault(error), isMaybeApplied: mayBeApplied(error) }).toEqual({ isOfData, isMaybeApplied });
});

test("an error about columnar storage has a reason of its own, even if it is wrapped", () => {
  const cause = fault({ code: "XX000", message: "UPDATE and CTID scans not supported for ColumnarScan" });
  expect(unavailableReasonOf(new Error("Failed query", { cause }))).toBe("columns");
});
