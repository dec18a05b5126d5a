/** Distinct visitors: the sketches of whole days and hours, and the visitors themselves at the range's two ends. */
import type { OrgId } from "@/core/ids";
import { type FiguresScope, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

export interface VisitorSketch {
  /** Start of the bucket that its day or hour belongs to, Unix milliseconds. */
  at: number;
  sketch: Uint8Array;
}

/** One row for each day or hour, writer and (with bots) kind of visitor. */
export async function readSketches(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<VisitorSketch[]> {
  const { sketchesIn, bucketOf } = scopeFragments(sql, orgId, scope);
  return sql<VisitorSketch[]>`
    select 0::float8 as at, ''::bytea as sketch where false
    ${unionAll(
      sql,
      sourcesOf(scope.buckets),
      (source) => sql`
        select extract(epoch from ${bucketOf(source.start)})::float8 * 1000, sketch
        from ${sql(source.sketches)} where ${sketchesIn(source)}`,
    )}`;
}

export interface EdgeVisitor {
  at: number;
  visitor: bigint;
}

/** A visitor once for each bucket. */
export async function readEdgeVisitors(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<EdgeVisitor[]> {
  const { edges, bucketOf } = scopeFragments(sql, orgId, scope);
  const reads = edges.map(
    (edge) => sql<{ at: number; visitor: string }[]>`
      select distinct extract(epoch from ${bucketOf("occurred_at")})::float8 * 1000 as at, visitor::text as visitor
      from clicks where ${edge}`,
  );
  const rows = (await Promise.all(reads)).flat();
  return rows.map(({ at, visitor }) => ({ at, visitor: BigInt(visitor) }));
}
