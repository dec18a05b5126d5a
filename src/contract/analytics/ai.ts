/** The marketing assistant: recommends next steps towards a goal, based on the workspace's own figures. */
import { type Static, Type } from "@sinclair/typebox";
import { Utm } from "../routing";
import { id, instant, nullable, oneOf, optional, shape, text, withExample } from "../schema";

export const ASSISTANT_PRIORITIES = ["high", "medium", "low"] as const;

export const MarketingAssistantInput = shape(
  {
    goal: text(500, 1, "What you want to achieve, in your own words; must not be blank"),
    audience: optional(text(200, 0, "Whom you want to reach")),
    channel: optional(text(100, 0, "Where to run a campaign; this channel comes first among the campaigns")),
    tone: optional(text(100, 0, "Tone of the copy: plain, friendly, professional, playful or urgent")),
    linkId: optional({
      ...text(64, 0, "Use only this link's figures, and its destination for campaigns; defaults to all links"),
      examples: id().examples,
    }),
    productUrl: optional(text(2048, 0, "Where campaigns lead: an absolute http(s) URL")),
  },
  {
    $id: "MarketingAssistantInput",
    examples: [
      {
        goal: "More app installs before spring",
        audience: "Runners in Germany",
        channel: "Instagram",
        tone: "friendly",
        productUrl: "https://shop.example.com/app",
      },
    ],
  },
);
export type MarketingAssistantInput = Static<typeof MarketingAssistantInput>;

const sentences = (example: string, description?: string) =>
  withExample([example], Type.Array(Type.String(), { description }));

export const AssistantRecommendation = shape(
  {
    title: withExample("Put more into Email", Type.String()),
    rationale: withExample(
      "Email turns clicks into installs more often than your other channels, by more than chance explains.",
      Type.String(),
    ),
    action: withExample(
      "Move budget and effort to Email, keep its links tagged, and check again in a few weeks.",
      Type.String(),
    ),
    priority: oneOf(ASSISTANT_PRIORITIES),
    evidence: sentences(
      "Email: 42 installs from 600 clicks, 7% (95% interval 5.2 to 9.3%, Wilson)",
      "The figures it is based on; rates with their 95% interval",
    ),
    insightId: optional(
      withExample(
        "risk:concentration",
        Type.String({
          description: "The insight it repeats, as in `analytics/insights`; omitted for advice of its own",
        }),
      ),
    ),
  },
  { $id: "AssistantRecommendation" },
);
export type AssistantRecommendation = Static<typeof AssistantRecommendation>;

const AssistantCampaign = shape(
  {
    name: withExample("Instagram: More app installs before spring", Type.String()),
    channel: withExample("Instagram", Type.String()),
    utm: Utm,
    previewUrl: withExample(
      "https://shop.example.com/app?utm_source=instagram&utm_medium=social&utm_campaign=acme-installs-2026-01",
      nullable(Type.String({ description: "Where the campaign leads; null without a destination" })),
    ),
    copy: sentences("Running club from Acme: get the app before spring.", "Texts that fit the channel"),
  },
  { $id: "AssistantCampaign" },
);

export const MarketingAssistantResponse = shape(
  {
    generatedAt: instant(),
    generatedBy: oneOf(
      ["statistics", "model"],
      "`model` if a language model worded the summary, titles, rationales and copy; everything else is always computed",
    ),
    summary: withExample(
      "Your goal comes down to app installs. Your workspace had 1,240 clicks from 980 visitors in the last 30 days.",
      Type.String(),
    ),
    recommendations: Type.Array(AssistantRecommendation, {
      description: "Faults and winners first, then the most urgent",
    }),
    campaigns: Type.Array(AssistantCampaign),
    warnings: withExample([], Type.Array(Type.String())),
  },
  { $id: "MarketingAssistantResponse" },
);
export type MarketingAssistantResponse = Static<typeof MarketingAssistantResponse>;
