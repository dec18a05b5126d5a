/** Builds HTTP responses byte for byte as `Bun.serve` would send them. */
import type { Route } from "@/core/routing/compiled-link";
import type { AppAnswer, RedirectedVisit } from "@/core/routing/plain-visit";

/** A route's whole response. It contains the `Date` header, so `text` is valid for one second. */
interface Prepared {
  head: string;
  dateSecond: number;
  text: string;
}

const prepared = new WeakMap<Route, Prepared>();

/** Returns the response to a plain visit. `now` is in Unix milliseconds; `isLast` adds `Connection: close`. */
export function answerText(answer: RedirectedVisit | AppAnswer, now: number, isLast: boolean): string | Buffer {
  if ("route" in answer) return redirectText(answer, now, isLast);
  const length = Buffer.byteLength(answer.json);
  const text = `${JSON_HEAD}${ending(now, isLast)}Content-Length: ${length}\r\n\r\n${answer.json}`;
  return length === answer.json.length ? text : Buffer.from(text);
}

function redirectText({ route, location }: RedirectedVisit, now: number, isLast: boolean): string {
  if (location !== route.url || isLast) return `${redirectTo(location)}${ending(now, isLast)}${NOTHING_FOLLOWS}`;
  const line = dateLine(now);
  const known = prepared.get(route);
  if (known?.dateSecond === dateSecond) return known.text;
  const head = known?.head ?? redirectTo(location);
  const text = `${head}${line}${NOTHING_FOLLOWS}`;
  if (known) {
    known.text = text;
    known.dateSecond = dateSecond;
  } else prepared.set(route, { head, dateSecond, text });
  return text;
}

const NOTHING_FOLLOWS = "Content-Length: 0\r\n\r\n";

const ending = (now: number, isLast: boolean): string => `${isLast ? "Connection: close\r\n" : ""}${dateLine(now)}`;

const redirectTo = (location: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nCache-Control: private, no-store\r\nReferrer-Policy: no-referrer-when-downgrade\r\nx-robots-tag: noindex\r\n`;

const JSON_HEAD =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\nAccess-Control-Allow-Origin: *\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";

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
