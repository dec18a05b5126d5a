/**
 * Explains to the operator why the service does not start, in a sentence that begins with the setting's name if a
 * setting is at fault.
 */
import type { Config } from "@/config";
import { hindranceOf } from "@/platform/db/hindrance";
import { SettingError } from "@/platform/setting-error";
import { NoWorkerError } from "./supervisor";

type Place = Pick<Config, "host" | "port" | "dataDir" | "databaseUrl">;

/** Returns what to print. An unexpected error stays an error, with its stack, because it is ours to fix. */
export function refusalOf(error: unknown, { host, port, dataDir, databaseUrl }: Place): unknown {
  if (error instanceof SettingError || error instanceof NoWorkerError) return error.message;
  if (isWithoutRoom(error))
    return `DATA_DIR: the disk of ${dataDir} has no room left for what a start writes there; free some space`;
  switch (listenFault(error)) {
    case "EADDRINUSE":
      return `PORT: ${port} is in use by another process`;
    case "EACCES":
      return `PORT: this user may not open ${port}; choose a port above 1023`;
    case "EADDRNOTAVAIL":
      return `HOST: ${host} is not an address of this machine`;
    case "unknown":
      return `HOST: cannot listen on ${host}`;
    default:
      return ofPostgres(error, databaseUrl) ?? error;
  }
}

/** Without `DATABASE_URL`, Postgres is ours, and its disk is that of `DATA_DIR`. */
function ofPostgres(error: unknown, databaseUrl: string | null): string | undefined {
  const hindrance = hindranceOf(error);
  return hindrance && `${databaseUrl === null ? "DATA_DIR" : "DATABASE_URL"}: ${hindrance}`;
}

/** Nothing is written elsewhere. Linux has the same code for a folder that it cannot watch, which needs no room. */
const isWithoutRoom = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOSPC" || error.code === "EDQUOT") &&
  !("syscall" in error && error.syscall === "watch");

/** Returns the error code of a socket that could not listen; undefined for another error. */
function listenFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = "code" in error ? String(error.code) : undefined;
  if (code === "ENOTFOUND" && message.startsWith("getaddrinfo")) return "unknown";
  return message.startsWith("Failed to listen") ? (code ?? "unknown") : code === "EADDRINUSE" ? code : undefined;
}
