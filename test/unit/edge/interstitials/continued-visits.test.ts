import { expect, test } from "bun:test";
import { createContinuedVisits } from "@/edge/interstitials/continued-visits";
import { createVisitTokens } from "@/edge/interstitials/visit-token";
import { openKeys } from "@/platform/keys";

const keys = await openKeys({ appSecret: "a".repeat(40), appSecretPrevious: null, dataDir: "" });
const NOW = Date.UTC(2030, 0, 31, 12);
const MINUTE_MS = 60_000;
const definition = { id: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e", gate: { passwordHash: null } };
const visitAt = (at: number) => ({ clickId: Bun.randomUUIDv7(), visitorKey: "00ff8800aa55c3e1", at });
const BROWSER = {
  accept: "text/html",
  "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1",
};

const visits = createContinuedVisits(keys);
const ask = (query: string, at: number, headers: Record<string, string> = BROWSER) =>
  visits.of({ definition }, { query, at, request: new Request("https://go.example.com/a", { headers }) });

test("a visit can be continued once, within ten minutes", () => {
  for (const minutes of [0, 1, 9, 10]) {
    const visit = visitAt(NOW + minutes * MINUTE_MS);
    const query = `a=1&${visits.parameterOf(definition, visit).text}`;
    const at = visit.at + minutes * MINUTE_MS;
    expect(ask(query, at, { ...BROWSER, purpose: "prefetch" })).toBeNull();
    expect(ask(query, at)).toEqual(visit);
    for (let later = at; later <= visit.at + 11 * MINUTE_MS; later += MINUTE_MS / 2)
      expect(ask(query, later)).toBeNull();
  }
  const late = visitAt(NOW);
  expect(ask(visits.parameterOf(definition, late).text, NOW + 10 * MINUTE_MS + 1)).toBeNull();
});

test("a form's token cannot continue a visit, and a URL's token is not valid for a form", () => {
  const visit = visitAt(NOW);
  const ofForms = createVisitTokens(keys);
  expect(ask(`wm_visit=${ofForms.make(definition, visit)}`, NOW)).toBeNull();
  const [, text = ""] = visits.parameterOf(definition, visit).text.split("=");
  expect(ofForms.read(text, definition, NOW)).toBeNull();
});

test("once the limit of remembered visits is reached, no others are continued until some are forgotten", () => {
  const crowded = createContinuedVisits(keys, 2);
  const goesOn = (at: number) => {
    const query = crowded.parameterOf(definition, visitAt(at)).text;
    const request = new Request("https://go.example.com/a", { headers: BROWSER });
    return crowded.of({ definition }, { query, at, request }) !== null;
  };
  expect([goesOn(NOW), goesOn(NOW), goesOn(NOW)]).toEqual([true, true, false]);
  expect(goesOn(NOW + 11 * MINUTE_MS)).toBe(false);
  expect(goesOn(NOW + 22 * MINUTE_MS)).toBe(true);
});
