/**
 * Changes of links, told to every server exactly when they commit (`NOTIFY` in the writing transaction; of links that were
 * made right behind it, see `made-notices.ts`). A message is
 * `id version address`, far below the 8,000 bytes Postgres allows. What changes many links at once (a domain, an app,
 * settings) is told as a change of the organization: its id and version, and no address. Whoever was not listening reads
 * both from Postgres, by the time of their last change.
 */
import { eq, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import { organizations } from "@/platform/db/schema";
import { preparedOn } from "@/platform/db/statements";
import type { Db } from "@/platform/db/tx";
import { addressKey } from "./address";

export const CHANGES_CHANNEL = "waymark_links";

export interface LinkChange {
  /** Names the link, or the organization. */
  id: string;
  version: number;
  /** The link's address; empty if an organization changed. */
  key: string;
}

/** Any address may have a link now. Servers of an earlier version take it for a change of an organization, with this same effect. */
export const ANY_MADE: LinkChange = { id: "00000000-0000-0000-0000-000000000000", version: 0, key: "" };

export const isAnyMade = ({ id }: LinkChange): boolean => id === ANY_MADE.id;

export const isOfOrganization = (change: LinkChange): boolean => change.key === "" && !isAnyMade(change);

/**
 * How far before an instant its changes may carry an earlier one, since a change has the time of its statement and is
 * seen when its transaction commits.
 */
const COMMIT_MS_MAX = 60_000;

const messageOf = ({ id, version, key }: LinkChange) => `${id} ${version} ${key}`;

/** All in one statement. Not for services: `routing-changes.ts` sees to it that nothing is left out. */
export const notifyLinkChanges = (tx: Db, changes: readonly LinkChange[]) =>
  preparedOn(tx).run(
    `select pg_notify('${CHANGES_CHANNEL}', message) from json_array_elements_text($1::text::json) as message`,
    [JSON.stringify(changes.map(messageOf))],
  );

/**
 * Whatever an organization's links are served by has changed: to be called in the transaction that changes a domain, an
 * app or settings, as `routing-changes.ts` does.
 */
export async function touchOrganization(tx: Db, orgId: OrgId): Promise<LinkChange> {
  const [row] = await tx
    .update(organizations)
    .set({ routingVersion: sql`${organizations.routingVersion} + 1`, routingUpdatedAt: sql`statement_timestamp()` })
    .where(eq(organizations.id, orgId))
    .returning({ version: organizations.routingVersion });
  if (!row) throw new Error("The organization being changed does not exist");
  const change = { id: orgId, version: row.version, key: "" };
  await notifyLinkChanges(tx, [change]);
  return change;
}

export function parseChange(text: string): LinkChange {
  const [id = "", version = "", ...key] = text.split(" ");
  return { id, version: Number(version), key: key.join(" ") };
}

/**
 * The latest change of every link that was changed, made or deleted since the instant, and of every organization; a Unix
 * time in milliseconds by the database's clock; null when they are more than `linksMax`.
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
    limit ${linksMax + 1}`,
    linksMax,
  );
}

/** The same of the last `ms`, of those that have ever been anything else: what a copy of some age may have wrong. */
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
