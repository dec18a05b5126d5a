/**
 * Waits for a Postgres that is not up yet, as when everything is started at the same time: for up to 60 s, with a
 * line in the log for each try. A fault that waiting cannot fix (a wrong password, a database that does not exist) is
 * reported immediately. In both cases the error is one sentence that names the setting, and never the password.
 */
import postgres from "postgres";
import { SettingError } from "@/platform/setting-error";
import type { Log } from "@/platform/telemetry/log";
import { POOL_SIZES } from "../pools";
import { type Client, openClient } from "./connect";
import { SilentError, Wait } from "./wait";

const WAIT_MS_MAX = 60_000;
const ANSWER_MS_MAX = 5_000;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 5_000;

/**
 * Defaults of a session that must not differ. No pooler takes them when connecting, so they cannot be set there: locks
 * protect what is counted only if each statement sees what others have committed, and bytes are read in this form.
 */
const NEEDED = { default_transaction_isolation: "read committed", bytea_output: "hex" };
const SETTINGS = Object.keys(NEEDED).map((name) => `'${name}', current_setting('${name}')`);
const VERSION_MIN = 15;
const STATE = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    current_setting('server_version_num')::int as version_number, current_setting('server_version') as version,
    json_build_object(${SETTINGS.join(", ")}) as settings`;

interface State {
  is_standby: boolean;
  is_read_only: boolean;
  /** The major version times 10,000, plus the minor one. */
  version_number: number;
  version: string;
  settings: Record<string, string>;
}

/** Postgres responds, but Waymark cannot work with this version or these settings. */
class UnfitError extends Error {
  override name = "UnfitError";
}

export interface AnsweringOptions {
  url: string;
  /** The setting that the address comes from. */
  setting: string;
  log: Pick<Log, "info">;
  /** Waits also while it accepts no writes. A standby is waited for in any case. */
  isToWrite?: boolean;
  waitMsMax?: number;
}

export async function waitForPostgres(options: AnsweringOptions): Promise<void> {
  const client = await answeringClient(options);
  await client.discard();
}

/** Returns the client that received a response, with one connection, for the caller to use and discard. */
export async function answeringClient(options: AnsweringOptions): Promise<Client> {
  const { url, setting, log, isToWrite = false, waitMsMax = WAIT_MS_MAX } = options;
  const giveUpAt = performance.now() + waitMsMax;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    const client = openClient(url, {
      name: "waymark start",
      connectionsMax: POOL_SIZES.tool,
      connectWaitS: ANSWER_MS_MAX / 1000,
      isPrepared: false,
    });
    const fault = await faultOf(client, isToWrite);
    if (fault === null) return client;
    await client.discard();
    if (fault instanceof UnfitError) throw new SettingError(setting, fault.message);
    const why = reasonOf(fault);
    if (isLasting(fault)) throw new SettingError(setting, `Postgres refuses the connection: ${why}`, { cause: fault });
    if (performance.now() + pauseMs > giveUpAt) {
      const waited = Math.round(waitMsMax / 1000);
      throw new SettingError(setting, `no Postgres responded within ${waited} s: ${why}`, { cause: fault });
    }
    log.info("waiting for Postgres", { setting, why });
    await Bun.sleep(pauseMs);
  }
}

async function faultOf({ sql }: Client, isToWrite: boolean): Promise<unknown> {
  try {
    const [state] = await new Wait().until(sql.unsafe<State[]>(STATE), ANSWER_MS_MAX);
    if (!state) return new Error("it does not describe itself");
    if (state.version_number < VERSION_MIN * 10_000)
      return new UnfitError(`Waymark needs Postgres ${VERSION_MIN} or later, but this is ${state.version}`);
    if (state.is_standby) return new Error("it is a read-only standby");
    if (isToWrite && state.is_read_only)
      return new Error("it accepts no writes: default_transaction_read_only is on, as where a disk is nearly full");
    return defaultFault(state.settings);
  } catch (error) {
    return error;
  }
}

function defaultFault(settings: Record<string, string>): UnfitError | null {
  for (const [name, needed] of Object.entries(NEEDED)) {
    const found = settings[name];
    if (found === undefined || found === needed) continue;
    return new UnfitError(
      `sessions of this user have ${name} = '${found}', which Waymark cannot work with; run: ` +
        `alter role current_user set ${name} = '${needed}'`,
    );
  }
  return null;
}

/**
 * A server that is starting or stopping (57P), has no connection left (53300) or is unreachable (08) may respond
 * later.
 */
const isLasting = (fault: unknown): boolean =>
  fault instanceof postgres.PostgresError && !/^(57P|53|08)/.test(fault.code);

/** The driver's messages name hosts and users, never passwords. */
function reasonOf(fault: unknown): string {
  if (fault instanceof SilentError) return "it does not respond";
  if (!(fault instanceof Error)) return String(fault);
  const code = "code" in fault ? String(fault.code) : "";
  return fault.message || code || fault.name;
}
