import { expect, test } from "bun:test";
import { parseRedisUrl } from "@/platform/redis/redis-url";

const a = { host: "a.example", port: 6379 };
const b = { host: "b.example", port: 7000 };

test.each([
  ["redis://a.example", { kind: "server", nodes: [a] }],
  ["redis://", { kind: "server", nodes: [{ host: "localhost", port: 6379 }] }],
  ["redis://a.example:6379/3", { kind: "server", nodes: [a], db: 3 }],
  ["rediss://:p%40ss@a.example", { kind: "server", nodes: [a], password: "p@ss", tls: {} }],
  ["redis://[::1]:7000", { kind: "server", nodes: [{ host: "::1", port: 7000 }] }],
  ["redis+cluster://a.example,b.example:7000", { kind: "cluster", nodes: [a, b] }],
  [
    "rediss+cluster://user:word@a.example/0",
    { kind: "cluster", nodes: [a], username: "user", password: "word", tls: {} },
  ],
  [
    "redis+sentinel://a.example,b.example:7000/mymaster/2",
    { kind: "sentinel", nodes: [{ ...a, port: 26_379 }, b], master: "mymaster", db: 2 },
  ],
] as const)("reads %s", (url, expected) => {
  expect(JSON.parse(JSON.stringify(parseRedisUrl(url)))).toEqual(expected);
});

test.each([
  ["another scheme", "http://:secret@a.example", /redis\+cluster:\/\//],
  ["several servers without a word how", "redis://:secret@a.example,b.example", /one host/],
  ["a host that is none", "redis+cluster://:secret@a.example,b example", /hosts like/],
  ["a port that is none", "redis://:secret@a.example:70000", /one host/],
  ["sentinels without a master's name", "redis+sentinel://:secret@a.example", /master name/],
  ["a cluster's database", "redis+cluster://:secret@a.example/1", /no database numbers/],
  ["a database that is no number", "redis://:secret@a.example/one", /database number/],
  ["a password that is not encoded", "redis://:secret%zz@a.example", /percent-encoded/],
])("refuses %s, without a word of the address", (_, url, says) => {
  expect(() => parseRedisUrl(url)).toThrow(says);
  expect(() => parseRedisUrl(url)).not.toThrow("secret");
});
