/**
 * Finds the system programs that tests need: on the PATH, or else by installing them, if the package manager can be
 * used without asking for a password.
 */
import { spawnSync } from "node:child_process";

export interface SystemProgram {
  /** Its possible names on the PATH, the most likely first. */
  names: string[];
  /** Its package by package manager; of several, the first that can be installed. */
  packages: Partial<Record<keyof typeof INSTALLERS, string | readonly string[]>>;
  /** Advice for the error message when it can be neither found nor installed. */
  wayOut: string;
}

/** By package manager: the shell script that installs a package, and whether it needs root. */
const INSTALLERS = {
  "apt-get": { script: (name: string) => `apt-get update && apt-get install -y ${name}`, needsRoot: true },
  apk: { script: (name: string) => `apk add --no-cache ${name}`, needsRoot: true },
  dnf: { script: (name: string) => `dnf install -y ${name}`, needsRoot: true },
  brew: { script: (name: string) => `brew install ${name}`, needsRoot: false },
};

export const REDIS_SERVER: SystemProgram = {
  names: ["redis-server"],
  packages: { "apt-get": "redis-server", apk: "redis", dnf: "redis", brew: "redis" },
  wayOut: "Install redis-server, or set TEST_REDIS_URL.",
};

export const PGBOUNCER: SystemProgram = {
  names: ["pgbouncer", "/usr/sbin/pgbouncer"],
  packages: { "apt-get": "pgbouncer", apk: "pgbouncer", dnf: "pgbouncer", brew: "pgbouncer" },
  wayOut: "Install pgbouncer.",
};

/** Any version that the service supports. The other programs of Postgres are in the same folder. */
export const PG_CTL: SystemProgram = {
  names: [...[15, 16, 17, 18].map((version) => `/usr/lib/postgresql/${version}/bin/pg_ctl`), "pg_ctl"],
  packages: { "apt-get": "postgresql", apk: "postgresql", dnf: "postgresql-server", brew: "postgresql@17" },
  wayOut: "Install a Postgres server of version 15 or later.",
};

const CHROMIUM_PACKAGES: SystemProgram["packages"] = {
  "apt-get": ["chromium chromium-headless-shell", "chromium"],
  apk: "chromium",
  dnf: "chromium",
};

/** The complete browser, including its PDF viewer. */
export const CHROMIUM: SystemProgram = {
  names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  packages: CHROMIUM_PACKAGES,
  wayOut: "Install Chromium or Google Chrome.",
};

/** A browser for pages: the headless shell if it is installed, because it takes a third of the CPU time. */
export const BROWSER: SystemProgram = {
  ...CHROMIUM,
  names: ["chromium-headless-shell", ...CHROMIUM.names],
};

/** Returns the program's path. Throws, with the package manager's output, if it is missing and cannot be installed. */
export function findProgram(program: SystemProgram): string {
  const path = onPath(program);
  if (path) return path;
  const [name] = program.names;
  const manager = Object.keys(INSTALLERS).find((each): each is keyof typeof INSTALLERS => Bun.which(each) !== null);
  const wanted = manager && program.packages[manager];
  if (!manager || !wanted)
    throw new Error(`The tests need ${name}, and no known package manager is here. ${program.wayOut}`);
  const { script, needsRoot } = INSTALLERS[manager];
  const output = install([wanted].flat().map(script).join(" || "), needsRoot);
  const installed = onPath(program);
  if (installed) return installed;
  throw new Error(`The tests need ${name}, and ${manager} could not install it. ${program.wayOut}\n${output}`);
}

const onPath = ({ names }: SystemProgram): string | null =>
  names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

function install(script: string, needsRoot: boolean): string {
  const shell = ["sh", "-c", script];
  const isRoot = process.getuid?.() === 0;
  const [program = "sh", ...args] = needsRoot && !isRoot ? ["sudo", "-n", ...shell] : shell;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", env });
  return error ? error.message : `${stdout}${stderr}`.trim();
}
