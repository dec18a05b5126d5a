/** Measures variants in alternating rounds, so that other load affects all of them equally, and compares medians. */
import { pageFaultsOf } from "./cpu";
import { type Load, load, settled, stopwatch, type Target } from "./load";

export interface Variant extends Target {
  name: string;
  /** Waits until the work that the load left behind is done. In any case the server must then be idle. */
  drain?(): Promise<void>;
  /** Returns the CPU milliseconds that Postgres has used so far. */
  postgresMs?(): number;
}

/** A load and its total cost until all work that it left behind was done, in CPU microseconds per request. */
export interface Round extends Load {
  wholeMain: number;
  /** All other threads: click worker, garbage collector, compiler. */
  wholeOthers: number;
  wholePostgres: number;
}

export type Results = Map<string, Round>;

const WARM_UP_S = 2;
const WARM_UPS_MAX = 12;
/** Page faults per request below which a server counts as warm. */
const FAULTS_MAX = 0.02;

export async function alternate(
  variants: Variant[],
  script: string,
  rounds: number,
  seconds: number,
): Promise<Results> {
  for (const variant of variants) await warmUp(variant, script);
  const measured = new Map<string, Round[]>(variants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const variant of variants) measured.get(variant.name)?.push(await loadAlone(variant, script, seconds));
  }
  return new Map([...measured].map(([name, loads]) => [name, medianOf(loads)]));
}

/**
 * Loads a server until its memory no longer grows. A server grows for the first few hundred thousand requests, and
 * the first use of a page of memory can cost more than the request that needs it.
 */
async function warmUp(variant: Variant, script: string): Promise<void> {
  for (let load = 1; load <= WARM_UPS_MAX; load++) {
    const before = pageFaultsOf(variant.pid);
    const { requests } = await loadAlone(variant, script, WARM_UP_S);
    if (!(pageFaultsOf(variant.pid) - before > requests * FAULTS_MAX)) return;
  }
}

async function loadAlone(variant: Variant, script: string, seconds: number): Promise<Round> {
  const cpu = stopwatch(variant.pid);
  const postgresBefore = variant.postgresMs?.() ?? Number.NaN;
  const measured = await load(variant, script, seconds);
  await variant.drain?.();
  await settled(variant.pid);
  const { mainMs, allMs } = cpu();
  const perRequest = (ms: number) => (ms * 1_000) / measured.requests;
  return {
    ...measured,
    wholeMain: perRequest(mainMs),
    wholeOthers: perRequest(allMs - mainMs),
    wholePostgres: perRequest((variant.postgresMs?.() ?? Number.NaN) - postgresBefore),
  };
}

function medianOf(loads: Round[]): Round {
  const of = (field: keyof Round) => median(loads.map((each) => each[field]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    requests: of("requests"),
    mainMicroseconds: of("mainMicroseconds"),
    cpuMicroseconds: of("cpuMicroseconds"),
    p50Ms: of("p50Ms"),
    p99Ms: of("p99Ms"),
    wholeMain: of("wholeMain"),
    wholeOthers: of("wholeOthers"),
    wholePostgres: of("wholePostgres"),
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
