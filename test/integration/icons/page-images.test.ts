/** The images on visitors' pages: served from the page's own host, small, and only for the page that uses them. */
import { describe, expect, test } from "bun:test";
import { startCanary } from "@test/support/outside/canary";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import sharp from "sharp";
import type { BioPage } from "@/contract/links/bio-pages";
import { pageImagePath } from "@/platform/images/page-image";

const canary = await startCanary();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const ada = await service.register();
const credentials = { token: ada.token };
const home = `/api/v1/organizations/${ada.orgId}`;

/** Noise, which no image format compresses well. */
const noise = await sharp({
  create: {
    width: 700,
    height: 500,
    channels: 3,
    background: "#000",
    noise: { type: "gaussian", mean: 128, sigma: 60 },
  },
})
  .png()
  .toBuffer();
const asked: string[] = [];
const site = startSite(({ url }) => {
  asked.push(new URL(url).pathname);
  return new Response(new Uint8Array(noise), { headers: { "content-type": "image/png" } });
});

const theme = { avatarUrl: `${site.url}/avatar.png`, coverUrl: `${site.url}/cover.png` };
async function makePage(slug: string, shown: BioPage["theme"] = theme, links: object[] = []): Promise<BioPage> {
  const body = { title: "Ada", slug, theme: shown, links };
  const { status, body: page } = await service.call<BioPage>("POST", `${home}/bio-pages`, { ...credentials, body });
  expect([status, page]).toEqual([200, expect.any(Object)]);
  return page;
}
const statusAt = async (path: string) => (await service.visit(path)).status;

test("images fit their place on a page, stay small whatever they show, and are fetched once", async () => {
  const page = await makePage("ada");
  const imageUrl = `${site.url}/card.png`;
  const link = await service.createLink(ada, { defaultUrl: "https://example.com/", social: { imageUrl } });
  const html = await (await service.visit("/ada")).text();
  const avatar = pageImagePath("avatar", page._id, theme.avatarUrl);
  const cover = pageImagePath("cover", page._id, theme.coverUrl);
  expect(html).toContain(`<img class="cover" src="${cover}" alt="" width="960" height="320"/>`);
  expect(html).toContain(`<img class="avatar" src="${avatar}" alt="" width="96" height="96"/>`);
  expect(asked).toEqual([]);
  for (const [path, shape, bytesMax] of [
    [avatar, 1, 4_500],
    [cover, 3, 8_500],
    [pageImagePath("preview", link._id, imageUrl), 640 / 336, 10_000],
  ] as const) {
    const response = await service.visit(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, "image/webp"]);
    const bytes = await response.bytes();
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, bytes.length <= bytesMax]).toEqual(["webp", true]);
    expect(Math.abs(width / height - shape)).toBeLessThan(0.05);
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await service.visit(path, headers)).status).toBe(304);
  }
  expect(asked.sort()).toEqual(["/avatar.png", "/card.png", "/cover.png"]);
});

test("all images of a page's items are served at once, small or large, and fetched once each", async () => {
  const url = "https://example.com/";
  const imageOf = (at: number) => `${site.url}/item-${at}.png`;
  const items = Array.from({ length: 4 }, (_, at) => ({ title: "a", url, imageUrl: imageOf(at) }));
  const page = await makePage("items", {}, [...items, { title: "b", url, imageUrl: imageOf(0), display: "card" }]);
  const paths = [
    ...items.map(({ imageUrl }) => pageImagePath("thumb", page._id, imageUrl)),
    pageImagePath("tile", page._id, imageOf(0)),
  ];
  for (let time = 0; time < 2; time++) {
    const images = await Promise.all(
      paths.map(async (path) => {
        const response = await service.visit(path);
        const bytes = await response.bytes();
        const { format, width, height } = await sharp(bytes).metadata();
        const isSmall = bytes.length <= (path === paths.at(-1) ? 9_000 : 2_000);
        return { status: response.status, format, shape: Math.round(width / height), isSmall };
      }),
    );
    const sound = { status: 200, format: "webp" as const, isSmall: true };
    expect(images).toEqual([...items.map(() => ({ ...sound, shape: 1 })), { ...sound, shape: 2 }]);
  }
  expect(asked.filter((path) => path.startsWith("/item-")).toSorted()).toEqual(
    [...items.map((_, at) => `/item-${at}.png`), "/item-0.png"].toSorted(),
  );
});

test("icons of apps and organizations are served as small as pages show them", async () => {
  const body = { name: "Shop", iconUrl: `${site.url}/icon.png` };
  const app = await service.call<{ _id: string }>("POST", `${home}/apps`, { ...credentials, body });
  for (const [path, type, sideMax, bytesMax] of [
    [`apps/${app.body._id}`, "webp", 176, 7_000],
    [ada.orgId, "png", 120, 4_000],
  ] as const) {
    const response = await service.visit(`/.well-known/waymark/icons/${path}`);
    const bytes = await response.bytes();
    const { format, width } = await sharp(bytes).metadata();
    expect([response.status, response.headers.get("content-type"), format]).toEqual([200, `image/${type}`, type]);
    expect(width).toBeLessThanOrEqual(sideMax);
    expect(bytes.length).toBeLessThanOrEqual(bytesMax);
  }
  expect(await statusAt(`/.well-known/waymark/icons/domains/${Bun.randomUUIDv7()}`)).toBe(404);
});

describe("404", () => {
  test("for another form, tag or page, and for a page without such an image", async () => {
    const [page, bare] = [await makePage("eve"), await makePage("bare", {})];
    const path = pageImagePath("avatar", page._id, theme.avatarUrl);
    for (const wrong of [
      path.replace("avatar", "banner"),
      path.replace("avatar", "preview"),
      path.replace("avatar", "cover"),
      path.replace(page._id, bare._id),
      path.replace(page._id, "%00"),
      pageImagePath("avatar", page._id, theme.coverUrl),
    ]) {
      expect([wrong, await statusAt(wrong)]).toEqual([wrong, 404]);
    }
  });

  test("for an item's image that is no longer on the page, or on another page", async () => {
    const [url, imageUrl] = ["https://example.com/", `${site.url}/gone.png`];
    const page = await makePage("changing", {}, [{ title: "a", url, imageUrl }]);
    const other = await makePage("unchanged", {}, [{ title: "a", url }]);
    const path = pageImagePath("thumb", page._id, imageUrl);
    expect([await statusAt(path), await statusAt(path.replace(page._id, other._id))]).toEqual([200, 404]);
    const body = { links: [{ title: "a", url }] };
    await service.call("PATCH", `${home}/bio-pages/${page._id}`, { ...credentials, body });
    expect(await statusAt(path)).toBe(404);
  });

  test("once the page is inactive or shows another image", async () => {
    const page = await makePage("off");
    const path = pageImagePath("cover", page._id, theme.coverUrl);
    const change = (body: object) => service.call("PATCH", `${home}/bio-pages/${page._id}`, { ...credentials, body });
    await change({ isActive: false });
    expect(await statusAt(path)).toBe(404);
    await change({ isActive: true, theme: { coverUrl: `${site.url}/other.png` } });
    expect(await statusAt(path)).toBe(404);
  });

  test("for an image in a private network, which is never requested", async () => {
    const avatarUrl = `http://127.0.0.9:${canary.port}/avatar.png`;
    const page = await makePage("private", { avatarUrl });
    expect(await statusAt(pageImagePath("avatar", page._id, avatarUrl))).toBe(404);
    expect(canary.hits()).toBe(0);
  });
});
