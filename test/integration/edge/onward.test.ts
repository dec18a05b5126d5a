/** Where visitors go who are turned away: by the link that has ended, and by the domain they came to. */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link, LinkInput, LinkUpdate } from "@/contract/links/links";

const START = Date.parse("2026-06-01T12:30:00.000Z");
const COUNTED_MS_MAX = 30_000;
const PERSON =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FORM = "application/x-www-form-urlencoded";
const OVER = "https://example.com/sale-is-over?from=waymark#top";

let now = START;
const service = await startTestService({ clock: () => now });
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const defaultUrl = "https://example.com/";
const past = new Date(START - 1000).toISOString();

const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const update = (link: Link, body: LinkUpdate) =>
  service.call<Link>("PATCH", `${home}/links/${link._id}`, { token: ada.token, body });
const preview = async (body: object) =>
  (await service.call<LinkPreview>("POST", `${home}/links/preview`, { token: ada.token, body })).body;

async function answer(url: string, init: RequestInit = {}) {
  const headers = { "user-agent": PERSON, accept: "text/html", ...init.headers };
  const response = await fetch(url, { redirect: "manual", ...init, headers });
  return { status: response.status, location: response.headers.get("location"), headers: response.headers };
}
const to = (location: string, status = 302) => expect.objectContaining({ status, location });

async function untilUnserved({ orgId, token }: Account, query: string, total: number): Promise<UnservedVisits> {
  for (const end = performance.now() + COUNTED_MS_MAX; ; await Bun.sleep(50)) {
    const path = `/api/v1/organizations/${orgId}/analytics/unserved?${query}`;
    const { body } = await service.call<UnservedVisits>("GET", path, { token });
    if (body.total >= total) return body;
    if (performance.now() > end) throw new Error(`${total} visits were not counted`);
  }
}

describe("expiredUrl", () => {
  test("takes everyone from that very millisecond on, exactly as it is written", async () => {
    const expiresAt = START + 5000;
    const link = await create({
      expiresAt: new Date(expiresAt).toISOString(),
      expiredUrl: OVER,
      utm: { source: "tv" },
    });
    now = expiresAt - 1;
    expect(await answer(link.shortUrl)).toEqual(to(`${defaultUrl}?utm_source=tv`));
    now = expiresAt;
    const gone = await answer(`${link.shortUrl}?pw=secret&utm_source=mail`);
    expect(gone).toEqual(to(OVER));
    expect(gone.headers.get("cache-control")).toBe("private, no-store");
    expect(gone.headers.get("x-robots-tag")).toBe("noindex");
    const askers: RequestInit[] = [
      { method: "HEAD" },
      { headers: { accept: "application/json" } },
      { headers: { "user-agent": "curl/8.0" } },
    ];
    for (const init of askers) {
      expect(await answer(link.shortUrl, init)).toEqual(to(OVER));
    }
    const form = { method: "POST", body: "password=open", headers: { "content-type": FORM } };
    expect(await answer(link.shortUrl, form)).toEqual(to(OVER, 303));
    expect((await answer(link.shortUrl, { method: "DELETE" })).status).toBe(410);
    now = START;
  });

  test("takes whoever comes after the last place of maxClicks", async () => {
    const link = await create({ maxClicks: 1, expiredUrl: OVER });
    expect(await answer(link.shortUrl)).toEqual(to(defaultUrl));
    expect(await answer(link.shortUrl)).toEqual(to(OVER));
  });

  test("is changed and cleared at once, with its revision", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    expect(link.expiredUrl).toBe(OVER);
    expect(await answer(link.shortUrl)).toEqual(to(OVER));
    expect((await update(link, { expiredUrl: "HTTPS://Example.com/ünder" })).body.expiredUrl).toBe(
      "https://example.com/%C3%BCnder",
    );
    expect(await answer(link.shortUrl)).toEqual(to("https://example.com/%C3%BCnder"));
    expect((await update(link, { expiredUrl: null })).body).not.toContainKey("expiredUrl");
    expect((await answer(link.shortUrl)).status).toBe(410);
    const history = `${home}/links/${link._id}/revisions`;
    const { body } = await service.call<{ revisions: { changes: unknown[] }[] }>("GET", history, { token: ada.token });
    expect(body.revisions[0]?.changes).toEqual([
      { field: "expiredUrl", from: "https://example.com/%C3%BCnder", to: null },
    ]);
  });

  test("leaves every other refusal as it is: off, not started, unsafe, a wrong password", async () => {
    const input = { expiresAt: past, expiredUrl: OVER };
    const [off, unsafe] = [await create(input), await create(input)];
    await update(off, { isActive: false });
    await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${unsafe._id}`;
    const early = await create({ startsAt: new Date(START + 1000).toISOString(), expiredUrl: OVER });
    const locked = await create({ password: "open sesame", expiredUrl: OVER });
    const statuses = [];
    for (const link of [off, unsafe, early, locked]) statuses.push((await answer(link.shortUrl)).status);
    expect(statuses).toEqual([404, 403, 404, 403]);
  });

  test("is told by preview, and is none of resolve's business", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    expect(await preview({ slug: link.slug })).toMatchObject({ ok: false, blockers: ["expired"], blockedUrl: OVER });
    expect(await preview({ slug: link.slug, now: "2020-01-01" })).toMatchObject({ ok: true, blockedUrl: null });
    const { status } = await service.call("GET", `/api/v1/resolve?domain=${service.host}&slug=${link.slug}`);
    expect(status).toBe(410);
  });

  test("is no click, and counts as unserved", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    for (let times = 0; times < 3; times++) await answer(link.shortUrl);
    const { byReason } = await untilUnserved(ada, `linkId=${link._id}`, 3);
    expect(byReason).toEqual([{ reason: "expired", status: 410, count: 3 }]);
    await update(link, { expiresAt: null });
    await answer(link.shortUrl);
    const clicks = async () =>
      (await service.call<Link>("GET", `${home}/links/${link._id}`, { token: ada.token })).body.clickCount;
    for (const end = performance.now() + COUNTED_MS_MAX; (await clicks()) === 0; await Bun.sleep(50)) {
      if (performance.now() > end) throw new Error("The click was not counted");
    }
    expect(await clicks()).toBe(1);
  });

  test.each([
    ["no URL", "ftp://example.com/"],
    ["a script", "javascript:alert(1)"],
    ["with a password", "https://ada:secret@example.com/"],
  ])("400 for %s", async (_, expiredUrl) => {
    expectFailure(
      await service.call("POST", `${home}/links`, { token: ada.token, body: { defaultUrl, expiredUrl } }),
      400,
      ["expiredUrl"],
    );
  });

  test("400 for the link's own short URL", async () => {
    const link = await create({ slug: "circle" });
    expectFailure(await update(link, { expiredUrl: `${link.shortUrl}?again` }), 400, ["expiredUrl"]);
    const body = { defaultUrl, slug: "round", expiredUrl: link.shortUrl.replace("circle", "ROUND") };
    expectFailure(await service.call("POST", `${home}/links`, { token: ada.token, body }), 400, ["expiredUrl"]);
  });
});
