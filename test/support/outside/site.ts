/** Third-party sites, reachable only at 127.0.0.1. They stop after the test file. */
import { afterAll } from "bun:test";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { OutboundError, type OutboundReason } from "@/platform/outbound/outbound";

export function startSite(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: answer });
  afterAll(() => server.stop(true));
  return { port: Number(server.port), url: `http://127.0.0.1:${server.port}` };
}

/** Starts a site that sends arbitrary bytes: `answer` receives the connection once its client has sent something. */
export async function startRawSite(answer: (socket: Socket) => void) {
  let open = 0;
  const server = createServer((socket) => {
    open += 1;
    socket.on("error", () => {});
    socket.once("close", () => {
      open -= 1;
    });
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, open: () => open };
}

/** Returns why an outbound request failed, or `answered` if it did not. Rethrows errors of any other kind. */
export async function failureOf(request: Promise<unknown>): Promise<OutboundReason | "answered"> {
  try {
    await request;
    return "answered";
  } catch (error) {
    if (error instanceof OutboundError) return error.reason;
    throw error;
  }
}
