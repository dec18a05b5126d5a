/**
 * A primary that is killed, frozen, or first cut off from its standby, so that its last acknowledged writes are lost;
 * then the standby is promoted (`takeover.ts` describes what is measured).
 *
 *   bun test/fault/dependencies/failover.ts [seconds of calm] [visits per second]
 */
import { endRun } from "@test/support/end-of-run";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { isKept, type TakeoverOptions, type TakeoverReport, takeover } from "./takeover";

export const FAILOVERS = ["killed", "frozen", "killed, its last writes lost"] as const;
export type Failover = (typeof FAILOVERS)[number];

/** Milliseconds until monitoring would notice. */
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

/** Ignores lost writes, because an asynchronous standby may lack the last ones acknowledged. */
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
