const ASTRAL = /[\ud800-\udfff]/;

/**
 * Compares two texts by code points, as Postgres does under the collation "C". The sign of the result gives the
 * order.
 */
export function compareText(one: string, other: string): number {
  if (ASTRAL.test(one) || ASTRAL.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}
