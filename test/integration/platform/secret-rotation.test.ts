/** A changed `APP_SECRET`: what is stored sealed is sealed again, and then opens without `APP_SECRET_PREVIOUS`. */
import { expect, test } from "bun:test";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { createWebhook, expectSigned, startReceiver } from "@test/support/outside/webhooks";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const HOUR_MS = 3_600_000;
const [FIRST, SECOND] = ["a first secret of at least 32 bytes!", "another secret of at least 32 bytes"];

const database = await createDatabase();
const receiver = startReceiver();
let now = Date.now();
const start = (secrets: Record<string, string>) =>
  startTestService({
    env: { ...secrets, DATABASE_URL: database.url, OUTBOUND_ALLOW: "127.0.0.1" },
    clock: () => now,
  });

test("a second factor and a webhook's secret outlive the previous secret", async () => {
  const before = await start({ APP_SECRET: FIRST });
  const account = await before.register();
  const { secret, email, password } = await withTwoFactor(before, account, now);
  const webhook = await createWebhook(before, account, receiver.url, ["link.created"]);
  await before.stop();

  await database.sql`
    insert into periodic_jobs (name, due_at) values ('secrets sealed under the previous key', now())`;
  const rotating = await start({ APP_SECRET: SECOND, APP_SECRET_PREVIOUS: FIRST });
  now += HOUR_MS;
  await until(() => rotating.logged().includes('"resealed":2'));
  await rotating.stop();

  const after = await start({ APP_SECRET: SECOND });
  const login = await after.call("POST", "/api/v1/auth/login", { body: { email, password } });
  const { challengeToken } = login.body;
  const body = { challengeToken, code: codeAt(secret, now) };
  const signedIn = await after.call<{ token: string }>("POST", "/api/v1/auth/login/2fa", { body });
  expect(signedIn.status).toBe(200);
  const { token } = signedIn.body;
  const tested = await after.call("POST", `${webhook.path}/test`, { token, body: {} });
  expect(tested.status).toBe(200);
  const [delivery] = await receiver.until(1);
  expect(delivery).toBeDefined();
  if (delivery) expectSigned(delivery, webhook.secret);
}, 240_000);
