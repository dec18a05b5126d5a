/**
 * Starts a Postgres or a Redis for the caller behind a proxy. It can be stopped, frozen or made silent, and brought
 * back. Its address stays the same throughout.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { takePort } from "@test/support/servers/test-port";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { onDeathOfRun } from "../end-of-run";
import { makeUsedDataFolder, postgresProcesses } from "./embedded";
import { findProgram, REDIS_SERVER } from "./system-program";
import { TcpProxy } from "./tcp-proxy";

export const OUTAGE_KINDS = ["stopped", "frozen", "silent"] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

export interface Dependency {
  /** Address through the proxy. */
  url: string;
  /** Address that bypasses the proxy. */
  directUrl: string;
  startOutage(how: OutageKind): Promise<void>;
  endOutage(): Promise<void>;
  end(): Promise<void>;
}

interface Server {
  port: number;
  pids(): number[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function ownPostgres(): Promise<Dependency> {
  const folder = await makeUsedDataFolder();
  const port = await takePort();
  const settings = { port: String(port), fsync: "off", full_page_writes: "off" };
  const launch = () => startEmbeddedPostgres(folder.path, () => undefined, { settings });
  let running = await launch();
  const server: Server = {
    port,
    pids: () => postgresProcesses(folder.path),
    stop: () => running.stop(),
    start: async () => {
      running = await launch();
    },
  };
  return behindProxy(server, running.url, async () => {
    await running.stop();
    await folder.remove();
  });
}

export async function ownRedis(): Promise<Dependency> {
  const port = await takePort();
  let child = await launchRedis(port);
  const url = `redis://127.0.0.1:${port}`;
  const server: Server = {
    port,
    pids: () => (child.pid === undefined ? [] : [child.pid]),
    stop: () => endProcess(child),
    start: async () => {
      child = await launchRedis(port);
    },
  };
  return behindProxy(server, url, () => endProcess(child));
}

async function behindProxy(server: Server, directUrl: string, end: () => Promise<void>): Promise<Dependency> {
  const proxy = await TcpProxy.start(server.port);
  const url = new URL(directUrl);
  url.port = String(proxy.port);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of server.pids()) process.kill(pid, name);
  };
  const ways: Record<OutageKind, { go(): Promise<void>; back(): Promise<void> }> = {
    stopped: {
      go: async () => {
        await Promise.all([proxy.cut(), server.stop()]);
      },
      back: async () => {
        await server.start();
        await proxy.open();
      },
    },
    frozen: { go: async () => signal("SIGSTOP"), back: async () => signal("SIGCONT") },
    silent: { go: async () => proxy.silence(), back: () => proxy.open() },
  };
  let way: (typeof ways)[OutageKind] | undefined;
  const endOutage = async () => {
    await way?.back();
    way = undefined;
  };
  return {
    url: url.href,
    directUrl,
    async startOutage(how) {
      way = ways[how];
      await way.go();
    },
    endOutage,
    async end() {
      await endOutage();
      await proxy.cut();
      await end();
    },
  };
}

async function launchRedis(port: number): Promise<ChildProcess> {
  // One that a test makes a replica would otherwise leave what it copied as a file.
  const inMemory = ["--save", "", "--appendonly", "no", "--repl-diskless-load", "swapdb"];
  const all = ["--port", String(port), "--bind", "127.0.0.1", ...inMemory];
  const child = spawn(findProgram(REDIS_SERVER), all, { stdio: ["ignore", "pipe", "ignore"] });
  const watchdog = onDeathOfRun('kill -KILL "$1"', String(child.pid));
  child.once("exit", () => watchdog.dismiss());
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => String(chunk).includes("Ready to accept connections") && resolve());
    child.once("error", reject).once("exit", () => reject(new Error(`Redis did not start on port ${port}`)));
  });
  return child;
}

function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
