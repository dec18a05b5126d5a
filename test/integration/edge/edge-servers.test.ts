/**
 * Two servers on one database: each serves what the other writes, and together they admit no more than a single
 * server.
 */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import { openDatabase } from "@/platform/db/client";
import { routingChanges } from "@/platform/routing-changes";

const SHORT_DOMAIN = "go.example.com";
const env = { SHORT_DOMAIN, APP_SECRET: "one secret for both, of enough length" };
const here = await startTestService({ env });
const there = await startTestService({ env: { ...env, DATABASE_URL: here.databaseUrl } });
const ada = await here.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/1";
const HUMAN = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0" };

const visit = (service: TestService, slug: string) => service.visit(`/${slug}`, { ...HUMAN, host: SHORT_DOMAIN });
const change = (method: string, id: string, body?: unknown) =>
  here.call(method, `${links}/${id}`, { token: ada.token, body });

describe("a link created on one server", () => {
  test("is served, changed, switched off and deleted on the other", async () => {
    expect((await visit(there, "travels")).status).toBe(404);
    const { _id } = await here.createLink(ada, { defaultUrl, slug: "travels" });
    const location = async () => (await visit(there, "travels")).headers.get("location");
    const status = async () => (await visit(there, "travels")).status;
    await eventually(location, defaultUrl);
    await change("PATCH", _id, { defaultUrl: "https://example.com/2" });
    await eventually(location, "https://example.com/2");
    await change("PATCH", _id, { isActive: false });
    await eventually(status, 404);
    await change("PATCH", _id, { isActive: true });
    await eventually(status, 302);
    await change("DELETE", _id);
    await eventually(status, 404);
    await here.createLink(ada, { defaultUrl: "https://example.com/3", slug: "travels" });
    await eventually(location, "https://example.com/3");
  });

  test("is served on the other even when one general notification replaces thousands of single ones", async () => {
    const { _id } = await here.createLink(ada, { defaultUrl, slug: "before-the-flood" });
    await eventually(async () => (await visit(there, "before-the-flood")).status, 302);
    const status = async () => (await visit(there, "flooded")).status;
    expect(await status()).toBe(404);
    // Moves the link to another address without sending a notification of its own.
    await here.sql`update links set slug = 'flooded', slug_key = 'flooded' where id = ${_id}`;
    await using database = openDatabase(here.databaseUrl, { pool: "tool" });
    await using routing = routingChanges(
      database.db,
      async () => {},
      () => {},
    );
    const link = { version: 1, prefixKey: "", slugKey: "flood" };
    const flood = Array.from({ length: 20_002 }, (_, index) =>
      routing.made({ ...link, id: String(index) }, { hostname: "" }),
    );
    await Promise.all(flood);
    expect(routing.replacedNotices()).toBe(20_001);
    await eventually(status, 302);
  });

  test("admits exactly maxClicks visits across both", async () => {
    const { slug } = await here.createLink(ada, { defaultUrl, maxClicks: 10 });
    const visits = Array.from({ length: 60 }, (_, index) => visit(index % 2 ? here : there, slug));
    const statuses = (await Promise.all(visits)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 302).length).toBe(10);
    expect(statuses.filter((status) => status === 410).length).toBe(50);
  });

  test("is the only one with its slug, even when both servers create it at the same time", async () => {
    const create = (service: TestService) =>
      service.call("POST", links, { token: ada.token, body: { defaultUrl, slug: "one-of-two" } });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index % 2 ? here : there)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...new Array(9).fill(409)]);
  });

  test("sends the same visitor to the same target of a split", async () => {
    const splitTargets = ["a", "b", "c"].map((key) => ({ key, destinationUrl: `https://${key}.example.com/` }));
    const { slug } = await here.createLink(ada, { defaultUrl, splitTargets });
    for (let index = 1; index <= 10; index++) {
      const headers = { "user-agent": `Mozilla/5.0 (visitor ${index})`, host: SHORT_DOMAIN };
      const visits = await Promise.all([here, there].map((service) => service.visit(`/${slug}`, headers)));
      expect(visits[0]?.headers.get("location")).toBe(String(visits[1]?.headers.get("location")));
    }
  });
});

describe("credentials issued by one server", () => {
  test("are accepted by the other, and refused there as soon as they are revoked", async () => {
    const bob = await here.register();
    const apiKey = await here.createApiKey(bob, ["links:read"]);
    const me = () => there.call("GET", "/api/v1/auth/me", { token: bob.token });
    const read = () => there.call("GET", `/api/v1/links/${Bun.randomUUIDv7()}`, { apiKey });
    expect([(await me()).status, (await read()).status]).toEqual([200, 404]);
    await here.sql`update api_keys set revoked_at = now() where org_id = ${bob.orgId}`;
    await here.call("POST", "/api/v1/auth/logout", { token: bob.token });
    expectFailure(await me(), 401);
    expectFailure(await read(), 401);
  });
});

test("no visitor is sent to the previous destination once a change has been acknowledged", async () => {
  const { _id, slug } = await here.createLink(ada, { defaultUrl: "https://example.com/0" });
  let answered = 0;
  let isOver = false;
  const stale: string[] = [];
  const visitor = async () => {
    while (!isOver) {
      const least = answered;
      const location = String((await visit(here, slug)).headers.get("location"));
      if (Number(location.split("/").at(-1)) < least) stale.push(`${location} after ${least}`);
    }
  };
  const visitors = Array.from({ length: 8 }, visitor);
  for (let round = 1; round <= 60; round++) {
    await change("PATCH", _id, { defaultUrl: `https://example.com/${round}` });
    answered = round;
  }
  isOver = true;
  await Promise.all(visitors);
  expect(stale).toEqual([]);
});
