/**
 * Starts the embedded Postgres again if it ends while a service uses it, because memory ran out or someone killed it.
 * It returns at the same address, so connections find it as after any outage; until then, clicks wait in the spool.
 *
 * States: up → lost → up, until stopped or given up. A start that fails is repeated after growing pauses, up to
 * `RETRY_MS_MAX`. A Postgres that ends again within `STEADY_MS` continues the same outage. After `GIVE_UP_MS` of one,
 * this gives up: a new process can do what this one cannot, such as choosing another port. A full disk is no reason: this
 * process keeps redirecting, and a new one could not start.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../telemetry/log";

/** Elsewhere than on Linux, a look starts a program. */
const LOOK_EVERY_MS = process.platform === "linux" ? 500 : 5_000;
const RETRY_MS = 500;
const RETRY_MS_MAX = 10_000;
const STEADY_MS = 60_000;
const GIVE_UP_MS = 300_000;

export interface UpkeepOptions {
  log: Pick<Log, "warn">;
  /** Called at most once. Nothing starts Postgres again afterwards. */
  onGivenUp(error: unknown): void;
  /** Milliseconds of an outage until it gives up. Tests shorten it. */
  giveUpMs?: number;
}

export interface KeptUp {
  isUp(): Promise<boolean>;
  /** Starts it again; resolves to false if that is up to another process. */
  restart(signal: AbortSignal): Promise<boolean>;
  /** Whether the disk has room for Postgres to start. */
  hasRoom(): Promise<boolean>;
}

export interface Upkeep {
  /** Resolves once no start is in progress. */
  stop(): Promise<void>;
}

interface Outage {
  since: number;
  tries: number;
  /** When Postgres was last started again. */
  overAt: number | null;
  error: unknown;
}

export function keepUp(kept: KeptUp, options: UpkeepOptions): Upkeep {
  const stopping = new AbortController();
  const running = watch(kept, options, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function watch(kept: KeptUp, options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { log, onGivenUp, giveUpMs = GIVE_UP_MS } = options;
  let outage: Outage | null = null;
  while (await pause(pauseMs(outage), signal)) {
    // A look that fails, because this process has no file descriptor left, says nothing.
    if (await kept.isUp().catch(() => true)) {
      outage = afterLookAt(outage);
      continue;
    }
    if (outage === null || outage.overAt !== null) log.warn("the embedded Postgres ended in use; starting it again");
    outage ??= { since: performance.now(), tries: 0, overAt: null, error: new Error("It keeps ending") };
    const isOver = outage.tries > 0 && performance.now() - outage.since >= giveUpMs;
    if (isOver && (await kept.hasRoom())) return onGivenUp(outage.error);
    await tryAgain(kept, outage, { log, signal });
  }
}

async function tryAgain(
  kept: KeptUp,
  outage: Outage,
  { log, signal }: { log: Pick<Log, "warn">; signal: AbortSignal },
) {
  outage.tries += 1;
  outage.overAt = null;
  try {
    if (await kept.restart(signal)) outage.overAt = performance.now();
  } catch (error) {
    if (signal.aborted) return;
    outage.error = error;
    log.warn("could not start the embedded Postgres again", { error, tries: outage.tries });
  }
}

/** Postgres is up. Returns null once it has been for long enough. */
function afterLookAt(outage: Outage | null): Outage | null {
  if (outage === null) return null;
  outage.overAt ??= performance.now();
  return performance.now() - outage.overAt >= STEADY_MS ? null : outage;
}

const pauseMs = (outage: Outage | null): number =>
  outage === null || outage.overAt !== null ? LOOK_EVERY_MS : Math.min(RETRY_MS * 2 ** outage.tries, RETRY_MS_MAX);

/** Resolves to false, at once, if the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal, ref: false }).catch(() => false);
