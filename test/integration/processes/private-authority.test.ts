/** A Postgres whose certificate is from an authority that only `NODE_EXTRA_CA_CERTS` names. */
import { afterAll, expect, test } from "bun:test";
import { chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runImport } from "@test/support/outside/imports";
import { makeCertificate } from "@test/support/servers/certificates";
import { makeMigratedDataFolder } from "@test/support/servers/embedded";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { runFiguresProcess } from "@/figures/verify/run-figures-process";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { createLog } from "@/platform/telemetry/log";

const folder = await makeMigratedDataFolder();
const { uid, gid } = statSync(join(folder.path, "postgres"));
const { cert, key } = makeCertificate({ names: ["localhost"] });
for (const [name, text] of [
  ["server.crt", cert],
  ["server.key", key],
] as const) {
  const path = join(folder.path, "postgres", "cluster", name);
  writeFileSync(path, text, { mode: 0o600 });
  chownSync(path, uid, gid);
}
// Relative to the data folder, because Postgres' user may be unable to access the folders above it.
const settings = { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key", fsync: "off" };
const postgres = await startEmbeddedPostgres(folder.path, () => undefined, { settings });
const address = new URL(postgres.url);
address.hostname = "localhost";
address.search = "sslmode=verify-full";
const trust = { NODE_EXTRA_CA_CERTS: join(folder.path, "postgres", "cluster", "server.crt") };

const port = await takePort();
const env = { WORKERS: "1", ...trust };
const service = new ServiceProcess({ port, dataDir: folder.path, databaseUrl: address.href, env });
afterAll(async () => {
  await service.end();
  await postgres.stop();
  await folder.remove();
});

test("imports run in a process that trusts it, too", async () => {
  await service.until("serving");
  const api = client(`http://localhost:${port}`);
  const account = await api.register();
  const { domainId = "" } = await api.createLink(account, { defaultUrl: "https://acme.com/" });
  const text = "slug,url\ntrusted,https://acme.com/\n";
  const done = await runImport(api, account, { text, options: { domainMap: { "*": domainId } } });
  expect(done).toMatchObject({ status: "done", counts: { created: 1 } });
});

test("figures are computed in a process that trusts it, too", async () => {
  const log = createLog(() => undefined);
  const question = { task: "fill", databaseUrl: address.href, now: Date.now() } as const;
  expect(await runFiguresProcess(question, log, new AbortController().signal, trust)).toEqual({ days: 0, left: 0 });
});
