/** Services on one database, endpoints on this machine, and deliveries by the thousand, for what webhooks must bear. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { idOf } from "@test/support/ids";
import { createDatabase } from "@test/support/servers/postgres";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";
import { WEBHOOKS_MAX } from "@/contract/webhooks";
import { findFreePort } from "@/platform/db/embedded/free-port";

export type Api = ReturnType<typeof client>;

export interface Site {
  sql: Sql;
  api: Api;
  /** The one behind `api`. */
  first: ServiceProcess;
  /** Another server on the same database; the first one's secrets are its own, too. */
  startServer(): Promise<ServiceProcess>;
}

const APP_SECRET = "a secret of the webhooks' faults, which every server shares";
const UP_MS_MAX = 60_000;

/** Ends with the stack. */
export async function startSite(stack: AsyncDisposableStack): Promise<Site> {
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-webhooks-"));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const port = await findFreePort();
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
  /** Of each request that was answered, by `performance.now()`. */
  received: { at: number; body: { id: string; data: Record<string, unknown> } }[];
  status: number;
  /** The most requests that were there at the same time. */
  mostAtOnce: number;
}

/** How long an endpoint that is quick and not alone on its machine takes. */
const QUICK_MS = 5;

/** Answers in no time. */
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
  /** Ids of the messages under way there. */
  open: Set<string>;
  /** Of the messages that came, how often each did. */
  tries: Map<string, number>;
  /** Tries that were given up. */
  givenUp: number;
  /** What comes from now on is answered. */
  isHealed: boolean;
}

/** Takes every message and never answers, until it is healed. */
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

/** As many webhooks, in as many organizations as that takes. */
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

/** A server writes no more in a transaction. Until one ends, each claim walks past what it has written. */
const WRITTEN_TOGETHER = 10_000;

/** What so many events would have left for each. */
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
