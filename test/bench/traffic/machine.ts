/**
 * Whether the machine was quiet enough to be believed: all that its cores were busy with, as the kernel counts it, without what
 * the bench, the servers and Postgres used. Where /proc does not tell, nothing is said.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { familyMs } from "../cpu";

export interface Machine {
  /** Shares of the time of all cores; NaN where /proc does not tell. */
  others: number;
  /** Of a virtual machine, what its host gave to others. */
  stolen: number;
}

/** Beyond this share, figures of rates and times are not to be believed. */
const TAKEN_MAX = 0.1;
const TICKS_MS = 10;

/** Begins to watch. Our own are this process and those it started, and `others` that it did not start. */
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

/** user nice system idle iowait irq softirq steal; what guests use is in the first two. */
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
