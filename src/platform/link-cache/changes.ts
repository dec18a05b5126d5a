/**
 * Changes of links, announced to every server when they commit: by `NOTIFY` in the writing transaction or, for new
 * links, right after it (`new-link-notices.ts`). A message is `id version address`, far below the 8,000 bytes that
 * Postgres allows. A change that affects many links (a domain, an app, settings) is announced as a change of the
 * organization: its id and version, without an address. A server that was not listening reads both kinds from
 * Postgres, by the time of their last change.
 */
import { eq, sql } from "drizzle-orm";
import type { Sql, TransactionSql } from "postgres";
import type { OrgId } from "@/core/ids";
import { OrganizationDeleted } from "@/platform/db/faults";
import { deletedOrganizations, organizations } from "@/platform/db/schema";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Db } from "@/platform/db/tx";
import { addressKey } from "./address";

export const CHANGES_CHANNEL = "waymark_links";

export interface LinkChange {
  /** The id of the link, or of the organization. */
  id: string;
  version: number;
  /** The link's address; empty if an organization changed. */
  key: string;
}

/**
 * Announces that any address may have a link now. Servers of an earlier version treat it as a change of an
 * organization, which has the same effect.
 */
export const ANY_LINK_CREATED: LinkChange = { id: "00000000-0000-0000-0000-000000000000", version: 0, key: "" };

export const isAnyLinkCreated = ({ id }: LinkChange): boolean => id === ANY_LINK_CREATED.id;

export const isOfOrganization = (change: LinkChange): boolean => change.key === "" && !isAnyLinkCreated(change);

/**
 * Milliseconds by which a change's time may precede the moment it becomes visible: a change carries the time of its
 * statement and is visible once its transaction commits.
 */
const COMMIT_MS_MAX = 60_000;

const messageOf = ({ id, version, key }: LinkChange) => `${id} ${version} ${key}`;

/**
 * Announces changes in one statement. Services do not call this: `routing-changes.ts` does, and makes sure that no
 * change is left out.
 */
export const notifyLinkChanges = (tx: Db, changes: readonly LinkChange[]) =>
  preparedStatementsOn(tx).run(
    `select pg_notify('${CHANGES_CHANNEL}', message) from json_array_elements_text($1::text::json) as message`,
    [JSON.stringify(changes.map(messageOf))],
  );

/**
 * Announces a change to what all links of an organization depend on. Call it in the transaction that changes a
 * domain, an app or settings, as `routing-changes.ts` does. Throws `OrganizationDeleted`.
 */
export async function touchOrganization(tx: Db, orgId: OrgId): Promise<LinkChange> {
  const [row] = await tx
    .update(organizations)
    .set({ routingVersion: sql`${organizations.routingVersion} + 1`, routingUpdatedAt: sql`statement_timestamp()` })
    .where(eq(organizations.id, orgId))
    .returning({ version: organizations.routingVersion });
  if (!row) throw new OrganizationDeleted("The organization being changed does not exist");
  const change = { id: orgId, version: row.version, key: "" };
  await notifyLinkChanges(tx, [change]);
  return change;
}

/**
 * Announces that an organization is deleted, and deletes its links, so that no later change of one is missed. Keeps the
 * highest version that the organization or one of its links had. Call it in the transaction that deletes the
 * organization. The announcement remains readable for servers that are not listening.
 */
export async function announceDeletion(tx: Db, orgId: OrgId): Promise<void> {
  const { version } = await touchOrganization(tx, orgId);
  const [gone] = await preparedStatementsOn(tx).run<{ version: number | null }>(
    "with gone as (delete from links where org_id = $1 returning version) select max(version) as version from gone",
    [orgId],
  );
  const last = { routingVersion: Math.max(version, gone?.version ?? 0), deletedAt: sql`statement_timestamp()` };
  await tx
    .insert(deletedOrganizations)
    .values({ id: orgId, ...last })
    .onConflictDoUpdate({ target: deletedOrganizations.id, set: last });
}

/**
 * Returns the version from which a restored organization and its links continue. Servers may still know their former
 * versions: they would take lower ones for outdated, and the same ones for what they know.
 */
export async function restoredVersion(tx: TransactionSql, orgId: string): Promise<number> {
  const [deleted] = await tx<{ version: number }[]>`
    select routing_version as version from deleted_organizations where id::text = ${orgId}`;
  return 1 + (deleted?.version ?? 0);
}

/** Announces that an organization is restored, in the transaction that does so. */
export async function announceRestored(tx: TransactionSql, orgId: string): Promise<void> {
  const [row] = await tx<{ version: number }[]>`
    update organizations set routing_updated_at = statement_timestamp(),
      routing_version = ${1 + (await restoredVersion(tx, orgId))}
    where id = ${orgId} returning routing_version as version`;
  if (!row) throw new Error("The organization being restored does not exist");
  await tx`select pg_notify(${CHANGES_CHANNEL}, ${messageOf({ id: orgId, version: row.version, key: "" })})`;
}

export function parseChange(text: string): LinkChange {
  const [id = "", version = "", ...key] = text.split(" ");
  return { id, version: Number(version), key: key.join(" ") };
}

/**
 * Returns the latest change of every link and organization that was changed, created or deleted since an instant,
 * given in Unix milliseconds by the database's clock; null if there are more than `linksMax`.
 */
export function changesSince(client: Sql, since: number, linksMax: number): Promise<LinkChange[] | null> {
  return readChanges(
    client`
    select l.id, l.version, d.hostname, l.prefix_key, l.slug_key
    from links l join domains d on d.id = l.domain_id
    where l.updated_at >= to_timestamp(${since - COMMIT_MS_MAX}::float8 / 1000)
    union all
    select id, routing_version, '', '', '' from organizations
    where routing_updated_at >= to_timestamp(${since - COMMIT_MS_MAX}::float8 / 1000)
    union all
    select id, routing_version, '', '', '' from deleted_organizations
    where deleted_at >= to_timestamp(${since - COMMIT_MS_MAX}::float8 / 1000)
    limit ${linksMax + 1}`,
    linksMax,
  );
}

/**
 * Does the same for the last `ms`, but skips links and organizations that have never changed: a copy of that age
 * cannot have them wrong.
 */
export function changesWithin(client: Sql, ms: number, linksMax: number): Promise<LinkChange[] | null> {
  return readChanges(
    client`
    select l.id, l.version, d.hostname, l.prefix_key, l.slug_key
    from links l join domains d on d.id = l.domain_id
    where l.updated_at >= clock_timestamp() - ${ms + COMMIT_MS_MAX}::float8 * interval '1 millisecond' and l.version > 1
    union all
    select id, routing_version, '', '', '' from organizations
    where routing_updated_at >= clock_timestamp() - ${ms + COMMIT_MS_MAX}::float8 * interval '1 millisecond'
      and routing_version > 1
    union all
    select id, routing_version, '', '', '' from deleted_organizations
    where deleted_at >= clock_timestamp() - ${ms + COMMIT_MS_MAX}::float8 * interval '1 millisecond'
    limit ${linksMax + 1}`,
    linksMax,
  );
}

interface Row {
  id: string;
  version: number;
  hostname: string;
  prefix_key: string;
  slug_key: string;
}

async function readChanges(query: PromiseLike<Row[]>, linksMax: number): Promise<LinkChange[] | null> {
  const rows = await query;
  if (rows.length > linksMax) return null;
  return rows.map(({ id, version, hostname, prefix_key: prefix, slug_key: slug }) => ({
    id,
    version,
    key: hostname === "" ? "" : addressKey({ host: hostname, prefix, slug }),
  }));
}
