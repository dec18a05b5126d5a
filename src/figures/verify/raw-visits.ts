/** Reads raw clicks and opens that count, in parts of at most 4,096, so that a day of any size takes bounded memory. */
import type { TransactionSql } from "postgres";
import { HOUR_MS, type Span } from "@/core/time/time-range";
import { COUNTED } from "@/platform/db/figure-constants";
import { keyOfNumber } from "@/platform/visitor";
import { CLICK_DIMENSION_NAMES, mapDimensions, valueInSql } from "../dimensions";
import type { CountedVisit } from "../write/rollup";

const PART_ROWS = 4_096;

interface VisitRow {
  kind: "click" | "open";
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  visitor: string;
  isBot: boolean;
  platform: string;
  /** Set for clicks, in the order of the dimensions. */
  values?: string[];
  source?: "direct" | "deferred";
}

/** Yields clicks, then opens. Those that verdicts removed are left out. */
export async function* rawVisits(tx: TransactionSql, orgId: string, span: Span): AsyncGenerator<CountedVisit[]> {
  const within = [orgId, new Date(span.from).toISOString(), new Date(span.to).toISOString()];
  for (const statement of [SELECT_CLICKS, SELECT_OPENS]) {
    for await (const rows of tx.unsafe<VisitRow[]>(statement, within).cursor(PART_ROWS)) {
      yield rows.map((row) => visitOf(orgId, row));
    }
  }
}

/** Returns the starts of the hours that have any visits, counted or not: most hours of most organizations have none. */
export async function hoursWithVisits(tx: TransactionSql, orgId: string, { from, to }: Span): Promise<Set<number>> {
  const within = [orgId, new Date(from).toISOString(), new Date(to - HOUR_MS).toISOString()];
  const rows = await tx.unsafe<{ start: number }[]>(SELECT_HOURS, within);
  return new Set(rows.map(({ start }) => start));
}

const IN_HOUR = `org_id = $1::text::uuid and occurred_at >= hour and occurred_at < hour + interval '1 hour'`;
const SELECT_HOURS = `
  select extract(epoch from hour)::float8 * 1000 as start
  from generate_series($2::text::timestamptz, $3::text::timestamptz, '1 hour') as hour
  where exists (select 1 from clicks where ${IN_HOUR}) or exists (select 1 from opens where ${IN_HOUR})`;

const COMMON = `extract(epoch from occurred_at)::float8 * 1000 as at, link_id as "linkId", visitor::text as visitor,
  is_bot as "isBot", platform`;
const WITHIN = `org_id = $1::text::uuid and occurred_at >= $2::text::timestamptz and occurred_at < $3::text::timestamptz`;
const VALUES = `array[${CLICK_DIMENSION_NAMES.map(valueInSql).join(", ")}] as values`;
const SELECT_CLICKS = `
  select 'click' as kind, ${COMMON}, ${VALUES}
  from clicks where ${WITHIN} and ${COUNTED}`;
const SELECT_OPENS = `select 'open' as kind, ${COMMON}, source from opens where ${WITHIN} and ${COUNTED}`;

function visitOf(orgId: string, row: VisitRow): CountedVisit {
  const at = Math.round(row.at);
  return {
    record: { kind: row.kind, at, orgId, linkId: row.linkId },
    hour: at - (at % HOUR_MS),
    visitor: keyOfNumber(BigInt(row.visitor)),
    isBot: row.isBot,
    platform: row.platform,
    known: row.values && { values: valuesOf(row.values) },
    openSource: row.source,
  };
}

const PLACES = mapDimensions((name) => CLICK_DIMENSION_NAMES.indexOf(name));
const valuesOf = (values: readonly string[]) => mapDimensions((name) => values[PLACES[name]] ?? "");
