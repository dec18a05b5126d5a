/**
 * Reports whether the machine was idle enough for the figures to be reliable: the time its cores were busy, as
 * counted by the kernel, without that of the benchmark, the servers and Postgres. Prints nothing without /proc.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { familyMs } from "../cpu";

export interface Machine {
  /** Share of all cores' time that other processes took; NaN without /proc. */
  others: number;
  /** Share that the host of a virtual machine gave to others (steal time). */
  stolen: number;
}

/** Above this share, rates and times are unreliable. */
const TAKEN_MAX = 0.1;
const TICKS_MS = 10;

/**
 * Starts watching, and returns a function that reads the shares since then. Does not count this process, `others`,
 * and the descendants of both as other processes.
 */
export function watchMachine(others: readonly number[]): () => Machine {
  const read = () => ({ ...coresMs(), own: familyMs([process.pid, ...others]) });
  const before = read();
  return () => {
    const after = read();
    const total = after.total - before.total;
    const foreign = after.busy - before.busy - (after.own - before.own);
    return { others: Math.max(0, foreign / total), stolen: (after.stolen - before.stolen) / total };
  };
}

export function printMachine({ others, stolen }: Machine): void {
  if (Number.isNaN(others)) return;
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `Others took ${percent(others)} of the machine, its host ${percent(stolen)}; load average at the end ${load}`,
  );
  if (others + stolen > TAKEN_MAX)
    console.log(
      "THE MACHINE WAS TOO BUSY: do not believe these rates and times; CPU per request says more, but not all",
    );
}

/**
 * Reads user, nice, system, idle, iowait, irq, softirq and steal. The first two already include the time of guests.
 */
function coresMs(): { busy: number; stolen: number; total: number } {
  const [user, nice, system, idle, waiting, irq, softirq, steal] = firstLine()
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * TICKS_MS);
  const busy = sum([user, nice, system, irq, softirq]);
  return { busy, stolen: sum([steal]), total: busy + sum([idle, waiting, steal]) };
}

function firstLine(): string {
  try {
    return readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
  } catch {
    return "";
  }
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
