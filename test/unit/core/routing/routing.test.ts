import { describe, expect, test } from "bun:test";
import { definitionOf, factsOf, pickOf, type RoutingCase, routingCases } from "@test/support/routing-cases";
import { agents } from "@test/support/routing-cases/user-agents";
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import { localTime } from "@/core/routing/facts";
import { traceRules } from "@/core/rules/trace";
import { parseUserAgent } from "@/platform/user-agent";

const table = routingCases.map((routing): [string, RoutingCase] => [routing.name, routing]);

describe("routing", () => {
  test.each(table)("%s", (_, routing) => {
    const link = compileLink(definitionOf(routing));
    const route = link.route(factsOf(routing), pickOf(routing));
    expect({
      kind: route.kind,
      ruleIndex: route.ruleIndex ?? undefined,
      splitKey: route.splitKey ?? undefined,
      destinationUrl: finalDestination(link, route, { query: routing.visitor.query ?? "" }),
    }).toEqual({ ruleIndex: undefined, splitKey: undefined, ...routing.expect });
  });
});

describe("the trace", () => {
  test.each(table)("agrees with routing: %s", (_, routing) => {
    const link = compileLink(definitionOf(routing));
    const facts = factsOf(routing);
    const trace = traceRules(link, facts);
    const first = trace.find(({ matched }) => matched)?.index ?? null;
    expect(first).toBe(link.route(facts, pickOf(routing)).ruleIndex);
    expect(trace.map(({ priority }) => priority)).toEqual(trace.map(({ priority }) => priority).sort((a, b) => a - b));
    for (const { matched, conditions } of trace) expect(matched).toBe(conditions.every((each) => each.matched));
  });
});

describe("the table", () => {
  test("names every case once", () => {
    const names = routingCases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("has enough cases for every entry point", () => {
    const count = (door: RoutingCase["doors"][number]) =>
      routingCases.filter(({ doors }) => doors.includes(door)).length;
    expect(count("core")).toBeGreaterThanOrEqual(170);
    expect(count("preview")).toBeGreaterThanOrEqual(170);
    expect(count("redirect")).toBeGreaterThanOrEqual(100);
    expect(count("resolve")).toBeGreaterThanOrEqual(100);
    expect(routingCases.filter(({ visitor }) => visitor.userAgent !== undefined).length).toBeGreaterThanOrEqual(50);
  });

  test.each(Object.entries(agents))("has the facts for %s that its user agent gives", (_, { userAgent, facts }) => {
    const { platform, deviceType, deviceVendor, deviceModel, browser, osVersion } = parseUserAgent(userAgent);
    expect(facts).toEqual({ platform, deviceType, deviceVendor, deviceModel, browser, osVersion });
  });

  test("gives each time zone the offset it has at that time", () => {
    for (const { name, visitor } of routingCases) {
      const { now, timeZone, timezoneOffsetMinutes: offsetMinutes } = visitor;
      if (timeZone === undefined || offsetMinutes === undefined) continue;
      const byZone = localTime(Date.parse(now), { timeZone });
      expect({ name, ...byZone }).toEqual({ name, ...localTime(Date.parse(now), { offsetMinutes }) });
    }
  });
});
