/** Makes requests that must not write anything. */
import { expect } from "bun:test";
import type { Sql } from "postgres";
import { tableState } from "./tenants";

export async function changingNothing(sql: Sql, requests: () => Promise<void>): Promise<void> {
  const before = await tableState(sql);
  await requests();
  expect(await tableState(sql)).toEqual(before);
}
