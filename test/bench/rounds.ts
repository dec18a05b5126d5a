/** Variants in alternating rounds, so that whatever the machine does meanwhile hits all alike; medians are compared. */
import { type Load, load, settled, type Target } from "./load";

export interface Variant extends Target {
  name: string;
}

export type Results = Map<string, Load>;

export async function alternate(
  variants: Variant[],
  script: string,
  rounds: number,
  seconds: number,
): Promise<Results> {
  for (const variant of variants) await loadAlone(variant, script, 2);
  const measured = new Map<string, Load[]>(variants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const variant of variants) measured.get(variant.name)?.push(await loadAlone(variant, script, seconds));
  }
  return new Map([...measured].map(([name, loads]) => [name, medianOf(loads)]));
}

async function loadAlone(variant: Variant, script: string, seconds: number): Promise<Load> {
  const measured = await load(variant, script, seconds);
  await settled(variant.pid);
  return measured;
}

const medianOf = (loads: Load[]): Load => ({
  requestsPerSecond: median(loads.map((each) => each.requestsPerSecond)),
  cpuMicroseconds: median(loads.map((each) => each.cpuMicroseconds)),
  p50Ms: median(loads.map((each) => each.p50Ms)),
  p99Ms: median(loads.map((each) => each.p99Ms)),
});

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
