/** An organization that outgrows the workers it shares gets its own, with only the statements of the guide. */
import type { CitusCluster } from "@test/support/servers/citus";
import type { Account, client } from "@test/support/service";
import type { Sql } from "postgres";
import { statementsBelow } from "./guide";

export interface GiantReport {
  /** True if the figures are unchanged and all clicks of the organization are on the new worker. */
  isAlike: boolean;
  movedS: number;
}

interface Giant {
  orgId: string;
  slug: string;
  /** Returns all figures about its traffic. */
  figures(): Promise<string>;
}

/** Returns the overview without the times at which it was read. */
export async function figuresOf(server: ReturnType<typeof client>, { orgId, token }: Account): Promise<string> {
  const path = `/api/v1/organizations/${orgId}/analytics/overview`;
  const { status, body } = await server.call<Record<string, unknown>>("GET", path, { token });
  if (status !== 200) throw new Error(`The overview was answered ${status}: ${JSON.stringify(body)}`);
  return JSON.stringify({ ...body, range: null, from: null, to: null });
}

export async function moveGiant(
  cluster: CitusCluster,
  sql: Sql,
  { orgId, slug, figures }: Giant,
): Promise<GiantReport> {
  const before = await figures();
  const { port } = await cluster.addWorker();
  const startedAt = performance.now();
  for (const statement of await statementsBelow("Give a large organization its own worker")) {
    const ours = statement.replaceAll("'10.0.0.23', 5432", `'127.0.0.1', ${port}`).replaceAll("'acme'", `'${slug}'`);
    await sql.unsafe(ours);
  }
  const movedS = Math.round((performance.now() - startedAt) / 100) / 10;
  const [there] = await sql<{ isThere: boolean }[]>`
    select bool_and(nodeport = ${port}::int) as "isThere" from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('clicks', ${orgId}::uuid)
      or shardid = get_shard_id_for_distribution_column('figures_daily', ${orgId}::uuid)`;
  const after = await figures();
  if (after !== before) console.error({ before, after });
  return { isAlike: after === before && there?.isThere === true, movedS };
}
