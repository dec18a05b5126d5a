/** A login whose body is half there, known to be under way: the service has read its head. */
import { connect } from "node:net";

const CONTINUE = "HTTP/1.1 100 Continue\r\n";

/** Gives what sends the rest and reads the answer: empty when the service ends without one. */
export async function halfARequest(port: number): Promise<() => Promise<string>> {
  const body = JSON.stringify({ email: "nobody@example.com", password: "wrong horse" });
  const head = ["POST /api/v1/auth/login HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
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
