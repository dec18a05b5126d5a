/**
 * The packages that each process and thread loads at start. Every start pays for all of them, used or not, so what is
 * needed later is imported dynamically. Adding a package here means that a start needs it.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const EXTENSIONS = ["", ".ts", ".tsx", "/index.ts"];

const SQL_BY_HAND = ["postgres"];
const CLICKS = ["@photostructure/tz-lookup", "ipaddr.js", "isbot", "maxmind", "ua-parser-js", ...SQL_BY_HAND];
const QUERIES = ["drizzle-orm", ...SQL_BY_HAND];
const SHAPES = ["@sinclair/typebox", "elysia"];

test.each([
  ["the process that was started, before its settings are read", "src/main.ts", []],
  ["the process that was started, before it serves", "src/processes/supervise.ts", SQL_BY_HAND],
  ["the operator's list of commands", "src/admin.ts", []],
  ["the check of health", "src/health-check.ts", []],
  ["the thread that writes clicks", "src/clicks/worker.ts", CLICKS],
  ["the thread that hashes passwords", "src/platform/passwords/hash-thread.ts", []],
  ["the process that decodes images", "src/platform/images/icon-process.ts", ["sharp"]],
  ["the service", "src/service.ts", [...CLICKS, ...QUERIES, ...SHAPES, "@elysiajs/jwt", "tldts"]],
])("%s (%s) loads what it needs and nothing else", (_, entry, packages) => {
  expect(packagesOf(entry)).toEqual([...new Set(packages)].sort());
});

function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const name of statically(path)) {
      const file = fileOf(path, name);
      if (file) waiting.push(file);
      else if (!/^(?:node|bun)(?::|$)/.test(name)) packages.add(packageOf(name));
    }
  }
  return [...packages].sort();
}

/** Returns the static imports, without those of types. */
function statically(path: string): string[] {
  if (!/\.tsx?$/.test(path)) return [];
  const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
  const imports = transpiler.scanImports(readFileSync(path, "utf8"));
  return imports.filter(({ kind }) => kind === "import-statement").map((found) => found.path);
}

function fileOf(from: string, name: string): string | undefined {
  if (!name.startsWith("@/") && !name.startsWith(".")) return undefined;
  const base = name.startsWith("@/") ? join("src", name.slice(2)) : join(dirname(from), name);
  const file = EXTENSIONS.map((extension) => base + extension).find((path) => /\.\w+$/.test(path) && existsSync(path));
  if (!file) throw new Error(`${from} imports ${name}, which is not there`);
  return file;
}

const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
