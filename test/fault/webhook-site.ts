/** Services on one database, endpoints on this machine, and deliveries by the thousand, for what webhooks must bear. */
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/postgres";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";
import { WEBHOOKS_MAX } from "@/contract/webhooks";
import { findFreePort } from "@/platform/db/embedded/free-port";

export type Api = ReturnType<typeof client>;

export interface Site {
  sql: Sql;
  api: Api;
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
  const { api } = await start();
  return { sql: database.sql, api, startServer: async () => (await start()).server };
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
  /** Of each request that came whole, by `performance.now()`. */
  received: { at: number; body: { id: string; data: Record<string, unknown> } }[];
  status: number;
}

/** Answers at once. */
export function startEndpoint(stack: AsyncDisposableStack): Endpoint {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      endpoint.received.push({
        at: performance.now(),
        body: (await request.json()) as Endpoint["received"][0]["body"],
      });
      return new Response(null, { status: endpoint.status });
    },
  });
  stack.defer(() => server.stop(true));
  const endpoint: Endpoint = { url: `http://127.0.0.1:${server.port}/`, received: [], status: 200 };
  return endpoint;
}

/** Accepts every connection and never says a word. */
export async function startHanging(stack: AsyncDisposableStack): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => {}).resume());
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  stack.defer(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
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

/** What so many events would have left for each. */
export async function addDeliveries(sql: Sql, hooks: readonly Hook[], count: number): Promise<void> {
  const [ids, orgs] = [hooks.map(({ id }) => id), hooks.map(({ account }) => account.orgId)];
  await sql`
    insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
    select gen_random_uuid(), h.org_id::uuid, h.id::uuid, 'custom.event', m.id,
      json_build_object('id', m.id, 'event', 'custom.event', 'data', json_build_object('number', m.number, 'metadata', repeat('x', 500))),
      statement_timestamp() + m.number * interval '1 microsecond'
    from unnest(${ids}::text[], ${orgs}::text[]) as h (id, org_id)
    cross join lateral (select gen_random_uuid() as id, number from generate_series(1, ${count}::int) number where h.id <> '') m`;
}
