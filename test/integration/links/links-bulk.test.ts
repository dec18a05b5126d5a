/** Many links in one request: each succeeds or fails on its own, and is created as in a single creation. */
import { describe, expect, test } from "bun:test";
import { addDomain, addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";
import type { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";

type Body = BulkLinkResult & Record<string, unknown>;
const pathOf = (orgId: string) => `/api/v1/organizations/${orgId}/links/bulk`;
const post = (body: unknown, account = ada) =>
  call<Body>("POST", pathOf(account.orgId), { token: account.token, body });
const create = (links: unknown[], account = ada) => post({ links }, account);
const linkCount = async (orgId = ada.orgId) =>
  Number(
    (await sql`select count(*)::int as links from links where org_id = ${orgId} and deleted_at is null`)[0]?.links,
  );
const setPlan = (orgId: string, plan: string) => sql`update organizations set plan = ${plan} where id = ${orgId}`;
const many = (count: number, fields: Partial<LinkInput> = {}) =>
  Array.from({ length: count }, (_, index) => ({ defaultUrl: `${defaultUrl}${index}`, ...fields }));

describe("400 for the whole request, without writing anything:", () => {
  test.each<[string, unknown, string[]]>([
    ["no body", undefined, ["body"]],
    ["a bare list", [{ defaultUrl }], ["body"]],
    ["no links", {}, ["links"]],
    ["links that are no list", { links: { defaultUrl } }, ["links"]],
    ["null", { links: null }, ["links"]],
    ["an empty list", { links: [] }, ["links"]],
    ["a list of 101", { links: many(101) }, ["links"]],
  ])("%s", async (_, body, fields) => {
    const before = await tableState(sql);
    expectFailure(await post(body), 400, fields);
    expect(await tableState(sql)).toEqual(before);
  });

  test("more links than the plan allows in one request", async () => {
    const bob = await service.register();
    await setPlan(bob.orgId, "free");
    expectFailure(await create(many(26), bob), 400, ["links"]);
    expect(await linkCount(bob.orgId)).toBe(0);
    expect((await create(many(25), bob)).body.created).toHaveLength(25);
  });
});

describe("413", () => {
  const filled = (bytes: number) => {
    const frame = JSON.stringify({ links: [{ defaultUrl }], ignored: "" });
    return frame.replace('"ignored":""', `"ignored":"${"a".repeat(bytes - frame.length)}"`);
  };

  test("for a body that is one byte over 1 MB", async () => {
    expect((await post(filled(1024 * 1024))).status).toBe(200);
    expectFailure(await post(filled(1024 * 1024 + 1)), 413);
  });

  test("for a smaller body on the route that creates a single link", async () => {
    const body = JSON.stringify({ defaultUrl, ignored: "a".repeat(300_000) });
    const path = pathOf(ada.orgId).replace("/bulk", "");
    expectFailure(await call("POST", path, { token: ada.token, body }), 413);
  });
});

describe("403", () => {
  test("for a viewer, whatever the body", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    for (const body of [{ links: [{ defaultUrl }] }, "{", undefined]) expectFailure(await post(body, viewer), 403);
  });
});

describe("an item that fails", () => {
  test("does not affect the others, and is reported by index with a single creation's error", async () => {
    await service.createLink(ada, { defaultUrl, slug: "taken" });
    const eve = await service.register();
    const foreign = await addDomain(service, eve.orgId, { hostname: "go.eve.test" });
    const unverified = await addDomain(service, ada.orgId, { hostname: "go.ada.test", isVerified: false });
    const wrong: [item: unknown, error: string, fields: string[]][] = [
      [{}, "The request has invalid fields", ["defaultUrl"]],
      [null, "The request has invalid fields", ["body"]],
      ["https://example.com/", "The request has invalid fields", ["body"]],
      [{ defaultUrl, slug: "a b" }, "The request has invalid fields", ["slug"]],
      [{ defaultUrl, slug: 5, rules: [{}] }, "The request has invalid fields", ["rules[0].destinationUrl", "slug"]],
      [{ defaultUrl: "no URL" }, "The request has invalid fields", ["defaultUrl"]],
      [{ defaultUrl, title: "a\0", tags: ["\ud800"] }, "The request has invalid fields", ["tags[0]", "title"]],
      [
        { defaultUrl, deepLinkPayload: { a: "x".repeat(20_000) } },
        "The request has invalid fields",
        ["deepLinkPayload"],
      ],
      [
        { defaultUrl, startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-01T00:00:00Z" },
        "The request has invalid fields",
        ["expiresAt"],
      ],
      [{ defaultUrl, slug: "TAKEN" }, "This slug is already used on its domain", ["slug"]],
      [{ defaultUrl, domainId: foreign }, "There is no such domain", ["domainId"]],
      [{ defaultUrl, domainId: unverified }, "The request has invalid fields", ["domainId"]],
      [{ defaultUrl, appProfileId: Bun.randomUUIDv7() }, "There is no such app profile", ["appProfileId"]],
    ];
    const fine = { defaultUrl, title: "fine" };
    const { status, body } = await create([fine, ...wrong.flatMap(([item]) => [item, fine])]);
    expect(status).toBe(200);
    expect(body.created).toHaveLength(wrong.length + 1);
    expect(
      body.errors.map(({ index, error, details }) => [index, error, [...new Set(details.map(fieldOf))].toSorted()]),
    ).toEqual(wrong.map(([, error, fields], position) => [2 * position + 1, error, fields]));
  });

  test("is the second of two with the same slug, in any case", async () => {
    const { body } = await create([
      { defaultUrl, slug: "Twice", title: "first" },
      { defaultUrl, slug: "tWICE", title: "second" },
      { defaultUrl, slug: "twice", pathPrefix: "elsewhere" },
    ]);
    expect(body.created.map(({ title }) => title)).toEqual(["first", undefined]);
    expect(body.errors).toEqual([
      { index: 1, error: "This slug is already used on its domain", details: ["slug: already in use"] },
    ]);
  });

  test("has at most twenty short details, so that the response is no larger than the request", async () => {
    const faulty = { defaultUrl, ["k".repeat(5_000)]: Array(30).fill("\0") };
    const { status, body } = await create(Array(100).fill(faulty));
    expect([status, body.errors.length, body.errors[0]?.details.length]).toEqual([200, 100, 20]);
    expect(JSON.stringify(body).length).toBeLessThan(1024 * 1024);
  });

  test("is reported with 200 even if every item fails", async () => {
    const { status, body } = await create([{}, { defaultUrl: 5 }]);
    expect([status, body.created, body.errors.map(({ index }) => index)]).toEqual([200, [], [0, 1]]);
  });

  test("over the plan's limit is reported; earlier ones are created, and invalid ones do not count", async () => {
    const bob = await service.register();
    await setPlan(bob.orgId, "free");
    await sql`insert into links (id, org_id, domain_id, slug, slug_key, default_url)
      select gen_random_uuid(), ${bob.orgId}, d.id, 'full-' || n, 'full-' || n, ${defaultUrl}
      from generate_series(1, 997) n, domains d where d.org_id is null`;
    const { body } = await create([{ defaultUrl }, {}, { defaultUrl }, { defaultUrl }, { defaultUrl }, {}], bob);
    expect(body.created).toHaveLength(3);
    expect(body.errors.map(({ index, error }) => [index, error])).toEqual([
      [1, "The request has invalid fields"],
      [4, "The plan free allows 1,000 links; remove some or choose another plan"],
      [5, "The request has invalid fields"],
    ]);
    expect(await linkCount(bob.orgId)).toBe(1_000);
  });
});

describe("a link created in bulk", () => {
  test("is like one created singly: record, revision, audit entry, and served immediately", async () => {
    const input = {
      defaultUrl,
      title: "Title",
      pathPrefix: "de",
      rules: [{ destinationUrl: "https://example.com/ios", conditions: { platform: ["ios" as const] } }],
      deepLinkPayload: { "line\nbreak": [1] },
      utm: { source: "a" },
      tags: [" a ", "a"],
      maxClicks: 5,
    };
    const single = await service.createLink(ada, { ...input, slug: "alone" });
    const { body } = await create([{ ...input, slug: "of-many", unknown: 1, isVerified: true, clickCount: 7 }]);
    const [link] = body.created;
    const own = {
      _id: link?._id,
      slug: "of-many",
      createdAt: link?.createdAt,
      updatedAt: link?.updatedAt,
      safety: link?.safety,
    };
    expect(link).toEqual({ ...single, ...own, shortUrl: single.shortUrl.replace("alone", "of-many") } as typeof single);
    expect((await service.visit("/de/of-many")).headers.get("location")).toBe(`${defaultUrl}?utm_source=a`);
    for (const table of ["link_revisions", "audit_logs"]) {
      const column = table === "audit_logs" ? sql`resource_id` : sql`link_id`;
      const shape = async (id: string) =>
        (await sql`select * from ${sql(table)} where ${column} = ${id}`).map((row) =>
          JSON.stringify({ ...row, id: 0, resource_id: 0, link_id: 0, changed_at: 0, created_at: 0 }).replaceAll(
            "of-many",
            "alone",
          ),
        );
      expect(await shape(String(link?._id))).toEqual(await shape(single._id));
      expect(await shape(single._id)).toHaveLength(1);
    }
  });

  test("is served immediately at an address that returned 404", async () => {
    expect((await service.visit("/not-yet")).status).toBe(404);
    await create([{ defaultUrl, slug: "not-yet" }]);
    expect((await service.visit("/not-yet")).status).toBe(302);
  });

  test("can have a password, as can all of them, while sign-ins still succeed", async () => {
    const [{ body }, signedIn] = await Promise.all([
      create(many(12, { password: "open sesame" })),
      call("POST", "/api/v1/auth/login", { body: { email: ada.email, password: ada.password } }),
    ]);
    expect([body.errors, signedIn.status]).toEqual([[], 200]);
    expect(body.created.every(({ passwordProtected }) => passwordProtected)).toBe(true);
    expect(JSON.stringify(body)).not.toContain("argon2");
  });
});

test("a hundred links are created in one request, each once and in order", async () => {
  const before = await linkCount();
  const { status, body } = await create(many(100));
  expect([status, body.errors]).toEqual([200, []]);
  expect(body.created.map(({ defaultUrl }) => defaultUrl)).toEqual(many(100).map(({ defaultUrl }) => defaultUrl));
  expect(await linkCount()).toBe(before + 100);
});

test("the links of a request are created in one transaction", async () => {
  const { body } = await create(many(3));
  const rows = await sql`select distinct xmin::text from links where id in ${sql(body.created.map(({ _id }) => _id))}`;
  expect(rows).toHaveLength(1);
});

test("two simultaneous requests with the same slugs create each once, even in opposite order", async () => {
  const links = Array.from({ length: 20 }, (_, index) => ({ defaultUrl, slug: `raced-${index}` }));
  const replies = await Promise.all([create(links), create(links.toReversed())]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const slugs = replies.flatMap(({ body }) => body.created.map(({ slug }) => slug));
  expect(slugs.toSorted()).toEqual(links.map(({ slug }) => slug).toSorted());
  expect(replies.flatMap(({ body }) => body.errors)).toHaveLength(20);
});

describe("an internal error", () => {
  const poison = (title: string, code: string) =>
    sql.unsafe(`
      create or replace function poison() returns trigger language plpgsql as $$
      begin if new.title = '${title}' then raise exception 'poisoned' using errcode = '${code}'; end if; return new; end $$;
      create or replace trigger poison before insert on links for each row execute function poison()`);
  const title = "poison";

  test("for one link does not affect the others, and is logged with the request's id", async () => {
    await poison(title, "P0001");
    const { status, headers, body } = await create([{ defaultUrl }, { defaultUrl, title }, { defaultUrl }]);
    expect([status, body.created.length]).toEqual([200, 2]);
    expect(body.errors).toEqual([{ index: 1, error: expect.stringContaining("our side"), details: [] }]);
    expect(JSON.stringify(body)).not.toContain("poisoned");
    await Bun.sleep(1);
    const line = service
      .logged()
      .split("\n")
      .find((text) => text.includes("could not create a link of a bulk request"));
    expect(line).toContain(String(headers.get("x-request-id")));
  });

  test("returns 503 and creates no link if the database goes away midway", async () => {
    await poison(title, "57P01");
    const before = await linkCount();
    expectFailure(await create([{ defaultUrl }, {}, { defaultUrl, title }, { defaultUrl }]), 503);
    expect(await linkCount()).toBe(before);
  });

  test("returns 503 if the database goes away before any link is created", async () => {
    await poison(title, "57P01");
    expectFailure(await create([{}, { defaultUrl, title }, { defaultUrl }]), 503);
  });
});

const fieldOf = (detail: string): string => detail.split(": ", 1).join();
