/** What other programs send to a web server's port: other protocols, and requests of other versions. */
import fc from "fast-check";
import { CLIENT_HEADER, HOST, MARK, type Part, share, soundPart } from "./requests";

const PROXY_V2 = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x7f\0\0\x01\x7f\0\0\x01\xc0\0\x01\xbb";
const TLS_HELLO = `\x16\x03\x01\0\xf4\x01\0\0\xf0\x03\x03${"\x5a".repeat(32)}\0\0\x02\x13\x01\x01\0\0\xa5`;
const HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const visitOf = (target: string, version: string, lines: string[]): string =>
  [`GET ${target}${version}`, ...lines, "", ""].join("\r\n");

/** Each is followed by a whole request. */
const BEFORE = [
  ...["PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n", "PROXY UNKNOWN\r\n", PROXY_V2, TLS_HELLO, HTTP_2],
  ...["\r\n", "\r\n\r\n", "\n", "SSH-2.0-OpenSSH_9.9\r\n", "EHLO go.lane.test\r\n", "\xef\xbb\xbf", "\0\0\0\0"],
  ...["CONNECT go.lane.test:443 HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: go.lane.test\r\n\r\n"],
];

const alone = (index: number): string[] => {
  const target = `/plain?utm_content=${MARK}${String(index).padStart(2, "0")}`;
  const lines = [`Host: ${HOST}`, `${CLIENT_HEADER}: 192.0.2.9`];
  return [
    ...["", " ", " HTTP", " HTTP/", " HTTP/0.9", " HTTP/1", " HTTP/1.", " HTTP/1.2", " HTTP/3.0", " http/1.1"].map(
      (version) => visitOf(target, version, lines),
    ),
    ...[" RTSP/1.0", " HTTP/1.1 ", " HTTP/1.1\t", " HTTP/1.1 x", " HTTP/01.1", " HTTP/1.10"].map((version) =>
      visitOf(target, version, lines),
    ),
    ...[`GET ${target}`, `GET ${target}\r\n`, `GET ${target} HTTP/1.1\r\n\r\n`, `GET ${target} HTTP/1.0\r\n\r\n`],
    ...[TLS_HELLO, HTTP_2, PROXY_V2],
  ];
};

export const foreignPart = (index: number): fc.Arbitrary<Part> => {
  const texts = fc.oneof(
    fc.tuple(fc.constantFrom(...BEFORE), soundPart(index)).map(([before, { text }]) => before + text),
    fc.constantFrom(...alone(index)),
  );
  const cuts = fc.oneof(fc.constant([]), fc.array(share, { maxLength: 3 }));
  return fc.tuple(texts, cuts).map(([text, places]) => ({ text, isHead: false, cuts: places, isSound: false }));
};
