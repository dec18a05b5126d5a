/** Domains as something may stand on them, and rows of `links` by their address. */
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { builtOnce } from "@/platform/db/built-once";
import { type JsonRows, jsonRows } from "@/platform/db/json-rows";
import { domains, links } from "@/platform/db/schema";
import { preparedOn } from "@/platform/db/statements";
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

const domainById = builtOnce((db) =>
  db
    .select()
    .from(domains)
    .where(and(eq(domains.id, sql.placeholder("id")), or(eq(domains.orgId, ownOrg), isNull(domains.orgId))))
    .limit(1)
    .prepare("address_domain"),
);

const defaultDomain = builtOnce((db) => {
  const isOwnPrimary = and(eq(domains.orgId, ownOrg), eq(domains.isPrimary, true), eq(domains.isVerified, true));
  return db
    .select()
    .from(domains)
    .where(or(isOwnPrimary, isNull(domains.orgId)))
    .orderBy(sql`${domains.orgId} nulls last`)
    .limit(1)
    .prepare("default_domain");
});

/** What is written in the same statement as new rows of `links`, with those of them that were made. */
export interface Alongside {
  /** Gives rows. Its parameter and the rows that were made, of which it may ask the `id`, have the names it is given. */
  statement(parameter: string, made: string): string;
  parameter: string;
}

/** The same within a statement. */
const CHANGED_NOW = {
  created_at: "coalesce(created_at, statement_timestamp())",
  updated_at: "statement_timestamp()",
};

/** What the database gives a row by itself. */
type Given = "number" | "createdAt" | "updatedAt" | "destinationsAskAt";
/** One that was made elsewhere keeps the time of it. */
export type NewLinkRow = Omit<LinkRow, Given> & { createdAt: Date | null };

const newRows: JsonRows<NewLinkRow> = jsonRows(links, "number", "updatedAt", "destinationsAskAt");

/**
 * An address is free as long as nothing live stands there, or on the shared domain looks like it; the rows of addresses
 * that are not free are left out, and so is the second of two at one. The same holds for external ids. One statement with
 * all that is written alongside, in a transaction or as one of its own.
 *
 * Times are the database's, which all servers share: one that missed changes asks for those since an instant.
 */
export async function insertUnlessTaken(
  db: Db,
  orgId: OrgId,
  rows: readonly NewLinkRow[],
  alongside: readonly Alongside[],
): Promise<LinkRow[]> {
  const names = alongside.map((_, place) => `beside_${place}`);
  const made = await preparedOn(db).run<{ id: string; number: number; at: number }>(
    `with made as (
       ${newRows.insertFrom("$1", CHANGED_NOW)} on conflict do nothing
       returning id, number::float8 as number, extract(epoch from updated_at)::float8 * 1000 as at)
     ${alongside.map(({ statement }, place) => `, ${names[place]} as (${statement(`$${place + 2}`, "made")})`).join("")}
     select id, number, at ${names.map((name) => `, (select count(*) from ${name})`).join("")} from made`,
    [newRows.write(rows.map((row) => ({ ...row, orgId }))), ...alongside.map(({ parameter }) => parameter)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return made.flatMap(({ id, number, at }) => {
    const row = byId.get(id);
    const now = new Date(at);
    if (!row) return [];
    return [{ ...row, orgId, number, createdAt: row.createdAt ?? now, updatedAt: now, destinationsAskAt: now }];
  });
}

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

/** Finds the live link that the organization knows by this id. */
export async function findIdByExternalId(db: Db, orgId: OrgId, externalId: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.orgId, orgId), eq(links.externalId, externalId), isNull(links.deletedAt)))
    .limit(1);
  return rows[0]?.id;
}
