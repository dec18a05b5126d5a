/** Links that one client creates by separate requests at the same time are written in few statements. */
import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}`;
const defaultUrl = "https://example.com/";

const create = (body: Record<string, unknown>, userAgent = "one client") =>
  call<Link>("POST", `${path}/links`, {
    token: ada.token,
    body: { defaultUrl, ...body },
    headers: { "user-agent": userAgent },
  });

test("each gets its own answer and its own history, in fewer transactions than links", async () => {
  const slugs = Array.from({ length: 40 }, (_, place) => ({ slug: `together-${place}` }));
  const twice = [{ slug: "twice" }, { slug: "twice" }, { externalId: "twice" }, { externalId: "twice" }];
  const outcomes = await Promise.all([...slugs, ...twice].map((body) => create(body)));
  const statuses = outcomes.map(({ status }) => status);
  expect(statuses.slice(0, slugs.length)).toEqual(slugs.map(() => 201));
  expect(statuses.slice(slugs.length, slugs.length + 2).toSorted()).toEqual([201, 409]);
  expect(statuses.slice(slugs.length + 2).toSorted()).toEqual([201, 409]);

  const made = outcomes.filter(({ status }) => status === 201).map(({ body }) => body);
  expect(made.slice(0, slugs.length).map(({ slug }) => slug)).toEqual(slugs.map(({ slug }) => slug));
  const ids = made.map(({ _id }) => _id).toSorted();
  const [links, revisions, audits] = await Promise.all([
    sql<{ id: string; written: string }[]>`select id, xmin::text as written from links where org_id = ${ada.orgId}`,
    sql<{ id: string }[]>`select link_id as id from link_revisions where org_id = ${ada.orgId}`,
    sql<
      { id: string }[]
    >`select resource_id as id from audit_logs where org_id = ${ada.orgId} and action = 'link.create'`,
  ]);
  for (const rows of [links, revisions, audits]) expect(rows.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(new Set(links.map(({ written }) => written)).size).toBeLessThan(links.length);
});

test("the history names each client", async () => {
  const clients = Array.from({ length: 12 }, (_, place) => ({
    slug: `client-${place}`,
    client: `client ${place % 3}`,
  }));
  const made = await Promise.all(clients.map(({ slug, client }) => create({ slug }, client)));
  const audits = await sql<{ id: string; client: string }[]>`
    select resource_id as id, user_agent as client from audit_logs where org_id = ${ada.orgId}`;
  const clientOf = new Map(audits.map(({ id, client }) => [id, client]));
  expect(made.map(({ body }) => clientOf.get(body._id))).toEqual(clients.map(({ client }) => client));
});

test("one that waits for a lock does not hold up the others", async () => {
  const app = await call<{ _id: string }>("POST", `${path}/apps`, { token: ada.token, body: { name: "Locked" } });
  expect(app.status).toBe(200);
  const waiting = await sql.begin(async (tx) => {
    await tx`select from app_profiles where id = ${app.body._id} for update`;
    const waits = create({ slug: "waits", appProfileId: app.body._id });
    for (const slug of ["after-1", "after-2", "after-3"]) expect((await create({ slug })).status).toBe(201);
    const early = await Promise.all(["early-1", "early-2", "early-3"].map((slug) => create({ slug })));
    expect(early.map(({ status }) => status)).toEqual([201, 201, 201]);
    return { waits };
  });
  expect((await waiting.waits).status).toBe(201);
});

test("what is created stays created once, also if a link of the same statement needs another one, which fails", async () => {
  const plain = Array.from({ length: 30 }, (_, place) => ({ slug: `stays-${place}` }));
  await sql.unsafe(`
    create function entangle() returns trigger language plpgsql as $$ begin
      if exists (select from links where external_id = new.external_id) then
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return new; end $$;
    create trigger entangle before insert on links for each row execute function entangle()`);
  const made = Promise.all([...plain, { externalId: "once" }, { externalId: "once" }].map((body) => create(body)));
  const statuses = (await made.finally(() => sql`drop function entangle cascade`)).map(({ status }) => status);
  expect(statuses.slice(0, plain.length)).toEqual(plain.map(() => 201));
  expect(statuses.slice(plain.length).toSorted()).toEqual([201, 503]);
});
