/**
 * Unpacks responses. Requests ask for none that is compressed, but some proxies compress every response. Bound: what is
 * unpacked may be as large as a response.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

type Unpack = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const UNPACK: Readonly<Record<string, Unpack>> = {
  ...{ gzip: gunzipSync, "x-gzip": gunzipSync, deflate: inflateSync, br: brotliDecompressSync },
};

/** Returns undefined for what cannot be unpacked, as because it is broken or would be too large. */
export function unpacked(body: Uint8Array, headers: Headers, bytesMax: number): Uint8Array | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return body;
  const unpack = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
  try {
    return unpack?.(body, { maxOutputLength: bytesMax });
  } catch {
    return undefined;
  }
}
