/** What the tests of the click pipeline share: a database with links, pipelines on a folder, and totals to compare. */
import { clickRecord } from "@test/unit/clicks/records";
import type { Sql } from "postgres";
import { type ClickPipeline, type ClickPipelineOptions, startClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import { newClaim } from "@/clicks/spool/spool-claim";
import type { ClickDatabase } from "@/clicks/writer/click-database";
import { registerSpool } from "@/clicks/writer/registration";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { createLog } from "@/platform/telemetry/log";

/** Registers a new spool in Postgres. */
export async function ownSpool(database: ClickDatabase, id: string = Bun.randomUUIDv7()) {
  const registration = await registerSpool(database, newClaim(id));
  if (!registration.isOurs) throw new Error("A new spool is nobody else's.");
  return registration;
}

export const VISITOR_SECRET = new Uint8Array(32).fill(1);

export interface SeededLink {
  id: string;
  orgId: string;
  domainId?: string;
}

export interface LinkDraft {
  defaultUrl?: string;
  rules?: object[];
  splitTargets?: object[];
  utm?: object;
  appProfileId?: string;
}

export async function seedOrganization(sql: Sql): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into organizations (id, name, slug, plan) values (${id}, 'Test', ${id}, 'unlimited')`;
  return id;
}

/** Creates a link on a new domain of the organization. */
export async function seedLink(sql: Sql, orgId: string, draft: LinkDraft = {}): Promise<SeededLink> {
  const id = Bun.randomUUIDv7();
  const domainId = Bun.randomUUIDv7();
  await sql`insert into domains (id, org_id, hostname, is_verified) values (${domainId}, ${orgId}, ${`${id}.test`}, true)`;
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url, rules, split_targets, utm, app_profile_id)
    values (${id}, ${orgId}, ${domainId}, 'x', 'x', ${draft.defaultUrl ?? "https://example.com/"},
      ${sql.json((draft.rules ?? []) as never)}, ${sql.json((draft.splitTargets ?? []) as never)},
      ${draft.utm ? sql.json(draft.utm as never) : null}, ${draft.appProfileId ?? null})`;
  return { id, orgId, domainId };
}

/** Returns a click on the link, now, by a visitor of its own. */
export const clickOn = (
  { id, orgId }: Pick<SeededLink, "id" | "orgId">,
  changes: Partial<ClickRecord> = {},
): ClickRecord => clickRecord({ linkId: id, orgId, at: Date.now(), address: randomAddress(), ...changes });

function randomAddress(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4))).join(".");
}

/** For pipelines whose closing must apply everything, on a machine that is however busy. */
export const PATIENT = { closeMsMax: 100_000 };

export interface LoggedPipeline extends ClickPipeline {
  logged(): string;
}

export function startPipeline(
  dataDir: string,
  databaseUrl: string,
  changes: Partial<ClickPipelineOptions> = {},
): LoggedPipeline {
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  const pipeline = startClickPipeline({
    dataDir,
    databaseUrl,
    fsyncMs: 0,
    spoolBytesMax: 1e9,
    visitorSecret: VISITOR_SECRET,
    visitorRotation: "none",
    log,
    ...changes,
  });
  return {
    forget: () => pipeline.forget(),
    retryNow: () => pipeline.retryNow(),
    append: (record) => pipeline.append(record),
    drain: (timeoutMs) => pipeline.drain(timeoutMs),
    close: () => pipeline.close(),
    stats: () => pipeline.stats(),
    logged: () => {
      log.flush();
      return logged;
    },
  };
}

export interface Sums {
  clicks: number;
  distinct: number;
  counters: number;
  linkHours: number;
  linkDays: number;
  organizationHours: number;
  organizationDays: number;
  applied: number;
}

/** All totals are the same number if every click was applied exactly once. */
export async function sumsOf(sql: Sql): Promise<Sums> {
  const rolledUp = (table: string, isWhole: "=" | "<>") => sql`
    (select coalesce(sum(clicks), 0) from ${sql(table)}
     where link_id ${sql.unsafe(isWhole)} ${WHOLE_ORGANIZATION})::int`;
  const [sums] = await sql<Sums[]>`
    select
      (select count(*) from clicks)::int as clicks,
      (select count(distinct id) from clicks)::int as distinct,
      (select coalesce(sum(clicks + bot_clicks), 0) from link_counters)::int as counters,
      ${rolledUp("figures_hourly", "<>")} as "linkHours",
      ${rolledUp("figures_daily", "<>")} as "linkDays",
      ${rolledUp("figures_hourly", "=")} as "organizationHours",
      ${rolledUp("figures_daily", "=")} as "organizationDays",
      (select coalesce(sum(applied), 0) from spools)::int as applied`;
  if (!sums) throw new Error("Sums always give a row.");
  return sums;
}

export const allAre = (count: number): Sums => ({
  clicks: count,
  distinct: count,
  counters: count,
  linkHours: count,
  linkDays: count,
  organizationHours: count,
  organizationDays: count,
  applied: count,
});
