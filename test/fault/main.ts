/**
 * `bun run fault [name …]`: long fault-injection runs, one after another, with a summary. They take about an hour;
 * the tests run short versions of them. Pass parts of names to run only those. Exits with a status other than 0 if
 * any run fails or cannot run, or if no name matches. `citus` requires a Postgres with the Citus extension: set
 * `CITUS_POSTGRES` to the folder of its programs.
 */
import { endRun } from "@test/support/end-of-run";
import { citusPrograms } from "@test/support/servers/citus";
import { citusFaults, isUnmovedByNodes } from "./citus/citus";
import { diskFull } from "./clicks/disk-full";
import { killRepeatedly } from "./clicks/kill";
import { killService } from "./clicks/kill-service";
import { replayClicks } from "./clicks/replay";
import { copiedVolume, flippedBytes, isKept, isOneEach } from "./clicks/spools";
import { areAlike, WINDOW_SCENES, windows } from "./clicks/windows";
import { type AwayReport, away } from "./dependencies/away";
import { backups, isRestored } from "./dependencies/backup";
import { FAILOVERS, failover, isTakenOver } from "./dependencies/failover";
import { pooler } from "./dependencies/poolers";
import { REDIS_MODES, redisMode } from "./dependencies/redis-modes";
import { isNeverOlder, replicaScenes } from "./dependencies/replica";
import { isKept as wasKept } from "./dependencies/takeover";
import { upgrade } from "./dependencies/upgrade";
import { everyValue } from "./hostile/every-value";
import { isDoneOnce, killImports } from "./imports/imports-killed";
import { hardConnections, isUnmovedByCrowds } from "./lane/hard-connections";
import { isAllTheSame, sameAnswers } from "./lane/same-answers";
import { isNearEnough, regions } from "./regions/regions";
import { type ChangesReport, changes } from "./servers/changes";
import { isExact, maxClicks } from "./servers/max-clicks";
import { isFlawless, killWorkers, rollUnderLoad, terminateUnderLoad } from "./servers/rolling";
import { isUnmoved as isUnmovedBySignIns, signInLoad } from "./sign-ins/sign-in-load";
import { isAlike, signInTiming } from "./sign-ins/sign-in-timing";
import { afterHiccup, besideOthers, quickEndpoint } from "./webhooks/webhooks";
import { isKilledRight, killServers } from "./webhooks/webhooks-killed";

interface Outcome {
  isRight: boolean;
  facts: object;
  /** Something that the run requires is missing. */
  didNotRun?: true;
}

const VISIBLE_MS_MAX = 100;
const P99_RATIO_MAX = 2;
const NORMAL_S_MAX = 5;
const CLICKS_S_MAX = 30;
const DELIVERIES_PER_SECOND_MIN = 500;
/** Milliseconds by which the percentile of a delivery may exceed its limit, because the machine's load varies. */
const P99_SLACK_MS = 100;
/** The retry is due within six seconds. */
const FIRST_TRY_S_MAX = 8;

const changesAreSeen = (report: ChangesReport): boolean =>
  Math.max(report.ownP99Ms, report.otherP99Ms) <= VISIBLE_MS_MAX &&
  report.staleAfterSecond + report.staleInTheEnd + report.raceStale === 0;

const isUnmoved = (report: AwayReport): boolean =>
  report.redirected === 100 &&
  report.p99Ratio <= P99_RATIO_MAX &&
  report.normalAfterS <= NORMAL_S_MAX &&
  report.clicksAfterS <= CLICKS_S_MAX &&
  report.lost + report.countedTwice === 0;

const FAULTS: Record<string, () => Promise<Outcome[]>> = {
  "click replay": async () => {
    const facts = await replayClicks({ visits: 1_000_000, links: 300 });
    return [
      {
        isRight: facts.clicks === facts.visits && facts.different + facts.unknown + facts.wrongDestinations === 0,
        facts,
      },
    ];
  },
  "kill -9 of writers": async () => {
    const { sums, expected, ...facts } = await killRepeatedly({ kills: 50, processes: 2 });
    return [{ isRight: facts.lost === 0 && Bun.deepEquals(sums, expected), facts }];
  },
  "kill -9 of the service": async () => {
    const facts = await killService(50);
    return [{ isRight: facts.lost + facts.countedTwice === 0 && facts.counted === facts.rows, facts }];
  },
  "rolling restarts": async () => {
    const facts = await rollUnderLoad(20);
    return [{ isRight: isFlawless(facts), facts }];
  },
  "drains on SIGTERM": async () => {
    const facts = await terminateUnderLoad(20);
    return [{ isRight: isFlawless(facts), facts }];
  },
  "kill -9 of workers": async () => {
    const facts = await killWorkers(20);
    return [{ isRight: isFlawless(facts), facts }];
  },
  "lane: same answers": async () => {
    const facts = await sameAnswers({ requests: 100_000, seed: 1 });
    return [{ isRight: isAllTheSame(facts), facts }];
  },
  "lane: hard connections": async () => {
    const facts = await hardConnections({ connections: 5_000, isPatient: true });
    return [{ isRight: isUnmovedByCrowds(facts), facts }];
  },
  "link changes on two servers": async () => {
    const outcomes: Outcome[] = [];
    for (const isWithRedis of [true, false]) {
      const facts = await changes({ changes: 1000, raceMs: 60_000, isWithRedis });
      outcomes.push({ isRight: changesAreSeen(facts), facts });
    }
    return outcomes;
  },
  poolers: async () => {
    const facts = await pooler({ calmMs: 20_000 });
    return [{ isRight: wasKept(facts), facts }];
  },
  "failover and epochs": async () => {
    const outcomes: Outcome[] = [];
    for (const how of FAILOVERS) {
      const facts = await failover(how, { calmMs: 10_000 });
      outcomes.push({ isRight: isTakenOver(facts), facts });
    }
    return outcomes;
  },
  "figures from a replica": async () =>
    (await replicaScenes({ sceneMs: 10_000 })).map((facts) => ({ isRight: isNeverOlder(facts), facts })),
  regions: async () => {
    const facts = await regions({ calmMs: 20_000, cutMs: 60_000, perSecond: 2_000 });
    return [{ isRight: isNearEnough(facts), facts }];
  },
  "redis modes": async () => {
    const outcomes: Outcome[] = [];
    for (const name of REDIS_MODES) {
      const facts = await redisMode(name, { calmMs: 10_000 });
      outcomes.push({ isRight: wasKept(facts), facts });
    }
    return outcomes;
  },
  "judgement windows across workers and servers": async () => {
    const outcomes: Outcome[] = [];
    for (const scene of WINDOW_SCENES) {
      const facts = await windows(scene);
      outcomes.push({ isRight: areAlike(facts), facts });
    }
    return outcomes;
  },
  "max-clicks under contention": async () => {
    const facts = await maxClicks({ rounds: 20 });
    return [{ isRight: isExact(facts), facts }];
  },
  "sign-in timing": async () =>
    (await signInTiming({ tries: 300 })).map((facts) => ({ isRight: isAlike(facts), facts })),
  "sign-ins under load": async () => {
    const facts = await signInLoad({ rounds: 5, windowMs: 10_000 });
    return [{ isRight: isUnmovedBySignIns(facts), facts }];
  },
  "dependencies away": async () =>
    (await away({ awayMs: 60_000, perSecond: 1000 })).map((facts) => ({ isRight: isUnmoved(facts), facts })),
  "copied volumes": async () => {
    const facts = await copiedVolume(10);
    return [{ isRight: isKept(facts), facts }];
  },
  "flipped bytes": async () => {
    const facts = await flippedBytes();
    return [{ isRight: isOneEach(facts), facts }];
  },
  "backups taken under load": async () =>
    (await backups(5_000)).map((facts) => ({ isRight: isRestored(facts), facts })),
  "upgrade and rollback": async () => {
    const facts = await upgrade();
    const isRight =
      facts.wrong + facts.errors === 0 && facts.isRestoredAlike && facts.figures.endsWith(": 0 differences");
    return [{ isRight, facts }];
  },
  "citus: a database over several machines": async () => {
    const programs = citusPrograms();
    if (!programs) return [{ isRight: false, didNotRun: true, facts: { needs: "CITUS_POSTGRES" } }];
    const facts = await citusFaults({ programs });
    return [{ isRight: isUnmovedByNodes(facts), facts }];
  },
  "webhooks: a fast endpoint": async () => {
    const facts = await quickEndpoint(20_000);
    return [{ isRight: facts.perSecond >= DELIVERIES_PER_SECOND_MIN && facts.twice === 0, facts }];
  },
  "webhooks: a healthy endpoint next to failing ones": async () => {
    const reports = await besideOthers({ windowMs: 20_000, pending: 1_000_000 });
    const alone = reports[0]?.p99Ms ?? Number.NaN;
    return reports.map((facts) => ({ isRight: facts.p99Ms <= alone * P99_RATIO_MAX + P99_SLACK_MS, facts }));
  },
  "webhooks: an endpoint that recovers": async () => {
    const facts = await afterHiccup();
    return [{ isRight: facts.firstTryS <= FIRST_TRY_S_MAX, facts }];
  },
  "webhooks: kill -9 of servers": async () => {
    const facts = await killServers({ kills: 10 });
    return [{ isRight: isKilledRight(facts), facts }];
  },
  "imports: kill -9": async () => {
    const facts = await killImports({ kills: 10, rows: 100_000 });
    return [{ isRight: isDoneOnce(facts), facts }];
  },
  "every odd value in every field": async () => {
    const facts = await everyValue();
    return [{ isRight: facts.passed > 0 && facts.failed === 0, facts }];
  },
  "full disk": async () => {
    const facts = await diskFull({ rounds: 5, stateMs: 10_000 });
    const { failed, lost, countedTwice, shed, logged, rounds } = facts;
    return [{ isRight: failed + lost + countedTwice === 0 && shed > 0 && logged === rounds, facts }];
  },
};

/** Runs one fault. A run that throws has failed; the others still run. */
async function run(name: string): Promise<Outcome[]> {
  try {
    return (await FAULTS[name]?.()) ?? [];
  } catch (error) {
    console.error(error);
    return [{ isRight: false, facts: { threw: String(error) } }];
  }
}

function outcomeOf(outcomes: readonly Outcome[]): string {
  if (outcomes.some(({ didNotRun }) => didNotRun)) return "DID NOT RUN";
  return outcomes.every(({ isRight }) => isRight) ? "passed" : "FAILED";
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((word) => !Object.keys(FAULTS).some((name) => name.includes(word)));
if (unknown.length > 0) {
  console.error(`No run is called ${unknown.join(", ")}. There are:\n  ${Object.keys(FAULTS).join("\n  ")}`);
  process.exit(2);
}
const names = Object.keys(FAULTS).filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
const summary: { fault: string; outcome: string; seconds: number }[] = [];
for (const name of names) {
  const startedAt = performance.now();
  const outcomes = await run(name);
  console.log(`\n${name}`);
  console.table(outcomes.map(({ facts }) => facts));
  const outcome = outcomeOf(outcomes);
  summary.push({ fault: name, outcome, seconds: Math.round((performance.now() - startedAt) / 1000) });
}
console.log("\nSummary");
console.table(summary);
await endRun();
process.exit(summary.every(({ outcome }) => outcome === "passed") ? 0 : 1);
