/**
 * Answers HEAD where GET would stream. Elysia runs the handler of GET and reads its whole body to state its length: of
 * a live stream, which has no end, it would never answer, not even once the client has left, and of an export it would
 * read everything. So a stream is cancelled at once, and its length is not stated.
 */
const streams = new WeakSet<Response>();
const unmeasured = new WeakSet<Request>();

/** Marks a response whose body is produced while it is sent. */
export function asStream(response: Response): Response {
  streams.add(response);
  return response;
}

/** Returns the response to HEAD in place of a stream, or undefined if there is nothing to replace. */
export function headOfStream(request: Request, response: unknown): Response | undefined {
  if (request.method !== "HEAD" || !(response instanceof Response) || !streams.has(response)) return undefined;
  unmeasured.add(request);
  void response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

/** Takes the length out of the response to HEAD that `headOfStream` made: it would be that of no body. */
export async function withoutLength(request: Request, answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!unmeasured.has(request)) return response;
  response.headers.delete("content-length");
  // Without any body, Bun would state its length.
  return new Response(new ReadableStream(), response);
}
