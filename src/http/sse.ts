/**
 * Server-sent events: the wire format, and a response that stays open.
 *
 * States: open → ended, either by `end` or by the client, which is noticed when the connection closes. Up to
 * `BACKLOG_MAX` messages wait here for the client; while there are that many, `send` drops further ones. A client
 * that reads nothing at all is closed by the listener's idle timeout. That timeout is shortened once the stream has
 * ended, because a stopping server would otherwise wait for it.
 */
import { asStream } from "./headers/content-length";

const BACKLOG_MAX = 2;

export interface ServerEvent {
  event: string;
  /** Later events have greater ids. */
  id?: number;
  /** Must not contain line breaks; JSON never does. */
  data: string;
}

const encoder = new TextEncoder();

export const encodeEvent = ({ event, id, data }: ServerEvent): Uint8Array =>
  encoder.encode(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`);

/** Clients ignore it, but it shows every proxy in between that the connection is alive. */
export const HEARTBEAT = encoder.encode(": heartbeat\n\n");

/** Encodes how long a client should wait before it reconnects. */
export const encodeRetry = (ms: number): Uint8Array => encoder.encode(`retry: ${ms}\n\n`);

export interface EventStream {
  response: Response;
  /** Returns false if the message was dropped because the client is behind. */
  send(message: Uint8Array): boolean;
  /** Ends the stream with this last message, which a client that is behind does not receive. May be called twice. */
  end(last: Uint8Array): void;
}

export interface EventStreamOptions {
  /** Sent immediately. */
  first: Uint8Array;
  /** Called when the client disconnects; not called by `end`. */
  closed(): void;
  /** Shortens the server's idle timeout for the connection to seconds. Called by `end`. */
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
    response: asStream(new Response(body, { headers: HEADERS })),
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

/** No proxy may cache, transform or buffer events that should arrive immediately. */
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};
