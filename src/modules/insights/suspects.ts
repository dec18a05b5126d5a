/**
 * Links that something may be wrong with, however few visits they have. Of each kind the newest `SUSPECTS_MAX` are taken, by
 * indexes that hold such links alone, so that an organization of many links costs no more than one of few. Rules cannot be
 * judged by the database: those of the `RULES_LOOKED_MAX` links with rules that were changed last are read.
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
  /** Whether there may be more of a kind than were looked at. */
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
    // As plain text, so that the index of such links is one that Postgres can tell to fit.
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
