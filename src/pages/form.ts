/** The fields of a form that a page of ours sent, read once and within a bound. */

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** More than any form of ours has. Each costs time to read, and to look past for another. */
const FIELDS_MAX = 100;

/** Null where there is no such form; `too_large` past `bytesMax`, of which no more is read, or with too many fields. */
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
