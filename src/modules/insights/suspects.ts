/**
 * Finds links that may have something wrong, however few visits they have. Takes the newest `SUSPECTS_MAX` of each
 * kind through partial indexes that hold only such links, so that an organization with many links costs no more than
 * one with few. The database cannot judge rules: those of the `RULES_LOOKED_MAX` most recently changed links with
 * rules are read and judged here.
 */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { unreachableRules } from "@/core/insights/rules-reach";
import { destinationChecks, links } from "@/platform/db/schema";
import { LINK_MISCONFIGURED } from "@/platform/db/schema/links/links";
import type { Db } from "@/platform/db/tx";

const SUSPECTS_MAX = 100;
const RULES_LOOKED_MAX = 500;

export interface Suspects {
  linkIds: string[];
  /** True if there may be more links of a kind than were examined. */
  isCut: boolean;
}

export async function readSuspects(db: Db, orgId: OrgId): Promise<Suspects> {
  const { linkId, status, failures } = destinationChecks;
  const { id, rules, kind, deletedAt, updatedAt } = links;
  const ofTenant = eq(links.orgId, orgId);
  const [dead, misconfigured, ruled] = await Promise.all([
    db
      .selectDistinct({ id: linkId })
      .from(destinationChecks)
      .where(and(eq(destinationChecks.orgId, orgId), sql`${status} <> 'ok' and ${failures} >= 2`))
      .orderBy(desc(linkId))
      .limit(SUSPECTS_MAX),
    db
      .select({ id })
      .from(links)
      .where(and(ofTenant, sql.raw(LINK_MISCONFIGURED)))
      .orderBy(desc(id))
      .limit(SUSPECTS_MAX),
    // Written as literal SQL, so that Postgres can match the condition to the partial index.
    db
      .select({ id, rules })
      .from(links)
      .where(and(ofTenant, isNull(deletedAt), sql`${kind} = 'link' and ${rules} <> '[]'`))
      .orderBy(desc(updatedAt))
      .limit(RULES_LOOKED_MAX),
  ]);
  const unreachable = ruled.filter(({ rules }) => unreachableRules(rules).length > 0).slice(0, SUSPECTS_MAX);
  return {
    linkIds: [...new Set([...dead, ...misconfigured, ...unreachable].map(({ id }) => id))],
    isCut: dead.length + misconfigured.length >= SUSPECTS_MAX || ruled.length === RULES_LOOKED_MAX,
  };
}
