/**
 * Links that something may be wrong with, however few visits they have. Of each kind the newest `SUSPECTS_MAX` are taken, by
 * indexes that hold such links alone, so that an organization of many links costs no more than one of few. Rules cannot be
 * judged by the database: those of the `RULES_LOOKED_MAX` links with rules that were changed last are read.
 */
import type { Sql } from "postgres";
import type { RoutingRule } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import { unreachableRules } from "@/core/insights/rules-reach";
import { LINK_MISCONFIGURED } from "@/platform/db/schema/links/links";

const SUSPECTS_MAX = 100;
const RULES_LOOKED_MAX = 500;

export interface Suspects {
  linkIds: string[];
  /** Whether there may be more of a kind than were looked at. */
  isCut: boolean;
}

export async function readSuspects(sql: Sql, orgId: OrgId): Promise<Suspects> {
  const [dead, misconfigured, ruled] = await Promise.all([
    sql<{ id: string }[]>`
      select distinct link_id as id from destination_checks
      where org_id = ${orgId} and status <> 'ok' and failures >= 2
      order by link_id desc limit ${SUSPECTS_MAX}`,
    sql<{ id: string }[]>`
      select id from links where org_id = ${orgId} and ${sql.unsafe(LINK_MISCONFIGURED)}
      order by id desc limit ${SUSPECTS_MAX}`,
    sql<{ id: string; rules: RoutingRule[] }[]>`
      select id, rules from links
      where org_id = ${orgId} and deleted_at is null and kind = 'link' and rules <> '[]'
      order by updated_at desc limit ${RULES_LOOKED_MAX}`,
  ]);
  const unreachable = ruled.filter(({ rules }) => unreachableRules(rules).length > 0).slice(0, SUSPECTS_MAX);
  return {
    linkIds: [...new Set([...dead, ...misconfigured, ...unreachable].map(({ id }) => id))],
    isCut: dead.length + misconfigured.length >= SUSPECTS_MAX || ruled.length === RULES_LOOKED_MAX,
  };
}
