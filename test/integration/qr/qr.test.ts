/**
 * QR codes through both routes: what is refused, the format of each response, and that an independent reader reads
 * them all.
 */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { dataOf, readPicture, startPdfReader } from "@test/support/browser/qr-reader";
import { expectFailure } from "@test/support/failure";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import sharp from "sharp";
import type { QrCodeResponse } from "@/contract/links/qr";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const red = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#f00" } })
  .png()
  .toBuffer();
const site = startSite(() => new Response(new Uint8Array(red), { headers: { "content-type": "image/png" } }));
const { sql } = service;
const ada = await service.register();
const { token } = await addMember(service, ada.orgId, "viewer");
const apiKey = await service.createApiKey(ada, ["qr:read"]);
const link = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "früh-ling" });
const long = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "長".repeat(100) });
const longest = await service.createLink(ada, {
  defaultUrl: "https://example.com/",
  slug: "長".repeat(190),
  pathPrefix: "長".repeat(180),
});
const home = `/api/v1/organizations/${ada.orgId}/links`;

const doors = [
  ["an API key", (query: string, id = link._id) => `/api/v1/links/${id}/qrcode${query}`, { apiKey }],
  ["a session", (query: string, id = link._id) => `${home}/${id}/qrcode${query}`, { token }],
] as const;

const ask = (query: string, id = link._id) =>
  service.call<QrCodeResponse>("GET", `${home}/${id}/qrcode${query}`, { token });
const askFile = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/v1/links/${link._id}/qrcode${query}`, {
    headers: { authorization: `ApiKey ${apiKey}`, ...headers },
  });
const drawn = async (query: string, id = link._id) => dataOf((await ask(query, id)).body.qrCodeDataUrl);

describe.each(doors)("400 to %s", (_, path, credentials) => {
  test.each([
    ["another format", "?format=gif", "format"],
    ["a format in capitals", "?format=PNG", "format"],
    ["no colour", "?dark=red", "dark"],
    ["a colour cut off at its #", "?dark=", "dark"],
    ["a colour with opacity", "?light=%23ffffff80", "light"],
    ["markup", '?dark="/><script>', "dark"],
    ["too narrow", "?width=63", "width"],
    ["too wide", "?width=4097", "width"],
    ["no number", "?width=wide", "width"],
    ["low contrast", "?dark=%23959595", "dark"],
    ["low contrast by the ground alone", "?light=%23444", "light"],
    ["one colour", "?dark=fff&light=fff", "dark"],
    ["inverted colours", "?dark=fff&light=000", "dark"],
    ["an empty logo", "?logo=", "logo"],
  ])("%s", async (_, query, field) => {
    expectFailure(await service.call("GET", path(query), credentials), 400, [field]);
  });

  test("a PNG too small for the code's modules, but not an SVG", async () => {
    const refused = await service.call("GET", path("?width=64", long._id), credentials);
    expectFailure(refused, 400, ["width"]);
    const [needed] = /\d+/.exec(JSON.stringify(refused.body.details)) ?? [];
    expect((await service.call("GET", path(`?width=${needed}`, long._id), credentials)).status).toBe(200);
    expect((await service.call("GET", path("?width=64&format=svg", long._id), credentials)).status).toBeLessThan(300);
  });

  test("a short URL too long for any QR code", async () => {
    expectFailure(await service.call("GET", path("", longest._id), credentials), 400, ["linkId"]);
  });
});

describe("403 and 404", () => {
  test("an API key without the scope", async () => {
    const other = await service.createApiKey(ada, ["links:read", "links:write", "events:write"]);
    expectFailure(await service.call("GET", `/api/v1/links/${link._id}/qrcode`, { apiKey: other }), 403);
  });

  test.each(doors)("an unknown, an invalid and a deleted link, to %s", async (_, path, credentials) => {
    const gone = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    await service.call("DELETE", `${home}/${gone._id}`, { token: ada.token });
    for (const id of [Bun.randomUUIDv7(), "none", "%00", gone._id]) {
      expectFailure(await service.call("GET", path("", id), credentials), 404);
    }
  });

  test.each(doors)("another organization's link to %s", async (_, path, credentials) => {
    const eve = await service.register();
    const hers = await service.createLink(eve, { defaultUrl: "https://example.com/" });
    expectFailure(await service.call("GET", path("", hers._id), credentials), 404);
  });
});

describe("200", () => {
  test.each(doors)("a PNG of 512 pixels by default, to %s", async (_, path, credentials) => {
    const { status, body } = await service.call<QrCodeResponse>("GET", path(""), credentials);
    expect({ status, keys: Object.keys(body), shortUrl: body.shortUrl }).toEqual({
      status: 200,
      keys: ["qrCodeDataUrl", "shortUrl"],
      shortUrl: link.shortUrl,
    });
    const { type, bytes } = dataOf(body.qrCodeDataUrl);
    const { width, height, format } = await sharp(bytes).metadata();
    expect({ type, width, height, format }).toEqual({ type: "image/png", width: 512, height: 512, format: "png" });
    expect(await readPicture(bytes)).toBe(link.shortUrl);
  });

  test.each([
    ["svg", "image/svg+xml"],
    ["pdf", "application/pdf"],
  ])("%s as a data URL of its type to a session", async (format, type) => {
    expect((await drawn(`?format=${format}`)).type).toBe(type);
  });

  test("a code for a link in any state", async () => {
    const { _id, shortUrl } = await service.createLink(ada, {
      defaultUrl: "https://example.com/",
      isActive: false,
      expiresAt: "2020-01-01T00:00:00Z",
      maxClicks: 1,
      password: "open sesame",
    });
    await sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${_id}`;
    expect(await readPicture((await drawn("", _id)).bytes)).toBe(shortUrl);
  });

  test("the same bytes for the same request", async () => {
    for (const format of ["png", "svg", "pdf"]) {
      expect(await drawn(`?format=${format}`)).toEqual(await drawn(`?format=${format}`));
    }
  });

  test("colours with and without #, with three digits and with six", async () => {
    const pictures = await Promise.all(["%231144cc", "1144CC", "%2314c", "14c"].map((dark) => drawn(`?dark=${dark}`)));
    for (const { bytes } of pictures) expect(bytes.equals(pictures[0]?.bytes ?? Buffer.of())).toBe(true);
  });

  test("logo=none, by either name or both", async () => {
    const plain = await drawn("");
    for (const query of ["?logo=none", "?logoUrl=none", "?logo=none&logoUrl=none"]) {
      expect(await drawn(query)).toEqual(plain);
    }
  });

  test("a sharp image: only the two colours, and a quiet zone of at least four modules", async () => {
    const { bytes } = await drawn("?dark=1f4fd8&light=fff7ed&width=1000");
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const colours = new Set<string>();
    let [first, last] = [info.width, 0];
    for (let at = 0; at < data.length; at += info.channels) {
      const colour = data.toString("hex", at, at + 3);
      colours.add(colour);
      const x = (at / info.channels) % info.width;
      if (colour === "1f4fd8") [first, last] = [Math.min(first, x), Math.max(last, x)];
    }
    expect([...colours].sort()).toEqual(["1f4fd8", "fff7ed"]);
    // The finder pattern in the corner begins with seven dark modules.
    const row = data.subarray(first * info.width * info.channels);
    let wide = 0;
    while (row.toString("hex", (first + wide) * info.channels, (first + wide) * info.channels + 3) === "1f4fd8") wide++;
    expect(wide % 7).toBe(0);
    for (const quiet of [first, info.width - 1 - last]) expect(quiet).toBeGreaterThanOrEqual((4 * wide) / 7);
  });
});

describe("206 to an API key", () => {
  test.each(["svg", "pdf"])("a complete %s, whatever range is requested", async (format) => {
    for (const headers of [{}, { range: "bytes=5-9" }] as Record<string, string>[]) {
      const response = await askFile(`?format=${format}`, headers);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(206);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/octet-stream",
        "content-range": `bytes 0-${bytes.length - 1}/${bytes.length}`,
        "content-length": String(bytes.length),
        "content-disposition": `attachment; filename="qr-fr_h-ling.${format}"; filename*=UTF-8''qr-fr%C3%BCh-ling.${format}`,
        "x-content-type-options": "nosniff",
      });
      expect(bytes.equals((await drawn(`?format=${format}`)).bytes)).toBe(true);
    }
  });
});

describe("an independent reader reads", () => {
  const colours = ["", "&dark=7a0019&light=ffd9b3", "&dark=949494", "&dark=00f&light=0f0"];

  test.each([64, 65, 333, 4096])("a PNG %i pixels wide, in any colours", async (width) => {
    for (const pair of colours) {
      const { bytes } = await drawn(`?width=${width}${pair}`);
      expect((await sharp(bytes).metadata()).width).toBe(width);
      expect(await readPicture(bytes)).toBe(link.shortUrl);
    }
  });

  test.each([64, 4096])("an SVG %i pixels wide, in any colours", async (width) => {
    for (const pair of colours) {
      const { bytes } = await drawn(`?format=svg&width=${width}${pair}`);
      expect(bytes.toString()).toContain(`width="${width}" height="${width}"`);
      const raster = await sharp(bytes, { density: (72 * 800) / width })
        .png()
        .toBuffer();
      expect(await readPicture(raster)).toBe(link.shortUrl);
    }
  });

  test("a long short URL", async () => {
    expect(await readPicture((await drawn("?width=1000", long._id)).bytes)).toBe(long.shortUrl);
  });

  test("a PDF of either size, with a logo and without, drawn by a browser", async () => {
    const reader = await startPdfReader();
    for (const [width, points] of [
      [64, 48],
      [4096, 3072],
    ]) {
      for (const logo of ["none", `${site.url}/logo.png`]) {
        const { bytes } = await drawn(`?format=pdf&width=${width}&dark=7a0019&light=ffd9b3&logo=${logo}`);
        const text = bytes.toString("latin1");
        expect(text).toContain(`/MediaBox [0 0 ${points} ${points}]`);
        expect(text.includes("/Subtype /Image")).toBe(logo !== "none");
        expect(await reader.read(bytes)).toBe(link.shortUrl);
      }
    }
  });
});
