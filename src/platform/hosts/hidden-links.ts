/**
 * Finds links whose path has since become one of the service's own paths: they stay stored, but are no longer served.
 */
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { beginsWithOwnPath } from "../db/own-paths";
import { domains, links } from "../db/schema";
import type { Db } from "../db/tx";
import type { ShortUrlOf } from "../link-cache/short-urls";
import type { Log } from "../telemetry/log";
import type { OwnHosts } from "./own-hosts";

const NAMED_MAX = 20;

export interface HiddenLinksParts {
  db: Db;
  log: Log;
  shortUrlOf: ShortUrlOf;
  ownHosts: OwnHosts;
}

/**
 * Logs how many such links there are, and the first `NAMED_MAX` of them. Of several workers, only one does. Never
 * rejects.
 */
export async function logHiddenLinks(
  { shortDomain, worker }: { shortDomain: string; worker: number | null },
  { db, log, shortUrlOf, ownHosts }: HiddenLinksParts,
): Promise<void> {
  if (worker !== null && worker !== 1) return;
  const ofDashboard = and(eq(domains.isVerified, true), eq(sql`${domains.dashboard} ->> 'enabled'`, "true"));
  const isOwn = ownHosts.isOwn(shortDomain) ? or(isNull(domains.orgId), ofDashboard) : ofDashboard;
  try {
    // One after the other: a starting process has one connection, and opening another takes longer than both queries.
    const found = [await hiddenLinks(db, isOwn, false), await hiddenLinks(db, isOwn, true)];
    const rows = found.flat();
    if (rows.length === 0) return;
    log.warn("links are unreachable: their paths belong to the service on this host; they stay stored", {
      count: found.reduce((sum, [first]) => sum + (first?.count ?? 0), 0),
      links: rows.slice(0, NAMED_MAX).map(({ link, domain }) => ({ id: link.id, shortUrl: shortUrlOf(domain, link) })),
    });
  } catch (error) {
    log.warn("could not look for links on the service's own paths", { error });
  }
}

const hiddenLinks = (db: Db, isOwn: SQL | undefined, isCaseSensitive: boolean) =>
  db
    .select({ link: links, domain: domains, count: sql<number>`(count(*) over ())::int` })
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(
      and(
        isNull(links.deletedAt),
        isOwn,
        eq(domains.isCaseSensitive, isCaseSensitive),
        beginsWithOwnPath(isCaseSensitive),
      ),
    )
    .orderBy(links.id)
    .limit(NAMED_MAX);
