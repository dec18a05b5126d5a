/**
 * Looks for exports to write every few seconds, and writes one after the other. Holds no state: the database records
 * what is to be done and how far it is. `stop` lets the current part finish, for at most `STOP_MS_MAX`.
 */
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

const LOOK_EVERY_MS = 3_000;
const STOP_MS_MAX = 5_000;
const SAY_EVERY_MS = 60_000;

export interface ExportWriterOptions {
  /** Does what is due. Resolves to false if there was nothing to do. */
  workOff(signal: AbortSignal): Promise<boolean>;
  log: Pick<Log, "warn">;
  /** Milliseconds between looks. Tests shorten it. */
  lookEveryMs?: number;
}

export function startExportWriter({ workOff, log, lookEveryMs = LOOK_EVERY_MS }: ExportWriterOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const cannotLook = throttleReports(SAY_EVERY_MS, (error: unknown, unsaid) =>
    log.warn("could not look for exports", { error, unsaid }),
  );
  let underWay: Promise<void> | undefined;

  const look = () => {
    underWay ??= workAll()
      .catch(cannotLook)
      .finally(() => {
        underWay = undefined;
      });
  };
  async function workAll(): Promise<void> {
    while (!stopping.signal.aborted && (await workOff(stopping.signal)));
  }

  const timer = setInterval(look, lookEveryMs);
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await Promise.race([underWay, Bun.sleep(STOP_MS_MAX)]);
    },
  };
}
