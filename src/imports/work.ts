/** Runs imports in a separate process, which logs through this one. */
import type { Config } from "@/config";
import { hasDueImports } from "@/modules/imports/service";
import type { DatabaseUrls } from "@/platform/db/addresses";
import type { Drizzle } from "@/platform/db/client";
import { entryPath } from "@/platform/own-files";
import { LOG_LEVELS, type Log, type LogLevel } from "@/platform/telemetry/log";
import { wordsOfEnd } from "@/platform/telemetry/process-end";
import { type ImportWork, startImports } from "@/workers/imports";
import type { ImportSettings } from "./jobs";

export interface ImportQuestion extends ImportSettings, DatabaseUrls {
  logLevel: LogLevel;
}

/**
 * Settings of the allocator. An import fills and frees the same memory again and again until its process ends. Searching
 * for memory to return to the system took a seventh of its CPU time, and more to have it back.
 */
const MEMORY = { MIMALLOC_PURGE_HOLES: "0", MIMALLOC_PURGE_DELAY: "60000" };
/** Time for the current batch to finish after a stop. */
const END_MS = 8_000;

export interface ImportWorkParts extends DatabaseUrls {
  config: Config;
  db: Drizzle;
  log: Log;
}

export function startImportWork({ config, databaseUrl, directUrl, db, log }: ImportWorkParts): ImportWork {
  const { baseUrl, shortDomain, blocklistFile, webRisk, outboundAllow, logLevel } = config;
  const { appSecret, appSecretPrevious, dataDir } = config;
  const settings = {
    ...{ baseUrl, shortDomain, blocklistFile, webRisk, outboundAllow, logLevel },
    ...{ appSecret, appSecretPrevious, dataDir },
  };
  return startImports({
    hasDue: () => hasDueImports(db),
    work: (signal) => workApart({ ...settings, databaseUrl, directUrl }, config.trustEnv, log, signal),
    log,
  });
}

async function workApart(
  question: ImportQuestion,
  env: Record<string, string>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const child = Bun.spawn([process.execPath, "--no-env-file", entryPath("importProcess")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...env, ...MEMORY },
    // See `lowerProcessPriority`.
    detached: true,
  });
  child.stdin.write(`${JSON.stringify(question)}\n`);
  child.stdin.flush();
  const end = () => {
    void child.stdin.end();
    const kill = setTimeout(() => child.kill("SIGKILL"), END_MS);
    void child.exited.finally(() => clearTimeout(kill));
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  const [, said, code] = await Promise.all([
    passOn(child.stdout, log),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  signal.removeEventListener("abort", end);
  if (code !== 0 && !signal.aborted) throw new Error(`The import process ${wordsOfEnd(child, said)}`);
}

async function passOn(output: ReadableStream<Uint8Array>, log: Log): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) passLine(line, log);
  }
}

function passLine(line: string, log: Log): void {
  try {
    const { level, message, time: _, ...fields } = JSON.parse(line);
    const known = LOG_LEVELS.find((each) => each === level) ?? "info";
    log[known](String(message), fields);
  } catch {
    log.warn("unexpected output from the import process", { line });
  }
}
