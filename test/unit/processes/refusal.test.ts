/** What a start that cannot go on prints. Most refusals are tested with a real process. */
import { describe, expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { refusalOf } from "@/processes/refusal";

const place = { host: "0.0.0.0", port: 3000, dataDir: "/data", databaseUrl: "postgres://app:secret@db/waymark" };
const full = Object.assign(new Error('could not extend file "base/5/16604": No space left on device'), {
  ...{ name: "PostgresError", severity: "ERROR", code: "53100" },
});

describe("a Postgres whose disk is full while the schema is updated", () => {
  test.each([
    ["DATABASE_URL", place],
    ["DATA_DIR", { ...place, databaseUrl: null }],
  ])("is named by %s, in one sentence", (setting, where) => {
    const error = new DrizzleQueryError("create table links ()", [], full);
    expect(refusalOf(error, where)).toBe(`${setting}: Postgres is out of space or memory: ${full.message}`);
  });
});

test("an unexpected error stays an error", () => {
  const error = new Error("a fault of ours");
  expect(refusalOf(error, place)).toBe(error);
});
