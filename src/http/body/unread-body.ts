/**
 * Drains the bodies of requests whose response is sent before the body is read. A client that is still sending when
 * the connection closes gets a reset and never reads the response; a proxy then reports a bad gateway and may
 * consider the server broken. So if the connection closes with the response, as nginx requests by default, the rest
 * of the body is first received and discarded.
 *
 * Bounds: `BYTES_MAX`, `MS_MAX`, `QUIET_MS_MAX`; a client that sends more is reset.
 */
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { closesConnection } from "../headers/connection";

/** Twice the largest body that is ever read. */
const BYTES_MAX = 2 * IMPORT_BYTES_MAX;
const MS_MAX = 10_000;
/** A client that sends nothing for this long is waiting for the response. */
const QUIET_MS_MAX = 1_000;
/**
 * The steps in which such a time is counted, at most one in each turn of the event loop: on a busy machine, where a turn
 * may take as long as all of them, a client still has some turns to send.
 */
const QUIET_STEPS = 10;

type Answer = Response | Promise<Response>;
type Body = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/**
 * Returns the response once the body has been drained. For requests without a body this costs only a look at the
 * method.
 */
export function drainThenRespond(request: Request, answer: Answer): Answer {
  const { method } = request;
  if (method === "GET" || method === "HEAD" || !closesConnection(request)) return answer;
  return afterRest(request, answer);
}

async function afterRest(request: Request, answer: Answer): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed && request.body && !request.body.locked)
    await discardBody(request.body.getReader(), QUIET_MS_MAX);
  return response;
}

/** Receives and discards the rest of the body, within the bounds. */
export async function discardBody(body: Body, quietMsMax = MS_MAX): Promise<void> {
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
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps === QUIET_STEPS) tooLong.resolve(undefined);
  }, ms / QUIET_STEPS);
  const read = await Promise.race([body.read().catch(() => undefined), tooLong.promise]);
  clearInterval(timer);
  return read;
}
