/**
 * Entry point of the click worker thread: passes the main thread's messages to `ClickApplier`, and its reports back.
 */
import { openGeo } from "@/platform/geo/geo";
import { lowerThreadPriority } from "@/platform/thread-priority";
import { visitorSecret } from "@/platform/visitor";
import { createEnrichment } from "./enrich/enrich";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";
import { ClickApplier } from "./writer/applier";

declare const self: Worker;

let applier: ClickApplier | undefined;

const send = (message: FromWorker) => postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start":
      start(data.settings).catch((error: Error) => send({ type: "failed", message: error.message }));
      return;
    case "adopt":
      applier?.adopt(data.spoolId);
      return;
    case "drain":
      applier?.drain(data.request, data.until);
      return;
    case "forget":
      applier?.forget();
      return;
    case "hurry":
      applier?.retryNow();
      return;
    case "close":
      applier?.close(data.until, data.deadlineAt);
      return;
    default:
      data satisfies never;
  }
};

async function start(settings: WorkerSettings): Promise<void> {
  lowerThreadPriority();
  const geo = await openGeo(settings.geoDatabase, {
    onReload: (outcome) => {
      const thread = "clicks";
      if (outcome === "reloaded")
        send({ type: "log", level: "info", message: "geo database reloaded", fields: { thread } });
      else {
        const fields = { thread, error: outcome.message };
        send({ type: "log", level: "error", message: "could not reload the geo database", fields });
      }
    },
  });
  const secret = visitorSecret(settings.visitorSecret, settings.visitorRotation);
  applier = new ClickApplier({
    settings,
    enrichment: (share) => createEnrichment(geo, secret, share),
    sendToMain: send,
  });
  send({ type: "ready" });
  await applier.run();
  geo[Symbol.dispose]();
  send({ type: "closed" });
}
