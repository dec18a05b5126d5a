/**
 * Looks for exports to write every few seconds, and writes one after the other. Holds no state: the database records
 * what is to be done and how far it is. `stop` lets the current part finish, for at most `STOP_MS_MAX`.
 */
import type { Log } from "@/platform/telemetry/log";

const LOOK_EVERY_MS = 3_000;
const STOP_MS_MAX = 5_000;

export interface ExportWriterOptions {
  /** Does what is due. Resolves to false if there was nothing to do. */
  workOff(signal: AbortSignal): Promise<boolean>;
  log: Log;
}

export function startExportWriter({ workOff, log }: ExportWriterOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;

  const look = () => {
    underWay ??= workAll()
      .catch((error: unknown) => log.warn("could not look for exports", { error }))
      .finally(() => {
        underWay = undefined;
      });
  };
  async function workAll(): Promise<void> {
    while (!stopping.signal.aborted && (await workOff(stopping.signal)));
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await Promise.race([underWay, Bun.sleep(STOP_MS_MAX)]);
    },
  };
}
