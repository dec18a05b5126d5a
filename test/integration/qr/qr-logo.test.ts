/** Logos in QR codes: whose image is used, what it may cover, and what is refused. */
import { beforeEach, describe, expect, test } from "bun:test";
import { dataOf, readPicture } from "@test/support/browser/qr-reader";
import { expectFailure } from "@test/support/failure";
import { startCanary } from "@test/support/outside/canary";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import sharp from "sharp";
import type { QrCodeResponse } from "@/contract/links/qr";
import { drawQr, qrCodeOf } from "@/platform/qr/qr";

const MINUTE_MS = 60_000;
let aheadMs = 0;
const canary = await startCanary();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" }, clock: () => Date.now() + aheadMs });
const ada = await service.register();
const { token } = ada;
const link = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "spring" });
const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}/qrcode`;

const red = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#f00" } })
  .png()
  .toBuffer();
const image = (bytes: Buffer | string, type = "image/png") =>
  new Response(new Uint8Array(Buffer.from(bytes)), { headers: { "content-type": type } });

let asked = 0;
let answer: () => Response | Promise<Response> = () => image(red);
const site = startSite(() => {
  asked += 1;
  return answer();
});
beforeEach(() => {
  asked = 0;
  answer = () => image(red);
});

let urls = 0;
/** Returns a URL that no earlier test has requested. */
const freshUrl = () => `${site.url}/logo-${++urls}.png`;
const ask = (query: Record<string, string>) =>
  service.call<QrCodeResponse>("GET", `${path}?${new URLSearchParams(query)}`, { token });
const drawn = async (query: Record<string, string>) => dataOf((await ask(query)).body.qrCodeDataUrl).bytes;

/** Returns the percentage of red pixels. */
async function redShare(picture: Uint8Array): Promise<number> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels) if (data[at] === 255 && data[at + 1] === 0) count++;
  return (100 * count) / (info.width * info.height);
}

describe("400 naming the field", () => {
  test.each<[string, () => Response]>([
    ["status 404", () => new Response("none", { status: 404 })],
    ["a page", () => image("<h1>Hello</h1>", "text/html")],
    ["no image whatever it says", () => image("no image")],
    ["half an image", () => image(red.subarray(0, 200))],
    ["an image too large", () => image(Buffer.alloc(3_000_000))],
    ["a redirect inwards", () => Response.redirect("http://10.0.0.1/logo.png", 302)],
  ])("a logo that is %s", async (_, answered) => {
    answer = answered;
    for (const field of ["logo", "logoUrl"]) expectFailure(await ask({ [field]: freshUrl() }), 400, [field]);
  });

  test.each([
    ["no URL", "logo.png"],
    ["another scheme", "file:///etc/passwd"],
    ["data", "data:image/png;base64,AAAA"],
    ["userinfo", "https://a:b@example.com/logo.png"],
    ["nobody's", "http://127.0.0.1:1/logo.png"],
    ["nowhere", "http://nowhere.invalid/logo.png"],
    ["none in capitals", "NONE"],
  ])("%s", async (_, logo) => {
    expectFailure(await ask({ logo }), 400, ["logo"]);
  });

  test("a private address, with the same response as an unreachable one", async () => {
    const inside = await ask({ logo: `http://[::1]:${canary.port}/logo.png` });
    const nowhere = await ask({ logo: "http://nowhere.invalid/logo.png" });
    expect([inside.status, inside.body]).toEqual([400, nowhere.body]);
    expect(canary.hits()).toBe(0);
  });

  test("two logos", async () => {
    expectFailure(await ask({ logo: freshUrl(), logoUrl: freshUrl() }), 400, ["logoUrl"]);
    expectFailure(await ask({ logo: "none", logoUrl: freshUrl() }), 400, ["logoUrl"]);
    expect(asked).toBe(0);
  });

  test("a short URL too long for the error correction that a logo needs", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "長".repeat(150) });
    const query = new URLSearchParams({ logo: freshUrl() });
    expectFailure(await service.call("GET", `${path.replace(link._id, _id)}?${query}`, { token }), 400, ["logo"]);
    expect(asked).toBe(0);
  });
});

describe("200 with the logo", () => {
  test.each([64, 65, 512, 4096])("in the middle of a PNG %i pixels wide, which is readable", async (width) => {
    const bytes = await drawn({ logo: freshUrl(), width: String(width), dark: "#1f4fd8", light: "#fff7ed" });
    expect((await sharp(bytes).metadata()).width).toBe(width);
    expect(await readPicture(bytes)).toBe(link.shortUrl);
    const share = await redShare(bytes);
    expect(share > 0.5 && share < 20).toBe(true);
    const middle = Math.floor(width / 2);
    const pixel = await sharp(bytes).extract({ left: middle, top: middle, width: 1, height: 1 }).raw().toBuffer();
    expect([...pixel.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  test("in an SVG, which is readable", async () => {
    const query = { logo: freshUrl(), dark: "#1f4fd8", light: "#fff7ed" };
    const raster = await sharp(await drawn({ ...query, format: "svg" }))
      .png()
      .toBuffer();
    expect(await readPicture(raster)).toBe(link.shortUrl);
    expect(await redShare(raster)).toBeGreaterThan(1);
  });

  test("the same bytes for the same request", async () => {
    const logo = freshUrl();
    for (const format of ["png", "svg", "pdf"])
      expect(await drawn({ logo, format })).toEqual(await drawn({ logo, format }));
  });

  test("one fetch of the logo for simultaneous requests, cached for five minutes", async () => {
    const logo = freshUrl();
    await Promise.all(Array.from({ length: 6 }, () => drawn({ logo })));
    await drawn({ logoUrl: logo, format: "svg" });
    expect(asked).toBe(1);
    aheadMs += 6 * MINUTE_MS;
    await drawn({ logo });
    expect(asked).toBe(2);
  });

  test("once a logo that failed before is available", async () => {
    const logo = freshUrl();
    answer = () => new Response("", { status: 503 });
    expect((await ask({ logo })).status).toBe(400);
    answer = () => image(red);
    expect((await ask({ logo })).status).toBe(200);
  });
});

test("503 while an organization already fetches three logos, without affecting other organizations", async () => {
  let answerAll = () => {};
  const held = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  answer = async () => {
    await held;
    return image(red);
  };
  const statuses: number[] = [];
  const asking = Array.from({ length: 5 }, async () => statuses.push((await ask({ logo: freshUrl() })).status));
  await until(() => statuses.length === 2 && asked === 3);
  expect(statuses).toEqual([503, 503]);
  const eve = await service.register();
  const hers = await service.createLink(eve, { defaultUrl: "https://example.com/" });
  const query = new URLSearchParams({ logo: freshUrl() });
  const other = service.call("GET", `/api/v1/organizations/${eve.orgId}/links/${hers._id}/qrcode?${query}`, {
    token: eve.token,
  });
  await until(() => asked === 4);
  answerAll();
  await Promise.all(asking);
  expect(statuses).toEqual([503, 503, 200, 200, 200]);
  expect((await other).status).toBe(200);
  expect((await ask({ logo: freshUrl() })).status).toBe(200);
});

test("503 beyond sixteen pending QR codes of an organization, without affecting other organizations", async () => {
  const eve = await service.register();
  const hers = await service.createLink(eve, { defaultUrl: "https://example.com/" });
  const asking = Array.from({ length: 40 }, async () => (await ask({ width: "4096" })).status);
  const other = Array.from({ length: 4 }, async () => {
    const path = `/api/v1/organizations/${eve.orgId}/links/${hers._id}/qrcode`;
    return (await service.call("GET", path, { token: eve.token })).status;
  });
  expect(await Promise.all(other)).toEqual([200, 200, 200, 200]);
  const statuses = await Promise.all(asking);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  expect((await ask({})).status).toBe(200);
});

test("a code of any size is readable with a logo and a stain beside it", async () => {
  for (const length of [14, 25, 60, 120, 250, 400, 700]) {
    const text = `https://go.example.com/${"a".repeat(length)}`.slice(0, length);
    const code = await qrCodeOf(text, ["H"]);
    if (!code) throw new Error(`${length} bytes fit into no code`);
    const size = code.size;
    const stained = { ...code, isDark: (x: number, y: number) => isStain(size, x, y) || code.isDark(x, y) };
    const look = { title: text, dark: "#000000", light: "#ffffff", width: 1_000, format: "png", logo: red } as const;
    const small = await sharp(red).resize(256, 256).png().toBuffer();
    expect(await readPicture(await drawQr(stained, { ...look, logo: small }))).toBe(text);
  }
});

/** True within a square of a tenth of the side, away from the center and the corners. */
const isStain = (size: number, x: number, y: number): boolean =>
  [x - size * 0.7, y - size * 0.45].every((at) => at >= 0 && at < size / 10);
