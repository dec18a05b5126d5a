/** Checks that a database is on the coordinator of a Citus cluster with workers. */
import postgres, { type Sql } from "postgres";

/**
 * Returns what prevents distributing, in a sentence; undefined if nothing does. Creates the extension unless `isDry`.
 */
export async function refusalOfCluster(sql: Sql, { isDry }: { isDry: boolean }): Promise<string | undefined> {
  return (await refusalOfExtension(sql, isDry)) ?? (await refusalOfNodes(sql));
}

async function refusalOfExtension(sql: Sql, isDry: boolean): Promise<string | undefined> {
  const [found] = await sql<{ installed: string | null }[]>`
    select installed_version as installed from pg_available_extensions where name = 'citus'`;
  if (!found) {
    return "This Postgres has no Citus. Install its package on this server and on every worker, add citus to shared_preload_libraries, and restart them";
  }
  if (found.installed !== null) return undefined;
  if (isDry)
    return "The extension citus is not created in this database yet. Without --dry-run, this command creates it";
  try {
    await sql`create extension citus`;
    return undefined;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    return `Postgres could not create the extension citus: ${error.message}. Have a superuser run: create extension citus`;
  }
}

async function refusalOfNodes(sql: Sql): Promise<string | undefined> {
  const [cluster] = await sql<{ isCoordinator: boolean; isAdded: boolean; workers: number }[]>`
    select citus_is_coordinator() as "isCoordinator",
      count(*) filter (where groupid = 0) > 0 as "isAdded",
      (count(*) filter (where groupid <> 0 and isactive and noderole = 'primary'))::int as workers
    from pg_catalog.pg_dist_node`;
  if (!cluster?.isAdded) {
    return "The coordinator is not known to its cluster. Run there, with its address for the workers: select citus_set_coordinator_host('10.0.0.20', 5432)";
  }
  if (!cluster.isCoordinator)
    return "This is not the coordinator of its Citus cluster: set DATABASE_URL to the coordinator";
  if (cluster.workers === 0) {
    return "This Citus cluster has no workers. Create the database and the extension citus on each, then run on the coordinator: select citus_add_node('10.0.0.21', 5432)";
  }
  return undefined;
}
