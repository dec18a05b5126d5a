/**
 * Stored days in columns (`click_days`): one row per part, which contains the version of the day that it was made
 * from.
 */
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Statements } from "@/platform/db/statements";
import type { Reader } from "../read/scope";

export interface StoredPart {
  /** The day's start in Unix milliseconds. */
  day: number;
  version: string;
  packed: Uint8Array;
}

/** Returns the version of each of these days that is stored. */
export async function storedVersions(
  sql: Reader,
  orgId: string,
  days: readonly number[],
): Promise<Map<number, string>> {
  if (days.length === 0) return new Map();
  const rows = await sql<{ day: number; version: string }[]>`
    select extract(epoch from day)::float8 * 1000 as day, version from click_days
    where org_id = ${orgId} and day = any(${instants(days)}::text::timestamptz[]) and part = 0`;
  return new Map(rows.map(({ day, version }) => [day, version]));
}

/** Returns the parts in time order. */
export async function readStored(sql: Reader, orgId: string, days: readonly number[]): Promise<StoredPart[]> {
  const rows = await sql<StoredPart[]>`
    select extract(epoch from day)::float8 * 1000 as day, version, packed from click_days
    where org_id = ${orgId} and day = any(${instants(days)}::text::timestamptz[]) order by day, part`;
  return [...rows];
}

const instants = (days: readonly number[]) => `{${days.map((day) => new Date(day).toISOString()).join(",")}}`;

/** Replaces what is stored of the day. */
export async function replaceStored(
  tx: Statements,
  orgId: string,
  { day, version, parts }: { day: number; version: string; parts: readonly Uint8Array[] },
): Promise<void> {
  await forgetStored(tx, orgId, day);
  await tx.run(
    `insert into click_days (org_id, day, part, version, packed)
     select $1::text::uuid, to_timestamp($2::float8 / 1000), part - 1, $3::text, decode(packed, 'hex')
     from unnest($4::text::text[]) with ordinality as parts (packed, part)`,
    [orgId, day, version, arrayLiteral(parts.map((part) => Buffer.from(part).toString("hex")))],
  );
}

/**
 * Deletes what is stored of the day. Needed after changes that must leave no trace, because an outdated version is no
 * longer read but would still exist.
 */
export async function forgetStored(tx: Statements, orgId: string, day: number): Promise<void> {
  await tx.run(`delete from click_days where org_id = $1::text::uuid and day = to_timestamp($2::float8 / 1000)`, [
    orgId,
    day,
  ]);
}
