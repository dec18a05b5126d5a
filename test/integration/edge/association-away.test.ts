/** Association files are still served while Postgres is unreachable. */
import { afterAll, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const FILE = "/.well-known/apple-app-site-association";

const database = await createDatabase();
const proxy = await TcpProxy.start(Number(new URL(database.url).port));
afterAll(() => proxy.cut());
const through = new URL(database.url);
through.port = String(proxy.port);
let ahead = 0;
const service = await startTestService({ env: { DATABASE_URL: through.href }, clock: () => Date.now() + ahead });
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const asked = await addDomain({ sql: database.sql }, ada.orgId, { hostname: "asked.ada.test" });
await addDomain({ sql: database.sql }, ada.orgId, { hostname: "new.ada.test" });

const configure = (bundleId: string) =>
  service.call("PATCH", `${home}/domains/${asked}/app-config`, {
    token: ada.token,
    body: { ios: { teamId: "A1B2C3D4E5", bundleId } },
  });
const fileAt = (host: string) => service.visit(FILE, { host });

const isStatus = (status: string) => async () => (await service.call("GET", "/health")).body.status === status;

test("cached association files are served while Postgres is unavailable, others get 503 until it is back", async () => {
  await configure("com.acme.one");
  await until(async () => (await fileAt("asked.ada.test")).status === 200);

  await proxy.cut();
  await until(isStatus("degraded"));
  for (const minutes of [0, 2, 60]) {
    ahead = minutes * 60_000;
    const [old, fresh] = await Promise.all([fileAt("asked.ada.test"), fileAt("new.ada.test")]);
    expect([old.status, fresh.status, fresh.headers.get("retry-after")]).toEqual([200, 503, "1"]);
    expect(await old.text()).toContain("A1B2C3D4E5.com.acme.one");
    expect(Object.keys(Object(await fresh.json()))).toEqual(["error"]);
  }
  expect((await fileAt("go.nobody.test")).status).toBe(404);

  await proxy.open();
  await until(isStatus("ok"));
  await configure("com.acme.two");
  expect(await (await fileAt("asked.ada.test")).text()).toContain("A1B2C3D4E5.com.acme.two");
  expect((await fileAt("new.ada.test")).status).toBe(200);
});
