import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { WINDOW_MIN } from "@/core/webhooks/window";
import { type Site, startSite } from "./webhook-site";
import { afterHiccup, besideOthers, quickEndpoint } from "./webhooks";
import { killServers } from "./webhooks-killed";

const FAULT_MS_MAX = 240_000;

describe("with one server", () => {
  const stack = new AsyncDisposableStack();
  let site: Site;
  beforeAll(async () => {
    site = await startSite(stack);
  }, FAULT_MS_MAX);
  // Turns all webhooks off, so that the next test does not wait for what is left of this one.
  afterEach(async () => {
    await site.sql`update webhooks set is_active = false`;
  });
  afterAll(() => stack.disposeAsync());

  test(
    "a fast endpoint receives every event once, with many deliveries at a time",
    async () => {
      const { mostAtOnce, twice } = await quickEndpoint(1_000, site);
      expect(twice).toBe(0);
      expect(mostAtOnce).toBeGreaterThan(WINDOW_MIN);
    },
    FAULT_MS_MAX,
  );

  test(
    "an endpoint that recovers gets its events before dead endpoints are retried",
    async () => {
      const { failed, deadRetried } = await afterHiccup({ dead: 30, deliveries: 5, hiccupMs: 1_000, site });
      expect(failed).toBeGreaterThan(0);
      expect(deadRetried).toBe(0);
    },
    FAULT_MS_MAX,
  );

  test(
    "a healthy endpoint gets its events while others hang or are turned off",
    async () => {
      const reports = await besideOthers({ windowMs: 1_000, hanging: 20, pending: 20_000, site });
      // The healthy endpoint had received everything while the first requests to the hanging ones were still waiting.
      expect(reports.map(({ givenUp }) => givenUp)).toEqual([0, 0, 0]);
    },
    FAULT_MS_MAX,
  );
});

test(
  "deliveries that a killed server had in progress are sent by another one, and none is lost",
  async () => {
    const { underWay, again, ...rest } = await killServers({ kills: 1 });
    expect(underWay).toBeGreaterThan(0);
    expect({ again, ...rest }).toEqual({
      again: underWay,
      kills: 1,
      events: 40,
      othersTwice: 0,
      lost: 0,
      unsettled: 0,
    });
  },
  FAULT_MS_MAX,
);
