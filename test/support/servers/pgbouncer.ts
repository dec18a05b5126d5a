/**
 * Starts a PgBouncer for the caller in front of a test's Postgres, configured as operators run it: few connections to
 * the server, many clients.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { onDeathOfRun } from "../end-of-run";
import { findProgram, PGBOUNCER } from "./system-program";

export type PoolMode = "session" | "transaction";

export interface PgBouncer {
  /** The database's URL through the pooler. */
  url: string;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** URL of the database in Postgres itself. */
  url: string;
  mode: PoolMode;
  /** Maximum number of connections to the server per database. */
  connectionsMax?: number;
  /** Port to listen on; absent: any free port. */
  port?: number;
}

export async function startPgBouncer({ url, mode, connectionsMax = 4, port }: PgBouncerOptions): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-pgbouncer-"));
  await chmod(folder, 0o755);
  const through = new URL(url);
  through.port = String(port ?? (await takePort()));
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(settings, settingsOf(new URL(url), through.port, mode, connectionsMax), { mode: 0o644 });
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(findProgram(PGBOUNCER), [...user, settings], { stdio: ["ignore", "ignore", "pipe"] });
  const watchdog = onDeathOfRun('kill -KILL "$1"; rm -rf "$2"', String(child.pid), folder);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilListening(child);
  return {
    url: through.href,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
      watchdog.dismiss();
    },
  };
}

/** Accepts every client, and connects to the server as the user in the target URL. */
function settingsOf(target: URL, port: string, mode: PoolMode, connectionsMax: number): string {
  const [user, password] = [target.username, target.password].map(decodeURIComponent);
  return `
[databases]
* = host=${target.hostname === "localhost" ? "127.0.0.1" : target.hostname} port=${target.port} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${connectionsMax}
max_client_conn = 1000
`;
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (said.includes("process up")) resolve();
    });
    child.once("error", reject).once("exit", () => reject(new Error(`PgBouncer did not start: ${said}`)));
  });
}
