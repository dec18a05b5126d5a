/**
 * Connections that the outbound client keeps: only while their address is current, and never to one that a new
 * connection may not use.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { failureOf } from "@test/support/outside/site";
import { makeCertificate } from "@test/support/servers/certificates";
import { until } from "@test/support/until";
import { createConnectionPool } from "@/platform/outbound/connection-pool";
import { createOutbound, type OutboundInit } from "@/platform/outbound/outbound";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const POST: OutboundInit = { method: "POST", body: "hello", isKept: true };

/** Starts a site that responds to each request as `answer` does. */
async function startKeptSite(answer: (socket: Socket, request: number, connection: number) => void) {
  const open = new Set<Socket>();
  let [connections, requests] = [0, 0];
  const server = createServer((socket) => {
    const connection = ++connections;
    open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
    socket.on("data", () => answer(socket, ++requests, connection));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://hooks.example:${port}/`,
    open: () => open.size,
    connections: () => connections,
    requests: () => requests,
  };
}

/** Returns a client whose lookups return this machine until another address is set. */
function startOutbound(kept = createConnectionPool()) {
  let lookups = 0;
  let address = "127.0.0.1";
  const lookup = async () => {
    lookups++;
    return [{ address, family: 4 }];
  };
  const outbound = createOutbound({ allow: ["127.0.0.1"], lookup, kept });
  return {
    request: outbound.request,
    lookups: () => lookups,
    rebind: (to: string) => {
      address = to;
    },
  };
}

const answerOk = (socket: Socket) => void socket.write(OK);

describe("a connection", () => {
  test("serves one request after another, and the name is looked up once", async () => {
    const site = await startKeptSite(answerOk);
    const { request, lookups } = startOutbound();
    for (let asked = 0; asked < 5; asked++) {
      expect(new TextDecoder().decode((await request(site.url, POST)).body)).toBe("ok");
    }
    expect([site.requests(), site.connections(), lookups()]).toEqual([5, 1, 1]);
  });

  test("is closed after a request that does not ask for keep-alive", async () => {
    const site = await startKeptSite(answerOk);
    const { request } = startOutbound();
    await request(site.url);
    await request(site.url);
    expect(site.connections()).toBe(2);
    await until(() => site.open() === 0);
  });

  test("that the server has closed is replaced, and the request succeeds", async () => {
    const site = await startKeptSite((socket, request) => void (request === 2 ? socket.destroy() : socket.write(OK)));
    const { request } = startOutbound();
    await request(site.url, POST);
    expect((await request(site.url, POST)).status).toBe(200);
    expect([site.requests(), site.connections()]).toEqual([3, 2]);
  });

  test("that the server keeps closing fails the request after two attempts", async () => {
    const site = await startKeptSite((socket, request) => void (request === 1 ? socket.write(OK) : socket.destroy()));
    const { request } = startOutbound();
    await request(site.url, POST);
    expect(await failureOf(request(site.url, POST))).toBe("refused");
    expect(site.requests()).toBe(3);
  });

  test("is not reused after a truncated or invalid response", async () => {
    const answers = [`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${"x".repeat(100)}`, "nonsense\r\n\r\n", OK];
    const site = await startKeptSite((socket, request) => void socket.write(answers[request - 1] ?? OK));
    const { request } = startOutbound();
    expect((await request(site.url, { ...POST, bytesMax: 10, beyond: "cut" })).body).toHaveLength(10);
    expect(await failureOf(request(site.url, POST))).toBe("refused");
    expect((await request(site.url, POST)).status).toBe(200);
    expect([site.requests(), site.connections()]).toEqual([3, 3]);
  });

  test("is closed when its origin gets no further requests", async () => {
    const site = await startKeptSite(answerOk);
    const { request } = startOutbound(createConnectionPool({ unusedMs: 20 }));
    await request(site.url, POST);
    await until(() => site.open() === 0);
  });

  test("with TLS is reused too, and its certificate is checked", async () => {
    const { cert, key } = makeCertificate({ names: ["hooks.example"] });
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: { cert, key }, fetch: () => new Response("ok") });
    afterAll(() => server.stop(true));
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const trusting = createOutbound({ allow: ["127.0.0.1"], ca: cert, lookup });
    for (let asked = 0; asked < 3; asked++) {
      expect((await trusting.request(`https://hooks.example:${server.port}/`, POST)).status).toBe(200);
    }
    expect(await failureOf(trusting.request(`https://other.example:${server.port}/`, POST))).toBe("tls");
  });
});

describe("a name whose addresses may have changed", () => {
  test("is not resolved again while the last check is valid", async () => {
    const site = await startKeptSite(answerOk);
    const { request, rebind } = startOutbound();
    await request(site.url, POST);
    rebind("10.0.0.1");
    expect((await request(site.url, POST)).status).toBe(200);
    expect(site.connections()).toBe(1);
  });

  test("is checked again after that, and a connection to a refused address is closed unused", async () => {
    const site = await startKeptSite(answerOk);
    const { request, rebind } = startOutbound(createConnectionPool({ judgedMs: 0 }));
    await request(site.url, POST);
    rebind("10.0.0.1");
    expect(await failureOf(request(site.url, POST))).toBe("not_public");
    await until(() => site.open() === 0);
    rebind("127.0.0.1");
    expect((await request(site.url, POST)).status).toBe(200);
    expect(site.connections()).toBe(2);
  });

  test("keeps the connection if it still has that address", async () => {
    const site = await startKeptSite(answerOk);
    const { request, lookups } = startOutbound(createConnectionPool({ judgedMs: 0 }));
    await request(site.url, POST);
    await request(site.url, POST);
    expect([site.connections(), lookups()]).toEqual([1, 2]);
  });
});
