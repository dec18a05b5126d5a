/**
 * Bodies of requests that are answered before they are read. Whoever still sends when the connection is closed finds it
 * reset and never reads the answer: a proxy tells of a bad gateway in its place, and may take the server for broken. So
 * where the connection closes with the answer, as nginx asks for by default, what still comes is taken first, and dropped.
 *
 * Bounds: `BYTES_MAX`, `MS_MAX`, `QUIET_MS_MAX`; whoever sends more is reset.
 */
import { IMPORT_BYTES_MAX } from "@/contract/links/imports";

/** Twice what is read of any body. */
const BYTES_MAX = 2 * IMPORT_BYTES_MAX;
const MS_MAX = 10_000;
/** Whoever sends nothing for so long waits for the answer. */
const QUIET_MS_MAX = 1_000;

type Answer = Response | Promise<Response>;
type Body = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** The answer, once nothing of the body is on its way. Costs what has no body a look at its method. */
export function afterBody(request: Request, answer: Answer): Answer {
  const { method } = request;
  if (method === "GET" || method === "HEAD" || !closes(request)) return answer;
  return afterRest(request, answer);
}

const closes = ({ headers }: Request): boolean => /\bclose\b/i.test(headers.get("connection") ?? "");

async function afterRest(request: Request, answer: Answer): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed && request.body && !request.body.locked) await passOver(request.body.getReader(), QUIET_MS_MAX);
  return response;
}

/** Takes what still comes for a while, and drops it. */
export async function passOver(body: Body, quietMsMax = MS_MAX): Promise<void> {
  const giveUpAt = performance.now() + MS_MAX;
  for (let bytes = 0; bytes < BYTES_MAX && performance.now() < giveUpAt; ) {
    const read = await readWithin(body, quietMsMax);
    if (!read || read.done) break;
    bytes += read.value.length;
  }
  await body.cancel().catch(() => {});
}

async function readWithin(body: Body, ms: number) {
  const tooLong = Promise.withResolvers<undefined>();
  const timer = setTimeout(tooLong.resolve, ms);
  const read = await Promise.race([body.read().catch(() => undefined), tooLong.promise]);
  clearTimeout(timer);
  return read;
}
