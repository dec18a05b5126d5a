import { Elysia } from "elysia";
import { AnalyticsQuery } from "@/contract/analytics/analytics";
import {
  BestDestination,
  BrokenCampaigns,
  CampaignInsights,
  ConversionPrediction,
  TrafficAnomalies,
} from "@/contract/analytics/insights";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { refuseOtherFilters } from "@/http/repeated";
import type { InsightService } from "./service";

const common = { member: { role: "viewer", scopes: ["analytics"] }, query: AnalyticsQuery } as const;
const failed = failures(400, 401, 403, 404, 503);

export const insightRoutes = (service: InsightService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics", tags: ["Analytics"] })
    .use(guard)
    .get("/insights", ({ tenant, query, request }) => service.insights(tenant.orgId, asked(query, request)), {
      ...common,
      response: { 200: CampaignInsights, ...failed },
      detail: {
        operationId: "getCampaignInsights",
        summary: "Get campaign insights",
        description: INSIGHTS,
      },
    })
    .get("/anomalies", ({ tenant, query, request }) => service.anomalies(tenant.orgId, asked(query, request)), {
      ...common,
      response: { 200: TrafficAnomalies, ...failed },
      detail: {
        operationId: "getTrafficAnomalies",
        summary: "Get traffic anomalies",
        description: ANOMALIES,
      },
    })
    .get(
      "/conversion-prediction",
      ({ tenant, query, request }) => service.prediction(tenant.orgId, asked(query, request)),
      {
        ...common,
        response: { 200: ConversionPrediction, ...failed },
        detail: {
          operationId: "getConversionPrediction",
          summary: "Get a conversion prediction",
          description: PREDICTION,
        },
      },
    )
    .get(
      "/best-destination",
      ({ tenant, query, request }) => service.bestDestination(tenant.orgId, asked(query, request)),
      {
        ...common,
        response: { 200: BestDestination, ...failed },
        detail: {
          operationId: "getBestDestination",
          summary: "Get the best destination",
          description: BEST,
        },
      },
    )
    .get(
      "/broken-campaigns",
      ({ tenant, query, request }) => service.brokenCampaigns(tenant.orgId, asked(query, request)),
      {
        ...common,
        response: { 200: BrokenCampaigns, ...failed },
        detail: {
          operationId: "getBrokenCampaigns",
          summary: "Get broken campaigns",
          description: BROKEN,
        },
      },
    );

/** Computed figures cannot be computed of a part of the clicks. */
function asked(query: AnalyticsQuery, request: Request): AnalyticsQuery {
  refuseOtherFilters(request, ["linkId"]);
  return query;
}

const INSIGHTS = `Starts with the most serious findings of \`broken-campaigns\` and the winner of \`best-destination\`, then lists what else
costs visitors, where there is potential, and what is not set up. Rates are compared among the twenty most visited
links, or between the requested link and those. Each kind of conversion is compared only where it is measured for the
link (a lead form, an app that claims installs, events that name the link), day by day with the Mantel–Haenszel score
test and Holm's correction for the number of comparisons. If all links perform alike, at most 5 of 100 workspaces see
any claim. Below 100 clicks, only faults and set-up are reported.`;

const ANOMALIES = `Compares all links together and the ten most visited ones (five for hours); for days also the three countries and the
three referrers with the most clicks. A count regression (negative binomial, after Noufaily et al. 2013) fits level,
trend and weekly pattern to the weeks around each whole hour or day, using up to eight weeks before the range, and
yields the probability of so extreme a count. An anomaly is reported if that probability is small relative to the
number of comparisons, so that at most 5 of 100 normal ranges have one for days, and 10 of 100 for hours. One cause is
one anomaly and names the link that explains it. A drop that links explain because they were deleted, paused or archived, had expired
or were used up says so, with severity \`low\`. Needs two weeks of history. Times are UTC.`;

const PREDICTION = `Conversions follow the organization's \`settings.conversions\`: by default installs, leads, and events whose names carry
a value. Predicts as many days after the range as the range has, up to 90, with intervals designed to contain 80 of
100 outcomes. Constant level, growth, decline, a change of level and a fading launch are each weighted by how well
they explain past days (Bayesian model averaging), with the usual share of each weekday. The score is a sum of points,
listed in \`baseline.points\`: 40 for the lower end of the rate's 95% interval, 20 for the number of conversions behind
it, 15 and 10 for the direction of rate and clicks, 10 for steadiness.`;

const BEST = `Lists the destinations of the requested link, or of the ten most visited ones, based on where their newest clicks went
(30,000 in all, 5,000 where nothing is compared). Compares only split targets, each with the others of its link on
days when both had visitors, since only they receive visitors at random. A winner is declared, with high confidence,
once its visitors prove it better than every other target by a test that stays valid however often you look (Robbins'
mixture martingale): among equal targets, at most 5 of 100 workspaces ever see a winner. If the range, or the limit on
clicks, leaves out earlier visitors of the split, five times the evidence is needed, and the same holds for 120 daily
looks. \`metrics.gain\` is how many times as often it converts as the runner-up, with the interval of that test;
\`score\` is the probability in percent that a target is the best of its link (Beta–Bernoulli). A lead names its click; an
event does so if its \`visitorId\` is the click id that \`wm_cid\` passes to the destination.`;

const BROKEN = `Checks the requested link, or the hundred most visited links, links that turn visitors away, and links whose set-up
cannot work, visited or not. Reports dead or unsafe destinations, splits without an active target, rules that can
never apply, and links that expired before they could start. An expired link is reported only if people still click
it. Destinations are checked about once a day, those of unvisited links when they are new or changed; this request
does not contact them. \`evidence\` gives the figures behind each finding and how it was found. Findings are sorted by
severity, then by the visits a day that a fault costs.`;
