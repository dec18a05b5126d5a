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
  /** True if there are more links of a kind than were examined. */
  isCut: boolean;
}

/** Reads one link more than the maximum of each kind, which tells whether there are more. */
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
      .limit(SUSPECTS_MAX + 1),
    db
      .select({ id })
      .from(links)
      .where(and(ofTenant, sql.raw(LINK_MISCONFIGURED)))
      .orderBy(desc(id))
      .limit(SUSPECTS_MAX + 1),
    // Written as literal SQL, so that Postgres can match the condition to the partial index.
    db
      .select({ id, rules })
      .from(links)
      .where(and(ofTenant, isNull(deletedAt), sql`${kind} = 'link' and ${rules} <> '[]'`))
      .orderBy(desc(updatedAt))
      .limit(RULES_LOOKED_MAX + 1),
  ]);
  const looked = ruled.slice(0, RULES_LOOKED_MAX);
  const unreachable = looked.filter(({ rules }) => unreachableRules(rules).length > 0);
  const kinds = [dead, misconfigured, unreachable];
  return {
    linkIds: [...new Set(kinds.flatMap((kind) => kind.slice(0, SUSPECTS_MAX)).map(({ id }) => id))],
    isCut: ruled.length > RULES_LOOKED_MAX || kinds.some(({ length }) => length > SUSPECTS_MAX),
  };
}
