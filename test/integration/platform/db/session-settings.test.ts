/** A Postgres whose operator set another time zone, other formats and bounds than the defaults for its sessions. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";

const SETTINGS = {
  timezone: "America/New_York",
  datestyle: "SQL, DMY",
  // Longer than the second between two beats of the connection that notifies, on a busy machine too.
  idle_session_timeout: "5s",
};
/** An hour that a month after the beginning of March in that time zone leaves out. */
const NOW = Date.UTC(2026, 2, 30, 12);

const database = await createDatabase();
for (const [name, value] of Object.entries(SETTINGS)) {
  await database.sql.unsafe(`alter database "${new URL(database.url).pathname.slice(1)}" set ${name} = '${value}'`);
}
const service = await startTestService({ env: { DATABASE_URL: database.url }, clock: () => NOW });
const { call } = service;
const account = await service.register();
const { token } = account;
const organization = `/api/v1/organizations/${account.orgId}`;

test("instants are stored and returned as they are", async () => {
  const at = "2026-04-05T06:07:08.009Z";
  const apiKey = await call("POST", `${organization}/api-keys`, {
    token,
    body: { name: "server", scopes: ["links:read"], expiresAt: at },
  });
  expect(apiKey.status).toBe(201);
  expect(apiKey.body.expiresAt).toBe(at);
  const link = await service.createLink(account, { defaultUrl: "https://example.com/", expiresAt: at });
  const read = await call("GET", `${organization}/links/${link._id}`, { token });
  expect(read.body.expiresAt).toBe(at);
});

test("an erasure finds every visit of a month", async () => {
  const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const visitorId = "customer-1842";
  const slug = new URL(link.shortUrl).pathname.slice(1);
  const asked = new URLSearchParams({ domain: service.host, slug, visitorId });
  expect((await call("GET", `/api/v1/resolve?${asked}`)).status).toBe(200);
  await waitUntilDrained(service.service);
  const erasure = await call("POST", `${organization}/privacy/erase`, { token, body: { visitorId } });
  expect(erasure.body).toMatchObject({ erased: { opens: 1 }, isComplete: true });
});

test("the connection that only listens outlives the bound on idle sessions", async () => {
  // On a busy machine it may be replaced meanwhile, because the other connection got no response in time.
  const outlived = () => database.sql`
    select 1 from pg_stat_activity where datname = current_database() and application_name = 'waymark listener'
      and state = 'idle' and state_change < clock_timestamp() - 1.5 * ${SETTINGS.idle_session_timeout}::interval`;
  while ((await outlived()).length === 0) await Bun.sleep(50);
});
