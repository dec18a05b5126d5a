/** The images of links' cards: served on the link's own host, made from the customer's image, which can do no harm. */
import { beforeEach, describe, expect, test } from "bun:test";
import { startCanary } from "@test/support/outside/canary";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import sharp from "sharp";
import type { Link } from "@/contract/links/links";
import { cardImageTag } from "@/platform/images/card-image";

const HOST = "go.example.com";

const canary = await startCanary();
const service = await startTestService({ env: { SHORT_DOMAIN: HOST, OUTBOUND_ALLOW: "127.0.0.1" } });
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;

const filled = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
const wide = await filled(2400, 1260, "#0f0");
const clear = await filled(20, 10, "#0000");

const asked: string[] = [];
let answer: (path: string) => Response | Promise<Response> = () => image(wide);
const site = startSite(({ url }) => {
  const { pathname } = new URL(url);
  asked.push(pathname);
  return answer(pathname);
});

beforeEach(() => {
  asked.length = 0;
  answer = () => image(wide);
});

const create = (path: string, base = site.url) =>
  service.createLink(ada, { defaultUrl: "https://example.com/", social: { imageUrl: `${base}${path}` } });
const patch = ({ _id }: Link, body: object) => service.call("PATCH", `${links}/${_id}`, { token: ada.token, body });

/** Returns the path of the image that the page announces to networks. */
async function pathOf(link: Link): Promise<string> {
  const page = await service.visit(`/${link.slug}`, { host: HOST, "user-agent": "Twitterbot/1.0" });
  const url = /<meta property="og:image" content="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  expect(new URL(url).origin).toBe(new URL(link.shortUrl).origin);
  return new URL(url).pathname;
}
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { redirect: "manual", headers: { host: HOST, ...headers } });
const statusAt = async (path: string) => (await get(path)).status;

test("a large image is served as a JPEG of at most 1,200 pixels in its own proportions, and 304 for its ETag", async () => {
  const path = await pathOf(await create("/wide.png"));
  expect(asked).toEqual([]);
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=300, stale-while-revalidate=86400");
  const { format, width, height } = await sharp(await response.bytes()).metadata();
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 1200, height: 630 });
  const etag = response.headers.get("etag") ?? "";
  expect((await get(path, { "if-none-match": etag })).status).toBe(304);
  expect(asked).toEqual(["/wide.png"]);
});

test("a small image keeps its size, on a white background", async () => {
  answer = () => image(clear);
  const { data, info } = await sharp(await (await get(await pathOf(await create("/clear.png")))).bytes())
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, ...data.subarray(0, 3)]).toEqual([20, 10, 255, 255, 255]);
});

test("an image is fetched once for simultaneous requests, and again in the background after a day", async () => {
  answer = () => image(clear);
  const link = await create("/first.png");
  const path = await pathOf(link);
  expect(new Set(await Promise.all(Array.from({ length: 5 }, () => statusAt(path))))).toEqual(new Set([200]));
  expect(asked).toEqual(["/first.png"]);
  await age(link);
  expect(await statusAt(path)).toBe(200);
  await untilFetched(link, "/first.png");
  expect(asked).toEqual(["/first.png", "/first.png"]);
});

test("a new image has a new address, and is not replaced by the previous one still being fetched", async () => {
  answer = () => image(clear);
  const link = await create("/former.png");
  const path = await pathOf(link);
  expect(await statusAt(path)).toBe(200);
  await age(link);
  const released = Promise.withResolvers<void>();
  answer = async (asks) => {
    if (asks === "/former.png") await released.promise;
    return image(asks === "/former.png" ? clear : wide);
  };
  expect(await statusAt(path)).toBe(200);
  await patch(link, { social: { imageUrl: `${site.url}/latter.png` } });
  expect(await statusAt(path)).toBe(404);
  const latter = await pathOf(link);
  expect((await sharp(await (await get(latter)).bytes()).metadata()).width).toBe(1200);
  released.resolve();
  await untilFetched(link, "/former.png");
  expect((await sharp(await (await get(latter)).bytes()).metadata()).width).toBe(1200);
});

/** Makes the image appear to have been fetched more than a day ago. */
const age = ({ _id }: Link) =>
  service.sql`update icons set fetched_at = fetched_at - interval '25 hours' where owner_id = ${_id}`;

/** Waits until a fetch has ended, successfully or not. */
async function untilFetched({ _id }: Link, path: string): Promise<void> {
  const kept = () => service.sql`select 1 from icons where owner_id = ${_id} and source_url = ${site.url + path}
    and fetched_at > now() - interval '24 hours'`;
  while ((await kept()).length === 0) await Bun.sleep(5);
}

describe("404, and no fetch,", () => {
  test.each<[string, (link: Link, path: string) => Promise<string>]>([
    ["for who was not told of the image", async ({ _id }, path) => path.replace(/[^/]+$/, cardImageTag(_id))],
    ["for another link's", async (_, path) => path.replace(/[^/]+(?=\/[^/]+$)/, (await create("/other.png"))._id)],
    ["for an unknown link", async (_, path) => path.replace(/[^/]+(?=\/[^/]+$)/, Bun.randomUUIDv7())],
    ["for what is no id", async (_, path) => path.replace(/[^/]+(?=\/[^/]+$)/, "%00")],
    [
      "once the card is gone",
      async (link, path) => {
        await patch(link, { social: null });
        return path;
      },
    ],
    [
      "once the link is off",
      async (link, path) => {
        await patch(link, { isActive: false });
        return path;
      },
    ],
    [
      "once the link is deleted",
      async ({ _id }, path) => {
        await service.call("DELETE", `${links}/${_id}`, { token: ada.token });
        return path;
      },
    ],
    [
      "once the link is unsafe",
      async ({ _id }, path) => {
        await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${_id}`;
        return path;
      },
    ],
  ])("%s", async (_, changed) => {
    const link = await create("/kept.png");
    const path = await changed(link, await pathOf(link));
    expect(await statusAt(path)).toBe(404);
    expect(asked).toEqual([]);
  });
});

describe("404 for an image that", () => {
  test.each<[string, string | undefined, (() => Response) | undefined]>([
    ["is not public", `http://127.0.0.9:${canary.port}`, undefined],
    ["moved into private space", undefined, () => Response.redirect(`http://127.0.0.9:${canary.port}/`, 302)],
    ["is away", "http://127.0.0.1:1", undefined],
    ["is a page", undefined, () => image(wide, "text/html")],
    ["is none", undefined, () => image(Buffer.from("hello"))],
    ["is over 5 MB", undefined, () => image(Buffer.concat([wide, Buffer.alloc(5 * 1024 * 1024)]))],
  ])("%s", async (_, base, respond) => {
    if (respond) answer = respond;
    const path = await pathOf(await create("/image.png", base));
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([404, { error: "There is no such image" }]);
    expect(canary.hits()).toBe(0);
  });
});

test("503 while three others of the organization are being fetched, then 200; other organizations get 200", async () => {
  const released = Promise.withResolvers<void>();
  answer = async (path) => {
    if (path.startsWith("/slow")) await released.promise;
    return image(clear);
  };
  const paths: string[] = [];
  for (let index = 0; index < 4; index++) paths.push(await pathOf(await create(`/slow-${index}.png`)));
  const [last = "", ...others] = paths;
  const waiting = others.map(statusAt);
  while (asked.length < others.length) await Bun.sleep(2);
  const refused = await get(last);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  const social = { imageUrl: `${site.url}/quick.png` };
  const ofOther = await service.createLink(await service.register(), { defaultUrl: "https://example.com/", social });
  expect(await statusAt(await pathOf(ofOther))).toBe(200);
  released.resolve();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
  expect(await statusAt(last)).toBe(200);
});

function image(bytes: Uint8Array, type = "image/png"): Response {
  return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
}
