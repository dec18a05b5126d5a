/**
 * The load that webhooks withstand: how fast one quick endpoint is served, and that the backlog of other endpoints
 * does not affect a healthy one.
 *
 *   bun test/fault/webhooks/webhooks.ts [deliveries] [seconds a window] [pending]
 */
import { endRun } from "@test/support/end-of-run";
import {
  addDeliveries,
  addWebhook,
  addWebhooks,
  type Endpoint,
  type Site,
  startEndpoint,
  startHanging,
  startSite,
  until,
} from "./webhook-site";

const PATIENCE_MS = 300_000;
const round = (value: number) => Math.round(value * 10) / 10;

export interface RateReport {
  deliveries: number;
  perSecond: number;
  mostAtOnce: number;
  twice: number;
}

/** Delivers a backlog to one endpoint that responds immediately. */
export async function quickEndpoint(deliveries: number, site?: Site): Promise<RateReport> {
  await using stack = new AsyncDisposableStack();
  const { sql, api } = site ?? (await startSite(stack));
  const endpoint = startEndpoint(stack);
  const hooks = await addWebhooks(api, 1, endpoint.url);
  await addDeliveries(sql, hooks, deliveries);
  await until(() => endpoint.received.length >= deliveries, PATIENCE_MS);
  const times = endpoint.received.map(({ at }) => at);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
  const twice = times.length - new Set(endpoint.received.map(({ body }) => body.id)).size;
  return { deliveries, perSecond: Math.round(deliveries / seconds), mostAtOnce: endpoint.mostAtOnce, twice };
}

export interface BesideReport {
  beside: string;
  events: number;
  p50Ms: number;
  p99Ms: number;
  /** Requests to hanging endpoints that had been given up before the last event arrived. */
  givenUp: number;
}

export interface BesideOptions {
  windowMs: number;
  perSecond?: number;
  hanging?: number;
  /** Pending deliveries of a webhook that is turned off. */
  pending: number;
  site?: Site;
}

/** Measures the time from the request that causes an event to its arrival at the endpoint. */
export async function besideOthers({
  windowMs,
  perSecond = 20,
  hanging = 100,
  pending,
  site,
}: BesideOptions): Promise<BesideReport[]> {
  await using stack = new AsyncDisposableStack();
  const { sql, api } = site ?? (await startSite(stack));
  const endpoint = startEndpoint(stack);
  const account = await api.register();
  const apiKey = await api.createApiKey(account, ["events:write"]);
  await addWebhook(api, account, endpoint.url);
  const events = Math.round((windowMs / 1000) * perSecond);
  const hung = startHanging(stack);
  const measure = async (beside: string): Promise<BesideReport> => {
    const latencies = await measureLatencies(endpoint, events, 1000 / perSecond, (name) =>
      api.call("POST", "/api/v1/events", { apiKey, body: { name } }),
    );
    const { givenUp } = hung;
    return { beside, events, p50Ms: round(at(latencies, 0.5)), p99Ms: round(at(latencies, 0.99)), givenUp };
  };
  await measure("warm-up");
  const reports = [await measure("nobody")];
  const off = await addWebhooks(api, 1, "http://127.0.0.1:1/");
  await sql`update webhooks set is_active = false where id = ${String(off[0]?.id)}`;
  await addDeliveries(sql, off, pending);
  reports.push(await measure(`${pending} pending of one turned off`));
  await addDeliveries(sql, await addWebhooks(api, hanging, hung.url), 100);
  await until(() => hung.open.size >= hanging, PATIENCE_MS);
  reports.push(await measure(`the same and ${hanging} that hang`));
  return reports;
}

/** Causes events and returns the milliseconds until each arrived, sorted. */
async function measureLatencies(
  endpoint: Endpoint,
  events: number,
  apartMs: number,
  cause: (name: string) => Promise<unknown>,
): Promise<number[]> {
  endpoint.received = [];
  const causedAt = new Map<string, number>();
  for (let told = 0; told < events; told++) {
    const name = `event ${told}`;
    causedAt.set(name, performance.now());
    void cause(name);
    await Bun.sleep(apartMs);
  }
  await until(() => endpoint.received.length >= events, PATIENCE_MS);
  const latencies = endpoint.received.map(({ at, body }) => at - (causedAt.get(String(body.data.name)) ?? 0));
  return latencies.sort((one, other) => one - other);
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

export interface HiccupReport {
  dead: number;
  failed: number;
  /** Messages sent twice to the dead endpoints before the failing one was tried again. */
  deadRetried: number;
  /** Seconds from the end of the hiccup. */
  firstTryS: number;
  allDeliveredS: number;
}

export interface HiccupOptions {
  dead?: number;
  hiccupMs?: number;
  deliveries?: number;
  site?: Site;
}

/** An endpoint that fails for a while, beside others that never respond. */
export async function afterHiccup(options: HiccupOptions = {}): Promise<HiccupReport> {
  const { dead = 100, hiccupMs = 3_000, deliveries = 15, site } = options;
  await using stack = new AsyncDisposableStack();
  const { sql, api } = site ?? (await startSite(stack));
  const endpoint = startEndpoint(stack);
  const good = await addWebhooks(api, 1, endpoint.url);
  const hung = startHanging(stack);
  await addDeliveries(sql, await addWebhooks(api, dead, hung.url), 100);
  endpoint.status = 503;
  await addDeliveries(sql, good, deliveries);
  await until(() => endpoint.received.length > 0, PATIENCE_MS);
  await Bun.sleep(hiccupMs);
  const failed = endpoint.received.length;
  endpoint.received = [];
  endpoint.status = 200;
  const endedAt = performance.now();
  await until(() => endpoint.received.length > 0, PATIENCE_MS);
  const deadRetried = [...hung.tries.values()].filter((tries) => tries > 1).length;
  await until(() => endpoint.received.length >= deliveries, PATIENCE_MS);
  const [first, last] = [endpoint.received.at(0)?.at ?? 0, endpoint.received.at(-1)?.at ?? 0];
  const [firstTryS, allDeliveredS] = [round((first - endedAt) / 1000), round((last - endedAt) / 1000)];
  return { dead, failed, deadRetried, firstTryS, allDeliveredS };
}

if (import.meta.main) {
  const [deliveries = 20_000, seconds = 20, pending = 1_000_000] = Bun.argv.slice(2).map(Number);
  console.table([await quickEndpoint(deliveries)]);
  console.table(await besideOthers({ windowMs: seconds * 1000, pending }));
  console.table([await afterHiccup()]);
  await endRun();
  process.exit(0);
}
