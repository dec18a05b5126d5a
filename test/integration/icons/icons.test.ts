/** Public icons: what they are made from, when they are made again, and that no image a customer names can do harm. */
import { beforeEach, describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startCanary } from "@test/support/outside/canary";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import sharp from "sharp";
import { deleteUnusedIcons } from "@/modules/icons/retention";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BLUE = [31, 79, 216, 255];
const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];

let aheadMs = 0;
const clock = () => Date.now() + aheadMs;
const canary = await startCanary();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" }, clock });
const { sql } = service;
const { orgId } = await service.register();
const png = (background: string) =>
  sharp({ create: { width: 300, height: 300, channels: 3, background } })
    .png()
    .toBuffer();
const red = await png("#f00");
const green = await png("#0f0");

const asked: string[] = [];
let answer: (path: string) => Response | Promise<Response> = () => image(red);
const site = startSite(({ url }) => {
  const { pathname } = new URL(url);
  asked.push(pathname);
  return answer(pathname);
});

beforeEach(() => {
  asked.length = 0;
  answer = () => image(red);
});

describe("404", () => {
  test.each(["apps", "domains", "organizations"])("%s: an unknown or malformed id", async (kind) => {
    for (const id of [Bun.randomUUIDv7(), "none", "%00", "x".repeat(5_000), "..%2f..%2fhealth"]) {
      const { status, body } = await service.call("GET", `/api/v1/public/app-icons/${kind}/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: { error: `There is no such ${kind.slice(0, -1)}` } });
    }
  });

  test("the id of another kind of record", async () => {
    const appId = await addApp(null);
    for (const path of [`domains/${appId}`, `organizations/${appId}`, `apps/${orgId}`]) {
      expect((await fetch(`${service.url}/api/v1/public/app-icons/${path}`)).status).toBe(404);
    }
  });
});

describe("200 with the configured image", () => {
  test("of an app, as a PNG of 256 by 256 pixels", async () => {
    const response = await get("apps", await addApp(`${site.url}/icon.png`));
    const { width, height, format } = await sharp(await response.bytes()).metadata();
    expect({ width, height, format }).toEqual({ width: 256, height: 256, format: "png" });
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300, stale-while-revalidate=86400");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("whole if it is wide, on a transparent background", async () => {
    const wide = await sharp({ create: { width: 400, height: 100, channels: 3, background: "#f00" } })
      .jpeg()
      .toBuffer();
    answer = () => image(wide, "image/jpeg");
    const id = await addApp(`${site.url}/wide.jpg`);
    expect(await pixel("apps", id, 128, 128)).toEqual([254, 0, 0, 255]);
    expect(await pixel("apps", id, 128, 10)).toEqual([0, 0, 0, 0]);
  });

  test.each(["webp", "gif", "avif"] as const)("in %s", async (format) => {
    const bytes = await sharp(green).toFormat(format, { lossless: true }).toBuffer();
    answer = () => image(bytes, `image/${format}`);
    const [r = 255, g = 0, b = 255] = await pixel("apps", await addApp(`${site.url}/icon.${format}`));
    expect(r < 10 && g > 245 && b < 10).toBe(true);
  });

  test("as an SVG, sharp whatever size it states", async () => {
    const circle =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><circle cx="1" cy="1" r="1" fill="#f00"/></svg>';
    answer = () => image(circle, "image/svg+xml");
    const id = await addApp(`${site.url}/icon.svg`);
    expect(await pixel("apps", id)).toEqual(RED);
    expect(await pixel("apps", id, 20, 20)).toEqual([0, 0, 0, 0]);
    expect(await pixel("apps", id, 48, 48)).toEqual(RED);
  });

  test("of a domain: its app's, else that of the profile without a path, else the organization's logo", async () => {
    const colours: Record<string, Buffer> = { "/own": red, "/profile": green, "/logo": await png("#00f") };
    answer = (path) => image(colours[path] ?? red);
    const owner = await service.register();
    await brand(owner.orgId, { logoUrl: `${site.url}/logo` });
    const domainId = await addDomain(service, owner.orgId, { hostname: "go.icons.example" });
    expect(await pixel("domains", domainId)).toEqual([0, 0, 255, 255]);
    expect(await pixel("organizations", owner.orgId)).toEqual([0, 0, 255, 255]);
    await addApp(`${site.url}/elsewhere`, owner.orgId, "shop");
    await addApp(`${site.url}/profile`, owner.orgId);
    later(2 * MINUTE_MS);
    expect(await pixel("domains", domainId)).toEqual(GREEN);
    const appConfig = JSON.stringify({ iconUrl: `${site.url}/own` });
    await sql`update domains set app_config = ${appConfig} where id = ${domainId}`;
    later(2 * MINUTE_MS);
    expect(await pixel("domains", domainId)).toEqual(RED);
    expect(asked).toEqual(["/logo", "/logo", "/profile", "/own"]);
  });

  test("after a redirect", async () => {
    answer = (path) => (path === "/moved" ? Response.redirect(`${site.url}/icon`, 302) : image(green));
    expect(await pixel("apps", await addApp(`${site.url}/moved`))).toEqual(GREEN);
  });
});

describe("200 with the initial", () => {
  test("on the accent colour if there is no image", async () => {
    const owner = await service.register();
    expect(await pixel("organizations", owner.orgId, 2, 2)).toEqual(BLUE);
    const [row] = await sql`select id from domains where org_id is null`;
    expect(await pixel("domains", row?.id, 2, 2)).toEqual(BLUE);
    await brand(owner.orgId, { accentColor: "#0f0", displayName: "Zebra" });
    later(2 * MINUTE_MS);
    const [a, z] = [await get("apps", await addApp(null, owner.orgId)), await get("organizations", owner.orgId)];
    expect(await pixel("organizations", owner.orgId, 2, 2)).toEqual(GREEN);
    expect(a.headers.get("etag")).not.toBe(z.headers.get("etag"));
  });

  test.each<[string, (() => string) | undefined, (() => Response | Promise<Response>) | undefined]>([
    ["not public", () => `http://127.0.0.9:${canary.port}/icon.png`, undefined],
    ["localhost", () => `http://[::1]:${canary.port}/icon.png`, undefined],
    ["away", () => "http://127.0.0.1:1/icon.png", undefined],
    ["no URL", () => "logo.png", undefined],
    ["another scheme", () => "file:///etc/passwd", undefined],
    ["moved into private space", undefined, () => Response.redirect(`http://127.0.0.9:${canary.port}/`, 302)],
    ["missing", undefined, () => new Response(red, { status: 404, headers: { "content-type": "image/png" } })],
    ["of another type", undefined, () => image(red, "text/html")],
    ["no image", undefined, () => image("hello")],
    ["empty", undefined, () => image("")],
    ["cut off", undefined, () => image(red.subarray(0, 60))],
    ["over 2 MB", undefined, () => image(Buffer.concat([red, Buffer.alloc(2 * 1024 * 1024)]))],
    ["of a format that is not ours", undefined, async () => image(await sharp(red).tiff().toBuffer(), "image/tiff")],
    ["of too many pixels", undefined, async () => image(await hugePng())],
  ])("when the image is %s", async (_, url, respond) => {
    if (respond) answer = respond;
    const id = await addApp(url ? url() : `${site.url}/icon`);
    const response = await get("apps", id);
    expect(response.status).toBe(200);
    expect(await pixel("apps", id, 2, 2)).toEqual(BLUE);
    expect(canary.hits()).toBe(0);
  });

  test.each([
    ["an entity of a file", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, "<text y='20'>&x;</text>"],
    ["entities without end", bombEntities(), "<text y='20'>&g;</text>"],
  ])("when an SVG has %s", async (_, doctype, content) => {
    answer = () => image(`<?xml version="1.0"?>${doctype}${svg(content)}`, "image/svg+xml");
    expect(await pixel("apps", await addApp(`${site.url}/icon.svg`), 2, 2)).toEqual(BLUE);
  });

  test("but an SVG with references is drawn, without fetching them", async () => {
    const at = `http://127.0.0.1:${canary.port}`;
    const references = `<image href="${at}/a.png" width="9" height="9"/><image href="file:///etc/hostname" width="9" height="9"/>
      <style>@import url(${at}/a.css);</style><use href="${at}/a.svg#x"/><rect width="99" height="99" fill="#f00"/>`;
    answer = () => image(svg(references), "image/svg+xml");
    expect(await pixel("apps", await addApp(`${site.url}/icon.svg`), 10, 10)).toEqual(RED);
    expect(canary.hits()).toBe(0);
  });
});

describe("an image is fetched", () => {
  test("once for simultaneous requests", async () => {
    const id = await addApp(`${site.url}/once`);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await get("apps", id)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(asked).toEqual(["/once"]);
  });

  test("again only after a day, in the background", async () => {
    const id = await addApp(`${site.url}/daily`);
    expect(await pixel("apps", id)).toEqual(RED);
    answer = () => image(green);
    later(DAY_MS - 5 * MINUTE_MS);
    expect(await pixel("apps", id)).toEqual(RED);
    expect(asked).toEqual(["/daily"]);
    later(10 * MINUTE_MS);
    expect(await pixel("apps", id)).toEqual(RED);
    while (!Bun.deepEquals(await pixel("apps", id), GREEN)) await Bun.sleep(5);
    expect(asked).toEqual(["/daily", "/daily"]);
  });

  test("again when another one is configured", async () => {
    const id = await addApp(`${site.url}/first`);
    expect(await pixel("apps", id)).toEqual(RED);
    answer = () => image(green);
    await sql`update app_profiles set icon_url = ${`${site.url}/second`} where id = ${id}`;
    later(2 * MINUTE_MS);
    expect(await pixel("apps", id)).toEqual(GREEN);
    await sql`update app_profiles set icon_url = null where id = ${id}`;
    later(2 * MINUTE_MS);
    expect(await pixel("apps", id, 2, 2)).toEqual(BLUE);
  });

  test("again when a clock that was far ahead has been set back", async () => {
    const id = await addApp(`${site.url}/ahead`);
    later(30 * DAY_MS);
    expect(await pixel("apps", id)).toEqual(RED);
    answer = () => image(green);
    later(-30 * DAY_MS);
    expect(await pixel("apps", id)).toEqual(RED);
    later(2 * MINUTE_MS);
    while (!Bun.deepEquals(await pixel("apps", id), GREEN)) await Bun.sleep(5);
    expect(asked).toEqual(["/ahead", "/ahead"]);
  });

  test("again ten minutes after a failure", async () => {
    answer = () => new Response("away", { status: 503 });
    const id = await addApp(`${site.url}/later`);
    expect(await isInitial(await get("apps", id))).toBe(true);
    answer = () => image(green);
    later(8 * MINUTE_MS);
    expect(await isInitial(await get("apps", id))).toBe(true);
    expect(asked).toEqual(["/later"]);
    later(3 * MINUTE_MS);
    while (!Bun.deepEquals(await pixel("apps", id), GREEN)) await Bun.sleep(5);
    expect(asked).toEqual(["/later", "/later"]);
  });

  test("again without success, and the previous one is still served", async () => {
    const id = await addApp(`${site.url}/stays`);
    expect(await pixel("apps", id)).toEqual(RED);
    answer = () => new Response("away", { status: 503 });
    later(DAY_MS + MINUTE_MS);
    expect(await pixel("apps", id)).toEqual(RED);
    while (asked.length < 2) await Bun.sleep(2);
    later(2 * MINUTE_MS);
    expect(await pixel("apps", id)).toEqual(RED);
  });

  test("with at most two others of the organization, and further ones show the initial for now", async () => {
    const released = Promise.withResolvers<void>();
    answer = async () => {
      await released.promise;
      return image(red);
    };
    // A separate organization, because a fetch of an earlier test may still use one of the other's slots.
    const { orgId: owner } = await service.register();
    const ids = await Promise.all(Array.from({ length: 3 }, () => addApp(`${site.url}/slow`, owner)));
    const waiting = ids.map((id) => pixel("apps", id));
    while (asked.filter((path) => path === "/slow").length < 3) await Bun.sleep(2);
    const fourth = await addApp(`${site.url}/fourth`, owner);
    expect(await isInitial(await get("apps", fourth))).toBe(true);
    released.resolve();
    expect(await Promise.all(waiting)).toEqual([RED, RED, RED]);
    later(2 * MINUTE_MS);
    expect(await pixel("apps", fourth)).toEqual(RED);
  });
});

test("icons that were not requested for a month are deleted", async () => {
  const [kept, unused] = [await addApp(`${site.url}/kept`), await addApp(`${site.url}/unused`)];
  await Promise.all([get("apps", kept), get("apps", unused)]);
  await sql`update icons set fetched_at = fetched_at - interval '31 days' where owner_id = ${unused}`;
  expect(await deleteUnusedIcons(sql, clock())).toBe(1);
  const rows = await sql`select owner_id from icons where owner_id in (${kept}, ${unused})`;
  expect(rows.map(({ owner_id }) => owner_id)).toEqual([kept]);
});

describe("304", () => {
  test("for a matching ETag, and 200 for any other", async () => {
    const id = await addApp(`${site.url}/icon`);
    const etag = (await get("apps", id)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get("apps", id, { "if-none-match": tag });
      expect({ status: response.status, bytes: (await response.bytes()).length }).toEqual({ status: 304, bytes: 0 });
      expect(response.headers.get("etag")).toBe(etag);
    }
    for (const tag of ['"other"', "", etag.slice(1, -1)]) {
      expect((await get("apps", id, { "if-none-match": tag })).status).toBe(200);
    }
  });
});

test("no error was logged", () => {
  expect(service.logged()).not.toContain('"level":"error"');
});

function image(bytes: Uint8Array | string, type = "image/png"): Response {
  return new Response(typeof bytes === "string" ? bytes : new Uint8Array(bytes), { headers: { "content-type": type } });
}

const get = (kind: string, id: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/v1/public/app-icons/${kind}/${id}`, { headers });

async function pixel(kind: string, id: string, x = 128, y = 128): Promise<number[]> {
  return pixelOf(await get(kind, id), x, y);
}

async function pixelOf(response: Response, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(await response.bytes())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 4)];
}

const isInitial = async (response: Response) => Bun.deepEquals(await pixelOf(response, 2, 2), BLUE);

async function addApp(iconUrl: string | null, owner = orgId, pathPrefix: string | null = "x"): Promise<string> {
  const id = Bun.randomUUIDv7();
  const prefix = owner === orgId ? pathPrefix : pathPrefix === "x" ? null : pathPrefix;
  await sql`insert into app_profiles (id, org_id, name, path_prefix, icon_url)
    values (${id}, ${owner}, 'App', ${prefix}, ${iconUrl})`;
  return id;
}

const brand = (id: string, branding: Record<string, string>) =>
  sql`update organizations set branding = ${JSON.stringify(branding)} where id = ${id}`;

function later(ms: number): void {
  aheadMs += ms;
}

const hugePng = () =>
  sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: "#f00" } })
    .png()
    .toBuffer();

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${content}</svg>`;
}

function bombEntities(): string {
  const levels = ["a", "b", "c", "d", "e", "f", "g"].map((name, level, all) => {
    const below = all[level - 1];
    return `<!ENTITY ${name} "${(below ? `&${below};` : "x").repeat(10)}">`;
  });
  return `<!DOCTYPE svg [${levels.join("")}]>`;
}
