/** Reads the domains that addresses can be created on, and inserts and finds rows of `links` by address. */
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { beginsWithOwnSegment } from "@/core/names/reserved";
import { type JsonRows, jsonRows } from "@/platform/db/json-rows";
import { memoizePerDb } from "@/platform/db/memoize-per-db";
import { appProfiles, domains, links } from "@/platform/db/schema";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Db } from "@/platform/db/tx";

export type AddressDomain = typeof domains.$inferSelect;
export type LinkRow = typeof links.$inferSelect;
export type LinkValues = Omit<typeof links.$inferInsert, "number" | "createdAt" | "updatedAt">;

/** Finds an organization's own domain, or the shared one. */
export async function findAddressDomain(db: Db, orgId: OrgId, id: string): Promise<AddressDomain | undefined> {
  return (await domainById(db).execute({ orgId, id }))[0];
}

/** Finds the primary verified domain, or else the shared one. */
export async function findDefaultDomain(db: Db, orgId: OrgId): Promise<AddressDomain | undefined> {
  return (await defaultDomain(db).execute({ orgId }))[0];
}

const ownOrg = sql.placeholder("orgId");

const domainById = memoizePerDb((db) =>
  db
    .select()
    .from(domains)
    .where(and(eq(domains.id, sql.placeholder("id")), or(eq(domains.orgId, ownOrg), isNull(domains.orgId))))
    .limit(1)
    .prepare("address_domain"),
);

const defaultDomain = memoizePerDb((db) => {
  const isOwnPrimary = and(eq(domains.orgId, ownOrg), eq(domains.isPrimary, true), eq(domains.isVerified, true));
  return db
    .select()
    .from(domains)
    .where(or(isOwnPrimary, isNull(domains.orgId)))
    .orderBy(sql`${domains.orgId} nulls last`)
    .limit(1)
    .prepare("default_domain");
});

/** Something to write in the same statement as new rows of `links`, for those that are inserted. */
export interface ExtraStatement {
  /**
   * Returns SQL that yields rows. `parameter` and `made` are the names of its parameter and of the inserted rows, of
   * which it may use the `id`.
   */
  statement(parameter: string, made: string): string;
  parameter: string;
}

/** The statement's time, the same for all of its rows. */
const CHANGED_NOW = {
  created_at: "coalesce(created_at, statement_timestamp())",
  updated_at: "statement_timestamp()",
};

/** Columns that the database sets. */
type Given = "number" | "createdAt" | "updatedAt" | "destinationsAskAt";
/** A row that was created elsewhere keeps its creation time. */
export type NewLinkRow = Omit<LinkRow, Given> & { createdAt: Date | null };

const newRows: JsonRows<NewLinkRow> = jsonRows(links, "number", "updatedAt", "destinationsAskAt");

/**
 * What the rows were checked against may have changed since. Each condition waits for whoever is changing it, and
 * keeps it from being changed until the transaction ends.
 */
const APP_STANDS = `(given.app_profile_id is null or exists (
  select from app_profiles where id = given.app_profile_id and org_id = given.org_id for key share))`;
/** `parameter` has the ids of the rows at paths of the dashboard. */
const hostIsFree = (parameter: string): string => `(
  not exists (select from json_array_elements_text(${parameter}::text::json) as id where id::uuid = given.id)
  or exists (select from domains
    where id = given.domain_id and dashboard->>'enabled' is distinct from 'true' for key share))`;

/**
 * Inserts those of the rows whose address and external id are free, and leaves out the others, and those whose app
 * profile was deleted or whose domain serves the dashboard at their address by now. An address is free if no live row
 * has it and, on the shared domain, none looks like it; of two rows with the same address, only the first is inserted.
 * It is one statement with everything that is written alongside, within a transaction or on its own.
 *
 * Times are the database's, which all servers share: a server that missed changes queries for those since an instant.
 */
export async function insertUnlessTaken(
  db: Db,
  orgId: OrgId,
  rows: readonly NewLinkRow[],
  alongside: readonly ExtraStatement[],
): Promise<LinkRow[]> {
  const names = alongside.map((_, place) => `beside_${place}`);
  const where = stillValid(rows, alongside.length + 2);
  const made = await preparedStatementsOn(db).run<{ id: string; number: number; at: number }>(
    `with made as (
       ${newRows.insertFrom("$1", CHANGED_NOW)} ${where.text} on conflict do nothing
       returning id, number::float8 as number, extract(epoch from updated_at)::float8 * 1000 as at)
     ${alongside.map(({ statement }, place) => `, ${names[place]} as (${statement(`$${place + 2}`, "made")})`).join("")}
     select id, number, at ${names.map((name) => `, (select count(*) from ${name})`).join("")} from made`,
    [
      newRows.write(rows.map((row) => ({ ...row, orgId }))),
      ...alongside.map(({ parameter }) => parameter),
      ...where.parameters,
    ],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return made.flatMap(({ id, number, at }) => {
    const row = byId.get(id);
    const now = new Date(at);
    if (!row) return [];
    return [{ ...row, orgId, number, createdAt: row.createdAt ?? now, updatedAt: now, destinationsAskAt: now }];
  });
}

/** Most rows name no app and are at no path of the dashboard: their statement needs no condition. */
function stillValid(rows: readonly NewLinkRow[], place: number) {
  const onOwnPaths = rows.filter(isOnOwnPath).map(({ id }) => id);
  const conditions = [
    ...(rows.some(({ appProfileId }) => appProfileId !== null) ? [APP_STANDS] : []),
    ...(onOwnPaths.length > 0 ? [hostIsFree(`$${place}`)] : []),
  ];
  const text = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  return { text, parameters: onOwnPaths.length > 0 ? [JSON.stringify(onOwnPaths)] : [] };
}

/** True if the service itself uses this path, where it serves the dashboard. */
export const isOnOwnPath = ({ prefixKey, slugKey }: Pick<LinkRow, "prefixKey" | "slugKey">): boolean =>
  beginsWithOwnSegment({ prefix: prefixKey, slug: slugKey });

export async function isTaken(db: Db, domainId: string, prefixKey: string, slugKey: string): Promise<boolean> {
  const rows = await db
    .select({ id: links.id })
    .from(links)
    .where(
      and(
        eq(links.domainId, domainId),
        eq(links.prefixKey, prefixKey),
        eq(links.slugKey, slugKey),
        isNull(links.deletedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function isLookAlikeTaken(db: Db, domainId: string, lookAlikeKey: string): Promise<boolean> {
  const same = and(eq(links.domainId, domainId), eq(links.lookAlikeKey, lookAlikeKey), isNull(links.deletedAt));
  return (await db.select({ id: links.id }).from(links).where(same).limit(1)).length > 0;
}

export async function servesDashboard(db: Db, domainId: string): Promise<boolean> {
  const [domain] = await db.select({ dashboard: domains.dashboard }).from(domains).where(eq(domains.id, domainId));
  return domain?.dashboard.enabled === true;
}

/** Finds the organization's live link with this external id. */
export async function findIdByExternalId(db: Db, orgId: OrgId, externalId: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.orgId, orgId), eq(links.externalId, externalId), isNull(links.deletedAt)))
    .limit(1);
  return rows[0]?.id;
}

/**
 * Returns those of the ids that are the organization's app profiles, which nobody can delete until the transaction
 * ends.
 */
export async function keptApps(tx: Db, orgId: OrgId, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const own = and(eq(appProfiles.orgId, orgId), inArray(appProfiles.id, [...ids]));
  const rows = await tx.select({ id: appProfiles.id }).from(appProfiles).where(own).for("key share");
  return new Set(rows.map(({ id }) => id));
}
