/**
 * The listening server, and how it leaves without a visitor noticing.
 *
 * States: serving → handing over → deaf → stopped. Handing over, it still answers whatever comes, each time with
 * `Connection: close`, so that clients move to another process, while the kernel begins no new connection here. After
 * that settled, and with a successor also once no connection is open (at most `GRACE_MS`), it closes its listening
 * socket and idle connections: deaf. Requests under way may finish, for `REQUESTS_MS_MAX`; then they are cut. A process
 * without successor does not wait for idle connections, since nobody else serves those who now want to connect.
 *
 * Before it hands over, none of this costs a request anything: the handler is replaced, not asked.
 */
import type { Server } from "bun";
import { type LaneOptions, openLane } from "@/lane/lane";
import { createTunnels } from "@/lane/tunnels";
import { countOpenConnections, openListeningSocket } from "@/platform/listening-socket";
import type { Log } from "@/platform/telemetry/log";
import { rarely } from "@/platform/telemetry/rarely";

/** For handshakes under way to end and for what waits in the queue to be accepted. */
const SETTLE_MS = 500;
const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 50;
const REQUESTS_MS_MAX = 10_000;
/** A keep-alive connection may idle so long; a stream must send a heartbeat sooner. */
export const IDLE_TIMEOUT_SECONDS = 60;
const LOOPBACK = "127.0.0.1";
const SAY_EVERY_MS = 10_000;

type Answer = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

export interface ListenerOptions {
  port: number;
  hostname: string;
  /** Tells whether other processes listen on the same port. */
  isShared: boolean;
  answer: Answer;
  /** Absent: every connection is the server's from the start. */
  lane?: Pick<LaneOptions, "read" | "visit" | "addressOf" | "clock" | "counts" | "lookEveryMs">;
  /** Answers a request whose handler threw. */
  failed(error: Error): Response;
  log: Log;
  /** How long requests under way may take once it stops; for tests. */
  requestsMsMax?: number;
}

export interface HandOver {
  /** Whether another process serves the same port by now. */
  hasSuccessor: boolean;
}

export interface Listener extends AsyncDisposable {
  port: number;
  server: Server<undefined>;
  /** Resolves when it is deaf. To be followed by its end. */
  handOver(how: HandOver): Promise<void>;
  /** Closes what is idle, lets requests under way finish and cuts them when they take too long. Twice is fine. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Throws `EADDRINUSE` when the port is taken. */
export function openListener(options: ListenerOptions): Listener {
  const { failed: error, log, requestsMsMax = REQUESTS_MS_MAX, port: asked, hostname, isShared } = options;
  const onCutOff = rarely(SAY_EVERY_MS, (error: unknown) => {
    log.error("could not hand a connection on to the HTTP server: its visitor was cut off", { error });
  });
  const inFront = options.lane && {
    ...options.lane,
    port: asked,
    hostname,
    isShared,
    onCutOff,
    tunnels: createTunnels(),
  };
  const answer: Answer = (request) => options.answer(request, server);
  const behind = Bun.serve({
    ...(inFront ? { port: 0, hostname: LOOPBACK } : { port: asked, hostname, reusePort: isShared }),
    idleTimeout: IDLE_TIMEOUT_SECONDS,
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
    // On a busy machine, connections that look idle may have sent requests that were not read yet: they are read meanwhile.
    if (lane) await Bun.sleep(LOOK_EVERY_MS);
    lane?.endIdle();
    // What was handed on just now looks idle to the server behind, which closes what is idle.
    while (lane?.isServing()) await Bun.sleep(LOOK_EVERY_MS);
    await behind.stop();
  };
  return {
    port,
    server,
    async handOver(how) {
      behind.reload({ fetch: goodbye(answer), error });
      lane?.sayGoodbye();
      await refuseHandshakes(port, log);
      await Bun.sleep(SETTLE_MS);
      if (how.hasSuccessor) await untilUnused(port);
      // It resolves when the last request under way has ended, which is not waited for here.
      void close();
    },
    async [Symbol.asyncDispose]() {
      const cut = setTimeout(() => {
        lane?.cut();
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

/** Without it, some connections of this very moment may be reset: worth a warning, no reason to stay. */
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
