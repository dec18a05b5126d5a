import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { shlinkApi } from "@/core/imports/apis/shlink";
import { type CountedVisits, countVisits, NO_VISITS, VISITS_PER_PAGE } from "@/core/imports/apis/visits";
import { SourceRecord } from "@/core/imports/record";

const TIMES = Array.from({ length: 2_500 }, (_, index) =>
  new Date(Date.UTC(2024, 4, 1) + index * 3_600_000).toISOString(),
);
const LATE = Array.from({ length: 1_200 }, () => "2030-01-01T00:00:00Z");

test("visits are counted by their UTC day, and those without a readable time are not", () => {
  const times = [
    "2024-05-02T01:30:00+02:00",
    "2024-05-01T23:59:59+00:00",
    "2024-05-01T22:00:00-04:00",
    "soon",
    undefined,
  ];
  expect(countVisits(NO_VISITS, { times, total: 5 })).toEqual({
    next: { page: 2, left: 0, days: { "2024-05-01": 2, "2024-05-02": 1 } },
    isOver: true,
  });
});

test("each visit is counted once however many come in between the pages, and those are not", () => {
  fc.assert(
    fc.property(fc.nat(TIMES.length), fc.array(fc.nat(LATE.length), { maxLength: 8 }), (visits, arrivals) => {
      let all = TIMES.slice(0, visits).toReversed();
      let counted: CountedVisits = NO_VISITS;
      for (let request = 0; ; request++) {
        const from = (counted.page - 1) * VISITS_PER_PAGE;
        const times = all.slice(from, from + VISITS_PER_PAGE);
        const { next, isOver } = countVisits(counted, { times, total: all.length });
        counted = next;
        if (isOver) break;
        all = [...LATE.slice(0, arrivals[request] ?? 0), ...all];
      }
      const sum = Object.values(counted.days).reduce((total, count) => total + count, 0);
      expect([sum, counted.days["2030-01-01"]]).toEqual([visits, undefined]);
    }),
    { numRuns: 20 },
  );
});

describe("Shlink's visits", () => {
  const { visits } = shlinkApi;
  test("are requested by code and domain, a thousand at a time", () => {
    const item = new SourceRecord({ shortCode: "deep/a b", domain: "s.acme.com" });
    expect(visits?.path(item, 3)).toBe(
      "/rest/v3/short-urls/deep/a%20b/visits?page=3&itemsPerPage=1000&domain=s.acme.com",
    );
    expect(visits?.path(new SourceRecord({ shortCode: "x", domain: null }), 1)).toBe(
      "/rest/v3/short-urls/x/visits?page=1&itemsPerPage=1000",
    );
  });

  test("are read or refused, whatever the answer contains", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const page = visits?.read({ visits: { data: [body], pagination: { totalItems: 1 } } });
        expect(page?.times).toHaveLength(1);
        expect(visits?.read(body)).toBeUndefined();
      }),
    );
    expect(visits?.read({ visits: { data: [], pagination: {} } })).toBeUndefined();
  });
});
