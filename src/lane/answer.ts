/** Builds HTTP responses byte for byte as `Bun.serve` would send them. */
import type { Route } from "@/core/routing/compiled-link";
import type { AppAnswer, AppJson, RedirectedVisit } from "@/core/routing/plain-visit";

/** The whole response to everyone who gets the same. It contains the `Date` header, so it is valid for one second. */
interface Prepared {
  dateSecond: number;
  text: string | Buffer;
}

const prepared = new WeakMap<Route | AppJson, Prepared>();

/** A long payload takes more memory than making its response takes time. */
const KEPT_LENGTH_MAX = 2_000;

/** Returns the response to a plain visit. `now` is in Unix milliseconds; `isLast` adds `Connection: close`. */
export function answerText(answer: RedirectedVisit | AppAnswer, now: number, isLast: boolean): string | Buffer {
  const date = dateLine(now);
  const ending = isLast ? `Connection: close\r\n${date}` : date;
  if ("route" in answer) {
    const { route, location } = answer;
    return isLast || location !== route.url ? redirectText(location, ending) : preparedText(route, date);
  }
  const { json } = answer;
  const isKept = json.isForAll && json.text.length <= KEPT_LENGTH_MAX;
  return isLast || !isKept ? jsonText(json, ending) : preparedText(json, date);
}

/** Call it after `dateLine`, which sets the second. */
function preparedText(of: Route | AppJson, ending: string): string | Buffer {
  const known = prepared.get(of);
  if (known?.dateSecond === dateSecond) return known.text;
  const text = "url" in of ? redirectText(of.url, ending) : jsonText(of, ending);
  if (known) {
    known.text = text;
    known.dateSecond = dateSecond;
  } else prepared.set(of, { dateSecond, text });
  return text;
}

const redirectText = (location: string, ending: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nCache-Control: private, no-store\r\nReferrer-Policy: no-referrer-when-downgrade\r\nx-robots-tag: noindex\r\n${ending}Content-Length: 0\r\n\r\n`;

const JSON_HEAD =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\nAccess-Control-Allow-Origin: *\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";

function jsonText({ text: json }: AppJson, ending: string): string | Buffer {
  const length = Buffer.byteLength(json);
  const text = `${JSON_HEAD}${ending}Content-Length: ${length}\r\n\r\n${json}`;
  return length === json.length ? text : Buffer.from(text);
}

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
