/**
 * Links with every field, drawn at random from a fixed seed: exported, imported into another organization, exported
 * again.
 */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { ledgerOf, runImport, waitForImport } from "@test/support/outside/imports";
import { type Account, startTestService } from "@test/support/service";
import fc from "fast-check";
import type { BulkLinkResult } from "@/contract/links/bulk-links";
import type { Link, LinkInput } from "@/contract/links/links";
import type { RuleConditions } from "@/contract/routing";

const LINKS = 60;
const service = await startTestService();

const signs = fc.constantFrom("'", '"', ",", ";", "\n", "=", "@", "-", "é", "字", "🙂", "[", "{", " ", "a", "Z", "7");
const text = (max: number) =>
  fc
    .array(signs, { minLength: 1, maxLength: Math.min(max, 24) })
    .map((all) => `x${all.join("")}`.trimEnd().slice(0, max).toWellFormed().replaceAll("\ufffd", ""));
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
const url = fc.tuple(word, word, word).map(([host, path, query]) => `https://${host}.example.com/${path}?q=${query}`);
const instantIn = (from: string, to: string) =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((date) => date.toISOString());
const some = <Shape extends object>(shape: { [Field in keyof Shape]: fc.Arbitrary<Shape[Field]> }) =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true });

const named = fc.uniqueArray(text(20), { minLength: 1, maxLength: 3 });
const timeOfDay = fc
  .date({ min: new Date("2026-01-01"), max: new Date("2026-01-02"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(11, 16));
/** Each condition that there is: the compiler names those that are missing. */
const conditionsByName: { [Name in keyof RuleConditions]-?: fc.Arbitrary<RuleConditions[Name]> } = {
  platform: fc.subarray(["ios", "android", "desktop", "other"] as const, { minLength: 1 }),
  countries: fc.subarray(["DE", "FR", "NZ"], { minLength: 1 }),
  ...{ regions: named, cities: named, browsers: named, deviceTypes: named, deviceVendors: named, deviceModels: named },
  languages: fc.subarray(["en", "de-AT"], { minLength: 1 }),
  minOsVersion: fc.constantFrom("9", "12.1"),
  maxOsVersion: fc.constantFrom("13", "18.0.1"),
  startTime: timeOfDay,
  endTime: timeOfDay,
  daysOfWeek: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
  query: fc.array(fc.record({ name: word, values: fc.array(word, { minLength: 1, maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
  referrers: fc.subarray(["direct", "news.example.com", "t.co"], { minLength: 1 }),
  addresses: fc.subarray(["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"], { minLength: 1 }),
  after: instantIn("2024-01-01", "2025-01-01"),
  before: instantIn("2025-01-02", "2027-01-01"),
};
const conditions = some(conditionsByName);
const rules = fc
  .array(fc.record({ destinationUrl: url, conditions }), { minLength: 1, maxLength: 3 })
  .map((all) => all.map((rule, index) => ({ priority: index + 1, ...rule })));
const splitTargets = fc
  .array(fc.record({ destinationUrl: url, weight: fc.integer({ min: 1, max: 100 }), isActive: fc.boolean() }), {
    minLength: 2,
    maxLength: 3,
  })
  .map((all) => all.map((target, index) => ({ key: `k${index}`, ...target })));

const fields: fc.Arbitrary<Omit<LinkInput, "defaultUrl">> = some({
  title: text(255),
  notes: text(2_000),
  tags: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
  pathPrefix: fc.tuple(word, word).map(([one, other]) => `x${one}/${other}`),
  isActive: fc.boolean(),
  isArchived: fc.boolean(),
  startsAt: instantIn("2024-01-01", "2025-01-01"),
  expiresAt: instantIn("2026-01-01", "9000-01-01"),
  expiredUrl: url,
  maxClicks: fc.integer({ min: 1, max: 1_000_000 }),
  deepLinkPayload: fc.dictionary(word, fc.oneof(text(20), fc.integer(), fc.boolean(), fc.array(text(5)))),
  rules,
  splitTargets,
  utm: some({ source: text(20), medium: word, campaign: text(20), term: word, content: word }),
  marketing: some({ referralCode: word, couponCode: word, appendToDestination: fc.boolean() }),
  social: fc.record({ title: text(60), description: text(100), imageUrl: url }),
  leadCapture: some({ enabled: fc.boolean(), title: text(50), buttonText: text(20), consentText: text(50) }),
  ctaOverlay: fc.record({
    enabled: fc.boolean(),
    message: text(50),
    buttonUrl: url,
    mode: fc.constantFrom("interstitial", "overlay"),
  }),
  retargetingPixels: fc.constant([{ provider: "meta" as const, id: "1234567890" }]),
});

/** The clicks that a link had on some days before it was imported, and those of unknown days. */
const former = fc.record({
  byDay: fc.dictionary(
    instantIn("1970-01-01", "2026-01-01").map((instant) => instant.slice(0, 10)),
    fc.integer({ min: 1, max: 2 ** 40 }),
    { minKeys: 1, maxKeys: 5, noNullPrototype: true },
  ),
  undated: fc.nat(),
});

/** Gives the links of an organization former clicks. */
async function addFormerClicks({ orgId }: Account): Promise<void> {
  const links = await service.sql<{ id: string }[]>`select id from links where org_id = ${orgId} order by slug`;
  for (const [index, { byDay, undated }] of fc.sample(former, { seed: 7, numRuns: links.length }).entries()) {
    const entries = Object.entries(byDay).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const [days, counts] = [entries.map(([day]) => day), entries.map(([, count]) => count)];
    const total = counts.reduce((sum, count) => sum + count, 0);
    const id = links[index]?.id ?? "";
    await service.sql`update links set clicks_before = ${total + undated} where id = ${id}`;
    await service.sql`insert into former_click_days (org_id, link_id, import_id, days, counts, total, last_day)
      values (${orgId}, ${id}, ${id}, ${`{${days}}`}::text::date[], ${`{${counts}}`}::text::bigint[], ${total},
        ${days.at(-1) ?? ""})`;
  }
}

test.each(["csv", "jsonl"] as const)(
  "links exported as %s and imported into another organization keep all of their fields",
  async (form) => {
    const [owner, other] = [await service.register(), await service.register()];
    const links = fc.sample(fc.record({ defaultUrl: url, fields }), { seed: 7, numRuns: LINKS }).map(
      ({ defaultUrl, fields: drawn }, index): LinkInput => ({
        ...drawn,
        defaultUrl,
        slug: `${form}-${index}`,
        externalId: `e-${index}`,
      }),
    );
    const path = `/api/v1/organizations/${owner.orgId}/links/bulk`;
    const made = await service.call<BulkLinkResult>("POST", path, { token: owner.token, body: { links } });
    expect(made.body.errors).toEqual([]);
    await addFormerClicks(owner);
    await service.sql`insert into link_admissions (link_id, org_id, admitted)
      select id, org_id, max_clicks / 2 from links where org_id = ${owner.orgId} and max_clicks > 1`;
    const hostname = `${form}.round.test`;
    const there = await addDomain(service, other.orgId, { hostname });

    const left = await exported(owner, form);
    const done = await runImport(service, other, {
      text: left,
      name: `links.${form}`,
      options: { domainMap: { "*": there } },
    });
    const refused = await ledgerOf(service, other, done._id, "&result=refused");
    expect([refused.map(({ address, why }) => `${address}: ${why}`), done]).toMatchObject([
      [],
      { source: "waymark", status: "done", counts: { records: LINKS, created: LINKS } },
    ]);
    const before = movable(await exported(owner, "jsonl"));
    expect(Object.values(before).every(({ clicksByDay }) => clicksByDay !== undefined)).toBe(true);
    expect(movable(await exported(other, "jsonl"))).toEqual(before);
  },
);

describe("an app profile", () => {
  const addApp = async ({ orgId, token }: Account, name: string) => {
    const path = `/api/v1/organizations/${orgId}/apps`;
    return (await service.call<{ _id: string }>("POST", path, { token, body: { name } })).body._id;
  };
  /** Imports the links of one organization into another one. Returns the app of each link, and what was dropped. */
  async function moved(from: Account, to: Account) {
    const done = await runImport(service, to, {
      text: await exported(from, "csv"),
      options: { domainMap: { "*": await addDomain(service, to.orgId, { hostname: `${crypto.randomUUID()}.test` }) } },
    });
    const rows = await ledgerOf(service, to, done._id);
    const path = `/api/v1/organizations/${to.orgId}/links/${rows[0]?.linkId}`;
    const { body } = await service.call<Link>("GET", path, { token: to.token });
    return { app: body.appProfileId, dropped: rows[0]?.dropped };
  }
  async function ownerOfLink(): Promise<[Account, string]> {
    const owner = await service.register();
    const appProfileId = await addApp(owner, 'Shop, "Süd"');
    await service.createLink(owner, { defaultUrl: "https://example.com/", appProfileId });
    return [owner, appProfileId];
  }

  test("stays that of a link that comes back to its organization, whatever its name is by then", async () => {
    const [owner, app] = await ownerOfLink();
    const text = await exported(owner, "csv");
    const path = `/api/v1/organizations/${owner.orgId}`;
    await service.call("PATCH", `${path}/apps/${app}`, { token: owner.token, body: { name: "Renamed" } });
    await addApp(owner, 'Shop, "Süd"');
    const hostname = `${crypto.randomUUID()}.test`;
    const options = { domainMap: { "*": await addDomain(service, owner.orgId, { hostname }) } };
    const done = await runImport(service, owner, { text, options });
    const [row] = await ledgerOf(service, owner, done._id);
    const { body } = await service.call<Link>("GET", `${path}/links/${row?.linkId}`, { token: owner.token });
    expect([row?.dropped, body.appProfileId]).toEqual([[], app]);
  });

  test("is the one of the same name in another organization", async () => {
    const [[owner], other] = [await ownerOfLink(), await service.register()];
    await addApp(other, "Shop");
    const app = await addApp(other, 'Shop, "Süd"');
    expect(await moved(owner, other)).toEqual({ app, dropped: [] });
  });

  test("of all links makes no difference to where phones are led, if both organizations have it", async () => {
    const [owner, other] = [await service.register(), await service.register()];
    const body = { name: "Shop", ios: { appStoreId: "123456789" }, android: { packageName: "com.acme.shop" } };
    for (const { orgId, token } of [owner, other]) {
      const made = await service.call("POST", `/api/v1/organizations/${orgId}/apps`, { token, body });
      expect(made.status).toBe(200);
    }
    const domainId = await addDomain(service, owner.orgId, { hostname: `${crypto.randomUUID()}.test` });
    const fields = { defaultUrl: "https://example.com/", domainId };
    await service.createLink(owner, fields);
    await service.createLink(owner, { ...fields, isActive: false });
    const hostname = `${crypto.randomUUID()}.test`;
    const options = { domainMap: { "*": await addDomain(service, other.orgId, { hostname }) } };
    const { _id } = await runImport(service, other, { text: await exported(owner, "csv"), options });
    const path = `/api/v1/organizations/${other.orgId}/imports/${_id}/verify`;
    expect((await service.call("POST", path, { token: other.token })).status).toBe(202);
    const { counts } = await waitForImport(service, other, _id);
    expect(counts).toMatchObject({ checked: 2, different: 0, notCompared: 0 });
    const rows = await ledgerOf(service, other, _id, "&different=true");
    expect(rows.flatMap(({ differences }) => differences)).toEqual([]);
  });

  test.each([
    [0, 'no app profile is named Shop, "Süd" here'],
    [2, '2 app profiles are named Shop, "Süd" here'],
  ])("is left out if %p have its name, which is said", async (count, why) => {
    const [[owner], other] = [await ownerOfLink(), await service.register()];
    for (let made = 0; made < count; made++) await addApp(other, 'Shop, "Süd"');
    expect(await moved(owner, other)).toEqual({ app: undefined, dropped: [{ field: "appProfileId", why }] });
  });
});

const exported = async ({ orgId, token }: Account, form: string): Promise<string> =>
  (await service.call<string>("GET", `/api/v1/organizations/${orgId}/links/export.${form}`, { token })).body.toString();

/** Returns the links by slug, without the fields that differ between organizations. */
const movable = (lines: string): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const { _id, shortUrl, domain, importedFrom, updatedAt, ...link } = JSON.parse(line);
        return [link.slug, link];
      }),
  );
