/** Opens the safety checker with the sources in the settings: a blocklist, Web Risk, or heuristics only. */
import type { Config } from "@/config";
import { comparedHostname } from "@/core/names/hostname";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { Outbound } from "@/platform/outbound/outbound";
import { type Blocklist, type BlocklistFacts, openBlocklist } from "@/platform/safety/blocklist";
import { createWebRisk } from "@/platform/safety/web-risk";
import { SettingError } from "@/platform/setting-error";
import type { Log } from "@/platform/telemetry/log";
import { createSafetyChecker, type SafetyChecker, type SafetyCheckerOptions } from "./checker";

export interface SafetyOptions extends Pick<SafetyCheckerOptions, "db" | "clock" | "log" | "changeRouting"> {
  config: Pick<Config, "webRisk" | "shortDomain">;
  blocklist: Blocklist | null;
  hosts: HostDirectory;
  outbound: Outbound;
}

export function openSafety({ config, hosts, outbound, ...parts }: SafetyOptions): SafetyChecker {
  const { webRisk, shortDomain } = config;
  const ownHost = comparedHostname(shortDomain);
  return createSafetyChecker({
    ...parts,
    webRisk: webRisk && createWebRisk({ webRisk, outbound, clock: parts.clock }),
    isServed: (host) => comparedHostname(host) === ownHost || hosts.of(host) !== undefined,
  });
}

/** Returns null if the settings name no file. Rejects with a `SettingError` if it cannot be read. */
export async function openBlocklistFile(
  { blocklistFile: path }: Pick<Config, "blocklistFile">,
  log: Log,
): Promise<(Blocklist & Disposable) | null> {
  if (path === null) return null;
  return openBlocklist(path, { onRead: (outcome) => noteBlocklist(log, outcome) }).catch((cause: Error) => {
    throw new SettingError("BLOCKLIST_FILE", `cannot use ${path}: ${cause.message}`, { cause });
  });
}

function noteBlocklist(log: Log, outcome: BlocklistFacts | Error): void {
  if (outcome instanceof Error) log.error("could not read the blocklist", { error: outcome });
  else log.info("blocklist read", { ...outcome });
}
