/**
 * Clients that hammer sign-in, each attempt from a new address and for a new account, so that no limit saves the
 * server a hash, while cached redirects continue at a steady rate: what visitors notice of it. Idle and busy windows
 * alternate, and the report contains medians over them, because the machine's load varies.
 *
 *   bun test/fault/sign-ins/sign-in-load.ts [rounds] [seconds a window] [visits per second]
 */
import { endRun } from "@test/support/end-of-run";
import { type LoadWindow, SteadyLoad } from "@test/support/steady-load";
import { type Api, startSignInService } from "./sign-in-service";

export interface SignInLoadOptions {
  rounds?: number;
  windowMs?: number;
  perSecond?: number;
}

export interface SignInLoadReport {
  clients: number;
  signInsPerSecond: number;
  /** Responses by status; 429 means that there was no room for another hash. */
  signIns: string;
  /** Percentage of cached redirects that succeeded. */
  redirected: number;
  idleP50Ms: number;
  idleP99Ms: number;
  busyP50Ms: number;
  busyP99Ms: number;
  p99Ratio: number;
}

const CLIENTS = 32;
const LINKS = 50;
const WARM_UP_MS = 2000;

export async function signInLoad({
  rounds = 5,
  windowMs = 10_000,
  perSecond = 500,
}: SignInLoadOptions): Promise<SignInLoadReport> {
  await using stack = new AsyncDisposableStack();
  const { api } = await startSignInService(stack);
  const urls = await cachedLinks(api);
  const load = new SteadyLoad({ urls, headers: {}, perSecond });
  await load.window("warm-up");
  await Bun.sleep(Math.min(windowMs, WARM_UP_MS));
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    await load.window("idle");
    await Bun.sleep(windowMs);
    await load.window("busy");
    await hammer(api, windowMs, statuses);
  }
  return reportOf(statuses, await load.end(), rounds * windowMs);
}

async function cachedLinks(api: Api): Promise<string[]> {
  const account = await api.register();
  const make = async () => {
    const { slug } = await api.createLink(account, { defaultUrl: "https://example.com/" });
    await api.visit(`/${slug}`);
    return `${api.url}/${slug}`;
  };
  return Promise.all(Array.from({ length: LINKS }, make));
}

/** Hammers sign-in and adds the number of responses of each status to `statuses`. */
async function hammer(api: Api, windowMs: number, statuses: Map<number, number>): Promise<void> {
  const endsAt = performance.now() + windowMs;
  const hammerOn = async () => {
    while (performance.now() < endsAt) {
      const body = { email: `${crypto.randomUUID()}@example.com`, password: "a wrong passphrase" };
      const { status } = await api.call("POST", "/api/v1/auth/login", { body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, hammerOn));
}

function reportOf(statuses: Map<number, number>, windows: LoadWindow[], busyMs: number): SignInLoadReport {
  const [idle, busy] = ["idle", "busy"].map((wanted) => windows.filter(({ name }) => name === wanted));
  const signIns = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const [idleP99Ms, busyP99Ms] = [median(idle, "p99Ms"), median(busy, "p99Ms")];
  const visits = windows.reduce((sum, window) => sum + window.visits, 0);
  const redirects = windows.reduce((sum, window) => sum + window.redirects, 0);
  return {
    clients: CLIENTS,
    signInsPerSecond: Math.round((signIns * 1000) / busyMs),
    signIns: [...statuses].map(([status, count]) => `${count}×${status}`).join(" "),
    redirected: Math.floor((10_000 * redirects) / visits) / 100,
    idleP50Ms: median(idle, "p50Ms"),
    idleP99Ms,
    busyP50Ms: median(busy, "p50Ms"),
    busyP99Ms,
    p99Ratio: Math.round((100 * busyP99Ms) / idleP99Ms) / 100,
  };
}

function median(windows: LoadWindow[] = [], figure: "p50Ms" | "p99Ms"): number {
  const sorted = windows.map((window) => window[figure]).toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

export const isUnmoved = ({ redirected, p99Ratio }: SignInLoadReport): boolean => redirected === 100 && p99Ratio <= 2;

if (import.meta.main) {
  const [rounds = "5", seconds = "10", perSecond = "500"] = Bun.argv.slice(2);
  const options = { rounds: Number(rounds), windowMs: Number(seconds) * 1000, perSecond: Number(perSecond) };
  const report = await signInLoad(options);
  console.table([report]);
  await endRun();
  process.exit(isUnmoved(report) ? 0 : 1);
}
