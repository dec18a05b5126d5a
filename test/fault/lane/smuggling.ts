/** Known ways to hide a request in the body of another one, where two readers disagree on the end of that body. */
import fc from "fast-check";
import { HOST, MARK, ownAddress, type Part, share } from "./requests";

const CRLF = "\r\n";
const hidden = (index: number): string =>
  `GET /plain?utm_content=${MARK}${String(index).padStart(2, "0")} HTTP/1.1${CRLF}Host: ${HOST}${CRLF}${ownAddress}${CRLF}${CRLF}`;

interface Form {
  /** Returns header lines. The lengths, in bytes, are those of the body up to the hidden request, and including it. */
  lines(lengths: { before: number; whole: number }): string[];
  before: string;
  after?: string;
}

const CHUNKED = "Transfer-Encoding: chunked";
const END = `0${CRLF}${CRLF}`;
const ofLength = (line: string): Form[] => [
  { lines: ({ before }) => [line.replace("N", String(before))], before: "abc" },
  { lines: ({ whole }) => [line.replace("N", String(whole))], before: "abc" },
  { lines: () => [line.replace("N", "0")], before: "" },
];
const inChunks = (line: string): Form[] => [
  { lines: () => [line], before: END },
  { lines: ({ whole }) => [`Content-Length: ${whole}`, line], before: END },
  { lines: ({ whole }) => [line, `Content-Length: ${whole}`], before: END },
  { lines: () => ["Content-Length: 4", line], before: `5c${CRLF}` },
];

const LENGTHS = [
  ...["Content-Length: N", "content-length:N", "Content-Length:  N ", "Content-Length:\tN", "Content-Length: +N"],
  ...[
    "Content-Length: -N",
    "Content-Length: N,N",
    "Content-Length: N, N",
    "Content-Length: 0xN",
    "Content-Length: N.0",
  ],
  ...["Content-Length: 00N", "Content-Length: Ne0", "Content-Length : N", "Content-Length\t: N", " Content-Length: N"],
  ...[
    "Content-Length: N\r\nContent-Length: N",
    "Content-Length: N\r\nContent-Length: 0",
    "Content-Length: 0\r\nContent-Length: N",
  ],
  ...[
    "Content-Length:\r\n N",
    "Content_Length: N",
    "Content-Length\0: N",
    "Content-Length: N\0",
    "Content-Length: \x0bN",
  ],
  ...[
    "Content-Length: 99999999999999999999",
    "Content-Length: 18446744073709551616",
    "Content-Length: ",
    "Content-Length: N a",
  ],
  ...[
    "X: y\nContent-Length: N",
    "X: y\rContent-Length: N",
    "X: y\r\n\tContent-Length: N",
    "Content-Length: N\r\nConnection: Content-Length",
  ],
];
const CODINGS = [
  ...[
    CHUNKED,
    "transfer-encoding:chunked",
    "Transfer-Encoding: CHUNKED",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding:\tchunked",
  ],
  ...[
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked ",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: \x0bchunked",
  ],
  ...[
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunkedx",
  ],
  ...[
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
  ],
  ...[
    "Transfer-Encoding:\r\n chunked",
    "X: y\nTransfer-Encoding: chunked",
    "X: y\r\n Transfer-Encoding: chunked",
    " Transfer-Encoding: chunked",
  ],
  ...[
    "Transfer_Encoding: chunked",
    "Transfer-Encoding\0: chunked",
    "Transfer-Encoding: 'chunked'",
    'Transfer-Encoding: "chunked"',
  ],
  ...[
    "Transfer-Encoding: chunked;q=1",
    "Transfer-Encoding: ,chunked",
    "Transfer-Encoding: chunked,",
    "\x0bTransfer-Encoding: chunked",
  ],
  ...[
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: \xffchunked",
    "Transfer-Encoding: chunk",
  ],
];
const BODIES = [
  ...[
    `3${CRLF}abc${CRLF}${END}`,
    `3;a=b${CRLF}abc${CRLF}${END}`,
    `3;a="${CRLF}"${CRLF}abc${CRLF}${END}`,
    `3 ${CRLF}abc${CRLF}${END}`,
  ],
  ...[
    "3\nabc\n0\n\n",
    `3\nabc${CRLF}${END}`,
    `3${CRLF}abc\n${END}`,
    `3${CRLF}abc${CRLF}0\n\n`,
    `3${CRLF}abc${CRLF}0${CRLF}\n`,
  ],
  ...[`3${CRLF}abc${CRLF}0${CRLF}X: y${CRLF}${CRLF}`, `3${CRLF}abc${CRLF}0${CRLF}Content-Length: 5${CRLF}${CRLF}`],
  ...[
    `0x3${CRLF}abc${CRLF}${END}`,
    `+3${CRLF}abc${CRLF}${END}`,
    `-1${CRLF}${END}`,
    `3_0${CRLF}abc${CRLF}${END}`,
    `${CRLF}${END}`,
  ],
  ...[
    `10000000000000003${CRLF}abc${CRLF}${END}`,
    `fffffffffffffffff${CRLF}${END}`,
    `3${CRLF}abcd${CRLF}${END}`,
    `4${CRLF}abc${CRLF}${END}`,
  ],
  ...[
    `00000003${CRLF}abc${CRLF}${END}`,
    `3\t${CRLF}abc${CRLF}${END}`,
    `3${CRLF}abc${END}`,
    `000${CRLF}${CRLF}`,
    `0;${CRLF}${CRLF}`,
    `0${CRLF}`,
  ],
  ...[`3\rabc\r0\r\r`, `3;${"e".repeat(5_000)}${CRLF}abc${CRLF}${END}`, `3;\n${CRLF}abc${CRLF}${END}`, "0\r\n\r", "\0"],
];
const WITHOUT_BODY = [
  ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
  [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ],
  ["Connection: close"],
  ["Connection: keep-alive, close"],
  ["Expect: 100-continue"],
  ["Expect: 200-ok"],
  ["Trailer: Content-Length"],
  ["X-HTTP-Method-Override: POST"],
  ["Host: other.lane.test"],
  ["Connection: keep-alive", "Connection: close"],
];

const FORMS: Form[] = [
  ...LENGTHS.flatMap(ofLength),
  ...CODINGS.flatMap(inChunks),
  ...BODIES.map((before): Form => ({ lines: () => [CHUNKED], before })),
  ...BODIES.map((before): Form => ({ lines: () => ["Expect: 100-continue", CHUNKED], before })),
  ...WITHOUT_BODY.map((lines): Form => ({ lines: () => lines, before: "" })),
  { lines: () => [CHUNKED], before: `${hidden(0).length.toString(16)}${CRLF}`, after: `${CRLF}${END}` },
];

function smuggled(which: number, { start, index }: { start: string; index: number }): [outer: string, inner: string] {
  const form = FORMS[which % FORMS.length];
  const inner = hidden(index);
  const before = form?.before ?? "";
  const lines = form?.lines({ before: before.length, whole: before.length + inner.length }) ?? [];
  return [
    `${[start, `Host: ${HOST}`, ownAddress, ...lines].join(CRLF)}${CRLF}${CRLF}${before}`,
    inner + (form?.after ?? ""),
  ];
}

const marked = (index: number): string => `?utm_content=${MARK}${String(index).padStart(2, "0")}`;

export const smuggledParts = (index: number): fc.Arbitrary<[Part, Part]> =>
  fc
    .tuple(
      fc.nat(FORMS.length - 1),
      fc.constantFrom("POST /plain", "GET /plain", "POST /shows", "HEAD /plain", "POST /api/v1/none", "PUT /nothing"),
      fc.oneof(fc.constant([]), fc.array(share, { maxLength: 3 })),
    )
    .map(([which, start, cuts]) => {
      const [outer, inner] = smuggled(which, { start: `${start}${marked(index)} HTTP/1.1`, index: index + 1 });
      const isHead = start.startsWith("HEAD");
      return [
        { text: outer, isHead, cuts, isSound: false },
        { text: inner, isHead: false, cuts, isSound: false },
      ];
    });
