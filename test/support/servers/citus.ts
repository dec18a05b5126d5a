/**
 * Starts a Citus cluster for the caller: a coordinator and workers, each a separate Postgres that can be killed.
 * Needs a Postgres server with the Citus extension, whose folder of programs is given by `CITUS_POSTGRES`.
 */
import postgres from "postgres";
import { ask } from "./embedded";
import { type SystemPostgres, startSystemPostgres } from "./system-postgres";

const HOST = "127.0.0.1";
const SETTINGS = {
  shared_preload_libraries: "citus",
  // Commits must survive a `kill -9`.
  synchronous_commit: "on",
  max_connections: "300",
  max_prepared_transactions: "300",
  // The nodes are on one machine and connect without TLS.
  "citus.node_conninfo": "sslmode=disable",
  // A prepared transaction that a killed node left behind blocks others until it is recovered.
  "citus.recover_2pc_interval": "1s",
  "citus.enable_statistics_collection": "off",
};

export interface CitusCluster extends AsyncDisposable {
  coordinator: SystemPostgres;
  workers: SystemPostgres[];
  /** Creates the database with the extension on every node and registers the nodes. Resolves to its URL. */
  createDatabase(name: string): Promise<string>;
  /** Starts another node with all databases created so far. The coordinator does not have it registered yet. */
  addWorker(): Promise<SystemPostgres>;
}

/** Returns the folder of the server's programs, or undefined if `CITUS_POSTGRES` is not set. */
export const citusPrograms = (): string | undefined => Bun.env.CITUS_POSTGRES || undefined;

export async function startCitus(programs: string, workers = 2): Promise<CitusCluster> {
  const start = () => startSystemPostgres({ programs, settings: SETTINGS });
  const [coordinator, ...others] = await Promise.all([start(), ...Array.from({ length: workers }, start)]);
  if (!coordinator) throw new Error("There is a coordinator");
  const databases: string[] = [];
  return {
    coordinator,
    workers: others,
    async createDatabase(name) {
      for (const node of [coordinator, ...others]) await makeDatabase(node, name);
      databases.push(name);
      await ask(coordinator.urlOf(name), `select citus_set_coordinator_host('${HOST}', ${coordinator.port})`);
      for (const { port } of others) await ask(coordinator.urlOf(name), `select citus_add_node('${HOST}', ${port})`);
      return coordinator.urlOf(name);
    },
    async addWorker() {
      const worker = await start();
      others.push(worker);
      for (const name of databases) await makeDatabase(worker, name);
      return worker;
    },
    async [Symbol.asyncDispose]() {
      for (const node of [coordinator, ...others]) await node[Symbol.asyncDispose]();
    },
  };
}

async function makeDatabase(node: SystemPostgres, name: string): Promise<void> {
  const sql = postgres(node.urlOf("postgres"), { max: 1, onnotice: () => undefined });
  await sql`create database ${sql(name)}`;
  await sql.end();
  await ask(node.urlOf(name), "create extension citus");
}
