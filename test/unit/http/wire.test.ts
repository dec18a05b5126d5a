import { describe, expect, test } from "bun:test";
import { toHttpError } from "@/http/wire";

const coded = (code: string, cause?: Error) => Object.assign(new Error("of the driver", { cause }), { code });

describe("a failure of the driver is answered as", () => {
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
