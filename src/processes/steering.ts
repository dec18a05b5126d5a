/** Directs new connections to this process or away from it, as far as the system allows. */
import { openListeningSocket } from "@/platform/listening-socket";
import type { Log } from "@/platform/telemetry/log";
import type { ConnectionOrder } from "./messages";

/** Never rejects. If it has no effect, some clients wait a second longer. */
export async function steerConnections(port: number, order: ConnectionOrder, log: Log): Promise<void> {
  try {
    const socket = await openListeningSocket(port);
    if (order.do === "attract") socket?.attract(order.listeners - 1);
    else socket?.share();
  } catch (error) {
    log.warn("could not steer new connections", { error, order: order.do });
  }
}
