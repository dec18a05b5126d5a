/** Somebody else's site, on 127.0.0.1 alone. */
import { afterAll } from "bun:test";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { OutboundError, type OutboundReason } from "@/platform/outbound/outbound";

export function startSite(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  afterAll(() => server.stop(true));
  return { port: Number(server.port), url: `http://127.0.0.1:${server.port}` };
}

/** A site that speaks as it likes: it is handed the connection once something was said on it. */
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

/** Why a request failed; an error of any other kind is thrown on. */
export async function failureOf(request: Promise<unknown>): Promise<OutboundReason | "answered"> {
  try {
    await request;
    return "answered";
  } catch (error) {
    if (error instanceof OutboundError) return error.reason;
    throw error;
  }
}
