/** Answers in the bytes that `Bun.serve` sends for them. */
import type { Route } from "@/core/routing/compiled-link";
import type { AppAnswer, Leaving } from "@/core/routing/plain-visit";

const prepared = new WeakMap<Route, string>();

/** `isLast`: the connection ends with it. */
export function answerText(answer: Leaving | AppAnswer, now: number, isLast: boolean): string | Buffer {
  const ending = `${isLast ? "Connection: close\r\n" : ""}${dateLine(now)}`;
  if ("route" in answer) return `${redirectHead(answer)}${ending}Content-Length: 0\r\n\r\n`;
  const length = Buffer.byteLength(answer.json);
  const text = `${JSON_HEAD}${ending}Content-Length: ${length}\r\n\r\n${answer.json}`;
  return length === answer.json.length ? text : Buffer.from(text);
}

function redirectHead({ route, location }: Leaving): string {
  if (location !== route.url) return redirectTo(location);
  const known = prepared.get(route);
  if (known !== undefined) return known;
  const head = redirectTo(route.url);
  prepared.set(route, head);
  return head;
}

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
