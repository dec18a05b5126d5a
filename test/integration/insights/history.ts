/** A workspace with a history of known days at a fixed time, and its computed analytics. */
import { expect } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { leadsIn } from "@test/support/leads";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import * as contract from "@/contract/analytics/insights";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { createFigureCaches } from "@/figures/read/figure-caches";
import { createAnalytics } from "@/modules/analytics/service";
import { createUnservedVisits } from "@/modules/analytics/unserved";
import { RoutedSamples } from "@/modules/insights/routed/routed-samples";
import { createInsights } from "@/modules/insights/service";
import { createLinkService } from "@/modules/links/service";
import { Copies } from "@/platform/db/copies";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { routingChanges } from "@/platform/routing-changes";
import { NOW, type OwnVisit, openAnalytics } from "../analytics/workspace";

const TODAY = NOW - (NOW % DAY_MS);

/** Returns noon of the day that many days before today. */
export const daysAgo = (days: number): string => new Date(TODAY - days * DAY_MS + DAY_MS / 2).toISOString();

export async function openHistory() {
  const analytics = await openAnalytics();
  const { sql, db, url } = analytics.database;
  const clock = () => NOW;
  const copies = new Copies();
  const unused = () => Promise.reject(new Error("not to be asked"));
  const links = createLinkService({
    db,
    clock,
    shortUrlOf: shortUrls("https://wm.test"),
    announce: unused,
    changeRouting: routingChanges(
      db,
      async () => {},
      () => {},
    ),
    plans: { room: unused },
    safety: { judgeLocally: () => ({}), noteChange: unused, enqueueCheck: () => {} },
  });
  const service = createInsights({
    sql,
    db,
    clock,
    samples: new RoutedSamples(copies),
    analytics: createAnalytics({ sql, clock, kept: createFigureCaches(copies) }),
    unserved: createUnservedVisits({ sql, clock }),
    describeLinks: links.findIncludingDeleted,
  });
  const lead = leadsIn(url);
  let visitors = 1n;

  async function workspace() {
    const { org, link, addLink, record } = await analytics.workspace();
    const orgId = org as OrgId;
    const checked = async <Answer>(schema: TSchema, asked: Promise<Answer>): Promise<Answer> => {
      const answer = await asked;
      expect([...Value.Errors(schema, answer)]).toEqual([]);
      return answer;
    };
    return {
      org,
      link,
      addLink,
      record,
      lead: (linkId: string, clickId: string, at: number) => lead({ orgId: org, linkId, clickId, at }),
      /** Records clicks of this link on the given days, keyed by how many days ago. */
      async visit(linkId: string, counts: Record<number, number>, from: Pick<OwnVisit, "country" | "referrer"> = {}) {
        const visits = Object.entries(counts).flatMap(([days, count]) =>
          Array.from({ length: count }, () => ({
            at: daysAgo(Number(days)),
            link: linkId,
            visitor: visitors++,
            ...from,
          })),
        );
        await record(visits);
      },
      /** Records that the link turned people away, an hour ago unless another time is given. */
      async refuse(linkId: string, reason: string, count: number, at = new Date(NOW - HOUR_MS).toISOString()) {
        const hour = new Date(Date.parse(at) - (Date.parse(at) % HOUR_MS));
        await sql`
          insert into unserved_visits (org_id, hour, domain_id, is_bot, writer, counts)
          select org_id, ${hour}, domain_id, false, id, ${sql.json([{ reason, linkId, count }])} from links
          where id = ${linkId}`;
      },
      insights: (query: AnalyticsQuery = {}) => checked(contract.CampaignInsights, service.insights(orgId, query)),
      anomalies: (query: AnalyticsQuery = {}) => checked(contract.TrafficAnomalies, service.anomalies(orgId, query)),
      prediction: (query: AnalyticsQuery = {}) =>
        checked(contract.ConversionPrediction, service.prediction(orgId, query)),
      best: (query: AnalyticsQuery = {}) => checked(contract.BestDestination, service.bestDestination(orgId, query)),
      broken: (query: AnalyticsQuery = {}) => checked(contract.BrokenCampaigns, service.brokenCampaigns(orgId, query)),
    };
  }

  return { workspace, sql, database: analytics.database, close: analytics.close };
}
