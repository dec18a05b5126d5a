/**
 * Reads stored clicks along their key: organization, time, id. A page scans at most `SCAN_MAX` clicks and returns
 * where it stopped, so that a filter few clicks match costs no more than one that most match.
 */
import type { Fragment, TransactionSql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { Platform } from "@/contract/platforms";
import { CLICK_ID_WITHIN_MS, type OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import { filterConditions } from "@/figures/read/filters";
import { type Reader, unionAll } from "@/figures/read/scope";
import { COUNTED } from "@/platform/db/figure-constants";

const SCAN_MAX = 4_000;

export interface ClickPlace {
  /** Unix milliseconds. */
  at: number;
  id: string;
}

export interface StoredClick extends ClickPlace {
  linkId: string;
  domainId: string | null;
  /** Signed 64-bit integer in decimal. */
  visitor: string;
  platform: Platform;
  deviceType: string | null;
  deviceVendor: string | null;
  deviceModel: string | null;
  browser: string | null;
  os: string | null;
  osVersion: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  language: string | null;
  referrer: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  routeKind: "rule" | "split" | "store" | "default";
  ruleIndex: number | null;
  splitKey: string | null;
  destinationUrl: string;
  isBot: boolean;
  botReasons: string[];
  spamScore: number;
  verdict: "confirmed" | "dismissed" | null;
  linkVersion: number | null;
  utcOffset: number | null;
  languages: string | null;
  offeredApps: string | null;
  asked: string | null;
  ruleNumber: number | null;
}

/** Excludes the visitor's address and anything derived only from it. */
export const CLICK_COLUMNS = `id, extract(epoch from occurred_at)::float8 * 1000 as at, link_id as "linkId",
  domain_id as "domainId", visitor::text as visitor, platform, device_type as "deviceType",
  device_vendor as "deviceVendor", device_model as "deviceModel", browser, os, os_version as "osVersion", country, region,
  city, language, referrer, utm_source as "utmSource", utm_medium as "utmMedium", utm_campaign as "utmCampaign",
  utm_term as "utmTerm", utm_content as "utmContent", route_kind as "routeKind", rule_index as "ruleIndex",
  split_key as "splitKey", destination_url as "destinationUrl", is_bot as "isBot", bot_reasons as "botReasons",
  spam_score as "spamScore", verdict, link_version as "linkVersion", utc_offset as "utcOffset", languages,
  offered_apps as "offeredApps", asked, coalesce(rule_number, rule_index) as "ruleNumber"`;

export interface StoredClicksQuery {
  span: Span;
  filters: Filters;
  includeBots: boolean;
  platform: Platform | undefined;
  /** Returns only clicks after this place in the list, which are older. */
  after: ClickPlace | undefined;
  limit: number;
}

/**
 * Returns a page, and in `next` the place to continue from, undefined at the end. Needs a snapshot: clicks added
 * between the two queries would shift that place.
 */
export async function readClicks(
  tx: TransactionSql,
  orgId: OrgId,
  asked: StoredClicksQuery,
): Promise<{ clicks: StoredClick[]; next: ClickPlace | undefined }> {
  const { includeBots, platform, limit } = asked;
  const { linkId: links, ...others } = asked.filters;
  const scanned = scannedOf(tx, orgId, asked, links);
  const clicks = await tx<StoredClick[]>`
    select ${tx.unsafe(CLICK_COLUMNS)} from (
      ${scanned} order by occurred_at desc, id desc limit ${SCAN_MAX}
    ) as clicks
    where ${tx.unsafe(COUNTED)} ${filterConditions(tx, orgId, others)} ${includeBots ? tx`` : tx`and not is_bot`}
      ${platform === undefined ? tx`` : tx`and platform = ${platform}`}
    order by occurred_at desc, id desc limit ${limit + 1}`;
  if (clicks.length > limit) return { clicks: clicks.slice(0, limit), next: clicks[limit - 1] };
  const [last] = await tx<ClickPlace[]>`
    select extract(epoch from occurred_at)::float8 * 1000 as at, id from (${scanned}) as clicks
    order by occurred_at desc, id desc offset ${SCAN_MAX - 1} limit 1`;
  return { clicks: [...clicks], next: last };
}

/** Selects the organization's clicks, or the newest clicks of each of these links with one index scan per link. */
function scannedOf(sql: Reader, orgId: OrgId, { span, after }: StoredClicksQuery, links: Filters["linkId"]): Fragment {
  const within = sql`
    org_id = ${orgId} and occurred_at >= ${new Date(span.from)} and occurred_at < ${new Date(span.to)}
    ${after ? sql`and (occurred_at, id) < (${new Date(after.at)}, ${after.id})` : sql``}`;
  if (links === undefined) return sql`select * from clicks where ${within}`;
  return sql`select * from clicks where org_id = ${orgId} and false ${unionAll(
    sql,
    links,
    (link) => sql`(
      select * from clicks where ${within} and link_id = ${link} order by occurred_at desc, id desc limit ${SCAN_MAX})`,
  )}`;
}

export async function findClick(sql: Reader, orgId: OrgId, { at, id }: ClickPlace): Promise<StoredClick | undefined> {
  const exactly = await sql<StoredClick[]>`
    select ${sql.unsafe(CLICK_COLUMNS)} from clicks where org_id = ${orgId} and occurred_at = ${new Date(at)} and id = ${id}`;
  if (exactly[0]) return exactly[0];
  const around = await sql<StoredClick[]>`
    select ${sql.unsafe(CLICK_COLUMNS)} from clicks
    where org_id = ${orgId} and id = ${id}
      and occurred_at >= ${new Date(at - CLICK_ID_WITHIN_MS)} and occurred_at < ${new Date(at + CLICK_ID_WITHIN_MS)}`;
  return around[0];
}
