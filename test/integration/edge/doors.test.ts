/** The shared table of routing cases, run through a service's preview, resolve and redirect. */
import { beforeAll, describe, expect, test } from "bun:test";
import { type EntryPoint, type RoutingCase, routingCases } from "@test/support/routing-cases";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { LinkPreview } from "@/contract/links/link-preview";

const CREATED_AT_ONCE = 20;

let now = Date.now();
const service = await startTestService({ clock: () => now });
const ada = await service.register();

const through = (door: EntryPoint) => routingCases.filter(({ doors }) => doors.includes(door));
const served = routingCases.filter(({ doors }) => doors.some((door) => door !== "core"));
/** Cases with the same link share it. */
const slugs = new Map([...new Set(served.map(keyOf))].map((key, index) => [key, `case-${index}`]));

function keyOf({ link }: RoutingCase): string {
  return JSON.stringify(link);
}

function slugOf(routing: RoutingCase): string {
  const slug = slugs.get(keyOf(routing));
  if (slug === undefined) throw new Error(`No link was made for the case: ${routing.name}`);
  return slug;
}

beforeAll(async () => {
  const links = [...slugs].map(([key, slug]): RoutingCase["link"] => ({ ...JSON.parse(key), slug }));
  while (links.length > 0) {
    await Promise.all(links.splice(0, CREATED_AT_ONCE).map((link) => service.createLink(ada, link)));
  }
});

/** Returns the visitor's headers. Without a user agent in the case, the header is empty. */
const headersOf = ({ userAgent, acceptLanguage, referrer, address }: RoutingCase["visitor"]) => ({
  "user-agent": userAgent ?? "",
  ...(address === undefined ? {} : { [CLIENT_HEADER]: address }),
  ...(referrer === undefined ? {} : { referer: referrer }),
  ...(acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage }),
});

describe("preview", () => {
  test.each(through("preview").map((routing) => [routing.name, routing] as const))("%s", async (_, routing) => {
    const { facts, now: at, timezoneOffsetMinutes, visitorId, query, referrer, address } = routing.visitor;
    const request = { query, referrer, address };
    const { languages, ...others } = facts;
    const reply = await service.call<LinkPreview>("POST", `/api/v1/organizations/${ada.orgId}/links/preview`, {
      token: ada.token,
      body: {
        ...{ slug: slugOf(routing), ...others, language: languages[0], now: at, timezoneOffsetMinutes, visitorId },
        ...request,
      },
    });
    expect(reply.status).toBe(200);
    const { kind, ruleIndex = null, splitKey = null, destinationUrl } = routing.expect;
    const { storeSkipped, ...route } = reply.body.route;
    expect<unknown>(route).toEqual({ kind, ruleIndex, splitKey, destinationUrl });
    expect(storeSkipped === null).toBe(kind === "store");
  });
});

/** Sets the service's clock to the case's instant during the visit. */
async function atInstant<Result>(instant: string, visit: () => Promise<Result>): Promise<Result> {
  const before = now;
  now = Date.parse(instant);
  try {
    return await visit();
  } finally {
    now = before;
  }
}

describe("redirect", () => {
  test.each(through("redirect").map((routing) => [routing.name, routing] as const))("%s", async (_, routing) => {
    const { visitor } = routing;
    const path = `/${slugOf(routing)}${visitor.query === undefined ? "" : `?${visitor.query}`}`;
    const response = await atInstant(visitor.now, () => service.visit(path, headersOf(visitor)));
    expect([response.status, response.headers.get("location")]).toEqual([302, routing.expect.destinationUrl]);
  });
});

describe("resolve", () => {
  test.each(through("resolve").map((routing) => [routing.name, routing] as const))("%s", async (_, routing) => {
    const { visitor } = routing;
    const { languages: _languages, ...facts } = visitor.facts;
    const stated = Object.entries({
      ...facts,
      visitorId: visitor.visitorId,
      query: visitor.query,
      referrer: visitor.referrer,
    }).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams({ domain: service.host, slug: slugOf(routing), ...Object.fromEntries(stated) });
    const reply = await atInstant(visitor.now, () =>
      service.call<{ destinationUrl: string }>("GET", `/api/v1/resolve?${query}`, { headers: headersOf(visitor) }),
    );
    expect([reply.status, reply.body.destinationUrl]).toEqual([200, routing.expect.destinationUrl]);
  });
});

test("preview, redirect and resolve each cover over a hundred cases, and the core all of them", () => {
  for (const door of ["preview", "redirect", "resolve"] as const) expect(through(door).length).toBeGreaterThan(100);
  expect(through("core").length).toBe(routingCases.length);
});
