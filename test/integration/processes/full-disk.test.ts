/**
 * Starts on a disk without any room. A server that is restarted there redirects: only new clicks find no room. What
 * cannot do without room says so in one sentence.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { hasSmallDisks, onSmallDisk } from "@test/support/servers/small-disk";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { until } from "@test/support/until";

const START_MS_MAX = 240_000;
const SECRET = "a secret of the full disk, which is long enough";
/** Fills the disk to the last byte before the command begins. */
const FILLED = ["sh", "-c", 'dd if=/dev/zero of="$DATA_DIR/filler" bs=4096 2>/dev/null; exec "$@"', "sh"];

const database = await createDatabase();
const folder = await mkdtemp(join(tmpdir(), "waymark-full-"));
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const NO_ROOM = `DATA_DIR: the disk of ${folder} has no room left for what a start writes there; free some space`;

async function startOnFullDisk(env: Record<string, string>): Promise<{ service: ServiceProcess; port: number }> {
  const port = await takePort();
  const within = [...onSmallDisk(folder, 1), ...FILLED];
  return { port, service: new ServiceProcess({ port, dataDir: folder, within, env: { WORKERS: "1", ...env } }) };
}

describe.skipIf(!hasSmallDisks())("on a full disk", () => {
  test(
    "a server starts and redirects, and counts clicks as soon as there is room",
    async () => {
      const { service, port } = await startOnFullDisk({ DATABASE_URL: database.url, APP_SECRET: SECRET });
      try {
        await service.until("serving");
        const api = client(`http://localhost:${port}`);
        const account = await api.register();
        const link = await api.createLink(account, { defaultUrl: "https://example.com/" });
        expect((await api.visit(link)).status).toBe(302);
        await service.until("cannot write clicks to the spool");

        await rm(join(`/proc/${service.process.pid}/root`, folder, "filler"));
        const counted = async () => {
          expect((await api.visit(link)).status).toBe(302);
          return (await database.sql`select from clicks limit 1`).length > 0;
        };
        await until(counted);
      } finally {
        await service.end();
      }
    },
    START_MS_MAX,
  );

  test.each([
    ["a secret", {}],
    ["the data of its Postgres", { APP_SECRET: SECRET }],
  ])(
    "a start that needs room for %s says so",
    async (_, env) => {
      const { service } = await startOnFullDisk(env);
      expect(await service.ended()).toBe(1);
      expect(service.errorOutput.trim()).toBe(NO_ROOM);
    },
    START_MS_MAX,
  );

  test(
    "a start whose Postgres fills the disk while it creates its data says so",
    async () => {
      const port = await takePort();
      const env = { WORKERS: "1", APP_SECRET: SECRET };
      const service = new ServiceProcess({ port, dataDir: folder, within: onSmallDisk(folder, 8), env });
      expect(await service.ended()).toBe(1);
      expect(service.errorOutput.trim()).toBe(NO_ROOM);
    },
    START_MS_MAX,
  );
});
