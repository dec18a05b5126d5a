import { OutboundError } from "./error";
import type { OutboundAnswer, OutboundInit } from "./outbound";

export interface FetchInit {
  method?: string;
  headers?: OutboundInit["headers"];
  /** Text, bytes, or the fields of a form (`URLSearchParams`). */
  body?: unknown;
  signal?: AbortSignal | null;
}

const BYTES_MAX = 1024 * 1024;
const STATUS_MAX = 599;
/** Statuses whose responses cannot have a body. */
const EMPTY = [204, 205, 304];

/** Returns the client as a `fetch`, for libraries that take one. */
export const fetchThrough =
  (request: (url: string | URL, init: OutboundInit) => Promise<OutboundAnswer>) =>
  async (url: string | URL, { method, headers, body, signal }: FetchInit = {}): Promise<Response> => {
    const answer = await request(url, {
      method,
      headers: formHeaders(headers, body),
      body: bodyOf(body),
      signal: signal ?? undefined,
      bytesMax: BYTES_MAX,
    });
    const { status } = answer;
    if (status > STATUS_MAX) throw new OutboundError("refused", `The response has an invalid status: ${status}`);
    return new Response(EMPTY.includes(status) ? null : answer.body, { status, headers: answer.headers });
  };

function formHeaders(given: FetchInit["headers"], body: unknown): Headers {
  const headers = new Headers(given);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  }
  return headers;
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return String(body);
  throw new TypeError("A body must be text, bytes or URLSearchParams");
}
