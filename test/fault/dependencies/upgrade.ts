/**
 * A database as the previous release left it, with rows in it: a start upgrades it and serves what was there. No
 * start can downgrade it; restoring a dump from before the upgrade does, with the old schema.
 *
 *   bun test/fault/dependencies/upgrade.ts
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableState } from "@test/support/accounts/tenants";
import { endRun } from "@test/support/end-of-run";
import { startSystemPostgres } from "@test/support/servers/system-postgres";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";
import { fillFigures } from "@/figures/verify/fill-figures";
import { floorToDay } from "@/figures/verify/verify";
import { openDatabase } from "@/platform/db/client";
import { countErrors, start, use, verify } from "./backup";

export interface UpgradeReport {
  /** The number of migrations in the old schema, and in the restored one. */
  from: number;
  restored: number;
  /** True if every row is as it was before the upgrade. */
  isRestoredAlike: boolean;
  /** Incorrect responses of the upgraded service. */
  wrong: number;
  /** Days whose figures were calculated again, because the previous release had fewer dimensions. */
  filledDays: number;
  /** Error lines in the log of the upgraded service. */
  errors: number;
  figures: string;
}

/** The number of migrations of the previous release. */
const MIGRATIONS = 9;
const SLUG = "spring";
const CLICKS = 200;
const HOUR_MS = 3_600_000;

export async function upgrade(): Promise<UpgradeReport> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-volume-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = stack.use(await startSystemPostgres());
  const open = async (name: string) => {
    await postgres.run("createdb", [], name);
    const database = openDatabase(postgres.urlOf(name), { pool: "tool", name: "waymark test" });
    stack.defer(() => database.close());
    return database.sql;
  };
  const old = await open("upgraded");
  await migrateUpTo(old, MIGRATIONS);
  await fill(old);
  const [before, dump] = [await tableState(old), join(postgres.folder, "dump")];
  await postgres.run("pg_dump", ["-Fc", "-f", dump], "upgraded");

  const { port, service } = await start(dataDir, postgres.urlOf("upgraded"));
  const wrong = await use(port, SLUG);
  const { days } = await fillFigures(old, { now: Date.now() });
  await service.end();
  const figures = await verify(postgres.urlOf("upgraded"), dataDir);

  const back = await open("back");
  await postgres.run("pg_restore", ["--exit-on-error", "--no-owner", "-d", "back", dump]);
  return {
    ...{ from: MIGRATIONS, wrong, filledDays: days, figures },
    errors: countErrors(service),
    restored: await countMigrations(back),
    isRestoredAlike: Bun.deepEquals(await tableState(back), before),
  };
}

/** Applies the first migrations as `platform/db/migrate` does. */
async function migrateUpTo(sql: Sql, count: number): Promise<void> {
  await sql`create schema drizzle`;
  await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  for (const migration of readMigrationFiles({ migrationsFolder: "drizzle/migrations" }).slice(0, count)) {
    for (const statement of migration.sql) await sql.unsafe(statement);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${migration.hash}, ${migration.folderMillis})`;
  }
}

const countMigrations = async (sql: Sql): Promise<number> =>
  (await sql`select count(*)::int as count from drizzle.__drizzle_migrations`)[0]?.count;

/** Inserts some of everything that an account, its links and their visitors leave. */
async function fill(sql: Sql): Promise<void> {
  const midnight = floorToDay(Date.now());
  const yesterday = new Date(midnight - HOUR_MS);
  const [orgId, userId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const [domainId, linkId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await sql`insert into organizations (id, name, slug, plan) values (${orgId}, 'Acme', 'acme', 'unlimited')`;
  const password = await Bun.password.hash("quartz trombone lagoon", {
    algorithm: "argon2id",
    memoryCost: 19_456,
    timeCost: 2,
  });
  await sql`insert into users (id, email, name, password_hash) values (${userId}, 'ada@example.com', 'Ada', ${password})`;
  await sql`insert into memberships (id, org_id, user_id, role) values (${Bun.randomUUIDv7()}, ${orgId}, ${userId}, 'owner')`;
  await sql`insert into domains (id, org_id, hostname, is_verified, verification_token)
    values (${domainId}, null, 'localhost', true, null)`;
  await sql`insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    values (${linkId}, ${orgId}, ${domainId}, ${SLUG}, ${SLUG}, 'https://example.com/')`;
  const webhookId = Bun.randomUUIDv7();
  await sql`insert into webhooks (id, org_id, url, events, is_active, secret, secret_hint)
    values (${webhookId}, ${orgId}, 'https://hooks.example.com/', '{click}', false, '\\x00', 'hint')`;
  await sql`insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, status)
    values (${Bun.randomUUIDv7()}, ${orgId}, ${webhookId}, 'click', ${Bun.randomUUIDv7()}, '{}', 'delivered')`;
  await sql`insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type)
    values (${Bun.randomUUIDv7()}, ${orgId}, 'link.create', 'link', ${linkId}, 'system')`;
  await sql`insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    values (${Bun.randomUUIDv7()}, ${orgId}, ${linkId}, ${Bun.randomUUIDv7()}, '9f3c1e0b7a25d486', '{}', ${yesterday})`;
  await sql`insert into events (id, occurred_at, org_id, link_id, name, visitor_id, value)
    values (${Bun.randomUUIDv7()}, ${yesterday}, ${orgId}, ${linkId}, 'purchase', 'customer', 12.5)`;
  for (let click = 0; click < CLICKS; click++) {
    const at = new Date(midnight - (1 + (click % 30)) * HOUR_MS);
    await sql`insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, country, route_kind,
        destination_url, is_bot, bot_reasons, spam_score)
      values (${Bun.randomUUIDv7()}, ${at}, ${orgId}, ${linkId}, ${click % 17}, 'ios', 'AT', 'default',
        'https://example.com/', ${click % 5 === 0}, '{}', 0)`;
  }
  // Figures with fewer dimensions, as the previous release left them.
  await sql`insert into figures_daily (org_id, link_id, day, is_bot, writer, clicks, opens, counts)
    select org_id, level, date_trunc('day', occurred_at, 'UTC'), is_bot, 0, count(*), 0, ''
    from clicks cross join lateral (values (clicks.link_id), ('00000000-0000-0000-0000-000000000000'::uuid)) as levels (level)
    group by 1, 2, 3, 4`;
  await sql`insert into link_counters (org_id, link_id, writer, clicks, bot_clicks)
    select org_id, link_id, 0, count(*) filter (where not is_bot), count(*) filter (where is_bot)
    from clicks group by 1, 2`;
}

if (import.meta.main) {
  const report = await upgrade();
  console.table(report);
  await endRun();
  process.exit(report.wrong + report.errors === 0 && report.isRestoredAlike ? 0 : 1);
}
