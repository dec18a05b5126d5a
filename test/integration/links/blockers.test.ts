/** Lists and single links report why a link does not serve, as its gate and the preview do. */
import { beforeAll, describe, expect, test } from "bun:test";
import { IPHONE } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import type { LinkWithBlockers } from "@/contract/links/link-lists";
import type { Blocker, LinkPreview } from "@/contract/links/link-preview";
import type { Link, LinkInput } from "@/contract/links/links";

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}/links`;
const [PAST, FUTURE] = ["2020-01-01", "2999-01-01"];

const cases: [name: string, blockers: Blocker[], input: Partial<LinkInput>][] = [
  ["one that serves", [], { slug: "plain" }],
  ["one that is switched off", ["inactive"], { slug: "off", isActive: false }],
  ["one with an unsafe destination", ["unsafe"], { slug: "evil" }],
  ["one on an unverified domain", ["domain_unverified"], { slug: "unproven" }],
  ["one that has not started", ["not_started"], { slug: "later", startsAt: FUTURE }],
  ["one that has ended", ["expired"], { slug: "over", startsAt: PAST, expiresAt: "2021-01-01" }],
  ["one whose visits are used up", ["max_clicks_reached"], { slug: "full", maxClicks: 1 }],
  ["one with visits left", [], { slug: "roomy", maxClicks: 2 }],
  ["one that nobody has visited", [], { slug: "fresh", maxClicks: 1 }],
  ["one with a password", ["password_required"], { slug: "secret", password: "correct horse" }],
  [
    "one with several, in the order of the gate",
    ["inactive", "expired", "password_required"],
    { slug: "several", password: "correct horse", expiresAt: "2021-01-01", isActive: false },
  ],
];
const made = new Map<string, Link>();
const linkOf = (slug: LinkInput["slug"]): Link => made.get(slug ?? "") as Link;
/** Visits as a person, because bots do not count against limits. */
const visit = (link: Link) => service.visit(link, { "user-agent": IPHONE });

beforeAll(async () => {
  for (const [, , input] of cases) {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/", ...input });
    made.set(link.slug, link);
  }
  const domainId = Bun.randomUUIDv7();
  await sql`insert into domains (id, org_id, hostname, verification_token)
    values (${domainId}, ${ada.orgId}, 'unproven.test', 'x')`;
  await sql`update links set domain_id = ${domainId} where id = ${linkOf("unproven")._id}`;
  await sql`update links set safety = '{"status": "unsafe", "reasons": []}' where id = ${linkOf("evil")._id}`;
  for (const slug of ["full", "roomy"]) await visit(linkOf(slug));
});

describe("blockers", () => {
  test("are included in a list of links", async () => {
    const { status, body } = await service.call<LinkPageBody>("GET", `${home}?limit=100`, ada);
    const told = Object.fromEntries(body.links.map(({ slug, blockers }) => [slug, blockers]));
    expect(status).toBe(200);
    expect(told).toEqual(Object.fromEntries(cases.map(([, blockers, { slug }]) => [slug, blockers])));
  });

  test.each(cases)("are shown with the link and in its preview for %s", async (_, blockers, { slug }) => {
    const { _id: id } = linkOf(slug);
    const { body } = await service.call<OneLinkBody>("GET", `${home}/${id}`, ada);
    expect(body.blockers).toEqual(blockers);
    const preview = await service.call<PreviewBody>("POST", `${home}/preview`, { ...ada, body: { slug } });
    expect(preview.body.blockers).toEqual(blockers);
  });

  test("are included when an API key reads the link", async () => {
    const key = await service.createApiKey(ada, ["links:read"]);
    const { body } = await service.call<OneLinkBody>("GET", `/api/v1/links/${linkOf("full")._id}`, { apiKey: key });
    expect(body.blockers).toEqual(["max_clicks_reached"]);
  });

  test("disappear once the limit is raised", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/", maxClicks: 1 });
    const id = link._id;
    await visit(link);
    const read = async () => (await service.call<OneLinkBody>("GET", `${home}/${id}`, ada)).body.blockers;
    expect(await read()).toEqual(["max_clicks_reached"]);
    await service.call("PATCH", `${home}/${id}`, { ...ada, body: { maxClicks: 2 } });
    expect(await read()).toEqual([]);
  });
});

type LinkPageBody = { links: LinkWithBlockers[] } & Record<string, unknown>;
type OneLinkBody = LinkWithBlockers & Record<string, unknown>;
type PreviewBody = LinkPreview & Record<string, unknown>;
