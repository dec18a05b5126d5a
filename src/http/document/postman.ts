/**
 * The Postman collection, made of the OpenAPI document by `openapi-to-postmanv2`. The conversion is seconds of one core for
 * a large document, so it runs in a worker of its own: redirects on this thread must not wait for it.
 */
import type { OpenApiDocument } from "./types";

const CONVERSION_TIMEOUT_MS = 60_000;

export type Conversion = { ok: true; collection: string } | { ok: false; reason: string };

export async function toPostman(document: OpenApiDocument): Promise<string> {
  const worker = new Worker(new URL("./postman-worker.ts", import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<Conversion>();
  const timer = setTimeout(() => reject(new Error("The Postman collection took too long")), CONVERSION_TIMEOUT_MS);
  worker.onmessage = ({ data }: MessageEvent<Conversion>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`The Postman collection could not be made: ${message}`));
  try {
    worker.postMessage(JSON.stringify(document));
    const conversion = await promise;
    if (!conversion.ok) throw new Error(`The Postman collection could not be made: ${conversion.reason}`);
    return conversion.collection;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
