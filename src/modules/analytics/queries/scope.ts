/**
 * What all queries of an overview share: whose figures, of which link, humans alone or bots too, and the pieces of SQL
 * that say so.
 */
import type { Fragment, ISql } from "postgres";
import type { OrgId } from "@/core/ids";
import { bucketMs, type DividedRange, type Span, type TimeRange } from "@/core/time-range";
import { ROLLUP_METRICS, type RollupMetric } from "@/platform/db/schema/clicks";

/** What queries read through: the pool, or a transaction on it. */
export type Reader = ISql;

export interface FiguresScope {
  linkId?: string;
  includeBots: boolean;
  granularity: TimeRange["granularity"];
  divided: DividedRange;
}

const HUMAN_METRICS: RollupMetric[] = ["clicks", "opens"];

export function scopeFragments(sql: Reader, orgId: OrgId, { linkId, includeBots, granularity, divided }: FiguresScope) {
  const ofTenant = sql`org_id = ${orgId}`;
  const ofLink = linkId === undefined ? sql`` : sql`and link_id = ${linkId}`;
  return {
    /** Whole hours of `rollups_hourly`. */
    rollups: sql`${ofTenant} ${ofLink} and ${within(sql, "hour", divided.hours)}
      and metric in ${sql(includeBots ? ROLLUP_METRICS : HUMAN_METRICS)}`,
    /** Rows of `clicks` or `opens` at the range's ends; one fragment an end, so that each is one index scan. */
    edges: divided.edges.map(
      (edge) =>
        sql`${ofTenant} ${ofLink} and ${within(sql, "occurred_at", edge)} ${includeBots ? sql`` : sql`and not is_bot`}`,
    ),
    bucketOf: (column: "hour" | "occurred_at") =>
      sql`date_bin(${`${bucketMs(granularity)} milliseconds`}::interval, ${sql(column)}, 'epoch')`,
  };
}

/** One more branch of a union for each edge. (An empty list of fragments would be taken for a parameter.) */
export function unionEdges(sql: Reader, edges: Fragment[], branch: (edge: Fragment) => Fragment): Fragment {
  return edges.reduce<Fragment>((branches, edge) => sql`${branches} union all ${branch(edge)}`, sql``);
}

export function within(sql: Reader, column: "hour" | "occurred_at", { from, to }: Span): Fragment {
  return sql`${sql(column)} >= ${new Date(from)} and ${sql(column)} < ${new Date(to)}`;
}
