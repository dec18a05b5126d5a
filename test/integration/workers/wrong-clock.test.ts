/** A server whose clock is years ahead: it deletes nothing that is too young by the time of Postgres. */
import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import { untilDone } from "@test/support/until";
import { DAY_MS } from "@/core/time/time-range";

const YEARS_MS = 3_650 * DAY_MS;
const JOBS = [
  ...["retention", "expired sign-ins", "old audit entries", "spent match tokens", "old webhook deliveries"],
  "expired exports",
];
const KEPT = ["clicks", "sessions", "audit_logs", "claims", "webhook_deliveries", "organization_exports"];

const service = await startTestService({ clock: () => Date.now() + YEARS_MS });
const { sql } = service;

const counts = () => Promise.all(KEPT.map(async (table) => (await sql`select from ${sql(table)}`).length));

test("nothing is deleted before its time, and what is kept next is not decided by that clock", async () => {
  const { orgId } = await service.register();
  const [linkId, userId, webhookId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await sql`update organizations set plan = 'free'`;
  await sql`truncate sessions, audit_logs`;
  await sql`insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, country, route_kind, destination_url,
      is_bot, bot_reasons, spam_score)
    values (gen_random_uuid(), now(), ${orgId}, ${linkId}, 1, 'ios', 'AT', 'default', 'https://example.com/', false, '{}', 0)`;
  await sql`insert into users (id, email, name) values (${userId}, 'ada@example.com', 'Ada')`;
  await sql`insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), ${userId}, now() + interval '1 hour')`;
  await sql`insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type)
    values (gen_random_uuid(), ${orgId}, 'link.create', 'link', ${linkId}, 'system')`;
  await sql`insert into claims (org_id, link_id, install_id, open_id, answer, clicked_at, claimed_at)
    values (${orgId}, ${linkId}, gen_random_uuid(), gen_random_uuid(), '{}', now(), now())`;
  await sql`insert into webhooks (id, org_id, url, events, is_active, secret, secret_hint)
    values (${webhookId}, ${orgId}, 'https://hooks.example.com/', '{click}', false, '\\x00', 'hint')`;
  await sql`insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, status)
    values (gen_random_uuid(), ${orgId}, ${webhookId}, 'click', gen_random_uuid(), '{}', 'delivered')`;
  await sql`insert into organization_exports (id, org_id, status, created_at, finished_at, expires_at)
    values (gen_random_uuid(), ${orgId}, 'done', now(), now(), now() + interval '7 days')`;
  expect(await counts()).toEqual(KEPT.map(() => 1));

  for (const name of JOBS) {
    await sql`insert into periodic_jobs (name, due_at) values (${name}, now())
      on conflict (name) do update set due_at = excluded.due_at`;
  }
  await untilDone(async () => {
    const done = await sql`select from periodic_jobs where due_at > now() + interval '30 minutes' and leased_by is null
      and name in ${sql(JOBS)}`;
    return done.length === JOBS.length;
  });
  expect(await counts()).toEqual(KEPT.map(() => 1));
  expect(await sql`select from raw_retention where kept_from > now()`).toHaveLength(0);
});
