/**
 * Services on one database, endpoints on this machine, and thousands of deliveries, for the fault tests of webhooks.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { idOf } from "@test/support/ids";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";
import { WEBHOOKS_MAX } from "@/contract/webhooks";

export type Api = ReturnType<typeof client>;

export interface Site {
  sql: Sql;
  api: Api;
  /** The server behind `api`. */
  first: ServiceProcess;
  /** Starts another server on the same database, with the same secrets as the first. */
  startServer(): Promise<ServiceProcess>;
}

const APP_SECRET = "a secret of the webhooks' faults, which every server shares";
const UP_MS_MAX = 60_000;

/** Starts the first server. All servers stop when the stack is disposed. */
export async function startSite(stack: AsyncDisposableStack): Promise<Site> {
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-webhooks-"));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const port = await takePort();
    const env = { WORKERS: "1", OUTBOUND_ALLOW: "127.0.0.1", APP_SECRET };
    const server = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
    stack.defer(async () => void (await server.end("SIGKILL")));
    const api = client(`http://localhost:${port}`);
    await until(async () => (await api.call("GET", "/health").catch(() => undefined))?.status === 200, UP_MS_MAX);
    return { server, api };
  };
  const { api, server: first } = await start();
  return { sql: database.sql, api, first, startServer: async () => (await start()).server };
}

export async function until(holds: () => boolean | Promise<boolean>, msMax: number): Promise<void> {
  const giveUpAt = performance.now() + msMax;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`It did not come to that within ${msMax} ms`);
    await Bun.sleep(5);
  }
}

export interface Endpoint {
  url: string;
  /** Requests that got a response, with their time by `performance.now()`. */
  received: { at: number; body: { id: string; data: Record<string, unknown> } }[];
  status: number;
  /** The maximum number of concurrent requests. */
  mostAtOnce: number;
}

/** How long a quick endpoint takes on a machine that it shares. */
const QUICK_MS = 5;

/** Starts an endpoint that responds quickly. */
export function startEndpoint(stack: AsyncDisposableStack): Endpoint {
  let open = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      endpoint.mostAtOnce = Math.max(endpoint.mostAtOnce, ++open);
      const body = (await request.json()) as Endpoint["received"][0]["body"];
      await Bun.sleep(QUICK_MS);
      open--;
      endpoint.received.push({ at: performance.now(), body });
      return new Response(null, { status: endpoint.status });
    },
  });
  stack.defer(() => server.stop(true));
  const endpoint: Endpoint = { url: `http://127.0.0.1:${server.port}/`, received: [], status: 200, mostAtOnce: 0 };
  return endpoint;
}

export interface Hanging {
  url: string;
  /** Ids of the messages that wait for a response. */
  open: Set<string>;
  /** How often each message came. */
  tries: Map<string, number>;
  /** Requests that the sender gave up. */
  givenUp: number;
  /** If true, requests that arrive from now on get a response. */
  isHealed: boolean;
}

/** Starts an endpoint that accepts every message and never responds, until it is healed. */
export function startHanging(stack: AsyncDisposableStack): Hanging {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { id } = (await request.json()) as { id: string };
      hanging.tries.set(id, (hanging.tries.get(id) ?? 0) + 1);
      if (hanging.isHealed) return new Response(null);
      hanging.open.add(id);
      await new Promise((gone) => request.signal.addEventListener("abort", gone, { once: true }));
      hanging.open.delete(id);
      hanging.givenUp++;
      return new Response(null);
    },
  });
  stack.defer(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}/`;
  const hanging: Hanging = { url, open: new Set(), tries: new Map(), givenUp: 0, isHealed: false };
  return hanging;
}

export interface Hook {
  id: string;
  account: Account;
}

/** Creates that many webhooks, in as many organizations as needed. */
export async function addWebhooks(api: Api, count: number, url: string): Promise<Hook[]> {
  const hooks: Hook[] = [];
  for (let made = 0; made < count; ) {
    const account = await api.register();
    for (let own = 0; own < WEBHOOKS_MAX && made < count; own++, made++) {
      hooks.push({ id: await addWebhook(api, account, url), account });
    }
  }
  return hooks;
}

export async function addWebhook(api: Api, { orgId, token }: Account, url: string): Promise<string> {
  const body = { url, events: ["custom.event"] };
  const reply = await api.call<{ _id: string }>("POST", `/api/v1/organizations/${orgId}/webhooks`, { token, body });
  if (reply.status !== 200) throw new Error(`A webhook was answered ${reply.status}`);
  return reply.body._id;
}

/**
 * A server writes at most this many in one transaction. Until it commits, each claim has to skip what it has written.
 */
const WRITTEN_TOGETHER = 10_000;

/** Inserts the deliveries that this many events would have left for each webhook. */
export async function addDeliveries(sql: Sql, hooks: readonly Hook[], count: number): Promise<void> {
  const [ids, orgs] = [hooks.map(({ id }) => id), hooks.map(({ account }) => account.orgId)];
  for (let from = 1; from <= count; from += WRITTEN_TOGETHER) {
    const to = Math.min(count, from + WRITTEN_TOGETHER - 1);
    await sql`
      insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
      select ${idOf(sql)}, h.org_id::uuid, h.id::uuid, 'custom.event', m.id,
        json_build_object('id', m.id, 'event', 'custom.event', 'data', json_build_object('number', m.number, 'metadata', repeat('x', 500))),
        statement_timestamp() + m.number * interval '1 microsecond'
      from unnest(${ids}::text[], ${orgs}::text[]) as h (id, org_id)
      cross join lateral (
        select gen_random_uuid() as id, number from generate_series(${from}::int, ${to}::int) number where h.id <> '') m`;
  }
}
