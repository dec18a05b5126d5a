/**
 * Routes incoming requests: short URLs go to the edge, the plainest of them to the fast lane, everything else to the
 * API.
 */
import type { PlainVisit } from "@/core/routing/plain-visit";
import type { Edge } from "@/edge/edge";
import { drainThenRespond } from "@/http/body/unread-body";
import { toApi } from "@/http/dashboard/session-api";
import { withoutLength } from "@/http/headers/content-length";
import { withHost } from "@/http/headers/host";
import { createSessionCookie } from "@/http/session-cookie";
import type { LaneCounts } from "@/lane/options";
import { readsPlainRequests } from "@/lane/plain-request";
import { statedAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import { asRequest } from "@/platform/db/connection/request-queue";
import type { Log } from "@/platform/telemetry/log";
import type { App } from "./app";
import type { Config } from "./config";
import { type Listener, type ListenerOptions, openListener } from "./listener";

interface Laned {
  config: Config;
  visitPlain: PlainVisit;
  clock: Clock;
  laneCounts: LaneCounts;
}

const laneOf = ({ config, visitPlain, clock, laneCounts }: Laned): ListenerOptions["lane"] => ({
  read: readsPlainRequests(config.clientIpHeader),
  visit: visitPlain,
  addressOf: statedAddress(config),
  clock,
  counts: laneCounts,
});

interface Listening extends Laned {
  edge: Edge;
  app: App;
  ending: AbortController;
  log: Log;
}

/** Starts listening. Handing over or closing first ends responses that stay open. */
export function listen({ edge, app, ending, log, ...laned }: Listening): Listener {
  const { config } = laned;
  const requestOf = toApi(createSessionCookie(config.baseUrl.startsWith("https:")));
  const listener = openListener({
    port: config.port,
    hostname: config.host,
    isShared: config.worker !== null,
    keepAliveSeconds: config.keepAliveSeconds,
    answer: (request, server) => {
      const answer = edge(request, server);
      if (answer) return drainThenRespond(request, answer);
      const asked = requestOf(withHost(request));
      const response = asRequest(asked.signal, () => app.fetch(asked));
      return drainThenRespond(asked, asked.method === "HEAD" ? withoutLength(asked, response) : response);
    },
    lane: config.hasFastLane ? laneOf(laned) : undefined,
    failed: (error) => {
      const requestId = Bun.randomUUIDv7();
      log.error("request failed outside the API", { requestId, error });
      const body = { error: "Something went wrong on our side; quote the X-Request-Id" };
      return Response.json(body, { status: 500, headers: { "x-request-id": requestId } });
    },
    log,
  });
  app.server = listener.server;
  return {
    ...listener,
    handOver(how) {
      ending.abort();
      return listener.handOver(how);
    },
    [Symbol.asyncDispose]() {
      ending.abort();
      return listener[Symbol.asyncDispose]();
    },
  };
}
