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
import type { InsightService } from "./service";

const common = { member: "viewer", query: AnalyticsQuery } as const;
const failed = failures(400, 401, 403, 404, 503);

export const insightRoutes = (service: InsightService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics", tags: ["Analytics"] })
    .use(guard)
    .get("/insights", ({ tenant, query }) => service.insights(tenant.orgId, query), {
      ...common,
      response: { 200: CampaignInsights, ...failed },
      detail: {
        operationId: "getCampaignInsights",
        summary: "Get campaign insights",
        description: INSIGHTS,
      },
    })
    .get("/anomalies", ({ tenant, query }) => service.anomalies(tenant.orgId, query), {
      ...common,
      response: { 200: TrafficAnomalies, ...failed },
      detail: {
        operationId: "getTrafficAnomalies",
        summary: "Get traffic anomalies",
        description: ANOMALIES,
      },
    })
    .get("/conversion-prediction", ({ tenant, query }) => service.prediction(tenant.orgId, query), {
      ...common,
      response: { 200: ConversionPrediction, ...failed },
      detail: {
        operationId: "getConversionPrediction",
        summary: "Get a conversion prediction",
        description: PREDICTION,
      },
    })
    .get("/best-destination", ({ tenant, query }) => service.bestDestination(tenant.orgId, query), {
      ...common,
      response: { 200: BestDestination, ...failed },
      detail: {
        operationId: "getBestDestination",
        summary: "Get the best destination",
        description: BEST,
      },
    })
    .get("/broken-campaigns", ({ tenant, query }) => service.brokenCampaigns(tenant.orgId, query), {
      ...common,
      response: { 200: BrokenCampaigns, ...failed },
      detail: {
        operationId: "getBrokenCampaigns",
        summary: "Get broken campaigns",
        description: BROKEN,
      },
    });

const INSIGHTS = `Begins with the gravest faults of \`broken-campaigns\` and the winner of \`best-destination\`, then tells what else costs
visitors, where there is more to be had, and what is not set up. Rates are compared among the twenty most visited links, or
between the link asked for and those: per kind of conversion, only where it is measured for the link (a lead form, an app that
claims installs, events that name the link), day by day by the Mantel–Haenszel score test, with Holm's correction for the
number of comparisons. Among links that are all alike an answer claims anything in at most 5 of 100 workspaces. Below 100
clicks only faults and the set-up are told of.`;

const ANOMALIES = `Compares all links together and the ten most visited ones (five by the hour); by the day also the three countries
and the three referrers with the most clicks. A regression of counts (negative binomial, after Noufaily et al. 2013) fits
level, trend and weekly pattern to the weeks around each whole hour or day, up to eight weeks before the range included,
and gives the chance of a count so far out. An anomaly is told if that chance is small beside the number of all
comparisons, so that at most 5 of 100 normal ranges by the day, and 10 of 100 by the hour, have one. One cause is one
anomaly and names the link that explains it. Takes two weeks of history. Times are of UTC.`;

const PREDICTION = `Conversions are what the organization's \`settings.conversions\` says, by default installs, leads and events by
names that carry a value. Predicts as many days after the range as it has, 90 at most, with
intervals meant to hold 80 of 100 futures. Level, growth, decline, a change of level and a launch that fades are each
weighed by how likely they make the days there were (Bayesian model averaging), with the usual share of each weekday. The
score adds up points, told in \`baseline.points\`: 40 for the lower end of the rate's 95 % interval, 20 for how many
conversions it rests on, 15 and 10 for the direction of rate and clicks, 10 for steadiness.`;

const BEST = `Lists the destinations of the link asked for, else of the ten most visited ones, by where their newest clicks were
sent (30,000 in all, 5,000 where nothing is compared). Compares split targets alone, each with the others of its link on the days both had visitors, since
only those get their visitors at random. A best one is told, with high confidence, once its visitors prove it against every
other target by a test that holds however often you look (Robbins' mixture martingale): among equals at most 5 of 100
workspaces ever get one. \`metrics.gain\` is how many times as often it converts as the next, with the interval of that test;
\`score\` the probability in per cent that a target is the best of its link (Beta–Bernoulli). A lead names its click; an event
does where its \`visitorId\` is the click id that \`wm_cid\` hands to the destination.`;

const BROKEN = `Of the link asked for, else of the hundred most visited ones, of those that turn visitors away, and of those whose set-up cannot
work, visited or not: dead or unsafe destinations, splits without an active target, rules that can never apply, links that
expired before they could start. An expired link is told of where people still click it; one that ended as planned and that
nobody asks for is not. Destinations are checked
about once a day, those of links not visited yet when they are new or have changed; this request asks nobody. \`evidence\` gives each finding's
figures and how they were found. The order is that of severity, then of the visits a day that a fault costs.`;
