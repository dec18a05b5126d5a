/** An exchange is over when both messages are complete, and never if either of them might end elsewhere. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HttpExchange } from "@/lane/http-exchange";

const GET = "GET /api/v1/links HTTP/1.1\r\nHost: a\r\n\r\n";
const POST = 'POST /api/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\nConnection: keep-alive\r\n\r\n{"a":1}';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}';

interface Side {
  said: string;
  isAnswer: boolean;
}

/** Returns, for each message, whether the exchange is over after it. */
const told = (...sides: Side[]): boolean[] => {
  const exchange = new HttpExchange();
  return sides.map(({ said, isAnswer }) => {
    const bytes = Buffer.from(said, "latin1");
    if (isAnswer) exchange.answer(bytes);
    else exchange.ask(bytes);
    return exchange.isOver;
  });
};
const asked = (said: string): Side => ({ said, isAnswer: false });
const answered = (said: string): Side => ({ said, isAnswer: true });

describe("an exchange is over after", () => {
  test.each([
    ["a GET", GET, OK],
    ["a POST", POST, OK],
    ["a GET with a body", POST.replace("POST", "GET"), OK],
    ["a HEAD with a body", POST.replace("POST", "HEAD"), OK.slice(0, -11)],
    ["a GET of a client that accepts trailers", GET.replace("Host", "TE: trailers\r\nHost"), OK],
    ["a GET of a whole URL", GET.replace("/api", "http://a/api"), OK],
    ["an answer that is empty", GET, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"],
    ["an answer to HEAD", GET.replace("GET", "HEAD"), OK.slice(0, -11)],
    ["nothing new", GET, "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"],
    ["no content", POST, "HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n"],
    ["no body", POST.replace("7", "0").slice(0, -7), OK],
  ])("%s", (_, request, answer) => {
    expect(told(asked(request), answered(answer))).toEqual([false, true]);
  });

  test("a request and a response in any number of pieces", () => {
    const pieces = (text: string) =>
      fc.array(fc.nat(text.length), { maxLength: 6 }).map((cuts) => {
        const ends = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        return ends.slice(1).map((end, index) => text.slice(ends[index], end));
      });
    fc.assert(
      fc.property(pieces(POST), pieces(OK), (request, answer) => {
        const all = told(...request.map(asked), ...answer.map(answered));
        const last = request.length + answer.findIndex((_, index) => answer.slice(index + 1).join("") === "");
        expect(all.indexOf(true)).toBe(last);
      }),
    );
  });
});

test("bytes after the end of the request are left for the next exchange", () => {
  const exchange = new HttpExchange();
  const ask = (said: string) => exchange.ask(Buffer.from(said));
  expect(ask(POST.slice(0, -3))).toBe(POST.length - 3);
  expect(ask(POST.slice(-3) + GET)).toBe(3);
  expect(ask(GET)).toBe(0);
  exchange.answer(Buffer.from(OK));
  expect(exchange.isOver).toBe(true);
});

test("an exchange whose end is unknown takes all bytes", () => {
  const exchange = new HttpExchange();
  expect(exchange.ask(Buffer.from(GET))).toBe(GET.length);
  expect(exchange.isFollowed).toBe(true);
  exchange.answer(Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
  expect(exchange.isFollowed).toBe(false);
  expect(exchange.ask(Buffer.from(GET))).toBe(GET.length);
});

describe("an exchange is not over with", () => {
  const withHeader = (text: string, header: string) => text.replace("\r\n", `\r\n${header}\r\n`);
  test.each([
    ["a request in chunks", withHeader(GET, "Transfer-Encoding: chunked"), OK],
    ["chunks and a length", withHeader(POST, "transfer-encoding:chunked"), OK],
    ["two lengths", withHeader(POST, "Content-Length: 7"), OK],
    ["a length with a sign", POST.replace("7", "+7"), OK],
    ["a list of lengths", POST.replace("7", "7, 7"), OK],
    ["a length in hexadecimals", POST.replace("7", "0x7"), OK],
    ["a folded line", withHeader(GET, "X: y\r\n Transfer-Encoding: chunked"), OK],
    ["a space before a colon", withHeader(POST, "Transfer-Encoding : chunked"), OK],
    ["a line feed alone", withHeader(GET, "X: y\nTransfer-Encoding: chunked"), OK],
    ["a NUL", withHeader(GET, "X: \0"), OK],
    ["an expectation", withHeader(POST, "Expect: 100-continue"), OK],
    ["an upgrade", withHeader(GET, "Upgrade: h2c"), OK],
    ["a connection that closes", withHeader(GET, "Connection: close"), OK],
    ["an unknown method", GET.replace("GET", "CONNECT"), OK],
    ["HTTP/1.0", GET.replace("1.1", "1.0"), OK],
    ["a head of more than 16 KB", withHeader(GET, `X: ${"y".repeat(16_384)}`), OK],
    ["an answer in chunks", GET, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["an answer that ends with its connection", GET, "HTTP/1.1 200 OK\r\nDate: now\r\n\r\n"],
    ["an answer that closes", GET, withHeader(OK, "Connection: close")],
    ["an answer before the answer", GET, `HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n${OK}`],
    ["two answers", GET, OK + OK],
  ])("%s", (_, request, answer) => {
    expect(told(asked(request), answered(answer), asked(""), answered(""))).not.toContain(true);
  });

  test("a request that is answered early, until the request is complete", () => {
    expect(told(asked(POST.slice(0, -3)), answered(OK), asked(POST.slice(-3)))).toEqual([false, false, true]);
  });
});
