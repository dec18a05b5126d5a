/**
 * `bun run bench [traffic] [stages] [memory] [writer] [rules] [--seconds=5] [--rounds=3]` measures every figure
 * together with the variant it is compared with, in alternating rounds of one run; without a name, all of these.
 * `traffic` also reports how much of the machine other processes took.
 *
 * The others run only if named: `bench sustained [--window=20]` (clicks per second that do not pile up), `bench
 * insights [--histories=120]` (the promises of computed analytics), `bench lag [--minutes=10] [--rate=5000]`, `bench
 * creations`, `bench imports`, `bench lists`, `bench reads` and `bench dashboard`, each described in its own file.
 * The load and Postgres run on the second core, the measured server on the first.
 */
import { parseArgs } from "node:util";
import { measureCreations } from "./creations";
import { measureDashboard } from "./dashboard";
import { measureImports } from "./imports";
import { measureInsights } from "./insights";
import { measureLag } from "./lag";
import { measureLists } from "./lists/main";
import { LOAD_CORE } from "./load";
import { measureMemory } from "./memory";
import { measureReads } from "./reads";
import { measureRules } from "./rules";
import { measureStages } from "./stages";
import { measureTraffic } from "./traffic/main";
import { measureSustained } from "./traffic/sustained";
import { measureWriter } from "./writer";

if (process.argv[2] === "lists") {
  await measureLists(process.argv.slice(3));
  process.exit(0);
}
if (process.argv[2] === "dashboard") {
  await measureDashboard(process.argv.slice(3));
  process.exit(0);
}
if (process.argv[2] === "reads") {
  await measureReads(process.argv.slice(3));
  process.exit(0);
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    window: { type: "string", default: "20" },
    minutes: { type: "string", default: "10" },
    rate: { type: "string" },
    rows: { type: "string", default: "100000" },
    histories: { type: "string", default: "120" },
  },
});
const isWanted = (section: string) => positionals.length === 0 || positionals.includes(section);

// These run before this process is pinned: imports use all cores, as they do when deployed; and in the writer's
// benchmark the click worker is a thread of this process, and Postgres uses the other core.
if (positionals.includes("imports"))
  await measureImports({ rows: Number(values.rows), perSecond: Number(values.rate ?? 300) });
if (isWanted("writer")) await measureWriter();
// Not pinned either: load, service and Postgres use all cores.
if (positionals.includes("sustained")) await measureSustained(Number(values.window));
if (Bun.which("taskset")) await Bun.$`taskset -pc ${LOAD_CORE} ${process.pid}`.quiet();
if (isWanted("rules")) measureRules();
const length = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
if (isWanted("traffic")) await measureTraffic(length);
if (isWanted("memory")) await measureMemory();
if (isWanted("stages")) await measureStages(length);
if (positionals.includes("insights")) measureInsights(Number(values.histories));
if (positionals.includes("creations")) await measureCreations();
if (positionals.includes("lag"))
  await measureLag({ seconds: Number(values.minutes) * 60, perSecond: Number(values.rate ?? 5_000) });
process.exit(0);
