/** The form of every error response of the API: a status, and JSON with `error` and optionally `details`. */
import { expect } from "bun:test";
import type { Reply } from "./service";

/** Expects an error response. `fields` are the names that must precede the faults in `details`, in any order. */
export function expectFailure({ status, headers, body }: Reply, expected: number, fields?: string[]): void {
  expect({ status, body }).toEqual({ status: expected, body: { ...body, error: expect.any(String) } });
  expect(headers.get("content-type")).toStartWith("application/json");
  expect(Object.keys(body).filter((key) => key !== "error" && key !== "details")).toEqual([]);
  if (fields) expect(fieldsOf(body)).toEqual(fields.toSorted());
}

/** Returns the distinct field names, the text before the colon, of `details`, sorted. */
export function fieldsOf(body: Record<string, unknown>): string[] {
  const details = Array.isArray(body.details) ? body.details.map(String) : [];
  return [...new Set(details.map((detail) => detail.split(": ", 1).join()))].toSorted();
}
