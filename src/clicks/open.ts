/** Starts the click pipeline as configured, with tracing of its batches and a log of the clicks that are shed. */
import type { Config } from "@/config";
import type { Log } from "@/platform/telemetry/log";
import type { Tracing } from "@/platform/telemetry/tracing";
import { type ClickPipeline, startClickPipeline } from "./pipeline";
import { shedReports } from "./shed-reports";

/** Unapplied bytes for all server processes of a machine together. */
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;
const SHED_LOG_EVERY_MS = 10_000;

export interface ClicksOptions {
  config: Config;
  /** Database URL that does not go through a transaction pooler. */
  directUrl: string;
  visitorSecret: Uint8Array;
  tracing: Tracing;
  log: Log;
}

/** Throws like `startClickPipeline`. */
export function openClicks(options: ClicksOptions): ClickPipeline & AsyncDisposable {
  const { config, directUrl, visitorSecret, tracing, log } = options;
  const clicks = startClickPipeline({
    dataDir: config.dataDir,
    databaseUrl: directUrl,
    geoDatabase: config.geoDatabase ?? undefined,
    fsyncMs: config.spoolFsyncMs,
    spoolBytesMax: SPOOL_BYTES_MAX / config.workers,
    visitorSecret,
    visitorRotation: config.visitorSaltRotation,
    baseUrl: config.baseUrl,
    onBatch: ({ clicks, tookMs }) =>
      tracing.trace({ name: "click batch", kind: "internal", tookMs, isFailed: false, attributes: { clicks } }),
    log,
  });
  const reportShed = shedReports(clicks, log);
  const timer = setInterval(reportShed, SHED_LOG_EVERY_MS);
  timer.unref();
  return Object.assign(clicks, {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await clicks.close();
      reportShed();
    },
  });
}
