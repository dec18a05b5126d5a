/** More connections than the process may have open files: idle ones make room, and the service lives on. */
import { afterAll, expect, test } from "bun:test";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { isUp, ServiceProcess } from "@test/support/service-process";
import { until } from "@test/support/until";
import { descriptorsForVisitors } from "@/lane/open-files";
import { openListener } from "@/listener";
import { createLog } from "@/platform/telemetry/log";

const CONNECTIONS = 8;
const LIMIT = 256;

let logged = "";
const held = Promise.withResolvers<Response>();
let isHeld = false;
const listener = openListener({
  ...{ port: 0, hostname: "127.0.0.1", isShared: false, keepAliveSeconds: 75 },
  answer(request) {
    if (!request.url.endsWith("/held")) return new Response("served");
    isHeld = true;
    return held.promise;
  },
  lane: {
    read: () => undefined,
    visit: () => undefined,
    addressOf: (_, peer) => peer,
    clock: Date.now,
    counts: { answered: 0, tunnels: 0 },
    // Each connection has a tunnel.
    descriptorsMax: 3 * CONNECTIONS,
  },
  failed: (error) => new Response(error.message, { status: 500 }),
  log: createLog((text) => {
    logged += text;
  }),
});
afterAll(() => listener[Symbol.asyncDispose]());

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

async function ask(socket: Socket, path = "/"): Promise<string> {
  socket.write(GET(path));
  return String(await once(socket, "data"));
}

test("the connection that has been idle for longest is closed for a new one, never one that waits for a response", async () => {
  const open = () => connect(listener.port, "127.0.0.1").on("error", () => undefined);
  const waiting = open();
  waiting.write(GET("/held"));
  await until(() => isHeld);
  const idle: Socket[] = [];
  for (let number = 1; number < CONNECTIONS; number++) {
    const socket = open();
    idle.push(socket);
    expect(await ask(socket)).toStartWith("HTTP/1.1 200 OK");
  }
  const [first, ...rest] = idle;
  if (!first) throw new Error("There is one");
  expect(logged).toBe("");
  const closed = new Promise((resolve) => first.once("close", resolve));
  const newcomer = open();
  expect(await ask(newcomer)).toStartWith("HTTP/1.1 200 OK");
  await closed;
  expect(logged).toContain("too many connections for the limit of open files");
  for (const socket of rest) expect(await ask(socket)).toStartWith("HTTP/1.1 200 OK");
  held.resolve(new Response("at last"));
  expect(String(await once(waiting, "data"))).toEndWith("at last");
  for (const socket of [waiting, newcomer, ...rest]) socket.destroy();
});

test.each([
  [1_048_576, 1_046_528],
  [1_024, 768],
  [256, 128],
  [64, 32],
])("of %d open files, visitors may have %d", (limit, expected) => {
  expect(descriptorsForVisitors(limit)).toBe(expected);
});

test("a service outlives more connections than it may have open files, and serves before and after they end", async () => {
  const database = await createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-crowd-"));
  const port = await takePort();
  const within = ["sh", "-c", `ulimit -n ${LIMIT}; exec "$@"`, "sh"];
  const service = new ServiceProcess({ port, dataDir, databaseUrl: database.url, within, env: { WORKERS: "1" } });
  try {
    await service.until("serving");
    const api = client(`http://localhost:${port}`);
    const account = await api.register();
    const link = await api.createLink(account, { defaultUrl: "https://example.com/" });
    const crowd = Array.from({ length: 2 * LIMIT }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(`GET ${new URL(link.shortUrl).pathname} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: a=b\r\n\r\n`);
      return socket;
    });
    await service.until("too many connections for the limit of open files (ulimit -n): closing idle or new ones");
    await until(() => isUp(port));
    for (const socket of crowd) socket.destroy();
    expect((await api.visit(link)).status).toBe(302);
    await until(async () => (await database.sql`select from clicks limit 1`).length > 0);
  } finally {
    expect(await service.end()).toBe(0);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 240_000);
