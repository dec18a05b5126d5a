/**
 * The listening server, and how it leaves without a visitor noticing.
 *
 * States: serving → handing over → deaf → stopped. While handing over it still responds to every request, always with
 * `Connection: close`, so that clients move to another process, while the kernel opens no new connection here. Once
 * that has settled, and with a successor also once no connection is open (at most `GRACE_MS`), it closes its
 * listening socket and idle connections: it is deaf. Requests in progress may finish, for `REQUESTS_MS_MAX`; then
 * they are cut off. A process without a successor does not wait for idle connections, because nobody else serves
 * clients that want to connect in the meantime.
 *
 * Before a hand-over none of this costs a request anything: the handler is replaced rather than checking a state.
 */
import type { Server } from "bun";
import { openLane } from "@/lane/lane";
import { descriptorsForVisitors } from "@/lane/open-files";
import type { LaneOptions } from "@/lane/options";
import { createTunnels } from "@/lane/tunnels";
import { countOpenConnections, openListeningSocket } from "@/platform/listening-socket";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

/** Milliseconds for pending handshakes to end and for queued connections to be accepted. */
const SETTLE_MS = 500;
const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 50;
const REQUESTS_MS_MAX = 10_000;
/** How long the HTTP server lets a connection be silent, also in an exchange: a stream must send a heartbeat more often. */
const SILENT_SECONDS = 60;
const LOOPBACK = "127.0.0.1";
const SAY_EVERY_MS = 10_000;

type Answer = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

export interface ListenerOptions {
  port: number;
  hostname: string;
  /** Whether other processes listen on the same port. */
  isShared: boolean;
  /** How long a connection may be idle between two exchanges; without the lane, `SILENT_SECONDS` at least. */
  keepAliveSeconds: number;
  answer: Answer;
  /** The fast lane. Without it, every connection goes to the HTTP server from the start. */
  lane?: Pick<LaneOptions, "read" | "visit" | "addressOf" | "clock" | "stopwatch" | "counts" | "lookEveryMs"> &
    Partial<Pick<LaneOptions, "descriptorsMax">>;
  /** Returns the response to a request whose handler threw. */
  failed(error: Error): Response;
  log: Log;
  /** Milliseconds that requests in progress may take once it stops. Tests shorten it. */
  requestsMsMax?: number;
}

export interface HandOver {
  /** Whether another process already serves the same port. */
  hasSuccessor: boolean;
}

export interface Listener extends AsyncDisposable {
  port: number;
  server: Server<undefined>;
  /** Resolves when it is deaf. Dispose of the listener afterwards. */
  handOver(how: HandOver): Promise<void>;
  /**
   * Closes idle connections, lets requests in progress finish, and cuts off those that take too long. May be called
   * twice.
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts listening. Throws `EADDRINUSE` if the port is taken. */
export function openListener(options: ListenerOptions): Listener {
  const { failed: error, log, requestsMsMax = REQUESTS_MS_MAX, port: asked, hostname, isShared } = options;
  const { keepAliveSeconds } = options;
  const onCutOff = throttleReports(SAY_EVERY_MS, (error: unknown) => {
    log.error("could not hand a connection on to the HTTP server: its visitor was cut off", { error });
  });
  const onFault = throttleReports(SAY_EVERY_MS, (error: unknown, unsaid) => {
    log.error("the fast lane failed; the HTTP server answered instead", { error, unsaid });
  });
  const onCrowd = throttleReports(SAY_EVERY_MS, (_: undefined, unsaid) => {
    log.warn("too many connections for the limit of open files (ulimit -n): closing idle or new ones", { unsaid });
  });
  const inFront = options.lane && {
    descriptorsMax: descriptorsForVisitors(),
    ...options.lane,
    port: asked,
    hostname,
    isShared,
    idleMs: keepAliveSeconds * 1000,
    ...{ onCutOff, onFault, onCrowd: () => onCrowd(undefined) },
    tunnels: createTunnels(),
  };
  const answer: Answer = (request) => options.answer(request, server);
  const behind = Bun.serve({
    ...(inFront ? { port: 0, hostname: LOOPBACK } : { port: asked, hostname, reusePort: isShared }),
    idleTimeout: inFront ? SILENT_SECONDS : Math.max(SILENT_SECONDS, keepAliveSeconds),
    development: false,
    fetch: answer,
    error,
  });
  const lane = inFront && openLane({ ...inFront, portBehind: behind.port ?? 0 });
  const server: Server<undefined> = inFront?.tunnels.behind(behind) ?? behind;
  const port = lane?.port ?? behind.port ?? asked;
  let stopped: Promise<void> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  const stop = async () => {
    lane?.close();
    // On a busy machine, connections that look idle may have sent requests that are still unread: they are read
    // meanwhile.
    if (lane) await Bun.sleep(LOOK_EVERY_MS);
    lane?.endIdle();
    // A connection that was just handed on looks idle to the server behind, which closes idle connections.
    while (lane?.isServing()) await Bun.sleep(LOOK_EVERY_MS);
    await behind.stop();
  };
  return {
    port,
    server,
    async handOver(how) {
      behind.reload({ fetch: goodbye(answer), error });
      lane?.closeAfterResponses();
      await refuseHandshakes(port, log);
      await Bun.sleep(SETTLE_MS);
      if (how.hasSuccessor) await untilUnused(port);
      // It resolves when the last request in progress has ended, which the hand-over does not wait for.
      void close();
    },
    async [Symbol.asyncDispose]() {
      const cut = setTimeout(() => {
        lane?.terminateAll();
        void behind.stop(true);
      }, requestsMsMax);
      await close();
      clearTimeout(cut);
    },
  };
}

const goodbye =
  (answer: Answer): Answer =>
  async (request, server) => {
    const response = await answer(request, server);
    response.headers.set("connection", "close");
    return response;
  };

/**
 * Refuses new handshakes. If that fails, some connections may be reset at this moment: worth a warning, but no reason
 * to stay.
 */
async function refuseHandshakes(port: number, log: Log): Promise<void> {
  try {
    (await openListeningSocket(port))?.refuseHandshakes();
  } catch (error) {
    log.warn("could not refuse new connections: some may be reset now, unless net.ipv4.tcp_migrate_req is 1", {
      error,
    });
  }
}

async function untilUnused(port: number): Promise<void> {
  const giveUpAt = performance.now() + GRACE_MS;
  while (performance.now() < giveUpAt && (await countOpenConnections(port)) > 0) await Bun.sleep(LOOK_EVERY_MS);
}
