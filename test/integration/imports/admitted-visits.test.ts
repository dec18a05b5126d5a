/** Links with a limit of visits that move by file: what their limit has admitted moves along. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { ledgerOf, runImport } from "@test/support/outside/imports";
import { type Account, startTestService } from "@test/support/service";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const HUMAN = {
  accept: "application/json",
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
};
const link = (slug: string, maxClicks?: number) => ({ slug, maxClicks, defaultUrl: `https://acme.com/${slug}` });

/** Visits a link on a domain of its own, or on the shared one. */
const visited = async ({ slug }: Pick<Link, "slug">, host?: string) =>
  (await service.visit(`/${slug}`, { ...HUMAN, ...(host && { host }) })).status;
const exported = async ({ orgId, token }: Account, form: string): Promise<string> =>
  (await service.call<string>("GET", `/api/v1/organizations/${orgId}/links/export.${form}`, { token })).body.toString();

async function imported(account: Account, text: string, options: ImportOptionsInput) {
  const done = await runImport(service, account, { text, options });
  return { counts: done.counts, rows: await ledgerOf(service, account, done._id) };
}

test.each(["csv", "jsonl"])("a %s takes along how many visits were admitted, also to a third place", async (form) => {
  const [ada, ben, cem] = [await service.register(), await service.register(), await service.register()];
  const [two, one, free] = [
    await service.createLink(ada, link(`two-${form}`, 2)),
    await service.createLink(ada, link(`one-${form}`, 1)),
    await service.createLink(ada, link(`free-${form}`)),
  ];
  for (const each of [two, one, free]) expect(await visited(each)).toBe(302);
  const unused = await service.createLink(ada, link(`new-${form}`, 1));

  const [ofBen, ofCem] = [`${form}.ben.test`, `${form}.cem.test`];
  const domainId = await addDomain(service, ben.orgId, { hostname: ofBen });
  const moved = await imported(ben, await exported(ada, form), { domainMap: { "*": domainId } });
  expect([moved.counts, moved.rows.flatMap(({ dropped }) => dropped)]).toEqual([{ records: 4, created: 4 }, []]);
  expect(await visited(one, ofBen)).toBe(410);
  expect([await visited(two, ofBen), await visited(two, ofBen)]).toEqual([302, 410]);
  for (const each of [free, unused]) expect(await visited(each, ofBen)).toBe(302);
  expect(await visited(unused, ofBen)).toBe(410);

  const third = await addDomain(service, cem.orgId, { hostname: ofCem });
  await imported(cem, await exported(ben, form), { domainMap: { "*": third } });
  for (const each of [two, one, unused]) expect(await visited(each, ofCem)).toBe(410);
  expect(await visited(free, ofCem)).toBe(302);
});

test("a link that is replaced keeps the higher number of visits", async () => {
  const account = await service.register();
  const domainId = await addDomain(service, account.orgId, { hostname: "replaced.test" });
  const lines = (admittedVisits?: number) =>
    `${JSON.stringify({ _id: "old", domain: "old.test", ...link("limited", 3), clickCount: 2, admittedVisits })}\n`;
  const options = { source: "waymark", domainMap: { "*": domainId }, onConflict: "replace" } as const;
  const old = await imported(account, lines(), options);
  const why = "it is not in the file: maxClicks counts visits from now on";
  expect(old.rows).toMatchObject([{ result: "created", dropped: [{ field: "admittedVisits", why }] }]);
  const linkId = old.rows[0]?.linkId ?? "";
  const admitted = async () =>
    (await service.sql`select admitted from link_admissions where link_id = ${linkId}`)[0]?.admitted;
  // A record that was imported before is left alone, unless it has another address at its source.
  for (const [host, inFile, wanted] of [
    ["a.test", 2, 2],
    ["b.test", 1, 2],
    ["c.test", 2 ** 40, 2_147_483_647],
  ] as const) {
    const { rows } = await imported(account, lines(inFile).replace("old.test", host), options);
    expect([rows, await admitted()]).toMatchObject([[{ result: "replaced", linkId }], wanted]);
  }
  expect(await visited({ slug: "limited" }, "replaced.test")).toBe(410);
});
