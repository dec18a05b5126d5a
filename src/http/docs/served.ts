/** Responses that are the same for everyone: created and compressed once, with an ETag. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsCoding } from "@/core/headers/accept-encoding";
import { hasCurrent } from "@/core/headers/if-none-match";

const compress = promisify(gzip);

export interface Served {
  bytes: Uint8Array<ArrayBuffer>;
  compressed: Uint8Array<ArrayBuffer>;
  /** ETag of the uncompressed bytes; that of the compressed form has a suffix. */
  tag: string;
  headers: Record<string, string>;
}

export async function serve(content: string | Uint8Array, headers: Record<string, string>): Promise<Served> {
  const bytes = new Uint8Array(Buffer.from(content));
  const compressed = new Uint8Array(await compress(bytes));
  return { bytes, compressed, tag: new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 20), headers };
}

export function answer(request: Request, served: Served, overriding: Record<string, string> = {}): Response {
  const isCompressed = acceptsCoding(request.headers.get("accept-encoding"), "gzip");
  const etag = `"${served.tag}${isCompressed ? "-gzip" : ""}"`;
  const headers = { ...served.headers, ...overriding, etag, vary: "Accept-Encoding, Origin" };
  if (hasCurrent(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return isCompressed
    ? new Response(served.compressed, { headers: { ...headers, "content-encoding": "gzip" } })
    : new Response(served.bytes, { headers });
}

/** Returns a function that creates the value on its first call and then reuses it. A failure is not kept. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
