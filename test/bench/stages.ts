/** Measures the CPU cost of each stage of a redirect, as the difference from the stage before it, to find savings. */
import { writeRequests } from "./load";
import { alternate, type Variant } from "./rounds";
import { type Running, startScript } from "./servers";
import { PATHS } from "./subject";

const STAGES = [
  "headers made once",
  "the link",
  "three headers",
  "the client's address",
  "facts, rules, destination",
  "the visit without its record",
  "the click in the spool",
];

export async function measureStages({ rounds, seconds }: { rounds: number; seconds: number }): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const variants: Variant[] = [];
  const start = async (name: string, running: Promise<Running>) => variants.push({ name, ...stack.use(await running) });
  await start("bare Bun.serve 302", startScript("bare"));
  for (const stage of STAGES) await start(stage, startScript("stage", stage));
  const results = await alternate(variants, await writeRequests(PATHS), rounds, seconds);
  const costs = [...results.values()].map(({ cpuMicroseconds }) => cpuMicroseconds);
  console.log("\nStages of a redirect, cumulative");
  console.table(
    [...results.keys()].map((stage, index) => ({
      stage,
      "CPU µs": costs[index]?.toFixed(1),
      added: index === 0 ? "" : ((costs[index] ?? 0) - (costs[index - 1] ?? 0)).toFixed(1),
    })),
  );
}
