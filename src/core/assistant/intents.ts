/**
 * Maps goals to intents. The first row with a word of the goal matches; a goal without any known word counts as
 * awareness, and the response says so. Each intent has the measure that it is judged by, taken from an overview's
 * funnel.
 */
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import { rowFor } from "../qr/vocabulary";

export type IntentName = "awareness" | "installs" | "leads" | "sales" | "engagement" | "retention";

export interface Intent {
  name: IntentName;
  words: string[];
  /** What is counted, in the singular. */
  measure: "click" | "install" | "lead" | "event" | "open";
  /** How to start counting it. */
  counting: string;
  /** What the goal is called within a sentence. */
  label: string;
  /** The call to action, as it appears within a sentence. */
  call: string;
  /** Channels to start with until figures suggest others. */
  defaults: string[];
}

export const INTENTS: Intent[] = [
  {
    name: "retention",
    words: [
      ...["retain", "retention", "returning", "loyal", "loyalty", "churn", "reactivate", "reactivation"],
      ...["repeat", "winback", "reengage", "lapsed", "inactive"],
    ],
    measure: "open",
    counting:
      "Let your app resolve links through /api/v1/resolve; each time someone who has the app opens one then counts.",
    label: "returning visitors",
    call: "come back",
    defaults: ["Email", "Push notifications", "SMS"],
  },
  {
    name: "installs",
    words: [
      ...["install", "installs", "installation", "installations", "installing", "download", "downloads", "downloading"],
      ...["app", "apps"],
    ],
    measure: "install",
    counting:
      "Give your links an app profile, and let the app claim its match token at /api/v1/match when it first starts.",
    label: "app installs",
    call: "get the app",
    defaults: ["Instagram", "TikTok", "Search"],
  },
  {
    name: "leads",
    words: [
      ...["lead", "leads", "signup", "signups", "sign", "subscribe", "subscribers", "subscriptions", "register"],
      ...["registration", "registrations", "waitlist", "contacts", "demo", "demos", "enquiries", "inquiries"],
    ],
    measure: "lead",
    counting: "Turn on lead capture for these links so that visitors can leave their details.",
    label: "leads",
    call: "sign up",
    defaults: ["LinkedIn", "Email", "Search"],
  },
  {
    name: "sales",
    words: [
      ...["sale", "sales", "sell", "selling", "revenue", "purchase", "purchases", "buy", "buyers", "orders"],
      ...["shop", "checkout", "conversion", "conversions", "convert", "customers", "income", "profit", "turnover"],
    ],
    measure: "event",
    counting: "For each sale, send a custom event with the order value and the `linkId` to /api/v1/events.",
    label: "sales",
    call: "visit the shop",
    defaults: ["Email", "Search", "Instagram"],
  },
  {
    name: "engagement",
    words: [
      ...["engage", "engagement", "engaged", "interact", "interaction", "interactions", "community", "usage", "active"],
      ...["opens", "read", "readers", "watch", "listen", "participate", "attend", "attendance", "event", "webinar"],
    ],
    measure: "open",
    counting: "Let your app resolve links through /api/v1/resolve; each time someone opens shared content then counts.",
    label: "engagement",
    call: "join in",
    defaults: ["Instagram", "Email", "YouTube"],
  },
  {
    name: "awareness",
    words: [
      ...["awareness", "aware", "reach", "visibility", "brand", "branding", "traffic", "click", "clicks", "visitors"],
      ...["visits", "launch", "announce", "announcement", "audience", "known", "exposure", "impressions"],
    ],
    measure: "click",
    counting: "Share short links wherever you want people to come from.",
    label: "awareness",
    call: "take a look",
    defaults: ["Instagram", "LinkedIn", "Email"],
  },
];

export interface UnderstoodGoal {
  intent: Intent;
  /** True if the goal contains no known word. */
  isAssumed: boolean;
}

export function intentOf(goal: string): UnderstoodGoal {
  const found = rowFor(INTENTS, goal.toLowerCase().replace(/\bsign[- ]?ups?\b/g, "signup"));
  const fallback = INTENTS.at(-1);
  if (!fallback) throw new Error("There is an intent");
  return { intent: found ?? fallback, isAssumed: found === undefined };
}

/** Returns how often the overview counts the intent's measure. */
export function countOfMeasure({ measure }: Intent, overview: AnalyticsOverview): number {
  switch (measure) {
    case "click":
      return overview.totalClicks;
    case "install":
      return overview.installs;
    case "open":
      return overview.opens;
    case "lead":
    case "event":
      return overview.conversionFunnel.find(({ stage }) => stage === `${measure}s`)?.count ?? 0;
    default:
      return measure satisfies never;
  }
}
