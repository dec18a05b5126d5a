/**
 * Counts a deferred open, the one that a claimed match token stands for. It does not go through the spool, because
 * the claim reports it immediately and it must not count twice: its row and its figures are written in the claim's
 * own transaction, all or nothing.
 *
 * Figures are added under the corrections writer, whose rows are changed only under the organization's advisory lock
 * (as verdicts do), so that nothing waits for a click writer. Opens are in no sketch and in no link counter.
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
  /** The visitor's key as a signed 64-bit number. */
  visitor: bigint;
  platform: Platform;
  isBot: boolean;
}

export interface OpenCount {
  /**
   * Assigns numbers to dimension values that have none. To be called outside any transaction; within one, it would
   * make other writers of these values wait.
   */
  prepare(statements: Statements): Promise<void>;
  /**
   * Writes the open's row and figures within the claim's transaction. Waits for other transactions that hold the
   * organization's figures lock.
   */
  record(tx: Statements): Promise<void>;
}

/**
 * Serves one attempt only: a retry needs a new `OpenCount`, because this one may hold figures that were never
 * committed.
 */
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
 * Marks the opens that were claimed from these clicks as a bot's or a person's. Returns those that changed, as they
 * count from now on. Claims made before claims stored their click are left as they are.
 */
export async function reclassifyOpens(
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
