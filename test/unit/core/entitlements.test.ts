import { describe, expect, test } from "bun:test";
import { PLANS } from "@/contract/accounts/plans";
import { ENTITLEMENTS, type Entitlements, figuresPerMinute } from "@/core/entitlements";

const numbers = (field: keyof Entitlements) => PLANS.map((plan) => ENTITLEMENTS[plan][field]);

describe("the limits of plans", () => {
  test.each<[keyof Entitlements, (number | null)[]]>([
    ["requestsPerMinute", [60, 600, 3_000, 6_000]],
    ["requestsPerMonth", [50_000, 2_000_000, 50_000_000, null]],
    ["retentionDays", [90, 400, 750, null]],
    ["auditDays", [90, 400, 750, 1_095]],
  ])("%s of free, pro, scale and unlimited", (field, promised) => {
    expect(numbers(field)).toEqual(promised);
  });

  test("a tenth of the requests per minute may read figures", () => {
    expect(PLANS.map((plan) => figuresPerMinute(ENTITLEMENTS[plan]))).toEqual([6, 60, 300, 600]);
  });
});

const fields: string[] = Object.keys(ENTITLEMENTS.free);

test.each(fields as (keyof Entitlements)[])("no plan allows less %s than the one before it", (field) => {
  const allowed = numbers(field).map((number) => number ?? Number.POSITIVE_INFINITY);
  expect(allowed).toEqual(allowed.toSorted((a, b) => a - b));
  for (const number of allowed) expect(number).toBeGreaterThan(0);
});

test("the unlimited plan limits nothing that is counted", () => {
  const { links, domains, members, apiKeys, requestsPerMonth } = ENTITLEMENTS.unlimited;
  expect([links, domains, members, apiKeys, requestsPerMonth]).toEqual([null, null, null, null, null]);
});
