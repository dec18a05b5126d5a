/** Reads the fields of a form that one of the service's own pages sent, once and within a bound. */

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** More than any of our forms has. Each field costs time to parse, and to skip in searches for others. */
const FIELDS_MAX = 100;

/**
 * Returns null if the body is no such form, and `too_large` for too many fields or more than `bytesMax` bytes, of
 * which no more are then read.
 */
export async function readForm(request: Request, bytesMax: number): Promise<URLSearchParams | "too_large" | null> {
  const { body, headers } = request;
  if (body === null || !FORM.test(headers.get("content-type") ?? "")) return null;
  if (Number(headers.get("content-length") ?? 0) > bytesMax) return "too_large";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) return "too_large";
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  return text.split("&", FIELDS_MAX + 1).length > FIELDS_MAX ? "too_large" : new URLSearchParams(text);
}
