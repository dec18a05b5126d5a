/** Compares acknowledged clicks with those in Postgres. */
import type { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";

export async function compare(sql: Sql, acknowledged: readonly string[]) {
  const [row] = await sql<{ found: number; rows: number; distinct: number; counted: number }[]>`
    select
      (select count(distinct clicks.id)::int from clicks join unnest(${`{${acknowledged.join()}}`}::text::uuid[]) as noted (id) using (id)) as found,
      (select count(*)::int from clicks) as rows,
      (select count(distinct id)::int from clicks) as distinct,
      (select coalesce(sum(clicks + bot_clicks), 0)::int from link_counters) as counted`;
  const { found = 0, rows = 0, distinct = 0, counted = 0 } = row ?? {};
  return { lost: acknowledged.length - found, countedTwice: rows - distinct, counted, rows };
}

const LOOK_EVERY_MS = 500;
/** Milliseconds without a new row before waiting ends. */
const STANDSTILL_MS = 120_000;

/**
 * Compares again after all clicks are applied. What services on a busy machine left in their spools when they stopped
 * is not lost: the services that `start` starts on the same folders apply it. `spooled` is the number of those
 * clicks.
 */
export async function compareOnceApplied(
  sql: Sql,
  acknowledged: readonly string[],
  start: () => Promise<ServiceProcess[]>,
) {
  const atEnd = await compare(sql, acknowledged);
  if (atEnd.lost === 0) return { spooled: 0, ...atEnd };
  const services = await start();
  let latest = atEnd;
  for (let movedAt = performance.now(); latest.lost > 0 && performance.now() - movedAt < STANDSTILL_MS; ) {
    await Bun.sleep(LOOK_EVERY_MS);
    const { rows } = latest;
    latest = await compare(sql, acknowledged);
    if (latest.rows > rows) movedAt = performance.now();
  }
  await Promise.all(services.map((service) => service.end()));
  if (latest.lost > 0) console.error(services.map(({ lines }) => lines.filter(({ level }) => level !== "info")));
  return { spooled: atEnd.lost, ...(await compare(sql, acknowledged)) };
}
