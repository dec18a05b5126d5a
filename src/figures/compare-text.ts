const ASTRAL = /[\ud800-\udfff]/;

/** As Postgres does under the collation "C": by code points. */
export function compareText(one: string, other: string): number {
  if (ASTRAL.test(one) || ASTRAL.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}
