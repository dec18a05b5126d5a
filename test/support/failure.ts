/** What every failure of the API looks like: the status, and a body of `error` and `details` alone. */
import { expect } from "bun:test";
import type { Reply } from "./service";

/** `fields` are the names that `details` must put before their faults, in any order. */
export function expectFailure({ status, headers, body }: Reply, expected: number, fields?: string[]): void {
  expect({ status, body }).toEqual({ status: expected, body: { ...body, error: expect.any(String) } });
  expect(headers.get("content-type")).toStartWith("application/json");
  expect(Object.keys(body).filter((key) => key !== "error" && key !== "details")).toEqual([]);
  if (fields) expect(fieldsOf(body)).toEqual(fields.toSorted());
}

/** The names before the colons of `details`, each once. */
export function fieldsOf(body: Record<string, unknown>): string[] {
  const details = Array.isArray(body.details) ? body.details.map(String) : [];
  return [...new Set(details.map((detail) => detail.split(": ", 1).join()))].toSorted();
}
