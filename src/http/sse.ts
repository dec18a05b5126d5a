/**
 * Server-sent events: the wire format, and one answer that stays open.
 *
 * States: open → ended, by us (`end`) or by the client, who is noticed when the connection closes. What the client has not
 * taken yet waits here, at most `BACKLOG_MAX` messages; while it is full, `send` refuses. A client that takes nothing at
 * all is closed by the listener's idle timeout, which is shortened once the stream has ended: otherwise a server that
 * stops would wait for it.
 */

const BACKLOG_MAX = 2;

export interface ServerEvent {
  event: string;
  /** Later events have greater ids. */
  id?: number;
  /** Without line breaks, as JSON has none. */
  data: string;
}

const encoder = new TextEncoder();

export const encodeEvent = ({ event, id, data }: ServerEvent): Uint8Array =>
  encoder.encode(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`);

/** Nothing to the client, but proof to everyone between that the connection lives. */
export const HEARTBEAT = encoder.encode(": heartbeat\n\n");

/** How long a client should wait before it connects again. */
export const encodeRetry = (ms: number): Uint8Array => encoder.encode(`retry: ${ms}\n\n`);

export interface EventStream {
  response: Response;
  /** False when it was dropped, because the client is behind. */
  send(message: Uint8Array): boolean;
  /** After this last message, which a client that is behind does not get. Twice is fine. */
  end(last: Uint8Array): void;
}

export interface EventStreamOptions {
  /** Sent at once. */
  first: Uint8Array;
  /** The client has gone; not called when we end. */
  closed(): void;
  /** Makes the server close the connection in seconds when the client takes nothing. */
  hurry?(): void;
}

export function openEventStream({ first, closed, hurry }: EventStreamOptions): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
        opened.enqueue(first);
      },
      cancel() {
        controller = undefined;
        closed();
      },
    },
    { highWaterMark: BACKLOG_MAX },
  );
  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  return {
    response: new Response(body, { headers: HEADERS }),
    send(message) {
      if (!hasRoom()) return false;
      controller?.enqueue(message);
      return true;
    },
    end(last) {
      hurry?.();
      if (hasRoom()) {
        controller?.enqueue(last);
        controller?.close();
      } else {
        controller?.error(new Error("The client fell behind, and its stream was closed"));
      }
      controller = undefined;
    },
  };
}

/** Nobody on the way may keep, change or collect what is to arrive at once. */
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};
