import { expect, test } from "bun:test";
import { afterHiccup, besideOthers, killServers, quickEndpoint } from "./webhooks";

const FAULT_MS_MAX = 240_000;

test(
  "a quick endpoint is told of everything once, many at a time",
  async () => {
    const { perSecond, twice } = await quickEndpoint(1_000);
    expect(twice).toBe(0);
    // Four at a time, each waiting for a look at the queue, were told 75 to 110 a second.
    expect(perSecond).toBeGreaterThan(110);
  },
  FAULT_MS_MAX,
);

test(
  "an endpoint that works again is told before the dead have had their turns",
  async () => {
    const { failed, firstTryS } = await afterHiccup({ dead: 30, deliveries: 5, hiccupMs: 1_000 });
    expect(failed).toBeGreaterThan(0);
    expect(firstTryS).toBeLessThan(15);
  },
  FAULT_MS_MAX,
);

test(
  "a healthy endpoint is told beside one that is turned off and others that hang",
  async () => {
    const reports = await besideOthers({ windowMs: 1_000, hanging: 20, pending: 20_000 });
    // A take that hung on either would last as long as a try of theirs, 15 s.
    for (const { p99Ms } of reports) expect(p99Ms).toBeLessThan(10_000);
  },
  FAULT_MS_MAX,
);

test(
  "what a killed server had under way is told by another one, and nothing is lost",
  async () => {
    const { events, lost, unsettled } = await killServers({ kills: 1, perKill: 400 });
    expect({ events, lost, unsettled }).toEqual({ events: 400, lost: 0, unsettled: 0 });
  },
  FAULT_MS_MAX,
);
