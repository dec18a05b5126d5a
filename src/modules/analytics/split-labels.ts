/**
 * What the split targets of clicks were called: the label of a link's target, or the title of a bio page's item. Their
 * keys say nothing to people, and what was deleted is named nowhere else.
 */
import type { ISql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import { BREAKDOWNS } from "@/contract/analytics/dimensions";
import type { SplitTarget } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import type { StoredClick } from "./stored-clicks";

/** The newest versions of a link that are searched for names. */
const VERSIONS_LOOKED_MAX = 200;

interface SplitRow {
  isOther?: boolean;
}

/**
 * Returns a function that adds to the rows of figures by split what their targets were last called. Only figures of a
 * single link can say that: another link's target may have the same key.
 */
export async function readLastSplitLabels(sql: ISql, orgId: OrgId, { linkId = [] }: Filters) {
  const [id, ...others] = linkId;
  const rows =
    id === undefined || others.length > 0
      ? []
      : await sql<{ key: string; label: string | null }[]>`
          select distinct on (key) target ->> 'key' as key, target ->> 'label' as label
          from (
            select version, snapshot -> 'splitTargets' as targets from link_revisions
            where org_id = ${orgId} and link_id = ${id} order by version desc limit ${VERSIONS_LOOKED_MAX}
          ) as revisions cross join lateral jsonb_array_elements(
            case jsonb_typeof(targets) when 'array' then targets else '[]' end
          ) as target
          order by key, version desc`;
  const labels = new Map(rows.map(({ key, label }) => [key, label]));
  return <Row extends SplitRow>(row: Row, key: string): Row & { label?: string } => {
    const label = row.isOther || key === BREAKDOWNS.split.blank ? undefined : labels.get(key);
    return label ? { ...row, label } : row;
  };
}

type Split = Pick<StoredClick, "linkId" | "linkVersion" | "splitKey">;

/** Stands for the version of clicks that did not keep it: the newest. */
const NEWEST = 2 ** 31 - 1;

/** Returns a function that returns a click's label; undefined if no target decided, or if it has none. */
export async function readSplitLabels(
  sql: ISql,
  orgId: OrgId,
  clicks: readonly Split[],
): Promise<(click: Split) => string | undefined> {
  const split = clicks.filter(({ splitKey }) => splitKey !== null);
  if (split.length === 0) return () => undefined;
  const served = [...new Map(split.map((click) => [servedBy(click), click])).values()];
  const rows = await sql<{ linkId: string; version: number; targets: SplitTarget[] | null }[]>`
    select served.link_id as "linkId", served.version, snapshot -> 'splitTargets' as targets
    from unnest(${served.map(({ linkId }) => linkId)}::uuid[], ${served.map(versionOf)}::int[]) as served (link_id, version)
    cross join lateral (
      select snapshot from link_revisions
      where org_id = ${orgId} and link_id = served.link_id and version <= served.version
      order by version desc limit 1
    ) as revision`;
  const targets = new Map(rows.map(({ linkId, version, targets }) => [`${linkId} ${version}`, targets ?? []]));
  return (click) => targets.get(servedBy(click))?.find(({ key }) => key === click.splitKey)?.label || undefined;
}

const versionOf = ({ linkVersion }: Split): number => linkVersion ?? NEWEST;

const servedBy = (click: Split): string => `${click.linkId} ${versionOf(click)}`;
