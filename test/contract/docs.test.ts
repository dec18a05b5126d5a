import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DESCRIBED_ORIGIN, describeApp, operationsOf } from "@test/support/document/described";
import { BROWSER, findProgram } from "@test/support/servers/system-program";

const { app, document } = await describeApp();
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  app.handle(new Request(`http://localhost${path}`, { method, headers }));

describe("/openapi.json", () => {
  test("is the document, readable from every origin and cached briefly", async () => {
    const response = await ask("/openapi.json", { origin: "https://elsewhere.example" });
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=60",
    });
  });

  test("answers 304 to a matching ETag, and 200 to any other", async () => {
    const etag = (await ask("/openapi.json")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\da-f]+"$/);
    const same = await ask("/openapi.json", { "if-none-match": etag });
    expect({ status: same.status, body: await same.text() }).toEqual({ status: 304, body: "" });
    expect((await ask("/openapi.json", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("is compressed for clients that accept it, with an ETag of its own", async () => {
    const plain = await ask("/openapi.json");
    const compressed = await ask("/openapi.json", { "accept-encoding": "br, gzip" });
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    const bytes = Bun.gunzipSync(await compressed.arrayBuffer());
    expect(Buffer.from(bytes).equals(Buffer.from(await plain.bytes()))).toBe(true);
  });
});

test.each(["gzip;q=0", "gzip; q=0.0, identity", "identity;q=1, *;q=0", "gzip;q=0, *", "identity", ""])(
  "a client that accepts %p gets what is not compressed",
  async (accepted) => {
    for (const path of ["/openapi.json", "/docs", "/docs/guide/api", "/docs/postman.json"]) {
      const response = await ask(path, { "accept-encoding": accepted });
      expect({ path, coding: response.headers.get("content-encoding") }).toEqual({ path, coding: null });
    }
  },
);

test("the root redirects to the dashboard", async () => {
  const response = await ask("/");
  expect({ status: response.status, location: response.headers.get("location") }).toEqual({
    status: 302,
    location: "/app",
  });
});

describe("/docs/postman.json", () => {
  test("is the collection of the same document", async () => {
    const response = await ask("/docs/postman.json");
    expect(response.headers.get("content-type")).toBe("application/json");
    const { info, variable } = JSON.parse(await response.text());
    expect(info.name).toBe(document.info.title);
    expect(variable).toContainEqual(expect.objectContaining({ key: "baseUrl", value: DESCRIBED_ORIGIN }));
  });
});

describe("/docs", () => {
  test("is a page with a title and a viewport, and links to the document and the collection", async () => {
    const html = await (await ask("/docs")).text();
    expect(html).toContain("<title>Waymark API</title>");
    expect(html).toContain('name="viewport"');
    expect((await links(html)).sort()).toEqual(expect.arrayContaining(["/openapi.json", "/docs/postman.json"]));
  });

  test("allows nothing inline and nothing from another host", async () => {
    const policy = (await ask("/docs")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const hosts = policy.match(/https?:\/\/\S+?(?=[ ;]|$)/g);
    expect(hosts).toEqual([DESCRIBED_ORIGIN]);
  });

  test("loads only its own files, which may be cached forever", async () => {
    const html = await (await ask("/docs")).text();
    const loaded = (await links(html)).filter((url) => url.startsWith("/docs/assets/"));
    expect(loaded).toHaveLength(6);
    expect((await links(html)).filter((url) => !url.startsWith("/"))).toEqual([]);
    for (const path of loaded) {
      const response = await ask(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toContain("immutable");
      const isStyle = response.headers.get("content-type")?.startsWith("text/css");
      if (isStyle) expect(foreignUrls(await response.text())).toEqual([]);
    }
  });

  test("serves a file under another version's path, but not to be cached", async () => {
    const response = await ask("/docs/assets/other/docs.js");
    expect({ status: response.status, cache: response.headers.get("cache-control") }).toEqual({
      status: 200,
      cache: "no-store",
    });
  });

  test.each(["package.json", "..%2F..%2Fpackage.json", "swagger-ui.css.map"])("has no file %s", async (name) => {
    expect((await ask(`/docs/assets/any/${name}`)).status).toBe(404);
  });

  test("shows every operation in a browser, without console messages or requests to other hosts", async () => {
    const { dom, complaints, asked } = await browse();
    expect(complaints).toEqual([]);
    for (const { tags, operationId } of operationsOf(document)) {
      expect(dom).toContain(`id="operations-${tags?.[0]?.replaceAll(" ", "_")}-${operationId}"`);
    }
    expect(new Set(asked.map((path) => path.replace(/\/[\da-f]{12}\//, "/…/")))).toEqual(
      new Set(["/docs", "/openapi.json", ...FILES.map((name) => `/docs/assets/…/${name}`)]),
    );
  });
});

const FILES = ["swagger-ui.css", "swagger-ui.js", "docs.css", "docs.js", "icon.svg"];

/**
 * Opens the page in a real browser that can reach no other host. A request to one would violate the content security
 * policy and appear in `complaints`.
 */
async function browse(): Promise<{ dom: string; complaints: string[]; asked: string[] }> {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return app.fetch(request);
    },
  });
  const profile = await mkdtemp(join(tmpdir(), "waymark-docs-"));
  const flags = [
    ...["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--disable-background-networking"],
    ...["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", `--user-data-dir=${profile}`],
    // With a hundred operations or more, Swagger UI renders only the visible ones. In this window all are visible.
    ...["--window-size=1280,40000", "--virtual-time-budget=10000", "--dump-dom"],
  ];
  const browser = Bun.spawn([findProgram(BROWSER), ...flags, `http://localhost:${server.port}/docs`], {
    stderr: "pipe",
  });
  const [dom, said] = await Promise.all([new Response(browser.stdout).text(), new Response(browser.stderr).text()]);
  await browser.exited;
  await server.stop(true);
  await rm(profile, { recursive: true, force: true });
  return { dom, complaints: said.split("\n").filter((line) => line.includes("CONSOLE")), asked };
}

async function links(html: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on("[src], [href]", {
    element(element) {
      found.push(element.getAttribute("src") ?? element.getAttribute("href") ?? "");
    },
  });
  await rewriter.transform(new Response(html)).text();
  return found;
}

/** Returns the URLs that a style sheet would load by `url(…)` and `@import`, without `data:` URLs and fragments. */
const foreignUrls = (css: string): string[] =>
  [...css.matchAll(/(?:url\(|@import)\s*["']?([^"')\s]+)/g)]
    .map(([, url]) => url ?? "")
    .filter((url) => !/^(data:|#)/.test(url));
