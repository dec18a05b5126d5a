/**
 * A Citus cluster of the caller's own: a coordinator and workers, each a Postgres of its own that can be killed. It takes a
 * Postgres server with the extension, whose folder of programs `CITUS_POSTGRES` names.
 */
import postgres from "postgres";
import { ask } from "./embedded";
import { type SystemPostgres, startSystemPostgres } from "./system-postgres";

const HOST = "127.0.0.1";
const SETTINGS = {
  shared_preload_libraries: "citus",
  // What was committed is to be there after a `kill -9`.
  synchronous_commit: "on",
  max_connections: "300",
  max_prepared_transactions: "300",
  // Nodes of this machine speak without TLS.
  "citus.node_conninfo": "sslmode=disable",
  // A transaction that a killed node left behind holds up others until it is taken care of.
  "citus.recover_2pc_interval": "1s",
  "citus.enable_statistics_collection": "off",
};

export interface CitusCluster extends AsyncDisposable {
  coordinator: SystemPostgres;
  workers: SystemPostgres[];
  /** A database of this name on every node, with the extension, its nodes known to each other. Resolves with its address. */
  createDatabase(name: string): Promise<string>;
  /** One more node with every database made so far, which the others do not know yet. */
  addWorker(): Promise<SystemPostgres>;
}

/** The folder of the server's programs, where the surroundings name one. */
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
