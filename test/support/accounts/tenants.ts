/** Writes what tests need of an organization directly into the database. */
import type { Sql } from "postgres";
import type { Role } from "@/contract/accounts/access";
import { CHANGES_CHANNEL } from "@/platform/link-cache/changes";
import type { Account, TestService } from "../service";

type Row = Record<string, unknown>;

/** Creates another user who has this role in the organization, and who also owns an organization. */
export async function addMember(service: TestService, orgId: string, role: Role): Promise<Account> {
  const account = await service.register();
  await service.sql`
    insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${orgId}, id, ${role} from users where email = ${account.email}`;
  return { ...account, orgId };
}

/** Invitations that are newer than every member: they fill the first pages of the list. */
export async function addInvitations({ sql }: Pick<TestService, "sql">, orgId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: Bun.randomUUIDv7(), org_id: orgId, role: "viewer", invited_email: `invited-${index}@example.com` },
  }));
  await sql`insert into memberships ${sql(rows)}`;
}

export interface DomainDraft {
  hostname: string;
  isVerified?: boolean;
  isPrimary?: boolean;
  isCaseSensitive?: boolean;
  appConfig?: Row;
}

/** Adds a domain and returns its id. If given `call`, resolves only once the service serves a verified domain. */
export async function addDomain(
  { sql, call }: Pick<TestService, "sql"> & Partial<Pick<TestService, "call">>,
  orgId: string,
  draft: DomainDraft,
): Promise<string> {
  const { hostname, isVerified = true, isPrimary = false, isCaseSensitive = false, appConfig = {} } = draft;
  const id = Bun.randomUUIDv7();
  await sql`insert into domains (
      id, org_id, hostname, is_verified, is_primary, is_case_sensitive, app_config, verification_token)
    values (${id}, ${orgId}, ${hostname}, ${isVerified}, ${isPrimary}, ${isCaseSensitive}, ${JSON.stringify(appConfig)},
      ${`token-${id}`})`;
  await tellOfChange(sql, orgId);
  if (call && isVerified) await untilServed(call, hostname);
  return id;
}

const SERVED_MS_MAX = 50_000;

/** Waits until the service serves the domain, which it learns of from a notification shortly after the insert. */
async function untilServed(call: TestService["call"], hostname: string): Promise<void> {
  const path = `/internal/tls/ask?domain=${encodeURIComponent(hostname)}`;
  for (const end = Date.now() + SERVED_MS_MAX; (await call("GET", path)).status !== 200; await Bun.sleep(2)) {
    if (Date.now() > end) throw new Error(`${hostname} was never served`);
  }
}

/** Publishes a routing change of the organization, as the service does when it changes how its links are served. */
async function tellOfChange(sql: Sql, orgId: string): Promise<void> {
  await sql`
    with changed as (
      update organizations set routing_version = routing_version + 1, routing_updated_at = statement_timestamp()
      where id = ${orgId} returning routing_version)
    select pg_notify(${CHANGES_CHANNEL}, ${orgId} || ' ' || routing_version || ' ') from changed`;
}

export interface AppDraft {
  pathPrefix?: string;
  ios?: Row;
  android?: Row;
  fallback?: "store" | "web";
}

export async function addApp({ sql }: Pick<TestService, "sql">, orgId: string, draft: AppDraft): Promise<string> {
  const { pathPrefix = null, ios, android, fallback = "store" } = draft;
  const id = Bun.randomUUIDv7();
  const json = (value: Row | undefined) => (value ? JSON.stringify(value) : null);
  await sql`insert into app_profiles (id, org_id, name, path_prefix, ios, android, fallback)
    values (${id}, ${orgId}, 'App', ${pathPrefix}, ${json(ios)}, ${json(android)}, ${fallback})`;
  return id;
}

/** Inserts a click that awaits review, and returns its id. */
export async function addSuspect({ sql }: Pick<TestService, "sql">, orgId: string, linkId: string): Promise<string> {
  await partitionsMade(sql);
  const id = Bun.randomUUIDv7();
  await sql`insert into clicks
    (id, occurred_at, org_id, link_id, visitor, platform, route_kind, destination_url, is_bot, bot_reasons, spam_score)
    values (${id}, now(), ${orgId}, ${linkId}, 1, 'ios', 'default', 'https://example.com/', true, '{repeat}', 80)`;
  return id;
}

const PARTITIONS_TRIES_MAX = 5_000;

/**
 * Waits until the service has created its partitions. A new service creates them in the background, and a query
 * during that moment may miss rows that are being moved into them.
 */
async function partitionsMade(sql: Sql): Promise<void> {
  for (let tries = 0; tries < PARTITIONS_TRIES_MAX; tries++) {
    const [row] = await sql`select count(*)::int as made from pg_inherits where inhparent = 'clicks'::regclass`;
    if (row?.made > 1) return;
    await Bun.sleep(10);
  }
  throw new Error("The service made no partitions");
}

/**
 * Tables that change without a write request: the state of the click writer and of periodic jobs, request counts,
 * visits that found no link, visit windows, and the parts of exports.
 */
export const BACKGROUND_TABLES = [
  ...["spools", "periodic_jobs", "request_usage", "unserved_visits", "visit_windows", "export_parts"],
];

/**
 * Returns the row count and a digest of the contents of every table, to check that nothing was written. Leaves out
 * `BACKGROUND_TABLES`, when API keys were last used, and the progress of exports.
 *
 * All in one transaction, hence on one connection: over all connections of the pool, each would be opened, and would
 * parse and plan each of these queries for itself.
 */
export function tableState(sql: Sql): Promise<Record<string, string>> {
  return sql.begin("read only", async (tx) => {
    const tables = await tx<{ name: string }[]>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
        and relname not in ${tx(BACKGROUND_TABLES)} order by 1`;
    const states = tables.map(async ({ name }) => {
      const [row] =
        await tx`select count(*)::int || ' ' || coalesce(md5(string_agg(line, '' order by line)), '') as state
        from (select (to_jsonb(t) - ${notedOf(name)}::text[])::text as line from ${tx(name)} t) lines`;
      return [name, String(row?.state)];
    });
    return Object.fromEntries(await Promise.all(states));
  });
}

const notedOf = (table: string): string[] =>
  table === "organization_exports"
    ? [
        ...["status", "place", "parts", "bytes", "counts", "failures"],
        ...["leased_by", "leased_until", "finished_at", "expires_at"],
      ]
    : ["last_used_at"];
