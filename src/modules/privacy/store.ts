/**
 * Erases a visitor from everything but clicks and opens: leads, custom events, claims, and stored answers to repeated
 * requests. Rows that figures count stay. Each statement changes at most `BATCH_ROWS` rows.
 */
import type { OrgId } from "@/core/ids";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Statements } from "@/platform/db/statements";

const BATCH_ROWS = 2_000;

export async function findStart(statements: Statements, orgId: OrgId): Promise<number> {
  const rows = await statements.run<{ at: number }>(
    `select extract(epoch from least(created_at, (select min(occurred_at) from opens where org_id = $1::text::uuid)))::float8
       * 1000 as at from organizations where id = $1::text::uuid`,
    [orgId],
  );
  return rows[0]?.at ?? 0;
}

const HAS_EMAIL = `exists (select 1 from jsonb_each_text(fields) where lower(btrim(value)) = any($2::text::text[]))`;

/** Returns the visitor ids of leads with one of these emails (lower-cased) in any field. */
export async function visitorsByEmail(
  statements: Statements,
  orgId: OrgId,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await statements.run<{ visitorId: string }>(
    `select distinct visitor_id as "visitorId" from leads
     where org_id = $1::text::uuid and visitor_id <> '' and ${HAS_EMAIL}`,
    [orgId, textArrayLiteral(emails)],
  );
  return rows.map(({ visitorId }) => visitorId);
}

/** Erases leads of these visitors and with these emails. The rows stay, because figures count them. */
export const eraseLeads = (tx: Statements, orgId: OrgId, emails: readonly string[], visitorIds: readonly string[]) =>
  inBatches(tx, { table: "leads", key: "id" }, [orgId, textArrayLiteral(emails), textArrayLiteral(visitorIds)], {
    where: `org_id = $1::text::uuid and visitor_id <> '' and (visitor_id = any($3::text::text[]) or (${HAS_EMAIL}))`,
    set: `visitor_id = '', fields = '{}', click_id = gen_random_uuid()`,
  });

/**
 * Erases custom events that name one of these visitors, or a visitor's click. The names are hashed and not compared
 * one by one, because a visitor may have thousands of clicks. New ids are generated here: where rows are on other
 * machines, an update cannot contain an expression that is evaluated per row.
 */
export async function eraseEvents(tx: Statements, orgId: OrgId, visitorIds: readonly string[]): Promise<number> {
  let changed = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; changed += last) {
    const found = await tx.run<{ at: string; id: string }>(
      `select occurred_at::text as at, id from events
       where org_id = $1::text::uuid and visitor_id in (select unnest($2::text::text[])) limit ${BATCH_ROWS}`,
      [orgId, textArrayLiteral(visitorIds)],
    );
    last = found.length;
    if (last > 0) await renewEvents(tx, orgId, found);
  }
  return changed;
}

const renewEvents = (tx: Statements, orgId: OrgId, found: readonly { at: string; id: string }[]) =>
  tx.run(
    `update events set id = renewed.random, visitor_id = null, metadata = null,
       occurred_at = date_bin('1 minute', occurred_at, 'epoch')
     from unnest($2::text::timestamptz[], $3::text::uuid[], $4::text::uuid[]) as renewed (former_at, former, random)
     where org_id = $1::text::uuid and occurred_at = renewed.former_at and id = renewed.former`,
    [
      orgId,
      textArrayLiteral(found.map(({ at }) => at)),
      arrayLiteral(found.map(({ id }) => id)),
      arrayLiteral(found.map(() => crypto.randomUUID())),
    ],
  );

/** Erases claims of these opens: the stored answer to the app names the open. */
export const eraseClaims = (tx: Statements, orgId: OrgId, openIds: readonly string[]) =>
  inBatches(tx, { table: "claims", key: "token_hash" }, [orgId, arrayLiteral(openIds)], {
    where: `org_id = $1::text::uuid and open_id = any($2::text::uuid[])`,
    set: `install_id = gen_random_uuid(), open_id = gen_random_uuid(), answer = answer - 'installId' - 'openId'`,
  });

/** Erases clicks from the claims made for them: destinations received their ids. */
export const eraseClicksOfClaims = (tx: Statements, orgId: OrgId, clickIds: readonly string[]) =>
  tx.run("update claims set click_id = null where org_id = $1::text::uuid and click_id = any($2::text::uuid[])", [
    orgId,
    arrayLiteral(clickIds),
  ]);

/** Erases the visitors from the answers that are stored for repeated requests. */
export const eraseAnswers = (tx: Statements, orgId: OrgId, visitorIds: readonly string[]) =>
  inBatches(
    tx,
    { table: "idempotent_answers", key: "org_id, operation, key_hash" },
    [orgId, textArrayLiteral(visitorIds)],
    {
      where: `org_id = $1::text::uuid and answer ->> 'visitorId' in (select unnest($2::text::text[]))`,
      set: `answer = (answer::jsonb - 'visitorId' - 'metadata')::json`,
    },
  );

async function inBatches(
  tx: Statements,
  { table, key }: { table: string; key: string },
  parameters: (string | number)[],
  { where, set }: { where: string; set: string },
): Promise<number> {
  let changed = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; changed += last) {
    const rows = await tx.run(
      `update ${table} set ${set}
       where (${key}) in (select ${key} from ${table} where ${where} limit ${BATCH_ROWS}) returning 1 as one`,
      parameters,
    );
    last = rows.length;
  }
  return changed;
}
