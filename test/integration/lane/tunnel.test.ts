/** What the lane passes on arrives at the server behind it as if there were no lane. */
import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { readsPlainRequests } from "@/lane/plain-request";
import { openListener } from "@/listener";
import { createLog } from "@/platform/telemetry/log";

const counts = { answered: 0, tunnels: 0 };
const clock = { aheadMs: 0 };
const stopwatch = { aheadMs: 0 };
const LOOK_EVERY_MS = 50;
/** Longer than a client may accept nothing of a response. */
const KEEP_ALIVE_SECONDS = 620;
let logged = "";
const aborted = Promise.withResolvers<void>();

const listener = openListener({
  port: 0,
  hostname: "127.0.0.1",
  isShared: false,
  keepAliveSeconds: KEEP_ALIVE_SECONDS,
  async answer(request, server) {
    const { pathname } = new URL(request.url);
    if (pathname === "/address") return Response.json(server.requestIP(request)?.address ?? null);
    if (pathname === "/silent") {
      request.signal.addEventListener("abort", () => aborted.resolve());
      return new Promise<Response>(() => undefined);
    }
    if (pathname === "/refused") return new Response("Not here", { status: 415 });
    if (pathname === "/late") {
      await Bun.sleep(1);
      return new Response(`${request.url.slice(request.url.indexOf(pathname))}\n`);
    }
    return new Response(await request.bytes(), { headers: { "x-method": request.method } });
  },
  lane: {
    read: readsPlainRequests(null),
    visit() {
      throw new Error("A fault of the lane's own");
    },
    addressOf: (_, peer) => peer,
    clock: () => Date.now() + clock.aheadMs,
    stopwatch: () => performance.now() + stopwatch.aheadMs,
    counts,
    lookEveryMs: LOOK_EVERY_MS,
  },
  failed: (error) => new Response(error.message, { status: 500 }),
  log: createLog((text) => {
    logged += text;
  }),
});
const { port } = listener;
const origin = `http://127.0.0.1:${port}`;
afterAll(() => listener[Symbol.asyncDispose]());

/** Opens a connection. `ask` sends text and resolves with what is received once that many responses are complete. */
function visit() {
  const socket = connect(port, "127.0.0.1");
  const ask = async (said: string, answers = 1): Promise<string> => {
    socket.write(said);
    let heard = "";
    while (!isWhole(heard, answers)) heard += String(await once(socket, "data"));
    return heard;
  };
  return { socket, ask };
}

function isWhole(heard: string, answers: number): boolean {
  let rest = heard;
  for (let count = 0; count < answers; count++) {
    const end = rest.indexOf("\r\n\r\n") + 4;
    const next = end + Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1]);
    if (end < 4 || rest.length < next) return false;
    rest = rest.slice(next);
  }
  return true;
}

describe("requests that the lane passes on", () => {
  test("twenty megabytes pass in both directions unchanged, eight times at once", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const body = new Blob(Array.from({ length: 320 }, () => bytes));
    const sent = Bun.hash(await body.arrayBuffer());
    const echoes = Array.from({ length: 8 }, async () => {
      const response = await fetch(`${origin}/echo`, { method: "POST", body });
      return Bun.hash(await response.arrayBuffer());
    });
    for (const echo of await Promise.all(echoes)) expect(echo).toBe(sent);
  });

  test("a client that stops reading for a while loses no data", async () => {
    const length = 8_000_000;
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length, "x"));
    await once(socket, "readable");
    await Bun.sleep(50);
    let read = 0;
    for await (const bytes of socket) read += bytes.length;
    expect(read).toBeGreaterThan(length);
  });

  test("a plain visit that fails in the lane is answered by the server behind it", async () => {
    const response = await fetch(`${origin}/echo`);
    expect(response.headers.get("x-method")).toBe("GET");
    expect(logged).toContain("the fast lane failed; the HTTP server answered instead");
    expect(logged).toContain("A fault of the lane's own");
  });

  test("one tunnel carries several requests of a connection", async () => {
    const before = counts.tunnels;
    const visitor = visit();
    for (let count = 0; count < 5; count++) {
      const body = "x".repeat(count * 100_000);
      const answer = await visitor.ask(
        `PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(answer).toEndWith(`\r\n\r\n${body}`);
    }
    expect(counts.tunnels - before).toBe(1);
    visitor.socket.destroy();
  });

  test("a client stays connected when the server behind closes an idle tunnel", async () => {
    const before = counts.tunnels;
    const visitor = visit();
    for (let count = 1; count < 4; count++) {
      expect(await visitor.ask("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n")).toStartWith("HTTP/1.1 200 OK");
      expect(counts.tunnels - before).toBe(count);
      listener.server.closeIdleConnections();
      await Bun.sleep(20);
    }
    visitor.socket.destroy();
  });

  test("a tunnel that is idle for too long is closed, and its client stays connected", async () => {
    const visitor = visit();
    await visitor.ask("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n");
    const before = counts.tunnels;
    stopwatch.aheadMs += 31_000;
    while (counts.tunnels === before) {
      expect(await visitor.ask("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n")).toStartWith("HTTP/1.1 200 OK");
      stopwatch.aheadMs += 31_000;
      await Bun.sleep(100);
    }
    visitor.socket.destroy();
  });

  test("pipelined requests are answered in order, each once", async () => {
    const visitor = visit();
    const paths = Array.from({ length: 20 }, (_, index) => `/late?${index}`);
    const all = visitor.ask(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n`).join(""), 20);
    expect([...(await all).matchAll(/^\/late\?\d+/gm)].map(([path]) => path)).toEqual(paths);
    visitor.socket.destroy();
  });

  test("a client that sends much more while it waits for a response gets all responses, in order", async () => {
    const visitor = visit();
    const padding = "x".repeat(8_000);
    const paths = Array.from({ length: 400 }, (_, index) => `/late?${index}`);
    const text = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${padding}\r\n\r\n`).join("");
    const all = await visitor.ask(text, paths.length);
    expect([...all.matchAll(/^\/late\?\d+/gm)].map(([path]) => path)).toEqual(paths);
    visitor.socket.destroy();
  });

  test.each([
    ["GET with a body", "GET /late?1 HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nthe body"],
    ["GET of a whole URL", "GET http://a/late?1 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("a %s and the request behind it are both answered", async (_, first) => {
    const visitor = visit();
    const both = await visitor.ask(`${first}GET /late?2 HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n`, 2);
    expect([...both.matchAll(/^\/late\?\d+/gm)].map(([path]) => path)).toEqual(["/late?1", "/late?2"]);
    visitor.socket.destroy();
  });

  test("a response sent before its request is complete does not block later requests", async () => {
    const visitor = visit();
    const refuse = () => visitor.ask("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n");
    const next = "GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n";
    expect(await refuse()).toStartWith("HTTP/1.1 415 ");
    visitor.socket.write("the body");
    await Bun.sleep(20);
    expect(await visitor.ask(next)).toStartWith("HTTP/1.1 200 OK");
    expect(await refuse()).toStartWith("HTTP/1.1 415 ");
    expect(await visitor.ask(`the body${next}`)).toStartWith("HTTP/1.1 200 OK");
    visitor.socket.destroy();
  });

  test("a request has its client's address, not the tunnel's", async () => {
    const local = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.7" });
    local.end("GET /address HTTP/1.0\r\nHost: a\r\n\r\n");
    let answer = "";
    for await (const bytes of local) answer += bytes.toString();
    expect(answer).toEndWith('"127.0.0.7"');
  });

  test("a request that bypasses the tunnel does not count as one from the machine itself", async () => {
    const response = await fetch(`http://127.0.0.1:${listener.server.port}/address`);
    expect(await response.json()).toBeNull();
  });

  test("a client that does not read its response is disconnected after a minute", async () => {
    const length = 8_000_000;
    const socket = connect(port, "127.0.0.1");
    const refused = once(socket.pause(), "error").catch((error: Error) => [error]);
    socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length, "x"));
    await once(socket, "readable");
    const waiting = setInterval(() => {
      stopwatch.aheadMs += 61_000;
      socket.write("x");
    }, 50);
    await refused;
    clearInterval(waiting);
  });

  test("an idle connection is kept for as long as the setting says, then closed without an error", async () => {
    const visitor = visit();
    const ask = () => visitor.ask("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n");
    await ask();
    stopwatch.aheadMs += (KEEP_ALIVE_SECONDS - 30) * 1000;
    // The sweeps run on the same event loop, so at least one has run by then.
    await Bun.sleep(3 * LOOK_EVERY_MS);
    expect(await ask()).toStartWith("HTTP/1.1 200 OK");
    const ended = once(visitor.socket.resume(), "end");
    stopwatch.aheadMs += (KEEP_ALIVE_SECONDS + 1) * 1000;
    await ended;
    expect(visitor.socket.errored).toBeNull();
  });

  test("a response that begins after a long pause is not cut off while its client begins to read", async () => {
    const length = 8_000_000;
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.pause();
    stopwatch.aheadMs += (KEEP_ALIVE_SECONDS - 30) * 1000;
    socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length, "x"));
    await once(socket, "readable");
    await Bun.sleep(3 * LOOK_EVERY_MS);
    let received = 0;
    for await (const bytes of socket) received += bytes.length;
    expect(received).toBeGreaterThan(length);
  });

  test("no connection is closed because the machine's clock was set", async () => {
    const visitor = visit();
    const ask = () => visitor.ask("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n");
    await ask();
    const before = counts.tunnels;
    clock.aheadMs += 86_400_000;
    // The sweeps run on the same event loop, so at least one has run by then.
    await Bun.sleep(3 * LOOK_EVERY_MS);
    clock.aheadMs = 0;
    expect(await ask()).toStartWith("HTTP/1.1 200 OK");
    expect(counts.tunnels).toBe(before);
    visitor.socket.destroy();
  });

  test("a request is aborted when its client disconnects", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /silent HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n");
    socket.once("error", () => undefined);
    while (listener.server.pendingRequests === 0) await Bun.sleep(5);
    socket.resetAndDestroy();
    await aborted.promise;
  });
});

test("the server behind the lane cannot be reached from other machines", () => {
  expect(listener.server.hostname).toBe("127.0.0.1");
  expect(listener.server.port).not.toBe(port);
});
