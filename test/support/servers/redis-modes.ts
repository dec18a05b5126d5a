/** Starts Redis for the caller in the modes of larger installations: a cluster, a master with a sentinel, and TLS. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { Redis } from "ioredis";
import { onDeathOfRun } from "../end-of-run";
import { makeCertificate } from "./certificates";
import { findProgram, REDIS_SERVER } from "./system-program";

const READY_MS_MAX = 60_000;
const SLOTS = 16_384;
const MASTERS = 3;
/** Milliseconds after which a node that does not respond counts as failed. */
const GONE_AFTER_MS = "1000";

export interface RedisMode {
  url: string;
  /** Environment for the service process. */
  env?: Record<string, string>;
  /** Kills a master and resolves once a replica has replaced it. Has no effect on a single server. */
  failOver(): Promise<void>;
  end(): Promise<void>;
}

interface Node {
  port: number;
  child: ChildProcess;
  ask(...command: [string, ...string[]]): Promise<unknown>;
}

interface Nodes {
  folder: string;
  start(flags: readonly string[], file?: string): Promise<Node>;
  end(): Promise<void>;
}

export async function startRedisCluster(): Promise<RedisMode> {
  const nodes = await openNodes();
  const flags = ["--cluster-enabled", "yes", "--cluster-node-timeout", GONE_AFTER_MS];
  const all: Node[] = [];
  const buses: number[] = [];
  while (all.length < 2 * MASTERS) {
    const file = `nodes-${all.length}.conf`;
    // Chosen explicitly: the default, 10,000 above the node's port, is in the range of ephemeral ports and may be
    // taken.
    const busPort = await takePort();
    buses.push(busPort);
    all.push(await nodes.start([...flags, "--cluster-port", `${busPort}`, "--cluster-config-file", file]));
  }
  const [masters, replicas] = [all.slice(0, MASTERS), all.slice(MASTERS)];
  for (const [index, master] of masters.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / MASTERS));
    await master.ask("CLUSTER", "ADDSLOTSRANGE", String(from), String(Number(to) - 1));
  }
  for (const [place, { port }] of all.entries())
    if (place > 0) await all[0]?.ask("CLUSTER", "MEET", "127.0.0.1", `${port}`, `${buses[place]}`);
  const ids = await Promise.all(masters.map(({ ask }) => ask("CLUSTER", "MYID")));
  for (const [index, replica] of replicas.entries())
    await until(async () => (await replica.ask("CLUSTER", "REPLICATE", String(ids[index]))) === "OK");
  const isWhole = async ({ ask }: Node) => String(await ask("CLUSTER", "INFO")).includes("cluster_state:ok");
  const knowReplicas = async ({ ask }: Node) =>
    String(await ask("CLUSTER", "NODES")).match(/slave/g)?.length === MASTERS;
  for (const node of all) await until(async () => (await isWhole(node)) && (await knowReplicas(node)));
  for (const { ask } of replicas)
    await until(async () => String(await ask("INFO", "replication")).includes("master_link_status:up"));
  return {
    url: `redis+cluster://${all.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    async failOver() {
      masters[0]?.child.kill("SIGKILL");
      await until(async () => String(await replicas[0]?.ask("ROLE")).startsWith("master"));
      for (const node of all.slice(1)) await until(() => isWhole(node));
    },
    end: nodes.end,
  };
}

export async function startRedisSentinel(): Promise<RedisMode> {
  const nodes = await openNodes();
  const master = await nodes.start([]);
  const replica = await nodes.start(["--replicaof", "127.0.0.1", String(master.port)]);
  await until(async () => String(await master.ask("INFO", "replication")).includes("state=online"));
  const settings = [
    `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds main ${GONE_AFTER_MS}`,
    "sentinel failover-timeout main 3000",
  ].join("\n");
  const sentinel = await nodes.start(["--sentinel"], settings);
  const knows = async () => String(await sentinel.ask("SENTINEL", "REPLICAS", "main")).includes(String(replica.port));
  await until(knows);
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`,
    async failOver() {
      master.child.kill("SIGKILL");
      await until(async () => String(await replica.ask("ROLE")).startsWith("master"));
    },
    end: nodes.end,
  };
}

export async function startRedisWithTls(): Promise<RedisMode> {
  const nodes = await openNodes();
  const { cert, key } = makeCertificate({ names: ["localhost"] });
  const [certFile, keyFile] = [join(nodes.folder, "redis.crt"), join(nodes.folder, "redis.key")];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  const tlsPort = String(await takePort());
  const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile];
  await nodes.start(["--tls-port", tlsPort, "--tls-auth-clients", "no", "--requirepass", "a secret", ...files]);
  return {
    url: `rediss://:a%20secret@localhost:${tlsPort}`,
    env: { NODE_EXTRA_CA_CERTS: certFile },
    failOver: async () => undefined,
    end: nodes.end,
  };
}

async function openNodes(): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-redis-"));
  const ends: (() => Promise<void>)[] = [];
  return {
    folder,
    async start(flags, file) {
      const port = await takePort();
      const settings = join(folder, `${port}.conf`);
      await writeFile(settings, `${file ?? ""}\n`);
      const common = [
        "--dir",
        folder,
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
      ];
      const child = spawn(findProgram(REDIS_SERVER), [settings, ...common, ...flags], { stdio: "ignore" });
      const watchdog = onDeathOfRun('kill -KILL "$1"', String(child.pid));
      const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      const password = flags.includes("--requirepass") ? flags[flags.indexOf("--requirepass") + 1] : undefined;
      const client = new Redis({ port, host: "127.0.0.1", password, retryStrategy: () => 50 });
      client.on("error", () => undefined);
      ends.push(async () => {
        client.disconnect();
        child.kill("SIGKILL");
        await exited;
        watchdog.dismiss();
      });
      await until(async () => (await client.ping()) === "PONG");
      return { port, child, ask: (name, ...rest) => client.call(name, ...rest) };
    },
    async end() {
      for (const end of ends) await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + READY_MS_MAX;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > giveUpAt) throw new Error("It did not come to pass");
    await Bun.sleep(20);
  }
}
