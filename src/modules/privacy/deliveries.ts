/**
 * Erases a visitor from webhook deliveries, sent or still to be sent. The message stays, without its data. The
 * endpoint's response may quote the message and is deleted as well.
 */
import { LEAST_ID, type OrgId } from "@/core/ids";
import { BATCH_EVENT } from "@/core/webhooks/batch";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Statements } from "@/platform/db/statements";

export interface Told {
  visitorIds: readonly string[];
  /** Events may name the click behind them in place of a visitor. */
  clickIds: readonly string[];
  /** Messages about opens name no visitor, so they are found by open. */
  openIds: readonly string[];
}

/** Rows that one statement looks through. */
const BATCH_ROWS = 2_000;
const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Returns how many deliveries it changed. */
export async function eraseDeliveries(
  statements: Statements,
  orgId: OrgId,
  { visitorIds, clickIds, openIds }: Told,
): Promise<number> {
  const told = [textArrayLiteral([...visitorIds, ...clickIds]), arrayLiteral(openIds)];
  const said = textArrayLiteral(visitorIds.map((visitorId) => `"visitorId":${JSON.stringify(visitorId)}`));
  const endpoints = await statements.run<{ id: string }>("select id from webhooks where org_id = $1::text::uuid", [
    orgId,
  ]);
  let erased = 0;
  for (const { id } of endpoints) {
    for (let after: string | undefined = LEAST_ID; after !== undefined; ) {
      const last: string | undefined = await endOfBatch(statements, id, after);
      for (const statement of [ERASE_SINGLE, ERASE_IN_BATCHES]) {
        erased += (await statements.run(statement, [id, after, last ?? LAST, ...told, said])).length;
      }
      after = last;
    }
  }
  return erased;
}

async function endOfBatch(statements: Statements, webhookId: string, after: string): Promise<string | undefined> {
  const rows = await statements.run<{ id: string }>(
    `select id from webhook_deliveries where webhook_id = $1::text::uuid and id > $2::text::uuid
     order by id offset ${BATCH_ROWS - 1} limit 1`,
    [webhookId, after],
  );
  return rows[0]?.id;
}

const LOOKED_THROUGH = "webhook_id = $1::text::uuid and id > $2::text::uuid and id <= $3::text::uuid";

/**
 * `data` is the last field of a message. `$4`: the visitor and click ids, `$5`: the open ids, `$6`: the visitor ids as
 * messages contain them.
 */
const ERASE_SINGLE = `
  update webhook_deliveries
  set body = regexp_replace(body, '"data":.*$', '"data":{"erased":true}}'), response_body = null
  where ${LOOKED_THROUGH} and event <> '${BATCH_EVENT}' and (
    exists (select 1 from unnest($6::text::text[]) as said where strpos(body, said) > 0)
    or substring(body from '"visitorId":"([0-9A-Fa-f-]{36})"') in (select unnest($4::text::text[]))
    or substring(body from '"openId":"([0-9a-f-]{36})"') = any($5::text::text[]))
  returning 1 as one`;

const TELLS = `(message -> 'data' ->> 'visitorId' in (select unnest($4::text::text[]))
  or message -> 'data' ->> 'openId' = any($5::text::text[]))`;

/**
 * A batch as JSON in Postgres, which holds neither NULs nor lone surrogates. Earlier versions wrote both, escaped, where
 * a visitor's query contained them: they become U+FFFD. A backslash that is escaped itself begins no escape.
 */
const BATCH = `(case when strpos(body, '\\u0000') > 0 or strpos(body, '\\ud') > 0
  then regexp_replace(body, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})', '\\1\\\\ufffd', 'g') else body end)::jsonb`;

/** Keeps the other visitors' messages of a batch. */
const ERASE_IN_BATCHES = `
  update webhook_deliveries
  set response_body = null, body = jsonb_set(${BATCH}, '{events}', (
    select jsonb_agg(case when ${TELLS} then jsonb_set(message, '{data}', '{"erased": true}') else message end order by place)
    from jsonb_array_elements(${BATCH} -> 'events') with ordinality as told (message, place)))::text
  where ${LOOKED_THROUGH} and event = '${BATCH_EVENT}' and case when event = '${BATCH_EVENT}' then exists (
    select 1 from jsonb_array_elements(${BATCH} -> 'events') as message where ${TELLS}) end
  returning 1 as one`;
