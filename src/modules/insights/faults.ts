/**
 * Gathers the links to be examined for faults: the most visited ones, those that may have something wrong, and those
 * that turn visitors away. All reads are bounded, whatever the size of the organization.
 */
import { and, eq, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { BrokenCampaign } from "@/contract/analytics/insights";
import { UNSERVED_STATUS } from "@/contract/analytics/unserved";
import type { DomainRedirects } from "@/contract/domains";
import type { OrgId } from "@/core/ids";
import { findBroken } from "@/core/insights/broken/broken";
import type { ExaminedLink, RefusedAddress } from "@/core/insights/broken/fault";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { readChecks } from "@/modules/destinations/service";
import { domains } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { readClickSeries } from "./click-series";
import { withTimesOutOfUse } from "./out-of-use";
import { readAdmitted } from "./store";
import { readSuspects } from "./suspects";
import { withoutLinks } from "./taken-addresses";
import { type InsightWorkspace, type WorkspaceOptions, withRecords } from "./workspace";

export const FAULT_LINKS_MAX = 100;
const UNSERVED_MAX = 100;
/**
 * History before the range. Of a long range, only the last `DAYS_MAX` days are read, because older ones do not show
 * what is broken now.
 */
const HISTORY_MS = 28 * DAY_MS;
const DAYS_MAX = 120;
const SUSPECT_DAYS = 28;

/** Returns the most frequent human visits that were turned away, by link, or by address where there was no link. */
export type ReadUnserved = (
  orgId: OrgId,
  query: Pick<AnalyticsQuery, "from" | "to" | "linkId"> & { limit: number },
) => Promise<{ visits: UnservedVisit[] }>;

interface UnservedVisit {
  reason: string;
  domainId: string;
  hostname: string | null;
  linkId: string | null;
  address: string | null;
  count: number;
  lastAt: string;
}

export interface FaultSources extends WorkspaceOptions {
  sql: Sql;
  db: Db;
  unserved: ReadUnserved;
}

export interface Faults {
  campaigns: BrokenCampaign[];
  /** Number of links examined. Those deleted since their visits are not: nothing of theirs can be mended. */
  linksChecked: number;
  isCut: boolean;
}

export async function findFaults(sources: FaultSources, workspace: InsightWorkspace): Promise<Faults> {
  const { db } = sources;
  const { orgId, range, now, isOfLink, links: visited } = workspace;
  const [suspects, { byLink, addresses }] = await Promise.all([
    isOfLink ? { linkIds: [], isCut: false } : readSuspects(db, orgId),
    readRefused(sources, workspace),
  ]);
  const known = new Set(visited.map(({ link }) => link._id));
  const others = [...new Set([...suspects.linkIds, ...(isOfLink ? [] : byLink.keys())])].filter((id) => !known.has(id));
  const to = Math.ceil(Math.min(range.to, now + HOUR_MS) / DAY_MS) * DAY_MS;
  const from = Math.max(range.from - HISTORY_MS, to - DAYS_MAX * DAY_MS);
  const [records, days, otherDays, checks, admitted, unverified] = await Promise.all([
    withRecords(
      sources.describeLinks,
      orgId,
      others.map((linkId) => ({ linkId, clicks: 0 })),
    ),
    daysOf(
      workspace,
      visited.map(({ link }) => link._id),
      from,
    ),
    daysOf(workspace, others, to - SUSPECT_DAYS * DAY_MS),
    readChecks(db, orgId, [...known, ...others]),
    readAdmitted(db, orgId, [...known, ...others]),
    readUnverified(db, orgId),
  ]);
  const inRange = (id: string) =>
    (otherDays.get(id) ?? []).reduce((sum, { at, count }) => sum + (at >= range.from && at < range.to ? count : 0), 0);
  const all = [...visited, ...records.map(({ link }) => ({ link, clicks: inRange(link._id) }))];
  const links = all.filter(({ link }) => !link.isDeleted);
  const examined = links.map(({ link, clicks }): ExaminedLink => {
    const own = {
      checks: checks.get(link._id) ?? [],
      refused: byLink.get(link._id) ?? [],
      admitted: admitted.get(link._id) ?? 0,
      unverifiedHost: unverified.get(link.domainId),
    };
    return { link, clicks, days: days.get(link._id) ?? otherDays.get(link._id) ?? [], ...own };
  });
  const question = { from: range.from, to: Math.min(range.to, now), now };
  const campaigns = findBroken(await withTimesOutOfUse(sources.sql, orgId, examined, question), question, addresses);
  return { campaigns, linksChecked: links.length, isCut: workspace.isCut || suspects.isCut };

  async function daysOf({ includeBots }: InsightWorkspace, linkIds: readonly string[], start: number) {
    if (linkIds.length === 0) return new Map<string, ExaminedLink["days"]>();
    const span = { from: start - (start % DAY_MS), to };
    const series = await readClickSeries(sources, orgId, { linkIds, granularity: "day", span, includeBots });
    return new Map(linkIds.map((id, index) => [id, series[index] ?? []]));
  }
}

/** Reads the human visits that were turned away. Bots are left out, because refusing them loses nothing. */
async function readRefused(
  { sql, db, unserved }: FaultSources,
  { orgId, overview, isOfLink, links }: InsightWorkspace,
) {
  const { from, to } = overview.range;
  const linkId = isOfLink ? links[0]?.link._id : undefined;
  const [{ visits }, redirected] = await Promise.all([
    unserved(orgId, { from, to, linkId, limit: UNSERVED_MAX }),
    readRedirected(db, orgId),
  ]);
  const told = visits
    .filter(({ reason, domainId }) => !redirected.get(domainId)?.has(STATUSES.get(reason)))
    .map((visit) => ({ ...visit, lastAt: Date.parse(visit.lastAt) }));
  const unknown = told.flatMap(({ reason, linkId: id, domainId, hostname, address, count, lastAt }) =>
    reason === "unknown" && id === null && hostname !== null && address !== null
      ? [{ domainId, hostname, path: address, count, lastAt }]
      : [],
  );
  const addresses = (await withoutLinks(sql, unknown)).map(
    ({ hostname, path, count, lastAt }): RefusedAddress => ({ address: `${hostname}${path}`, count, lastAt }),
  );
  const ofLinks = told.flatMap(({ linkId: id, ...visit }) => (id === null ? [] : [{ id, ...visit }]));
  return { byLink: Map.groupBy(ofLinks, ({ id }) => id), addresses };
}

/** Returns the hosts of domains that are not verified, by domain. */
async function readUnverified(db: Db, orgId: OrgId): Promise<ReadonlyMap<string, string>> {
  const { id, hostname, isVerified } = domains;
  const own = and(eq(domains.orgId, orgId), eq(isVerified, false));
  return new Map((await db.select({ id, hostname }).from(domains).where(own)).map((row) => [row.id, row.hostname]));
}

const STATUSES: ReadonlyMap<string, number> = new Map(Object.entries(UNSERVED_STATUS));

/** Returns, by domain, with which statuses it redirects visitors elsewhere; those visitors are not lost. */
async function readRedirected(db: Db, orgId: OrgId): Promise<ReadonlyMap<string, ReadonlySet<number | undefined>>> {
  const { id, redirects, isVerified } = domains;
  const own = and(eq(domains.orgId, orgId), eq(isVerified, true), sql`${redirects} ?| '{expired,notFound}'`);
  const rows = await db.select({ id, redirects }).from(domains).where(own);
  const statusesOf = ({ expired, notFound }: DomainRedirects) => [
    ...(expired ? [410] : []),
    ...(notFound ? [404] : []),
  ];
  return new Map(rows.map((row) => [row.id, new Set(statusesOf(row.redirects))]));
}
