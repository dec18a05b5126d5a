/**
 * Measures the clicks per second that the entire system sustains: redirects, click worker, Postgres and the load on
 * the cores of this machine. A rate is sustained if the number of clicks waiting in the spool does not grow over a
 * window. The search doubles the rate until it is not sustained or yields no more redirects, then bisects. A short
 * burst can be faster, because its clicks are written later.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { postmasterOf } from "../cpu";
import { steadyLoad, writePacedRequests } from "../load";
import { startWaymark } from "../servers";
import { createLinks, PATHS } from "../subject";
import { printMachine, watchMachine } from "./machine";
import { drained, writtenBy } from "./pipeline";

const CONNECTIONS = 400;
const FIRST_RATE = 8_000;
const WINDOWS_MAX = 7;
/** Relative difference below which two rates count as equal. */
const STEP_MIN = 0.06;
const WARM_UP_S = 3;
const LOOK_MS = 250;
/** How many more clicks may wait at the end of a window, as a share of its clicks: they are written in batches. */
const GROWTH_MAX = 0.02;

interface Window {
  "rate wanted": number;
  "redirects/s": number;
  "written/s": number;
  /** Average number of waiting clicks in the first and in the last quarter of the window. */
  "waiting at first": number;
  "waiting at last": number;
  "kept up": boolean;
}

export async function measureSustained(seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  try {
    // With WORKERS set, the service may use all cores, as when deployed.
    await using waymark = await startWaymark(postgres.url, { WORKERS: "1" });
    await createLinks(waymark.origin);
    await measureWindow(waymark.origin, FIRST_RATE, WARM_UP_S);
    const machine = watchMachine([await postmasterOf(folder)]);
    const windows = await search((rate) => measureWindow(waymark.origin, rate, seconds));
    console.log(`\nClicks a second that everything on this machine keeps up with, windows of ${seconds} s`);
    console.table(windows);
    const kept = windows.filter((window) => window["kept up"]).map((window) => window["redirects/s"]);
    console.log(`Sustained: ${Math.max(0, ...kept).toLocaleString("en")} clicks/s`);
    printMachine(machine());
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function search(measure: (rate: number) => Promise<Window>): Promise<Window[]> {
  const windows: Window[] = [];
  let [kept, failed, reached] = [0, Infinity, 0];
  for (let rate = FIRST_RATE; windows.length < WINDOWS_MAX; ) {
    const window = await measure(rate);
    windows.push(window);
    if (window["kept up"] && window["redirects/s"] > reached * (1 + STEP_MIN)) {
      kept = rate;
      reached = window["redirects/s"];
    } else failed = rate;
    if (failed < Infinity && failed - kept <= failed * STEP_MIN) break;
    rate = failed === Infinity ? rate * 2 : (kept + failed) / 2;
  }
  return windows;
}

async function measureWindow(origin: string, rate: number, seconds: number): Promise<Window> {
  const script = await writePacedRequests(PATHS, rate, CONNECTIONS);
  let isLoading = true;
  const load = steadyLoad(origin, script, { seconds: WARM_UP_S + seconds, connections: CONNECTIONS }).finally(() => {
    isLoading = false;
  });
  await Bun.sleep(WARM_UP_S * 1_000);
  const begun = performance.now();
  const first = await writtenBy(origin);
  let last = first;
  let tookMs = 0;
  const waiting: number[] = [];
  while (isLoading) {
    last = await writtenBy(origin);
    tookMs = performance.now() - begun;
    waiting.push(last.recorded - last.applied);
    await Bun.sleep(LOOK_MS);
  }
  await load;
  await drained(origin);
  const quarter = Math.ceil(waiting.length / 4);
  const [before, after] = [mean(waiting.slice(0, quarter)), mean(waiting.slice(-quarter))];
  const clicks = last.recorded - first.recorded;
  return {
    "rate wanted": Math.round(rate),
    "redirects/s": Math.round((clicks * 1_000) / tookMs),
    "written/s": Math.round(((last.applied - first.applied) * 1_000) / tookMs),
    "waiting at first": Math.round(before),
    "waiting at last": Math.round(after),
    "kept up": after - before <= clicks * GROWTH_MAX,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
