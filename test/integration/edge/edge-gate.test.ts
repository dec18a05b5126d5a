import { describe, expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";
import { LEAD_BYTES_MAX } from "@/core/pages/lead-form";

const START = Date.parse("2026-06-01T12:00:00.000Z");
let now = START;
const service = await startTestService({ clock: () => now });
const { sql, visit } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const json = { accept: "application/json" };

const at = async (time: number, link: Link): Promise<number> => {
  now = time;
  const { status } = await visit(link, json);
  now = START;
  return status;
};
const iso = (time: number) => new Date(time).toISOString();

/**
 * All ways to ask whether a link serves: as a visitor, as an app through both forms of resolve, and by the owner's
 * preview.
 */
const doors: [name: string, ask: (link: Link) => Promise<boolean | number>][] = [
  ["a redirect", async (link) => (await visit(link, json)).status],
  [
    "resolve",
    async ({ slug }) => (await service.call("GET", `/api/v1/resolve?domain=${service.host}&slug=${slug}`)).status,
  ],
  [
    "resolve by HEAD",
    async ({ slug }) => (await service.call("HEAD", `/api/v1/resolve?domain=${service.host}&slug=${slug}`)).status,
  ],
  [
    "preview",
    async ({ slug }) => {
      const path = `/api/v1/organizations/${ada.orgId}/links/preview`;
      return (await service.call("POST", path, { token: ada.token, body: { slug } })).body.ok === true;
    },
  ],
];

describe("to the millisecond, on a cached link,", () => {
  const T = START + 5000;
  const times = [T - 1, T, T + 1];
  const asked = async (ask: (link: Link) => Promise<boolean | number>, link: Link) => {
    const heard = [];
    for (const time of times) {
      now = time;
      heard.push(await ask(link));
    }
    now = START;
    return heard;
  };
  const yes = (name: string) => (name === "preview" ? true : name === "a redirect" ? 302 : 200);
  const no = (name: string, status: number) => (name === "preview" ? false : status);

  test.each(doors)("%s starts working at startsAt", async (name, ask) => {
    const link = await create({ startsAt: iso(T) });
    await visit(link, json);
    expect(await asked(ask, link)).toEqual([no(name, 404), yes(name), yes(name)]);
  });

  test.each(doors)("%s stops working at expiresAt", async (name, ask) => {
    const link = await create({ expiresAt: iso(T) });
    await visit(link, json);
    expect(await asked(ask, link)).toEqual([yes(name), no(name, 410), no(name, 410)]);
  });

  test.each(doors)("%s works for the one millisecond between startsAt and expiresAt", async (name, ask) => {
    const link = await create({ startsAt: iso(T), expiresAt: iso(T + 1) });
    await visit(link, json);
    expect(await asked(ask, link)).toEqual([no(name, 404), yes(name), no(name, 410)]);
  });

  test("a redirect with a password and maxClicks starts and stops working too", async () => {
    const guarded = { password: "open sesame", maxClicks: 100 };
    const by = async ({ slug }: Link) => (await visit(`/${slug}?pw=open+sesame`, json)).status;
    const [starting, ending] = [
      await create({ ...guarded, startsAt: iso(T) }),
      await create({ ...guarded, expiresAt: iso(T) }),
    ];
    await visit(starting, json);
    await visit(ending, json);
    expect([await asked(by, starting), await asked(by, ending)]).toEqual([
      [404, 302, 302],
      [302, 410, 410],
    ]);
  });
});

describe("time", () => {
  test("404 until the link starts, 302 from that millisecond on", async () => {
    const startsAt = START + 5000;
    const link = await create({ startsAt: iso(startsAt) });
    expect(await at(START, link)).toBe(404);
    expect(await at(startsAt - 1, link)).toBe(404);
    expect(await at(startsAt, link)).toBe(302);
    expect(await at(startsAt + 1, link)).toBe(302);
  });

  test("302 until the link expires, 410 from that millisecond on", async () => {
    const expiresAt = START + 5000;
    const link = await create({ expiresAt: iso(expiresAt) });
    expect(await at(START, link)).toBe(302);
    expect(await at(expiresAt - 1, link)).toBe(302);
    expect(await at(expiresAt, link)).toBe(410);
    expect(await at(expiresAt + 1, link)).toBe(410);
  });

  test("expiresAt may be written with a UTC offset", async () => {
    const link = await create({ expiresAt: "2026-06-01T14:30:00.250+02:30" });
    expect(await at(START + 249, link)).toBe(302);
    expect(await at(START + 250, link)).toBe(410);
  });

  test("a changed expiry applies immediately", async () => {
    const link = await create({ expiresAt: iso(START + 1000) });
    expect(await at(START + 2000, link)).toBe(410);
    const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
    await service.call("PATCH", path, { token: ada.token, body: { expiresAt: iso(START + 3000) } });
    expect(await at(START + 2000, link)).toBe(302);
    await service.call("PATCH", path, { token: ada.token, body: { expiresAt: null } });
    expect(await at(START + 9e9, link)).toBe(302);
  });
});

/** What keeps a visitor out, in order of precedence. Tests apply one, or one and all that follow it. */
const hurdles: [name: string, status: number, error: string, input: Partial<LinkInput>, isUnsafe?: boolean][] = [
  ["inactive", 404, "This link does not exist", { isActive: false }],
  ["unsafe", 403, "This link is blocked because its destination is unsafe", {}, true],
  ["not started", 404, "This link does not exist", { startsAt: iso(START + 1000) }],
  ["expired", 410, "This link has expired", { expiresAt: iso(START - 1000) }],
  ["used up", 410, "This link has reached its limit of visits", { maxClicks: 1 }],
  ["without its password", 403, "This link requires a password", { password: "open sesame" }],
];

async function hurdled(from: number, to: number): Promise<Link> {
  const chosen = hurdles.slice(from, to);
  const input = Object.assign({}, ...chosen.map(([, , , fields]) => fields));
  // The API refuses a link that is both not started and expired, but time can produce one.
  const { startsAt, ...rest } = input.startsAt && input.expiresAt ? input : { ...input, startsAt: undefined };
  const link = await create(startsAt ? rest : input);
  if (startsAt) await sql`update links set starts_at = ${startsAt} where id = ${link._id}`;
  if (chosen.some(([, , , , isUnsafe]) => isUnsafe)) {
    await sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${link._id}`;
  }
  if (input.maxClicks) {
    await sql`insert into link_admissions (link_id, org_id, admitted) select id, org_id, 1 from links where id = ${link._id}`;
  }
  return link;
}

describe("a link that is", () => {
  test.each(hurdles.map(([name, status, error], index) => [name, status, error, index] as const))(
    "%s answers %i: %s",
    async (_, status, error, index) => {
      const response = await visit(await hurdled(index, index + 1), json);
      expect([response.status, await response.json()]).toEqual([status, { error }]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    },
  );

  test.each(hurdles.map(([name, status, error], index) => [name, status, error, index] as const))(
    "%s answers that (%i, %s) before anything that comes later",
    async (_, status, error, index) => {
      const response = await visit(await hurdled(index, hurdles.length), json);
      expect([response.status, await response.json()]).toEqual([status, { error }]);
    },
  );

  test("blocked for all these reasons lists them all in preview, in that order", async () => {
    const link = await hurdled(0, hurdles.length);
    const preview = await service.call<{ ok: boolean; blockers: string[] }>(
      "POST",
      `/api/v1/organizations/${ada.orgId}/links/preview`,
      { token: ada.token, body: { slug: link.slug } },
    );
    expect(preview.body.ok).toBe(false);
    expect(preview.body.blockers).toEqual([
      "inactive",
      "unsafe",
      "not_started",
      "expired",
      "max_clicks_reached",
      "password_required",
    ]);
  });
});

describe("a hidden link looks like an unknown one", () => {
  const asked: Partial<LinkInput>[] = [{}, { password: "open sesame" }, { leadCapture: { enabled: true } }];
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test.each(["GET", "POST", "PUT", "DELETE", "OPTIONS"])("to %s", async (method) => {
    const body = method === "POST" ? `a=${"b".repeat(LEAD_BYTES_MAX)}` : undefined;
    const ask = async (url: string) => {
      const response = await fetch(url, { method, headers: { ...json, ...form }, body, redirect: "manual" });
      return [response.status, response.headers.get("allow"), await response.text()];
    };
    const nothing = await ask(`${service.url}/nothing-is-here`);
    expect(nothing[0]).toBe(404);
    for (const input of asked) {
      for (const hidden of [{ isActive: false }, { startsAt: iso(START + 1000) }]) {
        expect(await ask((await create({ ...input, ...hidden })).shortUrl)).toEqual(nothing);
      }
    }
  });
});

describe("405", () => {
  test.each<[string, Partial<LinkInput>, string]>([
    ["a link without a form", {}, "GET, HEAD"],
    ["a link with a page but no form", { ctaOverlay: { enabled: true, message: "Hello" } }, "GET, HEAD"],
    ["a link with a password", { password: "open sesame" }, "GET, HEAD, POST"],
    ["a link with a form", { leadCapture: { enabled: true } }, "GET, HEAD, POST"],
  ])("names the methods of %s", async (_, input, allow) => {
    const { shortUrl } = await create(input);
    const response = await fetch(shortUrl, { method: "PUT", redirect: "manual" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });
});

test("refusal pages show the same message as the JSON error", async () => {
  for (const [index, [, status, error]] of hurdles.slice(0, 5).entries()) {
    const response = await visit(await hurdled(index, index + 1), { accept: "text/html" });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(error);
  }
});

test("links with the safety status safe, suspicious or unknown are served", async () => {
  for (const status of ["safe", "suspicious", "unknown"]) {
    const link = await create({});
    await sql`update links set safety = ${JSON.stringify({ status, reasons: [] })} where id = ${link._id}`;
    expect((await visit(link)).status).toBe(302);
  }
});
