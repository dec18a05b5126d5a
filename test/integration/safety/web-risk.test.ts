/** Requests to Web Risk, how long its responses are cached, and how its failures are handled. */
import { beforeEach, describe, expect, test } from "bun:test";
import { errorResponse, startTestWebRisk } from "@test/support/outside/web-risk";
import { createOutbound } from "@/platform/outbound/outbound";
import { createWebRisk, WebRiskError } from "@/platform/safety/web-risk";

const PAGE = "https://evil.example/a?b=c&d=%20#e";
const google = startTestWebRisk();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let now = Date.UTC(2026, 0, 31);

const opened = (settings: { apiKey?: string; apiUrl?: string; totalMs?: number } = {}) =>
  createWebRisk({
    webRisk: { apiKey: settings.apiKey ?? google.key, apiUrl: settings.apiUrl ?? google.url },
    outbound,
    clock: () => now,
    totalMs: settings.totalMs,
  });

beforeEach(() => {
  google.asked.length = 0;
  google.threats.clear();
  google.failing = null;
});

describe("an answer", () => {
  test("names the requested lists that contain the URL", async () => {
    google.threats.set(PAGE, ["SOCIAL_ENGINEERING", "MALWARE", "THREAT_TYPE_UNSPECIFIED"]);
    expect(await opened().threatsOf(PAGE)).toEqual(["MALWARE", "SOCIAL_ENGINEERING"]);
    expect(google.asked).toEqual([PAGE]);
  });

  test("without a match is cached for five minutes", async () => {
    const webRisk = opened();
    expect(await webRisk.threatsOf(PAGE)).toEqual([]);
    now += 299_000;
    expect(await webRisk.threatsOf(PAGE)).toEqual([]);
    expect(google.asked.length).toBe(1);
    now += 2_000;
    await webRisk.threatsOf(PAGE);
    expect(google.asked.length).toBe(2);
  });

  test("with a match is cached until it expires", async () => {
    const webRisk = opened();
    google.threats.set(PAGE, ["MALWARE"]);
    google.expireTime = new Date(now + 3_600_000).toISOString();
    await webRisk.threatsOf(PAGE);
    google.threats.clear();
    now += 3_599_000;
    expect(await webRisk.threatsOf(PAGE)).toEqual(["MALWARE"]);
    now += 2_000;
    expect(await webRisk.threatsOf(PAGE)).toEqual([]);
  });

  test("is not cached for longer if the clock is set back", async () => {
    const webRisk = opened();
    google.threats.set("https://evil.example/", ["MALWARE"]);
    google.expireTime = new Date(now + 120_000).toISOString();
    const ask = async () => [await webRisk.threatsOf(PAGE), await webRisk.threatsOf("https://evil.example/")];
    await ask();
    now -= 3_600_000;
    expect(await ask()).toEqual([[], ["MALWARE"]]);
    expect(google.asked.length).toBe(2);
    now += 301_000;
    await ask();
    expect(google.asked.length).toBe(4);
    now += 3_600_000;
  });

  test("that is cached is not used when a fresh one is requested", async () => {
    const webRisk = opened();
    await webRisk.threatsOf(PAGE);
    google.threats.set(PAGE, ["MALWARE"]);
    expect(await webRisk.threatsOf(PAGE, { isFresh: true })).toEqual(["MALWARE"]);
    expect(await webRisk.threatsOf(PAGE)).toEqual(["MALWARE"]);
  });
});

describe("a request fails on", () => {
  test.each([
    ["a failure of Google's", () => errorResponse(500, "INTERNAL")],
    ["a key that lacks the right", () => errorResponse(403, "PERMISSION_DENIED")],
    ["a page in place of JSON", () => new Response("<html>")],
    ["JSON that is no object", () => Response.json(null)],
  ])("%s", async (_, failing) => {
    google.failing = failing;
    const webRisk = opened();
    await expect(webRisk.threatsOf(PAGE)).rejects.toBeInstanceOf(WebRiskError);
    google.failing = null;
    expect(await webRisk.threatsOf(PAGE)).toEqual([]);
  });

  test("a silent server, after a timeout", async () => {
    google.failing = () => Promise.withResolvers<Response>().promise;
    await expect(opened({ totalMs: 100 }).threatsOf(PAGE)).rejects.toMatchObject({ reason: "timeout" });
  });

  test("an abort by the caller", async () => {
    google.failing = () => Promise.withResolvers<Response>().promise;
    const asked = opened().threatsOf(PAGE, { signal: AbortSignal.timeout(50) });
    await expect(asked).rejects.toMatchObject({ reason: "aborted" });
  });

  test("an abort by a caller who is queued, which frees the place for another", async () => {
    google.failing = () => Promise.withResolvers<Response>().promise;
    const webRisk = opened({ totalMs: 600_000 });
    const asking = new AbortController();
    const running = Array.from({ length: 8 }, (_, index) =>
      webRisk.threatsOf(`https://a.example/${index}`, { signal: asking.signal }),
    );
    const waiting = new AbortController();
    const queued = Array.from({ length: 2_000 }, (_, index) =>
      webRisk.threatsOf(`https://b.example/${index}`, { signal: waiting.signal }),
    );
    await expect(webRisk.threatsOf(PAGE)).rejects.toThrow("Too many");
    waiting.abort();
    const outcomes = await Promise.allSettled(queued);
    const reasons = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.reason);
    expect(new Set(reasons)).toEqual(new Set(["aborted"]));
    const late = webRisk.threatsOf(PAGE);
    google.failing = null;
    asking.abort();
    await Promise.allSettled(running);
    expect(await late).toEqual([]);
  });

  test("no server at the address", async () => {
    await expect(opened({ apiUrl: "http://127.0.0.1:1" }).threatsOf(PAGE)).rejects.toMatchObject({ reason: "refused" });
  });

  test("an exhausted quota, and nothing is sent until Retry-After has passed", async () => {
    const webRisk = opened();
    google.failing = () => errorResponse(429, "RESOURCE_EXHAUSTED", { "retry-after": "120" });
    await webRisk.threatsOf(PAGE).catch(() => {});
    google.failing = null;
    now += 119_000;
    await expect(webRisk.threatsOf("https://b.example/")).rejects.toThrow("quota");
    expect(google.asked.length).toBe(1);
    now += 2_000;
    expect(await webRisk.threatsOf("https://b.example/")).toEqual([]);
  });

  test("an exhausted quota, for no longer if the clock is set back", async () => {
    const webRisk = opened();
    google.failing = () => errorResponse(429, "RESOURCE_EXHAUSTED", {});
    await webRisk.threatsOf(PAGE).catch(() => {});
    google.failing = null;
    now -= 3_600_000;
    await expect(webRisk.threatsOf(PAGE)).rejects.toThrow("quota");
    now += 61_000;
    expect(await webRisk.threatsOf(PAGE)).toEqual([]);
    now += 3_600_000;
  });

  test("a wrong key, and the error does not contain it", async () => {
    const refused = await opened({ apiKey: "wrong-key" })
      .threatsOf(PAGE)
      .catch((error: unknown) => error);
    expect(Bun.inspect(refused)).toContain("Web Risk returned 400");
    expect(Bun.inspect(refused)).not.toContain("wrong-key");
  });
});
