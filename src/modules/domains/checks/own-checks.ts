/**
 * Checks a domain by what the service itself stores: whether the apps are described, and whether visitors can be told
 * apart.
 */
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { APPS_MAX } from "@/contract/apps";
import type { DomainCheck } from "@/contract/domains";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { appProfiles, clicks } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { DomainRow } from "../store";
import { judgeApps } from "./judge-apps";
import { type AskingRequest, judgeVisitors, type ProxySettings, type RecentClicks } from "./judge-visitors";

export interface OwnCheckOptions {
  db: Db;
  clock(): number;
  proxies: ProxySettings;
}

const CLICKS_MAX = 200;
const RECENT_MS = 7 * DAY_MS;

export async function checkOwn(
  { db, clock, proxies }: OwnCheckOptions,
  orgId: OrgId,
  { appConfig }: DomainRow,
  asking: AskingRequest,
): Promise<DomainCheck[]> {
  const [apps, recent] = await Promise.all([
    db.select().from(appProfiles).where(eq(appProfiles.orgId, orgId)).orderBy(appProfiles.id).limit(APPS_MAX),
    recentClicks(db, orgId, new Date(clock() - RECENT_MS)),
  ]);
  const described = apps.map(({ name, ios, android, fallback }) => ({
    ...{ name, fallback, ios: ios ?? undefined, android: android ?? undefined },
  }));
  return [
    { check: "app", ...judgeApps([appConfig, ...described]) },
    { check: "visitor-addresses", ...judgeVisitors(recent, asking, proxies) },
  ];
}

async function recentClicks(db: Db, orgId: OrgId, since: Date): Promise<RecentClicks> {
  const newest = db
    .select({ visitor: clicks.visitor, network: clicks.addressKey, country: clicks.country })
    .from(clicks)
    .where(and(eq(clicks.orgId, orgId), gt(clicks.occurredAt, since)))
    .orderBy(desc(clicks.occurredAt))
    .limit(CLICKS_MAX)
    .as("newest");
  const [counted] = await db
    .select({
      clicks: sql<number>`count(*)::int`,
      visitors: sql<number>`count(distinct ${newest.visitor})::int`,
      networks: sql<number>`count(distinct ${newest.network})::int`,
      located: sql<number>`count(${newest.country})::int`,
    })
    .from(newest);
  return counted ?? { clicks: 0, visitors: 0, networks: 0, located: 0 };
}
