/**
 * How a visitor is identified: by headers, by the address that a trusted proxy states, and the same again on the next
 * visit.
 */
import { describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import type { LinkInput } from "@/contract/links/links";

const proxied = await startTestService({ env: { TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-forwarded-for" } });
const direct = await startTestService();
const ada = await proxied.register();
const bob = await direct.register();
const TOKYO = "133.11.0.1";
const rules: LinkInput["rules"] = [{ destinationUrl: "https://japan.example.com/", conditions: { countries: ["JP"] } }];
const defaultUrl = "https://example.com/";
const where = await proxied.createLink(ada, { defaultUrl, rules });

const location = async (
  service: typeof direct,
  link: Parameters<typeof direct.visit>[0],
  headers: Record<string, string>,
) => (await service.visit(link, headers)).headers.get("location");

describe("the address", () => {
  test.each([
    ["a trusted proxy's word", TOKYO, "https://japan.example.com/"],
    ["the last that is no trusted proxy", `1.1.1.1, ${TOKYO}, 127.0.0.1`, "https://japan.example.com/"],
    ["not what a client put before it", `${TOKYO}, 81.169.145.1`, defaultUrl],
    ["no text", "not an address", defaultUrl],
    ["nothing", "", defaultUrl],
    ["IPv6 with a mapped IPv4", `::ffff:${TOKYO}`, "https://japan.example.com/"],
  ])("is %s", async (_, stated, expected) => {
    expect(await location(proxied, where, { "x-forwarded-for": stated })).toBe(expected);
  });

  test("is never what the client itself claims", async () => {
    const link = await direct.createLink(bob, { defaultUrl, rules });
    for (const header of ["x-forwarded-for", "x-real-ip", "fly-client-ip", "forwarded", "cf-connecting-ip"]) {
      expect(await location(direct, link, { [header]: TOKYO })).toBe(defaultUrl);
    }
  });
});

describe("a split", () => {
  const keys = ["a", "b", "c", "d"];
  const splitTargets = keys.map((key) => ({ key, destinationUrl: `https://${key}.example.com/` }));

  test("sends a visitor to the same target each time, and spreads many over all targets", async () => {
    const link = await proxied.createLink(ada, { defaultUrl, splitTargets });
    const seen = new Map<string, number>();
    for (let index = 1; index <= 80; index++) {
      const visitor = { "x-forwarded-for": `81.169.145.${index}`, "user-agent": "Mozilla/5.0" };
      const first = String(await location(proxied, link, visitor));
      expect(await location(proxied, link, visitor)).toBe(first);
      seen.set(first, (seen.get(first) ?? 0) + 1);
    }
    expect(seen.size).toBe(4);
  });

  test("moves only the visitors of a target that is switched off", async () => {
    const link = await proxied.createLink(ada, { defaultUrl, splitTargets });
    const visitors = Array.from({ length: 40 }, (_, index) => ({ "x-forwarded-for": `81.169.146.${index + 1}` }));
    const ask = () => Promise.all(visitors.map((visitor) => location(proxied, link, visitor)));
    const before = await ask();
    const without = splitTargets.map((target) => (target.key === "a" ? { ...target, isActive: false } : target));
    const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
    await proxied.call("PATCH", path, { token: ada.token, body: { splitTargets: without } });
    const after = await ask();
    const moved = before.filter((url, index) => url !== after[index]);
    expect(new Set(moved)).toEqual(new Set(["https://a.example.com/"]));
    expect(after).not.toContain("https://a.example.com/");
  });

  test("without an active target redirects to the default URL", async () => {
    const off = splitTargets.map((target, index) =>
      index % 2 ? { ...target, weight: 0 } : { ...target, isActive: false },
    );
    const link = await proxied.createLink(ada, { defaultUrl, splitTargets: off });
    expect(await location(proxied, link, {})).toBe(defaultUrl);
  });
});

test("visits are recorded as clicks with the rule that decided them, refusals are not", async () => {
  const link = await proxied.createLink(ada, { defaultUrl, rules, password: "open sesame" });
  await proxied.visit(link);
  await proxied.visit(`/${link.slug}?pw=wrong`);
  await proxied.visit(`/${link.slug}?pw=open+sesame`, {
    "x-forwarded-for": TOKYO,
    referer: "https://news.example.com/a?b",
  });
  await proxied.visit(`/${link.slug}?pw=open+sesame&utm_source=mail`, { "user-agent": "curl/8.5.0" });
  await proxied.visit("/nothing-here");
  await waitUntilDrained(proxied.service);
  const clicks = await proxied.sql`
    select route_kind, rule_index, destination_url, country, referrer, utm_source, is_bot
    from clicks where link_id = ${link._id} order by id`;
  expect(clicks.map((click) => ({ ...click }))).toEqual([
    expect.objectContaining({
      route_kind: "rule",
      rule_index: 0,
      destination_url: "https://japan.example.com/",
      country: "JP",
      referrer: "news.example.com",
    }),
    expect.objectContaining({ route_kind: "default", rule_index: null, utm_source: "mail", is_bot: true }),
  ]);
  const rows = JSON.stringify(await proxied.sql`select clicks::text as row from clicks where link_id = ${link._id}`);
  expect(rows).not.toContain(TOKYO);
  expect(rows).not.toContain("sesame");
});
