/**
 * Input that trips up careless code rather than a schema: members by which JavaScript converts objects to text,
 * numbers, promises or lists; numbers outside every type; and deep nesting. Written as text, because some of it
 * cannot be written as a value.
 */

/** Members that have a meaning in JavaScript or JSON Schema, and cause trouble if their values are of another type. */
const MEMBERS = [
  "toString",
  "valueOf",
  "toJSON",
  "then",
  "length",
  "constructor",
  "hasOwnProperty",
  "__proto__",
  "$ref",
];

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

export const ODD_JSON: string[] = [
  ...MEMBERS.map((member) => `{"${member}": 1}`),
  '{"toString": null, "valueOf": null, "toJSON": null}',
  '{"toString": {"toString": 1}, "Symbol(Symbol.toPrimitive)": 1}',
  '{"0": "a", "length": 1e9}',
  '[{"toString": 1}]',
  '[[{"then": {"then": 1}}]]',
  ...["1e400", "-1e400", "123456789012345678901234567890", "-0", "5e-324", "9007199254740993"],
  nested(35, "[", "]"),
  `${'{"a":'.repeat(35)}1${"}".repeat(35)}`,
];

/** Bodies that are not JSON, not an object, or not in the encoding that they claim. */
export const ODD_BODIES: (string | Uint8Array<ArrayBuffer>)[] = [
  ...["", " ", "null", "true", "1", '"text"', "[]", "{", "}", '{"a":1}{"b":2}', "{'a':1}", "NaN", "undefined", "\0"],
  ...['{"a":1,}', '\ufeff{"a":1}', '{"\ud83d\\ud800":1}', '{"a":"\\u0000"}', '{"\\u0000":1}', "[[[[", '{"":{"":{}}}'],
  ...[nested(50, "[", "]"), nested(50_000, "[", "]"), nested(20_000, '{"a":', ""), `"${"a".repeat(100_000)}"`],
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d),
  Uint8Array.of(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0x1f, 0x8b, 0x08, 0x00),
];

export const ODD_BODY_HEADERS: Record<string, string>[] = [
  ...["text/plain", "multipart/form-data", "multipart/form-data; boundary=", "application/x-www-form-urlencoded"],
  ...["application/json; charset=utf-16", 'application/json; charset="', "application/json, text/plain", "json", ";"],
  ...["application/octet-stream", "application/vnd.api+json", "APPLICATION/JSON", "application/jsonp", "*/*"],
]
  .map((type): Record<string, string> => ({ "content-type": type }))
  .concat(
    ["gzip", "br", "deflate", "zstd", "identity", "nonsense"].map((encoding) => ({
      "content-type": "application/json",
      "content-encoding": encoding,
    })),
  );

/** Values for path and query parameters: valid and invalid percent escapes, and words that careless code misreads. */
export const ODD_ESCAPES: string[] = [
  ...["%ff", "%", "%0", "%zz", "%00", "a%00b", "%ed%a0%80", "%c0%af", "%e2%82", "%f4%90%80%80", "%u0041", "%25ff"],
  ...["%2f", "%2e%2e%2f", "%5c", "a%2fb", "%0d%0aX-Evil:1", "%F0%9F%A6%8A", "__proto__", "constructor", "toString"],
  ...["null", "undefined", "*", ":id", "{id}", "a;b", "a,b", "[]", "'", "%27%20or%201=1", "a".repeat(5000)],
];

export const ODD_HEADERS: Record<string, string>[] = [
  { authorization: "Bearer" },
  { authorization: "Bearer  " },
  { authorization: "Bearer a.b.c" },
  { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
  { authorization: `Bearer ${"a".repeat(8000)}` },
  { authorization: "ApiKey \u00ff\u00fe" },
  { authorization: "Basic Og==" },
  { cookie: "=; ;a=%zz; __proto__=1; a" },
  { "accept-language": ",,;q=,*;q=9,\u00e9,-,--,en-".repeat(20) },
  { "user-agent": "\u00ff(".repeat(2000) },
  { "x-request-id": "a b\u00ff" },
  { "idempotency-key": "\u00ff" },
  { "idempotency-key": "" },
  { "if-match": "\u00ff" },
  { "if-match": `${'"a", '.repeat(1_000)}"` },
  { "last-event-id": "%ff\u00ff" },
  { "if-none-match": '"' },
  { range: "bytes=9-1,,-" },
  { origin: "null" },
  { origin: "https://%ff" },
  { accept: "a/b;q=x,,;" },
  { "x-forwarded-for": ",, ,[::1,%00" },
  { "x-client": "not an address" },
  { "content-length": "0", "transfer-encoding": "identity" },
];
