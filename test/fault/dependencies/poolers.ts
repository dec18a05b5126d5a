/**
 * Two servers whose requests go through PgBouncer, which shares connections between transactions, is killed under
 * load and comes back (`takeover.ts` describes what is measured). No link whose creation was acknowledged may be
 * missing.
 *
 *   bun test/fault/dependencies/poolers.ts [seconds of calm] [visits per second]
 */
import { endRun } from "@test/support/end-of-run";
import { startPgBouncer } from "@test/support/servers/pgbouncer";
import { createDatabase } from "@test/support/servers/postgres";
import { isKept, type TakeoverOptions, type TakeoverReport, takeover } from "./takeover";

const AWAY_MS = 3_000;

export async function pooler(options: TakeoverOptions = {}): Promise<TakeoverReport> {
  const database = await createDatabase();
  const settings = { url: database.url, mode: "transaction", connectionsMax: 4 } as const;
  let running = await startPgBouncer(settings);
  const port = Number(new URL(running.url).port);
  try {
    return await takeover(
      {
        name: "PgBouncer killed, and back",
        databaseUrl: running.url,
        env: { DATABASE_DIRECT_URL: database.url },
        lookAt: { before: database.url, after: database.url },
        async takeOver() {
          await running.stop();
          await Bun.sleep(AWAY_MS);
          running = await startPgBouncer({ ...settings, port });
        },
      },
      options,
    );
  } finally {
    await running.stop();
    await database.drop();
  }
}

if (import.meta.main) {
  const [calmS = "10", perSecond = "500"] = Bun.argv.slice(2);
  const report = await pooler({ calmMs: Number(calmS) * 1000, perSecond: Number(perSecond) });
  console.table([report]);
  await endRun();
  process.exit(isKept(report) ? 0 : 1);
}
