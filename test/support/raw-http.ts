/** HTTP as no well-behaved client speaks it: bytes onto a socket, and whatever comes back until it closes. */
import { connect } from "node:net";

const GIVE_UP_MS = 5000;

export interface RawReply {
  /** 0 when the server closed without an answer. */
  status: number;
  /** Names in lower case, in their order, repeated ones too. */
  headers: [name: string, value: string][];
  body: string;
}

/** The request must ask for `Connection: close` or be one that ends the connection. Rejects when nothing ends it. */
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

/** A GET with exactly this target and these header lines. */
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
