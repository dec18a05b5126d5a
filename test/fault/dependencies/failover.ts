/**
 * A primary that is killed or frozen, or cut off from its standby first, so that what it acknowledged last is lost; the
 * standby is promoted (`takeover.ts` says what is measured).
 *
 *   bun test/fault/dependencies/failover.ts [seconds of calm] [visits per second]
 */
import { endRun } from "@test/support/end-of-run";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { isKept, type TakeoverOptions, type TakeoverReport, takeover } from "./takeover";

export const FAILOVERS = ["killed", "frozen", "killed, its last writes lost"] as const;
export type Failover = (typeof FAILOVERS)[number];

/** Until whoever watches over them notices. */
const NOTICED_MS = 2_000;
const LOST_MS = 1_500;

export async function failover(how: Failover, options: TakeoverOptions = {}): Promise<TakeoverReport> {
  const hosts = await startPrimaryAndStandby();
  try {
    return await takeover(
      {
        name: `primary ${how}`,
        databaseUrl: hosts.bothUrl,
        lookAt: { before: hosts.primaryUrl, after: hosts.standbyUrl },
        async takeOver() {
          if (how === "killed, its last writes lost") {
            await hosts.cutOff();
            await Bun.sleep(LOST_MS);
          }
          hosts.signalPrimary(how === "frozen" ? "SIGSTOP" : "SIGKILL");
          await Bun.sleep(NOTICED_MS);
          await hosts.promote();
        },
      },
      options,
    );
  } finally {
    await hosts.end();
  }
}

/** A standby that follows without being waited for may lack what was acknowledged in the last moment. */
export const isTakenOver = (report: TakeoverReport): boolean => isKept({ ...report, lostWrites: 0 });

if (import.meta.main) {
  const [calmS = "10", perSecond = "500"] = Bun.argv.slice(2);
  const reports: TakeoverReport[] = [];
  for (const how of FAILOVERS)
    reports.push(await failover(how, { calmMs: Number(calmS) * 1000, perSecond: Number(perSecond) }));
  console.table(reports);
  await endRun();
  process.exit(reports.every(isTakenOver) ? 0 : 1);
}
