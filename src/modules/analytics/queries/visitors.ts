/** Distinct visitors: the sketches of whole hours, and the visitors themselves at the range's two ends. */
import type { OrgId } from "@/core/ids";
import { WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import { type FiguresScope, type Reader, scopeFragments, within } from "./scope";

export interface HourSketch {
  /** Start of the bucket that the hour belongs to, Unix milliseconds. */
  at: number;
  sketch: Uint8Array;
}

/** One row for each hour, writer and (with bots) kind of visitor. */
export async function readSketches(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<HourSketch[]> {
  const { bucketOf } = scopeFragments(sql, orgId, scope);
  return sql<HourSketch[]>`
    select extract(epoch from ${bucketOf("hour")})::float8 * 1000 as at, sketch
    from visitor_sketches
    where org_id = ${orgId} and link_id = ${scope.linkId ?? WHOLE_ORGANIZATION}
      and ${within(sql, "hour", scope.divided.hours)} ${scope.includeBots ? sql`` : sql`and not is_bot`}`;
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
