/**
 * A deferred open: the one that a claimed match token stands for. It comes through no spool, since the claim tells of it at
 * once and must not count twice: its row and its figures are written in the claim's own transaction, all of it or nothing.
 *
 * Figures go to the corrections' writer, whose rows are changed under the organization's lock alone (as verdicts do), so that
 * click writers are never waited for. Opens are in no sketch and in no link's counters.
 */
import type { Platform } from "@/contract/platforms";
import { HOUR_MS } from "@/core/time/time-range";
import { FigureStore } from "@/figures/write/figure-store";
import { type CountedVisit, rollUp } from "@/figures/write/rollup";
import { arrayLiteral } from "@/platform/db/array-literals";
import { CORRECTIONS_WRITER } from "@/platform/db/figure-constants";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { keyOfNumber } from "@/platform/visitor";

export interface DeferredOpen {
  id: string;
  /** Unix milliseconds. */
  at: number;
  orgId: string;
  linkId: string;
  /** The visitor's key as a number. */
  visitor: bigint;
  platform: Platform;
  isBot: boolean;
}

export interface OpenCount {
  /** Outside of any transaction: gives numbers to values that have none, for which others would wait otherwise. */
  prepare(statements: Statements): Promise<void>;
  /** Within the transaction that says it happened. Waits for others who change the organization's figures by hand. */
  record(tx: Statements): Promise<void>;
}

/** For one attempt: figures that a failed one had in mind are gone with it. */
export function countOpen(open: DeferredOpen): OpenCount {
  const groups = rollUp([visitOf(open)]);
  const figures = new FigureStore((damage) => {
    throw damage;
  });
  return {
    prepare: (statements) => figures.prepare(statements, CORRECTIONS_WRITER, groups),
    async record(tx) {
      await takeFiguresLock(tx, open.orgId);
      await insertOpen(tx, open);
      await figures.put(tx, CORRECTIONS_WRITER, groups);
    },
  };
}

const visitOf = ({ at, orgId, linkId, visitor, platform, isBot }: DeferredOpen): CountedVisit => ({
  record: { kind: "open", at, orgId, linkId },
  hour: at - (at % HOUR_MS),
  visitor: keyOfNumber(visitor),
  isBot,
  platform,
  openSource: "deferred",
});

async function insertOpen(tx: Statements, open: DeferredOpen): Promise<void> {
  const { id, at, orgId, linkId, visitor, platform, isBot } = open;
  await tx.run(
    `insert into opens (id, occurred_at, org_id, link_id, visitor, platform, source, is_bot)
     values ($1::text::uuid, $2::text::timestamptz, $3::text::uuid, $4::text::uuid, $5::text::bigint, $6::text,
       'deferred', $7::text::boolean)`,
    [id, new Date(at).toISOString(), orgId, linkId, String(visitor), platform, String(isBot)],
  );
}

/**
 * Makes the opens that were claimed from these clicks a bot's or a person's; answers those that were not, as they count
 * from now on. Claims from before they kept their click stay as they are.
 */
export async function turnOpens(
  tx: Statements,
  orgId: string,
  clickIds: readonly string[],
  isBot: boolean,
): Promise<CountedVisit[]> {
  if (clickIds.length === 0) return [];
  const rows = await tx.run<{ id: string; at: number; linkId: string; visitor: string; platform: Platform }>(
    `select opens.id, extract(epoch from occurred_at)::float8 * 1000 as at, opens.link_id as "linkId",
       opens.visitor::text as visitor, opens.platform
     from claims join opens
       on opens.org_id = claims.org_id and opens.occurred_at = claims.claimed_at and opens.id = claims.open_id
     where claims.org_id = $1::text::uuid and claims.click_id = any($2::text::uuid[])
       and opens.org_id = $1::text::uuid and opens.is_bot <> $3::text::boolean`,
    [orgId, arrayLiteral(clickIds), String(isBot)],
  );
  if (rows.length === 0) return [];
  await tx.run(
    `update opens set is_bot = $3::text::boolean
     where org_id = $1::text::uuid and occurred_at = any($2::text::timestamptz[]) and id = any($4::text::uuid[])`,
    [
      orgId,
      arrayLiteral(rows.map(({ at }) => new Date(Math.round(at)).toISOString())),
      String(isBot),
      arrayLiteral(rows.map(({ id }) => id)),
    ],
  );
  return rows.map((row) => visitOf({ ...row, at: Math.round(row.at), orgId, visitor: BigInt(row.visitor), isBot }));
}
