/**
 * Requests that the lane reads are read as `Bun.serve` reads them; it does not read any that could be understood in
 * two ways.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { readsPlainRequests } from "@/lane/plain-request";

const read = readsPlainRequests("x-client");
const readText = (text: string) => read(Buffer.from(text, "latin1"));
const NAMES = ["user-agent", "accept-language", "referer", "sec-ch-ua", "sec-purpose", "purpose"] as const;

const request = (lines: string[], target = "/sale", version = "HTTP/1.1") =>
  `${[`GET ${target} ${version}`, ...lines].join("\r\n")}\r\n\r\n`;
const plain = request(["Host: go.acme.com", "User-Agent: Mozilla/5.0"]);

describe("the lane reads", () => {
  test("a browser's request", () => {
    const lines = ["Host: go.acme.com:8443", "User-Agent: Mozilla/5.0", "accept-LANGUAGE:de", "Connection: keep-alive"];
    const asked = readText(
      request([...lines, "X-Client: 192.0.2.1", "Cookie: a=b"], "/spring/sale?utm_source=x&a=%20"),
    );
    expect(asked).toMatchObject({
      method: "GET",
      host: "go.acme.com:8443",
      path: "/spring/sale",
      query: "utm_source=x&a=%20",
    });
    expect(asked?.stated).toBe("192.0.2.1");
    expect(NAMES.map((name) => asked?.headers.get(name))).toEqual(["Mozilla/5.0", "de", null, null, null, null]);
    expect(asked?.isLast).toBe(false);
  });

  test.each([
    ["writes the connection in capitals, as OkHttp and Apache do", ["Connection: Keep-Alive"]],
    ["accepts trailers, as Caddy says for Firefox", ["Te: trailers"]],
    ["does both", ["connection:KEEP-ALIVE", "TE: trailers, deflate;q=0.5"]],
  ])("a request through a proxy that %s", (_, lines) => {
    const asked = readText(request(["Host: go.acme.com", ...lines]));
    expect(asked).toMatchObject({ host: "go.acme.com", path: "/sale", isLast: false });
  });

  test.each([
    ["asks to close", request(["Host: go.acme.com", "Connection: close"])],
    ["is of HTTP/1.0", request(["Host: go.acme.com"], "/sale", "HTTP/1.0")],
    ["is of HTTP/1.0 and asks to stay", request(["Host: go.acme.com", "Connection: keep-alive"], "/sale", "HTTP/1.0")],
  ])("the last one on its connection, which %s", (_, text) => {
    expect(readText(text)).toMatchObject({ host: "go.acme.com", path: "/sale", isLast: true });
  });
});

describe("the lane hands on a request with", () => {
  const host = "Host: go.acme.com";
  test.each<[string, string]>([
    ["nothing", ""],
    ["another method", plain.replace("GET", "HEAD")],
    ["a method in lower case", plain.replace("GET", "get")],
    ["a body by its length", request([host, "Content-Length: 5"])],
    ["a body of no length", request([host, "Content-Length: 0"])],
    ["a length with a space before its colon", request([host, "Content-Length : 5"])],
    ["a body in chunks", request([host, "Transfer-Encoding: chunked"])],
    ["chunks in odd letters", request([host, "tRANSFER-eNCODING: xchunked"])],
    ["chunks with a tab before the value", request([host, "Transfer-Encoding:\tchunked"])],
    ["chunks behind a folded line", request([host, "X: y\r\n Transfer-Encoding: chunked"])],
    ["a length and chunks", request([host, "Content-Length: 4", "Transfer-Encoding: chunked"])],
    ["something after its end", `${plain}GET /b HTTP/1.1\r\nHost: b\r\n\r\n`],
    ["one byte after its end", `${plain}x`],
    ["an upgrade", request([host, "Connection: upgrade", "Upgrade: websocket"])],
    ["an upgrade to HTTP/2", request([host, "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"])],
    ["an expectation", request([host, "Expect: 100-continue"])],
    ["a connection that closes in other letters", request([host, "Connection: Close"])],
    ["two words on the connection", request([host, "Connection: keep-alive", "Connection: close"])],
    ["a connection of several options", request([host, "Connection: keep-alive, close"])],
    ["no host", request(["User-Agent: x"])],
    ["an empty host", request(["Host:"])],
    ["two hosts", request([host, host])],
    ["a host twice in other letters", request([host, "hOST: b"])],
    ["a host in capitals", request(["Host: GO.acme.com"])],
    ["a host with the scheme's own port", request(["Host: go.acme.com:80"])],
    ["a host with a path", request(["Host: go.acme.com/evil"])],
    ["a host with a user", request(["Host: a@go.acme.com"])],
    ["two User-Agents", request([host, "User-Agent: a", "User-Agent: b"])],
    ["two addresses", request([host, "X-Client: 192.0.2.1", "x-client: 192.0.2.2"])],
    ["another version", request([host], "/sale", "HTTP/1.2")],
    ["a version of two figures", request([host], "/sale", "HTTP/1.10")],
    ["a version that is none", request([host], "/sale", "HTTP/1.1x")],
    ["two spaces", request([host], " /sale")],
    ["a whole URL", request([host], "http://go.acme.com/sale")],
    ["the root", request([host], "/")],
    ["a fragment", request([host], "/sale#x")],
    ["an escape in the path", request([host], "/s%61le")],
    ["a dot segment", request([host], "/a/../sale")],
    ["a dot segment before the query", request([host], "/sale/.?a=b")],
    ["two slashes", request([host], "//sale")],
    ["a backslash", request([host], "/a\\sale")],
    ["a quote in the query", request([host], "/sale?a='b'")],
    ["a name with a space", request([host, "X Y: z"])],
    ["a name with a control character", request([host, "X\x01: z"])],
    ["a line without a colon", request([host, "XY"])],
    ["a header without a name", request([host, ": z"])],
    ["a value with a NUL", request([host, "X: a\0b"])],
    ["a value beyond ASCII", request([host, "User-Agent: caf\xe9"])],
    ["a value with a carriage return", request([host, "X: a\rb"])],
    ["a value with a line feed", request([host, "X: a\nTransfer-Encoding: chunked"])],
    ["a space around a value that is read", request([host, "User-Agent:  x "])],
    ["lines that end in line feeds", plain.replaceAll("\r\n", "\n")],
    ["a space before the first header", request([` ${host}`])],
    ["more than 8 KB", request([host, `X: ${"y".repeat(8_192)}`])],
  ])("%s", (_, text) => {
    expect(readText(text)).toBeUndefined();
  });

  test("any part of its end missing", () => {
    for (let length = 0; length < plain.length; length++) expect(readText(plain.slice(0, length))).toBeUndefined();
  });
});

describe("compared with Bun's server", () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ method, url, headers }) =>
      Response.json({ method, url, headers: [...NAMES, "x-client"].map((name) => headers.get(name)) }),
  });
  afterAll(() => server.stop(true));

  const odd = fc.constantFrom("", " ", "\t", "\r", "\n", "\0", "\x7f", "\xe9", ":", ";", "/", "?", "#", "%", "..", ",");
  const spoilt = (good: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 12, arbitrary: good },
      { weight: 1, arbitrary: fc.tuple(good, odd, good).map((parts) => parts.join("")) },
    );
  const word = fc.stringMatching(/^[\w~!+.-]{1,12}$/);
  const target = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.option(fc.stringMatching(/^[\x21-\x7e]{0,30}$/)))
    .map(([path, query]) => `/${path.join("/")}${query === null ? "" : `?${query}`}`);
  const host = fc.oneof(
    { weight: 5, arbitrary: fc.constant("go.acme.com") },
    fc.stringMatching(/^[a-zA-Z0-9.:-]{1,14}$/),
  );
  const name = fc.oneof(
    fc.constantFrom(...NAMES, "X-Client", "Cookie", "User-Agent", "Accept", "Range", "TE", "Via", "Sec-CH-UA"),
    fc.stringMatching(/^[\w-]{1,20}$/),
  );
  const header = fc.tuple(
    spoilt(name),
    fc.constantFrom(": ", ":", ":  ", ":\t"),
    spoilt(fc.stringMatching(/^[ -~]{0,40}$/)),
  );
  const requests = fc
    .tuple(spoilt(target), spoilt(host), fc.array(header, { maxLength: 6 }), fc.nat(6))
    .map(([path, named, headers, at]) => {
      const lines = headers.map((parts) => parts.join(""));
      return request(lines.toSpliced(Math.min(at, lines.length), 0, `Host: ${named}`), path);
    });

  test("reads the same from each of ten thousand valid and malformed requests that it accepts", async () => {
    const socket = connect(server.port ?? 0, "127.0.0.1");
    const answers = answersOf(socket);
    let readHere = 0;
    for (const text of fc.sample(requests, { numRuns: 10_000, seed: 20_260_101 })) {
      const asked = readText(text);
      if (!asked || !isAddress(asked.host + asked.path)) continue;
      readHere++;
      socket.write(text, "latin1");
      const { value } = await answers.next();
      const { host, path, query, stated, method, headers } = asked;
      expect(JSON.parse(value ?? "null"), text).toEqual({
        method,
        url: `http://${host}${path}${query === "" && !text.split("\r\n", 1)[0]?.includes("?") ? "" : `?${query}`}`,
        headers: [...NAMES.map((one) => headers.get(one)), stated],
      });
    }
    expect(readHere).toBeGreaterThan(1_000);
    socket.destroy();
  });
});

/** True if the link's address is written as it is in a URL. */
const isAddress = (key: string): boolean => URL.parse(`http://${key}`)?.href === `http://${key}`;

/** Yields the bodies of the responses on this connection, in order. */
async function* answersOf(socket: Socket): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const bytes of socket) {
    text += bytes.toString("latin1");
    for (;;) {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      const body = rest.join("\r\n\r\n");
      if (rest.length === 0 || body.length < length) break;
      text = body.slice(length);
      yield body.slice(0, length);
    }
  }
}
