/**
 * A request of which half the body is sent, and whose head the service is known to have read. Its answer costs the
 * service little, because a service that stops gives requests in progress a limited time.
 */
import { connect } from "node:net";

/** What the response to the whole request begins with. */
export const ANSWERED = "HTTP/1.1 200 OK\r\n";

const CONTINUE = "HTTP/1.1 100 Continue\r\n";

/**
 * Resolves once the service has answered `100 Continue`, to a function that sends the rest. That function resolves when
 * the connection closes, to everything received, including the `100 Continue`.
 */
export async function halfARequest(port: number): Promise<() => Promise<string>> {
  const body = JSON.stringify({ matchToken: "unknown" });
  const head = ["POST /api/v1/match HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  const closed = Promise.withResolvers<void>();
  const underWay = Promise.withResolvers<void>();
  let received = "";
  const socket = connect(port, "127.0.0.1").on("data", (chunk) => {
    received += chunk.toString();
    if (received.startsWith(CONTINUE)) underWay.resolve();
  });
  socket.on("error", () => undefined);
  socket.once("close", () => {
    underWay.reject(new Error(`The connection was closed before the request was under way: ${received}`));
    closed.resolve();
  });
  const lengths = ["Expect: 100-continue", `Content-Length: ${body.length}`];
  socket.write(`${[...head, ...lengths].join("\r\n")}\r\n\r\n${body.slice(0, 20)}`);
  await underWay.promise;
  return async () => {
    socket.write(body.slice(20));
    await closed.promise;
    return received;
  };
}
