/** Starts the servers under measurement, each as a separate process on the server's core. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { MEMORY } from "@test/support/service-process";
import type { Subprocess } from "bun";
import { ALL_CORES, pinned, SERVER_CORE } from "./load";

export interface Running extends AsyncDisposable {
  origin: string;
  port: number;
  pid: number;
}

const READY_MS = 120_000;

/** The memory setting that the guide recommends for large workspaces. */
export const LARGE_POSTGRES = { settings: { shared_buffers: "1GB" } };

/** Starts a script of `servers/`, with its port as the first argument. */
export async function startScript(name: string, ...args: string[]): Promise<Running> {
  const port = await takePort();
  const script = join(import.meta.dir, "servers", `${name}.ts`);
  return started(port, Bun.spawn(pinned(SERVER_CORE, [process.execPath, script, String(port), ...args])));
}

/**
 * Starts the product as it is deployed: a separate process, with Postgres elsewhere. With `WORKERS` set, it may use
 * all cores.
 */
export async function startWaymark(databaseUrl: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await takePort();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const command = [process.execPath, "src/main.ts"];
  const child = Bun.spawn(env.WORKERS ? pinned(ALL_CORES, command) : pinned(SERVER_CORE, command), {
    stdout: "ignore",
    stderr: "inherit",
    env: {
      PATH: Bun.env.PATH,
      ...MEMORY,
      PORT: String(port),
      HOST: "127.0.0.1",
      BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      TRUSTED_PROXIES: "127.0.0.1",
      CLIENT_IP_HEADER: "x-forwarded-for",
      ...env,
    },
  });
  return started(port, child, () => rm(dataDir, { recursive: true, force: true }), "/health");
}

/** Starts nginx with a map of 100,000 links. Resolves to undefined if it is not installed. */
export async function startNginx(): Promise<Running | undefined> {
  const nginx = Bun.which("nginx") ?? Bun.which("nginx", { PATH: "/usr/sbin:/usr/local/sbin" });
  if (!nginx) return undefined;
  const port = await takePort();
  const folder = await mkdtemp(join(tmpdir(), "waymark-nginx-"));
  const entries = Array.from(
    { length: 100_000 },
    (_, index) => `/bench-${index} https://example.com/landing/${index};`,
  );
  await Bun.write(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http { access_log off; map_hash_max_size 262144; map_hash_bucket_size 128;
map $uri $target { ${entries.join("\n")} }
server { listen 127.0.0.1:${port}; keepalive_requests 100000000; return 302 $target; } }`,
  );
  const command = pinned(SERVER_CORE, [nginx, "-p", folder, "-c", join(folder, "nginx.conf")]);
  return started(port, Bun.spawn(command), () => rm(folder, { recursive: true, force: true }));
}

async function started(
  port: number,
  child: Subprocess,
  clean?: () => Promise<void>,
  path = "/bench-0",
): Promise<Running> {
  const origin = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const isUp = await fetch(origin + path, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (performance.now() > deadline || child.exitCode !== null)
      throw new Error("A server under measurement did not start");
    await Bun.sleep(50);
  }
  return {
    origin,
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      await clean?.();
    },
  };
}
