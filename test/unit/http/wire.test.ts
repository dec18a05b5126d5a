import { describe, expect, test } from "bun:test";
import { toHttpError } from "@/http/wire";
import { TooManyHashes } from "@/platform/passwords/passwords";

const coded = (code: string, cause?: Error) => Object.assign(new Error("of the driver", { cause }), { code });

describe("a database error is answered with 503 or 500:", () => {
  test.each([
    ["a server that is not there", coded("ECONNREFUSED"), 503],
    ["a connection that was closed", coded("CONNECTION_CLOSED"), 503],
    ["a server that is going down", coded("57P01"), 503],
    ["one below others", new Error("query failed", { cause: coded("ECONNRESET") }), 503],
    ["a deadlock", coded("40P01"), 503],
    ["a transaction that others overtook", coded("40001"), 503],
    ["a fault of ours", coded("42703"), 500],
    ["what has no code", new Error("none"), 500],
  ])("%s", (_, error, status) => {
    const failure = toHttpError(error);
    expect(failure.status).toBe(status);
    expect(failure.headers?.["retry-after"]).toBe(status === 503 ? "1" : undefined);
  });
});

test.each([
  ["sign-in", "Too many sign-ins at the same time; try again in a moment"],
  ["links", "Too many links with passwords at the same time; try again in a moment"],
] as const)("too many passwords for %s are answered with 429, in words that suit", (purpose, message) => {
  const failure = toHttpError(new TooManyHashes(purpose));
  expect([failure.status, failure.message, failure.headers?.["retry-after"]]).toEqual([429, message, "1"]);
});
