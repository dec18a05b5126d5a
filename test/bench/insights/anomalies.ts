/** Measures how often an anomaly is reported for normal workspaces, and how often planted ones are found. */
import { seeded } from "@test/support/statistics/random";
import { makeWorkspace, type Planted, type WorkspaceShape } from "@test/support/statistics/workspaces";
import { findAnomalies } from "@/core/insights/anomalies";
import { DAY_MS } from "@/core/time/time-range";

const K = { Poisson: Number.POSITIVE_INFINITY, "k = 20": 20 };
const BY_DAY = { days: [15, 21, 27, 45, 86], volumes: [60, 400, 5_000] };
const BY_HOUR = { days: [15, 31], volumes: [200, 5_000] };
const LINKS = [1, 4, 10];

export function measureAnomalies(histories: number): void {
  console.log(
    "\nAnomalies: normal workspaces with one reported (at most 5% by day, 10% by hour) · planted days found (×0 ≥ 99%, ×3 ≥ 80%)",
  );
  for (const granularity of ["day", "hour"] as const) {
    const { days, volumes } = granularity === "day" ? BY_DAY : BY_HOUR;
    for (const [name, k] of Object.entries(K)) {
      for (const each of days) {
        const shapes = volumes.flatMap((volume) =>
          LINKS.map((links): WorkspaceShape => ({ granularity, days: each, volume, k, links })),
        );
        const told = [`${percent(rate(histories, shapes))} reported one`];
        if (granularity === "day") {
          for (const times of [0, 3])
            told.push(`×${times} ${percent(rate(histories / 2, shapes, { times, of: "whole" }))} found`);
        }
        console.log(
          `  by ${granularity.padEnd(4)} ${name.padEnd(7)} ${String(each).padStart(2)} days: ${told.join(" · ")}`,
        );
      }
    }
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)}%`;

/**
 * Returns the share of histories with a report, or with the planted anomaly found, spread evenly over these shapes.
 */
function rate(histories: number, shapes: readonly WorkspaceShape[], planted?: Planted): number {
  const each = Math.ceil(histories / shapes.length);
  let [told, all] = [0, 0];
  for (const [index, shape] of shapes.entries()) {
    const random = seeded(1_000 * index + shape.days + (Number.isFinite(shape.k) ? 7 : 0));
    for (let history = 0; history < each; history++) {
      const { question, at } = makeWorkspace(random, shape, planted);
      const { anomalies } = findAnomalies(question);
      all++;
      if (at === undefined ? anomalies.length > 0 : anomalies.some(({ id }) => holds(id, at))) told++;
    }
  }
  return told / all;
}

/**
 * True if the anomaly starts within three days of the planted one: neighboring days may belong to the same anomaly.
 */
const holds = (id: string, at: number): boolean => Math.abs(Date.parse(id.slice(-24)) - at) <= 3 * DAY_MS;
