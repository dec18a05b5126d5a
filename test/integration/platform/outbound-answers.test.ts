/** How the outbound client handles good and hostile responses: limits on time and size, redirects, and clean ends. */
import { describe, expect, test } from "bun:test";
import { startCanary } from "@test/support/outside/canary";
import { failureOf, startRawSite, startSite } from "@test/support/outside/site";
import { createOutbound, type OutboundInit, type OutboundReason } from "@/platform/outbound/outbound";

const canary = await startCanary();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const echo = startSite(async (request) =>
  Response.json({ method: request.method, headers: Object.fromEntries(request.headers), body: await request.text() }),
);
const other = startSite(async (request) =>
  Response.json({ method: request.method, headers: Object.fromEntries(request.headers), body: await request.text() }),
);

interface Echoed {
  method: string;
  headers: Record<string, string>;
  body: string;
}

const ask = (url: string, init?: OutboundInit) => failureOf(outbound.request(url, init));

const OK = "HTTP/1.1 200 OK\r\n";

describe("timeout", () => {
  test.each([
    ["says nothing", ""],
    ["stops within its headers", `${OK}Content-`],
    ["stops within its body", `${OK}Content-Length: 5\r\n\r\nab`],
    ["only announces answers", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("an answer that %s", async (_, said) => {
    const site = await startRawSite((socket) => void socket.write(said));
    expect(await ask(site.url, { totalMs: 150 })).toBe("timeout");
    await expectClosed(site);
  });

  test("a response that trickles without long pauses", async () => {
    const site = await startRawSite((socket) => {
      socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
      const timer = setInterval(() => socket.write("x"), 5);
      socket.once("close", () => clearInterval(timer));
    });
    expect(await ask(site.url, { totalMs: 200 })).toBe("timeout");
    await expectClosed(site);
  });

  test("redirects share one deadline", async () => {
    const site = startSite(async () => {
      await Bun.sleep(60);
      return redirect("/again");
    });
    expect(await ask(site.url, { totalMs: 250, redirectsMax: 1_000 })).toBe("timeout");
  });

  test("a resolver that never answers", async () => {
    const stuck = createOutbound({ allow: [], lookup: () => new Promise(() => {}) });
    expect(await failureOf(stuck.request("http://shop.example/", { connectMs: 50 }))).toBe("timeout");
  });
});

describe("too_large", () => {
  test("a body one byte over the limit", async () => {
    const site = startSite(() => new Response("x".repeat(101)));
    expect(await ask(site.url, { bytesMax: 100 })).toBe("too_large");
    expect(await ask(site.url, { bytesMax: 101 })).toBe("answered");
  });

  test("an endless body", async () => {
    const site = await startRawSite((socket) => {
      socket.write(`${OK}\r\n`);
      const pour = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(await ask(site.url)).toBe("too_large");
    await expectClosed(site);
  });

  test.each([
    ["one header", `X: ${"a".repeat(40_000)}\r\n`],
    ["many headers", "X: a\r\n".repeat(20_000)],
  ])("more in %s than a head may hold", async (_, headers) => {
    const site = await startRawSite((socket) => void socket.end(`${OK}${headers}\r\n`));
    expect(await ask(site.url)).toBe("too_large");
    await expectClosed(site);
  });

  test("a compression bomb counts with its compressed size, because it is not decompressed", async () => {
    const bomb = Bun.gzipSync(Buffer.alloc(8_000_000));
    const site = startSite(() => new Response(bomb, { headers: { "content-encoding": "gzip" } }));
    expect(await ask(site.url, { bytesMax: bomb.length - 1 })).toBe("too_large");
    const { body } = await outbound.request(site.url, { bytesMax: bomb.length });
    expect(body.length).toBe(bomb.length);
  });

  test("a body over the limit is truncated instead where the caller asks for that", async () => {
    const site = await startRawSite((socket) => {
      const timer = setInterval(() => socket.write("x".repeat(60)), 1);
      socket.write(`${OK}\r\n`);
      socket.once("close", () => clearInterval(timer));
    });
    const { status, body } = await outbound.request(site.url, { bytesMax: 100, beyond: "cut" });
    expect({ status, bytes: body.length }).toEqual({ status: 200, bytes: 100 });
    await expectClosed(site);
  });
});

describe("refused", () => {
  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["a body shorter than announced", `${OK}Content-Length: 10\r\n\r\nabc`],
    ["chunks that are none", `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["two lengths at once", `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
    ["a NUL in a header", `${OK}X: a\0b\r\n\r\n`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
    ["nothing before it closes", ""],
  ])("an answer that is %s", async (_, said) => {
    const site = await startRawSite((socket) => void socket.end(said));
    expect(await ask(site.url)).toBe("refused");
    await expectClosed(site);
  });

  test("an address where no server listens", async () => {
    expect(await ask("http://127.0.0.1:1/")).toBe("refused");
  });
});

describe("redirects", () => {
  const into = (location: string) => startSite(() => redirect(location)).url;

  test.each<[string, () => string, OutboundReason]>([
    ["private space", () => into(`http://127.0.0.9:${canary.port}/`), "not_public"],
    ["private space in disguise", () => into(`http://[::ffff:7f00:9]:${canary.port}/`), "not_public"],
    ["another scheme", () => into("file:///etc/passwd"), "bad_url"],
    ["a URL with a password", () => into("http://a:b@127.0.0.1/"), "bad_url"],
    ["itself", () => into("/"), "redirects"],
  ])("into %s", async (_, site, reason) => {
    expect(await ask(site(), { redirectsMax: 5 })).toBe(reason);
    expect(canary.hits()).toBe(0);
  });

  test("are not followed unless the caller asks for it", async () => {
    const { status, headers, url } = await outbound.request(into(`${other.url}/there`));
    expect({ status, location: headers.get("location") }).toEqual({ status: 302, location: `${other.url}/there` });
    expect(url).not.toContain("/there");
  });

  test("beyond the limit", async () => {
    const site = startSite(({ url }) =>
      url.endsWith("/3")
        ? new Response("end")
        : redirect(`${url.at(-1)}` === "/" ? "/1" : `/${Number(url.at(-1)) + 1}`),
    );
    expect(await ask(site.url, { redirectsMax: 2 })).toBe("redirects");
    const { status, url } = await outbound.request(site.url, { redirectsMax: 3 });
    expect({ status, url }).toEqual({ status: 200, url: `${site.url}/3` });
  });

  test("headers that may contain credentials are not sent to another origin", async () => {
    const headers = { authorization: "Bearer secret", cookie: "a=b", "x-api-key": "secret", "accept-language": "de" };
    const echoed = await echoedBy(into(`${other.url}/`), { headers, redirectsMax: 1 });
    expect(Object.keys(echoed.headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  test("a body is not sent to another origin, and a POST becomes a GET", async () => {
    const body = "secret";
    const kept = startSite(() => new Response(null, { status: 307, headers: { location: `${other.url}/` } }));
    expect(await ask(kept.url, { method: "POST", body, redirectsMax: 1 })).toBe("redirects");
    const echoed = await echoedBy(into(`${other.url}/`), { method: "POST", body, redirectsMax: 1 });
    expect(echoed).toMatchObject({ method: "GET", body: "" });
  });
});

describe("aborted", () => {
  test("before the request starts, and while it waits", async () => {
    expect(await ask(echo.url, { signal: AbortSignal.abort() })).toBe("aborted");
    const site = await startRawSite(() => {});
    const leaving = new AbortController();
    const asked = ask(site.url, { signal: leaving.signal });
    while (site.open() === 0) await Bun.sleep(1);
    leaving.abort();
    expect(await asked).toBe("aborted");
    await expectClosed(site);
  });
});

describe("a request", () => {
  test("contains the given headers and nothing about the service", async () => {
    const echoed = await echoedBy(`${echo.url}/path?q=1#part`, {
      method: "POST",
      headers: { "content-type": "text/plain", "x-signature": "é" },
      body: "größe",
    });
    expect(echoed).toMatchObject({ method: "POST", body: "größe" });
    expect(echoed.headers).toMatchObject({ "content-length": "7", "accept-encoding": "identity", connection: "close" });
    expect(echoed.headers["user-agent"]).toBe("Waymark");
  });

  test.each(["Host", "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Expect", "Proxy-Authorization"])(
    "has no %s but the client's own",
    async (name) => {
      const echoed = await echoedBy(echo.url, { method: "POST", body: "x", headers: { [name]: "7" } });
      expect(echoed.headers[name.toLowerCase()]).not.toBe("7");
      expect(echoed.body).toBe("x");
    },
  );

  test.each([
    ["a line break in a header", { headers: { "x-a": "1\r\nX-B: 2" } }],
    ["a line break in a header's name", { headers: { "x-a\r\nx-b": "1" } }],
    ["a line break in a method", { method: "GET / HTTP/1.1\r\nX: 1\r\n\r\nGET" }],
    ["a tunnel", { method: "CONNECT" }],
    ["a body where none may be", { body: "x" }],
  ])("is not sent with %s", async (_, init) => {
    await expect(outbound.request(echo.url, init)).rejects.toThrow(TypeError);
  });

  test("cannot smuggle another request in its path", async () => {
    const seen: string[] = [];
    const site = startSite(({ url }) => {
      seen.push(url);
      return new Response();
    });
    await outbound.request(`${site.url}/a\r\nHost: x\r\n\r\nGET /b HTTP/1.1 ü?\r\nc d`);
    expect(seen).toEqual([`${site.url}/aHost:%20xGET%20/b%20HTTP/1.1%20%C3%BC?c%20d`]);
  });

  test("with HEAD ends after the response's headers", async () => {
    const site = await startRawSite((socket) => void socket.write(`${OK}Content-Length: 500000\r\n\r\n`));
    const { status, body } = await outbound.request(site.url, { method: "HEAD" });
    expect({ status, bytes: body.length }).toEqual({ status: 200, bytes: 0 });
    await expectClosed(site);
  });

  test("accepts any status code as a response", async () => {
    const site = await startRawSite((socket) => void socket.end("HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n"));
    expect((await outbound.request(site.url)).status).toBe(999);
    expect(await failureOf(outbound.fetch(site.url))).toBe("refused");
  });

  test("leaves no connection open", async () => {
    const site = await startRawSite((socket) => void socket.write(`${OK}Content-Length: 2\r\n\r\nok`));
    await Promise.all(Array.from({ length: 5 }, () => outbound.request(site.url)));
    await expectClosed(site);
  });

  test("ignores the proxies in environment variables", async () => {
    const proxy = `http://127.0.0.1:${canary.port}`;
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    const code = `import { createOutbound } from "@/platform/outbound/outbound";
      const { status } = await createOutbound({ allow: ["127.0.0.1"] }).request("${echo.url}");
      console.log(status);`;
    const child = Bun.spawn([process.execPath, "-e", code], {
      env: { ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: "1", NO_PROXY: "" },
      stdout: "pipe",
    });
    expect(await new Response(child.stdout).text()).toBe("200\n");
    expect(canary.hits()).toBe(0);
  });
});

describe("as a fetch", () => {
  test("it sends a form and reads JSON", async () => {
    const response = await outbound.fetch(echo.url, { method: "POST", body: new URLSearchParams({ a: "b c" }) });
    const echoed = (await response.json()) as Echoed;
    expect(response.ok).toBe(true);
    expect(echoed).toMatchObject({ method: "POST", body: "a=b+c" });
    expect(echoed.headers["content-type"]).toBe("application/x-www-form-urlencoded;charset=UTF-8");
  });

  test("it accepts up to 1 MB, follows no redirect and refuses private addresses", async () => {
    const large = startSite(() => new Response("x".repeat(1024 * 1024 + 1)));
    expect(await failureOf(outbound.fetch(large.url))).toBe("too_large");
    const site = startSite(() => redirect(other.url));
    expect((await outbound.fetch(site.url)).status).toBe(302);
    expect(await failureOf(outbound.fetch(`http://127.0.0.9:${canary.port}/`))).toBe("not_public");
  });

  test("a response without a body has none", async () => {
    const site = startSite(() => new Response(null, { status: 204 }));
    expect((await outbound.fetch(site.url)).body).toBeNull();
  });
});

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

async function echoedBy(url: string, init: OutboundInit): Promise<Echoed> {
  const { body } = await outbound.request(url, init);
  return JSON.parse(Buffer.from(body).toString());
}

/** Waits until the other side sees the connection closed; the test's own timeout is the limit. */
async function expectClosed(site: { open(): number }): Promise<void> {
  while (site.open() > 0) await Bun.sleep(2);
}
