/**
 * Unsaved rules applied to the clicks that a link really had; the test counts the same outcomes from its own list of
 * visitors.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";
import type { TrafficPreview } from "@/contract/links/traffic-preview";

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const eve = await service.register();
const home = `/api/v1/organizations/${ada.orgId}/links`;
const to = (name: string) => `https://example.com/${name}`;

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1";
const PIXEL = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";

interface Visitor {
  agent: string;
  language: string;
  query: string;
  network: "81.2.69" | "203.0.113";
}

/** Every device with every language, some with a query, some from another network. */
const VISITORS: Visitor[] = [IPHONE, PIXEL, LINUX].flatMap((agent, device) =>
  ["de-AT", "en", "fr"].flatMap((language, at) =>
    Array.from({ length: 1 + device + at }, (_, time) => ({
      ...{ agent, language },
      query: time % 2 === 0 ? "" : time % 4 === 1 ? "?src=tv" : "?src=print",
      network: time % 3 === 0 ? ("203.0.113" as const) : ("81.2.69" as const),
    })),
  ),
);

const preview = async (link: Link, body: object = {}) => {
  const reply = await service.call<TrafficPreview>("POST", `${home}/${link._id}/preview/traffic`, {
    token: ada.token,
    body,
  });
  expect(reply.status).toBe(200);
  return reply.body;
};
const counts = ({ outcomes, unknown }: TrafficPreview): Record<string, number> => ({
  ...Object.fromEntries(
    outcomes
      .filter(({ count }) => count > 0)
      .map(({ kind, ruleIndex, splitKey, count }) => [`${kind} ${ruleIndex ?? splitKey ?? ""}`.trim(), count]),
  ),
  ...(unknown.count > 0 && { unknown: unknown.count }),
});

/** Counts the visitors by the outcome that a rule of the test has for them. */
const expected = (outcomeOf: (visitor: Visitor) => string) =>
  Object.fromEntries([...Map.groupBy(VISITORS, outcomeOf)].map(([outcome, them]) => [outcome, them.length]));

let addresses = 0;
async function visit(link: Link, { agent, language, query, network }: Visitor): Promise<string> {
  const headers = { "user-agent": agent, "accept-language": language };
  const address = `${network}.${(addresses++ % 250) + 1}`;
  const response = await service.visit(`/${link.slug}${query}`, { ...headers, [CLIENT_HEADER]: address });
  return response.headers.get("location") ?? "";
}

async function visited(input: LinkInput): Promise<{ link: Link; sent: string[] }> {
  const link = await service.createLink(ada, input);
  const sent: string[] = [];
  for (const visitor of VISITORS) sent.push(await visit(link, visitor));
  return { link, sent };
}

let plain: Link;
let asking: Link;
let split: { link: Link; sent: string[] };
const splitTargets = ["a", "b", "c"].map((key) => ({ key, destinationUrl: to(key) }));
beforeAll(async () => {
  plain = (await visited({ slug: "plain", defaultUrl: to("plain") })).link;
  const conditions = { query: [{ name: "src", values: ["tv"] }], addresses: ["203.0.113.0/24"] };
  asking = (await visited({ slug: "asking", defaultUrl: to("x"), rules: [{ destinationUrl: to("tv"), conditions }] }))
    .link;
  split = await visited({ slug: "split", defaultUrl: to("x"), splitTargets });
  await service.visit(plain, { "user-agent": "curl/8.0" });
  await waitUntilDrained(service.service);
});

const rule = (conditions: object, name = "there") => ({ destinationUrl: to(name), conditions });

describe("unsaved rules", () => {
  test("are applied to every click of a person, each of which counts once", async () => {
    const rules = [rule({ platform: ["ios"] }), rule({ languages: ["de"] }), rule({ languages: ["de", "fr"] })];
    const traffic = await preview(plain, { link: { rules } });
    expect(counts(traffic)).toEqual(
      expected(({ agent, language }) =>
        agent === IPHONE ? "rule 0" : language === "de-AT" ? "rule 1" : language === "fr" ? "rule 2" : "default",
      ),
    );
    expect(traffic).toMatchObject({
      clicks: VISITORS.length,
      evaluated: VISITORS.length,
      method: "all",
      marginOfError: 0,
    });
    const shares = [...traffic.outcomes, traffic.unknown].map(({ share, count }) => [share, count / VISITORS.length]);
    for (const [share, part] of shares) expect(share).toBeCloseTo(part ?? -1, 9);
  });

  test("apply in the order of their priorities, and are named by their positions", async () => {
    const rules = [
      { ...rule({ platform: ["ios"] }), priority: 2 },
      { ...rule({ languages: ["de"] }), priority: 1 },
    ];
    expect(counts(await preview(plain, { link: { rules } }))).toEqual(
      expected(({ agent, language }) => (language === "de-AT" ? "rule 1" : agent === IPHONE ? "rule 0" : "default")),
    );
  });

  test("write nothing, and without them the saved rules apply", async () => {
    const before = (await sql`select version, rules from links where id = ${plain._id}`)[0];
    await preview(plain, { link: { rules: [rule({})] } });
    expect((await sql`select version, rules from links where id = ${plain._id}`)[0]).toEqual(before);
    expect(counts(await preview(plain))).toEqual({ default: VISITORS.length });
  });

  test("let clicks go to the app's store if no rule matches", async () => {
    const ios = { teamId: "ABCDE12345", bundleId: "com.example.app", appStoreId: "123456789" };
    const app = await service.call<{ _id: string }>("POST", `/api/v1/organizations/${ada.orgId}/apps`, {
      token: ada.token,
      body: { name: "App", ios },
    });
    const changes = { appProfileId: app.body._id, rules: [rule({ languages: ["de"] })] };
    expect(counts(await preview(plain, { link: changes }))).toEqual(
      expected(({ agent, language }) => (language === "de-AT" ? "rule 0" : agent === IPHONE ? "store" : "default")),
    );
  });

  test("keep visitors on the split targets that they had", async () => {
    const keys = split.sent.map((location) => new URL(location).pathname.slice(1));
    const byKey = Object.fromEntries(
      [...Map.groupBy(keys, (key) => `split ${key}`)].map(([key, all]) => [key, all.length]),
    );
    expect(Object.keys(byKey).length).toBeGreaterThan(1);
    expect(counts(await preview(split.link))).toEqual(byKey);
    const germans = VISITORS.map(({ language }) => language === "de-AT");
    const without = await preview(split.link, { link: { rules: [rule({ languages: ["de"] })] } });
    expect(without.outcomes.find(({ splitKey }) => splitKey === "b")?.count).toBe(
      keys.filter((key, at) => key === "b" && !germans[at]).length,
    );
  });
});

describe("a click stored without all details", () => {
  const query = (values?: string[], name = "src") => ({ query: [{ name, values }] });

  test.each([
    [
      "is told where its rules asked the same",
      query(["tv"]),
      (own: Visitor) => (own.query === "?src=tv" ? "rule 0" : "default"),
    ],
    ["is told that there was a value", query(), (own: Visitor) => (own.query === "" ? "default" : "rule 0")],
    [
      "is unknown where a value was not told apart",
      query(["print", "radio"]),
      (own: Visitor) => (own.query === "?src=print" ? "unknown" : "default"),
    ],
    ["is unknown where nobody asked for a parameter", query(undefined, "ref"), () => "unknown"],
    [
      "is told which of the networks it was in",
      { addresses: ["203.0.113.0/24"] },
      (own: Visitor) => (own.network === "203.0.113" ? "rule 0" : "default"),
    ],
    [
      "is unknown for a network of which nobody asked",
      { addresses: ["203.0.113.0/24", "81.2.69.0/25"] },
      (own: Visitor) => (own.network === "203.0.113" ? "rule 0" : "unknown"),
    ],
    [
      "is told where another condition decides",
      { ...query(undefined, "ref"), platform: ["ios"] },
      (own: Visitor) => (own.agent === IPHONE ? "unknown" : "default"),
    ],
  ])("%s", async (_, conditions, outcomeOf) => {
    expect(counts(await preview(asking, { link: { rules: [rule(conditions)] } }))).toEqual(expected(outcomeOf));
  });

  test("is decided if all possibilities lead to the same rule", async () => {
    const rules = [rule({ platform: ["ios"] }), rule({ ...query(undefined, "ref"), platform: ["ios"] })];
    expect(counts(await preview(asking, { link: { rules } }))).toEqual(
      expected(({ agent }) => (agent === IPHONE ? "rule 0" : "default")),
    );
  });

  test("is judged by the rules that its link had at the time", async () => {
    const link = await service.createLink(ada, { slug: "turned", defaultUrl: to("x") });
    const ref = [rule({ query: [{ name: "ref", values: ["a"] }] })];
    const visitor = { agent: LINUX, language: "en", query: "?ref=a", network: "81.2.69" as const };
    await visit(link, visitor);
    await service.call("PATCH", `${home}/${link._id}`, { token: ada.token, body: { rules: ref } });
    await visit(link, visitor);
    await visit(link, { ...visitor, query: "?ref=b" });
    await service.call("PATCH", `${home}/${link._id}`, { token: ada.token, body: { rules: [] } });
    await visit(link, visitor);
    await waitUntilDrained(service.service);
    expect(counts(await preview(link, { link: { rules: ref } }))).toEqual({ "rule 0": 1, default: 1, unknown: 2 });
  });
});

describe("the clicks", () => {
  test("are those of the requested days", async () => {
    const link = await service.createLink(ada, { slug: "aged", defaultUrl: to("x") });
    for (let times = 0; times < 3; times++) await visit(link, VISITORS[0] as Visitor);
    await waitUntilDrained(service.service);
    await sql`update clicks set occurred_at = occurred_at - interval '9 days' where id in (
      select id from clicks where link_id = ${link._id} limit 1)`;
    await sql`
      insert into figures_hourly (org_id, link_id, hour, is_bot, writer, clicks, opens, counts)
      select org_id, link_id, hour - interval '9 days', is_bot, writer, 1, 0, counts from figures_hourly
      where link_id = ${link._id} and not is_bot`;
    await sql`update figures_hourly set clicks = 2 where link_id = ${link._id} and hour > now() - interval '1 day'`;
    expect(await preview(link)).toMatchObject({ clicks: 2, evaluated: 2, method: "all" });
    expect(await preview(link, { days: 30 })).toMatchObject({ clicks: 3, evaluated: 3, method: "all" });
  });

  test("can be missing entirely", async () => {
    const link = await service.createLink(ada, { slug: "lonely", defaultUrl: to("x") });
    expect(await preview(link, { link: { rules: [rule({})] } })).toMatchObject({
      ...{ clicks: 0, evaluated: 0, method: "none" },
      outcomes: [{ kind: "rule", ruleIndex: 0, count: 0, share: 0 }, { kind: "store" }, { kind: "default" }],
    });
  });

  test("are sampled if there are many, each hour in proportion to its clicks", async () => {
    const link = await service.createLink(ada, { slug: "busy", defaultUrl: to("x") });
    await visit(link, { ...(VISITORS[0] as Visitor), language: "de" });
    await waitUntilDrained(service.service);
    // English clicks in even hours, of which there are many, German ones in odd hours, and a bot beside each of them.
    const each = 120;
    await sql`
      insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, language, languages, route_kind,
        destination_url, is_bot, bot_reasons, spam_score, utc_offset, link_version, domain_id)
      select gen_random_uuid(), date_trunc('hour', occurred_at) - make_interval(hours => hour) + make_interval(secs => number * 9),
        org_id, link_id, visitor + number, platform, spoken, spoken, route_kind, destination_url, bot, bot_reasons, 0, 0, link_version, domain_id
      from clicks, generate_series(1, 48) hour, lateral (select case when hour % 2 = 0 then 'en' else 'de' end as spoken) s,
        lateral generate_series(1, case when hour % 2 = 0 then ${each * 3}::int else ${each}::int end) number, (values (true), (false)) kinds (bot)
      where link_id = ${link._id}`;
    await sql`
      insert into figures_hourly (org_id, link_id, hour, is_bot, writer, clicks, opens, counts)
      select org_id, link_id, hour - make_interval(hours => ago), is_bot, writer, case when ago % 2 = 0 then ${each * 3}::int else ${each}::int end, 0, counts
      from figures_hourly, generate_series(1, 48) ago where link_id = ${link._id} and not is_bot`;
    const traffic = await preview(link, { link: { rules: [rule({ languages: ["de"] })] } });
    const all = 24 * each * 4 + 1;
    expect(traffic).toMatchObject({ clicks: all, method: "sample" });
    expect(traffic.evaluated).toBeGreaterThan(1_500);
    expect(traffic.evaluated).toBeLessThanOrEqual(2_000);
    expect(traffic.outcomes[0]?.share).toBeCloseTo((24 * each + 1) / all, 3);
    expect(traffic.marginOfError).toBeGreaterThan(0.98 / Math.sqrt(2_000));
    expect(traffic.marginOfError).toBeLessThan(0.03);
  });
});

describe("an invalid request", () => {
  const ask = (id: string, body: object, { token, orgId } = ada) =>
    service.call<{ details: string[] }>("POST", `/api/v1/organizations/${orgId}/links/${id}/preview/traffic`, {
      ...{ token, body },
    });

  test.each([
    ["a rule without a destination", { link: { rules: [{ conditions: {} }] } }, "link.rules[0]"],
    ["a condition that there is not", { link: { rules: [rule({ moon: "full" })] } }, "link.rules[0]"],
    ["too many days", { days: 31 }, "days"],
    ["no day", { days: 0 }, "days"],
    ["a loop", { link: { defaultUrl: "SHORT" } }, "link."],
  ])("400: %s", async (_, body, field) => {
    const told = JSON.parse(JSON.stringify(body).replace("SHORT", plain.shortUrl));
    const reply = await ask(plain._id, told);
    expect([reply.status, reply.body.details?.every((detail) => detail.startsWith(field))]).toEqual([400, true]);
  });

  test.each([
    ["another organization's link", () => ask(plain._id, {}, eve)],
    ["no link", () => ask(Bun.randomUUIDv7(), {})],
    ["what is no id", () => ask("plain", {})],
  ])("404: %s", async (_, asked) => expect((await asked()).status).toBe(404));
});
