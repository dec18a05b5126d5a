/** Live overviews over HTTP. `stream-hub.test.ts` tests how streams share work. */
import { afterAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { addMember } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { AnalyticsOverview, OverviewAnswer } from "@/contract/analytics/overview";
import { readEvents } from "./event-stream";

const STOP_MS_MAX = 8_000;
/** How many filters the open streams of an organization may have. */
const FILTERS_MAX = 10;

const service = await startTestService();
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}/analytics/overview/stream`;
const open: AbortController[] = [];
afterAll(() => {
  for (const each of open) each.abort();
});

async function listen({ url }: Pick<TestService, "url">, { token, orgId }: Account, intervalMs = 1_000) {
  const leaving = new AbortController();
  open.push(leaving);
  const response = await fetch(
    `${url}/api/v1/organizations/${orgId}/analytics/overview/stream?intervalMs=${intervalMs}`,
    { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal },
  );
  return { response, ...readEvents(response) };
}

describe("400", () => {
  test.each(["0", "999", "60001", "1500.5", "-1000", "often", ""])("for intervalMs=%s", async (intervalMs) => {
    expectFailure(await service.call("GET", `${path}?intervalMs=${intervalMs}`, { token: ada.token }), 400, [
      "intervalMs",
    ]);
  });
});

describe("401", () => {
  test("without credentials, and with a token anywhere but in the header", async () => {
    for (const query of [
      "",
      `?token=${ada.token}`,
      `?access_token=${ada.token}`,
      `?authorization=Bearer ${ada.token}`,
    ]) {
      expectFailure(await service.call("GET", path + query), 401);
    }
    const headers = { cookie: `token=${ada.token}`, "last-event-id": ada.token };
    expectFailure(await service.call("GET", path, { headers }), 401);
  });
});

describe("HEAD", () => {
  test("is answered at once, states no length, and takes no place among the open streams", async () => {
    const headers = { authorization: `Bearer ${ada.token}` };
    for (let request = 0; request < 2 * FILTERS_MAX; request++) {
      const asked = `${service.url}${path}?tag=${request}`;
      const { status, headers: told } = await fetch(asked, { method: "HEAD", headers });
      expect([status, told.get("content-type"), told.get("content-length")]).toEqual([200, "text/event-stream", null]);
    }
  });
});

describe("404", () => {
  test("for an account that is not a member", async () => {
    const eve = await service.register();
    expectFailure(await service.call("GET", path, { token: eve.token }), 404);
  });
});

describe("200", () => {
  test("sends a whole overview immediately, and forbids caching and buffering on the way", async () => {
    const stream = await listen(service, ada);
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.any(String),
    });
    const { data } = await stream.next("snapshot");
    expect([...Value.Errors(AnalyticsOverview, data)]).toEqual([]);
    expect(data).toMatchObject({ totalClicks: 0, range: { granularity: "day" } });
  });

  test("sends newer snapshots with higher ids as clicks arrive", async () => {
    const stream = await listen(service, ada);
    const before = await stream.next("snapshot");
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    await service.visit(link, { "user-agent": browser, accept: "text/html" });
    await waitUntilDrained(service.service);
    let after = await stream.next("snapshot");
    while (Object(after.data).totalClicks === 0) after = await stream.next("snapshot");
    expect(Object(after.data).totalClicks).toBe(1);
    expect(Number(after.id)).toBeGreaterThan(Number(before.id));
  });
});

describe("with filters", () => {
  test("sends the filtered overview", async () => {
    const leaving = new AbortController();
    open.push(leaving);
    const response = await fetch(`${service.url}${path}?country=XX&country=unknown&tag=spring%2C%20summer`, {
      ...{ headers: { authorization: `Bearer ${ada.token}` }, signal: leaving.signal },
    });
    expect(response.status).toBe(200);
    const { data } = await readEvents(response).next("snapshot");
    expect([...Value.Errors(OverviewAnswer, data)]).toEqual([]);
    expect(data).toMatchObject({ totalClicks: 0, notKnown: expect.arrayContaining(["opens"]) });
  });

  test("refuses another organization's link and invalid values", async () => {
    const eve = await service.register();
    const theirs = await service.createLink(eve, { defaultUrl: "https://example.com/" });
    const ask = (query: string) => service.call("GET", `${path}?${query}`, { token: ada.token });
    expectFailure(await ask(`linkId=${theirs._id}`), 404);
    expectFailure(await ask(`tag=${"a".repeat(51)}`), 400, ["tag"]);
    expectFailure(await ask("country=%00"), 400, ["country"]);
  });
});

describe("a stream ends", () => {
  test("when the session is ended", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    const stream = await listen(service, viewer);
    await stream.next("snapshot");
    await service.call("POST", "/api/v1/auth/logout", { token: viewer.token });
    expect((await stream.next("end")).data).toEqual({ reason: "access" });
    await stream.ended();
  });

  test("when the member is removed", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    const stream = await listen(service, viewer);
    await stream.next("snapshot");
    await service.sql`delete from memberships where org_id = ${ada.orgId}
      and user_id = (select id from users where email = ${viewer.email})`;
    expect((await stream.next("end")).data).toEqual({ reason: "access" });
    await stream.ended();
  });

  test("when the session expires", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    const stream = await listen(service, viewer);
    await stream.next("snapshot");
    await service.sql`update sessions set expires_at = now() - interval '1 second'
      where user_id = (select id from users where email = ${viewer.email})`;
    expect((await stream.next("end")).data).toEqual({ reason: "access" });
  });
});

test("a service that stops ends its streams and does not wait for them", async () => {
  const stopping = await startTestService();
  const account = await stopping.register();
  const stream = await listen(stopping, account, 60_000);
  await stream.next("snapshot");
  const startedAt = performance.now();
  await stopping.service.stop();
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS_MAX);
  expect((await stream.next("end")).data).toEqual({ reason: "shutdown" });
  await stream.ended();
});
