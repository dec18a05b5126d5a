/**
 * Servers killed with deliveries in progress. Two servers share a database; an endpoint accepts messages and does not
 * respond. The server that holds the endpoint's lease is looked up in the database and killed, the other one takes
 * over when the lease expires, and a new server replaces the killed one.
 *
 *   bun test/fault/webhooks/webhooks-killed.ts [kills]
 */
import { endRun } from "@test/support/end-of-run";
import type { Sql } from "postgres";
import { WINDOW_MIN } from "@/core/webhooks/window";
import {
  addDeliveries,
  addWebhooks,
  type Hanging,
  type Hook,
  startEndpoint,
  startHanging,
  startSite,
  until,
} from "./webhook-site";

const PATIENCE_MS = 300_000;

export interface KillReport {
  kills: number;
  events: number;
  /** Messages in progress at the endpoint when their server was killed. */
  underWay: number;
  /** Of these, those that came again. */
  again: number;
  /** Other messages that came twice. */
  othersTwice: number;
  lost: number;
  unsettled: number;
}

export const isKilledRight = ({ underWay, kills, again, othersTwice, lost, unsettled }: KillReport): boolean =>
  underWay >= kills && again === underWay && othersTwice + lost + unsettled === 0;

export async function killServers({ kills, perKill = 40 }: { kills: number; perKill?: number }): Promise<KillReport> {
  await using stack = new AsyncDisposableStack();
  const { sql, api, first, startServer } = await startSite(stack);
  const add = async (url: string) => (await addWebhooks(api, 1, url)).slice(0, 1);
  const rounds: { hook: Hook[]; endpoint: Hanging }[] = [];
  for (let round = 0; round < kills; round++) {
    const endpoint = startHanging(stack);
    rounds.push({ endpoint, hook: await add(endpoint.url) });
  }
  // While there is only one server, what is delivered shows its lease.
  const probe = await add(startEndpoint(stack).url);
  await addDeliveries(sql, probe, 1);
  await settled(sql, probe);
  let known = { server: first, lease: await holderOf(sql, probe) };
  const report: KillReport = { kills, events: 0, underWay: 0, again: 0, othersTwice: 0, lost: 0, unsettled: 0 };
  for (const { hook, endpoint } of rounds) {
    const other = await startServer();
    await addDeliveries(sql, hook, perKill);
    // No further request can be on its way to the endpoint: it has as many as it may have.
    await until(() => endpoint.open.size === WINDOW_MIN, PATIENCE_MS);
    const isKnownOne = (await holderOf(sql, hook)) === known.lease;
    await (isKnownOne ? known.server : other).end("SIGKILL");
    const underWay = new Set(endpoint.tries.keys());
    endpoint.isHealed = true;
    await settled(sql, hook);
    known = { server: isKnownOne ? other : known.server, lease: await holderOf(sql, hook) };
    await note(report, sql, hook, endpoint, underWay);
  }
  return report;
}

async function settled(sql: Sql, [hook]: Hook[]): Promise<void> {
  const pending = () =>
    sql`select from webhook_deliveries where webhook_id = ${String(hook?.id)} and status = 'pending'`;
  await until(async () => (await pending()).length === 0, PATIENCE_MS);
}

/** Returns the lease of the server that delivers for the webhook, or did last. */
async function holderOf(sql: Sql, [hook]: Hook[]): Promise<string> {
  const [row] = await sql<{ lease: string | null }[]>`
    select leased_by as lease from webhooks where id = ${String(hook?.id)}`;
  if (!row?.lease) throw new Error("Nobody works for it");
  return row.lease;
}

async function note(report: KillReport, sql: Sql, [hook]: Hook[], { tries }: Hanging, underWay: Set<string>) {
  const written = await sql<{ id: string; status: string }[]>`
    select message_id as id, status from webhook_deliveries where webhook_id = ${String(hook?.id)}`;
  const twice = written.filter(({ id }) => (tries.get(id) ?? 0) > 1);
  report.events += written.length;
  report.underWay += underWay.size;
  report.again += twice.filter(({ id }) => underWay.has(id)).length;
  report.othersTwice += twice.filter(({ id }) => !underWay.has(id)).length;
  report.lost += written.filter(({ id }) => !tries.has(id)).length;
  report.unsettled += written.filter(({ status }) => status !== "delivered").length;
}

if (import.meta.main) {
  const report = await killServers({ kills: Number(Bun.argv[2] ?? 5) });
  console.table([report]);
  await endRun();
  process.exit(isKilledRight(report) ? 0 : 1);
}
