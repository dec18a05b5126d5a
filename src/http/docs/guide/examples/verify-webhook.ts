import { createHmac, timingSafeEqual } from "node:crypto";

/** True if Waymark sent this message. `body` is the raw text of the request, before any parsing. */
export function isFromWaymark(body: string, signature: string | null, secret: string): boolean {
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const given = Buffer.from(signature ?? "");
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}
