/** A service in its own process, in which every sign-in comes from a new address, so that no limit interferes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { CLIENT_HEADER, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";

export type Api = ReturnType<typeof client>;

const TRY_EVERY_MS = 50;
const TRIES_MAX = 600;

/** Starts the service, which stops when the stack is disposed. */
export async function startSignInService(
  stack: AsyncDisposableStack,
  settings: Record<string, string> = {},
): Promise<{ api: Api; sql: Sql }> {
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-sign-in-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = { WORKERS: "1", TRUSTED_PROXIES: "127.0.0.1, ::1", CLIENT_IP_HEADER: CLIENT_HEADER, ...settings };
  const service = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
  stack.defer(async () => void (await service.end()));
  const api = client(`http://localhost:${port}`);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const reply = await api.call("GET", "/health").catch(() => undefined);
    if (reply?.status === 200) return { api, sql: database.sql };
    await Bun.sleep(TRY_EVERY_MS);
  }
  throw new Error("The service does not listen");
}
