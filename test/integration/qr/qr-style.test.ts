/** Proposals for the look of a QR code: what they are based on, and that their query is valid as returned. */
import { beforeEach, describe, expect, test } from "bun:test";
import { addDomain, addMember, tableState } from "@test/support/accounts/tenants";
import { dataOf, readPicture } from "@test/support/browser/qr-reader";
import { expectFailure } from "@test/support/failure";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import sharp from "sharp";
import { type QrCodeResponse, QrStyleInput, type QrStyleResponse } from "@/contract/links/qr";

const NOW = Date.UTC(2026, 5, 10, 12);
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" }, clock: () => NOW });
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const { token } = await addMember(service, ada.orgId, "viewer");
const apiKey = await service.createApiKey(ada, ["qr:read"]);
const link = await service.createLink(ada, {
  defaultUrl: "https://example.com/",
  slug: "spring",
  title: "Spring sale",
});
const path = (id = link._id) => `${home}/links/${id}/qrcode`;

const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#f00" } })
  .png()
  .toBuffer();
let status = 200;
const site = startSite(() => new Response(new Uint8Array(red), { status, headers: { "content-type": "image/png" } }));

const brand = (branding: object) => service.call("PATCH", home, { token: ada.token, body: { branding } });
beforeEach(async () => {
  status = 200;
  await brand({});
});

const propose = async (body: QrStyleInput, id?: string) =>
  (await service.call<QrStyleResponse>("POST", `${path(id)}/style`, { token, body })).body;

describe("400", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `${path()}/style`,
    schema: QrStyleInput,
    valid: {
      ...{ campaignName: "Spring sale", source: "newsletter", channel: "print", theme: "warm" },
      ...{ placement: "poster", accentColor: "#1f4fd8", includeLogo: false },
    },
    credentials: { token },
  });

  test.each(["red", "1f4fd8", "#1f4fd", "#1f4fd8ff", "", " #abc"])("the accent colour %j", async (accentColor) => {
    expectFailure(await service.call("POST", `${path()}/style`, { token, body: { accentColor } }), 400, [
      "accentColor",
    ]);
  });
});

describe("404", () => {
  test.each([Bun.randomUUIDv7(), "none"])("the link %s", async (id) => {
    expectFailure(await service.call("POST", `${path(id)}/style`, { token, body: {} }), 404);
  });
});

describe("200", () => {
  test("the full proposal, without writing anything", async () => {
    await brand({ accentColor: "#1f4fd8" });
    const before = await tableState(service.sql);
    const body = await propose({ campaignName: "Easter", theme: "bold", placement: "poster" });
    const { swatches, rationale, ...rest } = body;
    expect(rest).toEqual({
      generatedAt: "2026-06-10T12:00:00.000Z",
      link: { _id: link._id, title: "Spring sale", slug: "spring", shortUrl: link.shortUrl },
      style: {
        name: "Easter, poster",
        darkColor: "#1f4fd8",
        lightColor: "#ffffff",
        includeLogo: false,
        errorCorrectionLevel: "Q",
        margin: 4,
        width: 2048,
        formatRecommendation: "pdf",
        query: "format=pdf&dark=%231f4fd8&light=%23ffffff&width=2048",
      },
      confidence: 100,
      warnings: [],
    });
    expect(swatches[0]).toEqual({ name: "Proposed", darkColor: "#1f4fd8", lightColor: "#ffffff", contrast: 6.62 });
    expect(rationale.length).toBeGreaterThan(2);
    expect(await propose({ campaignName: "Easter", theme: "bold", placement: "poster" })).toEqual(body);
    expect(await tableState(service.sql)).toEqual(before);
  });

  test.each<[string, QrStyleInput]>([
    ["nothing", {}],
    ["an accent too light", { accentColor: "#ffe600", theme: "pastel" }],
    ["a sticker at night", { theme: "night", placement: "sticker" }],
    ["a mail with the logo", { placement: "email", includeLogo: true }],
    ["a billboard with the logo", { placement: "billboard", includeLogo: true, accentColor: "#0f0" }],
  ])("the query for %s works by both doors", async (_, input) => {
    await brand({ logoUrl: `${site.url}/logo.png?a=b&c`, accentColor: "#f472b6" });
    const { style } = await propose(input);
    expect(style.includeLogo).toBe(input.includeLogo === true);
    const bySession = await service.call<QrCodeResponse>("GET", `${path()}?${style.query}`, { token });
    const byKey = await service.call("GET", `/api/v1/links/${link._id}/qrcode?${style.query}`, { apiKey });
    expect([bySession.status, byKey.status]).toEqual([200, style.formatRecommendation === "png" ? 200 : 206]);
    const { type, bytes } = dataOf(bySession.body.qrCodeDataUrl);
    expect(type).toContain(style.formatRecommendation);
    if (type !== "application/pdf") expect(await readPicture(bytes)).toBe(link.shortUrl);
  });

  test("null counts as absent", async () => {
    const nulls = { campaignName: null, source: null, channel: null, theme: null, placement: null };
    expect(await propose({ ...nulls, accentColor: null, includeLogo: null })).toEqual(await propose({}));
  });

  test.each<[string, object, number]>([
    ["there is none", {}, 200],
    ["it cannot be had", { logoUrl: `${site.url}/gone.png` }, 404],
  ])("a logo is left out with a warning where %s", async (_, branding, answered) => {
    status = answered;
    await brand(branding);
    const { style, warnings } = await propose({ includeLogo: true });
    expect(style).toMatchObject({ includeLogo: false, errorCorrectionLevel: "M" });
    expect(style.query).not.toContain("logo");
    expect(warnings).toEqual([expect.stringContaining("logo")]);
  });

  test("a logo requires the highest error correction", async () => {
    await brand({ logoUrl: `${site.url}/logo.png` });
    expect((await propose({ includeLogo: true })).style).toMatchObject({
      includeLogo: true,
      errorCorrectionLevel: "H",
    });
  });

  test("warnings for a link that does not redirect, or not for long", async () => {
    const { _id } = await service.createLink(ada, {
      ...{ defaultUrl: "https://example.com/", isActive: false, startsAt: "2026-07-01T00:00:00Z" },
      ...{ expiresAt: "2026-08-01T00:00:00Z", maxClicks: 5, password: "open sesame" },
    });
    await service.sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${_id}`;
    const { warnings } = await propose({}, _id);
    for (const word of ["not active", "starts", "2026-08-01", "5 visits", "unsafe", "password"])
      expect(warnings.join(" ")).toContain(word);
    await service.sql`update links set expires_at = '2026-06-01T00:00:00Z' where id = ${_id}`;
    expect((await propose({}, _id)).warnings.join(" ")).toContain("has expired");
    await service.sql`update links set expired_url = 'https://example.com/over' where id = ${_id}`;
    expect((await propose({}, _id)).warnings).toContain(
      "The link has expired: its code leads to https://example.com/over now.",
    );
  });

  test("warnings for a link whose visits are used up, and for a domain that is no longer verified", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "print.ada.test" });
    const { _id } = await service.createLink(ada, { domainId, defaultUrl: "https://example.com/", maxClicks: 1 });
    expect((await propose({}, _id)).warnings).toEqual(["The link stops working after 1 visit."]);
    await service.sql`insert into link_admissions (link_id, org_id, admitted) values (${_id}, ${ada.orgId}, 1)`;
    expect((await propose({}, _id)).warnings).toEqual([
      "The link has had its last visit: its code no longer leads to its destination.",
    ]);
    await service.sql`update domains set is_verified = false where id = ${domainId}`;
    expect((await propose({}, _id)).warnings).toContain(
      "The link's domain is not verified: its code does not lead to its destination.",
    );
  });

  test("the smallest proposed size suffices for a long short URL", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "長".repeat(190) });
    const { style } = await propose({ placement: "email" }, _id);
    expect((await service.call("GET", `${path(_id)}?${style.query}`, { token })).status).toBe(200);
  });
});
