/** Opens the geo database that `GEO_DATABASE` names, or else the one that comes as a package, and logs each reload. */
import type { Config } from "@/config";
import { SettingError } from "../setting-error";
import type { Log } from "../telemetry/log";
import { type Geo, openGeo } from "./geo";

/** Rejects with a `SettingError` if the file that the setting names cannot be used. */
export function openGeoFile({ geoDatabase }: Pick<Config, "geoDatabase">, log: Log): Promise<Geo> {
  const onReload = (outcome: "reloaded" | Error) => noteReload(log, outcome);
  return openGeo(geoDatabase ?? undefined, { onReload }).catch((cause: Error) => {
    if (geoDatabase === null) throw cause;
    throw new SettingError("GEO_DATABASE", `cannot use ${geoDatabase}: ${cause.message}`, { cause });
  });
}

function noteReload(log: Log, outcome: "reloaded" | Error): void {
  if (outcome === "reloaded") log.info("geo database reloaded", { thread: "edge" });
  else log.error("could not reload the geo database", { thread: "edge", error: outcome });
}
