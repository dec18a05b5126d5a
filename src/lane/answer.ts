/** The redirect in the bytes that `Bun.serve` sends for it. */
import type { Route } from "@/core/routing/compiled-link";

const prepared = new WeakMap<Route, string>();

/** `isLast`: the connection ends with it. */
export function redirectText(route: Route, location: string, now: number, isLast: boolean): string {
  const head = location === route.url ? headOf(route) : written(location);
  return `${head}${dateLine(now)}${isLast ? "Connection: close\r\n" : ""}Content-Length: 0\r\n\r\n`;
}

function headOf(route: Route): string {
  const known = prepared.get(route);
  if (known !== undefined) return known;
  const head = written(route.url);
  prepared.set(route, head);
  return head;
}

const written = (location: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nCache-Control: private, no-store\r\nReferrer-Policy: no-referrer-when-downgrade\r\nx-robots-tag: noindex\r\n`;

let dateSecond = 0;
let date = "";

function dateLine(now: number): string {
  const second = Math.floor(now / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = `Date: ${new Date(now).toUTCString()}\r\n`;
  }
  return date;
}
