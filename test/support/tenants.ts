/** What tests need of tenants before there are routes for it, written straight into the database. */
import type { Sql } from "postgres";
import type { Role } from "@/contract/access";
import type { Account, TestService } from "./service";

type Row = Record<string, unknown>;

/** Another user, who belongs to the account's organization in this role (and owns one of their own). */
export async function addMember(service: TestService, orgId: string, role: Role): Promise<Account> {
  const account = await service.register();
  await service.sql`
    insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${orgId}, id, ${role} from users where email = ${account.email}`;
  return { ...account, orgId };
}

export interface DomainDraft {
  hostname: string;
  isVerified?: boolean;
  isPrimary?: boolean;
  appConfig?: Row;
}

export async function addDomain({ sql }: Pick<TestService, "sql">, orgId: string, draft: DomainDraft): Promise<string> {
  const { hostname, isVerified = true, isPrimary = false, appConfig = {} } = draft;
  const id = Bun.randomUUIDv7();
  await sql`insert into domains (id, org_id, hostname, is_verified, is_primary, app_config)
    values (${id}, ${orgId}, ${hostname}, ${isVerified}, ${isPrimary}, ${JSON.stringify(appConfig)})`;
  return id;
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

/**
 * Every table with the number of its rows and a digest of all they hold, to tell that nothing was written. When an API
 * key was last used is noted beside the request and left out.
 */
export async function tableState(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname <> 'spools' order by 1`;
  const states = tables.map(async ({ name }) => {
    const [row] =
      await sql`select count(*)::int || ' ' || coalesce(md5(string_agg(line, '' order by line)), '') as state
      from (select (to_jsonb(t) - 'last_used_at')::text as line from ${sql(name)} t) lines`;
    return [name, String(row?.state)];
  });
  return Object.fromEntries(await Promise.all(states));
}
