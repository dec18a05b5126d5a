/**
 * Redis for tests. Each process uses one server (`TEST_REDIS_URL`, else its own of `TEST_REDIS_URLS`, else a new
 * `redis-server` that stores nothing on disk) and gives each caller its own database number. `TEST_REDIS_DATABASES`
 * is the number of databases of a given server. Pub/sub channels are shared by all databases, so tests must use
 * distinct names.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { takePort } from "@test/support/servers/test-port";
import Redis from "ioredis";
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { itemOfThisProcess } from "../run-process";
import { findProgram, REDIS_SERVER } from "./system-program";

export const OWN_DATABASES = 4096;
/** The default number of databases in Redis. Database 0 is left to other users of the server. */
const FOREIGN_DATABASES = 16;
const LAUNCHES_MAX = 5;

export interface TestRedis {
  /** Includes the number of the caller's database. */
  url: string;
  /** Empties the caller's database. */
  flush(): Promise<void>;
  /** Empties the database and returns its number to the pool. The server itself ends with the run. */
  stop(): Promise<void>;
}

interface Server {
  url: string;
  freeNumbers: number[];
}

let server: Promise<Server> | undefined;

/** Reserves a database. Throws if there is no Redis and none can be installed. */
export async function startRedis(): Promise<TestRedis> {
  server ??= startServer();
  const { url: serverUrl, freeNumbers } = await server;
  const number = freeNumbers.shift();
  if (number === undefined) throw new Error("All databases of the test Redis are taken: call stop() when done.");
  const url = new URL(serverUrl);
  url.pathname = `/${number}`;
  const client = new Redis(url.href);
  const flush = async () => void (await client.flushdb());
  const close = async () => {
    await flush();
    client.disconnect();
    freeNumbers.push(number);
  };
  let closed: Promise<void> | undefined;
  const stop = () => {
    closed ??= close();
    return closed;
  };
  await flush();
  atEndOfRun(stop);
  return { url: url.href, flush, stop };
}

async function startServer(): Promise<Server> {
  const given = Bun.env.TEST_REDIS_URL ?? itemOfThisProcess(Bun.env.TEST_REDIS_URLS);
  const count = given ? Number(Bun.env.TEST_REDIS_DATABASES ?? FOREIGN_DATABASES) : OWN_DATABASES;
  const freeNumbers = Array.from({ length: count }, (_, number) => number);
  if (given) return { url: given, freeNumbers: freeNumbers.slice(1) };
  return { url: await startOwnRedis(), freeNumbers };
}

/**
 * Starts a Redis that ends with this process, and returns its URL. Throws if there is none and none can be installed.
 */
export async function startOwnRedis(): Promise<string> {
  const program = findProgram(REDIS_SERVER);
  for (let launches = 1; launches <= LAUNCHES_MAX; launches++) {
    const port = await takePort();
    if (await launch(program, port)) return `redis://127.0.0.1:${port}`;
  }
  throw new Error(`${program} did not start.`);
}

/** Resolves to whether the server started. It ends with the run, even if the run is killed. */
async function launch(program: string, port: number): Promise<boolean> {
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(program, [...flags, "--databases", String(OWN_DATABASES)], { stdio: ["ignore", "pipe", "pipe"] });
  const watchdog = onDeathOfRun('kill -KILL "$1"', String(child.pid));
  const isReady = await untilReady(child);
  if (!isReady) watchdog.dismiss();
  else
    atEndOfRun(async () => {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      watchdog.dismiss();
    });
  child.unref();
  return isReady;
}

function untilReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes("Ready to accept connections")) resolve(true);
    });
    child.once("error", reject).once("exit", () => resolve(false));
  });
}
