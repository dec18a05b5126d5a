/** Sends arbitrary bytes as an HTTP request, as no well-behaved client would, and reads until the connection closes. */
import { connect } from "node:net";

const GIVE_UP_MS = 30_000;

export interface RawReply {
  /** 0 if the server closed the connection without a response. */
  status: number;
  /** In the order received, including repeated ones; names in lower case. */
  headers: [name: string, value: string][];
  body: string;
}

/**
 * Sends the request and resolves once the connection closes. The request must have `Connection: close` or be one that
 * the server answers by closing. Rejects after `giveUpMs` without data.
 */
export function sendRaw(port: number, request: string | Uint8Array, giveUpMs = GIVE_UP_MS): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.setTimeout(giveUpMs, () => socket.destroy(new Error("The server neither answered nor closed")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(parse(Buffer.concat(chunks).toString("latin1"))));
  });
}

/** Sends a GET with exactly this target and these header lines, and `Connection: close`. */
export const rawGet = (port: number, target: string, lines: string[]) =>
  sendRaw(port, `GET ${target} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);

function parse(text: string): RawReply {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
}
