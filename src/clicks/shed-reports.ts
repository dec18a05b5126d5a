/** Logs how many clicks were shed, and when clicks are recorded again. A log line for each would fill the disk. */
import type { Log } from "@/platform/telemetry/log";
import type { ClickPipeline } from "./pipeline";

/**
 * Returns a function that logs what changed since it was last called. Without a click, or while the disk may refuse the
 * next one, nothing shows that clicks are recorded again.
 */
export function shedReports(clicks: Pick<ClickPipeline, "stats">, log: Pick<Log, "error" | "info">): () => void {
  let [shedBefore, appendedBefore] = [0, 0];
  let isShedding = false;
  return () => {
    const { shed, appended, pendingBytes, isBlocked } = clicks.stats();
    if (shed > shedBefore) log.error("clicks are being dropped", { shed, since: shed - shedBefore, pendingBytes });
    const isRecording = shed === shedBefore && appended > appendedBefore && !isBlocked;
    if (isShedding && isRecording) log.info("clicks are recorded again", { shed });
    isShedding = shed > shedBefore || (isShedding && !isRecording);
    [shedBefore, appendedBefore] = [shed, appended];
  };
}
