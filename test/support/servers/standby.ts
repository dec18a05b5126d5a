/**
 * Starts a primary and a streaming standby for the caller, from a copy of the same data. Either can be killed or
 * frozen; the standby can be cut off from the primary and promoted.
 */
import { spawnSync } from "node:child_process";
import { chownSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { prepareBinaries } from "@/platform/db/embedded/binaries";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { adoptHome, spawnInHome } from "@/platform/db/embedded/home";
import { ask, makeDataFolder, makeMigratedDataFolder, postgresProcesses, signalIfRunning } from "./embedded";

const HURRIED = { fsync: "off", full_page_writes: "off", wal_level: "replica", max_wal_senders: "5" };
const READY_MS_MAX = 60_000;

export interface PrimaryAndStandby {
  /** URLs of the primary, of the standby, and of both, the standby first. */
  primaryUrl: string;
  standbyUrl: string;
  bothUrl: string;
  /** Sends the signal to every process of the primary. */
  signalPrimary(name: NodeJS.Signals): void;
  /** Sends the signal to every process of the standby. */
  signalStandby(name: NodeJS.Signals): void;
  /** Resolves once the standby has replayed everything that the primary has written so far. */
  waitUntilCaughtUp(): Promise<void>;
  /** Stops replication: what the primary writes from now on is lost with the primary. */
  cutOff(): Promise<void>;
  promote(): Promise<void>;
  end(): Promise<void>;
}

/** `wayOf` receives the primary's port and returns the port for the standby to connect to, such as a proxy's. */
export async function startPrimaryAndStandby(
  wayOf: (port: number) => Promise<number> = async (port) => port,
): Promise<PrimaryAndStandby> {
  const first = await makeMigratedDataFolder();
  const second = await makeDataFolder();
  const port = await takePort();
  const settings = { ...HURRIED, port: String(port) };
  const launch = () => startEmbeddedPostgres(first.path, () => undefined, { settings });
  // A standby can start from the data of a primary that ran once and was stopped.
  await (await launch()).stop();
  copyCluster(first.path, second.path);
  const primary = await launch();
  const primaryUrl = primary.url;
  const standbyUrl = await startStandby(second.path, new URL(primaryUrl), await wayOf(port));
  const both = `127.0.0.1:${new URL(standbyUrl).port},127.0.0.1:${port}`;
  return {
    primaryUrl,
    standbyUrl,
    bothUrl: primaryUrl.replace(`127.0.0.1:${port}`, both),
    signalPrimary(name) {
      for (const pid of postgresProcesses(first.path)) signalIfRunning(pid, name);
    },
    signalStandby(name) {
      for (const pid of postgresProcesses(second.path)) signalIfRunning(pid, name);
    },
    async waitUntilCaughtUp() {
      const lsn = await ask(primaryUrl, "select pg_current_wal_lsn()::text");
      await until(async () => (await ask(standbyUrl, `select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn`)) === true);
    },
    async cutOff() {
      await ask(standbyUrl, "alter system set primary_conninfo = ''");
      await ask(standbyUrl, "select pg_reload_conf()");
      const followers = "select count(*)::int from pg_stat_replication";
      await until(async () => (await ask(primaryUrl, followers)) === 0);
    },
    async promote() {
      await ask(standbyUrl, "select pg_promote(true, 60)");
    },
    async end() {
      await Promise.all([first.remove(), second.remove()]);
    },
  };
}

function copyCluster(from: string, to: string): void {
  const { status, stderr } = spawnSync("cp", ["-a", join(from, "postgres"), to], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const cluster = join(to, "postgres", "cluster");
  const { uid, gid } = statSync(cluster);
  writeFileSync(join(cluster, "standby.signal"), "");
  chownSync(join(cluster, "standby.signal"), uid, gid);
}

async function startStandby(folder: string, primary: URL, way: number): Promise<string> {
  const home = await adoptHome(folder);
  const { postgres } = await prepareBinaries(home);
  const url = new URL(primary);
  url.port = String(await takePort());
  const { username, password } = primary;
  // In the file and not on the command line, so that it can be changed while the standby runs.
  const follow = `primary_conninfo = 'host=127.0.0.1 port=${way} user=${username} password=${password}'\n`;
  writeFileSync(join(home.path, "cluster", "postgresql.auto.conf"), follow);
  const settings = { ...HURRIED, listen_addresses: "127.0.0.1", unix_socket_directories: "", io_method: "sync" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(home.path, "standby.log"), "a", 0o666);
  spawnInHome(home, postgres, ["-D", join(home.seenPath, "cluster"), "-p", url.port, ...flags], log).unref();
  await until(async () => (await ask(url.href, "select pg_is_in_recovery()").catch(() => null)) === true);
  return url.href;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + READY_MS_MAX;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error("It did not come to pass");
    await Bun.sleep(20);
  }
}
