/**
 * Random requests, made with fast-check, for the lane and the server behind it: valid ones, and corrupted ones. Every
 * target contains `MARK` and the request's number in its conversation, so that its click can be found.
 */
import fc from "fast-check";

/** Replaced in each exchange by text of the same length. */
export const MARK = "MARKED--";
/** Replaced by the visitor's address, padded to the same length. */
const ADDRESS = "ADDRESS--------";
/** Replaced by the version of the page at `PAGE`. */
const PAGE_TAG = "PAGETAG";
export const PAGE = "/docs";
export const HOST = "go.lane.test";
export const CLIENT_HEADER = "X-Client";

export interface Part {
  text: string;
  isHead: boolean;
  /** Where the text is split into separate writes, as shares of its length. */
  cuts: readonly number[];
  /** Minimum milliseconds between two of these writes: long enough for a response to an incomplete request. */
  pauseMs?: number;
  /** Whether the request certainly gets exactly one response. */
  isSound: boolean;
}

interface Written {
  method?: string;
  target: string;
  lines: string[];
  host?: string;
  version?: string;
  body?: string;
}

export interface Filling {
  mark: string;
  /** The number of the exchange, from which its visitor's address is derived. */
  number: number;
  pageTag: string;
}

/** Replaces the placeholders. Only the version may change the length. */
export function fillRequest(text: string, { mark, number, pageTag }: Filling): string {
  const octets = [number / 150 ** 3, number / 150 ** 2, number / 150, number].map(
    (share) => 100 + (Math.floor(share) % 150),
  );
  return text.replaceAll(MARK, mark).replaceAll(ADDRESS, octets.join(".")).replaceAll(PAGE_TAG, pageTag);
}

const write = ({ method = "GET", target, lines, host = HOST, version = "HTTP/1.1", body = "" }: Written): string =>
  `${[`${method} ${target} ${version}`, `Host: ${host}`, ...lines].join("\r\n")}\r\n\r\n${body}`;

const marked = (slug: string, index: number, query = ""): string =>
  `/${slug}?utm_content=${MARK}${String(index).padStart(2, "0")}${query}`;

const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  "curl/8.5.0",
  "",
];
const anyCase = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(name, name.toLowerCase(), name.toUpperCase(), name.replaceAll("e", "E"));
const line = (name: string, ...values: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(anyCase(name), fc.constantFrom(": ", ":", ":  ", ":\t"), fc.constantFrom(...values))
    .map((all) => all.join(""));

const header = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...AGENTS).map((agent) => `User-Agent: ${agent}`) },
  line("Accept-Language", "de-AT,de;q=0.9", "en", "*", "fr;q=0"),
  line("Referer", "https://news.example.com/story?secret=1", "https://example.com", "about:blank", "%%"),
  line("Sec-CH-UA", '"Chromium";v="130"', '""', ""),
  line("Sec-Purpose", "prefetch;prerender", "prefetch"),
  line("Purpose", "prefetch", "preview"),
  line("Accept", "text/html", "application/json", "*/*"),
  line("Accept-Encoding", "gzip, deflate, br", "identity"),
  line("Cookie", "a=b", "a=b; c=d"),
  line("Connection", "keep-alive", "Keep-Alive", "keep-alive, x-other"),
  line("Cache-Control", "no-cache"),
  line("Range", "bytes=0-1"),
  line("If-None-Match", '"x"', "*"),
  line("Upgrade-Insecure-Requests", "1"),
  line("X-Forwarded-For", "192.0.2.1, 192.0.2.2"),
  line("Content-Type", "text/plain"),
  line("Keep-Alive", "timeout=5"),
  line("TE", "trailers"),
  fc.stringMatching(/^[\w-]{1,20}$/).map((name) => `X-${name}: ${name}`),
);
const PLAIN_LINES = [
  `User-Agent: ${AGENTS[0]}`,
  "Accept-Language: de-AT,de;q=0.9",
  "referer:https://news.example.com/story?secret=1",
  'SEC-CH-UA: "Chromium";v="130"',
  "Sec-Purpose: prefetch",
  "Cookie: a=b",
  "Accept: text/html",
  "Connection: keep-alive",
];
export const ownAddress = `${CLIENT_HEADER}: ${ADDRESS}`;
/** The visitor's address as proxies state it: alone, behind a claim of the client's own, or before their own. */
const address = fc.oneof(
  { weight: 6, arbitrary: fc.constant([ownAddress]) },
  fc
    .constantFrom(
      ...[`192.0.2.1, ${ADDRESS}`, `${ADDRESS}, 127.0.0.1`, `none,${ADDRESS}`, `"${ADDRESS}:443"`, `${ADDRESS}:80,`],
      ...[`::ffff:${ADDRESS}`, `2001:DB8::${ADDRESS}`, `"[2001:db8::${ADDRESS}]:443"`, `64:ff9b::${ADDRESS}`],
    )
    .map((stated) => [`${CLIENT_HEADER}: ${stated}`]),
  fc.constantFrom("127.0.0.1", "::1", ADDRESS).map((last) => [ownAddress, `${CLIENT_HEADER}: ${last}`]),
);
const headers = fc.tuple(address, fc.array(header, { maxLength: 6 })).map(([stated, lines]) => [...stated, ...lines]);
const slug = fc.constantFrom(
  ...["plain", "plain", "rules", "random", "nothing", "asks", "ended", "shows"],
  ...["told", "tagged", "places", "later", "few", "store"],
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  fc.constantFrom("&vip=1", "&a=%20b", "&utm_source=x&utm_source=y", "&", "&wm_cid=1", "&q='", "#part", "&ü=ä"),
  fc.stringMatching(/^&[\w~!$&()*+,;=:@/?%.-]{0,40}$/),
);

/** A request of the kind that the lane answers. */
const plain = (index: number) =>
  fc
    .tuple(
      fc.constantFrom("plain", "plain", "rules", "random", "told", "tagged", "places", "later"),
      fc.constantFrom("", "", "&vip=1", "&a=%20b", "&", "&wm_cid=1", "&utm_source=own&ref=own"),
      fc.subarray(PLAIN_LINES),
      address,
    )
    .map(
      ([name, more, lines, stated]): Written => ({ target: marked(name, index, more), lines: [...stated, ...lines] }),
    );

const visit = (index: number) =>
  fc
    .tuple(slug, query, headers, fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE"))
    .map(([name, more, lines, method]): Written => ({ method, target: marked(name, index, more), lines }));

const addressed = (index: number) =>
  fc
    .tuple(
      fc.constantFrom(
        { target: `http://${HOST}${marked("plain", index)}` },
        { target: marked("PLAIN", index) },
        { target: marked("pl%61in", index) },
        { target: marked("plain/", index) },
        { target: marked("a/../plain", index) },
        { target: marked("/plain", index) },
        { target: marked("plain", index), host: HOST.toUpperCase() },
        { target: marked("plain", index), host: `${HOST}:8080` },
        { target: marked("plain", index), host: `${HOST}:80` },
        { target: marked("plain", index), host: "other.lane.test" },
        { target: marked("plain", index), host: `${HOST}.` },
        { target: marked("plain", index), host: `${HOST}:443` },
        { target: marked("plain", index), host: "127.0.0.1" },
        { target: marked("plain", index), host: "[::1]:80" },
        { target: marked("plain", index), host: "localhost" },
        { target: marked("ma%c3%9f", index) },
        { target: marked("MA%C3%9F", index) },
        { target: marked("mass", index) },
        { target: marked("pl%61in/", index) },
        { target: marked("pl%zzin", index) },
        { target: marked("plain", index), version: "HTTP/1.0" },
      ),
      headers,
    )
    .map(([address, lines]): Written => ({ ...address, lines }));

const chunks = (body: string, size: number, extension: string, trailer: string): string => {
  const pieces = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const written = pieces.map((piece) => `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`);
  return `${written.join("")}0\r\n${trailer}\r\n`;
};

const body = fc.constantFrom("", "a=b", '{"em', '{"email":"nobody@example.com"}', "x".repeat(3_000), "\0\xff\r\n\r\n");
const framed = fc
  .tuple(body, fc.constantFrom("length", "length", "chunked", "expect"), fc.integer({ min: 1, max: 5_000 }))
  .map(([text, how, size]) => {
    if (how === "chunked") {
      return { lines: ["Transfer-Encoding: chunked"], body: chunks(text, Math.max(size, text.length / 4), "", "") };
    }
    return {
      lines: [`Content-Length: ${text.length}`, ...(how === "expect" ? ["Expect: 100-continue"] : [])],
      body: text,
    };
  });

/** A request that an app sends to resolve a link. */
const resolving = fc
  .tuple(
    fc.constantFrom(
      ...["plain", "rules", "random", "asks", "ended", "shows", "nothing", "PLAIN", "pl%61in", ""],
      ...["told", "tagged", "places", "later", "few", "store", "ma%c3%9f"],
    ),
    fc.subarray([
      ...[
        "platform=ios",
        "platform=none",
        "visitorId=me",
        "language=de-AT",
        "language=%ff",
        "referrer=https://news.example.com/",
      ],
      ...[
        "query=vip%3D1",
        "query=vip=1",
        "osVersion=17.4",
        "password=a+secret",
        "userAgent=x",
        "slug=plain",
        "pathPrefix=",
        "more",
        "%00",
      ],
    ]),
    fc.constantFrom("localhost", "localhost", "localhost", "localhost:80", "LOCALHOST", HOST, "127.0.0.1"),
    fc.subarray([...PLAIN_LINES, "Origin: https://a.test", "Authorization: ApiKey none", "X-Request-Id: mine"]),
    fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "POST"),
  )
  .map(
    ([slug, fields, host, lines, method]): Written => ({
      ...{ method, host, lines: [ownAddress, ...lines, ...(method === "POST" ? ["Content-Length: 0"] : [])] },
      target: `/api/v1/resolve?${[`domain=${HOST}`, `slug=${slug}`, ...fields].join("&")}`,
    }),
  );

/** A request with a body, to a route that accepts one or not. */
const sending = (index: number) =>
  fc
    .tuple(
      fc.constantFrom<Pick<Written, "method" | "target" | "host">>(
        { method: "POST", target: "/api/v1/auth/login", host: "localhost" },
        { method: "POST", target: "/api/v1/organizations/none/links/preview", host: "localhost" },
        { method: "PUT", target: "/api/v1/none", host: "localhost" },
        { method: "POST", target: marked("plain", index) },
        { method: "POST", target: marked("shows", index) },
        { method: "GET", target: marked("plain", index) },
      ),
      framed,
      headers,
      fc.constantFrom("application/json", "application/x-www-form-urlencoded", "text/plain"),
    )
    .map(
      ([to, how, lines, type]): Written => ({
        ...to,
        lines: [...lines, `Content-Type: ${type}`, ...how.lines],
        body: how.body,
      }),
    );

const calling = (index: number) =>
  fc.constantFrom<Written>(
    { target: `/api/v1/resolve?domain=${HOST}&slug=plain`, host: "localhost", lines: [ownAddress] },
    { target: "/api/v1/resolve", host: "localhost", lines: [ownAddress] },
    { target: "/", host: "localhost", lines: [ownAddress] },
    { target: "/none/at/all", host: "localhost", lines: [ownAddress] },
    { target: PAGE, host: "localhost", lines: [ownAddress] },
    { target: PAGE, host: "localhost", lines: [ownAddress, `If-None-Match: ${PAGE_TAG}`] },
    { method: "OPTIONS", target: "/api/v1/resolve", host: "localhost", lines: [ownAddress, "Origin: https://a.test"] },
    { method: "HEAD", target: PAGE, host: "localhost", lines: [ownAddress] },
    { target: marked("plain", index), lines: [ownAddress, "Connection: close"] },
  );

/** Unbiased: values near the ends are not more frequent. */
export const share = fc.noBias(fc.double({ min: 0, max: 0.999, noNaN: true }));

const cuts = fc.oneof(
  { weight: 4, arbitrary: fc.constant<number[]>([]) },
  fc.array(share, { minLength: 1, maxLength: 4 }),
);

const pause = fc.constantFrom(0, 0, 0, 40);

const written = (index: number): fc.Arbitrary<Written> =>
  fc.oneof(
    { weight: 8, arbitrary: plain(index) },
    { weight: 4, arbitrary: visit(index) },
    { weight: 2, arbitrary: addressed(index) },
    { weight: 3, arbitrary: sending(index) },
    { weight: 2, arbitrary: resolving },
    { weight: 2, arbitrary: calling(index) },
  );

export const soundPart = (index: number): fc.Arbitrary<Part> =>
  fc.tuple(written(index), cuts, pause).map(([one, cut, pauseMs]) => ({
    ...{ text: write(one), isHead: one.method === "HEAD", cuts: cut, pauseMs, isSound: true },
  }));

/** The last request of a conversation, which closes the connection. */
export const lastPart = (index: number): Part => ({
  ...{ text: write({ target: marked("plain", index), lines: [ownAddress, "Connection: close"] }) },
  ...{ isHead: false, cuts: [], isSound: false },
});

const ODD = [
  "",
  " ",
  "\t",
  "\r",
  "\n",
  "\r\n",
  "\0",
  "\x7f",
  "\xe9",
  ":",
  ";",
  "/",
  "?",
  "#",
  "%",
  "..",
  ",",
  "\r\n ",
  "\n\n",
];
const HOSTS = [
  ...["", " ", ",", "a b", `user@${HOST}`, `${HOST}:0`, `${HOST}:080`, `${HOST}:99999`, `${HOST}:`, `${HOST}..`],
  ...[`${HOST}, ${HOST}`, `http://${HOST}`, `${HOST}/x`, `${HOST}#x`, `${HOST}?x`, "[::1", "::1", "%67o.lane.test"],
  ...["xn--", "*", "\xfc.lane.test", `${"a".repeat(300)}.test`, "0x7f.1", "0", "-", ".", HOST.replace("go", "GO")],
];
type Spoil = (text: string, share: number, odd: string) => string;

const headEnd = (text: string): number => text.indexOf("\r\n\r\n");
const inHead = (text: string, share: number): number => Math.floor(share * (headEnd(text) + 4));
const replaceLine = (text: string, share: number, change: (line: string) => string): string => {
  const end = headEnd(text);
  const lines = text.slice(0, end).split("\r\n");
  const at = Math.floor(share * lines.length);
  return lines.with(at, change(lines[at] ?? "")).join("\r\n") + text.slice(end);
};

const SPOILS: Spoil[] = [
  (text, share, odd) => text.slice(0, inHead(text, share)) + odd + text.slice(inHead(text, share)),
  (text, share) => text.slice(0, inHead(text, share)) + text.slice(inHead(text, share) + 1),
  (text, share, odd) => text.slice(0, inHead(text, share)) + odd + text.slice(inHead(text, share) + 1),
  (text, share) => replaceLine(text, share, (one) => `${one}\r\n${one}`),
  (text, share) => replaceLine(text, share, (one) => `${one}\r\n folded`),
  (text, share) => replaceLine(text, share, (one) => one.replace(":", " :")),
  (text, share) => replaceLine(text, share, (one) => one.replace(/:.*/, ":")),
  (text, share) => replaceLine(text, share, (one) => `${one}${"y".repeat(Math.floor(share * 20_000))}`),
  (text, share, odd) => replaceLine(text, share, (one) => `${one}${odd}`),
  (text, share, odd) => replaceLine(text, share, (one) => one.replace(/: ?/, `: ${odd}`)),
  (text) => text.replaceAll("\r\n", "\n"),
  (text) => text.replace("\r\n\r\n", "\n\n"),
  (text, _, odd) => text.replace(/ \S+ HTTP/, ` ${odd || "*"} HTTP`),
  (text) => text.replace("HTTP/1.1", "HTTP/1.0"),
  (text) => text.replace("HTTP/1.1", "HTTP/2.0"),
  (text) => text.replace("GET", "get"),
  (text, _, odd) => `${odd}${text}`,
  (text, share) => text.replace("\r\n\r\n", `\r\n${"x:\r\n".repeat(Math.floor(share * 400))}\r\n`),
  (text) => text.replace(/Host: [^\r]*\r\n/, ""),
  (text, share) => text.replace(/Host: [^\r]*/, `Host: ${HOSTS[Math.floor(share * HOSTS.length)]}`),
];

/** A request that was corrupted in one to three ways. It may still be valid, and of any kind. */
export const oddPart = (index: number): fc.Arbitrary<Part> => {
  const spoil = fc.tuple(fc.nat(SPOILS.length - 1), share, fc.constantFrom(...ODD));
  return fc.tuple(soundPart(index), fc.array(spoil, { minLength: 1, maxLength: 3 })).map(([part, spoils]) => ({
    ...part,
    text: spoils.reduce((text, [which, share, odd]) => SPOILS[which]?.(text, share, odd) ?? text, part.text),
    isHead: false,
    isSound: false,
  }));
};
