import { describe, expect, test } from "bun:test";
import { findMisspelt } from "@/config/misspelt";

const KNOWN = new Set([
  "PORT",
  "HOST",
  "BASE_URL",
  "DATABASE_URL",
  "REDIS_URL",
  "WORKERS",
  "METRICS_TOKEN",
  "DATA_DIR",
]);

describe("a misspelt name gets the intended setting as a suggestion", () => {
  test.each([
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASEURL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["database_url", "DATABASE_URL"],
    ["WAYMARK_PORT", "PORT"],
    ["PROT", "PORT"],
    ["WORKER", "WORKERS"],
    ["METRIC_TOKEN", "METRICS_TOKEN"],
    ["BASEURL", "BASE_URL"],
  ])("%s: %s", (name, meant) => {
    expect(findMisspelt([name], KNOWN)).toEqual([{ name, meant }]);
  });
});

test("variables of other programs are not taken for misspelt settings", () => {
  const others = ["HOME", "PATH", "PWD", "HOSTNAME", "LOGNAME", "PORT", "TERM", "USER", "SHELL", "LANG", "FLY_REGION"];
  expect(findMisspelt([...others, "PGHOST", "PGPORT", "NODE_ENV", "DATABASE_POOL_URL", "SHLVL", "_"], KNOWN)).toEqual(
    [],
  );
});
