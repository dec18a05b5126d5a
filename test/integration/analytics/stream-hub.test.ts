/** Live overviews without HTTP, at intervals far shorter than those that clients may request. */
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { until } from "@test/support/until";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { HttpError, invalid } from "@/http/errors";
import { OverviewStream, type OverviewStreamOptions } from "@/modules/analytics/stream";
import { createLog } from "@/platform/telemetry/log";
import { readEvents } from "./event-stream";

const ORG = "org" as OrgId;
const HOUR_MS = 3_600_000;

function openHub(options: Partial<OverviewStreamOptions> = {}) {
  const calls = { overviews: 0, checks: 0 };
  const ending = new AbortController();
  let logged = "";
  const hub = new OverviewStream({
    overview: async () => ({ totalClicks: ++calls.overviews }) as AnalyticsOverview,
    membersAmong: async (_, sessions) => {
      calls.checks++;
      return new Set(sessions);
    },
    clock: () => 1_000 + calls.overviews,
    log: createLog((text) => {
      logged += text;
    }),
    ending: ending.signal,
    heartbeatMs: HOUR_MS,
    ...options,
  });
  const listen = (intervalMs = HOUR_MS, credentialId = "session", orgId = ORG) =>
    readEvents(hub.open({ orgId, credentialId, intervalMs }));
  const listenUnder = async (filters: Filters, orgId = ORG, intervalMs = HOUR_MS) =>
    readEvents(await hub.openUnder(filters, { orgId, credentialId: "session", intervalMs }));
  return { hub, calls, listen, listenUnder, end: () => ending.abort(), logged: () => logged };
}

describe("a listener is refused", () => {
  test("with 429 above the limit of its organization, until another one leaves", async () => {
    const { hub, listen } = openHub({ listenersMax: 2 });
    const [first] = [listen(), listen()];
    expect(refusal(() => listen())).toMatchObject({
      status: 429,
      message: "This organization has reached its limit of 2 open streams",
      headers: { "retry-after": "30" },
    });
    listen(HOUR_MS, "session", "another" as OrgId);
    await first?.close();
    listen();
    expect(hub.size).toBe(3);
  });

  test("with 503 while the service is stopping", () => {
    const { listen, end } = openHub();
    end();
    expect(refusal(() => listen())).toMatchObject({ status: 503 });
  });
});

describe("snapshots", () => {
  test("come immediately, after the delay for reconnecting", async () => {
    const stream = openHub().listen();
    expect(await stream.next("snapshot")).toEqual({ event: "snapshot", id: "1001", data: { totalClicks: 1 } });
    expect(stream.text()).toStartWith("retry: 3000\n\nevent: snapshot\nid: 1001\ndata: {");
  });

  test("come again at each interval, each newer than the last", async () => {
    const stream = openHub().listen(20);
    const data = [await stream.next("snapshot"), await stream.next("snapshot"), await stream.next("snapshot")];
    expect(data.map((each) => each.data)).toEqual([{ totalClicks: 1 }, { totalClicks: 2 }, { totalClicks: 3 }]);
  });

  test("for 200 listeners with different intervals are read once per tick, with at most one check of access each", async () => {
    const { calls, listen } = openHub();
    const streams = Array.from({ length: 200 }, (_, index) => listen(index % 2 === 0 ? 50 : 100, `session ${index}`));
    for (let count = 0; count < 3; count++) await Promise.all(streams.map((stream) => stream.next("snapshot")));
    const received = streams.flatMap((stream) => stream.seen().map(({ id }) => id));
    // One more may be in progress.
    expect(calls.overviews - new Set(received).size).toBeLessThanOrEqual(1);
    expect(calls.checks).toBeLessThanOrEqual(calls.overviews);
    expect(received.length).toBeGreaterThanOrEqual(600);
  });

  test("are not read again for a new listener while the latest is younger than its interval", async () => {
    const { calls, listen } = openHub();
    await listen().next("snapshot");
    expect((await listen().next("snapshot")).data).toEqual({ totalClicks: 1 });
    await Bun.sleep(15);
    expect((await listen(10).next("snapshot")).data).toEqual({ totalClicks: 2 });
    expect(calls.overviews).toBeGreaterThanOrEqual(2);
  });

  test("of one organization are not shared with another", async () => {
    const orgs: string[] = [];
    const { listen } = openHub({ overview: async (orgId) => ({ range: orgs.push(orgId) }) as never });
    await listen().next("snapshot");
    await listen(HOUR_MS, "session", "another" as OrgId).next("snapshot");
    expect(orgs).toEqual([ORG, "another"]);
  });

  test("are skipped while they cannot be read, which is logged once, and resume afterwards", async () => {
    let isAway = true;
    const { listen, logged } = openHub({
      heartbeatMs: 10,
      overview: async () => {
        if (isAway) throw new Error("Postgres is unavailable");
        return { totalClicks: 7 } as AnalyticsOverview;
      },
    });
    const stream = listen(5);
    await stream.until((text) => text.split(": heartbeat\n\n").length > 3);
    expect(stream.seen()).toEqual([]);
    expect(logged().match(/skipped a live overview/g)).toHaveLength(1);
    isAway = false;
    expect((await stream.next("snapshot")).data).toEqual({ totalClicks: 7 });
  });

  test("are dropped for a client that does not read them, instead of piling up", async () => {
    const { calls, hub } = openHub();
    const response = hub.open({ orgId: ORG, credentialId: "session", intervalMs: 5 });
    while (calls.overviews < 12) await Bun.sleep(5);
    const stream = readEvents(response);
    await stream.next("snapshot");
    const behind = await stream.next("snapshot");
    expect(Number(behind.id)).toBeGreaterThan(1_010);
  });

  test("are not read while there are no listeners", async () => {
    const { hub, calls, listen } = openHub();
    const stream = listen(10);
    await stream.next("snapshot");
    await stream.close();
    const before = calls.overviews;
    await Bun.sleep(50);
    expect([hub.size, calls.overviews]).toEqual([0, before]);
  });
});

describe("over a real connection", () => {
  const serve = (hub: OverviewStream) =>
    Bun.serve({
      port: 0,
      // Without the hurry, a client that reads nothing would keep the server from stopping forever.
      idleTimeout: 0,
      fetch: (request, server) =>
        hub.open({ orgId: ORG, credentialId: "session", intervalMs: 2, hurry: () => server.timeout(request, 1) }),
    });

  test("a client that disconnects is noticed", async () => {
    const { hub } = openHub();
    await using server = serve(hub);
    const leaving = new AbortController();
    const stream = readEvents(await fetch(server.url, { signal: leaving.signal }));
    await stream.next("snapshot");
    leaving.abort();
    while (hub.size > 0) await Bun.sleep(5);
    await expect(stream.ended()).rejects.toThrow();
  });

  test("a client that reads nothing costs no memory and does not delay the shutdown", async () => {
    const filler = "x".repeat(512 * 1024);
    let overviews = 0;
    const { hub, end } = openHub({ overview: async () => ({ overviews: ++overviews, filler }) as never });
    await using server = serve(hub);
    const socket = connect(Number(server.port), "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    socket.on("error", () => {}).pause();
    while (overviews < 20) await Bun.sleep(5);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    while (overviews < 400) await Bun.sleep(5);
    // What is freed is given back to the system some time later.
    await until(() => {
      Bun.gc(true);
      return process.memoryUsage().rss - before < 64 * 1024 ** 2;
    });
    end();
    await server.stop();
    socket.destroy();
  });
});

describe("a stream ends", () => {
  test("at the next interval for a listener whose access has ended, and for no other", async () => {
    const members = new Set(["kept", "gone"]);
    const { hub, listen } = openHub({
      membersAmong: async (_, sessions) => new Set(sessions.filter((each) => members.has(each))),
    });
    const [gone, kept] = [listen(20, "gone"), listen(20, "kept")];
    await gone.next("snapshot");
    members.delete("gone");
    expect(await gone.next("end")).toEqual({ event: "end", id: undefined, data: { reason: "access" } });
    await gone.ended();
    await kept.next("snapshot");
    await kept.next("snapshot");
    expect(hub.size).toBe(1);
  });

  test("not while access cannot be checked, but nothing is sent until it can be", async () => {
    let isAway = false;
    const { hub, listen, calls } = openHub({
      membersAmong: async (_, sessions) => {
        if (isAway) throw new Error("Postgres is unavailable");
        return new Set(sessions);
      },
    });
    const stream = listen(10);
    await stream.next("snapshot");
    isAway = true;
    const [before, seen] = [calls.overviews, stream.seen().length];
    while (calls.overviews < before + 5) await Bun.sleep(5);
    expect(stream.seen().length).toBeLessThanOrEqual(seen + 1);
    expect(hub.size).toBe(1);
    isAway = false;
    await stream.next("snapshot");
  });

  test("when the service stops", async () => {
    const { hub, listen, end } = openHub();
    const streams = [listen(), listen(HOUR_MS, "session", "another" as OrgId)];
    await Promise.all(streams.map((stream) => stream.next("snapshot")));
    end();
    for (const stream of streams) {
      expect((await stream.next("end")).data).toEqual({ reason: "shutdown" });
      await stream.ended();
    }
    expect(hub.size).toBe(0);
  });

  test("when the service stops, with an error if the client is behind", async () => {
    const { hub, calls, end } = openHub();
    const response = hub.open({ orgId: ORG, credentialId: "session", intervalMs: 5 });
    while (calls.overviews < 5) await Bun.sleep(5);
    end();
    expect(await response.text().catch(String)).toBe("Error: The client fell behind, and its stream was closed");
    expect(hub.size).toBe(0);
  });
});

describe("with filters", () => {
  test("listeners with equal filters share each read, and no others do", async () => {
    const read: string[] = [];
    const { listen, listenUnder } = openHub({
      overview: async (orgId, filters) => ({ orgId, filters, reads: read.push(orgId) }) as never,
    });
    const germany = { country: ["DE"], os: ["iOS", "Android"] };
    const streams = [
      await listenUnder(germany),
      await listenUnder({ os: ["Android", "iOS"], country: ["DE"] }),
      await listenUnder({ country: ["DE"] }),
      await listenUnder(germany, "another" as OrgId),
      await listenUnder({}),
      listen(),
    ];
    const first = await Promise.all(streams.map((stream) => stream.next("snapshot")));
    expect(first.map(({ data }) => Object(data).filters)).toEqual([
      ...[germany, germany, { country: ["DE"] }, germany],
      ...[{}, {}],
    ]);
    expect(read.toSorted()).toEqual(["another", ORG, ORG, ORG]);
  });

  test("a stream is refused if they cannot be answered, and ends as soon as they no longer can be", async () => {
    let fault: string | undefined = "from: ask for some 5 days";
    const { hub, listenUnder, logged } = openHub({
      overview: async () => {
        if (fault) throw invalid([fault]);
        return { totalClicks: 1 } as AnalyticsOverview;
      },
    });
    await expect(listenUnder({ country: ["DE"] })).rejects.toMatchObject({ status: 400, details: [fault] });
    fault = undefined;
    const stream = await listenUnder({ country: ["DE"] }, ORG, 10);
    await stream.next("snapshot");
    fault = "from: ask for some 5 days";
    expect((await stream.next("end")).data).toEqual({ reason: "filters" });
    await stream.ended();
    expect([hub.size, logged()]).toEqual([0, ""]);
  });

  test("an organization may stream at most ten different sets, besides streams without filters", async () => {
    const { listen, listenUnder } = openHub();
    const streams = await Promise.all(Array.from({ length: 10 }, (_, index) => listenUnder({ rule: [String(index)] })));
    await expect(listenUnder({ rule: ["10"] })).rejects.toMatchObject({ status: 429 });
    await listenUnder({ rule: ["9"] });
    listen();
    await listenUnder({ rule: ["10"] }, "another" as OrgId);
    await streams[0]?.close();
    await listenUnder({ rule: ["10"] });
  });

  test("reads pause for longer than they take, also while listeners come and go", async () => {
    const reads: { from: number; to: number }[] = [];
    const { listenUnder } = openHub({
      async overview() {
        const from = performance.now();
        await Bun.sleep(20);
        reads.push({ from, to: performance.now() });
        return { totalClicks: reads.length } as AnalyticsOverview;
      },
    });
    await listenUnder({ country: ["DE"] }, ORG, 1);
    while (reads.length < 4) {
      const visitor = await listenUnder({ country: ["DE"] }, ORG, 1);
      await visitor.next("snapshot");
      await visitor.close();
      await Bun.sleep(2);
    }
    const rests = reads.slice(1).map((read, index) => {
      const { from, to } = reads[index] ?? read;
      return (read.from - to) / (to - from);
    });
    expect(rests.filter((rest) => rest < 4)).toEqual([]);
  });

  test("a refused listener costs no read, because each may search millions of clicks", async () => {
    const { calls, listen, listenUnder, end } = openHub({ listenersMax: 11 });
    for (let rule = 0; rule < 10; rule++) await listenUnder({ rule: [String(rule)] });
    await expect(listenUnder({ rule: ["10"] })).rejects.toMatchObject({ status: 429 });
    await listen().next("snapshot");
    await expect(listenUnder({ rule: ["10"] })).rejects.toMatchObject({ status: 429 });
    end();
    await expect(listenUnder({ rule: ["10"] })).rejects.toMatchObject({ status: 503 });
    expect(calls.overviews).toBe(11);
  });

  test("simultaneous listeners share reads, and at most ten are made", async () => {
    const { calls, listenUnder } = openHub();
    const rules = Array.from({ length: 24 }, (_, index) => [String(index % 12)]);
    const outcomes = await Promise.allSettled(rules.map((rule) => listenUnder({ rule })));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.status] : []));
    expect([refused, calls.overviews]).toEqual([[429, 429, 429, 429], 10]);
  });
});

function refusal(open: () => unknown): HttpError | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  return undefined;
}
