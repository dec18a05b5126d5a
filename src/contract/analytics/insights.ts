/**
 * Insights computed from a workspace's own figures. The `summary` of each response says how much data there was: if
 * it was too little, the list is empty or the candidate null, and the summary says why.
 */
import { type Static, Type } from "@sinclair/typebox";
import { freeObject, id, instant, nullable, oneOf, optional, shape, withExample } from "../schema";
import { AnalyticsRange } from "./analytics";

export const LEVELS = ["high", "medium", "low"] as const;
export type Level = (typeof LEVELS)[number];

const count = (example: number, description?: string) =>
  withExample(example, Type.Integer({ minimum: 0, description }));
const sentence = (example: string, description?: string) => withExample(example, Type.String({ description }));
const sentences = (example: string, description?: string) =>
  Type.Array(Type.String(), { description, examples: [[example]] });

const EVIDENCE_STATES = ["enough", "thin", "none"] as const;

/** Common to all responses: what was examined, and the result. */
export const ComputedSummary = shape(
  {
    text: sentence("3 anomalies in 30 whole days of 5 series"),
    data: oneOf(
      EVIDENCE_STATES,
      "`thin`: too little to draw conclusions, `none`: nothing at all; `notes` says of what",
    ),
    clicks: count(1284, "Clicks in the range, as the overview counts them"),
    conversions: count(96, "Installs, leads and custom events in the range"),
    found: count(1, "Number of findings listed below"),
    notes: sentences("No history before 1 January: weekdays are compared only within the range"),
  },
  { $id: "ComputedSummary" },
);
export type ComputedSummary = Static<typeof ComputedSummary>;

const head = {
  generatedAt: instant(),
  range: AnalyticsRange,
  summary: ComputedSummary,
};

export const CampaignInsight = shape(
  {
    id: sentence("risk:concentration", "Stable for the same finding"),
    type: withExample("risk", oneOf(["setup", "opportunity", "risk"])),
    priority: withExample("medium", oneOf(LEVELS)),
    title: sentence("Most of your traffic depends on one link"),
    summary: sentence("`Spring sale` gets 82% of all clicks. If its page fails, nearly everything stops."),
    recommendation: sentence("Keep a close watch on its destination, and promote other links as well."),
    metric: sentence("82% of clicks"),
    evidence: sentences("1,053 of 1,284 clicks, 95% interval 79.8 to 84.0% (Wilson)"),
  },
  { $id: "CampaignInsight" },
);
export type CampaignInsight = Static<typeof CampaignInsight>;

export const CampaignInsights = shape(
  {
    ...head,
    insights: Type.Array(CampaignInsight, {
      description: "Faults first, then a split test's winner, then the most urgent",
    }),
  },
  { $id: "CampaignInsightsResponse" },
);
export type CampaignInsights = Static<typeof CampaignInsights>;

export const TrafficAnomaly = shape(
  {
    id: sentence("traffic_spike:all:2026-01-14T00:00:00.000Z", "Stable for the same bucket and series"),
    type: withExample("traffic_spike", Type.String({ description: "`traffic_spike` or `traffic_drop`" })),
    severity: withExample("high", oneOf(LEVELS)),
    title: sentence("Far more clicks than usual on 14 January 2026"),
    summary: sentence("All links had 412 clicks; about 96 were expected"),
    recommendation: sentence("Check the referrers of that day, and the abuse queue"),
    metric: sentence("412 clicks, 96 expected"),
    evidence: sentences("By chance, this happens once in 2,400,000 (negative-binomial regression, k = 20)"),
  },
  { $id: "TrafficAnomaly" },
);
export type TrafficAnomaly = Static<typeof TrafficAnomaly>;

export const TrafficAnomalies = shape(
  { ...head, anomalies: Type.Array(TrafficAnomaly, { description: "Most severe first, at most 50" }) },
  { $id: "TrafficAnomaliesResponse" },
);
export type TrafficAnomalies = Static<typeof TrafficAnomalies>;

export const PredictionFactor = shape(
  {
    name: sentence("conversion rate"),
    impact: withExample("positive", oneOf(["positive", "negative", "neutral"])),
    value: sentence("7.5%"),
    explanation: sentence("96 conversions of 1,284 clicks; the lower end of the 95% interval is 6.2%"),
  },
  { $id: "PredictionFactor" },
);
export type PredictionFactor = Static<typeof PredictionFactor>;

export const SCORE_MAX = 95;

const ends = (low: number, high: number) => shape({ low: count(low), high: count(high) });

export const Prediction = shape(
  {
    score: withExample(
      64,
      Type.Integer({ minimum: 0, maximum: SCORE_MAX, description: "The sum of `baseline.points`" }),
    ),
    label: withExample("high", oneOf(LEVELS, "`high` from a score of 60, `medium` from 30")),
    confidence: withExample("medium", oneOf(LEVELS, "`high` only if the interval of the conversions is within ±25%")),
    predictedConversionRate: withExample(
      0.0748,
      Type.Number({ minimum: 0, maximum: 1, description: "Conversions per click" }),
    ),
    projectedConversions: count(97),
    projectedClicks: count(1301),
    intervals: shape(
      {
        level: withExample(
          0.8,
          Type.Number({ description: "Share of outcomes that each interval is designed to contain" }),
        ),
        clicks: ends(1180, 1422),
        conversions: ends(79, 118),
        conversionRate: shape({
          low: withExample(0.0661, Type.Number({ minimum: 0, maximum: 1 })),
          high: withExample(0.0843, Type.Number({ minimum: 0, maximum: 1 })),
        }),
      },
      { description: "Expected clicks, conversions and conversion rate" },
    ),
    horizonDays: withExample(30, Type.Integer({ minimum: 1, description: "As long as the range, from 1 to 90 days" })),
    factors: Type.Array(PredictionFactor),
    recommendations: sentences("Keep going: neither the clicks nor the conversion rate is falling"),
    baseline: withExample(
      { clicks: 1284, conversions: 96, conversionRate: 0.0748, interval: { low: 0.0616, high: 0.0905, level: 0.95 } },
      freeObject("The figures of the range that it is based on"),
    ),
  },
  { $id: "ConversionPrediction" },
);
export type Prediction = Static<typeof Prediction>;

export const ConversionPrediction = shape({ ...head, prediction: Prediction }, { $id: "ConversionPredictionResponse" });
export type ConversionPrediction = Static<typeof ConversionPrediction>;

export const DestinationCandidate = shape(
  {
    id: sentence("0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e:split:b", "Stable for the same position in the link"),
    linkId: id(),
    linkTitle: sentence("Spring sale", "The title, or else the slug"),
    slug: sentence("spring"),
    shortUrl: withExample("https://go.example.com/spring", nullable(Type.String())),
    destinationUrl: sentence("https://shop.example.com/landing-b"),
    splitTarget: withExample("b", nullable(Type.String({ description: "Key of the split target" }))),
    splitLabel: optional(sentence("Short form", "Label of the split target, if it has one")),
    sources: sentences("split:b", "Its position in the link: `default`, `rule:<index>`, `split:<key>`, `store`"),
    clicks: count(640, "The clicks that were examined"),
    installs: count(0),
    leads: count(52),
    events: count(4),
    score: withExample(
      91,
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: "Probability of being the best of its link, in percent; 0 if not compared",
      }),
    ),
    confidence: withExample("medium", oneOf(LEVELS)),
    metrics: withExample(
      {
        converted: 54,
        conversionRate: 0.0844,
        interval: { low: 0.0653, high: 0.1084, level: 0.95 },
        compared: true,
        visitors: 610,
        visitorsConverted: 52,
        probabilityBest: 0.91,
      },
      freeObject(),
    ),
    reasons: sentences("54 of 640 clicks converted, 95% interval 6.5 to 10.8%"),
    warnings: Type.Array(Type.String(), { examples: [[]] }),
  },
  { $id: "DestinationCandidate" },
);
export type DestinationCandidate = Static<typeof DestinationCandidate>;

export const BestDestination = shape(
  {
    ...head,
    recommendation: shape({
      generatedBy: withExample("statistics", Type.String()),
      best: nullable(DestinationCandidate),
      candidates: Type.Array(DestinationCandidate, {
        maxItems: 50,
        description: "The best first, then the most promising ones",
      }),
      reason: sentence(
        "`b` of `Spring sale` converts best: 8.5% of its visitors, and 1.6 times (1.1 to 2.4) as often as the next, `a`",
        "Why this one, or why none",
      ),
    }),
  },
  { $id: "BestDestinationResponse" },
);
export type BestDestination = Static<typeof BestDestination>;

const BROKEN_TYPES = [
  "dead_destination",
  "unsafe_destination",
  "expired_link",
  "schedule_over",
  "inactive_link",
  "not_started",
  "used_up",
  "never_open",
  "unknown_address",
  "unverified_domain",
  "traffic_collapse",
  "split_without_targets",
  "unreachable_rule",
  "missing_utm",
] as const;

export const BrokenCampaign = shape(
  {
    id: sentence("dead_destination:0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e", "Stable for the same fault"),
    type: withExample("dead_destination", oneOf(BROKEN_TYPES)),
    severity: withExample("high", oneOf(LEVELS)),
    linkId: nullable(id("Null for `unknown_address` and `unverified_domain`, which concern no single link")),
    title: sentence("`Spring sale` leads to a dead page"),
    summary: sentence("https://shop.example.com/spring failed at least two checks in a row."),
    recommendation: sentence("Fix the page, or change where the link leads."),
    evidence: sentences(
      "https://shop.example.com/spring: HTTP 404, 2 failed checks in a row, at least an hour apart, since 2026-01-30T04:10:00.000Z",
    ),
  },
  { $id: "BrokenCampaign" },
);
export type BrokenCampaign = Static<typeof BrokenCampaign>;

export const BrokenCampaigns = shape(
  {
    ...head,
    campaigns: Type.Array(BrokenCampaign, {
      description: "Most severe first, then by visits lost a day; at most 200",
    }),
  },
  { $id: "BrokenCampaignsResponse" },
);
export type BrokenCampaigns = Static<typeof BrokenCampaigns>;
