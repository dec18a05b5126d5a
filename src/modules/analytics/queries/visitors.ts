/** Visitors at the range's two ends, which no sketch tells of. */
import type { OrgId } from "@/core/ids";
import { type FiguresScope, type Reader, scopeFragments } from "./scope";

export interface EdgeVisitor {
  at: number;
  visitor: bigint;
}

/** A visitor once for each bucket. */
export async function readEdgeVisitors(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<EdgeVisitor[]> {
  const { clickEdges, bucketOf } = scopeFragments(sql, orgId, scope);
  const reads = clickEdges.map(
    (edge) => sql<{ at: number; visitor: string }[]>`
      select distinct extract(epoch from ${bucketOf("occurred_at")})::float8 * 1000 as at, visitor::text as visitor
      from clicks where ${edge}`,
  );
  const rows = (await Promise.all(reads)).flat();
  return rows.map(({ at, visitor }) => ({ at, visitor: BigInt(visitor) }));
}
