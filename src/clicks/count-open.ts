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
import { CORRECTIONS_WRITER, COUNTED } from "@/platform/db/figure-constants";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { keyOfNumber } from "@/platform/visitor";

/** How a visit counts; null for nowhere. */
export type CountedAs = "human" | "bot" | null;

export interface DeferredOpen {
  id: string;
  /** Unix milliseconds. */
  at: number;
  orgId: string;
  linkId: string;
  /** The visitor's key as a signed 64-bit number. */
  visitor: bigint;
  platform: Platform;
  /** Whether the claim itself is a bot's, whatever its click is. */
  isBot: boolean;
  /** The click behind the claim, which counts like it; null if unknown. */
  click: { id: string; occurredAt: Date } | null;
}

export interface OpenCount {
  /**
   * Assigns numbers to dimension values that have none. To be called outside any transaction; within one, it would
   * make other writers of these values wait.
   */
  prepare(statements: Statements): Promise<void>;
  /**
   * Writes the open's row and figures within the claim's transaction, and returns how it counts. Waits for other
   * transactions that hold the organization's figures lock, such as a verdict on the click.
   */
  record(tx: Statements): Promise<CountedAs>;
}

/**
 * Serves one attempt only: a retry needs a new `OpenCount`, because this one may hold figures that were never
 * committed.
 */
export function countOpen(open: DeferredOpen): OpenCount {
  const figures = new FigureStore((damage) => {
    throw damage;
  });
  return {
    prepare: (statements) => figures.prepare(statements, CORRECTIONS_WRITER, rollUp([visitOf(open)])),
    async record(tx) {
      await takeFiguresLock(tx, open.orgId);
      const as = await countedAs(tx, open);
      const isBot = as !== "human";
      await insertOpen(tx, { ...open, isBot, verdict: verdictOf(as) });
      if (as !== null) await figures.put(tx, CORRECTIONS_WRITER, rollUp([visitOf({ ...open, isBot })]));
      return as;
    },
  };
}

async function countedAs(tx: Statements, { orgId, isBot, click }: DeferredOpen): Promise<CountedAs> {
  if (!click) return isBot ? "bot" : "human";
  const [found] = await tx.run<{ isBot: boolean; isCounted: boolean }>(
    `select is_bot as "isBot", ${COUNTED} as "isCounted" from clicks
     where org_id = $1::text::uuid and occurred_at = $2::text::timestamptz and id = $3::text::uuid`,
    [orgId, click.occurredAt.toISOString(), click.id],
  );
  if (found && !found.isCounted) return null;
  return isBot || found?.isBot ? "bot" : "human";
}

type OpenVisit = Pick<DeferredOpen, "at" | "orgId" | "linkId" | "visitor" | "platform" | "isBot">;

const visitOf = ({ at, orgId, linkId, visitor, platform, isBot }: OpenVisit): CountedVisit => ({
  record: { kind: "open", at, orgId, linkId },
  hour: at - (at % HOUR_MS),
  visitor: keyOfNumber(visitor),
  isBot,
  platform,
  openSource: "deferred",
});

async function insertOpen(tx: Statements, open: DeferredOpen & { verdict: string | null }): Promise<void> {
  const { id, at, orgId, linkId, visitor, platform, isBot, verdict } = open;
  await tx.run(
    `insert into opens (id, occurred_at, org_id, link_id, visitor, platform, source, is_bot, verdict)
     values ($1::text::uuid, $2::text::timestamptz, $3::text::uuid, $4::text::uuid, $5::text::bigint, $6::text,
       'deferred', $7::text::boolean, $8::text)`,
    [id, new Date(at).toISOString(), orgId, linkId, String(visitor), platform, String(isBot), verdict],
  );
}

const verdictOf = (as: CountedAs) => (as === null ? "confirmed" : null);

export interface MovedOpens {
  /** As they counted until now. */
  before: CountedVisit[];
  after: CountedVisit[];
}

interface OpenRow {
  id: string;
  at: number;
  linkId: string;
  visitor: string;
  platform: Platform;
  isBot: boolean;
  isCounted: boolean;
  /** Whether it is to count as a bot's from now on. */
  becomesBot: boolean;
}

/**
 * Lets the opens that were claimed from these clicks count like them, or as a bot's if the claim was one by itself.
 * Returns those that changed. Claims made before claims stored their click are left as they are.
 */
export async function reclassifyOpens(
  tx: Statements,
  orgId: string,
  clickIds: readonly string[],
  as: CountedAs,
): Promise<MovedOpens> {
  if (clickIds.length === 0) return { before: [], after: [] };
  const [isBot, isCounted] = [as !== "human", as !== null];
  const rows = await tx.run<OpenRow>(
    `select opens.id, extract(epoch from occurred_at)::float8 * 1000 as at, opens.link_id as "linkId",
       opens.visitor::text as visitor, opens.platform, opens.is_bot as "isBot", ${COUNTED} as "isCounted",
       ($3::text::boolean or claims.is_bot) as "becomesBot"
     from claims join opens
       on opens.org_id = claims.org_id and opens.occurred_at = claims.claimed_at and opens.id = claims.open_id
     where claims.org_id = $1::text::uuid and claims.click_id = any($2::text::uuid[]) and opens.org_id = $1::text::uuid
       and (opens.is_bot <> ($3::text::boolean or claims.is_bot) or (${COUNTED}) <> $4::text::boolean)`,
    [orgId, arrayLiteral(clickIds), String(isBot), String(isCounted)],
  );
  if (rows.length === 0) return { before: [], after: [] };
  await tx.run(
    `update opens set is_bot = id = any($3::text::uuid[]), verdict = $5::text
     where org_id = $1::text::uuid and occurred_at = any($2::text::timestamptz[]) and id = any($4::text::uuid[])`,
    [
      orgId,
      arrayLiteral(rows.map(({ at }) => new Date(Math.round(at)).toISOString())),
      arrayLiteral(rows.filter(({ becomesBot }) => becomesBot).map(({ id }) => id)),
      arrayLiteral(rows.map(({ id }) => id)),
      verdictOf(as),
    ],
  );
  const visitAs = (row: OpenRow, isBot: boolean) =>
    visitOf({ ...row, isBot, at: Math.round(row.at), orgId, visitor: BigInt(row.visitor) });
  return {
    before: rows.filter((row) => row.isCounted).map((row) => visitAs(row, row.isBot)),
    after: isCounted ? rows.map((row) => visitAs(row, row.becomesBot)) : [],
  };
}
