import { expect, test } from "bun:test";
import { createConnection } from "node:net";
import { isRefused, unavailableReasonOf } from "@/platform/db/faults";

const faultOf = (place: { path: string } | { host: string; port: number }): Promise<Error> =>
  new Promise((resolve) => createConnection(place).once("error", resolve));

/** As a container's resolver reports the name of one that has stopped. */
const unresolved = Object.assign(new Error("getaddrinfo EAI_AGAIN postgres"), {
  code: "EAI_AGAIN",
  syscall: "getaddrinfo",
});

test.each([
  ["a Unix socket that is not there", () => faultOf({ path: "/nowhere/.s.PGSQL.5432" })],
  ["a port that nothing listens on", () => faultOf({ host: "127.0.0.1", port: 1 })],
  ["a name that cannot be resolved now", async () => unresolved],
])("%s means that Postgres is unavailable", async (_, make) => {
  const cause = await make();
  expect(unavailableReasonOf(new Error("Failed query", { cause }))).toBe("away");
});

test("a file that is missing does not", () => {
  const missing = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT", syscall: "open" });
  expect(unavailableReasonOf(missing)).toBeNull();
});

test("a connection that Postgres refuses means that it is unavailable, a statement that it refuses does not", () => {
  const refused = (severity: string, code: string) => Object.assign(new Error("of Postgres"), { severity, code });
  for (const code of ["28P01", "28000", "3D000", "42501", "55000"]) {
    const answer = unavailableReasonOf(new Error("Failed query", { cause: refused("FATAL", code) }));
    expect([code, answer]).toEqual([code, "away"]);
  }
  expect(unavailableReasonOf(new Error("Failed query", { cause: refused("ERROR", "42501") }))).toBeNull();
});

test("a statement is refused for its values, a constraint or a deadlock; nothing is known of it after anything else", () => {
  const failed = (code: string) =>
    new Error("Failed query", { cause: Object.assign(new Error("of Postgres"), { code }) });
  for (const code of ["22P02", "22001", "23503", "23505", "40001", "40P01", "55P03"])
    expect([code, isRefused(failed(code))]).toEqual([code, true]);
  for (const code of ["40003", "57014", "57P01", "08006", "CONNECTION_CLOSED", "ECONNABORTED", "EPIPE"])
    expect([code, isRefused(failed(code))]).toEqual([code, false]);
  expect(isRefused(new Error("unknown"))).toBe(false);
});
